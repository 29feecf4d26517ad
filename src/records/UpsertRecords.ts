/** Upserts records (docs/behaviour/http.md#batch-upsert): finds the record that each item means, and patches or creates it. */
import { Effect, Result } from "effect"
import type { Change } from "../changes/Changes.ts"
import * as Mutation from "../changes/Mutation.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { upsertedRefs } from "../externalRefs/rules.ts"
import * as Id from "../Id.ts"
import type { Allowance } from "../quotas/Quota.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { all } from "../usecase/Input.ts"
import * as LargeWrites from "../usecase/LargeWrites.ts"
import {
  ConcurrencyConflict,
  InvalidRequest,
  type Merged,
  type NotFound,
  PreconditionFailed
} from "../usecase/Problem.ts"
import { matches } from "../usecase/Precondition.ts"
import { makePacer } from "../usecase/Turns.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { envelopeOf, type FailedReceipt, type UpsertedReceipt, UpsertEnvelope } from "./Batch.ts"
import type { Forceable } from "./CreateRecord.ts"
import * as PendingWrites from "./PendingWrites.ts"
import type { EditableKind } from "./RecordKind.ts"
import { itemProblem } from "./receipts.ts"
import { save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { idOf, itemsOf, refsOf, shortIdOf, splitEtag } from "./upsertItems.ts"
import * as UpsertMatching from "./UpsertMatching.ts"

type Item = UnvalidatedJson.UnvalidatedJson

const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)

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

/** Makes the use-case. */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const { repo, type } = kind
  const { decodeAs, decodeAsRead, matchByMembers, namedRecord, possibleStates } = UpsertMatching.make(kind)
  const refs = yield* ExternalRefsRepo
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Writes = ReturnType<typeof PendingWrites.make<Fields, Resource, Rejection>>
  type WriteRejection = Result.Result.Failure<ReturnType<Writes["create"]>>
  type ItemOutcome = Result.Result<
    PendingWrites.Outcome<Resource>,
    InvalidRequest | Merged | NotFound | PreconditionFailed | WriteRejection
  >
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

  /** Decides one item; returns the outcome, and the id of the record as far as it is known. */
  const decideItem = Effect.fnUntraced(function* (
    change: Change,
    writes: Writes,
    context: WriteContext,
    { item, tags }: ReturnType<typeof splitEtag>,
    options: UpsertMatching.UpsertOptions,
    allowance: Allowance
  ): Effect.fn.Return<{ readonly id: string | undefined; readonly outcome: ItemOutcome }> {
    const { force } = options
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) return { id: undefined, outcome: Result.fail(named.failure) }
    const first = yield* tags === undefined ? decodeAs(item, named.success) : decodeAsRead(item, named.success)
    const target = named.success ?? (yield* matchByMembers(writes, context, item, first, options))
    if (tags !== undefined && target === undefined) {
      const faults = Result.isFailure(first) ? first.failure.errors.filter(({ code }) => code !== "required") : []
      return {
        id: undefined,
        outcome: Result.fail(faults.length > 0 ? InvalidRequest.of(faults) : PreconditionFailed.ofGoneItem(type))
      }
    }
    if (tags !== undefined && target !== undefined && !matches(target.resource.etag, tags)) {
      const { etag, id } = target.resource
      return { id, outcome: Result.fail(PreconditionFailed.ofItem(type, etag)) }
    }
    const decoded = target === named.success ? first : yield* decodeAs(item, target)
    if (Result.isFailure(decoded)) return { id: target?.resource.id, outcome: Result.fail(decoded.failure) }
    const input = decoded.success
    if (target === undefined) {
      return { id: undefined, outcome: writes.create(context, yield* change.newId, { input, force }, allowance) }
    }
    const { id } = target.resource
    if (input.externalRefs === undefined) return { id, outcome: writes.patch(context, target.uuid, { input, force }) }
    const externalRefs = upsertedRefs(target.resource.externalRefs, input.externalRefs, "record")
    if (Result.isFailure(externalRefs)) return { id, outcome: Result.fail(externalRefs.failure) }
    const merged = { ...input, externalRefs: externalRefs.success }
    return { id, outcome: writes.patch(context, target.uuid, { input: merged, force }) }
  })

  /** Upserts items in the transaction of `change`; a rejected one does not affect the others. */
  const upsertAll = Effect.fnUntraced(function* (
    change: Change,
    sent: ReadonlyArray<Item>,
    options: UpsertMatching.UpsertOptions
  ) {
    const pace = makePacer()
    const split: Array<ReturnType<typeof splitEtag>> = []
    for (const one of sent) {
      yield* pace
      split.push(splitEtag(one))
    }
    const items = split.map(({ item }) => item)
    const { findHolders, locked } = yield* lockNamed(change, items)
    const writes = PendingWrites.make<Fields, Resource, Rejection>(kind, change, locked)
    const context = yield* kind.context(change, yield* possibleStates(writes, items), {
      writes: items.length,
      matchByMembers: options.matchByMembers
    })
    // A transaction that kept this one waiting may have created the records that the references name.
    const known = new Set(locked.map(({ uuid }) => uuid))
    if ((yield* findHolders).some(({ holder }) => !known.has(holder))) {
      return yield* ConcurrencyConflict.of(type)
    }
    const allowance = yield* quotas.allowance(change.actor.teamId, kind.quota)
    const results: Array<UpsertedReceipt | FailedReceipt> = []
    for (const [index, one] of split.entries()) {
      yield* pace
      const { id, outcome } = yield* decideItem(change, writes, context, one, options, allowance)
      if (Result.isFailure(outcome)) {
        const problem = itemProblem(index, outcome.failure as object)
        results.push({ index, status: "failed", id: shortIdOf(one.item) ?? id ?? null, etag: null, problem })
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
      { matchByMembers }: Pick<UpsertMatching.UpsertOptions, "matchByMembers"> = { matchByMembers: false }
    ) =>
      mutation.create({
        request,
        authorize: kind.needs,
        decide: ({ body }) =>
          Effect.map(
            all(request.query, decodeEnvelope(envelopeOf(body)), request.idempotencyKey),
            ([query, { items }, key]) => ({ key, items: itemsOf(body, items), force: query.force === true })
          ),
        commit: (creation) => {
          const { force, items } = creation.decision
          return LargeWrites.inTurnOfTeam(
            creation.actor.teamId,
            items.map(({ value }) => value),
            mutation.once(creation, (change) => upsertAll(change, items, { force, matchByMembers }))
          )
        }
      })
  )
})
