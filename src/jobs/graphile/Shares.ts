import type { Worker, WorkerEvents } from "graphile-worker"
import { slow } from "../Job.ts"

/** Keeps jobs that may take long from taking all of a worker's hands. */
export interface Shares {
  /** The flags of jobs that a hand must not take which asks for one now. */
  readonly ask: () => Array<string>
}

/**
 * `most`: how many slow jobs are done at a time. A hand that may take one counts as doing so from its asking until it
 * has taken another or none: all idle hands ask at once when jobs arrive.
 *
 * Graphile says who asks only after it has asked what is forbidden, each in its turn; so the answers wait in a row for
 * their hands.
 */
export const make = (events: WorkerEvents, most: number): Shares => {
  const answers: Array<boolean> = []
  const asking = new Set<Worker>()
  const doing = new Set<Worker>()
  events.on("worker:getJob:start", ({ worker }) => {
    if (answers.shift() === true) asking.add(worker)
  })
  events.on("worker:getJob:empty", ({ worker }) => void asking.delete(worker))
  events.on("worker:getJob:error", ({ worker }) => void asking.delete(worker))
  events.on("job:start", ({ job, worker }) => {
    asking.delete(worker)
    if (job.flags?.[slow] === true) doing.add(worker)
  })
  events.on("job:complete", ({ worker }) => void doing.delete(worker))
  return {
    ask: () => {
      const pending = answers.filter((mayTake) => mayTake).length
      const mayTake = doing.size + asking.size + pending < most
      answers.push(mayTake)
      return mayTake ? [] : [slow]
    }
  }
}
