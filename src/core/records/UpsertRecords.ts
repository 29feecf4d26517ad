/**
 * Upserts records (docs/behaviour/http.md#batch-upsert), and the rows of files (docs/behaviour/imports-and-exports.md#matching): what
 * becomes of one whose record an earlier row had, and of one that looks like another record.
 */
import * as Transaction from "../../platform/db/Transaction.ts"
import * as Mutation from "../mutation/Mutation.ts"
import * as Id from "../Id.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import * as UpsertMatching from "./UpsertMatching.ts"
import { Effect, Result } from "effect"
import type { Change } from "../mutation/Changes.ts"
import { type ExternalRef, refKey } from "../externalRefs/ExternalRef.ts"
import type { Allowance } from "../quotas/Quota.ts"
import {
  ConcurrencyConflict,
  Duplicate,
  type InvalidRequest,
  type Merged,
  NotFound,
  type PreconditionFailed
} from "../usecase/Problem.ts"
import {
  envelopeOf,
  type FailedReceipt,
  type Receipt,
  RowsEnvelope,
  type UpsertedReceipt,
  UpsertEnvelope
} from "./Batch.ts"
import { insertNew, makePendingWrites, type Outcome, save } from "./SaveRecords.ts"
import { DeletedRecords, type KeptRecord } from "./DeletedRecords.ts"
import { type EditableKind, fieldsOf, normalized, type RestorableKind } from "./RecordKind.ts"
import { DependentRows, type Touched } from "./EarlierRows.ts"
import { makeRestoreLocked } from "./RestoreRecords.ts"
import { itemProblem } from "./MergeRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { idOf, itemsOf, refsOf, rowOf, shortIdOf, splitEtag } from "./UpsertMatching.ts"
import type { WriteContext } from "./WriteContext.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { all, type Input } from "../usecase/Input.ts"
import { writeInTurn } from "../usecase/TeamBudget.ts"
import { makePacer } from "../usecase/EventLoop.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import type { Forceable } from "./ChangeRecords.ts"

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
  readonly line?: number
}

/** Why an item cannot write a deleted record that it names by its id and that could be restored; undefined for any other. */
type RefusalOfDeleted = (item: UnvalidatedJson.UnvalidatedJson) => object | undefined

// How many items are decided while the database inserts the records of those before.
const itemsOfPart = 100

// How many lines and records a receipt names.
const maxShown = 10

/** Makes the decisions of one kind of record. */
export const makeUpsertRows = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: EditableKind<Fields, Resource, Rejection>,
  matching: ReturnType<typeof UpsertMatching.make<Fields, Resource, Rejection>>
) => {
  const { decodeAs, decodeAsRead, namedRecord, patchWithRefs, preconditionOf } = matching
  const { type } = kind

  type Writes = ReturnType<typeof makePendingWrites<Fields, Resource, Rejection>>
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
      return { resource, fields, keys: matching.keysOf(fields), names: matching.namesOf(fields) }
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
    allowance: Allowance,
    refusalOfDeleted: RefusalOfDeleted
  ): Effect.fn.Return<DecidedRow> {
    const { earlier, onDuplicate } = rows
    const refused = (failure: object, id?: string | null): DecidedRow => ({
      id,
      alike: [],
      outcome: Result.fail(failure)
    })
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) return refused(refusalOfDeleted(item) ?? named.failure)
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
    const keysBefore = matching.keysOf(current)
    const keys = matching.keysOf({ ...current, ...normalized(kind, input, current) })
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
    allowance: Allowance,
    refusalOfDeleted: RefusalOfDeleted
  ): Effect.Effect<RowReceipt> =>
    Effect.map(
      decideRow(change, writes, context, one, { line: rows.lines[index] ?? 0, rows }, allowance, refusalOfDeleted),
      (decided) => rowReceipt(index, one, decided, rows)
    )

  /** Whether no earlier row of the file had a record, as far as this one is known by what it holds. */
  const isFirst = (
    { earlier }: UpsertMatching.FileRows,
    { resource: { externalRefs, id } }: Stored<Resource>
  ): boolean =>
    earlier.lineOf(id) === undefined &&
    earlier.rolledBack(id) === undefined &&
    earlier.holding(externalRefs).length === 0

  /** The receipt of a row that repeats a record. */
  const unchanged = (index: number, { resource }: Stored<Resource>, rows: UpsertMatching.FileRows): RowReceipt => {
    note(rows, rows.lines[index] ?? 0, Result.succeed({ status: "unchanged", resource }))
    return { index, status: "unchanged", id: resource.id, etag: resource.etag }
  }

  return { decide, isFirst, unchanged }
}

