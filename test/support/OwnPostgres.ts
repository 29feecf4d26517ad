/** A separate Postgres, migrated and empty, for tests that would disturb others on the shared server. */
import { Effect } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { copyCluster, migrated } from "./runFolder.ts"
import { scratch } from "./scratch.ts"

/** A data folder with a migrated cluster: a copy, since creating and migrating one takes much longer. */
export const dataFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(scratch, "own-"))
    await copyCluster(join(scratch, migrated), folder)
    return folder
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Starts a Postgres, and stops it at the end of the scope. */
export const start = (settings: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(dataFolder, (dataDir) => EmbeddedPostgres.start({ dataDir, settings: { fsync: "off", ...settings } }))
