/** Decides when deliveries are attempted: claims for this worker, wake-ups of teams, and requests to other workers. */
import { Context, Effect, Layer, RcMap, Semaphore } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { due as dueJob } from "./jobs.ts"
import { concurrencyLimits, nextWakeUp } from "./rules.ts"
import { type ClaimRequest, SchedulerRepo } from "./SchedulerRepo.ts"

// How many transactions of a team's scheduling a process has open at a time.
const transactionsPerTeam = 3

const make = Effect.gen(function* () {
  const repo = yield* SchedulerRepo
  const jobs = yield* Jobs
  const database = yield* Database

  const semaphores = yield* RcMap.make({
    lookup: (_team: string) => Effect.all({ all: Semaphore.make(transactionsPerTeam), fanOuts: Semaphore.make(1) })
  })

  /** A transaction that may wait for a team's scheduler lock: a few at a time, so that they do not take all connections. */
  const transaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(semaphores, teamId), ({ all }) =>
        all.withPermits(1)(Effect.provideService(Transaction.run(effect), Database, database))
      )
    )

  /** A transaction that fans out: one of a team at a time, so that recording results does not wait for all of them. */
  const fanOutTransaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(semaphores, teamId), ({ fanOuts }) =>
        fanOuts.withPermits(1)(transaction(teamId, effect))
      )
    )

  /**
   * Claims what a worker may attempt in a team at `at`, and sets the team's wake-up for the next retry. The last step of a
   * transaction that makes deliveries wait or ends claims: it locks the team's scheduling until the commit. `fired`: the
   * wake-up that called for this one.
   *
   * Only the job of a wake-up that has fired replaces it: many other transactions may come before that job.
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

  /** Asks a worker to schedule a team's deliveries at `at`, in the transaction of a process that does not send. */
  const request = (teamId: string, at: Date) => jobs.enqueue(dueJob, { teamId, at: at.toISOString() }, { runAt: at })

  return { transaction, fanOutTransaction, claim, request }
})

/** Schedules deliveries. None of it asks who calls. */
export class Scheduler extends Context.Service<Scheduler, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Scheduler"
) {
  static readonly layer = Layer.effect(Scheduler, make)
}
