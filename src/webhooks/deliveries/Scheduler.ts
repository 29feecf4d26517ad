/** Schedules deliveries: claims for this worker, wake-ups of teams, and jobs for other workers. */
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer, RcMap, Semaphore } from "effect"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { Tenant } from "../../platform/db/TransactionPermits.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { due as dueJob } from "../jobs.ts"
import { concurrencyLimits, nextWakeUp } from "./rules.ts"
import { type ClaimRequest, SchedulerRepo } from "./SchedulerRepo.ts"

// How many scheduling transactions of a team a process has open at most.
const transactionsPerTeam = 3

const make = Effect.gen(function* () {
  const repo = yield* SchedulerRepo
  const jobs = yield* Jobs
  const database = yield* Database

  const semaphores = yield* RcMap.make({
    lookup: (_team: string) => Effect.all({ all: Semaphore.make(transactionsPerTeam), fanOuts: Semaphore.make(1) })
  })

  /** Runs a transaction that may wait for a team's scheduler lock. A semaphore keeps such transactions from taking all connections. */
  const transaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(semaphores, teamId), ({ all }) =>
        all.withPermits(1)(
          Transaction.run(effect).pipe(
            Effect.provideService(Database, database),
            Effect.provideService(Tenant, teamId),
            inTeam(teamId)
          )
        )
      )
    )

  /** Runs a fan-out, one at a time for each team, so that recording results does not wait for several of them. */
  const fanOutTransaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(semaphores, teamId), ({ fanOuts }) =>
        fanOuts.withPermits(1)(transaction(teamId, effect))
      )
    )

  /**
   * Claims the deliveries that a worker may attempt in a team at `at`, and sets the team's wake-up for the next retry. Call it
   * as the last step of a transaction that queues deliveries or ends claims, because it locks the team's scheduling until the
   * commit. `fired` is the time of the wake-up whose job makes this call.
   *
   * Only that job replaces a wake-up whose time has come. Other transactions that run before the job leave it.
   */
  const claim = Effect.fn("Scheduler.claim")(function* (teamId: string, at: Date, request: ClaimRequest, fired?: Date) {
    yield* repo.lockTeam(teamId)
    const { deliveries, nextDue, wakeUp } = yield* repo.claim(teamId, at, concurrencyLimits, request)
    const next = nextWakeUp({ at, nextDue, wakeUp, fired })
    if (next?.getTime() === wakeUp?.getTime()) return deliveries
    yield* repo.setWakeUp(teamId, next)
    if (next !== null) {
      yield* jobs.enqueue(
        dueJob,
        { teamId, at: next.toISOString() },
        { runAt: next, jobKey: `due:${teamId}:${next.getTime()}` }
      )
    }
    return deliveries
  })

  /** Enqueues a job that schedules a team's deliveries at `at`: for processes that do not send. */
  const request = (teamId: string, at: Date) => jobs.enqueue(dueJob, { teamId, at: at.toISOString() }, { runAt: at })

  return { transaction, fanOutTransaction, claim, request }
})

/** Schedules deliveries. Runs without an actor. */
export class Scheduler extends Context.Service<Scheduler, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Scheduler"
) {
  /** Without what it needs, so that a test can put something else in its place. */
  static readonly layerNoDeps = Layer.effect(Scheduler, make)
  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SchedulerRepo.layer))
}
