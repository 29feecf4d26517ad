/** `export contacts|companies|links|mandates|properties`: a team's records as a file. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Export from "../transfer/exports/Export.ts"
import { type Kind, membersOf } from "../transfer/imports/Members.ts"
import { pace } from "../transfer/imports/Progress.ts"
import { standard } from "../transfer/imports/Source.ts"
import { team } from "./flags.ts"
import { AsJson, linesOf, print } from "./Output.ts"
import * as Records from "./records.ts"

const flags = {
  file: Argument.String("file").pipe(
    Argument.withDescription(
      "The output file, gzipped if it ends with .gz, and replaced when the export is complete; - is standard output"
    )
  ),
  team,
  format: Records.format(Records.tables),
  separator: Records.separator,
  bom: Flag.Boolean("bom").pipe(
    Flag.withDescription("Begin a CSV file with a byte order mark, so that Excel reads it as UTF-8"),
    Flag.withDefault(false)
  ),
  restart: Flag.Boolean("restart").pipe(
    Flag.withDescription("Start from the beginning instead of continuing an interrupted export"),
    Flag.withDefault(false)
  )
}

const withKind = (kind: Kind) =>
  Command.make(kind, flags, (given) =>
    Effect.gen(function* () {
      const { file } = given
      const format = yield* Records.formatOf(file, Option.getOrUndefined(given.format), Records.tables)
      const { before, rows, seconds } = yield* Records.inTeam(given.team, (team) =>
        Export.run({
          kind,
          team,
          path: file,
          format,
          separator: given.separator,
          bom: given.bom,
          restart: given.restart
        })
      )
      if (before > 0) yield* Console.error(`Continued after ${before} rows that an earlier run wrote.`)
      yield* Console.error(pace(rows - before, seconds))
      const answer = { rows, file }
      if (file !== standard) return yield* print(answer)
      // Standard output contains the export.
      yield* Console.error((yield* AsJson) ? JSON.stringify(answer) : linesOf(answer).join("\n"))
    })
  ).pipe(
    Command.withDescription(
      `Export all ${kind} in the order of their creation, with ${
        kind === "properties"
          ? "a column for each member, such as lettableArea and pricing.askingPrice"
          : `the columns ${membersOf(kind).join(", ")}`
      }: \`import\` reads the file. ` +
        "In a CSV file, a value that looks like a formula is prefixed with an apostrophe, which `import` removes. " +
        "To continue an interrupted export, run the same command again."
    ),
    Command.withShortDescription(`Export ${kind} to a CSV or NDJSON file`),
    Command.withExamples([
      { command: `export ${kind} ${kind}.csv --team team_…` },
      { command: `export ${kind} - --format ndjson --team team_…` }
    ])
  )

/** `export …` */
export const exporting = Command.make("export").pipe(
  Command.withDescription("Export records to a file"),
  Command.withSubcommands([
    withKind("contacts"),
    withKind("companies"),
    withKind("links"),
    withKind("mandates"),
    withKind("properties")
  ])
)
