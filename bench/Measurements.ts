/** Every measurement, in the order in which they run and stand in the table. */
import type { Measurement } from "./Measurement.ts"
import { read, readUnchanged } from "./http/read.ts"
import type { Stage } from "./http/Stage.ts"

/** Those that measure one service with one set of data, beside its peers. */
export const onStage: ReadonlyArray<Measurement<Stage>> = [read, readUnchanged]

/** Those that start what they need by themselves, after the others have ended. */
export const alone: ReadonlyArray<Measurement> = []
