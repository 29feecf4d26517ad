/** What merges and deletions of contacts do to the projects of which they are the seller (docs/behaviour/projects-and-prospects.md#sellers). */
import { Context, Effect, Layer } from "effect"
import { deletionOf, following } from "../../core/mutation/Causes.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import * as Id from "../../core/Id.ts"
import * as ChangeLocked from "../../core/records/ChangeLocked.ts"
import { type Left, StepSize } from "../../core/records/Steps.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import { blank, normalize, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  // Without the copies of ProjectRecords.ts: properties do not depend on who sells.
  const { lock, patchLocked } = yield* ChangeLocked.make({ type: "project", blank, repo, normalize, toChangeRecord })

  const lockSold = Effect.fnUntraced(function* (change: Change, contacts: ReadonlyArray<string>, closed: boolean) {
    const { left, taken } = yield* repo.soldBy(change.actor.teamId, contacts, { limit: yield* StepSize, closed })
    const locked = yield* lock(change, taken)
    // While the lock waited, some may have been deleted or have got another seller.
    const ids = new Set<string | null>(contacts.map((uuid) => Id.fromUuid("contact", uuid)))
    return { locked: locked.filter(({ deleted, resource }) => !deleted && ids.has(resource.sellerContactId)), left }
  })

  const lockOf = Effect.fn("SellerCascades.lockOf")(function* (change: Change, contacts: ReadonlyArray<string>) {
    yield* lockSold(change, contacts, true)
  })

  const reassign = Effect.fn("SellerCascades.reassign")(function* (
    change: Change,
    from: ReadonlyArray<string>,
    to: string
  ) {
    const { left, locked } = yield* lockSold(change, from, true)
    yield* patchLocked(change, locked, () => ({ sellerContactId: Id.fromUuid("contact", to) }))
    return left
  })

  const clear = Effect.fn("SellerCascades.clear")(function* (change: Change, contacts: ReadonlyArray<string>) {
    const { left, locked: sold } = yield* lockSold(change, contacts, false)
    const locked = sold.filter(({ resource }) => resource.closedUtc === null)
    const sellers = new Map(locked.map(({ resource, uuid }) => [uuid, resource.sellerContactId]))
    const caused = following(change, ({ resource }) => deletionOf("contact", sellers.get(resource.id)))
    yield* patchLocked(caused, locked, () => ({ sellerContactId: null }))
    return left
  })

  return { lockOf, reassign, clear }
})

/** Cascades of contacts to the projects of which they are the seller. They run inside the transaction of `change`. */
export class SellerCascades extends Context.Service<
  SellerCascades,
  {
    /**
     * Locks the projects that a step of a merge takes of those whose seller is one of these contacts (UUIDs). Call it before contacts are
     * locked, as all writers do.
     */
    readonly lockOf: (change: Change, contacts: ReadonlyArray<string>) => Effect.Effect<void>
    /** Gives projects of merged contacts to the one that they are merged into (UUIDs), closed ones included, as many as a step takes. */
    readonly reassign: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<Left>
    /** Takes deleted contacts (UUIDs) off projects that are not closed, as many as a step takes. */
    readonly clear: (change: Change, contacts: ReadonlyArray<string>) => Effect.Effect<Left>
  }
>()("deals/projects/SellerCascades") {
  static readonly layer = Layer.effect(SellerCascades, make)
}
