/** The database of this installation, and the use-cases on it, for the operator's commands. */
import * as App from "../App.ts"
import * as CommandRun from "./CommandRun.ts"
import * as Config from "../platform/Config.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import * as SystemUser from "../platform/SystemUser.ts"
import * as Environment from "../process/Environment.ts"
import { Effect, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Id from "../core/Id.ts"
import { OperatorTeam } from "../core/audit/OperatorEvents.ts"
import { Retention } from "../platform/Retention.ts"
import { Database } from "../platform/db/Database.ts"
import { EmbeddedPostgres } from "../platform/db/embedded/EmbeddedPostgres.ts"
import { MigrationError } from "../platform/db/Migrations.ts"
import { certificateFault } from "../platform/db/Tls.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { Sending } from "../core/outbound/Outbound.ts"

/** The address of the database: `DATABASE_URL`, or else the embedded Postgres, which is started if it does not run. */
export const databaseUrl = Effect.gen(function* () {
  const settings = yield* Config.load
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, embedded: false }
  yield* SystemUser.refuseOther("DATA_DIR", settings.dataDir)
  const { url } = yield* EmbeddedPostgres.attachOrStart({ dataDir: settings.dataDir })
  return { url: Redacted.make(url), embedded: true }
})

const outdated = new MigrationError({
  reason: "Missing",
  message: "The database is not up to date: run the command `migrate` first"
})

const unreachable = (error: SqlError) => {
  const { cause } = error.reason
  return new MigrationError({
    reason: "Unreachable",
    message: `The database cannot be reached: ${certificateFault(cause) ?? (cause instanceof Error ? cause.message : error.message)}`
  })
}

/** Migrates the embedded database. Fails if another database is not migrated. */
const ensureMigrated = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, embedded: boolean) {
  const isPending = yield* Effect.flatMap(Database, Migrations.pending).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unreachable(error)))
  )
  if (isPending) yield* embedded ? Migrations.run(url) : outdated
})

/** The database at an address. The embedded one is migrated. */
export const databaseAt = (url: Redacted.Redacted<string>, embedded: boolean) =>
  Layer.unwrap(
    Effect.map(Config.load, ({ citus, operatorTeam, retention }) =>
      CommandRun.recorded.pipe(
        Layer.provideMerge(Layer.effectDiscard(ensureMigrated(url, embedded))),
        // One connection holds the lock of the file that an import or export writes (`src/transfer/Source.ts`). With five, there are three
        // permits for transactions, of which a team has two: an import writes two batches at a time.
        Layer.provideMerge(
          Database.layer({ url, maxConnections: 5, applicationName: "property-network admin", citus })
        ),
        Layer.provideMerge(
          Layer.merge(
            Layer.succeed(Retention, retention),
            Layer.succeed(OperatorTeam, Id.toUuid("team", operatorTeam ?? ""))
          )
        )
      )
    )
  )

/** The database of this installation. The embedded one is migrated. */
export const database = Layer.unwrap(Effect.map(databaseUrl, ({ embedded, url }) => databaseAt(url, embedded)))

/** The use-cases of identity on the database of this installation. They need no secret key. */
export const identity = App.layerIdentity.pipe(
  Layer.provideMerge(database),
  Layer.provide(
    Layer.effect(
      Sending,
      Effect.map(Config.load, ({ webhooks }) => webhooks)
    )
  )
)

/** The secret keys of this installation, and its database, whatever its key is. */
export const keysAndDatabase = Effect.map(
  Environment.externalOrEmbedded("attach"),
  ({ app, databaseUrl: url, embedded }) => ({ secretKeys: app.secretKeys, database: databaseAt(url, embedded) })
)

/** All use-cases on the database of this installation. They need its secret key, and the system user that the file store belongs to. */
export const everything = Effect.gen(function* () {
  const { app, databaseUrl: url, embedded, settings } = yield* Environment.externalOrEmbedded("attach")
  const fileStore = Environment.fileStoreOf(settings)
  if (fileStore.kind === "folder") yield* SystemUser.refuseOther("FILE_STORE", fileStore.path)
  return {
    embedded,
    secretKeys: app.secretKeys,
    services: App.layer(app).pipe(
      Layer.provideMerge(Jobs.layer),
      Layer.provideMerge(Layer.effectDiscard(Environment.verify(app.secretKeys))),
      Layer.provideMerge(databaseAt(url, embedded))
    )
  }
})
