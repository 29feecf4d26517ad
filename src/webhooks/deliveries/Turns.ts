/** Who gets its turn: which of the deliveries that wait are attempted now, as far as there is room. */
import { Clock, Context, Effect, Layer, RcMap, Semaphore } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { due as dueJob, fanOut as fanOutJob, resume as resumeJob } from "./jobs.ts"
import { alarmFor, room } from "./rules.ts"
import { TurnsRepo } from "./TurnsRepo.ts"

// What waits this long though nothing keeps it waiting was overlooked. It never should be: hands in the database, a
// backup without the jobs, a worker of another version and clocks that differ are what this is for.
const overdueMillis = 60_000

// How many of these a process has at a time.
const transactionsPerTeam = 3

const make = Effect.gen(function*() {
  const repo = yield* TurnsRepo
  const jobs = yield* Jobs
  const database = yield* Database

  const gates = yield* RcMap.make({ lookup: (_team: string) => Semaphore.make(transactionsPerTeam) })

  /** A transaction that may wait for a team's turns: those that do so must not take all connections. */
  const transaction = <A, E, R>(teamId: string, effect: Effect.Effect<A, E, R>) =>
    Effect.scoped(Effect.flatMap(
      RcMap.get(gates, teamId),
      (gate) => gate.withPermits(1)(Effect.provideService(Transaction.run(effect), Database, database))
    ))

  /**
   * As {@link admit}, in a transaction that holds the team's turns already. `rang`: the alarm that it is for.
   *
   * An alarm that has rung is set again by its own job, and by nobody else: many may come by before that is done.
   */
  const admitHeld = Effect.fn("Turns.admitHeld")(function*(teamId: string, at: Date, rang?: Date) {
    const { admitted, alarm, nextDue } = yield* repo.admit(teamId, at, room, yield* jobs.dueAtOnce)
    if (admitted > 0) yield* jobs.announce
    const next = alarmFor({ at, nextDue, alarm, rang })
    if (next?.getTime() === alarm?.getTime()) return
    yield* repo.setAlarm(teamId, next)
    if (next === null) return
    yield* jobs.enqueue(dueJob, { teamId, at: next.toISOString() }, { runAt: next, jobKey: `due:${teamId}:${next.getTime()}` })
  })

  /**
   * Gives what waits in a team its turn, as far as there is room at `at`, and promises to do so again when the next of
   * it is due. The last step of a transaction that makes something wait, or room free: from here to the commit nobody
   * else does so in the team.
   */
  const admit = Effect.fn("Turns.admit")(function*(teamId: string, at: Date, rang?: Date) {
    yield* repo.hold(teamId)
    yield* admitHeld(teamId, at, rang)
  })

  /** A team's alarm rings. */
  const due = Effect.fn("Turns.due")(function*({ at, teamId }: typeof dueJob.payload.Type) {
    const rang = new Date(at)
    // By this clock its time may not have come yet: another's was asked.
    const time = new Date(Math.max(rang.getTime(), yield* Clock.currentTimeMillis))
    yield* transaction(teamId, admit(teamId, time, rang))
  })

  /** Promises to send what waits for a webhook that becomes active; in its transaction. */
  const resume = (webhookId: string) => jobs.enqueue(resumeJob, { webhookId }, { jobKey: `resume:${webhookId}` })

  /** Finds what was promised and forgotten, were it ever: fan-outs, resumptions, attempts, and turns. */
  const reconcile = Effect.fn("Turns.reconcile")(function*() {
    const at = new Date(yield* Clock.currentTimeMillis)
    const until = new Date(at.getTime() - overdueMillis)
    const fanOuts = yield* repo.forgottenFanOuts(until)
    yield* jobs.enqueueAll(
      fanOutJob,
      fanOuts.map((payload) => ({ payload, jobKey: `fanOut:${payload.teamId}:${payload.transactionId}` }))
    )
    yield* Effect.forEach(yield* repo.forgottenResumes(until), resume, { discard: true })
    const freed = yield* repo.release(at)
    const revived = yield* repo.revive(yield* jobs.dueAtOnce)
    if (revived > 0) yield* jobs.announce
    const teams = new Set([...freed, ...yield* repo.teamsWithOverdue(until)])
    yield* Effect.forEach(teams, (teamId) =>
      // What is wrong with one team is not the others' affair.
      Effect.catchCause(transaction(teamId, admit(teamId, at)), (cause) =>
        Effect.logError(`The deliveries of the team ${teamId} could not be looked after`, cause)), { discard: true })
    if (fanOuts.length + freed.length + revived > 0) {
      yield* Effect.logWarning(
        `Asked again for ${fanOuts.length} fan-outs and ${revived} attempts, and freed the room of ${freed.length}`
      )
    }
  })

  return { transaction, admit, admitHeld, due, resume, reconcile }
})

/** Turns. None of it asks who calls. */
export class Turns extends Context.Service<Turns, Effect.Success<typeof make>>()("webhooks/deliveries/Turns") {
  static readonly layer = Layer.effect(Turns, make)
}
