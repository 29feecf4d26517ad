/** What the commands have in common that move a team's records from and to files. */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { asOperator } from "../auth/Operator.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { FileRefused } from "../imports/Source.ts"
import * as Installation from "./Installation.ts"
import { inFlags } from "./Output.ts"

/** What a file holds. */
export const format = Flag.Literals("format", ["csv", "ndjson"]).pipe(
  Flag.withDescription("What the file holds (its name tells unless given)"),
  Flag.optional
)

/** What stands between the values of one cell. */
export const separator = Flag.String("separator").pipe(
  Flag.withDescription(
    "One character between the values of one cell, such as tags; a backslash before it makes it a part of a value"
  ),
  Flag.withDefault(";"),
  // A backslash keeps what follows from separating, and one with N is no value at all.
  Flag.filter(
    (text) => text.length === 1 && !["\\", "N"].includes(text),
    () => "Must be one character, and neither a backslash nor N."
  )
)

const endings = { csv: /\.(?:csv|tsv|txt)(?:\.gz)?$/i, ndjson: /\.(?:ndjson|jsonl)(?:\.gz)?$/i } as const

/** The format of a file: the given one, else the one that its name tells. */
export const formatOf = (file: string, given: "csv" | "ndjson" | undefined) => {
  if (given !== undefined) return Effect.succeed(given)
  if (endings.csv.test(file)) return Effect.succeed("csv" as const)
  if (endings.ndjson.test(file)) return Effect.succeed("ndjson" as const)
  return Effect.fail(
    new FileRefused({ code: "invalid_request", detail: `--format: Say what ${file} holds: csv or ndjson.` })
  )
}

/** Runs `use` for the team of this id, given its UUID, with all use-cases on the database of this installation. */
export const inTeam = <A, E, R>(id: string, use: (team: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { services } = yield* Installation.whole
    return yield* Effect.gen(function* () {
      const teams = yield* Teams
      return yield* use(yield* asOperator(teams.resolve(id)).pipe(inFlags()))
    }).pipe(Effect.provide(services))
  }).pipe(Effect.scoped)
