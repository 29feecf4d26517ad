/** Upserts of records (decisions §4): which record an item means, and what it comes to. */
import { Effect, Predicate, Result } from "effect"
import type { Change } from "../changes/Changes.ts"
import { type ExternalRef, mostRefs } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import type { Document } from "../http/Document.ts"
import type { Json } from "../http/Input.ts"
import { bodyFault } from "../http/Input.ts"
import { InvalidRequest, Merged, NotFound } from "../http/Problem.ts"
import * as Id from "../Id.ts"
import { problemOf, type Receipt } from "./Batch.ts"
import type { AnyFields, AnyResource, RecordKind } from "./RecordKind.ts"
import type { Stored } from "./RecordTable.ts"
import * as Writes from "./Writes.ts"

/** How to read items. */
export interface Options {
  /** Write although it looks like a duplicate. */
  readonly force: boolean
  /** Take an item that names no record for the one that it would be a duplicate of, if that is clear. */
  readonly sameByMembers: boolean
}

/** The items of a batch as documents of their own, with the faults of their strings. */
export const itemsOf = (document: Document, items: ReadonlyArray<unknown>): ReadonlyArray<Document> =>
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

/** The references that an item has, as far as they are well formed. */
const refsOf = ({ value }: Document): ReadonlyArray<ExternalRef> => {
  const refs: unknown = Predicate.isObject(value) && "externalRefs" in value ? value["externalRefs"] : []
  return (Array.isArray(refs) ? refs as ReadonlyArray<unknown> : []).flatMap((ref) =>
    Predicate.isObject(ref) && "namespace" in ref && "externalId" in ref &&
      typeof ref.namespace === "string" && typeof ref.externalId === "string"
      ? [{ namespace: ref.namespace, externalId: ref.externalId }]
      : []
  )
}

/** The id that an item has. */
const idOf = ({ value }: Document): string | undefined => {
  const id: unknown = Predicate.isObject(value) && "id" in value ? value["id"] : undefined
  return id === undefined || id === null ? undefined : typeof id === "string" ? id : ""
}

const withoutId = (item: Document): Document => {
  if (!Predicate.isObject(item.value) || !("id" in item.value)) return item
  const { id: _, ...value } = item.value as { readonly [member: string]: Json }
  return { ...item, value }
}

/**
 * The references of a record that was found by one of them: those of other systems stay, for whoever sends an item knows
 * only its own.
 */
export const joined = (
  present: ReadonlyArray<ExternalRef>,
  sent: ReadonlyArray<ExternalRef>
): ReadonlyArray<ExternalRef> => {
  const same = (a: ExternalRef) => (b: ExternalRef) => a.namespace === b.namespace && a.externalId === b.externalId
  return [
    ...present.filter((ref) => sent.some(same(ref)) || !sent.some(({ namespace }) => namespace === ref.namespace)),
    ...sent.filter((ref) => !present.some(same(ref)))
  ]
}

const tooManyRefs = InvalidRequest.of([
  bodyFault("/externalRefs", "too_many", `With those that it has, the record would have more than ${mostRefs} references.`)
])

const inItem = (index: number, problem: object): Receipt<never>["problem"] & {} => {
  const members = problemOf(problem)
  if (members.errors === undefined) return members
  const errors = members.errors.map((fault) => ({ ...fault, pointer: `/items/${index}${fault.pointer}` }))
  return { ...members, detail: InvalidRequest.of(errors).detail, errors }
}

/**
 * Makes the items of an upsert inside the transaction of `change`: a bad one stops no other. The number of statements does
 * not depend on how many there are.
 */
export const run = Effect.fnUntraced(function*<
  Fields extends AnyFields,
  Resource extends AnyResource,
  Query
>(
  kind: RecordKind<Fields, Resource, Query>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  items: ReadonlyArray<Document>,
  options: Options
) {
  const { blank, decodeCreate, decodePatch, repo, type } = kind
  const { teamId } = change.actor

  const holders = yield* refs.holders({ teamId, type }, items.flatMap(refsOf))
  const named = items.flatMap((item) => Id.toUuid(type, idOf(item) ?? "") ?? [])
  const loaded = yield* repo.lock(teamId, [...new Set([...named, ...holders.map(({ holder }) => holder)])])
  const writes = Writes.make({ kind, refs, change, loaded })

  /** The record that an item means, by its id, or else by its references. */
  const targetOf = (item: Document): Result.Result<Stored<Resource> | undefined, InvalidRequest | Merged | NotFound> => {
    const id = idOf(item)
    if (id !== undefined) {
      const stored = writes.get(Id.toUuid(type, id) ?? "")
      if (stored?.mergedInto !== null && stored !== undefined) {
        return Result.fail(new Merged({
          mergedInto: stored.mergedInto,
          detail: `This ${type} has become part of ${stored.mergedInto}.`
        }))
      }
      return stored === undefined || stored.deleted
        ? Result.fail(new NotFound({ detail: `There is no ${type} with this id.` }))
        : Result.succeed(stored)
    }
    const [holder, another] = writes.holdersOf(refsOf(item))
    return another === undefined
      ? Result.succeed(holder === undefined ? undefined : writes.get(holder))
      : Result.fail(InvalidRequest.of([
        bodyFault("/externalRefs", "ambiguous", "These references belong to different records.")
      ]))
  }

  const inputOf = (item: Document, target: Stored<Resource> | undefined) =>
    Effect.result(target === undefined ? decodeCreate(withoutId(item)) : decodePatch(item, target.resource))

  const wanted: Array<Fields> = []
  for (const item of items) {
    const target = Result.getOrUndefined(targetOf(item))
    const input = yield* inputOf(item, target)
    if (Result.isFailure(input)) continue
    const current = target === undefined ? blank : Writes.fieldsOf(blank, target.resource)
    wanted.push({ ...current, ...kind.normalize(input.success, current) })
  }
  const surroundings = yield* repo.surroundings(change, wanted, { sameByMembers: options.sameByMembers })

  const made = Effect.fnUntraced(function*(item: Document) {
    const found = targetOf(item)
    if (Result.isFailure(found)) return Result.fail<object>(found.failure)
    let target = found.success
    const first = yield* inputOf(item, target)
    if (target === undefined && Result.isSuccess(first)) {
      target = surroundings.sameAs({ ...blank, ...kind.normalize(first.success, blank) })
      if (target !== undefined && writes.get(target.uuid) === undefined) writes.know(target)
    }
    const input = target === undefined ? first : yield* inputOf(item, target)
    if (Result.isFailure(input)) return Result.fail<object>(input.failure)
    if (target === undefined) return writes.create(surroundings, yield* change.newId, input.success, options.force)
    const sent = input.success.externalRefs
    if (sent === undefined || idOf(item) !== undefined) {
      return writes.patch(surroundings, target.uuid, input.success, options.force)
    }
    const externalRefs = joined(target.resource.externalRefs, sent)
    return externalRefs.length > mostRefs
      ? Result.fail<object>(tooManyRefs)
      : writes.patch(surroundings, target.uuid, { ...input.success, externalRefs }, options.force)
  })

  const results: Array<Receipt<Resource>> = []
  for (const [index, item] of items.entries()) {
    const outcome = yield* made(item)
    results.push(
      Result.isSuccess(outcome)
        ? {
          index,
          status: outcome.success.status,
          id: outcome.success.resource.id,
          etag: outcome.success.resource.etag
        }
        : { index, status: "failed", id: idOf(item) ?? null, etag: null, problem: inItem(index, outcome.failure) }
    )
  }
  yield* writes.flush
  return { results }
})
