/** Continues a deletion or merge of contacts or companies that was too large for one transaction. */
import { Effect } from "effect"
import * as Task from "../../src/platform/jobs/Task.ts"
import { Cascades } from "../../src/network/cascades/Cascades.ts"
import { continueCascade } from "../../src/network/remainders/jobs.ts"

/** Implements `network/cascades`: one step, which enqueues the next one in its transaction. */
export const continueCascades = Task.make(continueCascade, (payload) =>
  Effect.flatMap(Cascades, (cascades) => cascades.step(payload))
)
