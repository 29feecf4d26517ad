/** Creates and patches records, and changes those that other use-cases have locked. Creates that callers of one team send at the same time are committed together. */
import * as GroupCommit from "../mutation/GroupCommit.ts"
import * as Mutation from "../mutation/Mutation.ts"
import { Effect, Result } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { type Change, Changes } from "../mutation/Changes.ts"
import { DryRun } from "../mutation/DryRun.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import { byId, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { deleteAll, loadHolders, lockLatest, makePendingWrites, save } from "./SaveRecords.ts"
import { type EditableKind, fieldsOf, normalized, type WrittenKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { differing } from "../usecase/UnvalidatedJson.ts"
import { mergeRecords, type RecordMerge } from "./MergeRecords.ts"

/** The query parameters of writes that can be forced. */
export interface Forceable {
  readonly force?: boolean
}

/** Makes the use-case. */
export const makeCreateRecord = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Creation = Mutation.Creation<unknown, { readonly input: Partial<Fields>; readonly force: boolean }>

  /** Creates records in one transaction, for actors of one team; a rejected one does not affect the others. */
  const commitAll = (creations: NonEmptyReadonlyArray<Creation>) =>
    Mutation.retryOnConflict(
      changes.commit(creations[0].actor, (change) =>
        Effect.gen(function* () {
          const keys = yield* idempotency.claim(creations.map((creation) => ({ ...creation, now: change.at })))
          const fresh = keys.fresh.flatMap((index) => creations[index] ?? [])
          const inputs = fresh.map(({ decision }) => decision.input)
          const context = yield* kind.context(
            change,
            inputs.map((input): Fields => ({ ...kind.blank, ...normalized(kind, input, kind.blank) })),
            { writes: fresh.length, matchByMembers: false }
          )
          const holders = yield* loadHolders(
            kind,
            refs,
            change.actor.teamId,
            inputs.flatMap(({ externalRefs }) => externalRefs ?? [])
          )
          const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, holders)
          const { teamId } = change.actor
          const isKeyed = fresh.some(({ key }) => key !== undefined)
          const { keyed, unkeyed } = yield* quotas.allowances(teamId, kind.quota, isKeyed)
          const outcomes = yield* Effect.forEach(fresh, ({ actor, decision, key }) =>
            Effect.map(change.newId, (uuid) => {
              const allowance = key === undefined ? unkeyed : keyed
              return Result.map(
                writes.create(context, uuid, { ...decision, actor }, allowance),
                ({ resource }) => resource
              )
            })
          )
          yield* save(kind, refs, change, writes.unsaved())
          return yield* keys.answer(outcomes)
        })
      )
    )

  const commitTogether = GroupCommit.make({
    groupOf: ({ actor: { origin, teamId } }: Creation) => `${teamId} ${origin}`,
    write: commitAll
  })

  const commitAlone = (creation: Creation) =>
    Effect.flatMap(commitAll([creation]), ([answer]) =>
      answer === undefined ? Effect.die(new Error("a create has no answer")) : Effect.fromResult(answer)
    )

  /** Creates a record. */
  return Effect.fn(`${kind.plural}.create`)((request: UseCaseRequest<Forceable>) =>
    mutation.create({
      request,
      authorize: kind.needs,
      decide: ({ body }) =>
        Effect.gen(function* () {
          const rejection = kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input, key] = yield* all(request.query, kind.decodeCreate(body), request.idempotencyKey)
          const faults = kind.faultsOf?.({ ...kind.blank, ...normalized(kind, input, kind.blank) }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { key, input, force: query.force === true }
        }),
      // A dry run commits alone, because it reports what its transaction did.
      commit: (creation) =>
        Effect.flatMap(DryRun, (dryRun) => (dryRun === undefined ? commitTogether(creation) : commitAlone(creation)))
    })
  )
})

// Changes members of a record.

/** Makes the use-case. `rejectLoaded` rejects the change of a record for the state it is in. */
export const makePatchRecord = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never,
  LoadedRejection = never
>(
  kind: EditableKind<Fields, Resource, Rejection>,
  { rejectLoaded }: { readonly rejectLoaded?: (stored: Stored<Resource>) => LoadedRejection | undefined } = {}
) {
  const { blank, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const mutation = yield* Mutation.make

  /** Writes the patch of a locked record. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    stored: Stored<Resource>,
    decision: { readonly input: Partial<Fields>; readonly force: boolean }
  ) {
    const { input } = decision
    const current = fieldsOf(blank, stored.resource)
    const fields: Fields = { ...current, ...normalized(kind, input, current) }
    const context = yield* kind.context(change, [fields], { writes: 1, matchByMembers: false })
    const holders = yield* loadHolders(kind, refs, change.actor.teamId, input.externalRefs ?? [])
    const writes = makePendingWrites<Fields, Resource, Rejection>(kind, change, [
      ...holders.filter(({ uuid }) => uuid !== stored.uuid),
      stored
    ])
    const { resource } = yield* Effect.fromResult(writes.patch(context, stored.uuid, decision))
    yield* save(kind, refs, change, writes.unsaved())
    return resource
  })

  /** Patches a record; a patch that changes nothing leaves no trace. */
  return Effect.fn(`${kind.plural}.patch`)((id: string, request: UseCaseRequest<Forceable>) =>
    mutation.change({
      request,
      authorize: kind.needs,
      load: (actor) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
      body: request.body,
      etagOf: ({ resource }) => resource.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const rejection = rejectLoaded?.(loaded) ?? kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input] = yield* all(request.query, kind.decodePatch(body, loaded.resource))
          const current = fieldsOf(blank, loaded.resource)
          const values = normalized(kind, input, current)
          if (differing(values, current).length === 0) return null
          const faults = kind.faultsOf?.({ ...current, ...values }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { input, force: query.force === true }
        }),
      // The record is locked before those that it is checked against, as by batches, so that writers cannot deadlock.
      lock: (change, locking) => lockLatest(kind, change, locking),
      commit: (change, { decision, loaded }) => write(change, loaded, decision),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
    })
  )
})

// Changes of locked records that other use-cases make inside their own transaction. Nothing is rejected.

// A write context that accepts everything.
const acceptEverything = { faultsOf: () => [] }

/** Makes the changes. Their caller is authorized. */
export const makeChangeLocked = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource>(
  kind: WrittenKind<Fields, Resource>
) {
  const refs = yield* ExternalRefsRepo

  /** Locks these records (UUIDs), tombstones included, until the transaction of `change` ends. */
  const lock = (change: Change, uuids: ReadonlyArray<string>) => kind.repo.lock(change.actor.teamId, uuids)

  /** Patches locked records, and returns them in the same order. */
  const patchLocked = Effect.fnUntraced(function* (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    inputOf: (stored: Stored<Resource>) => Partial<Fields>
  ) {
    const writes = makePendingWrites(kind, change, locked)
    for (const stored of locked) {
      writes.patch(acceptEverything, stored.uuid, { input: inputOf(stored), force: true })
    }
    yield* Effect.orDie(save(kind, refs, change, writes.unsaved()))
    return locked.map((stored) => writes.get(stored.uuid) ?? stored)
  })

  /** Deletes locked records. */
  const deleteLocked = (change: Change, locked: ReadonlyArray<Stored<Resource>>) =>
    Effect.orDie(deleteAll(kind, refs, change, { loaded: locked, pinned: true, force: true }))

  /** Merges locked records into one of them: see {@link mergeRecords}. */
  const mergeLocked = (change: Change, merge: RecordMerge<Resource>) => mergeRecords(kind, refs, change, merge)

  return { lock, patchLocked, deleteLocked, mergeLocked }
})
