/** What the choices of a person say of the columns of a file that they import in the console. Pure. */
import { Result } from "effect"
import { parseOptions } from "./CellOptions.ts"
import { columnsOf, keyOf, type Mapping, namesOf, unmatched } from "./Columns.ts"
import type { Choices, ConsoleImport } from "./ConsoleImport.ts"
import type { Kind } from "./Members.ts"
import type { ReadOptions } from "./Rows.ts"
import { type Format, isNamed } from "./Source.ts"

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
  /** Whether nothing says what it is, and nobody has left it out. */
  readonly isUnknown: boolean
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
  const alone = (name: string) => {
    const mapping: Mapping = { kind, map: [], ignore: [], ignoreUnknown: true, namespace: choices.namespace }
    return Result.getOrUndefined(columnsOf(mapping, [name]))?.[0]
  }
  const columns = names.map((name, index): ReadColumn => {
    const column = Result.isSuccess(found) ? found.success[index] : alone(name)
    const members = (column?.targets ?? []).map(keyOf)
    const isUnknown = column?.leftOut === unmatched && choices.columns[name] === undefined
    return { name, members, isUnknown, example: header.example[index] ?? "" }
  })
  return Result.isSuccess(found) ? { columns } : { columns, refusal: found.failure }
}
