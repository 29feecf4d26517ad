/** The tasks that graphile-worker runs: one implementation for each kind of job. */
import { discardObjects } from "./files/discard.ts"
import { purgeCompanyTombstones } from "./housekeeping/companyTombstones.ts"
import { purgeContactTombstones } from "./housekeeping/contactTombstones.ts"
import { purgeDeliveries } from "./housekeeping/deliveries.ts"
import { purgeEvents } from "./housekeeping/events.ts"
import { purgeExpiredTokens } from "./housekeeping/expiredTokens.ts"
import { purgeFiles } from "./housekeeping/files.ts"
import { purgeIdempotencyKeys } from "./housekeeping/idempotencyKeys.ts"
import { purgeLinkTombstones } from "./housekeeping/linkTombstones.ts"
import { purgeMandateTombstones } from "./housekeeping/mandateTombstones.ts"
import { renewNameKeys } from "./housekeeping/nameKeys.ts"
import { purgeProjects } from "./housekeeping/projects.ts"
import { purgePropertyTombstones } from "./housekeeping/propertyTombstones.ts"
import { purgeProspectTombstones } from "./housekeeping/prospectTombstones.ts"
import { purgeRateWindows } from "./housekeeping/rateWindows.ts"
import { purgeSignIn } from "./housekeeping/signIn.ts"
import { purgeWebhooks } from "./housekeeping/webhooks.ts"
import { reencryptWebhookSecrets } from "./housekeeping/webhookSecrets.ts"
import { continueCascades } from "./network/cascades.ts"
import { continueDeletion } from "./projects/deletion.ts"
import { recordEndedOffers } from "./offers/expiry.ts"
import { markOverdueProspects } from "./prospects/overdue.ts"
import { recordRoomEnds } from "./rooms/ends.ts"
import { scheduleDueDeliveries } from "./webhooks/due.ts"
import { fanOut } from "./webhooks/fanOut.ts"
import { reconcileWebhooks } from "./webhooks/reconcile.ts"
import { resumeDeliveries } from "./webhooks/resume.ts"

/**
 * Housekeeping: purges what is past its retention, re-encrypts secrets, and renews keys of names. `schedule.ts` runs each hourly, at a
 * minute that follows from its position here.
 */
export const housekeeping = [
  purgeCompanyTombstones,
  purgeContactTombstones,
  purgeDeliveries,
  purgeEvents,
  purgeExpiredTokens,
  purgeFiles,
  purgeIdempotencyKeys,
  purgeLinkTombstones,
  purgeMandateTombstones,
  purgeProjects,
  purgeProspectTombstones,
  purgeRateWindows,
  purgeWebhooks,
  reencryptWebhookSecrets,
  purgePropertyTombstones,
  purgeSignIn,
  renewNameKeys
] as const

/** What `schedule.ts` runs again and again. Each has an empty payload, and does the work that runs before it missed. */
export const recurring = [
  ...housekeeping,
  markOverdueProspects,
  recordEndedOffers,
  recordRoomEnds,
  reconcileWebhooks
] as const

/** What a worker process runs. */
export const tasks = [
  fanOut,
  scheduleDueDeliveries,
  resumeDeliveries,
  discardObjects,
  continueCascades,
  continueDeletion,
  ...recurring
] as const
