/** The use-cases of the journal (docs/behaviour/webhooks.md#journal). */
import * as Id from "../../core/Id.ts"
import { Retention } from "../../platform/Retention.ts"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { atStandbyIf } from "../../platform/db/Standbys.ts"
import { daysAgo } from "../../platform/Time.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { makeFeed } from "../../core/usecase/Feed.ts"
import { defaultPageSize } from "../../core/usecase/Page.ts"
import { EntriesRepo, type JournalPosition, type NumberedEvent } from "./EntriesRepo.ts"
import type { JournalEntry, JournalPage, JournalQuery } from "./Entry.ts"
import { endOfPage, isLookedFor, type JournalFilter, maxScanned, rejectAfter, typesToRead } from "./rules.ts"

/** How many parts of a journal, of 5,000 events each, are looked through for a page. */
const maxLooks = 4

/** How many events a poll of those who watch reads, at most: what is more comes with the next poll. */
const polledEvents = 200

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
   * Looks back on the team's journal, the latest event first, and numbers new events before. `before` is the number to go on from; the
   * answer has the next one, or null at the beginning of the journal and of the period.
   */
  const lookBack = Effect.fn("Journal.lookBack")(function* (
    {
      before,
      since,
      ...filter
    }: JournalFilter & { readonly before: number | undefined; readonly since: Date | undefined },
    pageSize = defaultPageSize
  ) {
    const { teamId } = yield* authorize("member")
    const { nextAfter: last } = yield* latest(teamId)
    const prefix = filter.resourceId === undefined ? undefined : Id.prefixOf(filter.resourceId)
    const resourceId = prefix === undefined ? undefined : Id.toUuid(prefix, filter.resourceId ?? "")
    const entries: Array<JournalEntry> = []
    let next = Math.min(before ?? last + 1, last + 1)
    // No event has a text that is no id.
    if (filter.resourceId !== undefined && resourceId === undefined) next = 0
    for (let looks = 0; looks < maxLooks && next > 1 && entries.length <= pageSize; looks++) {
      const limit = pageSize + 1 - entries.length
      const found = yield* repo.lookBack(teamId, { before: next, since, types: filter.types, resourceId, limit })
      entries.push(...found.map(entryOf))
      next = found.length === limit ? (found.at(-1)?.seq ?? 0) : next - maxScanned
      if (since !== undefined && next > 1 && !(yield* reaches(teamId, next, since))) next = 0
    }
    const shown = entries.slice(0, pageSize)
    const goesOn = entries.length > pageSize ? shown.at(-1)?.seq : next > 1 ? next : undefined
    return { entries: shown, last, nextBefore: goesOn ?? null }
  })

  /** Whether the journal has events of a period among those before a number. */
  const reaches = Effect.fnUntraced(function* (teamId: string, before: number, since: Date) {
    const all = { types: undefined, resourceId: undefined }
    return (yield* repo.lookBack(teamId, { before, since, limit: 1, ...all })).length > 0
  })

  /** What follows a number, for those who watch. */
  const next = Effect.fnUntraced(function* (teamId: string, after: number) {
    const look = repo.read(teamId, { after, types: undefined, limit: polledEvents })
    let found = yield* look
    if (found.state.hasUnnumbered && found.rows.length < polledEvents) {
      yield* repo.number(teamId)
      found = yield* look
    }
    return {
      items: found.rows.map(entryOf),
      position: found.rows.at(-1)?.seq ?? Math.max(after, found.state.purgedSeq)
    }
  })

  const feed = yield* makeFeed<JournalEntry, number>({
    begin: (teamId) => Effect.map(latest(teamId), ({ nextAfter }) => nextAfter),
    next
  })

  /**
   * The events of the team from now on that a person looks for, as each poll finds them, for as long as they watch; and what came after
   * the number of the last one that they have seen.
   */
  const watch = Effect.fn("Journal.watch")(function* (filter: JournalFilter, after: number | undefined) {
    const { teamId } = yield* authorize("member")
    const found = after === undefined ? [] : (yield* next(teamId, after)).items
    const seen = found.at(-1)?.seq ?? after ?? 0
    return {
      missed: found.filter((entry) => isLookedFor(entry, filter)),
      polls: Stream.map(feed.follow(teamId), (entries) =>
        entries.filter((entry) => entry.seq > seen && isLookedFor(entry, filter))
      )
    }
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

  return { read, lookBack, watch, since, purge }
})

/** A team's journal of events. Reading requires an active membership and no capability. `purge` is for a job. */
export class Journal extends Context.Service<Journal, Effect.Success<typeof make>>()("webhooks/changes/Journal") {
  static readonly layer = Layer.effect(Journal, make).pipe(Layer.provide(EntriesRepo.layer))
}
