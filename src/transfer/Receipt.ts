/** Receipts: the results of rows, and what a run says of them at its end. Pure. docs/behaviour/imports-and-exports.md#receipts-file */
import type { RowCode } from "./rowCodes.ts"
import * as Cells from "./cells.ts"
import type * as Employments from "./Employments.ts"
import { Predicate, Result } from "effect"
import type { Cause, Counts } from "./ConsoleImport.ts"
import type { RowReceipt } from "../core/records/UpsertRecords.ts"
import type { FileColumn } from "./Columns.ts"
import type { RowError } from "./Items.ts"
import type { Row } from "./Rows.ts"

/** The reason why a row failed. Some problems have further members, such as the `candidates` of a duplicate. */
export interface RowProblem extends RowError {
  readonly [member: string]: unknown
}

/** The receipt of one row. */
export interface Receipt {
  /** The first line of the row in the file, from 1. */
  readonly line: number
  readonly status: "created" | "updated" | "unchanged" | "failed"
  /** The id of the record; null without one. */
  readonly id: string | null
  readonly problem?: RowProblem
  /** By what people know a row that failed: a name, or the first of what it has. */
  readonly row?: string
  /** The records and lines that the row looks like, for which it was refused, or in spite of which it was written. */
  readonly duplicateOf?: NonNullable<RowReceipt["duplicateOf"]>
  /** What became of the company of the contact, with `--link-companies`. */
  readonly link?: {
    readonly status: Employments.Linked["status"]
    /** The ids of the link and the company; null without one. */
    readonly id: string | null
    readonly companyId: string | null
  }
  /** The cells that were left out, or read in part. */
  readonly reported?: ReadonlyArray<Cells.Remark>
}

/** The counts of no rows. */
export const noCounts: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, duplicate: 0, repeated: 0 }

/** Adds receipts to the counts. */
export const countedReceipts = (
  counts: Counts,
  receipts: ReadonlyArray<Pick<Receipt, "problem" | "status">>
): Counts => {
  const next = { ...counts }
  for (const { problem, status } of receipts) {
    next.rows++
    next[status]++
    if (problem?.code === "duplicate") next.duplicate++
    if (problem?.code === "repeated_row") next.repeated++
  }
  return next
}

/** The rows that have records, for those after them (EarlierRows.ts). */
export const receiptLinesOf = (
  receipts: ReadonlyArray<Receipt>
): ReadonlyArray<{ readonly line: number; readonly id: string }> =>
  receipts.flatMap(({ id, line, status }) => (status === "failed" || id === null ? [] : [{ line, id }]))

/** The receipt of a contact, with what became of its company. */
export const receiptWithLink = (receipt: Receipt, linked: Employments.Linked | undefined): Receipt => {
  if (linked === undefined) return receipt
  const { companyId, id, remark, status } = linked
  return {
    ...receipt,
    link: { status, id, companyId },
    ...(remark === undefined ? {} : { reported: [...(receipt.reported ?? []), remark] })
  }
}

const reportedOf = ({ reported }: Pick<Row, "reported">) => (reported.length === 0 ? {} : { reported })

/** The members by which people know records, those that say most first. */
const nameMembers: ReadonlyArray<ReadonlyArray<string>> = [["firstName", "lastName"], ["name"], ["domain"], ["email"]]

/** How many cells stand for a row without a name. */
const cellsOfRow = 2

/** By what people know a row: its name, or the first of what it has. */
const knownAs = (
  { cells = [], item }: Pick<Row, "cells" | "item">,
  { positions }: Header
): { readonly row?: string } => {
  const fields = Result.getOrUndefined(item)
  const valueOf = (member: string): string => {
    const value =
      fields?.[member] ?? (positions.get(member) ?? []).map((one) => cells[one] ?? "").find((one) => one.trim() !== "")
    return typeof value === "string" ? value.trim() : ""
  }
  const [named] = nameMembers
    .map((members) => members.map(valueOf).filter((value) => value !== ""))
    .filter((one) => one.length > 0)
  const known =
    named?.join(" ") ??
    cells
      .filter((cell) => !Cells.isEmpty(cell))
      .slice(0, cellsOfRow)
      .join(", ")
  return known === "" ? {} : { row: Cells.shortened(known) }
}

