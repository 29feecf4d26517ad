import * as Migrations from "../../src/platform/db/Migrations.ts"
import { Effect, Exit, Redacted, Scope } from "effect"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { copyCluster, makeRunFolder, migrated } from "./runFolder.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the migrated database on the run's Postgres. Each test database is a copy of it. */
    readonly templateUrl: string
    /** The folder of that Postgres' socket; undefined if it has none. */
    readonly socketFolder: string | undefined
    /** The temporary folder of the run. */
    readonly scratch: string
  }
}

// Without durability, and without what costs a twentieth of the processor here and changes no answer. All other settings are those of
// production.
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "200",
  deadlock_timeout: "50ms",
  io_method: "sync",
  update_process_title: "off"
}

// Systems limit the whole path of a socket, on macOS to 103 bytes.
const maxSocketFolder = 85

const makeMigrated = (dataDir: string): Promise<void> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(EmbeddedPostgres.start({ dataDir, settings }), ({ url }) =>
        Effect.asVoid(Migrations.run(Redacted.make(url)))
      )
    )
  )

/** Starts a temporary Postgres for the run. The returned function stops and removes it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const folder = await makeRunFolder()
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await makeMigrated(join(folder, migrated))
    await copyCluster(join(folder, migrated), folder)
    const socketFolder = join(folder, "postgres")
    const hasSocket = process.platform !== "win32" && socketFolder.length <= maxSocketFolder
    const { url } = await Effect.runPromise(
      EmbeddedPostgres.start({
        dataDir: folder,
        settings: { ...settings, unix_socket_directories: hasSocket ? socketFolder : "" }
      }).pipe(Scope.provide(scope))
    )
    project.provide("templateUrl", url)
    project.provide("socketFolder", hasSocket ? socketFolder : undefined)
    project.provide("scratch", folder)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
