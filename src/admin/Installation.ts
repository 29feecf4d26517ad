/** What the operator's commands work on: the database of this installation, and the use-cases over it. */
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { Clients } from "../auth/clients/Clients.ts"
import { ClientsRepo } from "../auth/clients/ClientsRepo.ts"
import { Tokens } from "../auth/tokens/Tokens.ts"
import { TokensRepo } from "../auth/tokens/TokensRepo.ts"
import * as Config from "../Config.ts"
import { Database } from "../db/Database.ts"
import { EmbeddedPostgres } from "../db/EmbeddedPostgres.ts"
import { MigrationError } from "../db/MigrationError.ts"
import * as Migrations from "../db/Migrations.ts"
import { Cursors } from "../http/Page.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { TeamsRepo } from "../identity/teams/TeamsRepo.ts"
import { Users } from "../identity/users/Users.ts"
import { UsersRepo } from "../identity/users/UsersRepo.ts"

/** Where the database is: the one that is given, else the embedded one, which is started unless it runs. */
export const locate = Effect.gen(function*() {
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
const upToDate = Effect.fnUntraced(function*(url: Redacted.Redacted<string>, embedded: boolean) {
  const isPending = yield* Effect.flatMap(Database, Migrations.pending).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unreachable(error)))
  )
  if (isPending) yield* embedded ? Migrations.run(url) : outdated
})

const database = Layer.unwrap(Effect.map(locate, ({ embedded, url }) =>
  Layer.effectDiscard(upToDate(url, embedded)).pipe(
    Layer.provideMerge(Database.layer({ url, maxConnections: 2, applicationName: "property-network admin" }))
  )))

const repositories = Layer.mergeAll(ClientsRepo.layer, TeamsRepo.layer, TokensRepo.layer, UsersRepo.layer)

/** The operator's use-cases. They need neither the secret key nor jobs: no command hands out cursors. */
export const layer = Layer.mergeAll(Clients.layer, Tokens.layer).pipe(
  Layer.provideMerge(Users.layer),
  Layer.provideMerge(Teams.layer),
  Layer.provide(repositories),
  Layer.provide(Layer.mergeAll(
    SecureRandom.layerWebCrypto,
    Layer.unwrap(Effect.sync(() => Cursors.layer(Redacted.make(new Uint8Array(randomBytes(32))))))
  )),
  Layer.provide(database)
)
