/** Upserts of records (decisions §4): which record an item means, and what it comes to. */
import { Effect, Predicate, Result } from "effect"
import type { Change } from "../changes/Changes.ts"
import { type ExternalRef, maxRefs } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import { bodyFault, type Json } from "../usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, Merged, NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { problemOf, type Receipt } from "./Batch.ts"
import type { AnyFields, AnyResource, RecordKind } from "./RecordKind.ts"
import type { Stored } from "./RecordTable.ts"
import * as Writes from "./Writes.ts"

/** How to read items. */
export interface Options {
  /** Write although it looks like a duplicate. */
  readonly force: boolean
  /**
   * Take an item that names no record for the one that it would be a duplicate of, if that is clear: of two ids in one other
   * system it is not.
   */
  readonly sameByMembers: boolean
}

/** The items of a batch as documents of their own, with the faults of their strings. */
export const itemsOf = (document: UnvalidatedJson, items: ReadonlyArray<unknown>): ReadonlyArray<UnvalidatedJson> =>
  items.map((value, index) => ({
    value: value as Json,
    sent: value as Json,
    exhaustive: document.exhaustive,
    faults: document.faults.flatMap((fault) => {
      const prefix = `/items/${index}`
      return fault.pointer === prefix || fault.pointer.startsWith(`${prefix}/`)
        ? [{ ...fault, pointer: fault.pointer.slice(prefix.length) }]
        : []
    })
  }))

// What no reference in the database can be.
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0")

