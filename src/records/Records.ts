/** The use-cases that all records of the network have: one of them, their list, and batches. */
import { Effect, Result } from "effect"
import { type Actor, authorize } from "../auth/CurrentActor.ts"
import { type Change, Changes } from "../changes/Changes.ts"
import { tombstoneDays } from "../changes/Delta.ts"
import * as DeltaList from "../changes/DeltaList.ts"
import { DryRun } from "../changes/DryRun.ts"
import * as GroupCommit from "../changes/GroupCommit.ts"
import * as Mutation from "../changes/Mutation.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { daysAgo } from "../fields/Span.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import { differing } from "../usecase/MergePatch.ts"
import { Cursors } from "../usecase/Page.ts"
import { ConcurrencyConflict, ExternalReferenceTaken, InvalidRequest, Merged } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import * as Absorbing from "./Absorbing.ts"
import { envelopeOf, IdsEnvelope, problemOf, type Receipt, UpsertEnvelope } from "./Batch.ts"
import * as Purge from "./Purge.ts"
import type { AnyFields, AnyResource, RecordKind, WriteContext } from "./RecordKind.ts"
import type { Stored } from "./RecordTable.ts"
import * as Upsert from "./Upsert.ts"
import * as Writes from "./Writes.ts"

/** The parameters of writes that can be forced. */
export interface Forceable {
  readonly force?: boolean
}

const decodeUpsert = UnvalidatedJson.decoder(UpsertEnvelope)
const decodeIds = UnvalidatedJson.decoder(IdsEnvelope)

/** A record to be added. */
type Addition<Fields> = Mutation.Creation<unknown, { readonly input: Partial<Fields>; readonly force: boolean }>

const mergedOf = (type: Id.Prefix, mergedInto: string) =>
  new Merged({ mergedInto, detail: `This ${type} has become part of ${mergedInto}: change that one.` })

/**
 * The use-cases of one kind of record. Every one needs the `broker` capability; `purge` is the service's own.
 * `refusalOf` refuses a document as a whole, before its members are looked at.
 */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Query extends DeltaList.DeltaQuery,
  Refusal = never
