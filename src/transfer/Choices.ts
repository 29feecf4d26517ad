/** What the choices of a person say of the columns of a file that they import in the console. Pure. */
import { Result } from "effect"
import { parseOptions } from "./CellOptions.ts"
import {
  columnOf,
  columnsOf,
  type FileColumn,
  isExternalId,
  keyOf,
  namesOf,
  parseMapping,
  type Why
} from "./Columns.ts"
import { type Choices, type ConsoleImport, noChoices } from "./ConsoleImport.ts"
import type { Kind } from "./Members.ts"
import type { ReadOptions } from "./Rows.ts"
import { type Format, isNamed } from "./Source.ts"
import { systemOf } from "./systems.ts"

/** The member of a column that is left out. */
export const ignored = "-"

/** The format of a file by its name; undefined if files of a kind have none of that name. */
export const formatOf = (kind: Kind, fileName: string): Format | undefined =>
  (["csv", "ndjson", ...(kind === "contacts" ? (["vcard"] as const) : [])] as const).find((format) =>
    isNamed(format, fileName)
  )

const decimals = { comma: ",", point: "." } as const

/** How a file is read. The failure is a message for the person. */
export const readingOf = (kind: Kind, format: Format, choices: Choices): Result.Result<ReadOptions, string> =>
  Result.map(
    parseOptions({
      country: choices.country === undefined ? [] : [choices.country],
      currency: choices.currency === undefined ? [] : [choices.currency],
      unit: [],
      scale: [],
      per: [],
      mapValue: [],
      values: undefined
    }),
    (cells): ReadOptions => ({
      kind,
      format,
      delimiter: undefined,
      separator: ";",
      cells,
      ...cells.defaults,
      decimal: choices.decimal === undefined ? undefined : decimals[choices.decimal],
      keepRows: choices.keepRows,
      linkCompanies: choices.linkCompanies,
      map: Object.entries(choices.columns).flatMap(([name, member]) =>
        member === ignored ? [] : [`${member}=${name}`]
      ),
      ignore: Object.entries(choices.columns).flatMap(([name, member]) => (member === ignored ? [name] : [])),
      ignoreUnknown: true,
      namespace: choices.namespace
    })
  )

/** A column of a file: what it sets, and what the first row has there. */
export interface ReadColumn {
  readonly name: string
  readonly members: ReadonlyArray<string>
  readonly example: string
  /** Why it is left out; `no_member`: what was chosen for it is none of this kind. */
  readonly why?: Why | "no_member"
}

/** The columns of a file with these choices, and why it cannot be read so. */
export const columnsWith = (
  { format, header, kind }: Pick<ConsoleImport, "format" | "header" | "kind">,
  choices: Choices
): { readonly columns: ReadonlyArray<ReadColumn>; readonly refusal?: string } => {
  const names = namesOf(header.names)
  const reading = readingOf(kind, format, choices)
  const found = Result.flatMap(reading, (options) => columnsOf(options, header.names))
  // Where the whole is refused, each column says what it is by itself.
  const alone = (name: string, written: string): Pick<FileColumn, "targets"> & { readonly why?: ReadColumn["why"] } => {
    const member = choices.columns[name]
    const mapping = {
      kind,
      map: member === undefined || member === ignored ? [] : [`${member}=${name}`],
      ignore: member === ignored ? [name] : [],
      ignoreUnknown: true,
      linkCompanies: choices.linkCompanies,
      namespace: choices.namespace,
      system: systemOf(header.names)
    }
    const parsed = parseMapping(mapping)
    if (Result.isFailure(parsed))
      return { targets: [], why: member !== undefined && isExternalId(mapping, member) ? "no_system" : "no_member" }
    return columnOf(mapping, parsed.success, name, written) ?? { targets: [] }
  }
  const columns = names.map((name, index): ReadColumn => {
    const { targets, why } =
      (Result.isSuccess(found) ? found.success[index] : undefined) ?? alone(name, header.names[index]?.trim() ?? "")
    return {
      name,
      members: targets.map(keyOf),
      example: header.example[index] ?? "",
      ...(why === undefined ? {} : { why })
    }
  })
  return Result.isSuccess(found) ? { columns } : { columns, refusal: found.failure }
}

/**
 * The choices with which the page of an import begins: where a file of contacts says where they work, they are linked with these
 * companies, or the columns would set nothing.
 */
export const firstChoices = (shown: Pick<ConsoleImport, "format" | "header" | "kind">): Choices => ({
  ...noChoices,
  linkCompanies:
    shown.kind === "contacts" &&
    (shown.format === "vcard" || columnsWith(shown, noChoices).columns.some(({ why }) => why === "link"))
})
