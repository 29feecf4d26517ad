/**
 * Decides the rows of a file (docs/behaviour/imports-and-exports.md#matching): what becomes of one whose record an earlier row had, and of one
 * that looks like another record.
 */
import { Effect, Result } from "effect"
import type { Change } from "../mutation/Changes.ts"
import { refKey } from "../externalRefs/ExternalRef.ts"
import type { Allowance } from "../quotas/Quota.ts"
import { Duplicate } from "../usecase/Problem.ts"
import type { Receipt } from "./Batch.ts"
import type * as PendingWrites from "./PendingWrites.ts"
import { type EditableKind, fieldsOf, normalized } from "./RecordKind.ts"
import { itemProblem } from "./receipts.ts"
import type { AnyFields, AnyResource } from "./Table.ts"
import { shortIdOf, type splitEtag } from "./upsertItems.ts"
import type * as UpsertMatching from "./UpsertMatching.ts"
import type { WriteContext } from "./WriteContext.ts"

/** The receipt of a row of a file. */
export interface RowReceipt extends Omit<Receipt<never>, "resource"> {
  /** What a row looks like that was refused for it, or was written in spite of it: a record, the line that wrote it, or both. */
  readonly duplicateOf?: ReadonlyArray<{ readonly id?: string; readonly line?: number }>
}

/** The refusal of a row, in the form of a problem. */
interface RowRefusal {
  readonly code: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The line of the row before. */
  readonly line: number
}

// How many lines and records a receipt names.
const maxShown = 10

