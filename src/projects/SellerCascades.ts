/** What merges and deletions of contacts do to the projects of which they are the seller (docs/behaviour/projects-and-prospects.md#sellers). */
import { Context, Effect, Layer } from "effect"
import { deletionOf, following } from "../changes/Causes.ts"
import type { Change } from "../changes/Changes.ts"
import * as Id from "../Id.ts"
import * as ChangeLocked from "../records/ChangeLocked.ts"
import { ProjectsRepo, type StoredProject } from "./ProjectsRepo.ts"
import { blank, normalize, toChangeRecord } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  // Without the copies of ProjectRecords.ts: properties do not depend on who sells.
  const { lock, patchLocked } = yield* ChangeLocked.make({ type: "project", blank, repo, normalize, toChangeRecord })

  const lockOf = Effect.fn("SellerCascades.lockOf")(function* (change: Change, contacts: ReadonlyArray<string>) {
    const locked = yield* lock(change, yield* repo.soldBy(change.actor.teamId, contacts))
    // While the lock waited, some may have been deleted or have got another seller.
    const ids = new Set<string | null>(contacts.map((uuid) => Id.fromUuid("contact", uuid)))
    return locked.filter(({ deleted, resource }) => !deleted && ids.has(resource.sellerContactId))
  })

  const reassign = Effect.fn("SellerCascades.reassign")(function* (
    change: Change,
    from: ReadonlyArray<string>,
    to: string
  ) {
    yield* patchLocked(change, yield* lockOf(change, from), () => ({ sellerContactId: Id.fromUuid("contact", to) }))
  })

  const clear = Effect.fn("SellerCascades.clear")(function* (change: Change, contacts: ReadonlyArray<string>) {
    const locked = (yield* lockOf(change, contacts)).filter(({ resource }) => resource.closedUtc === null)
    const sellers = new Map(locked.map(({ resource, uuid }) => [uuid, resource.sellerContactId]))
    const caused = following(change, ({ resource }) => deletionOf("contact", sellers.get(resource.id)))
    yield* patchLocked(caused, locked, () => ({ sellerContactId: null }))
  })

  return { lockOf, reassign, clear }
})

/** Cascades of contacts to the projects of which they are the seller. They run inside the transaction of `change`. */
export class SellerCascades extends Context.Service<
  SellerCascades,
  {
    /** Locks the living projects whose seller is one of these contacts (UUIDs). Call it before contacts are locked, as all writers do. */
    readonly lockOf: (change: Change, contacts: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<StoredProject>>
    /** Gives the projects of merged contacts to the one that they are merged into (UUIDs), closed ones included. */
    readonly reassign: (change: Change, from: ReadonlyArray<string>, to: string) => Effect.Effect<void>
    /** Takes deleted contacts (UUIDs) off projects that are not closed. */
    readonly clear: (change: Change, contacts: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("projects/SellerCascades") {
  static readonly layer = Layer.effect(SellerCascades, make)
}