/** The receipt of a row that was refused before the upsert. */
export const receiptOfRefused = (
  row: Pick<Row, "cells" | "item" | "line" | "reported">,
  problem: RowError,
  header: Header
): Receipt => ({
  line: row.line,
  status: "failed",
  id: null,
  ...knownAs(row, header),
  problem: { ...problem },
  ...reportedOf(row)
})

// Members of a problem that describe an HTTP response, and no row.
const responseMembers: ReadonlySet<string> = new Set(["type", "title", "status", "requestId"])

const inRow = (pointer: string): string => pointer.replace(/^\/items\/\d+/, "")

/** The columns of a file, and those of each member: `positionsOf` in Columns.ts. */
export interface Header {
  readonly columns: ReadonlyArray<FileColumn>
  readonly positions: ReadonlyMap<string, ReadonlyArray<number>>
}

/** The cell of the member at a pointer, or of the one that it is part of. */
const cellAt = (pointer: string, { columns, positions }: Header, cells: ReadonlyArray<string>) => {
  for (let path = pointer.split("/").slice(1); path.length > 0; path = path.slice(0, -1)) {
    const [first, ...others] = positions.get(path.join(".")) ?? []
    if (first === undefined) continue
    // Of several columns, the first that is filled counts.
    const index = [first, ...others].find((one) => (cells[one] ?? "").trim() !== "") ?? first
    return { column: columns[index]?.name, value: cells[index] ?? "" }
  }
  return undefined
}

const textOfMember = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)

const valueAt = (pointer: string, item: unknown): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) => (Predicate.isObject(value) ? new Map(Object.entries(value)).get(name) : undefined),
      item
    )

/** What a row looks like, for people. `id` is the record that it means. */
const looksLike = (others: NonNullable<RowReceipt["duplicateOf"]>, id: string | null): string => {
  const named = others.map(({ id, line }) =>
    line === undefined ? id : id === undefined ? `line ${line}` : `${id} (line ${line})`
  )
  if (id !== null) {
    return (
      `Means ${id}, but also looks like ${named.join(", ")}. ` +
      "Correct the row, merge the two records, or choose --on-duplicate create to keep them apart."
    )
  }
  return (
    `Looks like ${named.join(", ")}, but has another name, or another id in the same system. ` +
    `Give the row the id of the record that it means, or choose --on-duplicate ${named.length > 1 ? "" : "update or "}create.`
  )
}

const problemOf = (
  {
    duplicateOf,
    id,
    problem
  }: {
    readonly duplicateOf: RowReceipt["duplicateOf"]
    readonly id: string | null
    readonly problem: NonNullable<RowReceipt["problem"]>
  },
  { cells, item }: Pick<Row, "cells" | "item">,
  header: Header
): RowProblem => {
  const members = Object.entries(problem).filter(([member]) => !responseMembers.has(member))
  const code = problem.code as RowCode
  const errors = problem.errors?.map(({ code: ofMember, detail, pointer }) => {
    const path = inRow(pointer)
    const cell = cells === undefined ? undefined : cellAt(path, header, cells)
    // Nobody needs to see the whole row.
    const value = cell?.value ?? (path === "" ? "" : textOfMember(valueAt(path, Result.getOrUndefined(item))))
    return {
      pointer: path,
      column: cell?.column ?? path.slice(1),
      code: ofMember,
      detail,
      value: Cells.shortened(value)
    }
  })
  if (errors === undefined) {
    const detail = duplicateOf === undefined ? problem.detail : looksLike(duplicateOf, id)
    return { ...Object.fromEntries(members), code, detail }
  }
  const detail = errors.map(Cells.sentenceOf).join(" ")
  return { ...Object.fromEntries(members), code, detail, errors }
}

/** The receipt of a row by the result of its item. After a dry run a created record has no id, because it was rolled back. */
export const receiptOfResult = (row: Row, result: RowReceipt, header: Header, dryRun: boolean): Receipt => {
  const { duplicateOf, id, problem } = result
  const { line } = row
  const others = { ...(duplicateOf === undefined ? {} : { duplicateOf }), ...reportedOf(row) }
  switch (result.status) {
    case "created":
      return { line, status: "created", id: dryRun ? null : id, ...others }
    case "updated":
    case "unchanged":
      return { line, status: result.status, id, ...others }
    default:
      return {
        line,
        status: "failed",
        id,
        ...knownAs(row, header),
        ...(problem === undefined ? {} : { problem: problemOf({ duplicateOf, id, problem }, row, header) }),
        ...others
      }
  }
}