const memberOf = ({ value }: UnvalidatedJson, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined

/** The references that an item has, as far as they are well formed. */
const refsOf = (item: UnvalidatedJson): ReadonlyArray<ExternalRef> => {
  const refs = memberOf(item, "externalRefs")
  return (Array.isArray(refs) ? (refs as ReadonlyArray<unknown>) : []).flatMap((ref) =>
    Predicate.isObject(ref) &&
    "namespace" in ref &&
    "externalId" in ref &&
    isText(ref.namespace) &&
    isText(ref.externalId)
      ? [{ namespace: ref.namespace, externalId: ref.externalId }]
      : []
  )
}

const hasId = (item: UnvalidatedJson): boolean => memberOf(item, "id") !== undefined

/** The id that an item has, if it is one that could be read. */
const idOf = (item: UnvalidatedJson): string | undefined => {
  const id = memberOf(item, "id")
  return typeof id === "string" ? id : undefined
}

/** The item with only these members. */
const only = (item: UnvalidatedJson, members: ReadonlyArray<string>): UnvalidatedJson =>
  Predicate.isObject(item.value) && !Array.isArray(item.value)
    ? {
        ...item,
        value: Object.fromEntries(Object.entries(item.value).filter(([member]) => members.includes(member))) as Json
      }
    : item

/**
 * The references of a record that was found by one of them: what it has besides stays, for whoever sends an item knows
 * only its own, and a record that others were merged into has several of one system.
 */
export const joined = (
  present: ReadonlyArray<ExternalRef>,
  sent: ReadonlyArray<ExternalRef>
): ReadonlyArray<ExternalRef> => {
  const same = (a: ExternalRef) => (b: ExternalRef) => a.namespace === b.namespace && a.externalId === b.externalId
  return [...present, ...sent.filter((ref) => !present.some(same(ref)))]
}

/** Whether another system knows a record by other ids than those that are sent: then it means another record. */
const isAnother = (present: ReadonlyArray<ExternalRef>, sent: ReadonlyArray<ExternalRef>): boolean =>
  sent.some(({ namespace }) => present.some((ref) => ref.namespace === namespace))

/** Whether these have their references still: while their locks were waited for, they can have gone to other records. */
const haveStill = (
  loaded: ReadonlyArray<Stored<AnyResource>>,
  holders: ReadonlyArray<ExternalRef & { readonly holder: string }>
): boolean =>
  holders.every(({ externalId, holder, namespace }) =>
    loaded.some(
      ({ deleted, resource, uuid }) =>
        uuid === holder &&
        !deleted &&
        resource.externalRefs.some((ref) => ref.namespace === namespace && ref.externalId === externalId)
    )
  )

const tooManyRefs = InvalidRequest.of([
  bodyFault(
    "/externalRefs",
    "too_many",
    `With those that it has, the record would have more than ${maxRefs} references.`
  )
])

/** The problem of an item, with the places of its faults in the batch. */
export const inItem = (index: number, problem: object): Receipt<never>["problem"] & {} => {
  const members = problemOf(problem)
  if (members.errors === undefined) return members
  const errors = members.errors.map((fault) => ({ ...fault, pointer: `/items/${index}${fault.pointer}` }))
  return { ...members, detail: InvalidRequest.of(errors).detail, errors }
}

/**
 * Makes the items of an upsert inside the transaction of `change`: a bad one stops no other. The number of statements does
 * not depend on how many there are.
 */
export const run = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource, Query>(
  kind: RecordKind<Fields, Resource, Query>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  items: ReadonlyArray<UnvalidatedJson>,
  options: Options
) {
  const { blank, decodeCreate, decodePatch, repo, type } = kind
  const { teamId } = change.actor

  const holdersNow = refs.holders({ teamId, type }, items.flatMap(refsOf))
  const holders = yield* holdersNow
  const named = items.flatMap((item) => Id.toUuid(type, idOf(item) ?? "") ?? [])
  const loaded = yield* repo.lock(teamId, [...new Set([...named, ...holders.map(({ holder }) => holder)])])
  if (!haveStill(loaded, holders)) {
    return yield* new ConcurrencyConflict({
      detail: `References of this ${type} were given to another just now. Look again whose they are.`
    })
  }
  const writes = Writes.make({ kind, refs, change, loaded })

  /** The record that an item means, by its id, or else by its references. */
  const targetOf = (
    item: UnvalidatedJson
  ): Result.Result<Stored<Resource> | undefined, InvalidRequest | Merged | NotFound> => {
    if (hasId(item)) {
      const id = idOf(item)
      if (id === undefined) return Result.fail(InvalidRequest.of([bodyFault("/id", "wrong_type", "Must be a string.")]))
      const stored = writes.get(Id.toUuid(type, id) ?? "")
      if (stored?.mergedInto !== null && stored !== undefined) {
        return Result.fail(
          new Merged({
            mergedInto: stored.mergedInto,
            detail: `This ${type} has become part of ${stored.mergedInto}.`
          })
        )
      }
      return stored === undefined || stored.deleted
        ? Result.fail(new NotFound({ detail: `There is no ${type} with this id.` }))
        : Result.succeed(stored)
    }
    const [holder, another] = writes.holdersOf(refsOf(item))
    return another === undefined
      ? Result.succeed(holder === undefined ? undefined : writes.get(holder))
      : Result.fail(
          InvalidRequest.of([bodyFault("/externalRefs", "ambiguous", "These references belong to different records.")])
        )
  }

  const inputOf = (item: UnvalidatedJson, target: Stored<Resource> | undefined) =>
    Effect.result(target === undefined ? decodeCreate(item) : decodePatch(item, target.resource))

  const writable = Object.keys(blank)
  /** The item as a part of some record. */
  const partOf = (item: UnvalidatedJson) => Effect.result(decodePatch(only(item, writable), {}))

  /** What an item may come to: the items before it may change which record its references mean, and what that is. */
  const wanted: Array<Fields> = []
  for (const item of items) {
    const target = Result.getOrUndefined(targetOf(item))
    const current = target === undefined ? blank : Writes.fieldsOf(blank, target.resource)
    const readings = hasId(item)
      ? []
      : [
          { input: yield* inputOf(item, undefined), current: blank },
          { input: yield* partOf(item), current: blank }
        ]
    if (target !== undefined) readings.push({ input: yield* inputOf(item, target), current })
    for (const reading of readings) {
      if (Result.isFailure(reading.input)) continue
      wanted.push({ ...reading.current, ...kind.normalize(reading.input.success, reading.current) })
    }
  }
  const context = yield* repo.context(change, wanted, {
    writes: items.length,
    sameByMembers: options.sameByMembers
  })
  // Whoever kept this waiting may have made the very records that the references mean.
  const known = new Set(loaded.map(({ uuid }) => uuid))
  if ((yield* holdersNow).some(({ holder }) => !known.has(holder))) {
    return yield* new ConcurrencyConflict({ detail: `Another change of this ${type} was committed first.` })
  }

  /** What becomes of an item, and, as far as it is known, of which record. */
  const make = Effect.fnUntraced(function* (item: UnvalidatedJson) {
    const refused = (problem: object, target?: Stored<Resource>) => ({
      id: target?.resource.id,
      outcome: Result.fail(problem)
    })
    const found = targetOf(item)
    if (Result.isFailure(found)) return refused(found.failure)
    let target = found.success
    const first = yield* inputOf(item, target)
    // What is there already has what a new one needs, such as a name.
    const read = target === undefined && options.sameByMembers && Result.isFailure(first) ? yield* partOf(item) : first
    if (target === undefined && Result.isSuccess(read)) {
      const same = context.findMatch({ ...blank, ...kind.normalize(read.success, blank) })
      // A pair is as good as an id; members that only look the same are not.
      if (
        same !== undefined &&
        !(options.sameByMembers && isAnother(same.resource.externalRefs, read.success.externalRefs ?? []))
      ) {
        target = same
        if (writes.get(same.uuid) === undefined) writes.know(same)
      }
    }
    const input = target === undefined ? first : yield* inputOf(item, target)
    if (Result.isFailure(input)) return refused(input.failure, target)
    if (target === undefined) {
      return { id: undefined, outcome: writes.create(context, yield* change.newId, input.success, options.force) }
    }
    const sent = input.success.externalRefs
    const externalRefs = sent === undefined || hasId(item) ? sent : joined(target.resource.externalRefs, sent)
    if (externalRefs !== undefined && externalRefs.length > maxRefs) return refused(tooManyRefs, target)
    const full = externalRefs === undefined ? input.success : { ...input.success, externalRefs }
    return { id: target.resource.id, outcome: writes.patch(context, target.uuid, full, options.force) }
  })

  const results: Array<Receipt<Resource>> = []
  for (const [index, item] of items.entries()) {
    const { id, outcome } = yield* make(item)
    if (Result.isFailure(outcome)) {
      const problem = inItem(index, outcome.failure)
      results.push({ index, status: "failed", id: idOf(item) ?? id ?? null, etag: null, problem })
    } else {
      const { resource, status } = outcome.success
      results.push({ index, status, id: resource.id, etag: resource.etag })
    }
  }
  yield* writes.flush
  return { results }
})
