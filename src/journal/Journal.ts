/** The use-cases of the journal. */
import { Context, Effect, Layer, Option, Stream } from "effect"
import { authorize } from "../auth/CurrentActor.ts"
import { daysAgo } from "../fields/Span.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { defaultPageSize } from "../usecase/Page.ts"
import { EntriesRepo, type Numbered, type JournalPosition } from "./EntriesRepo.ts"
import { type JournalEntry, type JournalPage, type JournalQuery, keptDays } from "./Entry.ts"
import { outOfReach, reached } from "./rules.ts"

// As many as are in memory at a time.
const replayedAtOnce = 200

const entryOf = ({ body, seq }: Numbered): JournalEntry => ({
  seq,
  ...(JSON.parse(body) as Omit<JournalEntry, "seq">)
})

const make = Effect.gen(function* () {
  const repo = yield* EntriesRepo

  /** A page of the team's journal after a number. */
  const read = Effect.fn("Journal.read")(function* (request: Pick<UseCaseRequest<JournalQuery>, "query">) {
    const { teamId } = yield* authorize("member")
    const { after, page_size: pageSize = defaultPageSize, types } = yield* request.query
    const look = Effect.gen(function* () {
      const found = yield* repo.read(teamId, { after, types, limit: pageSize + 1 })
      const refusal = outOfReach(found.after, found.standing)
      if (refusal !== undefined) return yield* refusal
      return { ...found, ...reached(found.rows, { ...found, pageSize }) }
    })
    let found = yield* look
    if (found.standing.waiting && found.nextAfter === found.standing.lastSeq) {
      yield* repo.number(teamId)
      found = yield* look
    }
    const { hasMore, nextAfter, rows } = found
    const page: JournalPage = { data: rows.slice(0, pageSize).map(entryOf), page: { nextAfter, pageSize, hasMore } }
    return page
  })

  /**
   * The team's events of a moment and later that are committed, the oldest first: each with its message's id, its type
   * and the very text that webhooks get. It ends with the last one.
   */
  const since = (moment: Date) =>
    Stream.unwrap(
      Effect.map(authorize("member"), ({ teamId }) => {
        const first: JournalPosition = { at: moment, transactionId: "0", count: "0" }
        return Stream.paginate(
          first,
          Effect.fnUntraced(function* (after: JournalPosition) {
            const events = yield* repo.events(teamId, after, replayedAtOnce)
            const last = events.length < replayedAtOnce ? undefined : events.at(-1)
            return [events, Option.fromUndefinedOr(last)] as const
          })
        )
      })
    )

  /** Removes events that are kept no longer, some `limit` at a time; answers how many it looked at. */
  const purge = Effect.fn("Journal.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(keptDays), limit)
  })

  return { read, since, purge }
})

/**
 * What can be done with a team's journal of events. Reading needs an active membership of the team, and no capability;
 * the purge is the service's own.
 */
export class Journal extends Context.Service<Journal, Effect.Success<typeof make>>()("journal/Journal") {
  static readonly layer = Layer.effect(Journal, make)
}