const statuses: ReadonlySet<unknown> = new Set(["created", "updated", "unchanged", "failed"])

const isProblem = (value: unknown): value is RowProblem =>
  Predicate.isObject(value) && "code" in value && "detail" in value

const isStatus = (value: unknown): value is Receipt["status"] => statuses.has(value)

/** Parses a line of receipts; undefined if it is not a receipt. */
export const parseReceipt = (text: string): Receipt | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Predicate.isObject(value)) return undefined
    const { id, line, problem, row, status, reported } = value as { readonly [member: string]: unknown }
    return typeof line === "number" && isStatus(status) && (typeof id === "string" || id === null)
      ? {
          line,
          status,
          id,
          ...(typeof row === "string" ? { row } : {}),
          ...(isProblem(problem) ? { problem } : {}),
          ...(Array.isArray(reported) ? { reported: reported as ReadonlyArray<Cells.Remark> } : {})
        }
      : undefined
  } catch {
    return undefined
  }
}

// What a run says at its end: each cause of refusals, and each reason why cells were left out or read in part, once, with its count,
// an example and its line. A fold over receipts, so that a continued run also says what the interrupted one met. Pure.

/** Causes in the order of their first occurrence. */
export interface Causes {
  readonly byKey: ReadonlyMap<string, Cause>
  /** The occurrences of causes beyond {@link maxCauses}. */
  readonly others: number
}

/** The summary of a run. */
export interface Summary {
  /** Why rows were refused. */
  readonly refused: Causes
  /** Why cells of rows that were kept were left out, or read in part. */
  readonly reported: Causes
}

/** How many causes are kept apart. */
export const maxCauses = 200

const noCauses: Causes = { byKey: new Map(), others: 0 }

/** The summary of no rows. */
export const emptySummary: Summary = { refused: noCauses, reported: noCauses }

type Occurrence = Omit<Cause, "count">

/** What causes have in common: numbers, ids and quoted text differ from row to row. */
const keyOf = ({ code, column = "", detail }: Occurrence): string => {
  const common = detail
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, "id")
    .replaceAll(/\d[\d.,]*/g, "0")
  return JSON.stringify([column, code, common])
}

const withAll = (causes: Causes, occurrences: ReadonlyArray<Occurrence>): Causes => {
  if (occurrences.length === 0) return causes
  const byKey = new Map(causes.byKey)
  let { others } = causes
  for (const occurrence of occurrences) {
    const key = keyOf(occurrence)
    const known = byKey.get(key)
    if (known !== undefined) byKey.set(key, { ...known, count: known.count + 1 })
    else if (byKey.size < maxCauses) byKey.set(key, { ...occurrence, count: 1 })
    else others++
  }
  return { byKey, others }
}

/** The causes for which a row was refused. */
const causesOf = ({ line, problem, row }: Receipt): ReadonlyArray<Occurrence> => {
  if (problem === undefined) return []
  const { code, detail, errors } = problem
  const where = { line, ...(row === undefined ? {} : { row }) }
  return errors === undefined || errors.length === 0
    ? [{ ...where, code, detail }]
    : errors.map(({ pointer: _, ...remark }) => ({ ...where, ...remark }))
}

/** Adds receipts to a summary. */
export const summaryWith = ({ refused, reported }: Summary, receipts: ReadonlyArray<Receipt>): Summary => ({
  refused: withAll(refused, receipts.flatMap(causesOf)),
  reported: withAll(
    reported,
    receipts.flatMap(({ line, reported: remarks = [] }) => remarks.map((remark) => ({ line, ...remark })))
  )
})

/** The causes, the most frequent first. */
export const listedCauses = ({ byKey }: Causes): ReadonlyArray<Cause> =>
  [...byKey.values()].sort((a, b) => b.count - a.count || a.line - b.line)

const causeCount = (value: number) => value.toLocaleString("en-US")

/** The line of a cause, for people. */
export const lineOfCause = ({ column = "", count: times, detail, line, value = "" }: Cause): string => {
  const where = column === "" ? "" : `${column}: `
  const example = value === "" ? "" : `, for example "${value}"`
  return `${causeCount(times)} × ${where}${detail} (line ${line}${example})`
}
