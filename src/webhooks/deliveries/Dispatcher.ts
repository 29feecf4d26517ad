/** What the webhook jobs run: fan-out, wake-ups, resumption, reconciliation. See docs/behaviour/webhooks.md#deliveries. */
import * as Transaction from "../../platform/db/Transaction.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { type due as dueJob, resume as resumeJob, resumeKey } from "../jobs.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { DeliveryWorker } from "./DeliveryWorker.ts"
import { DispatchRepo } from "./DispatchRepo.ts"
import { fanOut as fanOutJob } from "../../core/mutation/Event.ts"
import { SchedulerRepo } from "./SchedulerRepo.ts"
import { Scheduler } from "./Scheduler.ts"
import { now } from "../../platform/Time.ts"

// How many held deliveries one transaction makes due.
const maxResumed = 1000

/** How many webhooks one statement finds, and one enqueues, when they are to be resumed. */
export const ResumedAtOnce = Context.Reference<number>("webhooks/deliveries/Dispatcher/ResumedAtOnce", {
  defaultValue: () => 1000
})

// Before every webhook.
const firstId = "00000000-0000-0000-0000-000000000000"

// Work that is overdue by this much has lost its job. That happens after manual changes in the database, after a restore
// without the jobs, and with hosts whose clocks differ.
const overdueMillis = 60_000

const make = Effect.gen(function* () {
  const repo = yield* DispatchRepo
  const claims = yield* SchedulerRepo
  const webhooks = yield* WebhooksRepo
  const scheduler = yield* Scheduler
  const worker = yield* DeliveryWorker
  const jobs = yield* Jobs
  const database = yield* Database

  /** Creates the deliveries of a committed transaction and of others of the team that are outstanding. Idempotent. */
  const fanOut = Effect.fn("Dispatcher.fanOut")(function* ({ teamId, ...committed }: typeof fanOutJob.payload.Type) {
    const at = yield* now
    yield* scheduler.fanOutTransaction(
      teamId,
      Effect.gen(function* () {
        if (yield* repo.fanOut(teamId, committed, at)) yield* worker.schedule(teamId, at)
      })
    )
  })

  /** Schedules a team: its wake-up has fired, or another process has enqueued the job. */
  const due = Effect.fn("Dispatcher.due")(function* ({ at, teamId }: typeof dueJob.payload.Type) {
    const fired = new Date(at)
    // The clock of this host may be behind that of the host that set the wake-up.
    const time = new Date(Math.max(fired.getTime(), yield* Clock.currentTimeMillis))
    yield* scheduler.transaction(teamId, worker.schedule(teamId, time, fired))
  })

  const enqueueResume = (payload: typeof resumeJob.payload.Type) =>
    jobs.enqueue(resumeJob, payload, { jobKey: resumeKey(payload.webhookId) })

  /**
   * Makes a batch of the deliveries that wait for a webhook due now, the oldest first, and enqueues itself again if there may
   * be more. Does nothing if the webhook is not active. Idempotent.
   */
  const resumeSome = Effect.fn("Dispatcher.resumeSome")(function* ({
    teamId,
    webhookId
  }: typeof resumeJob.payload.Type) {
    const at = yield* now
    const resumed = Effect.gen(function* () {
      const webhook = yield* webhooks.lockState(teamId, webhookId)
      if (webhook?.isSending !== true) return
      const { activatedAt } = webhook
      const count = yield* repo.resume(teamId, webhookId, { now: at, activatedAt, limit: maxResumed })
      if (count === maxResumed) yield* enqueueResume({ webhookId, teamId })
      yield* worker.schedule(teamId, at)
    })
    yield* Transaction.run(resumed).pipe(Effect.provideService(Database, database), inTeam(teamId))
  })

  /** Resumes the webhooks that still have held deliveries, some at a time. */
  const resumeAll = Effect.fnUntraced(function* (until: Date) {
    const limit = yield* ResumedAtOnce
    let after: string | undefined = firstId
    while (after !== undefined) {
      const found: Effect.Success<ReturnType<typeof repo.webhooksToResume>> = yield* repo.webhooksToResume(until, {
        after,
        limit
      })
      yield* jobs.enqueueAll(
        resumeJob,
        found.map((payload) => ({ payload, jobKey: resumeKey(payload.webhookId) }))
      )
      after = found.length < limit ? undefined : found.at(-1)?.webhookId
    }
  })

  /** Finds fan-outs, resumptions and due deliveries that have lost their jobs, and releases claims of deliveries that are not due. */
  const reconcile = Effect.fn("Dispatcher.reconcile")(function* () {
    const at = yield* now
    const until = new Date(at.getTime() - overdueMillis)
    const fanOuts = yield* repo.overdueFanOuts(until)
    yield* jobs.enqueueAll(
      fanOutJob,
      fanOuts.map((payload) => ({ payload, jobKey: `fanOut:${payload.teamId}:${payload.transactionId}` }))
    )
    yield* resumeAll(until)
    const released = yield* claims.releaseNotDue(at)
    yield* worker.scheduleAll([...released, ...(yield* repo.teamsWithOverdue(until))])
    if (fanOuts.length + released.length > 0) {
      yield* Effect.logWarning(
        `Enqueued ${fanOuts.length} missed fan-outs again, and released unneeded claims of ${released.length} teams`
      )
    }
  })

  return { fanOut, due, resumeSome, reconcile }
})

/** The jobs of deliveries. They run without an actor. */
export class Dispatcher extends Context.Service<Dispatcher, Effect.Success<typeof make>>()(
  "webhooks/deliveries/Dispatcher"
) {
  /** Without what it needs, so that a test can put something else in its place. */
  static readonly layerNoDeps = Layer.effect(Dispatcher, make)
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([DeliveryWorker.layer, DispatchRepo.layer, Scheduler.layer, SchedulerRepo.layer, WebhooksRepo.layer])
  )
}
