/** Writes records as lines that an import can read. Pure. */
import { stringify } from "csv-stringify/sync"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import * as Cells from "../imports/cells/Cells.ts"
import { writeCell } from "../imports/cells/readers.ts"
import { isMeasured, type Kind, membersOf } from "../imports/Members.ts"
import * as PropertyItems from "../imports/properties/items.ts"

/** The format of a file. */
export interface Writing {
  readonly kind: Kind
  readonly format: "csv" | "ndjson"
  /** The character between the values of one cell. */
  readonly separator: string
  /** Whether a file of CSV begins with a byte order mark, by which spreadsheets know that it is UTF-8. */
  readonly bom?: boolean
}

const isRef = (value: unknown): value is ExternalRef =>
  typeof value === "object" && value !== null && "namespace" in value

const cellOf = (member: string, value: unknown, separator: string): string => {
  if (!Array.isArray(value)) {
    return writeCell(member, typeof value === "string" ? value : null)
  }
  const texts = (value as ReadonlyArray<unknown>).map((one) =>
    isRef(one) ? `${one.namespace}:${one.externalId}` : String(one)
  )
  return Cells.ofList(texts, separator)
}

const valuesOf = (record: object, members: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const values = new Map<string, unknown>(Object.entries(record))
  return members.map((member) => values.get(member) ?? null)
}

/** A mandate without the outline of its place, if that is a circle: an import takes one of both. */
const withoutOutline = (record: object): object => {
  if (!("near" in record) || record.near === null || !("geography" in record)) return record
  const { geography: _geography, ...rest } = record
  return rest
}

/** The members of a record as JSON. */
const documentOf = (kind: Kind, record: object): object => {
  const members = isMeasured(kind) ? [...PropertyItems.exported(kind), "externalRefs"] : membersOf(kind)
  const values = valuesOf(record, members)
  const document = Object.fromEntries(members.map((member, index) => [member, values[index]]))
  return kind === "mandates" ? withoutOutline(document) : document
}

/** The cells of a record, in the order of the columns of its kind. */
const cellsOf = (kind: Kind, record: object, separator: string): ReadonlyArray<string> => {
  const cellsOfMembers = (members: ReadonlyArray<string>) =>
    valuesOf(record, members).map((value, index) => cellOf(members[index] ?? "", value, separator))
  return isMeasured(kind)
    ? [...PropertyItems.cellsOf(kind, record, separator), ...cellsOfMembers(["externalRefs"])]
    : cellsOfMembers(membersOf(kind))
}

const csvOf = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
  // Also quotes the separators that spreadsheets may assume instead of the comma, and all that may be taken for a line break.
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: "\n", quoted_match: /[;|\t\r\n\v\f\u0085\u2028\u2029]/ }
  )

/** The header, if the format has one. */
export const headOf = ({ bom = false, format, kind }: Writing): string =>
  format === "csv" ? `${bom ? "\uFEFF" : ""}${csvOf([membersOf(kind)])}` : ""

/** The lines of records. */
export const linesOf = ({ format, kind, separator }: Writing, records: ReadonlyArray<object>): string => {
  if (format === "csv") {
    return csvOf(
      records.map((record) => cellsOf(kind, kind === "mandates" ? withoutOutline(record) : record, separator))
    )
  }
  return records.map((record) => `${JSON.stringify(documentOf(kind, record))}\n`).join("")
}
