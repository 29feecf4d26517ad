/** A Postgres of a test's own, for what other tests would feel, or be felt by: migrated, and empty of rows. */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/db/EmbeddedPostgres.ts"
import { copyCluster, migrated } from "./runFolder.ts"
import { scratch } from "./scratch.ts"

/** A data folder with a cluster to start, copied: making and migrating one takes much longer. */
export const dataFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(scratch, "own-"))
    await copyCluster(join(scratch, migrated), folder)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Starts one for as long as the scope lasts. */
export const start = (settings: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(dataFolder, (dataDir) => EmbeddedPostgres.start({ dataDir, settings: { fsync: "off", ...settings } }))
