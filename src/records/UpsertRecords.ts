/** Upserts records (docs/behaviour/http.md#batch-upsert): finds the record that each item means, and patches or creates it. */
import { Effect, Result } from "effect"
import type { Change } from "../changes/Changes.ts"
import * as Mutation from "../changes/Mutation.ts"
import { type ExternalRef, maxRefs } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import * as Id from "../Id.ts"
import { all, bodyFault } from "../usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, Merged, NotFound } from "../usecase/Problem.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { envelopeOf, type Receipt, UpsertEnvelope } from "./Batch.ts"
import type { Forceable } from "./CreateRecord.ts"
import * as PendingWrites from "./PendingWrites.ts"
import { type EditableKind, fieldsOf, normalized } from "./RecordKind.ts"
import { itemProblem } from "./receipts.ts"
import { save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { hasId, hasOtherRefs, idOf, itemsOf, joinRefs, pickMembers, refsOf } from "./upsertItems.ts"

/** How items are matched and written. */
export interface UpsertOptions {
  /** Whether to write in spite of possible duplicates. */
  readonly force: boolean
  /**
   * Whether an item without id and known references matches the one record that it would be a duplicate of, unless that record has
   * another reference in one of the item's systems.
   */
  readonly matchByMembers: boolean
}

type Item = UnvalidatedJson.UnvalidatedJson

const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)

const tooManyRefs = InvalidRequest.of([
  bodyFault(
    "/externalRefs",
    "too_many",
    `With those that it has, the record would have more than ${maxRefs} references.`
  )
])

const ambiguousRefs = InvalidRequest.of([
  bodyFault("/externalRefs", "ambiguous", "These references belong to different records.")
])

const invalidId = InvalidRequest.of([bodyFault("/id", "wrong_type", "Must be a string.")])

