/** Releases orphaned claims: those of dead workers, and those of this worker that are missing from its queues. */
import { Context, type Duration, Effect, Schedule } from "effect"
import { forEach } from "../../db/Cells.ts"
import { inCellOf } from "../../db/CurrentCell.ts"
import { Database } from "../../db/Database.ts"
import { onWallClock } from "../../db/WallClock.ts"
import { type Lease, lockSeed, WorkerSession } from "../../jobs/WorkerSession.ts"
import { type Claim, ReconciliationRepo } from "./ReconciliationRepo.ts"
import { SchedulerRepo } from "./SchedulerRepo.ts"

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
    if (lost.length === 0) return []
    for (const [teamId, some] of Map.groupBy(lost, (claim) => claim.teamId)) {
      const ids = some.map(({ id }) => id)
      yield* inCellOf(teamId)(repo.release(teamId, lease.id, ids))
    }
    yield* Effect.logWarning(`Released ${lost.length} deliveries whose results this worker could not record`)
    return lost.map(({ teamId }) => teamId)
  })

  const releaseOthers = Effect.fnUntraced(function* (lease: Lease) {
    const teams = yield* reconciliation.releaseFromDeadWorkers(lease.id, lockSeed)
    if (teams.length > 0) {
      yield* Effect.logWarning(`Released the deliveries of ${teams.length} teams that dead workers had claimed`)
    }
    yield* options.scheduleAll(teams)
  })

  const check = Effect.fnUntraced(function* (lease: Lease) {
    yield* forEach(database, releaseOthers(lease))
    yield* options.scheduleAll(yield* releaseOwn(lease))
  })

  yield* Effect.suspend(() => {
    const lease = session.currentLease()
    return lease?.isVisible === true ? check(lease) : Effect.void
  }).pipe(
    Effect.catchCause((cause) => Effect.logDebug("The claims of workers could not be checked", cause)),
    Effect.repeat(Schedule.spaced(interval)),
    onWallClock,
    Effect.forkScoped
  )
})
