/** Releases orphaned claims: those of dead workers, and those of this worker that are missing from its queues. */
import { Cause, Context, type Duration, Effect, Exit, Schedule } from "effect"
import { forEach, inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { onWallClock } from "../../platform/Time.ts"
import { type Lease, lockSeed, WorkerSession } from "../../platform/jobs/Worker.ts"
import { type Claim, ReconciliationRepo } from "./ReconciliationRepo.ts"
import { SchedulerRepo } from "./SchedulerRepo.ts"

/** A failure that lasts is logged again after so many milliseconds. */
const maxSilence = 60_000

/** The time between two checks. Defaults to two seconds. */
export const CheckInterval = Context.Reference<Duration.Input>("webhooks/deliveries/ClaimRecovery/CheckInterval", {
  defaultValue: () => "2 seconds"
})

/**
 * Checks at this interval until the scope closes, while the worker has a lease that other workers can see. A claim of this
 * worker is released when two checks in a row do not find it in a queue. One check is not enough: a delivery that was just
 * claimed is queued only after the commit.
 */
export const run = Effect.fnUntraced(function* (options: {
  readonly isQueued: (claim: Claim) => boolean
  readonly scheduleAll: (teams: Iterable<string>) => Effect.Effect<void>
}) {
  const reconciliation = yield* ReconciliationRepo
  const repo = yield* SchedulerRepo
  const database = yield* Database
  const session = yield* WorkerSession
  const interval = yield* CheckInterval

  let suspects: ReadonlySet<string> = new Set()

  const releaseOwn = Effect.fnUntraced(function* (lease: Lease) {
    const unknown = (yield* reconciliation.claimsOf(lease.id)).filter((claim) => !options.isQueued(claim))
    const lost = unknown.filter(({ id }) => suspects.has(id))
    suspects = new Set(unknown.map(({ id }) => id))
    if (lost.length === 0) return
    const released = yield* Effect.forEach(
      Map.groupBy(lost, (claim) => claim.teamId),
      ([teamId, some]) => {
        const ids = some.map(({ id }) => id)
        return Effect.exit(Effect.as(inTeam(teamId)(repo.release(teamId, lease.id, ids)), teamId))
      }
    )
    yield* options.scheduleAll(released.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    yield* Exit.asVoidAll(released)
    yield* Effect.logWarning(`Released ${lost.length} deliveries whose results this worker could not record`)
  })

  const releaseOthers = Effect.fnUntraced(function* (lease: Lease) {
    const teams = yield* reconciliation.releaseFromDeadWorkers(lease.id, lockSeed)
    if (teams.length > 0) {
      yield* Effect.logWarning(`Released the deliveries of ${teams.length} teams that dead workers had claimed`)
    }
    yield* options.scheduleAll(teams)
  })

  /** Both releases, also if one of them fails. */
  const check = (lease: Lease) =>
    Effect.flatMap(
      Effect.all([Effect.exit(forEach(database, releaseOthers(lease))), Effect.exit(releaseOwn(lease))]),
      Exit.asVoidAll
    )

  // A check that fails, fails again after the interval while its cause lasts.
  let failures = 0
  let loggedAt = -Infinity

  const failed = (cause: Cause.Cause<unknown>) =>
    Effect.suspend(() => {
      failures += 1
      const at = performance.now()
      if (Cause.hasInterruptsOnly(cause) || at - loggedAt < maxSilence) return Effect.void
      loggedAt = at
      return Effect.logError(
        `The claims of workers could not be checked, ${failures} times since it last worked: deliveries that dead workers had claimed wait`,
        cause
      )
    })

  const succeeded = Effect.suspend(() => {
    const before = failures
    failures = 0
    return before === 0
      ? Effect.void
      : Effect.logInfo(`The claims of workers are checked again, after ${before} failed checks`)
  })

  yield* Effect.suspend(() => {
    const lease = session.currentLease()
    return lease?.isVisible === true ? Effect.andThen(check(lease), succeeded) : Effect.void
  }).pipe(Effect.catchCause(failed), Effect.repeat(Schedule.spaced(interval)), onWallClock, Effect.forkScoped)
})