// Upserts records (docs/behaviour/http.md#batch-upsert): finds the record that each item means, and patches or creates it.

type Item = UnvalidatedJson.UnvalidatedJson

const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)
const decodeRows = UnvalidatedJson.decoder(RowsEnvelope)

/** The items of the body of an upsert. */
const readItems = (body: UnvalidatedJson.UnvalidatedJson): Input<ReadonlyArray<Item>> =>
  Effect.map(decodeEnvelope(envelopeOf(body)), ({ items }) => itemsOf(body, items))

/** The rows of a file, which a body has as its items. */
const readRows = (body: UnvalidatedJson.UnvalidatedJson): Input<ReadonlyArray<Item>> =>
  Effect.map(decodeRows({ ...body, faults: [], exhaustive: true }), ({ items }) => items.map(rowOf))

/** Whether all of these records still hold their references: while their locks waited, another transaction may have moved them. */
const holdStill = (
  loaded: ReadonlyArray<Stored<AnyResource>>,
  holders: ReadonlyArray<ExternalRef & { readonly holder: string }>
): boolean => {
  const byUuid = new Map(loaded.map((stored) => [stored.uuid, stored]))
  return holders.every(({ externalId, holder, namespace }) => {
    const stored = byUuid.get(holder)
    return (
      stored?.deleted === false &&
      stored.resource.externalRefs.some((ref) => ref.namespace === namespace && ref.externalId === externalId)
    )
  })
}

/** What becomes of items that name a deleted record: they are refused, and say how it can be restored, or it is restored first. */
type OfDeleted =
  | { readonly type: "name the option" | "name the request" }
  | { readonly type: "restore"; readonly force: boolean }

/** Makes the use-cases: upserts of items, and of rows of files. */
export const makeUpsertRecords = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never,
  Refusal = never
