/** Looks an installation over: docs/operations.md#doctor. Each check stands by itself, so that one that cannot be made stops no other. */
import * as Environment from "../process/Environment.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import * as PrivateTables from "../platform/jobs/PrivateTables.ts"
import { DateTime, Effect, Layer, Predicate, Redacted, Stream } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { certificateFault } from "../platform/db/Tls.ts"
import { Database } from "../platform/db/Database.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"
import type { Settings } from "../platform/Config.ts"
import { WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { ServerRepo } from "./ServerRepo.ts"
import { judgeDisks, judgeLeftovers, judgeStores, type Place } from "./Stores.ts"
import * as rules from "./rules.ts"

/** What an error says; one of Postgres in its words. */
export const messageOf = (error: unknown): string => {
  const fault = certificateFault(error)
  if (fault !== undefined) return `${fault[0]?.toUpperCase()}${fault.slice(1)}`
  if (isSqlError(error) && error.reason.cause instanceof Error) return error.reason.cause.message
  return Predicate.hasProperty(error, "message") && Predicate.isString(error.message) ? error.message : String(error)
}

/** Names what a check found. One that cannot be made has failed. */
export const named = <E, R>(
  name: rules.CheckName,
  look: Effect.Effect<rules.Finding, E, R>
): Effect.Effect<rules.Check, never, R> =>
  look.pipe(
    Effect.catch((error) =>
      Effect.succeed(rules.failed(`It cannot be checked: ${messageOf(error)}.`, "See why that is."))
    ),
    Effect.catchDefect((defect) =>
      Effect.succeed(rules.failed(`It cannot be checked: ${messageOf(defect)}.`, "See why that is."))
    ),
    Effect.map((finding): rules.Check => ({ name, ...finding }))
  )

const filesOfPostgres = ["postgres", "postgres.log", "postgres.password"]

/** The folders of an installation on this machine. */
const placesOf = ({ databaseUrl, dataDir, fileStore }: Settings): ReadonlyArray<Place> => [
  ...(databaseUrl === undefined || fileStore === undefined
    ? [{ variable: "DATA_DIR" as const, path: dataDir, others: filesOfPostgres }]
    : []),
  ...(fileStore?.kind === "folder" ? [{ variable: "FILE_STORE" as const, path: fileStore.path, others: [] }] : [])
]

/** The checks that need no database. */
export const ofFiles = (settings: Settings, fix: boolean): Effect.Effect<ReadonlyArray<rules.Check>> => {
  const places = placesOf(settings)
  return Effect.all([
    named(
      "store",
      Effect.promise(async () => {
        const stores = await judgeStores(places, fix)
        return settings.databaseUrl === undefined
          ? rules.together([stores, await judgeLeftovers(settings.dataDir, fix)])
          : stores
      })
    ),
    named(
      "disk",
      Effect.promise(() => judgeDisks(places))
    )
  ])
}

const clock = Effect.gen(function* () {
  const { clock } = yield* ServerRepo
  const ask = Effect.gen(function* () {
    const before = yield* DateTime.now
    const at = yield* clock
    const after = yield* DateTime.now
    return (DateTime.toEpochMillis(before) + DateTime.toEpochMillis(after)) / 2 - at
  })
  // The first one may have opened the connection.
  return rules.judgeClock(yield* Effect.andThen(ask, ask))
})

const keyOf = Effect.fnUntraced(function* (settings: Settings) {
  const [current, previous] = yield* Environment.existingKeys(settings)
  const file = join(settings.dataDir, "secret.key")
  const mode =
    settings.databaseUrl === undefined && settings.secretKey === undefined
      ? yield* Effect.promise(() =>
          stat(file).then(
            (found) => found.mode,
            () => 0
          )
        )
      : 0
  if ((mode & 0o077) !== 0) return rules.failed(`Others can read ${file}.`, `Run chmod 600 ${file}.`)
  if (current === undefined) {
    return rules.warning("SECRET_KEY is not set here.", "Run the doctor with the settings of the service.")
  }
  const isOwn = yield* Effect.flatMap(DatabaseKey, (key) => key.isOwn).pipe(
    Effect.provide(DatabaseKey.layer({ current, previous }))
  )
  return isOwn
    ? rules.ok("SECRET_KEY is the key of the database.")
    : rules.failed(
        "SECRET_KEY is not the key of the database.",
        "Set the key that was used with it (docs/operations.md#secret-keys)."
      )
})

/** Fails if the database does not answer. */
export const reach = Effect.flatMap(Database, Migrations.checkReadiness)

/** Whether the tables are those of this version. */
export const isMigrated = Effect.flatMap(Database, Migrations.pending).pipe(
  Effect.map((isPending) => !isPending),
  Effect.orElseSucceed(() => false)
)

const migrations = Effect.gen(function* () {
  const sql = yield* Database
  return (yield* Migrations.pending(sql))
    ? rules.failed("The database is not migrated.", "Run `npm run migrate`.")
    : rules.ok("All migrations are applied.")
})

const jobs = Effect.gen(function* () {
  const failing = yield* PrivateTables.failed
  const failedJobs = failing.flatMap(({ givenUp, name }) => (givenUp === 0 ? [] : [{ name, count: givenUp }]))
  const { oldestDueSeconds } = yield* PrivateTables.backlog
  return rules.judgeJobs(failedJobs, oldestDueSeconds)
})

const receivers = Effect.gen(function* () {
  const health = yield* WebhookHealth
  return rules.judgeReceivers(yield* asOperator(health.status(undefined)))
})

const hostOf = (url: Redacted.Redacted<string>): string => {
  const { hostname, searchParams } = new URL(Redacted.value(url))
  return searchParams.get("host") ?? hostname
}

const standby = (url: Redacted.Redacted<string>): Effect.Effect<rules.Standby> =>
  Effect.flatMap(ServerRepo, (repo) => repo.standby).pipe(
    Effect.provide(
      ServerRepo.layer.pipe(
        Layer.provide(Database.layer({ url, maxConnections: 1, applicationName: "property-network doctor" }))
      )
    ),
    Effect.catchCause(() => Effect.succeed(null)),
    Effect.map((answer) => ({ host: hostOf(url), answer }))
  )

/** The standbys that answer reads, each with what it says of itself. */
export const standbys = ({ replicas }: Settings) => Effect.forEach(replicas?.urls ?? [], standby, { concurrency: 4 })

const files = Effect.gen(function* () {
  const [repo, store] = [yield* ServerRepo, yield* FileStore]
  const { files: sample, namespace } = yield* repo.someFiles
  const lost = yield* Effect.filter(
    sample,
    ({ id, size }) =>
      store.read({ namespace, id }, size === 0 ? undefined : { first: size - 1, last: size - 1 }).pipe(
        Stream.runFold(
          () => 0,
          (read, bytes) => read + bytes.length
        ),
        Effect.map((read) => read !== Math.min(size, 1)),
        Effect.catch(() => Effect.succeed(true))
      ),
    { concurrency: 4 }
  )
  return lost.length === 0
    ? rules.ok(`${sample.length} files that were looked at are in the store.`)
    : rules.failed(
        `${lost.length} of ${sample.length} files that were looked at are not in the store, such as ${lost[0]?.id}.`,
        "Check FILE_STORE, and restore its content from a backup."
      )
})

/** What the checks of a database read it by. */
export const layer = ServerRepo.layer

/** The checks of a database that `url` leads to. */
export const ofDatabase = Effect.fnUntraced(function* (settings: Settings, url: Redacted.Redacted<string>) {
  const mode = new URL(Redacted.value(url)).searchParams.get("sslmode") ?? ""
  const { replicas } = settings
  const repo = yield* ServerRepo
  const needsTables = <E, R>(name: rules.CheckName, look: Effect.Effect<rules.Finding, E, R>) =>
    named(
      name,
      Effect.flatMap(isMigrated, (yes): Effect.Effect<rules.Finding, E, R> =>
        yes
          ? look
          : Effect.succeed(rules.warning("Not checked: the database is not migrated.", "Run `npm run migrate`."))
      )
    )
  return yield* Effect.all([
    named("database", Effect.map(repo.server, rules.judgeServer)),
    named(
      "tls",
      Effect.map(repo.server, ({ isEncrypted }) => rules.judgeTls(hostOf(url), mode, isEncrypted))
    ),
    named("migrations", migrations),
    needsTables("key", keyOf(settings)),
    named("clock", clock),
    named("transactions", Effect.map(repo.held, rules.judgeTransactions)),
    needsTables("jobs", jobs),
    named("workers", Effect.map(repo.workers, rules.judgeWorkers)),
    needsTables("receivers", receivers),
    named(
      "replicas",
      Effect.map(standbys(settings), (all) => rules.judgeReplicas(all, (replicas?.maxLagMs ?? 0) / 1000))
    ),
    needsTables("files", files)
  ])
})
