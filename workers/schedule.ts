/** The schedule of recurring tasks. Each run happens once, on whichever worker is first. */
import { recordEndedOffers } from "./offers/expiry.ts"
import { markOverdueProspects } from "./prospects/overdue.ts"
import { recordRoomEnds } from "./rooms/ends.ts"
import { housekeeping } from "./tasks.ts"
import { reconcileWebhooks } from "./webhooks/reconcile.ts"

const options = "?max=3&priority=10"

/**
 * graphile-worker's crontab, in UTC. Hourly tasks have a minute each, so that they do not run at the same time. Runs
 * missed while no worker was running are not repeated: the next run does the remaining work.
 */
export const crontab: string = [
  ...housekeeping.map(({ job }, index) => `${(7 + index * 7) % 60} * * * * ${job.name} ${options}`),
  // Tasks become overdue at midnight. If no worker runs then, a later hour finds them.
  `0 * * * * ${markOverdueProspects.job.name} ?max=3&jobKey=${markOverdueProspects.job.name}`,
  `* * * * * ${recordEndedOffers.job.name} ?max=3&jobKey=${recordEndedOffers.job.name}`,
  // Access ends to the minute. Reads follow the clock, so that only the record of it is late.
  `* * * * * ${recordRoomEnds.job.name} ?max=3&jobKey=${recordRoomEnds.job.name}`,
  // Before other jobs, so that a backlog of jobs does not delay the search for lost ones.
  `* * * * * ${reconcileWebhooks.job.name} ?max=3&priority=-10&jobKey=${reconcileWebhooks.job.name}`
].join("\n")
