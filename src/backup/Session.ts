/** A connection of its own to a database, for as long as a backup or a restore takes. */
import { Effect, type Redacted, type Scope } from "effect"
import pg from "pg"
import { certificateFault, pgConfigOf } from "../platform/db/Tls.ts"
import { sessionSettings } from "./Catalog.ts"
import { BackupRefused } from "./Manifest.ts"

const messageOf = (cause: unknown) =>
  certificateFault(cause) ?? (cause instanceof Error ? cause.message : String(cause))

/** Runs a promise of this part. What fails says so in one line. */
export const attempt = <A>(what: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, BackupRefused> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof BackupRefused
        ? cause
        : new BackupRefused({ code: "backup_failed", detail: `${what}: ${messageOf(cause)}` })
  })

/** Connects to the database at `url` until the scope ends. */
export const open = (url: Redacted.Redacted<string>): Effect.Effect<pg.Client, BackupRefused, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("The database cannot be reached", async () => {
      const client = new pg.Client({
        ...pgConfigOf(url),
        application_name: "property-network backup",
        connectionTimeoutMillis: 10_000
      })
      // A connection that breaks fails its statement, too.
      client.on("error", () => {})
      await client.connect()
      await client.query(sessionSettings)
      return client
    }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  )
