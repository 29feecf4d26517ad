/** Every measurement, in the order in which they run and stand in the table. */
import { deliver } from "./deliver/deliver.ts"
import { depth } from "./growth/depth.ts"
import { growth } from "./growth/growth.ts"
import { create } from "./http/create.ts"
import { list } from "./http/list.ts"
import { logging } from "./http/logging.ts"
import { read, readUnchanged } from "./http/read.ts"
import type { Stage } from "./http/Stage.ts"
import { two } from "./http/two.ts"
import { latency } from "./latency.ts"
import { limit } from "./limit/limit.ts"
import type { Measurement } from "./Measurement.ts"
import { memory } from "./memory.ts"
import { start } from "./start.ts"

/** Those that measure one service with one set of data, beside its peers. What adds to the data comes last. */
export const onStage: ReadonlyArray<Measurement<Stage>> = [read, readUnchanged, list, limit, logging, two, create]

/** Those that start what they need by themselves, after the others have ended. */
export const alone: ReadonlyArray<Measurement> = [deliver, latency, depth, growth, memory, start]
