/** All tasks of a worker. */
import { discard } from "./files/discard.ts"
import { companyTombstones } from "./housekeeping/companyTombstones.ts"
import { contactTombstones } from "./housekeeping/contactTombstones.ts"
import { deliveries } from "./housekeeping/deliveries.ts"
import { events } from "./housekeeping/events.ts"
import { expiredTokens } from "./housekeeping/expiredTokens.ts"
import { files } from "./housekeeping/files.ts"
import { idempotencyKeys } from "./housekeeping/idempotencyKeys.ts"
import { linkTombstones } from "./housekeeping/linkTombstones.ts"
import { projects } from "./housekeeping/projects.ts"
import { prospectTombstones } from "./housekeeping/prospectTombstones.ts"
import { rateWindows } from "./housekeeping/rateWindows.ts"
import { webhooks } from "./housekeeping/webhooks.ts"
import { webhookSecrets } from "./housekeeping/webhookSecrets.ts"
import { overdue } from "./prospects/overdue.ts"
import { due } from "./webhooks/due.ts"
import { fanOut } from "./webhooks/fanOut.ts"
import { reconcile } from "./webhooks/reconcile.ts"
import { resume } from "./webhooks/resume.ts"

/** The hourly tasks (see schedule.ts). */
export const housekeeping = [
  companyTombstones,
  contactTombstones,
  deliveries,
  events,
  expiredTokens,
  files,
  idempotencyKeys,
  linkTombstones,
  projects,
  prospectTombstones,
  rateWindows,
  webhooks,
  webhookSecrets
] as const

/** All tasks. */
export const tasks = [fanOut, due, resume, reconcile, discard, overdue, ...housekeeping] as const
