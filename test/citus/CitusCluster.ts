/** A coordinator and two workers of Citus on this machine, for tests and benches. */
import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { access, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Binaries } from "../../src/platform/db/embedded/Programs.ts"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"

const run = promisify(execFile)

/** What `pg_config` of a Postgres says that has Citus, or why there is none. */
const locate = async (): Promise<{ readonly bin: string } | { readonly missing: string }> => {
  const command = process.env["PG_CONFIG"] ?? "pg_config"
  try {
    const [bin, share] = await Promise.all([run(command, ["--bindir"]), run(command, ["--sharedir"])])
    await access(join(share.stdout.trim(), "extension", "citus.control"))
    return { bin: bin.stdout.trim() }
  } catch {
    return {
      missing: `${command} finds no Postgres with Citus: test/citus/build.sh SOURCE builds it (PG_CONFIG names another one).`
    }
  }
}

/** The settings of each server. */
const settingsOf = (hbaFile: string, durable: boolean) => ({
  hba_file: hbaFile,
  shared_preload_libraries: "citus",
  max_connections: "300",
  max_prepared_transactions: "300",
  "citus.max_adaptive_executor_pool_size": "1",
  "citus.node_conninfo": "sslmode=prefer",
  deadlock_timeout: "100ms",
  "citus.node_connection_timeout": "30s",
  ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" })
})

/** Servers that run. */
export interface Cluster {
  /** The URL of the coordinator. */
  readonly url: string
  /** The ports of the workers. */
  readonly workers: ReadonlyArray<number>
  /** The programs that they run. */
  readonly binaries: Binaries
}

/** Starts the servers for the scope, with their data in `folder`. Dies where there is no Citus. */
export const start = Effect.fnUntraced(function* (
  folder: string,
  { durable = false }: { readonly durable?: boolean } = {}
): Effect.fn.Return<Cluster, never, Scope.Scope> {
  const located = yield* Effect.promise(locate)
  if ("missing" in located) return yield* Effect.die(new Error(located.missing))
  // The servers connect to each other without passwords.
  const hbaFile = join(folder, "hba.conf")
  yield* Effect.promise(() => writeFile(hbaFile, "host all all 127.0.0.1/32 trust\n"))
  const program = (name: string) => join(located.bin, name)
  const binaries = { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") }
  const start = (name: string) =>
    Effect.orDie(
      EmbeddedPostgres.start({ dataDir: join(folder, name), settings: settingsOf(hbaFile, durable), binaries })
    )
  const { url } = yield* start("coordinator")
  const workers = [yield* start("worker1"), yield* start("worker2")]
  return { url, workers: workers.map(({ port }) => port), binaries }
})
