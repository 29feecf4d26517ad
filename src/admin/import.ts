/** `import contacts|companies`: the rows of a file as records of a team. */
import { Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import * as Import from "../imports/Import.ts"
import { type Kind, membersOf, singular } from "../imports/Members.ts"
import { pace } from "../imports/Progress.ts"
import { FileRefused, standard } from "../imports/Source.ts"
import { team } from "./flags.ts"
import { print } from "./Output.ts"
import * as Records from "./records.ts"

/** What `--strict` fails with. */
class RowsFailed extends Data.TaggedError("RowsFailed")<{ readonly code: string; readonly detail: string }> {}

const repeated = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

const flags = {
  file: Argument.String("file").pipe(
    Argument.withDescription("A CSV or NDJSON file in UTF-8, gzipped if it ends with .gz; - is standard input")
  ),
  team,
  map: repeated(
    "map",
    'member=Column: which column of the file a member is in, such as email="Work e-mail"; repeat it for more members'
  ),
  ignore: repeated("ignore", "A column that is not imported; repeat it for more columns"),
  ignoreUnknown: Flag.Boolean("ignore-unknown").pipe(
    Flag.withDescription("Leave out all columns that no member has, in place of refusing the file"),
    Flag.withDefault(false)
  ),
  namespace: Flag.String("namespace").pipe(
    Flag.withDescription("The system that the column externalId has the ids of, such as hubspot"),
    Flag.optional
  ),
  format: Records.format,
  delimiter: Flag.String("delimiter").pipe(
    Flag.withDescription("Between the cells: one character, or tab (the header tells unless given)"),
    Flag.optional
  ),
  separator: Records.separator,
  receipts: Flag.String("receipts").pipe(
    Flag.withDescription(
      "Where the receipts go (FILE.receipts.ndjson unless given; of a dry run, FILE.dry-run.ndjson)"
    ),
    Flag.optional
  ),
  restart: Flag.Boolean("restart").pipe(
    Flag.withDescription("Start from the beginning, and replace existing receipts"),
    Flag.withDefault(false)
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription(
      "Change nothing; the receipts say what would happen. 100 rows at a time are tried against the records that are there, so that a row knows nothing of rows far before it"
    ),
    Flag.withDefault(false)
  ),
  strict: Flag.Boolean("strict").pipe(
    Flag.withDescription("End with 1 when a row was refused; all others are imported all the same"),
    Flag.withDefault(false)
  )
}

const delimiterOf = (text: string | undefined) =>
  text === undefined || text.length === 1
    ? Effect.succeed(text)
    : text === "tab" || text === "\\t"
      ? Effect.succeed("\t")
      : Effect.fail(new FileRefused({ code: "invalid_request", detail: "--delimiter: Must be one character, or tab." }))

const receiptsOf = (file: string, given: string | undefined, dryRun: boolean) => {
  if (given !== undefined) {
    return resolve(given) === resolve(file)
      ? Effect.fail(
          new FileRefused({ code: "invalid_request", detail: "--receipts: Must not be the file that is imported." })
        )
      : Effect.succeed(given)
  }
  return file === standard
    ? Effect.fail(
        new FileRefused({
          code: "invalid_request",
          detail: "--receipts is required with standard input: it names the file of the receipts."
        })
      )
    : Effect.succeed(`${file}.${dryRun ? "dry-run" : "receipts"}.ndjson`)
}

const tellBad = Effect.fnUntraced(function* ({ bad, counts }: Import.Outcome, receipts: string) {
  if (bad.length === 0) return
  const lines = bad.map(({ line, problem }) => `  line ${line}: ${problem?.detail ?? ""}`)
  const rest = counts.failed > bad.length ? [`  and ${counts.failed - bad.length} more: see ${receipts}`] : []
  yield* Console.error([`Rows that were refused:`, ...lines, ...rest].join("\n"))
})

const withKind = (kind: Kind) =>
  Command.make(kind, flags, (given) =>
    Effect.gen(function* () {
      const format = yield* Records.formatOf(given.file, Option.getOrUndefined(given.format))
      const receipts = yield* receiptsOf(given.file, Option.getOrUndefined(given.receipts), given.dryRun)
      const delimiter = yield* delimiterOf(Option.getOrUndefined(given.delimiter))
      const outcome = yield* Records.inTeam(given.team, (team) =>
        Import.run({
          kind,
          team,
          path: given.file,
          format,
          delimiter,
          separator: given.separator,
          map: given.map,
          ignore: given.ignore,
          ignoreUnknown: given.ignoreUnknown,
          namespace: Option.getOrUndefined(given.namespace),
          receipts,
          restart: given.restart,
          dryRun: given.dryRun
        })
      )
      const { before, counts, seconds } = outcome
      if (before > 0) yield* Console.error(`Went on after ${before} rows that have been imported before.`)
      yield* tellBad(outcome, receipts)
      yield* Console.error(pace(counts.rows - before, seconds))
      yield* print({ ...(given.dryRun ? { dryRun: true } : {}), ...counts, receipts })
      if (given.strict && counts.failed > 0) {
        return yield* new RowsFailed({
          code: "rows_failed",
          detail: `${counts.failed} of ${counts.rows} rows were refused: see ${receipts}.`
        })
      }
    })
  ).pipe(
    Command.withDescription(
      `Import ${kind}: a row is taken for the ${singular[kind]} of the same id, reference ${
        kind === "contacts" ? "or e-mail address" : ", domain, or name and country"
      }, and makes a new one when there is none. ` +
        `Columns are called ${membersOf(kind).join(", ")}, or externalRefs.NAMESPACE; first_name, "E-Mail" and the like are understood. ` +
        "An empty cell leaves a member as it is, \\N clears it; several values are separated by ;. " +
        "To continue an interrupted import, run the same command again."
    ),
    Command.withShortDescription(`Import ${kind} from a CSV or NDJSON file`),
    Command.withExamples([
      { command: `import ${kind} ${kind}.csv --team team_… --dry-run` },
      {
        command: `import ${kind} crm.csv --team team_… --namespace hubspot --map externalId="Record ID" --ignore-unknown`
      }
    ])
  )

/** `import …` */
export const importing = Command.make("import").pipe(
  Command.withDescription("Import records from a file; what is there already is brought up to date"),
  Command.withSubcommands([withKind("contacts"), withKind("companies")])
)
