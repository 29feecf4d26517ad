/** What workers do for deliveries when a job asks for it: from a committed event to the turns of its deliveries. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { WebhooksRepo } from "../endpoints/WebhooksRepo.ts"
import { Courier } from "./DeliveryWorker.ts"
import { DispatchRepo } from "./DispatchRepo.ts"
import { ForgottenRepo } from "./ReconciliationRepo.ts"
import {
  type attempt as attemptJob,
  type due as dueJob,
  fanOut as fanOutJob,
  type resume as resumeJob
} from "./jobs.ts"
import { Turns } from "./Scheduler.ts"

// How many deliveries of a webhook that becomes active are taken in one transaction.
const resumedAtOnce = 1000

// What waits this long though nothing keeps it waiting was overlooked. It never should be: hands in the database, a
// backup without the jobs, a worker of another version and clocks that differ are what this is for.
const overdueMillis = 60_000

const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

const make = Effect.gen(function* () {
  const repo = yield* DispatchRepo
  const forgotten = yield* ForgottenRepo
  const webhooks = yield* WebhooksRepo
  const turns = yield* Turns
  const courier = yield* Courier
  const jobs = yield* Jobs
  const database = yield* Database

  const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(effect), Database, database)

  /** Makes the deliveries of one committed transaction, and of others of its team that wait. May run twice. */
  const fanOut = Effect.fn("Dispatcher.fanOut")(function* (payload: typeof fanOutJob.payload.Type) {
    const { teamId, ...committed } = payload
    const at = yield* now
    const made = Effect.gen(function* () {
      const team = yield* repo.fanOut(teamId, committed, at)
      if (team !== undefined) yield* courier.admit(team, at)
    })
    yield* teamId === undefined ? transaction(made) : turns.fanOut(teamId, made)
  })

  /** A team's alarm rings, or somebody asks for what waits in the team. */
  const due = Effect.fn("Dispatcher.due")(function* ({ at, teamId }: typeof dueJob.payload.Type) {
    const rang = new Date(at)
    // By this clock its time may not have come yet: another's was asked.
    const time = new Date(Math.max(rang.getTime(), yield* Clock.currentTimeMillis))
    yield* turns.transaction(teamId, courier.admit(teamId, time, rang))
  })

  /**
   * Makes some of what waits for a webhook due now, the oldest first, and promises to go on if there may be more;
   * nothing of a webhook that does not send. May run twice.
   */
  const resumeSome = Effect.fn("Dispatcher.resumeSome")(function* ({ webhookId }: typeof resumeJob.payload.Type) {
    const at = yield* now
    yield* transaction(
      Effect.gen(function* () {
        const held = yield* webhooks.hold(webhookId)
        if (held?.sends !== true) return
        const { activatedAt, teamId } = held
        const resumed = yield* repo.resume(webhookId, { now: at, activatedAt, limit: resumedAtOnce })
        if (resumed === resumedAtOnce) yield* turns.resume(webhookId)
        yield* courier.admit(teamId, at)
      })
    )
  })

  /** A job of the version before: the delivery gets its turn as others do. */
  const attempt = Effect.fn("Dispatcher.attempt")(function* ({ deliveryId }: typeof attemptJob.payload.Type) {
    const team = yield* forgotten.freeOne(deliveryId)
    if (team !== undefined) yield* courier.admitAll([team])
  })

  /** Finds what was promised and forgotten, were it ever: fan-outs, resumptions, attempts, and turns. */
  const reconcile = Effect.fn("Dispatcher.reconcile")(function* () {
    const at = yield* now
    const until = new Date(at.getTime() - overdueMillis)
    const fanOuts = yield* forgotten.fanOuts(until)
    yield* jobs.enqueueAll(
      fanOutJob,
      fanOuts.map((payload) => ({ payload, jobKey: `fanOut:${payload.teamId}:${payload.transactionId}` }))
    )
    yield* Effect.forEach(yield* forgotten.resumes(until), turns.resume, { discard: true })
    const freed = [...(yield* forgotten.freeUnneeded(at)), ...(yield* forgotten.freeUnheld)]
    yield* courier.admitAll([...freed, ...(yield* forgotten.teamsWithOverdue(until))])
    if (fanOuts.length + freed.length > 0) {
      yield* Effect.logWarning(
        `Asked again for ${fanOuts.length} fan-outs, and freed the room of ${freed.length} teams`
      )
    }
  })

  return { fanOut, due, resumeSome, attempt, reconcile }
})

/** What workers do for deliveries. None of it asks who calls. */
export class Dispatcher extends Context.Service<Dispatcher, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Dispatcher"
) {
  static readonly layer = Layer.effect(Dispatcher, make)
}
