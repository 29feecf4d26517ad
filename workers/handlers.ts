/** The handlers of all jobs, and when those run that recur. */
import * as Job from "../src/platform/jobs/Job.ts"
import * as JobRuns from "../src/platform/jobs/JobRuns.ts"
import { type HandlerServices, makeHandler, makeHandlerInEachCell } from "../src/platform/jobs/Worker.ts"
import { Effect, Schema } from "effect"
import { FileRetention } from "../src/content/files/FileRetention.ts"
import { discard as discardJob } from "../src/content/files/jobs.ts"
import { fanOut as fanOutJob } from "../src/core/mutation/Event.ts"
import { AccessLifecycle } from "../src/deals/lifecycle/AccessLifecycle.ts"
import { OfferLifecycle } from "../src/deals/lifecycle/OfferLifecycle.ts"
import { ProjectLifecycle } from "../src/deals/lifecycle/ProjectLifecycle.ts"
import { continueDeletion as continueDeletionJob } from "../src/deals/projects/jobs.ts"
import { ProspectChanges } from "../src/deals/prospects/ProspectChanges.ts"
import { Rooms } from "../src/deals/rooms/Rooms.ts"
import { Cascades } from "../src/network/Cascades.ts"
import { continueCascade as continueCascadeJob } from "../src/network/remainders/jobs.ts"
import { runTeamRun as runTeamRunJob } from "../src/tenancy/jobs.ts"
import { TeamRuns } from "../src/tenancy/TeamRuns.ts"
import { ConsoleImports } from "../src/transfer/ConsoleImports.ts"
import { runImport as runImportJob } from "../src/transfer/jobs.ts"
import { Dispatcher } from "../src/webhooks/deliveries/Dispatcher.ts"
import { due as dueJob, resume as resumeJob } from "../src/webhooks/jobs.ts"
import { WebhookHealth } from "../src/webhooks/WebhookHealth.ts"
import { each, housekeeping, untilEmpty } from "./housekeeping.ts"

/** Creates the deliveries of the events of one committed transaction. */
export const fanOut = makeHandler(fanOutJob, (transaction) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.fanOut(transaction))
)

/** Schedules the deliveries of a team whose next attempt is due. */
export const scheduleDueDeliveries = makeHandler(dueJob, (payload) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.due(payload))
)

/** Makes the held deliveries of a webhook due after its activation, in batches. */
export const resumeDeliveries = makeHandler(resumeJob, (payload) =>
  Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.resumeSome(payload))
)

/** Removes objects from the store that no file refers to any more. */
export const discardObjects = makeHandler(discardJob, (payload) =>
  Effect.flatMap(FileRetention, (retention) => retention.discardObjects(payload))
)

/**
 * Continues a deletion or merge of contacts or companies that was too large for one transaction: one step, which enqueues the next one in
 * its transaction.
 */
export const continueCascades = makeHandler(continueCascadeJob, (payload) =>
  Effect.flatMap(Cascades, (cascades) => cascades.step(payload))
)

/** Continues the deletion of a project that has too many prospects for one transaction, in the same way. */
export const continueDeletion = makeHandler(continueDeletionJob, (payload) =>
  Effect.flatMap(ProjectLifecycle, (projects) => projects.deletionStep(payload))
)

/** Tries or imports a file that a person gave to the console. */
export const runImports = makeHandler(runImportJob, (payload) =>
  Effect.flatMap(ConsoleImports, (imports) => imports.perform(payload))
)

/** Exports, imports or restores what an operator asked for in the console. */
export const runTeamRuns = makeHandler(runTeamRunJob, (payload) =>
  Effect.flatMap(TeamRuns, (runs) => runs.perform(payload))
)

/** Marks prospects whose next task became overdue, so that deltas list them. */
export const markOverdueProspects = makeHandlerInEachCell(
  Job.make("prospects/overdue", { payload: Schema.Struct({}) }),
  () => Effect.flatMap(ProspectChanges, ({ markOverdue }) => untilEmpty(markOverdue))
)

/** Records that offers ended without an answer. */
export const recordEndedOffers = makeHandlerInEachCell(Job.make("offers/expiry", { payload: Schema.Struct({}) }), () =>
  Effect.flatMap(OfferLifecycle, ({ recordEnds }) => untilEmpty(recordEnds))
)

/** Records access to rooms that has expired, and closes rooms that have wound down. */
export const recordRoomEnds = makeHandlerInEachCell(Job.make("rooms/ends", { payload: Schema.Struct({}) }), () =>
  Effect.gen(function* () {
    const { expire } = yield* AccessLifecycle
    const { closeWoundDown } = yield* Rooms
    yield* each(untilEmpty(expire), untilEmpty(closeWoundDown))
  })
)

/** Finds fan-outs, resumptions and deliveries that have lost their jobs, and webhooks that became failing. */
export const reconcileWebhooks = makeHandlerInEachCell(
  Job.make("webhooks/reconcile", { payload: Schema.Struct({}) }),
  () =>
    Effect.andThen(
      Effect.flatMap(Dispatcher, (dispatcher) => dispatcher.reconcile()),
      Effect.flatMap(WebhookHealth, (health) => health.watch())
    )
)

/** What `crontab` runs again and again. Each has an empty payload, and does the work that runs before it missed. */
export const recurring = [
  ...housekeeping,
  markOverdueProspects,
  recordEndedOffers,
  recordRoomEnds,
  reconcileWebhooks
] as const

/** What a worker process runs. */
export const handlers = [
  fanOut,
  scheduleDueDeliveries,
  resumeDeliveries,
  discardObjects,
  continueCascades,
  continueDeletion,
  runImports,
  runTeamRuns,
  ...JobRuns.recorded<HandlerServices<(typeof recurring)[number]>>(recurring)
] as const

const options = "?max=3&priority=10"

/**
 * graphile-worker's crontab, in UTC. Hourly jobs have a minute each, so that they do not run at the same time. Runs
 * missed while no worker was running are not repeated: the next run does the remaining work.
 */
export const crontab: string = [
  ...housekeeping.map(({ job }, index) => `${(7 + index * 7) % 60} * * * * ${job.name} ${options}`),
  // Follow-up tasks become overdue at midnight. If no worker runs then, a later hour finds them.
  `0 * * * * ${markOverdueProspects.job.name} ?max=3&jobKey=${markOverdueProspects.job.name}`,
  `* * * * * ${recordEndedOffers.job.name} ?max=3&jobKey=${recordEndedOffers.job.name}`,
  // Access ends to the minute. Reads follow the clock, so that only the record of it is late.
  `* * * * * ${recordRoomEnds.job.name} ?max=3&jobKey=${recordRoomEnds.job.name}`,
  // Before other jobs, so that a backlog of jobs does not delay the search for lost ones.
  `* * * * * ${reconcileWebhooks.job.name} ?max=3&priority=-10&jobKey=${reconcileWebhooks.job.name}`
].join("\n")
