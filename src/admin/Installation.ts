/** What the operator's commands work on: the database of this installation, and the use-cases over it. */
import { Effect, Layer, Redacted } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import * as App from "../App.ts"
import * as Config from "../Config.ts"
import { Database } from "../db/Database.ts"
import { EmbeddedPostgres } from "../db/EmbeddedPostgres.ts"
import { MigrationError } from "../db/MigrationError.ts"
import * as Migrations from "../db/Migrations.ts"
import { Jobs } from "../jobs/Jobs.ts"
import * as Environment from "../process/Environment.ts"

/** Where the database is: the one that is given, else the embedded one, which is started unless it runs. */
export const locate = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* Config.load
  if (databaseUrl !== undefined) return { url: databaseUrl, embedded: false }
  const { url } = yield* EmbeddedPostgres.attachOrStart({ dataDir })
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
    message: `The database cannot be reached: ${cause instanceof Error ? cause.message : error.message}`
  })
}

/** Brings the embedded database up to date; a given one must be already. */
const upToDate = Effect.fnUntraced(function* (url: Redacted.Redacted<string>, embedded: boolean) {
  const isPending = yield* Effect.flatMap(Database, Migrations.pending).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unreachable(error)))
  )
  if (isPending) yield* embedded ? Migrations.run(url) : outdated
})

const databaseAt = (url: Redacted.Redacted<string>, embedded: boolean) =>
  Layer.effectDiscard(upToDate(url, embedded)).pipe(
    // One of them holds the lock of a file that is written (imports/FileLock.ts).
    Layer.provideMerge(Database.layer({ url, maxConnections: 3, applicationName: "property-network admin" }))
  )

/** The database of this installation, brought up to date if it is the embedded one. */
const database = Layer.unwrap(Effect.map(locate, ({ embedded, url }) => databaseAt(url, embedded)))

/** The operator's use-cases on the database of this installation. */
export const layer = App.layerIdentity.pipe(Layer.provide(database))

/** All use-cases on the database of this installation, for commands that do what callers do: they need its secret key. */
export const whole = Effect.map(Environment.externalOrEmbedded("attach"), ({ app, databaseUrl, embedded }) => ({
  embedded,
  services: App.layer(app).pipe(Layer.provideMerge(Jobs.layer), Layer.provideMerge(databaseAt(databaseUrl, embedded)))
}))
