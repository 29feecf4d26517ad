/** When the tasks that come round are done: once for all workers, whichever is first. */
import { overdue } from "./prospects/overdue.ts"
import { housekeeping } from "./tasks.ts"
import { reconcile } from "./webhooks/reconcile.ts"

const options = "?max=3&priority=10"

/**
 * graphile-worker's crontab, in UTC. What comes round every hour has a minute of its own, so that they do not meet. What
 * came round while no worker ran is not made up for: the next time does it all.
 */
export const crontab: string = [
  ...housekeeping.map(({ job }, index) => `${(7 + index * 7) % 60} * * * * ${job.name} ${options}`),
  // Tasks become overdue at midnight; what a worker that was down missed is found an hour later.
  `0 * * * * ${overdue.job.name} ?max=3&jobKey=${overdue.job.name}`,
  // Not behind what it is to find.
  `* * * * * ${reconcile.job.name} ?max=3&priority=-10&jobKey=${reconcile.job.name}`
].join("\n")
