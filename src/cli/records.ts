/** What the commands `import` and `export` share. */
import * as Installation from "./Installation.ts"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { FileRefused } from "../transfer/imports/Source.ts"
import { withFlagNames } from "./Output.ts"

/** The formats of files that exports write, too. */
export const tables = ["csv", "ndjson"] as const

/** The formats of files with contacts. */
export const withCards = [...tables, "vcard"] as const

/** The format of a file, one of these. */
export const format = <const Formats extends ReadonlyArray<Format>>(formats: Formats) =>
  Flag.Literals("format", formats).pipe(
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

const endings = {
  csv: /\.(?:csv|tsv|txt)(?:\.gz)?$/i,
  ndjson: /\.(?:ndjson|jsonl)(?:\.gz)?$/i,
  vcard: /\.(?:vcf|vcard)(?:\.gz)?$/i
} as const

type Format = keyof typeof endings

/** The format of a file, one of `formats`: the given one, or else the one of its file name extension. */
export const formatOf = <const F extends Format>(file: string, given: F | undefined, formats: ReadonlyArray<F>) => {
  const found = given ?? formats.find((format) => endings[format].test(file))
  if (found !== undefined) return Effect.succeed(found)
  return Effect.fail(
    new FileRefused({
      code: "invalid_request",
      detail: endings.vcard.test(file)
        ? `${file}: vCard files are contacts. Use import contacts.`
        : `--format: Is required for ${file}: ${formats.join(", ").replace(/, (?=\w+$)/, " or ")}.`
    })
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
