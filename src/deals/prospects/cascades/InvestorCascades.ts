/** Set-based side effects on prospects when their contacts or companies are updated or deleted (docs/behaviour/network.md#deletion). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../../core/mutation/Changes.ts"
import { StepSize } from "../../../core/records/Steps.ts"
import { ProspectOffers } from "../ProspectOffers.ts"
import type { InvestorUuids } from "../ProspectState.ts"
import { changeRecordOf, removedEntry, silentUpdate } from "../entries.ts"
import { InvestorCascadesRepo } from "./InvestorCascadesRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* InvestorCascadesRepo
  const offers = yield* ProspectOffers

  /** Locks the projects of these contacts or companies, as all writers do before they lock a prospect. */
  const lockProjects = (change: Change, investors: InvestorUuids) =>
    repo.lockProjectsForShare(change.actor.teamId, investors)

  /** Brings the copies of these contacts or companies in their prospects up to date. */
  const updateCopies = Effect.fn("InvestorCascades.updateCopies")(function* (change: Change, investors: InvestorUuids) {
    // A concurrent deletion or restore of a project has either finished before this lock, or sees the copies.
    yield* repo.lockProjectsForShare(change.actor.teamId, investors)
    for (const uuid of yield* repo.updateCopies(change, investors)) change.record(silentUpdate(uuid))
  })

  /** Removes these deleted contacts or companies from lists of projects that are not closed, as many as a step takes. */
  const removeFromLists = Effect.fn("InvestorCascades.removeFromLists")(function* (
    change: Change,
    investors: InvestorUuids
  ) {
    // A concurrent reopen or restore of a project has either finished before this lock, or looks for orphans itself.
    yield* repo.lockProjectsForShare(change.actor.teamId, investors)
    const size = yield* StepSize
    const removed = yield* repo.removeFromLists(change, investors, size)
    for (const one of removed) change.record(changeRecordOf(one, removedEntry))
    yield* offers.removed(
      change,
      removed.map(({ uuid }) => uuid)
    )
    // A full step may have been the last one: the next one finds out.
    return removed.length < size ? ("nothing" as const) : ("more" as const)
  })

  return { lockProjects, updateCopies, removeFromLists }
})

/** Cascades of contacts and companies to their prospects. They run inside the transaction of `change`. */
export class InvestorCascades extends Context.Service<InvestorCascades, Effect.Success<typeof make>>()(
  "deals/prospects/cascades/InvestorCascades"
) {
  static readonly layer = Layer.effect(InvestorCascades, make)
}
