/** Receipts: the results of rows. Pure. docs/behaviour/imports-and-exports.md#receipts-file */
import { Predicate } from "effect"
import type { Receipt as ItemResult } from "../records/Batch.ts"
import type { RowError } from "./Items.ts"

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
}

/** The number of rows by status. */
export interface Counts {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
}

/** The counts of no rows. */
export const none: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }

/** Adds receipts to the counts. */
export const counted = (counts: Counts, receipts: ReadonlyArray<Pick<Receipt, "status">>): Counts => {
  const next = { ...counts }
  for (const { status } of receipts) {
    next.rows++
    next[status]++
  }
  return next
}

/** The receipt of a row that was refused before the upsert. */
export const ofRefused = (line: number, problem: RowError): Receipt => ({
  line,
  status: "failed",
  id: null,
  problem: { code: problem.code, detail: problem.detail }
})

// Members of a problem that describe an HTTP response, and no row.
const responseMembers: ReadonlySet<string> = new Set(["type", "title", "status", "requestId"])

const inRow = (pointer: string): string => pointer.replace(/^\/items\/\d+/, "")

/** The column of the member at a pointer, or of the one that it is part of. */
const columnAt = (pointer: string, names: ReadonlyMap<string, string>): string | undefined => {
  for (let path = pointer.split("/").slice(1); path.length > 0; path = path.slice(0, -1)) {
    const column = names.get(path.join("."))
    if (column !== undefined) return column
  }
  return undefined
}

const problemOf = (
  problem: NonNullable<ItemResult<never>["problem"]>,
  names: ReadonlyMap<string, string>
): RowProblem => {
  const members = Object.entries(problem).filter(([member]) => !responseMembers.has(member))
  const errors = problem.errors?.map(({ code, detail, pointer }) => {
    const column = columnAt(inRow(pointer), names)
    return { pointer: inRow(pointer), ...(column === undefined ? {} : { column }), code, detail }
  })
  if (errors === undefined) {
    const candidates = problem.candidates?.map(({ id }) => id) ?? []
    const detail =
      candidates.length === 0
        ? problem.detail
        : `Looks like ${candidates.join(", ")}, but has no id. Add that id to the row, or make the two distinguishable.`
    return { ...Object.fromEntries(members), code: problem.code, detail }
  }
  const messages = errors.map(({ column, detail, pointer }) => {
    const where = column ?? pointer.slice(1)
    return where === "" ? detail : `${where}: ${detail}`
  })
  return { ...Object.fromEntries(members), code: problem.code, detail: messages.join(" "), errors }
}

/**
 * The receipt of a row by the result of its item. `names` are the columns of members. After a dry run a created record has
 * no id, because it was rolled back.
 */
export const ofResult = (
  line: number,
  result: ItemResult<unknown>,
  names: ReadonlyMap<string, string>,
  dryRun: boolean
): Receipt => {
  const { id, problem } = result
  switch (result.status) {
    case "created":
      return { line, status: "created", id: dryRun ? null : id }
    case "updated":
    case "unchanged":
      return { line, status: result.status, id }
    default:
      return {
        line,
        status: "failed",
        id,
        ...(problem === undefined ? {} : { problem: problemOf(problem, names) })
      }
  }
}

const statuses: ReadonlySet<unknown> = new Set(["created", "updated", "unchanged", "failed"])

const isStatus = (value: unknown): value is Receipt["status"] => statuses.has(value)

/** Parses a line of receipts, without its problem; undefined if it is not a receipt. */
export const parse = (text: string): Receipt | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Predicate.isObject(value)) return undefined
    const { id, line, status } = value as { readonly [member: string]: unknown }
    return typeof line === "number" && isStatus(status) && (typeof id === "string" || id === null)
      ? { line, status, id }
      : undefined
  } catch {
    return undefined
  }
}
