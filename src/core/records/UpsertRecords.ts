/** Upserts records (docs/behaviour/http.md#batch-upsert): finds the record that each item means, and patches or creates it. */
import { Effect, Result } from "effect"
import type { Change } from "../mutation/Changes.ts"
import * as Mutation from "../mutation/Mutation.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import * as Id from "../Id.ts"
import type { Allowance } from "../quotas/Quota.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { all } from "../usecase/Input.ts"
import { writeInTurn } from "../usecase/TeamBudget.ts"
import {
  ConcurrencyConflict,
  type InvalidRequest,
  type Merged,
  type NotFound,
  type PreconditionFailed
} from "../usecase/Problem.ts"
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
import * as UpsertRows from "./UpsertRows.ts"

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

/** Makes the use-cases: upserts of items, and of rows of files. */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const { repo, type } = kind
  const matching = UpsertMatching.make(kind)
  const { decodeAs, decodeAsRead, namedRecord, patchWithRefs, possibleStates, preconditionOf } = matching
  const rowDecisions = UpsertRows.make(kind, matching)
  const refs = yield* ExternalRefsRepo
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Writes = ReturnType<typeof PendingWrites.make<Fields, Resource, Rejection>>
  type WriteRejection = Result.Result.Failure<ReturnType<Writes["create"]>>
  type ItemOutcome = Result.Result<
    PendingWrites.Outcome<Resource>,
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
    allowance: Allowance
  ): Effect.fn.Return<Decided> {
    const named = namedRecord(writes, item)
    if (Result.isFailure(named)) return { id: undefined, outcome: Result.fail(named.failure) }
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

  /** Upserts items in the transaction of `change`; a rejected one does not affect the others. */
  const upsertAll = Effect.fnUntraced(function* <Receipt>(
    change: Change,
    sent: ReadonlyArray<Item>,
    options: {
      readonly matchByMembers: boolean
      readonly decide: (
        writes: Writes,
        context: WriteContext,
        one: ReturnType<typeof splitEtag>,
        index: number,
        allowance: Allowance
      ) => Effect.Effect<Receipt>
    }
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
    const results: Array<Receipt> = []
    for (const [index, one] of split.entries()) {
      yield* pace
      results.push(yield* options.decide(writes, context, one, index, allowance))
    }
    yield* save(kind, refs, change, writes.unsaved())
    return { results }
  })

  const upsert = <Receipt>(
    request: UseCaseRequest<Forceable>,
    commit: (change: Change, items: ReadonlyArray<Item>, force: boolean) => ReturnType<typeof upsertAll<Receipt>>
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
        return writeInTurn(
          creation.actor.teamId,
          items.map(({ value }) => value),
          mutation.once(creation, (change) => commit(change, items, force))
        )
      }
    })

  /** Upserts up to a hundred records. The number of statements does not depend on that of the items. */
  const batchUpsert = Effect.fn(`${kind.plural}.batchUpsert`)((request: UseCaseRequest<Forceable>) =>
    upsert(request, (change, items, force) =>
      upsertAll(change, items, {
        matchByMembers: false,
        decide: (writes, context, one, index, allowance) =>
          Effect.map(
            decideItem(change, writes, context, one, force, allowance),
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
   * Upserts up to a hundred rows of a file, and notes them in `rows.earlier`, which the caller settles with the answer
   * (docs/behaviour/imports-and-exports.md#matching).
   */
  const importRows = Effect.fn(`${kind.plural}.importRows`)(
    (request: UseCaseRequest<object>, rows: UpsertMatching.FileRows) =>
      upsert(request, (change, items) =>
        Effect.suspend(() => {
          rows.earlier.begin()
          return upsertAll(change, items, {
            matchByMembers: kind.identity !== undefined,
            decide: (writes, context, one, index, allowance) =>
              rowDecisions.decide({ change, writes, context }, one, index, rows, allowance)
          })
        })
      )
  )

  return { batchUpsert, importRows }
})
