/** What the commands have in common that move a team's records from and to files. */
import { Effect, Layer } from "effect"
import { Flag } from "effect/cli"
import * as App from "../App.ts"
import { asOperator } from "../auth/Operator.ts"
import { Database } from "../db/Database.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { FileRefused } from "../imports/Source.ts"
import { Jobs } from "../jobs/Jobs.ts"
import * as Environment from "../process/Environment.ts"
import * as Installation from "./Installation.ts"
import { inFlags } from "./Output.ts"

/** What a file holds. */
export const format = Flag.Literals("format", ["csv", "ndjson"]).pipe(
  Flag.withDescription("What the file holds (its name tells unless given)"),
  Flag.optional
)

/** What stands between the values of one cell. */
export const separator = Flag.String("separator").pipe(
  Flag.withDescription("One character between the values of one cell, such as tags; a backslash before it makes it a part of a value"),
  Flag.withDefault(";"),
  Flag.filter((text) => text.length === 1 && text !== "\\", () => "Must be one character, and not a backslash.")
)

const endings = { csv: /\.(?:csv|tsv|txt)(?:\.gz)?$/i, ndjson: /\.(?:ndjson|jsonl)(?:\.gz)?$/i } as const

/** The format of a file: the given one, else the one that its name tells. */
export const formatOf = (file: string, given: "csv" | "ndjson" | undefined) => {
  if (given !== undefined) return Effect.succeed(given)
  if (endings.csv.test(file)) return Effect.succeed("csv" as const)
  if (endings.ndjson.test(file)) return Effect.succeed("ndjson" as const)
  return Effect.fail(new FileRefused({ code: "invalid_request", detail: `--format: Say what ${file} holds: csv or ndjson.` }))
}

/** Runs `use` for the team of this id, given its UUID, with all use-cases on the database of this installation. */
export const inTeam = <A, E, R>(id: string, use: (team: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    // First, so that the one embedded Postgres serves both.
    const { app, databaseUrl } = yield* Environment.orEmbedded("attach")
    const team = yield* asOperator(Effect.flatMap(Teams, (teams) => teams.resolve(id))).pipe(
      inFlags(),
      Effect.provide(Installation.layer)
    )
    const services = App.layer(app).pipe(
      Layer.provideMerge(Jobs.layer),
      Layer.provideMerge(Database.layer({ url: databaseUrl, maxConnections: 2, applicationName: "property-network admin" }))
    )
    return yield* Effect.provide(use(team), services)
  }).pipe(Effect.scoped)
