/** What workers do for deliveries when a job asks for it: from a committed event to attempts of its deliveries. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { resume as resumeJob, resumeKey } from "../endpoints/jobs.ts"
import { WebhookStatusRepo } from "../endpoints/WebhookStatusRepo.ts"
import { DeliveryWorker } from "./DeliveryWorker.ts"
import { DispatchRepo } from "./DispatchRepo.ts"
import { fanOut as fanOutJob } from "../../changes/jobs.ts"
import type { due as dueJob } from "./jobs.ts"
import { ReconciliationRepo } from "./ReconciliationRepo.ts"
import { Scheduler } from "./Scheduler.ts"
import { now } from "../../fields/Span.ts"

// How many deliveries of a webhook that becomes active are made due in one transaction.
const maxResumed = 1000

// What waits this long though nothing keeps it was missed. It never should be: this is for manual changes in the database, a
// backup without the jobs, and hosts whose clocks differ.
const overdueMillis = 60_000

const make = Effect.gen(function* () {
  const repo = yield* DispatchRepo
  const reconciliation = yield* ReconciliationRepo
  const webhooks = yield* WebhookStatusRepo
  const scheduler = yield* Scheduler
  const worker = yield* DeliveryWorker
  const jobs = yield* Jobs
  const database = yield* Database

  /** Creates the deliveries of one committed transaction, and of others of its team that wait. May run twice. */
  const fanOut = Effect.fn("Dispatcher.fanOut")(function* ({ teamId, ...committed }: typeof fanOutJob.payload.Type) {
    const at = yield* now
    yield* scheduler.fanOutTransaction(
      teamId,
      Effect.gen(function* () {
        if (yield* repo.fanOut(teamId, committed, at)) yield* worker.schedule(teamId, at)
      })
    )
  })

  /** A team's wake-up has fired, or another process asks for its deliveries to be scheduled. */
  const due = Effect.fn("Dispatcher.due")(function* ({ at, teamId }: typeof dueJob.payload.Type) {
    const fired = new Date(at)
    // This host's clock may be behind the one that fired.
    const time = new Date(Math.max(fired.getTime(), yield* Clock.currentTimeMillis))
    yield* scheduler.transaction(teamId, worker.schedule(teamId, time, fired))
  })

  const enqueueResume = (webhookId: string) => jobs.enqueue(resumeJob, { webhookId }, { jobKey: resumeKey(webhookId) })

  /**
   * Makes some of what waits for a webhook due now, the oldest first, and enqueues itself again if there may be more; does
   * nothing for a webhook that is not active. May run twice.
   */
  const resumeSome = Effect.fn("Dispatcher.resumeSome")(function* ({ webhookId }: typeof resumeJob.payload.Type) {
    const at = yield* now
    const resumed = Effect.gen(function* () {
      const webhook = yield* webhooks.lockState(webhookId)
      if (webhook?.isSending !== true) return
      const { activatedAt, teamId } = webhook
      const count = yield* repo.resume(webhookId, { now: at, activatedAt, limit: maxResumed })
      if (count === maxResumed) yield* enqueueResume(webhookId)
      yield* worker.schedule(teamId, at)
    })
    yield* Effect.provideService(Transaction.run(resumed), Database, database)
  })

  /** Finds fan-outs, resumptions and due deliveries whose jobs are gone, and claims that nobody needs, should there be any. */
  const reconcile = Effect.fn("Dispatcher.reconcile")(function* () {
    const at = yield* now
    const until = new Date(at.getTime() - overdueMillis)
    const fanOuts = yield* reconciliation.overdueFanOuts(until)
    yield* jobs.enqueueAll(
      fanOutJob,
      fanOuts.map((payload) => ({ payload, jobKey: `fanOut:${payload.teamId}:${payload.transactionId}` }))
    )
    yield* Effect.forEach(yield* reconciliation.webhooksToResume(until), enqueueResume, { discard: true })
    const released = yield* reconciliation.releaseNotDue(at)
    yield* worker.scheduleAll([...released, ...(yield* reconciliation.teamsWithOverdue(until))])
    if (fanOuts.length + released.length > 0) {
      yield* Effect.logWarning(
        `Enqueued ${fanOuts.length} missed fan-outs again, and released needless claims of ${released.length} teams`
      )
    }
  })

  return { fanOut, due, resumeSome, reconcile }
})

/** What workers do for deliveries. None of it asks who calls. */
export class Dispatcher extends Context.Service<Dispatcher, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Dispatcher"
) {
  static readonly layer = Layer.effect(Dispatcher, make)
}
