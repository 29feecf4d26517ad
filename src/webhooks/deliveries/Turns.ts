/** Who gets its turn: which of the deliveries that wait are attempted now, as far as there is room. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { attempt as attemptJob, due as dueJob, fanOut as fanOutJob, resume as resumeJob } from "./jobs.ts"
import { room } from "./rules.ts"
import { type Admitted, TurnsRepo } from "./TurnsRepo.ts"

// What waits this long though nothing keeps it waiting was overlooked. It never should be: hands in the database, a
// backup without the jobs, a worker of another version and clocks that differ are what this is for.
const overdueMillis = 60_000

// First attempts before others, and slow receivers last, among those whose turn has come too. A key for each: however
// often it is asked for, it waits once.
const jobOf = ({ again, id, number, slow }: Admitted) => ({
  payload: { deliveryId: id, number },
  jobKey: `attempt:${id}:${number}`,
  priority: slow ? 2 : again ? 1 : 0,
  slow
})

const make = Effect.gen(function*() {
  const repo = yield* TurnsRepo
  const jobs = yield* Jobs
  const database = yield* Database

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(effect), Database, database)

  /**
   * Gives what waits in a team its turn, as far as there is room at `at`, and promises to do so again when the next of
   * it is due. The last step of a transaction that makes something wait, or room free: from here to the commit nobody
   * else does so in the team.
   */
  const admit = Effect.fn("Turns.admit")(function*(teamId: string, at: Date) {
    const { admitted, nextDue, promisedFor } = yield* repo.admit(teamId, at, room)
    yield* jobs.enqueueAll(attemptJob, admitted.map(jobOf))
    if (nextDue === null || (promisedFor !== null && promisedFor <= nextDue)) return
    yield* jobs.enqueue(dueJob, { teamId, at: nextDue.toISOString() }, { runAt: nextDue, jobKey: `due:${teamId}` })
  })

  /** The time of some next attempts has come. */
  const due = Effect.fn("Turns.due")(function*({ at, teamId }: typeof dueJob.payload.Type) {
    // By this clock it may not have come yet: another's was asked when it was due.
    const time = new Date(Math.max(Date.parse(at), yield* Clock.currentTimeMillis))
    yield* transaction(admit(teamId, time))
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
    const orphans = yield* repo.orphans
    yield* jobs.enqueueAll(attemptJob, orphans.map(jobOf))
    const teams = new Set([...freed, ...yield* repo.teamsWithOverdue(until)])
    yield* Effect.forEach(teams, (teamId) =>
      // What is wrong with one team is not the others' affair.
      Effect.catchCause(transaction(admit(teamId, at)), (cause) =>
        Effect.logError(`The deliveries of the team ${teamId} could not be looked after`, cause)), { discard: true })
    if (fanOuts.length + freed.length + orphans.length > 0) {
      yield* Effect.logWarning(
        `Asked again for ${fanOuts.length} fan-outs and ${orphans.length} attempts, and freed the room of ${freed.length}`
      )
    }
  })

  return { admit, due, resume, reconcile }
})

/** Turns. None of it asks who calls. */
export class Turns extends Context.Service<Turns, Effect.Success<typeof make>>()("webhooks/deliveries/Turns") {
  static readonly layer = Layer.effect(Turns, make)
}