/** Makes the decisions of one kind of record. */
export const make = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: EditableKind<Fields, Resource, Rejection>,
  matching: ReturnType<typeof UpsertMatching.make<Fields, Resource, Rejection>>
) => {
  const { decodeAs, decodeAsRead, namedRecord, patchWithRefs, preconditionOf } = matching
  const { type } = kind

  type Writes = ReturnType<typeof PendingWrites.make<Fields, Resource, Rejection>>
  type Context = WriteContext<Fields, Resource, Rejection>
  type ItemOutcome = ReturnType<typeof patchWithRefs>

  /** What became of a row: as of an item, and the records that it looks like. */
  interface DecidedRow {
    readonly id?: string | null | undefined
    readonly alike: ReadonlyArray<UpsertMatching.Met<Resource>>
    /** The ids of records that a change of another one made it look like. */
    readonly overridden?: ReadonlyArray<{ readonly id: string }>
    readonly outcome: Result.Result<Pick<RowReceipt, "etag" | "id" | "status">, object>
  }

  const outcomeOfRow = (outcome: ItemOutcome): DecidedRow["outcome"] =>
    Result.mapBoth(outcome, {
      onSuccess: ({ resource, status }) => ({ status, id: resource.id, etag: resource.etag }),
      onFailure: (failure) => failure as object
    })

  const repeated = (line: number): RowRefusal => ({
    code: "repeated_row",
    title: "The file has this record twice.",
    status: 409,
    detail: `Line ${line} is the same ${type} with other values. Keep one of the two rows.`,
    line
  })

  /** Notes what a row wrote or found, for those after it. */
  const note = ({ earlier }: UpsertMatching.FileRows, line: number, outcome: ItemOutcome) => {
    if (Result.isFailure(outcome)) return
    const { resource, status } = outcome.success
    earlier.note(line, resource.id, status === "created", () => {
      const fields = fieldsOf(kind.blank, resource)
      return { resource, fields, ...matching.recognizedBy(fields) }
    })
  }

  /** What an earlier row of the file left to do for a row of the same record: nothing, or to add references. */
  const decideAgain = (
    writes: Writes,
    context: Context,
    { row, stored }: UpsertMatching.Met<Resource>,
    input: Partial<Fields>,
    { line, rows }: { readonly line: number; readonly rows: UpsertMatching.FileRows }
  ): DecidedRow["outcome"] => {
    const { externalRefs = [], ...values } = input
    const held = stored?.resource.externalRefs ?? []
    const added = externalRefs.filter((ref) =>
      row === undefined ? !held.some((one) => refKey(one) === refKey(ref)) : !row.holds(ref)
    )
    const sent = values as Partial<Fields>
    const says =
      row !== undefined
        ? row.says(normalized(kind, sent, kind.blank), kind.blank)
        : stored !== undefined && writes.changedBy(stored, sent).length === 0
    if (!says || (added.length > 0 && rows.onDuplicate !== "update")) return Result.fail(repeated(line))
    const id = stored?.resource.id ?? row?.id ?? null
    if (row !== undefined || stored === undefined) {
      if (row !== undefined && added.length > 0) rows.earlier.noteRefs(row, added)
      return Result.succeed({ status: added.length > 0 ? "updated" : "unchanged", id, etag: null })
    }
    const outcome = patchWithRefs(writes, context, stored, {
      input: { ...input, externalRefs: added },
      force: false,
      joined: true
    })
    note(rows, line, outcome)
    return outcomeOfRow(outcome)
  }

  /** Decides one row of a file. */
  const decideRow = Effect.fnUntraced(function* (
    change: Change,
    writes: Writes,
    context: Context,
    { item, tags }: ReturnType<typeof splitEtag>,
    { line, rows }: { readonly line: number; readonly rows: UpsertMatching.FileRows },
    allowance: Allowance
  ): Effect.fn.Return<DecidedRow> {
    const { earlier, onDuplicate } = rows
    const refused = (failure: object, id?: string | null): DecidedRow => ({
      id,
      alike: [],
      outcome: Result.fail(failure)
    })
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) return refused(named.failure)
    const first = yield* tags === undefined ? decodeAs(item, named.success) : decodeAsRead(item, named.success)
    const meaning = yield* matching.meaningOf(writes, context, rows, item, named.success, first)
    if (Result.isFailure(meaning)) return refused(meaning.failure)
    const { alike, same } = meaning.success
    const adopted = same === undefined && onDuplicate === "update" && alike.length === 1 ? alike[0] : undefined
    const met = same ?? adopted
    const refusal = preconditionOf(tags, met?.stored, first)
    if (refusal !== undefined) return { ...refusal, alike: [], outcome: Result.fail(refusal.failure) }
    const decoded =
      met === undefined || (met.stored !== undefined && met.stored === named.success)
        ? first
        : met.stored !== undefined
          ? yield* decodeAs(item, met.stored)
          : // What a new record can have is more than what a patch of it may change.
            Result.isSuccess(first)
            ? first
            : yield* matching.decodeMembers(item)
    const id = met?.stored?.resource.id ?? met?.row?.id
    if (Result.isFailure(decoded)) return refused(decoded.failure, id)
    const input = decoded.success
    const lineBefore = met?.row?.line ?? (id === undefined ? undefined : earlier.lineOf(id))
    if (met !== undefined && lineBefore !== undefined) {
      const outcome = decideAgain(writes, context, met, input, { line: lineBefore, rows })
      return { id, alike: adopted === undefined ? [] : [adopted], outcome }
    }
    const force = onDuplicate === "create"
    const target = met?.stored
    const current = target === undefined ? kind.blank : fieldsOf(kind.blank, target.resource)
    const keysBefore = matching.recognizedBy(current).keys
    const { keys } = matching.recognizedBy({ ...current, ...normalized(kind, input, current) })
    // The rows before this batch are no longer there for the write context to find.
    const rolledBack = earlier
      .withKeys(keys.filter((key) => !keysBefore.includes(key)))
      .map((row) => ({ stored: undefined, row }))
    if (rolledBack.length > 0 && !force) {
      const failure = new Duplicate({ detail: "The file has this record twice.", candidates: [] })
      return { id, alike: rolledBack, outcome: Result.fail(failure) }
    }
    const held = new Set(target?.resource.externalRefs.map(refKey))
    const joined = adopted !== undefined || (input.externalRefs ?? []).every((ref) => held.has(refKey(ref)))
    if (target === undefined) {
      const outcome = writes.create(context, yield* change.newId, { input, force }, allowance)
      note(rows, line, outcome)
      return { id, alike: Result.isSuccess(outcome) ? alike : [], outcome: outcomeOfRow(outcome) }
    }
    const unforced = patchWithRefs(writes, context, target, { input, force: false, joined })
    const overridden =
      force && Result.isFailure(unforced) && unforced.failure instanceof Duplicate ? unforced.failure.candidates : []
    const outcome =
      force && Result.isFailure(unforced) ? patchWithRefs(writes, context, target, { input, force, joined }) : unforced
    note(rows, line, outcome)
    return {
      id,
      alike: Result.isSuccess(outcome) ? [...alike, ...rolledBack] : [],
      overridden,
      outcome: outcomeOfRow(outcome)
    }
  })

  /** The records that a row looks like, with the earlier lines that wrote them. */
  const duplicateOf = (
    { earlier, lines }: UpsertMatching.FileRows,
    index: number,
    alike: ReadonlyArray<{ readonly id: string | undefined; readonly line?: number | undefined }>
  ) =>
    alike
      .map(({ id, line = id === undefined ? undefined : earlier.lineOf(id) }) => ({
        ...(id === undefined || earlier.isInvented(id) ? {} : { id }),
        // The row that wrote the record itself is no earlier one.
        ...(line === undefined || line === lines[index] ? {} : { line })
      }))
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
      .slice(0, maxShown)

  const rowReceipt = (
    index: number,
    { item }: ReturnType<typeof splitEtag>,
    { alike, id, outcome, overridden = [] }: DecidedRow,
    rows: UpsertMatching.FileRows
  ): RowReceipt => {
    const known = (one: string | null | undefined) =>
      typeof one === "string" && !rows.earlier.isInvented(one) ? one : null
    const found = alike.map(({ row, stored }) => ({ id: stored?.resource.id ?? row?.id, line: row?.line }))
    const met = [...found, ...overridden.filter((one) => !found.some((other) => other.id === one.id))]
    if (Result.isSuccess(outcome)) {
      const others = met.length === 0 ? {} : { duplicateOf: duplicateOf(rows, index, met) }
      return { index, ...outcome.success, id: known(outcome.success.id), ...others }
    }
    const { candidates, ...problem } = itemProblem(index, outcome.failure)
    const real = candidates?.filter((one) => !rows.earlier.isInvented(one.id)) ?? []
    return {
      index,
      status: "failed",
      id: shortIdOf(item) ?? known(id),
      etag: null,
      problem: real.length === 0 ? problem : { ...problem, candidates: real },
      ...(problem.code === "duplicate"
        ? { duplicateOf: duplicateOf(rows, index, [...met, ...(candidates ?? [])]) }
        : {})
    }
  }

  /** Decides one row, on the state that the ones before it left. */
  const decide = (
    { change, context, writes }: { readonly change: Change; readonly writes: Writes; readonly context: Context },
    one: ReturnType<typeof splitEtag>,
    index: number,
    rows: UpsertMatching.FileRows,
    allowance: Allowance
  ): Effect.Effect<RowReceipt> =>
    Effect.map(decideRow(change, writes, context, one, { line: rows.lines[index] ?? 0, rows }, allowance), (decided) =>
      rowReceipt(index, one, decided, rows)
    )

  return { decide }
}