>(
  kind: RecordKind<Fields, Resource, Query>,
  {
    refusalOf = () => undefined
  }: { readonly refusalOf?: (document: UnvalidatedJson.UnvalidatedJson) => Refusal | undefined } = {}
) {
  const { blank, plural, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const mutation = yield* Mutation.make
  const cursors = yield* Cursors
  const stepOf = yield* Purge.make
  const span = (name: string) => `${plural}.${name}`

  const find = (actor: Actor, id: string) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid))

  const unlessMerged = (stored: Stored<Resource>) =>
    stored.mergedInto === null ? Effect.succeed(stored) : Effect.fail(mergedOf(type, stored.mergedInto))

  const load = (actor: Actor, id: string) => Effect.flatMap(find(actor, id), unlessMerged)

  /** The records that have these references. */
  const holdersOf = Effect.fnUntraced(function* (teamId: string, wanted: ReadonlyArray<ExternalRef>) {
    const holders = yield* refs.holders({ teamId, type }, wanted)
    return yield* repo.findAll(teamId, [...new Set(holders.map(({ holder }) => holder))])
  })

  /** Changes a record that the transaction of `change` has locked. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    stored: Stored<Resource>,
    input: Partial<Fields>,
    force: boolean
  ) {
    const current = Writes.fieldsOf(blank, stored.resource)
    const fields: Fields = { ...current, ...kind.normalize(input, current) }
    const context = yield* repo.context(change, [fields], { writes: 1, sameByMembers: false })
    const holders = yield* holdersOf(change.actor.teamId, input.externalRefs ?? [])
    const loaded = [...holders.filter(({ uuid }) => uuid !== stored.uuid), stored]
    const writes = Writes.make({ kind, refs, change, loaded })
    const outcome = yield* Effect.fromResult(writes.patch(context, stored.uuid, input, force))
    yield* writes.flush
    return outcome.resource
  })

  /** Adds records inside the transaction of `change`, each on what those before it left; what is refused stops no other. */
  const addAll = Effect.fnUntraced(function* (change: Change, additions: ReadonlyArray<Addition<Fields>>) {
    const fields = additions.map(({ decision: { input } }): Fields => ({ ...blank, ...kind.normalize(input, blank) }))
    const context = yield* repo.context(change, fields, { writes: additions.length, sameByMembers: false })
    const loaded = yield* holdersOf(
      change.actor.teamId,
      additions.flatMap(({ decision: { input } }) => input.externalRefs ?? [])
    )
    const writes = Writes.make({ kind, refs, change, loaded })
    const outcomes = yield* Effect.forEach(additions, ({ actor, decision: { force, input } }) =>
      Effect.map(change.newId, (uuid) =>
        Result.map(writes.create(context, uuid, input, force, actor), ({ resource }) => resource)
      )
    )
    yield* writes.flush
    return outcomes
  })

  /** Adds records of callers of one team in one transaction, each as a request of its own. `actor` is one of them. */
  const commitAll = (requests: ReadonlyArray<Addition<Fields>>, actor: Actor) =>
    Mutation.retryOnConflict(
      changes.commit(actor, (change) =>
        idempotency.onceEach(
          requests.map((request) => ({ ...request, now: change.at })),
          (places) =>
            addAll(
              change,
              places.flatMap((place) => requests[place] ?? [])
            )
        )
      )
    )

  const commitTogether = GroupCommit.make({
    groupOf: ({ actor: { origin, teamId } }: Addition<Fields>) => `${teamId} ${origin}`,
    write: (requests) => commitAll(requests, requests[0].actor)
  })

  /** Adds a record, unless this was done before under its key. A rehearsal goes alone: it reports all that it did. */
  const add = (request: Addition<Fields>) =>
    Effect.flatMap(DryRun, (rehearsal) =>
      rehearsal === undefined
        ? commitTogether(request)
        : Effect.flatMap(commitAll([request], request.actor), ([answer]) =>
            answer === undefined ? Effect.die(new Error("a create was not answered")) : Effect.fromResult(answer)
          )
    )

  /** The record as it is by now, which nobody else can write until the transaction of `change` ends. */
  const lockLatest = Effect.fnUntraced(function* (change: Change, loaded: Stored<Resource>, pinned: boolean) {
    const [latest] = yield* repo.lock(change.actor.teamId, [loaded.uuid])
    return latest === undefined || latest.deleted || (pinned && latest.version !== loaded.version)
      ? yield* ConcurrencyConflict.of(type)
      : latest
  })

  /** Refuses what is wrong with a record as a whole before anything is looked up for it. */
  const validate = (fields: Fields) => {
    const faults = kind.faultsOf(fields)
    return faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))
  }

  const accept = (document: UnvalidatedJson.UnvalidatedJson) => {
    const refusal = refusalOf(document)
    return refusal === undefined ? Effect.void : Effect.fail(refusal)
  }

  /** A page of the team's records. */
  const list = Effect.fn(span("list"))(function* (request: Pick<UseCaseRequest<Query>, "query">) {
    const actor = yield* authorize("broker")
    const query = yield* request.query
    const { cursor: _cursor, page_size: _size, updated_since: _since, include_deleted: _deleted, ...filters } = query
    return yield* DeltaList.read({
      list: plural,
      teamId: actor.teamId,
      query,
      filters,
      cursors,
      fetch: (range) => repo.list(actor.teamId, range, query),
      toItem: ({ resource }) => resource
    })
  })

  /** One record. */
  const get = Effect.fn(span("get"))(function* (id: string) {
    const actor = yield* authorize("broker")
    return (yield* load(actor, id)).resource
  })

  /** The UUID of a record that the caller may see, for what hangs on it. */
  const authorizeRead = Effect.fn(span("authorizeRead"))(function* (id: string) {
    const actor = yield* authorize("broker")
    return { actor, uuid: (yield* load(actor, id)).uuid }
  })

  /** Adds a record. */
  const create = Effect.fn(span("create"))((request: UseCaseRequest<Forceable>) =>
    mutation.create({
      request,
      authorize: "broker",
      decide: ({ body }) =>
        Effect.gen(function* () {
          yield* accept(body)
          const [query, input, key] = yield* all(request.query, kind.decodeCreate(body), request.idempotencyKey)
          yield* validate({ ...blank, ...kind.normalize(input, blank) })
          return { key, input, force: query.force === true }
        }),
      commit: (creation) => add(creation)
    })
  )

  /** Changes members of a record; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn(span("patch"))((id: string, request: UseCaseRequest<Forceable>) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => find(actor, id),
      body: request.body,
      etagOf: ({ resource }) => resource.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          yield* unlessMerged(loaded)
          yield* accept(body)
          const [query, input] = yield* all(request.query, kind.decodePatch(body, loaded.resource))
          const current = Writes.fieldsOf(blank, loaded.resource)
          const normalized = kind.normalize(input, current)
          if (differing(normalized, current).length === 0) return null
          yield* validate({ ...current, ...normalized })
          return { input, force: query.force === true }
        }),
      // The record before the records that it is checked against, as batches do it: writers that lock in one order cannot deadlock.
      lock: (change, { loaded, pinned }) => lockLatest(change, loaded, pinned),
      commit: (change, { decision, loaded }) => write(change, loaded, decision.input, decision.force),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
    })
  )

  /** Deletes a record: its tombstone stays for deltas, its references are free for others. */
  const deleteRecord = Effect.fn(span("delete"))((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => find(actor, id),
      etagOf: ({ resource }) => resource.etag,
      decide: ({ loaded }) => Effect.andThen(request.query, unlessMerged(loaded)),
      commit: (change, { decision, pinned }) => Writes.remove(kind, refs, change, [decision], { exactly: pinned }),
      answer: () => Effect.void
    })
  )

  /**
   * Patches records that the transaction of `change` has locked, for a reason of the service's own: nothing is refused.
   * Answers them as they are then.
   */
  const rewrite = Effect.fnUntraced(function* (
    change: Change,
    locked: ReadonlyArray<Stored<Resource>>,
    inputOf: (stored: Stored<Resource>) => Partial<Fields>
  ) {
    // Nothing to get along with.
    const unhindered: WriteContext<Fields, Resource> = {
      faultsOf: () => [],
      findConflict: () => undefined,
      findMatch: () => undefined,
      findTombstone: () => undefined,
      onWritten: () => undefined
    }
    const writes = Writes.make({ kind, refs, change, loaded: locked })
    for (const stored of locked) writes.patch(unhindered, stored.uuid, inputOf(stored), true)
    yield* Effect.orDie(writes.flush)
    return locked.map((stored) => writes.get(stored.uuid) ?? stored)
  })

  /** Deletes records that the transaction of `change` has locked. */
  const removeLocked = (change: Change, locked: ReadonlyArray<Stored<Resource>>) =>
    Effect.orDie(Writes.remove(kind, refs, change, locked, { exactly: true }))

  /** These records (UUIDs), tombstones included, which nobody else can write until the transaction of `change` ends. */
  const lock = (change: Change, uuids: ReadonlyArray<string>) => repo.lock(change.actor.teamId, uuids)

  /** Lets go of the external references of a record (UUID) that the transaction of `change` deletes. */
  const release = (change: Change, uuid: string) =>
    refs.replace({ teamId: change.actor.teamId, type }, [{ id: uuid, refs: [] }])

  /**
   * Gives a record (UUID) that the transaction of `change` brings back the references that it had; fails when another has
   * one of them by now.
   */
  const reclaim = Effect.fnUntraced(function* (change: Change, uuid: string, externalRefs: ReadonlyArray<ExternalRef>) {
    const owners = { teamId: change.actor.teamId, type }
    const [taken] = yield* refs.holders(owners, externalRefs)
    if (taken !== undefined) {
      const { externalId, holder, namespace } = taken
      return yield* new ExternalReferenceTaken({
        namespace,
        externalId,
        holderId: Id.fromUuid(type, holder),
        detail: `${namespace}:${externalId} belongs to another ${type} by now.`
      })
    }
    if (!(yield* refs.replace(owners, [{ id: uuid, refs: externalRefs }]))) return yield* ConcurrencyConflict.of(type)
  })

  /** Lets records that the transaction of `change` has locked become part of another: see {@link Absorbing.absorb}. */
  const absorb = (change: Change, merge: Parameters<typeof Absorbing.absorb<Fields, Resource, Query>>[3]) =>
    Absorbing.absorb(kind, refs, change, merge)

  const missing = (index: number, id: string, stored: Stored<Resource> | undefined): Receipt<Resource> => ({
    index,
    status: "missing",
    id,
    etag: null,
    ...(stored === undefined || stored.mergedInto === null
      ? {}
      : { problem: problemOf(mergedOf(type, stored.mergedInto)) })
  })

  /** Reads up to a hundred records at once. */
  const batchGet = Effect.fn(span("batchGet"))(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("broker")
    const document = yield* request.body
    const [, { ids }] = yield* all(request.query, decodeIds(document))
    const uuids = ids.map((id) => Id.toUuid(type, id))
    const found = yield* repo.findAll(
      actor.teamId,
      uuids.flatMap((uuid) => uuid ?? [])
    )
    const byUuid = new Map(found.map((stored) => [stored.uuid, stored]))
    return {
      results: ids.map((id, index): Receipt<Resource> => {
        const stored = byUuid.get(uuids[index] ?? "")
        return stored === undefined || stored.deleted
          ? missing(index, id, stored)
          : { index, status: "found", id, etag: stored.resource.etag, resource: stored.resource }
      })
    }
  })

  /** Writes up to a hundred records at once, each on what the ones before it left; a bad item stops no other. */
  const batchUpsert = Effect.fn(span("batchUpsert"))(
    (request: UseCaseRequest<Forceable>, options: { readonly sameByMembers: boolean } = { sameByMembers: false }) =>
      mutation.create({
        request,
        authorize: "broker",
        decide: ({ body }) =>
          Effect.map(
            all(request.query, decodeUpsert(envelopeOf(body)), request.idempotencyKey),
            ([query, { items }, key]) => ({ key, items: Upsert.itemsOf(body, items), force: query.force === true })
          ),
        commit: (creation) =>
          mutation.once(creation, (change) =>
            Upsert.run(kind, refs, change, creation.decision.items, { force: creation.decision.force, ...options })
          )
      })
  )

  /** Deletes up to a hundred records at once; one that is not there stops no other. */
  const batchDelete = Effect.fn(span("batchDelete"))(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("broker")
    const document = yield* request.body
    const [, { ids }] = yield* all(request.query, decodeIds(document))
    const uuids = ids.map((id) => Id.toUuid(type, id))
    return yield* Mutation.retryOnConflict(
      changes.commit(
        actor,
        Effect.fnUntraced(function* (change) {
          const found = yield* repo.findAll(actor.teamId, [...new Set(uuids.flatMap((uuid) => uuid ?? []))])
          const remaining = new Map(found.map((stored) => [stored.uuid, stored]))
          const results: Array<Receipt<Resource>> = []
          const purgeCandidates: Array<Stored<Resource>> = []
          for (const [index, id] of ids.entries()) {
            const stored = remaining.get(uuids[index] ?? "")
            if (stored === undefined || stored.deleted) {
              const receipt = missing(index, id, stored)
              results.push(receipt.problem === undefined ? receipt : { ...receipt, status: "failed" })
              continue
            }
            remaining.delete(stored.uuid)
            purgeCandidates.push(stored)
            results.push({ index, status: "deleted", id, etag: null })
          }
          yield* Writes.remove(kind, refs, change, purgeCandidates, { exactly: false })
          return { results }
        })
      )
    )
  })

  /** A step of the removal of tombstones that are older than deltas reach back: see {@link Purge.make}. */
  const purge = Effect.fn(span("purge"))(function* (limit: number) {
    const until = yield* daysAgo(tombstoneDays)
    return yield* stepOf({ purgeCandidates: (most) => repo.purgeCandidates(until, most), remove: repo.purge })(limit)
  })

  return {
    load,
    list,
    get,
    authorizeRead,
    create,
    patch,
    delete: deleteRecord,
    batchGet,
    batchUpsert,
    batchDelete,
    rewrite,
    removeLocked,
    lock,
    release,
    reclaim,
    absorb,
    purge
  }
})
