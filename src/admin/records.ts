/** What the commands `import` and `export` share. */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { asOperator } from "../auth/Operator.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { FileRefused } from "../imports/Source.ts"
import * as Installation from "./Installation.ts"
import { withFlagNames } from "./Output.ts"

/** The format of a file. */
export const format = Flag.Literals("format", ["csv", "ndjson"]).pipe(
  Flag.withDescription("The format of the file (by default, from its name)"),
  Flag.optional
)

/** The separator between the values of one cell. */
export const separator = Flag.String("separator").pipe(
  Flag.withDescription(
    "The character between the values of one cell, such as tags. A backslash before it makes it part of a value"
  ),
  Flag.withDefault(";"),
  // A backslash escapes the separator, and \N means null.
  Flag.filter(
    (text) => text.length === 1 && !["\\", "N"].includes(text),
    () => "Must be one character, and neither a backslash nor N."
  )
)

const endings = { csv: /\.(?:csv|tsv|txt)(?:\.gz)?$/i, ndjson: /\.(?:ndjson|jsonl)(?:\.gz)?$/i } as const

/** The format of a file: the given one, or else the one of its file name extension. */
export const formatOf = (file: string, given: "csv" | "ndjson" | undefined) => {
  if (given !== undefined) return Effect.succeed(given)
  if (endings.csv.test(file)) return Effect.succeed("csv" as const)
  if (endings.ndjson.test(file)) return Effect.succeed("ndjson" as const)
  return Effect.fail(
    new FileRefused({ code: "invalid_request", detail: `--format: Is required for ${file}: csv or ndjson.` })
  )
}

/** Runs `use` with the UUID of the team with this id, and with all use-cases on the database of this installation. */
export const inTeam = <A, E, R>(id: string, use: (team: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { services } = yield* Installation.everything
    return yield* Effect.gen(function* () {
      const teams = yield* Teams
      return yield* use(yield* asOperator(teams.resolve(id)).pipe(withFlagNames()))
    }).pipe(Effect.provide(services))
  }).pipe(Effect.scoped)
