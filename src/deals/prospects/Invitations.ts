/** Whether prospects are invited and have not replied, as their offers say. */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { silentUpdate } from "./entries.ts"
import { dayOf } from "./dates.ts"
import { withOverdueFlag } from "./projection.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo

  /** Locks prospects (UUIDs) of the change's team until it ends. Call it before their offers are locked, as all writers do. */
  const lock = Effect.fn("Invitations.lock")(function* (change: Change, uuids: ReadonlyArray<string>) {
    yield* repo.lock(change.actor.teamId, uuids)
  })

  /** Writes `invitation` of those of these locked prospects of which it changes. Deltas list them; there is no event. */
  const write = Effect.fn("Invitations.write")(function* (
    change: Change,
    uuids: ReadonlyArray<string>,
    invited: ReadonlySet<string>
  ) {
    const stored = yield* repo.findAll(change.actor.teamId, uuids)
    const changed = stored.filter(
      ({ deleted, resource, uuid }) => !deleted && resource.invitation !== invited.has(uuid)
    )
    yield* repo.update(
      change,
      changed.map(({ resource, uuid, version }) => ({
        uuid,
        readVersion: version,
        version: version + 1,
        changeType: "updated",
        fields: withOverdueFlag({ ...resource, invitation: invited.has(uuid) }, dayOf(change.at))
      }))
    )
    for (const { uuid } of changed) change.record(silentUpdate(uuid))
  })

  return { lock, write }
})

/** Writes whether prospects are invited, for the module of offers. */
export class Invitations extends Context.Service<Invitations, Effect.Success<typeof make>>()(
  "deals/prospects/Invitations"
) {
  static readonly layer = Layer.effect(Invitations, make)
}
