/** What became of a row, as the receipts tell it. Pure. */
import { Predicate } from "effect"
import type { Receipt as Answer } from "../records/Batch.ts"
import type { Problem } from "./Items.ts"

/** Why a row was refused; of some problems with further members, such as the `candidates` of a duplicate. */
export interface RowProblem extends Problem {
  readonly [member: string]: unknown
}

/** One line of the receipts. */
export interface Receipt {
  /** The line of the file where the row begins, from 1. */
  readonly line: number
  readonly status: "created" | "updated" | "unchanged" | "failed"
  /** The record's id; null when there is none. */
  readonly id: string | null
  readonly problem?: RowProblem
}

/** How many rows there are of each status. */
export interface Counts {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly failed: number
}

/** No row at all. */
export const none: Counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }

/** The counts with these receipts. */
export const counted = (counts: Counts, receipts: ReadonlyArray<Pick<Receipt, "status">>): Counts => {
  const next = { ...counts }
  for (const { status } of receipts) {
    next.rows++
    next[status]++
  }
  return next
}

/** The receipt of a row that was not sent. */
export const ofRefused = (line: number, problem: Problem): Receipt => ({
  line,
  status: "failed",
  id: null,
  problem: { code: problem.code, detail: problem.detail }
})

// The members of a problem that only an answer of its own needs.
const refused: ReadonlySet<string> = new Set(["type", "title", "status", "requestId"])

const inRow = (pointer: string): string => pointer.replace(/^\/items\/\d+/, "")

const problemOf = (problem: NonNullable<Answer<never>["problem"]>, names: ReadonlyMap<string, string>): RowProblem => {
  const members = Object.entries(problem).filter(([member]) => !refused.has(member))
  const errors = problem.errors?.map(({ code, detail, pointer }) => {
    const member = inRow(pointer).split("/")[1] ?? ""
    const column = names.get(member)
    return { pointer: inRow(pointer), ...(column === undefined ? {} : { column }), code, detail }
  })
  if (errors === undefined) {
    const candidates = problem.candidates?.map(({ id }) => id) ?? []
    const detail =
      candidates.length === 0
        ? problem.detail
        : `Looks like ${candidates.join(", ")}, but does not have its id: give the row that id, or tell the two apart.`
    return { ...Object.fromEntries(members), code: problem.code, detail }
  }
  const told = errors.map(({ column, detail, pointer }) => {
    const where = column ?? pointer.slice(1)
    return where === "" ? detail : `${where}: ${detail}`
  })
  return { ...Object.fromEntries(members), code: problem.code, detail: told.join(" "), errors }
}

/**
 * The receipt of a row that was sent. `names`: what the file calls members. After a dry run (`dryRun`) a new record has
 * no id, for there is none.
 */
export const ofAnswer = (
  line: number,
  answer: Answer<unknown>,
  names: ReadonlyMap<string, string>,
  dryRun: boolean
): Receipt => {
  const { id, problem } = answer
  switch (answer.status) {
    case "created":
      return { line, status: "created", id: dryRun ? null : id }
    case "updated":
    case "unchanged":
      return { line, status: answer.status, id }
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

/** What a line of receipts says, but for its problem; undefined when it is no receipt. */
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
