/** All measurements, in the order in which they run and appear in the table. */
import { deliver } from "./deliver/deliver.ts"
import { depth } from "./growth/depth.ts"
import { growth, growthLines } from "./growth/growth.ts"
import { compressed } from "./http/compressed.ts"
import { create } from "./http/create.ts"
import { list } from "./http/list.ts"
import { logging } from "./http/logging.ts"
import { read, readUnchanged } from "./http/read.ts"
import type { Setup } from "./http/Setup.ts"
import { two } from "./http/two.ts"
import { latency } from "./latency.ts"
import { limit } from "./limit/limit.ts"
import type { Measurement } from "./Measurement.ts"
import { mandates } from "./mandates/mandates.ts"
import { mandatesPostgis } from "./mandates/postgis.ts"
import { matches } from "./matching/matches.ts"
import { memory } from "./memory.ts"
import { rooms } from "./rooms/rooms.ts"
import { start } from "./start.ts"

/** Measurements of one shared service and its peers. Those that add data come last. */
export const sharedSetup: ReadonlyArray<Measurement<Setup>> = [
  read,
  readUnchanged,
  list,
  compressed,
  limit,
  logging,
  two,
  create
]

/** Measurements with a set-up of their own, which run after the others. */
export const ownSetup: ReadonlyArray<Measurement> = [
  deliver,
  latency,
  depth,
  growth,
  mandates,
  mandatesPostgis,
  matches,
  rooms,
  memory,
  start
]

/** Parts of measurements, which run only if they are named. */
export const parts: ReadonlyArray<Measurement> = growthLines