>(kind: EditableKind<Fields, Resource, Rejection> & RestorableKind<Fields, Refusal>) {
  const { repo, type } = kind
  const deletedRecords = yield* DeletedRecords
  const restoreLocked = yield* makeRestoreLocked(kind)
  const matching = UpsertMatching.make(kind)
  const { decodeAs, decodeAsRead, namedRecord, patchWithRefs, possibleStates, preconditionOf } = matching
  const rowDecisions = makeUpsertRows(kind, matching)
  const refs = yield* ExternalRefsRepo
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Writes = ReturnType<typeof makePendingWrites<Fields, Resource, Rejection>>
  type WriteRejection = Result.Result.Failure<ReturnType<Writes["create"]>>
  type ItemOutcome = Result.Result<
    Outcome<Resource>,
    InvalidRequest | Merged | NotFound | PreconditionFailed | WriteRejection
  >

  /** What became of an item: the outcome, and the id of the record as far as it is known. */
  interface Decided {
    readonly id: string | undefined
    readonly outcome: ItemOutcome
  }

  type WriteContext = Effect.Success<ReturnType<typeof kind.context>>

  /** Locks the records that the items name by their ids and references. */
  const lockNamed = Effect.fnUntraced(function* (change: Change, items: ReadonlyArray<Item>) {
    const { teamId } = change.actor
    const findHolders = refs.holders({ teamId, type }, items.flatMap(refsOf))
    const holders = yield* findHolders
    const named = items.flatMap((item) => Id.toUuid(type, idOf(item) ?? "") ?? [])
    const locked = yield* repo.lock(teamId, [...new Set([...named, ...holders.map(({ holder }) => holder)])])
    if (!holdStill(locked, holders)) {
      return yield* ConcurrencyConflict.of(type)
    }
    return { locked, findHolders }
  })

  /** Decides one item. */
  const decideItem = Effect.fnUntraced(function* (
    change: Change,
    writes: Writes,
    context: WriteContext,
    { item, tags }: ReturnType<typeof splitEtag>,
    force: boolean,
    allowance: Allowance,
    refusalOfDeleted: RefusalOfDeleted
  ): Effect.fn.Return<Decided> {
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) {
      return { id: undefined, outcome: Result.fail((refusalOfDeleted(item) ?? named.failure) as typeof named.failure) }
    }
    const first = yield* tags === undefined ? decodeAs(item, named.success) : decodeAsRead(item, named.success)
    const target = named.success ?? matching.matchOf(writes, context, first)
    const refusal = preconditionOf(tags, target, first)
    if (refusal !== undefined) return { id: refusal.id, outcome: Result.fail(refusal.failure) }
    const decoded = target === named.success ? first : yield* decodeAs(item, target)
    if (Result.isFailure(decoded)) return { id: target?.resource.id, outcome: Result.fail(decoded.failure) }
    const input = decoded.success
    if (target === undefined) {
      return { id: undefined, outcome: writes.create(context, yield* change.newId, { input, force }, allowance) }
    }
    return { id: target.resource.id, outcome: patchWithRefs(writes, context, target, { input, force, joined: false }) }
  })

  /** Those of locked records that live, or are restored if that is wanted, and why items cannot write the others. */
  const withRestored = Effect.fnUntraced(function* (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    ofDeleted: OfDeleted
  ) {
    const { teamId } = change.actor
    const tombstones = locked.filter(({ deleted, mergedInto }) => deleted && mergedInto === null)
    const kept = yield* deletedRecords.find(
      teamId,
      type,
      tombstones.map(({ uuid }) => uuid)
    )
    const refusals = new Map<string, object>(kept.map((one) => [one.uuid, refusalOf(ofDeleted, one)]))
    const refusalOfDeleted: RefusalOfDeleted = (item) => refusals.get(Id.toUuid(type, idOf(item) ?? "") ?? "")
    if (ofDeleted.type !== "restore" || kept.length === 0) return { locked, refusalOfDeleted }
    const outcomes = yield* restoreLocked(change, kept, { force: ofDeleted.force })
    for (const [uuid, outcome] of outcomes) {
      if (Result.isFailure(outcome)) refusals.set(uuid, outcome.failure as object)
    }
    const uuids = locked.map(({ uuid }) => uuid)
    return { locked: yield* repo.findAll(teamId, uuids), refusalOfDeleted }
  })

  const refusalOf = ({ type: how }: OfDeleted, { deletedAt }: KeptRecord): NotFound | RowRefusal => {
    const noun = Id.nounOf(type)
    const said = `The ${noun} was deleted on ${deletedAt.toISOString().slice(0, 10)}`
    return how === "name the request"
      ? new NotFound({
          detail: `${said}, and can be restored: POST …/restore brings it back, and then this item can be sent again.`
        })
      : {
          code: "deleted",
          title: `The ${noun} was deleted.`,
          status: 409,
          detail: `${said}, and can be restored: with --restore, the import brings it back and then writes the row.`
        }
  }

  /** What becomes of items that repeat a record. */
  interface Repeated<Receipt> {
    /** Whether no item before one had its record. */
    readonly isFirst: (stored: Stored<Resource>) => boolean
    readonly receiptOf: (index: number, stored: Stored<Resource>) => Receipt
    /** Called when one of them did, before the transaction starts over. */
    readonly failed: () => void
  }

  /** Upserts items in the transaction of `change`; a rejected one does not affect the others. */
  const upsertAll = Effect.fnUntraced(function* <Receipt, Dependent = never>(
    change: Change,
    sent: ReadonlyArray<Item>,
    options: {
      readonly matchByMembers: boolean
      readonly decide: (
        writes: Writes,
        context: WriteContext,
        one: ReturnType<typeof splitEtag>,
        index: number,
        allowance: Allowance,
        refusalOfDeleted: RefusalOfDeleted
      ) => Effect.Effect<Receipt>
      /** What becomes of items that name a deleted record which can be restored. */
      readonly ofDeleted: OfDeleted
      /** What becomes of items that repeat a record, which need not be decoded. Without it, each is. */
      readonly repeated?: Repeated<Receipt> | undefined
      /** Runs when all that the items depend on is looked up and locked. */
      readonly lookedUp?: (touched: Touched) => Effect.Effect<void, Dependent>
    }
  ) {
    const pace = makePacer()
    const split: Array<ReturnType<typeof splitEtag>> = []
    for (const one of sent) {
      if (pace.isDue()) yield* pace.turn
      split.push(splitEtag(one))
    }
    const items = split.map(({ item }) => item)
    const { findHolders, ...named } = yield* lockNamed(change, items)
    const { locked, refusalOfDeleted } = yield* withRestored(change, named.locked, options.ofDeleted)
    const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, locked)
    const { repeated } = options
    const repeats = new Map(
      repeated === undefined
        ? []
        : [...(yield* matching.repeatedBy(writes, split))].filter(([, stored]) => repeated.isFirst(stored))
    )
    const others = repeats.size === 0 ? items : items.filter((_, index) => !repeats.has(index))
    const states = yield* possibleStates(writes, others)
    const [context, holders, allowance] = yield* Transaction.together(
      kind.context(change, states, { writes: items.length, matchByMembers: options.matchByMembers }),
      findHolders,
      quotas.allowance(change.actor.teamId, kind.quota)
    )
    // A transaction that kept this one waiting may have created the records that the references name.
    const known = new Set(locked.map(({ uuid }) => uuid))
    if (holders.some(({ holder }) => !known.has(holder))) return yield* ConcurrencyConflict.of(type)
    if (options.lookedUp !== undefined) {
      const keys = [...new Set(states.flatMap(matching.keysOf))]
      const loaded = [...locked, ...(context.findByKeys?.(keys) ?? [])]
      const names = new Set([
        ...items.flatMap(refsOf).map((ref) => `ref ${refKey(ref)}`),
        ...keys.map((key) => `key ${key}`),
        ...loaded.map(({ uuid }) => `record ${uuid}`)
      ])
      yield* options.lookedUp({ names, rows: items.length, room: allowance.room() })
    }
    const results: Array<Receipt> = []
    const decidePart = Effect.fnUntraced(function* (from: number, part: typeof split) {
      for (const [at, one] of part.entries()) {
        if (pace.isDue()) yield* pace.turn
        const index = from + at
        const stored = repeats.get(index)
        if (repeated === undefined || stored === undefined) {
          results.push(yield* options.decide(writes, context, one, index, allowance, refusalOfDeleted))
          continue
        }
        // A row before it wrote its record: everything is decoded then.
        if (writes.get(stored.uuid) !== stored || !repeated.isFirst(stored)) {
          repeated.failed()
          return yield* ConcurrencyConflict.of(type)
        }
        results.push(repeated.receiptOf(index, stored))
      }
    })
    const ofPart = repo.insertsInParts ? itemsOfPart : Math.max(1, split.length)
    for (let from = 0; from < split.length; from += ofPart) {
      // The database works on the records before, while the next items are decided.
      const inserting = Effect.andThen(insertNew(kind, change, writes.takeNew()), change.writeRecords)
      const deciding = decidePart(from, split.slice(from, from + ofPart))
      const [, decided] = yield* Effect.all([inserting, Effect.result(deciding)], { concurrency: "unbounded" })
      if (Result.isFailure(decided)) return yield* Effect.fail(decided.failure)
    }
    yield* save(kind, refs, change, writes.unsaved())
    return { results }
  })

  const upsert = <Receipt, Dependent = never>(
    request: UseCaseRequest<Forceable>,
    read: (body: UnvalidatedJson.UnvalidatedJson) => Input<ReadonlyArray<Item>>,
    commit: (
      change: Change,
      items: ReadonlyArray<Item>,
      force: boolean
    ) => ReturnType<typeof upsertAll<Receipt, Dependent>>
  ) =>
    mutation.create({
      request,
      authorize: kind.needs,
      decide: ({ body }) =>
        Effect.map(all(request.query, read(body), request.idempotencyKey), ([query, items, key]) => ({
          key,
          items,
          force: query.force === true
        })),
      commit: (creation) => {
        const { force, items } = creation.decision
        return writeInTurn(
          creation.actor.teamId,
          items.map(({ value }) => value),
          mutation.once(creation, (change) => commit(change, items, force))
        )
      }
    })

  /** Upserts up to a hundred records. The number of statements does not depend on that of the items. */
  const batchUpsert = Effect.fn(`${kind.plural}.batchUpsert`)((request: UseCaseRequest<Forceable>) =>
    upsert(request, readItems, (change, items, force) =>
      upsertAll(change, items, {
        matchByMembers: false,
        ofDeleted: { type: "name the request" },
        decide: (writes, context, one, index, allowance, refusalOfDeleted) =>
          Effect.map(
            decideItem(change, writes, context, one, force, allowance, refusalOfDeleted),
            ({ id, outcome }): UpsertedReceipt | FailedReceipt => {
              if (Result.isSuccess(outcome)) {
                const { resource, status } = outcome.success
                return { index, status, id: resource.id, etag: resource.etag }
              }
              const problem = itemProblem(index, outcome.failure as object)
              return { index, status: "failed", id: shortIdOf(one.item) ?? id ?? null, etag: null, problem }
            }
          )
      })
    )
  )

  /**
   * Upserts some hundred rows of a file, and notes them in `rows.earlier`, which the caller settles with the answer
   * (docs/behaviour/imports-and-exports.md#matching). Fails with `DependentRows` if they have to wait for the batch before.
   */
  const importRows = Effect.fn(`${kind.plural}.importRows`)((
    request: UseCaseRequest<object>,
    rows: UpsertMatching.FileRows
  ) => {
    let areDecoded = false
    const repeated: Repeated<RowReceipt> = {
      isFirst: (stored) => rowDecisions.isFirst(rows, stored),
      receiptOf: (index, stored) => rowDecisions.unchanged(index, stored, rows),
      failed: () => (areDecoded = true)
    }
    return upsert(request, readRows, (change, items) =>
      // The transaction has no lock yet that another batch waits for.
      Effect.flatMap(rows.turn, () => {
        rows.earlier.begin()
        return upsertAll(change, items, {
          repeated: areDecoded ? undefined : repeated,
          lookedUp: (touched) => (rows.earlier.dependsOn(touched) ? Effect.fail(new DependentRows()) : rows.lookedUp),
          matchByMembers: kind.identity !== undefined,
          ofDeleted: rows.restore
            ? { type: "restore", force: rows.onDuplicate === "create" }
            : { type: "name the option" },
          decide: (writes, context, one, index, allowance, refusalOfDeleted) =>
            rowDecisions.decide({ change, writes, context }, one, index, rows, allowance, refusalOfDeleted)
        })
      })
    )
  })

  return { batchUpsert, importRows, readAhead: matching.readAhead }
})