/** Whether all of these records still hold their references: while their locks waited, another transaction may have moved them. */
const holdStill = (
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

/** Makes the use-case. It needs the `broker` capability. */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const { blank, decodeCreate, decodePatch, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const mutation = yield* Mutation.make

  type Writes = ReturnType<typeof PendingWrites.make<Fields, Resource, Rejection>>
  type WriteRejection = Result.Result.Failure<ReturnType<Writes["create"]>>
  type ItemOutcome = Result.Result<PendingWrites.Outcome<Resource>, InvalidRequest | Merged | NotFound | WriteRejection>
  type WriteContext = Effect.Success<ReturnType<typeof kind.context>>

  /** Locks the records that the items name by their ids and references. */
  const lockNamed = Effect.fnUntraced(function* (change: Change, items: ReadonlyArray<Item>) {
    const { teamId } = change.actor
    const findHolders = refs.holders({ teamId, type }, items.flatMap(refsOf))
    const holders = yield* findHolders
    const named = items.flatMap((item) => Id.toUuid(type, idOf(item) ?? "") ?? [])
    const locked = yield* repo.lock(teamId, [...new Set([...named, ...holders.map(({ holder }) => holder)])])
    if (!holdStill(locked, holders)) {
      return yield* new ConcurrencyConflict({
        detail: `References of this ${type} were given to another just now. Look again whose they are.`
      })
    }
    return { locked, findHolders }
  })

  /** The record that an item names by its id, or else by its references. */
  const namedRecord = (
    writes: Writes,
    item: Item
  ): Result.Result<Stored<Resource> | undefined, InvalidRequest | Merged | NotFound> => {
    if (hasId(item)) {
      const id = idOf(item)
      if (id === undefined) return Result.fail(invalidId)
      const stored = writes.get(Id.toUuid(type, id) ?? "")
      if (stored?.mergedInto !== null && stored !== undefined) {
        const { mergedInto } = stored
        return Result.fail(new Merged({ mergedInto, detail: `This ${type} has become part of ${mergedInto}.` }))
      }
      return stored === undefined || stored.deleted
        ? Result.fail(new NotFound({ detail: `There is no ${type} with this id.` }))
        : Result.succeed(stored)
    }
    const [holder, another] = writes.holdersOf(refsOf(item))
    return another === undefined
      ? Result.succeed(holder === undefined ? undefined : writes.get(holder))
      : Result.fail(ambiguousRefs)
  }

  const decodeAs = (item: Item, target: Stored<Resource> | undefined) =>
    Effect.result(target === undefined ? decodeCreate(item) : decodePatch(item, target.resource))

  const writableMembers = Object.keys(blank)

  /** Decodes the members of an item, without those that a new record needs. */
  const decodeMembers = (item: Item) => Effect.result(decodePatch(pickMembers(item, writableMembers), {}))

  /** The states that items may lead to. The items before one can change the record that its references name. */
  const possibleStates = Effect.fnUntraced(function* (writes: Writes, items: ReadonlyArray<Item>) {
    const states: Array<Fields> = []
    for (const item of items) {
      const target = Result.getOrUndefined(namedRecord(writes, item))
      const readings = hasId(item)
        ? []
        : [
            { input: yield* decodeAs(item, undefined), current: blank },
            { input: yield* decodeMembers(item), current: blank }
          ]
      if (target !== undefined) {
        readings.push({ input: yield* decodeAs(item, target), current: fieldsOf(blank, target.resource) })
      }
      for (const { current, input } of readings) {
        if (Result.isSuccess(input)) states.push({ ...current, ...normalized(kind, input.success, current) })
      }
    }
    return states
  })

  /** The record that an item without id and known references means by its members; `asNew` is the item as a new record. */
  const matchByMembers = Effect.fnUntraced(function* (
    writes: Writes,
    context: WriteContext,
    item: Item,
    asNew: Result.Result<Partial<Fields>, InvalidRequest>,
    options: UpsertOptions
  ) {
    // An existing record has the members that a new one needs, such as a name.
    const input = options.matchByMembers && Result.isFailure(asNew) ? yield* decodeMembers(item) : asNew
    if (Result.isFailure(input)) return undefined
    const match = context.findMatch?.({ ...blank, ...normalized(kind, input.success, blank) })
    if (match === undefined) return undefined
    // The pair of a link identifies it. Members that look alike do not, if another system has the record under another id.
    if (options.matchByMembers && hasOtherRefs(match.resource.externalRefs, input.success.externalRefs ?? [])) {
      return undefined
    }
    if (writes.get(match.uuid) === undefined) writes.add(match)
    return match
  })

  /** Decides one item; returns the outcome, and the id of the record as far as it is known. */
  const decideItem = Effect.fnUntraced(function* (
    change: Change,
    writes: Writes,
    context: WriteContext,
    item: Item,
    options: UpsertOptions
  ): Effect.fn.Return<{ readonly id: string | undefined; readonly outcome: ItemOutcome }> {
    const { force } = options
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) return { id: undefined, outcome: Result.fail(named.failure) }
    const first = yield* decodeAs(item, named.success)
    const target = named.success ?? (yield* matchByMembers(writes, context, item, first, options))
    const decoded = target === named.success ? first : yield* decodeAs(item, target)
    if (Result.isFailure(decoded)) return { id: target?.resource.id, outcome: Result.fail(decoded.failure) }
    const input = decoded.success
    if (target === undefined) {
      return { id: undefined, outcome: writes.create(context, yield* change.newId, { input, force }) }
    }
    const { id } = target.resource
    const sent = input.externalRefs
    const externalRefs = sent === undefined || hasId(item) ? sent : joinRefs(target.resource.externalRefs, sent)
    if (externalRefs !== undefined && externalRefs.length > maxRefs) return { id, outcome: Result.fail(tooManyRefs) }
    const joined = externalRefs === undefined ? input : { ...input, externalRefs }
    return { id, outcome: writes.patch(context, target.uuid, { input: joined, force }) }
  })

  /** Upserts items in the transaction of `change`; a rejected one does not affect the others. */
  const upsertAll = Effect.fnUntraced(function* (change: Change, items: ReadonlyArray<Item>, options: UpsertOptions) {
    const { findHolders, locked } = yield* lockNamed(change, items)
    const writes = PendingWrites.make(kind, change, locked)
    const context = yield* kind.context(change, yield* possibleStates(writes, items), {
      writes: items.length,
      matchByMembers: options.matchByMembers
    })
    // A transaction that kept this one waiting may have created the records that the references name.
    const known = new Set(locked.map(({ uuid }) => uuid))
    if ((yield* findHolders).some(({ holder }) => !known.has(holder))) {
      return yield* new ConcurrencyConflict({ detail: `Another change of this ${type} was committed first.` })
    }
    const results: Array<Receipt<Resource>> = []
    for (const [index, item] of items.entries()) {
      const { id, outcome } = yield* decideItem(change, writes, context, item, options)
      if (Result.isFailure(outcome)) {
        const problem = itemProblem(index, outcome.failure as object)
        results.push({ index, status: "failed", id: idOf(item) ?? id ?? null, etag: null, problem })
      } else {
        const { resource, status } = outcome.success
        results.push({ index, status, id: resource.id, etag: resource.etag })
      }
    }
    yield* save(kind, refs, change, writes.unsaved())
    return { results }
  })

  /** Upserts up to a hundred records. The number of statements does not depend on that of the items. */
  return Effect.fn(`${kind.plural}.batchUpsert`)(
    (
      request: UseCaseRequest<Forceable>,
      { matchByMembers }: Pick<UpsertOptions, "matchByMembers"> = { matchByMembers: false }
    ) =>
      mutation.create({
        request,
        authorize: "broker",
        decide: ({ body }) =>
          Effect.map(
            all(request.query, decodeEnvelope(envelopeOf(body)), request.idempotencyKey),
            ([query, { items }, key]) => ({ key, items: itemsOf(body, items), force: query.force === true })
          ),
        commit: (creation) =>
          mutation.once(creation, (change) => {
            const { force, items } = creation.decision
            return upsertAll(change, items, { force, matchByMembers })
          })
      })
  )
})
