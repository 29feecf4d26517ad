/** Finds what nobody sees to any more, of deliveries. */
import { Effect, Schema } from "effect"
import * as Job from "../../src/jobs/Job.ts"
import * as Task from "../../src/jobs/Task.ts"
import { Turns } from "../../src/webhooks/deliveries/Turns.ts"

const job = Job.make("webhooks/reconcile", { payload: Schema.Struct({}) })

/** Does `webhooks/reconcile`. */
export const reconcile = Task.make(job, () => Effect.flatMap(Turns, (turns) => turns.reconcile()))
