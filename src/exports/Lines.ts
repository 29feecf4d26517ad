/** Writes records as lines that an import can read. Pure. */
import { stringify } from "csv-stringify/sync"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import * as Cells from "../imports/Cells.ts"
import { type Kind, membersOf } from "../imports/Members.ts"
import * as PropertyColumns from "../imports/PropertyColumns.ts"
import { propertyKinds } from "../properties/Property.ts"

/** The format of a file. */
export interface Writing {
  readonly kind: Kind
  readonly format: "csv" | "ndjson"
  /** The character between the values of one cell. */
  readonly separator: string
}

const isRef = (value: unknown): value is ExternalRef =>
  typeof value === "object" && value !== null && "namespace" in value

const phoneMembers: ReadonlySet<string> = new Set(["phone"])

const cellOf = (member: string, value: unknown, separator: string): string => {
  if (!Array.isArray(value)) {
    const text = typeof value === "string" ? value : null
    return phoneMembers.has(member) ? Cells.ofPhone(text) : Cells.ofText(text)
  }
  const texts = (value as ReadonlyArray<unknown>).map((one) =>
    isRef(one) ? `${one.namespace}:${one.externalId}` : String(one)
  )
  return Cells.ofList(texts, separator)
}

const csvOf = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
  // Also quotes the delimiters that spreadsheets may assume instead of the comma.
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: "\n", quoted_match: /[\r\n;\t]/ }
  )

/** The header, if the format has one. */
export const headOf = ({ format, kind }: Writing): string => (format === "csv" ? csvOf([membersOf(kind)]) : "")

const propertyMembers = Object.keys(propertyKinds).filter((member) => member !== "projectIds")

/** The lines of properties: in CSV, a cell for each scalar; in NDJSON, items of the API. */
const propertyLinesOf = (format: Writing["format"], separator: string, records: ReadonlyArray<object>): string => {
  const refsOf = (record: object) => cellOf("externalRefs", record["externalRefs" as never], separator)
  if (format === "csv") {
    return csvOf(records.map((record) => [...PropertyColumns.write(record, separator), refsOf(record)]))
  }
  return records
    .map((record) => {
      const members = ["id", ...propertyMembers, "externalRefs"].map((member) => [member, record[member as never]])
      return `${JSON.stringify(Object.fromEntries(members))}\n`
    })
    .join("")
}

/** The lines of records. */
export const linesOf = ({ format, kind, separator }: Writing, records: ReadonlyArray<object>): string => {
  if (kind === "properties") return propertyLinesOf(format, separator, records)
  const members = membersOf(kind)
  const valuesOf = (record: object): ReadonlyArray<unknown> => {
    const values = new Map<string, unknown>(Object.entries(record))
    return members.map((member) => values.get(member) ?? null)
  }
  return format === "csv"
    ? csvOf(
        records.map((record) => valuesOf(record).map((value, index) => cellOf(members[index] ?? "", value, separator)))
      )
    : records
        .map((record) => {
          const values = valuesOf(record)
          return `${JSON.stringify(Object.fromEntries(members.map((member, index) => [member, values[index]])))}\n`
        })
        .join("")
}
