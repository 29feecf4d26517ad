/**
 * What brokers change of one prospect: its members, its place on the list, its stage and milestones, its deletion; and what jobs change of
 * prospects (docs/behaviour/projects-and-prospects.md#updating-prospects). Many at once are in ProspectBatches.ts.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import { DeletionLimits } from "../../core/deletions/DeletionLimits.ts"
import { Context, Effect, Layer } from "effect"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { all, type Input } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, InvestorDeleted } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import {
  applyPatch,
  type Decision,
  decodePatch,
  ownerIdOf,
  reachMilestone,
  recordBid,
  removeFromList as removeState,
  resolvePatch,
  restoreToList,
  withdrawStageOverride
} from "./rules.ts"
import { type LoadedProspect, Prospects, requireNotErased, requireOnList } from "./Prospects.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { Bid, ProspectNotRemoved, type ProspectState } from "./Prospect.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { makeTombstonePurge } from "../../core/records/ChangeRecords.ts"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { now, today } from "../../platform/Time.ts"
import { dayOf, isOverdue } from "./projection.ts"

/** A prospect that is to be restored. Only a lock shows whether its contact or company is still there. */
interface LoadedForRestore extends LoadedProspect {
  readonly isInvestorDeleted: boolean
}

const notRemoved = new ProspectNotRemoved({ detail: "The prospect is on the list, so there is nothing to restore." })

const investorDeleted = new InvestorDeleted({
  detail: "The contact or company of this prospect was deleted from the network, so the prospect cannot be restored."
})

const decodeBid = UnvalidatedJson.decoder(Bid)

