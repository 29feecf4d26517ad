/** The use-cases of the journal (docs/behaviour/webhooks.md#journal). */
import { Retention } from "../../platform/Retention.ts"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { atStandbyIf } from "../../platform/db/Standbys.ts"
import { daysAgo } from "../../platform/Time.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { defaultPageSize } from "../../core/usecase/Page.ts"
import { EntriesRepo, type JournalPosition, type NumberedEvent } from "./EntriesRepo.ts"
import type { JournalEntry, JournalPage, JournalQuery } from "./Entry.ts"
import { endOfPage, rejectAfter, typesToRead } from "./rules.ts"

/** How often a request numbers events: up to 10,000, which takes it a second or less. */
const maxNumberings = 5

// How many events a stream holds in memory.
const replayBatchSize = 200

const entryOf = ({ body, seq }: NumberedEvent): JournalEntry => ({
  seq,
  ...(JSON.parse(body) as Omit<JournalEntry, "seq">)
})

const make = Effect.gen(function* () {
  const { journal: retentionDays } = yield* Retention
  const repo = yield* EntriesRepo

  /**
   * The greatest number of the team's journal, and whether more events that are settled have none yet: of a long backlog, this numbers as
   * many as one request can.
   */
  const latest = Effect.fnUntraced(function* (teamId: string) {
    const look = Effect.map(repo.read(teamId, { after: undefined, types: undefined, limit: 1 }), ({ state }) => state)
    let state = yield* look
    for (let times = 0; times < maxNumberings && state.hasUnnumbered; times++) {
      yield* repo.number(teamId)
      state = yield* look
    }
    return { nextAfter: state.lastSeq, hasMore: state.hasUnnumbered }
  })

  /** Reads a page of the team's journal, and numbers new events first when the page reaches the end. */
  const read = Effect.fn("Journal.read")(function* (request: Pick<UseCaseRequest<JournalQuery>, "query">) {
    const { teamId } = yield* authorize("member")
    const { after, page_size: pageSize = defaultPageSize, types: patterns } = yield* request.query
    if (after === "latest") {
      const empty: JournalPage = { data: [], page: { ...(yield* latest(teamId)), pageSize } }
      return empty
    }
    const types = typesToRead(patterns)
    const look = Effect.gen(function* () {
      const found = yield* repo.read(teamId, { after, types, limit: pageSize + 1 })
      const refusal = rejectAfter(found.after, found.state, retentionDays)
      if (refusal !== undefined) return yield* refusal
      return { ...found, ...endOfPage(found.rows, { ...found, pageSize }) }
    })
    const isAtEnd = ({ nextAfter, state }: Effect.Success<typeof look>) =>
      state.hasUnnumbered && nextAfter === state.lastSeq
    // A standby may not know the number yet that the reader goes on from, and numbers nothing.
    let found = yield* atStandbyIf(look, (found) => !isAtEnd(found))
    if (isAtEnd(found)) {
      yield* repo.number(teamId)
      found = yield* look
    }
    const { hasMore, nextAfter, rows } = found
    const page: JournalPage = { data: rows.slice(0, pageSize).map(entryOf), page: { nextAfter, pageSize, hasMore } }
    return page
  })

  /**
   * Streams the team's committed events of records since a moment, oldest first, with their message ids, types and the exact bodies
   * that webhooks get. Ends after the last one.
   */
  const since = (moment: Date) =>
    Stream.unwrap(
      Effect.map(authorize("member"), ({ teamId }) => {
        const first: JournalPosition = { at: moment, transactionId: "0", count: "0" }
        return Stream.paginate(
          first,
          Effect.fnUntraced(function* (after: JournalPosition) {
            const events = yield* repo.events(teamId, after, replayBatchSize)
            const last = events.length < replayBatchSize ? undefined : events.at(-1)
            return [events, Option.fromUndefinedOr(last)] as const
          })
        )
      })
    )

  /** Deletes events past their retention, at most `limit`. Returns how many it looked at. */
  const purge = Effect.fn("Journal.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(retentionDays), limit)
  })

  return { read, since, purge }
})

/** A team's journal of events. Reading requires an active membership and no capability. `purge` is for a job. */
export class Journal extends Context.Service<Journal, Effect.Success<typeof make>>()("webhooks/changes/Journal") {
  static readonly layer = Layer.effect(Journal, make).pipe(Layer.provide(EntriesRepo.layer))
}
