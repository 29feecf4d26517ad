/** Removes prospects from the list, restores and deletes them (docs/behaviour/projects-and-prospects.md#removal-and-restore). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { makeTombstonePurge } from "../../core/records/DeleteRecords.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { InvestorDeleted, ProspectNotRemoved } from "./Prospect.ts"
import { type LoadedProspect, Prospects } from "./Prospects.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { removeFromList as removeState, restoreToList } from "./rules.ts"

/** A prospect that is to be restored. Only a lock shows whether its contact or company is still there. */
interface LoadedForRestore extends LoadedProspect {
  readonly isInvestorDeleted: boolean
}

const notRemoved = new ProspectNotRemoved({ detail: "The prospect is on the list, so there is nothing to restore." })

const investorDeleted = new InvestorDeleted({
  detail: "The contact or company of this prospect was deleted from the network, so the prospect cannot be restored."
})

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const mutation = yield* Mutation.make
  const purgeTombstones = yield* makeTombstonePurge(repo)

  /** Removes a prospect from the list; it keeps everything. Removing it again changes nothing. */
  const removeFromList = Effect.fn("Removals.removeFromList")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) => prospects.load(actor, projectId, id),
        decide: ({ loaded: { stored } }) =>
          Effect.as(request.query, stored.resource.removedUtc === null ? ("remove" as const) : null),
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
  const restore = Effect.fn("Removals.restore")(
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
  const deleteProspect = Effect.fn("Removals.delete")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
      mutation.change({
        request,
        authorize: "broker",
        load: (actor) => prospects.load(actor, projectId, id),
        etagOf: ({ etag }) => etag,
        decide: () => Effect.as(request.query, "delete" as const),
        lock: (change, locking) => prospects.lock(change, locking),
        commit: (change, { loaded: { projectUuid, stored } }) => writes.deleteLocked(change, projectUuid, stored),
        answer: () => Effect.void
      })
  )

  /**
   * Runs one step of purging tombstones that deltas no longer list: see `DeleteRecords.ts`. Their rows stay on the timeline of a
   * project that lives.
   */
  const purge = Effect.fn("Removals.purge")((limit: number) => purgeTombstones(limit))

  return { removeFromList, restore, delete: deleteProspect, purge }
})

/** Removes and restores prospects. Every use-case needs the `broker` capability; `purge` is for the housekeeping job. */
export class Removals extends Context.Service<Removals, Effect.Success<typeof make>>()("deals/prospects/Removals") {
  static readonly layer = Layer.effect(Removals, make)
}
