/** Who gets its turn: which of the deliveries that wait are attempted now, as far as there is room. */
import { Context, Effect, Layer, RcMap, Semaphore } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { due as dueJob, resume as resumeJob } from "./jobs.ts"
import { alarmFor, room } from "./rules.ts"
import { type Taker, TurnsRepo } from "./SchedulerRepo.ts"

// How many of these a process has at a time.
const transactionsPerTeam = 3

const make = Effect.gen(function* () {
  const repo = yield* TurnsRepo
  const jobs = yield* Jobs
  const database = yield* Database

  const gates = yield* RcMap.make({
    lookup: (_team: string) => Effect.all({ all: Semaphore.make(transactionsPerTeam), fanOuts: Semaphore.make(1) })
  })

  /** A transaction that may wait for a team's turns: those that do so must not take all connections. */
  const transaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(gates, teamId), ({ all }) =>
        all.withPermits(1)(Effect.provideService(Transaction.run(effect), Database, database))
      )
    )

  /** A transaction that fans out: one of a team at a time, or the ends of attempts would wait for all of them. */
  const fanOut = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(gates, teamId), ({ fanOuts }) => fanOuts.withPermits(1)(transaction(teamId, effect)))
    )

  /**
   * Takes what waits in a team, as far as there is room at `at`, and promises to do so again when the next of it is due. The
   * last step of a transaction that makes something wait, or room free: from here to the commit nobody else does so in the
   * team. `rang`: the alarm that it is for.
   *
   * An alarm that has rung is set again by its own job, and by nobody else: many may come by before that is done.
   */
  const take = Effect.fn("Turns.take")(function* (teamId: string, at: Date, taker: Taker, rang?: Date) {
    yield* repo.hold(teamId)
    const { alarm, deliveries, nextDue } = yield* repo.take(teamId, at, room, taker)
    const next = alarmFor({ at, nextDue, alarm, rang })
    if (next?.getTime() === alarm?.getTime()) return deliveries
    yield* repo.setAlarm(teamId, next)
    if (next !== null) {
      yield* jobs.enqueue(
        dueJob,
        { teamId, at: next.toISOString() },
        {
          runAt: next,
          jobKey: `due:${teamId}:${next.getTime()}`
        }
      )
    }
    return deliveries
  })

  /** Asks a worker to take what waits in a team, at `at`: for a process that does not send, in its transaction. */
  const ask = (teamId: string, at: Date) => jobs.enqueue(dueJob, { teamId, at: at.toISOString() }, { runAt: at })

  /** Promises to send what waits for a webhook that becomes active; in its transaction. */
  const resume = (webhookId: string) => jobs.enqueue(resumeJob, { webhookId }, { jobKey: `resume:${webhookId}` })

  return { transaction, fanOut, take, ask, resume }
})

/** Turns. None of it asks who calls. */
export class Turns extends Context.Service<Turns, Effect.Success<typeof make>>()("webhooks/deliveries/Turns") {
  static readonly layer = Layer.effect(Turns, make)
}
