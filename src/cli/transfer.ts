/**
 * `import` and `export contacts|companies|links|mandates|properties`: the rows of a file as records of a team, and a team's records as a
 * file.
 */
import * as Id from "../core/Id.ts"
import * as Installation from "./Installation.ts"
import * as Import from "../transfer/Import.ts"
import * as Export from "../transfer/Export.ts"
import { Console, Effect, Option, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AuditDetails } from "../core/audit/AuditEntry.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { attempt, FileRefused, type Format, isKnown, isNamed, standard } from "../transfer/Source.ts"
import { Answered, AsJson, linesOf, print, printable, tableOf, withFlagNames } from "./Output.ts"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { type FileColumn, keyOf } from "../transfer/Columns.ts"
import { type Kind, membersOf, singular } from "../transfer/Members.ts"
import { pace } from "../transfer/Import.ts"
import { parseOptions } from "../transfer/CellOptions.ts"
import { type Causes, lineOfCause, listedCauses } from "../transfer/Receipt.ts"
import { teamFlag } from "./Command.ts"

/** The formats of files that exports write, too. */
export const tables = ["csv", "ndjson"] as const

/** The formats of files with contacts. */
const withCards = [...tables, "vcard"] as const

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

/** The format of a file, one of `formats`: the given one, or else the one of its file name extension. */
export const formatOf = <const F extends Format>(file: string, given: F | undefined, formats: ReadonlyArray<F>) => {
  const found = given ?? formats.find((format) => isNamed(format, file))
  if (found !== undefined) return Effect.succeed(found)
  return Effect.fail(
    new FileRefused({
      code: "invalid_request",
      detail: isNamed("vcard", file)
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

/** Records what was imported into a team (UUID), or exported from it, in the audit log. */
const recordTransfer = (teamId: string, action: "records.imported" | "records.exported", details: AuditDetails) =>
  Effect.flatMap(AuditLog, (log) =>
    log.record({ action, teamId, target: { type: "team", id: Id.fromUuid("team", teamId) }, details })
  )

// `import contacts|companies|links|mandates|properties`: the rows of a file as records of a team.

/** Rows of a file were rejected, as the answer says; all others are imported. */
class RowsFailed extends Answered {
  readonly code = "rows_failed"
  readonly detail = "Rows were rejected."
}

const repeated = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.atLeast(0))

const importFlags = {
  file: Argument.String("file").pipe(
    Argument.withDescription(
      "A CSV or NDJSON file, or for contacts a vCard file, gzipped if it ends with .gz; - is standard input"
    )
  ),
  team: teamFlag,
  map: repeated(
    "map",
    'member=Column: the column that contains a member, such as email="Work e-mail". May be repeated'
  ),
  ignore: repeated("ignore", "A column to skip. May be repeated"),
  ignoreUnknown: Flag.Boolean("ignore-unknown").pipe(
    Flag.withDescription("Skip unknown columns instead of rejecting the file"),
    Flag.withDefault(false)
  ),
  namespace: Flag.String("namespace").pipe(
    Flag.withDescription(
      "The namespace of other systems' ids, such as hubspot (by default, the export that was recognized: hubspot, pipedrive, salesforce, google or outlook)"
    ),
    Flag.optional
  ),
  format: format(tables),
  delimiter: Flag.String("delimiter").pipe(
    Flag.withDescription("The character between cells, or tab (detected from the header by default)"),
    Flag.optional
  ),
  encoding: Flag.String("encoding").pipe(
    Flag.withDescription(
      "The encoding of the file, such as windows-1250 (UTF-8, UTF-16 and western European Windows-1252 are detected)"
    ),
    Flag.filter(isKnown, () => "Must be the name of an encoding, such as utf-8, utf-16le or windows-1252."),
    Flag.optional
  ),
  separator,
  mapValue: repeated(
    "map-value",
    'COLUMN:value=meaning: what a value of a column means, such as "Use:Multifamily Housing=residential". May be repeated'
  ),
  values: Flag.String("values").pipe(
    Flag.withDescription("A CSV file with the columns column, from and to, each row like a --map-value"),
    Flag.optional
  ),
  keepRows: Flag.Boolean("keep-rows").pipe(
    Flag.withDescription(
      "Leave out a cell that is not valid, and import its row, unless the cell says which record the row is"
    ),
    Flag.withDefault(false)
  ),
  receipts: Flag.String("receipts").pipe(
    Flag.withDescription(
      "The file for the receipts (by default FILE.receipts.ndjson, or FILE.dry-run.ndjson for a dry run)"
    ),
    Flag.optional
  ),
  restore: Flag.Boolean("restore").pipe(
    Flag.withDescription("Restore a deleted record that a row names by its id, and then write the row"),
    Flag.withDefault(false)
  ),
  restart: Flag.Boolean("restart").pipe(
    Flag.withDescription("Start from the beginning, and replace existing receipts"),
    Flag.withDefault(false)
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Change nothing, and write receipts of what would happen"),
    Flag.withDefault(false)
  ),
  onDuplicate: Flag.Literals("on-duplicate", ["refuse", "update", "create"]).pipe(
    Flag.withDescription(
      "What becomes of a row that shares its e-mail address, domain, or name and country with a record of another name, or of another id in the same system: refuse it, update that record with it, or create another record"
    ),
    Flag.withDefault("refuse" as const)
  )
}

const linkCompanies = Flag.Boolean("link-companies").pipe(
  Flag.withDescription(
    "Contacts: link each with the company of its row, by reference, domain, or name and country. A company that is not found is created"
  ),
  Flag.withDefault(false)
)

const linkFlags = { linkCompanies }

const contactFlags = { ...importFlags, format: format(withCards) }

const ofColumn = "for the file, or as COLUMN=… for a column. May be repeated"

const countryFlags = {
  country: repeated("country", `The country of records whose row names none, such as DE, ${ofColumn}`)
}

const propertyFlags = {
  ...countryFlags,
  currency: repeated("currency", `The currency of amounts that name none, such as EUR, ${ofColumn}`),
  unit: repeated("unit", `The unit of areas that name none, such as sqft, ${ofColumn}: then any unit, such as TEUR`),
  scale: repeated("scale", `The scale of amounts that name none, such as thousand or million, ${ofColumn}`),
  per: repeated("per", `The period of rents that name none: month, quarter, year, or week (of 52), ${ofColumn}`),
  decimal: Flag.Literals("decimal", ["comma", "point"]).pipe(
    Flag.withDescription("The decimal separator, without which 1.250 is rejected: it can be 1250 or 1.25"),
    Flag.optional
  ),
  forceDecimal: Flag.Boolean("force-decimal").pipe(
    Flag.withDescription("Read 1,360 as 1.36 with --decimal comma, instead of rejecting it"),
    Flag.withDefault(false)
  )
}

type Given = Command.Command.Config.Infer<typeof contactFlags> &
  Partial<Command.Command.Config.Infer<typeof propertyFlags>> &
  Partial<Command.Command.Config.Infer<typeof linkFlags>>

const decimalOf = { comma: ",", point: "." } as const

/** What the description of a command says of its kind of records. */
const words: {
  readonly [K in Kind]: { readonly matches: string; readonly columns: string; readonly example: string }
} = {
  contacts: {
    matches: "id or reference, or e-mail address and name",
    columns:
      `${membersOf("contacts").join(", ")}, externalRefs.NAMESPACE. Variants such as first_name and "E-Mail", headers in six languages, and those of HubSpot, Pipedrive, Salesforce, Google and Outlook are known: docs/behaviour/known-exports.md. ` +
      "A vCard file (versions 2.1, 3.0 and 4.0) has the columns UID, N.given, N.family, EMAIL, TEL, LANG, CATEGORIES, LINKEDIN and PHOTO, and NOTE, ORG, TITLE, URL and ADR.country, which set nothing unless --map says so. ",
    example: 'crm.csv --team team_… --namespace crm --map externalId="CRM ID" --ignore-unknown'
  },
  companies: {
    matches: "id or reference, domain and name, or name and country",
    columns: `${membersOf("companies").join(", ")}, externalRefs.NAMESPACE. Variants such as legal_name and "Website", headers in six languages, and those of HubSpot, Pipedrive and Salesforce are known: docs/behaviour/known-exports.md. `,
    example: 'crm.csv --team team_… --namespace crm --map externalId="CRM ID" --ignore-unknown'
  },
  links: {
    matches: "id, reference, or contact and company",
    columns:
      `${membersOf("links").join(", ")}, externalRefs.NAMESPACE. contactId and companyId also take references (NAMESPACE:ID), ` +
      "e-mail addresses and domains; contact.email, contact.externalId, company.domain and company.externalId one of them each. ",
    example: "jobs.csv --team team_… --namespace crm --map contact.externalId=Person --map company.externalId=Account"
  },
  mandates: {
    matches: "id or reference",
    columns:
      "the paths of members, such as name, categories, investmentSize.min, investmentSize.max, investmentSize.currency, lettableArea.min, near.latitude, near.longitude, radius, geography, location, investor.contactId, externalRefs.NAMESPACE; " +
      "and headers such as Ticketgröße (Mio. €) with 5–25, Mindestfläche (m²), Nutzungsart, Standort and Investor: docs/behaviour/imports-and-exports.md has them. ",
    example: "mandates.csv --team team_… --namespace crm --map externalId=Mandate --currency EUR --ignore-unknown"
  },
  properties: {
    matches: "id or reference",
    columns:
      "the paths of members, such as name, address.street, lettableArea, pricing.askingPrice, pricing.askingPrice.currency, externalRefs.NAMESPACE; " +
      "names of the RESO Data Dictionary and of OpenImmo; and headers such as Kaufpreis (EUR) and Lettable area (sq ft): docs/behaviour/property-columns.md has all. " +
      "A number or percentage that can be read in two ways is rejected with its row, and so is a unit, a scale or a period that is not understood. ",
    example: "portfolio.csv --team team_… --namespace crm --map externalId=Objektnummer --currency EUR --ignore-unknown"
  }
}

/** The options for cells. The file of `--values` is read here. */
const cellOptionsOf = Effect.fnUntraced(function* (given: Given) {
  const path = Option.getOrUndefined(given.values)
  const values = path === undefined ? undefined : yield* attempt(path, () => readFile(path, "utf8"))
  const { country = [], currency = [], mapValue, per = [], scale = [], unit = [] } = given
  const parsed = parseOptions({ country, currency, per, scale, unit, mapValue, values })
  return Result.isSuccess(parsed)
    ? parsed.success
    : yield* new FileRefused({ code: "invalid_request", detail: parsed.failure })
})

const delimiterOf = (text: string | undefined) =>
  text === undefined || text.length === 1
    ? Effect.succeed(text)
    : text === "tab" || text === "\\t"
      ? Effect.succeed("\t")
      : Effect.fail(new FileRefused({ code: "invalid_request", detail: "--delimiter: Must be one character, or tab." }))

const receiptsOf = (file: string, given: string | undefined, dryRun: boolean) => {
  if (given !== undefined) {
    return resolve(given) === resolve(file)
      ? Effect.fail(new FileRefused({ code: "invalid_request", detail: "--receipts: Must not be the imported file." }))
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

/** What each column sets, or why it is left out. */
const describedColumns = (columns: ReadonlyArray<FileColumn>) =>
  columns.map(({ leftOut, name, targets }) => ({
    column: name,
    members: targets.map(keyOf),
    ...(leftOut === undefined ? {} : { leftOut })
  }))

const printColumns = (columns: ReadonlyArray<FileColumn>) => {
  const rows = columns.map(({ leftOut, name, targets }) => [
    `  ${name}`,
    leftOut === undefined ? `→ ${targets.map(keyOf).join(", ")}` : `left out: ${leftOut}`
  ])
  return rows.length === 0 ? Effect.void : Console.error(["Columns:", ...tableOf(rows)].join("\n"))
}

// How many causes are shown; the receipts contain all rows.
const maxShown = 20

const printCauses = (title: string, causes: Causes, receipts: string) => {
  const all = listedCauses(causes)
  if (all.length === 0) return Effect.void
  const lines = all.slice(0, maxShown).map((cause) => `  ${printable(lineOfCause(cause))}`)
  const rest = all.slice(maxShown).reduce((sum, { count }) => sum + count, causes.others)
  const more = rest === 0 ? [] : [`  and ${rest} for other reasons: see ${receipts}`]
  return Console.error([title, ...lines, ...more].join("\n"))
}

const importFile = (kind: Kind) =>
  Effect.fnUntraced(function* ({ decimal = Option.none(), forceDecimal = false, ...given }: Given) {
    const format = yield* formatOf(
      given.file,
      Option.getOrUndefined(given.format),
      kind === "contacts" ? withCards : tables
    )
    const receipts = yield* receiptsOf(given.file, Option.getOrUndefined(given.receipts), given.dryRun)
    const delimiter = yield* delimiterOf(Option.getOrUndefined(given.delimiter))
    const cells = yield* cellOptionsOf(given)
    if (forceDecimal && Option.isNone(decimal)) {
      return yield* new FileRefused({ code: "invalid_request", detail: "--force-decimal needs --decimal." })
    }
    const outcome = yield* inTeam(given.team, (team) =>
      Import.run({
        kind,
        team,
        path: given.file,
        format,
        delimiter,
        encoding: Option.getOrUndefined(given.encoding),
        separator: given.separator,
        cells,
        ...cells.defaults,
        keepRows: given.keepRows,
        linkCompanies: given.linkCompanies === true,
        forceDecimal,
        decimal: Option.getOrUndefined(Option.map(decimal, (name) => decimalOf[name])),
        map: given.map,
        ignore: given.ignore,
        ignoreUnknown: given.ignoreUnknown,
        namespace: Option.getOrUndefined(given.namespace),
        receipts,
        restart: given.restart,
        dryRun: given.dryRun,
        onDuplicate: given.onDuplicate,
        restore: given.restore,
        onColumns: printColumns
      }).pipe(
        Effect.tap(({ counts }) =>
          given.dryRun
            ? Effect.void
            : recordTransfer(team, "records.imported", {
                kind,
                format,
                count: counts.rows - counts.failed,
                failed: counts.failed
              })
        )
      )
    )
    const { before, columns, counts, links, seconds, summary } = outcome
    if (before > 0) yield* Console.error(`Continued after ${before} rows that an earlier run imported.`)
    yield* printCauses("Cells that were left out, or read in part:", summary.reported, receipts)
    yield* printCauses("Rejected rows, by cause:", summary.refused, receipts)
    yield* Console.error(pace(counts.rows - before, seconds))
    const ofLinks =
      given.linkCompanies === true
        ? {
            linksCreated: links.created,
            linksUpdated: links.updated,
            linksUnchanged: links.unchanged,
            notLinked: links.failed,
            companiesCreated: links.newCompanies
          }
        : {}
    const answer = { ...(given.dryRun ? { dryRun: true } : {}), ...counts, ...ofLinks, receipts }
    yield* print(
      {
        ...answer,
        columns: describedColumns(columns),
        reported: listedCauses(summary.reported),
        causes: listedCauses(summary.refused)
      },
      // The columns and causes are on standard error.
      () => linesOf(answer)
    )
    if (counts.failed > 0) return yield* new RowsFailed()
  })

const described = <Name extends string, Input, E, R, Inherited>(
  kind: Kind,
  command: Command.Command<Name, Input, Inherited, E, R>
) =>
  command.pipe(
    Command.withDescription(
      `Import ${kind}. A row updates the ${singular[kind]} with the same ${words[kind].matches}, and creates a new one if there is none. ` +
        "The second row of one record is rejected unless it says the same. " +
        "All rows that can be are imported, and the command exits with 1 if a row was rejected. " +
        `Columns: ${words[kind].columns}` +
        "An empty cell keeps the value, \\N clears it, and ; separates several values. " +
        "To continue an interrupted import, run the same command again."
    ),
    Command.withShortDescription(`Import ${kind} from a CSV or NDJSON file${kind === "contacts" ? ", or vCards" : ""}`),
    Command.withExamples([
      { command: `import ${kind} ${kind}.csv --team team_… --dry-run` },
      { command: `import ${kind} ${words[kind].example}` }
    ])
  )

/** `import …` */
export const importing = Command.make("import").pipe(
  Command.withDescription("Import records from a file, creating new and updating existing ones"),
  Command.withSubcommands([
    described("contacts", Command.make("contacts", { ...contactFlags, ...linkFlags }, importFile("contacts"))),
    described("companies", Command.make("companies", { ...importFlags, ...countryFlags }, importFile("companies"))),
    described("links", Command.make("links", importFlags, importFile("links"))),
    described("mandates", Command.make("mandates", { ...importFlags, ...propertyFlags }, importFile("mandates"))),
    described("properties", Command.make("properties", { ...importFlags, ...propertyFlags }, importFile("properties")))
  ])
)

// `export contacts|companies|links|mandates|properties`: a team's records as a file.

const exportFlags = {
  file: Argument.String("file").pipe(
    Argument.withDescription(
      "The output file, gzipped if it ends with .gz, and replaced when the export is complete; - is standard output"
    )
  ),
  team: teamFlag,
  format: format(tables),
  separator,
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
  Command.make(kind, exportFlags, (given) =>
    Effect.gen(function* () {
      const { file } = given
      const format = yield* formatOf(file, Option.getOrUndefined(given.format), tables)
      const { before, rows, seconds } = yield* inTeam(given.team, (team) =>
        Export.run({
          kind,
          team,
          path: file,
          format,
          separator: given.separator,
          bom: given.bom,
          restart: given.restart
        }).pipe(Effect.tap(({ rows }) => recordTransfer(team, "records.exported", { kind, format, count: rows })))
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
