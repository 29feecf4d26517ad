/** The operator's commands on the database: its migrations, the cells of teams, and the secrets in it. */
import * as Migrations from "../platform/db/Migrations.ts"
import * as CellMove from "../platform/db/CellMove.ts"
import * as CellSchema from "../platform/db/CellSchema.ts"
import * as Id from "../core/Id.ts"
import * as RandomPool from "../platform/secrets/RandomPool.ts"
import * as Installation from "./Installation.ts"
import * as Environment from "../process/Environment.ts"
import { Console, Effect, Layer, Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import { databaseUrl } from "./Installation.ts"
import { lineOf, print, tableOf } from "./Output.ts"
import * as Config from "../platform/Config.ts"
import { Replays } from "../privacy/Replays.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { Database } from "../platform/db/Database.ts"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"
import { Reencryption, type SealedCounts, type SecretsStatus } from "../webhooks/Reencryption.ts"

interface Answer extends Migrations.Report {
  readonly migrated: true
  /** The host and port of the server. */
  readonly host: string
}

const hostOf = (url: Redacted.Redacted<string>): string => {
  const { host, searchParams } = new URL(Redacted.value(url))
  return searchParams.get("host") ?? host
}

const took = (milliseconds: number) => `${milliseconds} ms`

const linesOf = ({ applied, database, host, known, postgres, queue }: Answer): ReadonlyArray<string> => [
  `Postgres ${postgres} at ${host}, database ${database}: ${known} of ${known + applied.length} files were applied before.`,
  ...(queue.applied === 0 ? [] : [`job queue: ${queue.applied} migrations in ${took(queue.milliseconds)}`]),
  ...applied.map(({ file, milliseconds }) => `${file} in ${took(milliseconds)}`),
  applied.length + queue.applied === 0 ? "Nothing was to do." : "The database is up to date."
]

/** Erases again what a restored database brought back, where the key and the file store are there to tell. */
const replayErasures = Effect.gen(function* () {
  const { databaseUrl: external, secretKey } = yield* Config.load
  if (external !== undefined && secretKey === undefined) return
  const { services } = yield* Installation.everything
  const { accounts, contacts } = yield* Effect.flatMap(Replays, ({ catchUp }) => catchUp).pipe(Effect.provide(services))
  if (contacts + accounts > 0) {
    yield* Console.error(`Erased again what was erased before: ${contacts} contacts, ${accounts} accounts.`)
  }
}).pipe(
  Effect.catchCause((cause) =>
    Console.error(`The list of erasures could not be compared, which a start does again: ${lineOf(cause)}`)
  )
)

/** `migrate` */
export const migrate = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const { url } = yield* databaseUrl
    const report = yield* Migrations.run(url)
    const answer: Answer = { migrated: true, host: hostOf(url), ...report }
    yield* replayErasures
    // Now there is an audit log to record the command in.
    yield* Effect.provide(print(answer, linesOf), Installation.database)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Migrate the database, and say what was done. Safe to repeat and to run concurrently"))

// The operator's commands on the cells of teams, which Citus distributes: docs/operations.md#citus.

const onDatabase = <A, E>(use: (sql: Database["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Database, use).pipe(Effect.provide(Installation.database))

const nameArgument = Argument.String("name").pipe(
  Argument.withDescription("The name of the cell and its schema, which begins with cell_")
)

const createCell = Command.make("create", { name: nameArgument }, ({ name }) =>
  Effect.gen(function* () {
    yield* print(
      yield* onDatabase((sql) => Effect.andThen(CellSchema.create(sql, name), CellSchema.find(sql, name))),
      (cell) => [`${cell.name} on ${cell.server}`]
    )
  })
).pipe(
  Command.withDescription(
    "Create a cell on the server that has the fewest. New teams go to the cell with the fewest teams"
  ),
  Command.withShortDescription("Create a cell")
)

const listCells = Command.make("list", {}, () =>
  Effect.gen(function* () {
    yield* print(yield* onDatabase(CellSchema.list), (cells) =>
      cells.map(({ bytes, name, server, teams }) => `${name} on ${server}: ${teams} teams, ${bytes} bytes`)
    )
  })
).pipe(Command.withDescription("List the cells, with their servers, teams and sizes"))

const teamArgument = Argument.String("team").pipe(Argument.withDescription("The team's id (`team list` shows it)"))

const unknownTeam = new CellSchema.CellRefused({ message: "There is no such team: `admin team list` shows them." })

const moveCell = Command.make("move", { team: teamArgument, cell: nameArgument }, ({ cell, team }) =>
  Effect.gen(function* () {
    const uuid = Id.toUuid("team", team)
    if (uuid === undefined) return yield* unknownTeam
    yield* print(yield* CellMove.run(uuid, cell).pipe(Effect.provide(Installation.database)), (moved) =>
      tableOf([
        ["TABLE", "ROWS"],
        ...moved.filter(({ rows }) => rows > 0).map(({ rows, table }) => [table, String(rows)])
      ])
    )
  })
).pipe(
  Command.withDescription(
    "Move a team to another cell. It takes no changes meanwhile, and in the end answers nothing. After an interruption, run it again"
  ),
  Command.withShortDescription("Move a team to another cell"),
  Command.withExamples([{ command: "cell move team_… cell_b" }])
)

/** `admin cell`. */
export const cell = Command.make("cell").pipe(
  Command.withDescription("Manage the cells of teams, where the database is Citus"),
  Command.withSubcommands([createCell, listCells, moveCell])
)

// The operator's commands on encrypted values and the rotation of their key: docs/operations.md#secret-keys.

const inWords = (counts: SealedCounts): string =>
  Object.entries(counts)
    .map(([key, count]) => `${count} ${key}`)
    .join(", ")

const verdictOf = (status: SecretsStatus): string => {
  if (status.webhookSecrets.unknown + status.idempotencyAnswers.unknown > 0) {
    return "Unknown values are sealed under a key that is neither SECRET_KEY nor SECRET_KEY_PREVIOUS: set the missing key."
  }
  return status.previousKeyNeeded
    ? "SECRET_KEY_PREVIOUS is still needed."
    : "SECRET_KEY_PREVIOUS is no longer needed: remove it."
}

const linesOfStatus = (status: SecretsStatus): ReadonlyArray<string> => [
  `webhook secrets: ${inWords(status.webhookSecrets)}`,
  `idempotency answers: ${inWords(status.idempotencyAnswers)}`,
  verdictOf(status)
]

const secretsStatus = Command.make("status", {}, () =>
  Effect.gen(function* () {
    const { services } = yield* Installation.everything
    yield* print(
      yield* Effect.flatMap(Reencryption, ({ status }) => status).pipe(Effect.provide(services)),
      linesOfStatus
    )
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Count the values sealed under SECRET_KEY (current), under SECRET_KEY_PREVIOUS (previous), and under an " +
      "unknown key (unknown)"
  ),
  Command.withShortDescription("Count encrypted values by secret key")
)

const reencrypt = Command.make("reencrypt", {}, () =>
  Effect.gen(function* () {
    const { secretKeys, services } = yield* Installation.everything
    // Before, because what is sealed under the current key needs processes that have it.
    const run = Effect.andThen(
      Environment.verifyAndTakeOver(secretKeys),
      Effect.flatMap(Reencryption, (reencryption) => reencryption.run())
    )
    yield* print(yield* Effect.provide(run, services))
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Re-encrypt webhook secrets under SECRET_KEY now. The worker does the same every hour. " +
      "Answers of idempotent creates are not re-encrypted: they expire after 24 hours"
  ),
  Command.withShortDescription("Re-encrypt webhook secrets under SECRET_KEY now")
)

const adopt = Command.make("adopt", {}, () =>
  Effect.gen(function* () {
    const { database, secretKeys } = yield* Installation.keysAndDatabase
    yield* Effect.gen(function* () {
      const [{ adopt }, auditLog] = [yield* DatabaseKey, yield* AuditLog]
      yield* adopt.pipe(auditLog.recording(() => ({ action: "secrets.adopted", teamId: null })))
    }).pipe(
      Effect.provide(
        Layer.merge(DatabaseKey.layer(secretKeys), AuditLog.layer).pipe(
          Layer.provide(RandomPool.layer),
          Layer.provideMerge(database)
        )
      )
    )
    yield* print({ adopted: true }, () => ["SECRET_KEY is now the key of this database."])
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Make SECRET_KEY the key of this database, when the key that was used with it is lost. What was sealed under the lost " +
      "key stays unreadable: `secrets status` counts it, and the secrets of those webhooks must be replaced"
  ),
  Command.withShortDescription("Use the database with another key, when its key is lost")
)

/** `secrets …` */
export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Encrypted values and the rotation of their key"),
  Command.withSubcommands([secretsStatus, reencrypt, adopt])
)
