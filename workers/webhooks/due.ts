/** Gives deliveries their turn whose next attempt is due. */
import { Effect } from "effect"
import * as Task from "../../src/jobs/Task.ts"
import { due as job } from "../../src/webhooks/deliveries/jobs.ts"
import { Turns } from "../../src/webhooks/deliveries/Turns.ts"

/** Does `webhooks/due`. */
export const due = Task.make(job, (payload) => Effect.flatMap(Turns, (turns) => turns.due(payload)))
