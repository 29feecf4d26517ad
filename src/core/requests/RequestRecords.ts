/**
 * The log of API requests of the last hours (docs/behaviour/console.md#requests). A request only adds to what the process holds in memory;
 * every few seconds the process writes that in one statement. What cannot be written is lost, and no request hears of it.
 */
import * as TeamParts from "../TeamParts.ts"
import { Context, Effect, Layer, Metric } from "effect"
import { authorize } from "../auth/CurrentActor.ts"
import { defaultPageSize } from "../usecase/Page.ts"
import { Retention } from "../../platform/Retention.ts"
import { hoursAgo, onWallClock } from "../../platform/Time.ts"
import type { AnsweredRequest, CallerGroup, RequestFilter, RequestPosition } from "./RequestRecord.ts"
import { RequestRecordsRepo } from "./RequestRecordsRepo.ts"
import { type AlikeRequests, keptAlike, kindOf, maxKinds, recordsOf } from "./rules.ts"

/** Takes each answered request. Does nothing by default; `RequestRecords` provides it. */
export const RequestRecorder = Context.Reference<(answered: AnsweredRequest) => void>("core/requests/RequestRecorder", {
  defaultValue: () => () => {}
})

/** How long a process waits from one write to the next, in milliseconds; undefined writes only when somebody looks. */
export const WritePause = Context.Reference<number | undefined>("core/requests/WritePause", {
  defaultValue: () => 5000
})

/** How many records one statement writes. */
const batchSize = 1000

const lost = Metric.counter("property_network_request_records_lost_total", {
  description:
    "API requests that are not in the log of the console, because there were too many kinds, or the database was away.",
  incremental: true
})

/** Registers the counter at 0. */
export const beginMetrics: Effect.Effect<void> = Effect.asVoid(Metric.value(lost))

const everything: RequestFilter = { caller: undefined, statusClass: undefined, code: undefined, route: undefined }

const make = Effect.gen(function* () {
  const { requests: retentionHours } = yield* Retention
  const repo = yield* RequestRecordsRepo
  const pause = yield* WritePause
  const context = yield* Effect.context<never>()
  let held = new Map<string, AlikeRequests>()

  /** Holds a request until the next write. */
  const record = (answered: AnsweredRequest): void => {
    const kind = kindOf(answered)
    const alike = held.get(kind)
    if (alike !== undefined) {
      alike.count += 1
      if (alike.kept.length < keptAlike) alike.kept.push(answered)
    } else if (held.size < maxKinds) held.set(kind, { kept: [answered], count: 1 })
    else lost.updateUnsafe(1, context)
  }

  /** Writes what the process holds. */
  const write = Effect.fn("RequestRecords.write")(function* () {
    const records = [...held.values()].flatMap(recordsOf)
    held = new Map()
    for (let from = 0; from < records.length; from += batchSize) {
      const batch = records.slice(from, from + batchSize)
      yield* repo.insert(batch).pipe(
        Effect.catchCause((cause) => {
          lost.updateUnsafe(
            batch.reduce((sum, { requests }) => sum + requests, 0),
            context
          )
          return Effect.logWarning("The log of API requests could not be written.", cause)
        })
      )
    }
  })

  if (pause !== undefined) {
    yield* Effect.forkScoped(onWallClock(Effect.forever(Effect.andThen(Effect.sleep(pause), write()))))
    yield* Effect.addFinalizer(() => write())
  }

  const periodStart = hoursAgo(Math.min(retentionHours, 24))

  /**
   * The requests of the actor's team of the last 24 hours: those that match, the latest first, and how many there were by hour, problem,
   * operation and caller. What this process holds is written first.
   */
  const overview = Effect.fn("RequestRecords.overview")(function* (
    filter: RequestFilter,
    before: RequestPosition | undefined,
    pageSize = defaultPageSize
  ) {
    const { teamId } = yield* authorize("member")
    yield* write()
    const from = yield* periodStart
    const found = yield* repo.list(teamId, { from, filter, before, limit: pageSize + 1 })
    const { hours, problems, routes } = yield* repo.counts(teamId, from, filter)
    // The choice of callers is that of the whole period.
    const callers = yield* repo.callers(teamId, from, { ...everything, ...filter, caller: undefined })
    const requests = found.slice(0, pageSize)
    const ids = [
      ...callers.map(({ caller }) => caller),
      ...requests.flatMap((one) => one.clientId ?? one.tokenId ?? [])
    ]
    const names = yield* repo.names([...new Set(ids)])
    return {
      from,
      requests,
      hasMore: found.length > pageSize,
      hours,
      problems,
      routes,
      callers: callers.map((group): CallerGroup => ({ ...group, name: names.get(group.caller) ?? null })),
      names
    }
  })

  /** Deletes requests past their retention, at most `limit`; returns how many. */
  const purge = Effect.fn("RequestRecords.purge")(function* (limit: number) {
    const until = yield* hoursAgo(retentionHours)
    return yield* TeamParts.runParts("Purging the log of API requests", (failed) =>
      Effect.map(repo.findOld(until, { failed, limit }), (found) =>
        TeamParts.byTeam(
          found,
          ({ teamId }) => teamId,
          (teamId, some) =>
            repo.purge(
              teamId,
              some.map(({ id }) => id),
              until
            )
        )
      )
    )
  })

  return { record, write, overview, purge }
})

/** The log of API requests. Reading requires an active membership; `purge` is for a job. */
export class RequestRecords extends Context.Service<RequestRecords, Effect.Success<typeof make>>()(
  "core/requests/RequestRecords"
) {
  static readonly layer = Layer.effect(RequestRecords, make).pipe(Layer.provide(RequestRecordsRepo.layer))

  /** What the edge tells of each request. */
  static readonly layerRecorder = Layer.effect(
    RequestRecorder,
    Effect.map(RequestRecords, ({ record }) => record)
  )
}