const make = Effect.gen(function* () {
  const limits = yield* DeletionLimits
  const repo = yield* ProspectsRepo
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const members = yield* Members
  const changes = yield* Changes
  const mutation = yield* Mutation.make
  const purgeTombstones = yield* makeTombstonePurge(repo)

  /** Validates a patch against the prospect as it is, and decides it for a moment; null when it changes nothing. */
  const decidePatch = Effect.fnUntraced(function* (
    request: Pick<UseCaseRequest, "query">,
    { actor, stored }: LoadedProspect,
    body: UnvalidatedJson.UnvalidatedJson
  ) {
    const moment = yield* now
    const callerId = Id.fromUuidOrNull("user", actor.userId)
    const [, input] = yield* all(request.query, decodePatch(body, yield* prospects.toAnswer(stored.resource)))
    const ownerId = ownerIdOf(input, callerId)
    const activeMembers = yield* members.active(actor.teamId, ownerId === undefined ? [] : [ownerId])
    const { faults, patch } = resolvePatch(input, stateOf(stored), {
      now: moment,
      ownerId,
      isMember: (id) => activeMembers.has(id)
    })
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    yield* requireOnList({ stored })
    const apply = (at: Date) => applyPatch(stateOf(stored), patch, { userId: callerId, at: at.toISOString() })
    return apply(moment).emitted.length === 0 ? null : apply
  })

  /** Changes members of a prospect; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("ProspectChanges.patch")((projectId: string, id: string, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => prospects.load(actor, projectId, id),
      body: request.body,
      etagOf: ({ etag }) => etag,
      decide: ({ body, loaded }) => decidePatch(request, loaded, body),
      lock: (change, locking) => prospects.lock(change, locking),
      commit: (change, { decision, loaded: { projectUuid, stored } }) =>
        writes.write(change, projectUuid, stored, decision(change.at)),
      answer: ({ committed, loaded }) => prospects.toAnswer(committed ?? loaded.stored.resource)
    })
  )

  /** Removes a prospect from the list; it keeps everything. Removing it again changes nothing. */
  const removeFromList = Effect.fn("ProspectChanges.removeFromList")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) => prospects.load(actor, projectId, id),
        decide: ({ loaded: { stored } }) =>
          Effect.andThen(
            request.query,
            Effect.as(requireNotErased({ stored }), stored.resource.removedUtc === null ? ("remove" as const) : null)
          ),
        lock: (change, locking) => prospects.lock(change, locking),
        commit: (change, { loaded: { projectUuid, stored } }) =>
          writes.writeLocked(change, projectUuid, stored, removeState(stateOf(stored), change.at.toISOString())),
        answer: () => Effect.void
      })
  )

  /** Locks the contact or company of a prospect, and then the prospect, as all writers do. */
  const lockWithInvestor = Effect.fnUntraced(function* (
    change: Change,
    locking: Mutation.Locking<LoadedForRestore>
  ): Effect.fn.Return<LoadedForRestore, ConcurrencyConflict> {
    const { companyId, contactId } = locking.loaded.stored.resource
    const [contactUuid, companyUuid] = [Id.toUuid("contact", contactId ?? ""), Id.toUuid("company", companyId ?? "")]
    const [investor] =
      contactUuid === undefined
        ? yield* repo.companies(change.actor.teamId, companyUuid === undefined ? [] : [companyUuid])
        : yield* repo.contacts(change.actor.teamId, [contactUuid])
    const { stored } = yield* prospects.lock(change, locking)
    // A merge may have replaced the investor: the prospect is loaded again then.
    if (stored.resource.contactId !== contactId || stored.resource.companyId !== companyId) {
      return yield* ConcurrencyConflict.of("prospect")
    }
    return { ...locking.loaded, stored, isInvestorDeleted: investor === undefined }
  })

  /** Puts a removed prospect back on the list, as it was. */
  const restore = Effect.fn("ProspectChanges.restore")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) =>
          Effect.map(prospects.load(actor, projectId, id), (loaded): LoadedForRestore => ({
            ...loaded,
            isInvestorDeleted: false
          })),
        decide: ({ loaded: { isInvestorDeleted, stored } }) =>
          Effect.gen(function* () {
            yield* request.query
            yield* requireNotErased({ stored })
            if (stored.resource.removedUtc === null) return yield* notRemoved
            if (isInvestorDeleted) return yield* investorDeleted
            return restoreToList(stateOf(stored))
          }),
        lock: (change, locking) => lockWithInvestor(change, locking),
        commit: (change, { decision, loaded: { projectUuid, stored } }) =>
          writes.writeLocked(change, projectUuid, stored, decision),
        answer: ({ committed, loaded }) => prospects.toAnswer(committed ?? loaded.stored.resource)
      })
  )

  /** Deletes a prospect. Deltas list its tombstone, and other prospects can take its references. */
  const deleteProspect = Effect.fn("ProspectChanges.delete")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
      mutation
        .change({
          request,
          authorize: "broker",
          load: (actor) => prospects.load(actor, projectId, id),
          etagOf: ({ etag }) => etag,
          decide: ({ loaded }) => Effect.as(Effect.andThen(request.query, requireNotErased(loaded)), "delete" as const),
          lock: (change, locking) => prospects.lock(change, locking),
          commit: (change, { loaded: { projectUuid, stored } }) =>
            Effect.andThen(limits.require(change), writes.deleteLocked(change, projectUuid, stored)),
          answer: () => Effect.void
        })
        .pipe(limits.announcing)
  )

  /**
   * Withdraws the stage override, so that milestones alone decide the stage; no earlier override comes back. Without an
   * override, nothing changes.
   */
  const withdrawOverride = Effect.fn("ProspectChanges.withdrawOverride")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
      mutation.change({
        request,
        authorize: "broker",
        load: (actor) => prospects.load(actor, projectId, id),
        etagOf: ({ etag }) => etag,
        decide: ({ loaded }) =>
          Effect.gen(function* () {
            // Only validates: there are no parameters, and unknown ones are rejected.
            yield* request.query
            yield* requireOnList(loaded)
            const { overrideStage } = loaded.stored.resource
            return overrideStage === null ? null : withdrawStageOverride(stateOf(loaded.stored))
          }),
        lock: (change, locking) => prospects.lock(change, locking),
        commit: (change, { decision, loaded: { projectUuid, stored } }) =>
          writes.writeLocked(change, projectUuid, stored, decision),
        answer: () => Effect.void
      })
  )

  /** Writes what a move makes of a prospect that is on the list, once for each idempotency key. Answers the prospect. */
  const record = <A>(
    id: string,
    request: UseCaseRequest,
    decode: (body: UnvalidatedJson.UnvalidatedJson) => Input<A>,
    write: (change: Change, input: A) => Effect.Effect<(state: ProspectState) => Decision>
  ) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => prospects.loadById(actor, id),
      decide: ({ body, loaded }) =>
        all(request.query, decode(body), request.idempotencyKey).pipe(
          Effect.map(([, input, key]) => ({ input, key })),
          Effect.tap(requireOnList(loaded))
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const decide = yield* write(change, creation.decision.input)
            yield* writes.updateOnList(change, creation.loaded, (state) =>
              Effect.succeed({ ...decide(state), value: undefined })
            )
            return yield* prospects.getById(id)
          })
        )
    })

  /** Records that the information memorandum was shared. */
  const shareMemorandum = Effect.fn("ProspectChanges.shareMemorandum")((id: string, request: UseCaseRequest) =>
    record(
      id,
      request,
      () => Effect.void,
      (change) => Effect.succeed((state) => reachMilestone(state, "im_shared", change.at.toISOString()))
    )
  )

  /** Records a bid. Its amount is the broker's alone. */
  const receiveBid = Effect.fn("ProspectChanges.receiveBid")((id: string, request: UseCaseRequest) =>
    record(id, request, decodeBid, (change, bid) =>
      Effect.gen(function* () {
        const rowUuid = yield* change.newId
        yield* repo.insertBid(change, rowUuid, bid)
        return (state) => recordBid(state, bid, rowUuid, change.at.toISOString())
      })
    )
  )

  // What jobs change.

  /** Writes those of these prospects of a team whose next task became overdue since they were written; returns how many. */
  const writeOverdue = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
    const locked = yield* repo.lock(change.actor.teamId, uuids)
    // Another transaction may have written some of them, and by the clock of changes it may still be before midnight.
    const overdue = locked.filter(
      ({ deleted, resource: { nextTask, overdueWhenWritten } }) =>
        !deleted && !overdueWhenWritten && isOverdue(nextTask, dayOf(change.at))
    )
    yield* writes.saveAll(change, {
      inserts: [],
      updates: overdue.map((stored) => ({ stored, state: stateOf(stored), changeType: "updated" }))
    })
    return overdue.length
  })

  /**
   * Writes at most `limit` prospects whose next task became overdue since they were last written, and returns how many it wrote. Answers
   * follow the clock at once (projection.ts); this is so that deltas list them: no timeline row and no event. A team's failure does not
   * stop the others.
   */
  const markOverdue = Effect.fn("ProspectChanges.markOverdue")(function* (limit: number) {
    const day = yield* today
    return yield* TeamParts.runParts("Marking prospects whose tasks became overdue", (failed) =>
      Effect.map(repo.becameOverdue(day, { limit, failed }), (candidates) =>
        TeamParts.byTeam(
          candidates,
          ({ team_id }) => team_id,
          (teamId, rows) =>
            changes.commit(systemOf(teamId), (change) =>
              writeOverdue(
                change,
                rows.map(({ id }) => id)
              )
            )
        )
      )
    )
  })

  /**
   * Runs one step of purging tombstones that deltas no longer list: see `ChangeRecords.ts`. Their rows stay on the timeline of a
   * project that lives.
   */
  const purge = Effect.fn("ProspectChanges.purge")((limit: number) => purgeTombstones(limit))

  return {
    patch,
    decidePatch,
    removeFromList,
    restore,
    delete: deleteProspect,
    withdrawOverride,
    shareMemorandum,
    receiveBid,
    markOverdue,
    purge
  }
})

/**
 * Changes prospects. The use-cases need the `broker` capability; `decidePatch` is a step of a patch, for use-cases that have authorized
 * their caller, and `markOverdue` and `purge` are for jobs.
 */
export class ProspectChanges extends Context.Service<ProspectChanges, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectChanges"
) {
  static readonly layer = Layer.effect(ProspectChanges, make).pipe(
    Layer.provide([Members.layer, Prospects.layer, ProspectsRepo.layer, ProspectWrites.layer])
  )
}
