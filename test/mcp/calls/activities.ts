import { Effect } from "effect"
import type { Calls, World } from "./Call.ts"
import { aContact } from "./contacts.ts"

/** A new note on a new contact. */
const aNote = (world: World) =>
  Effect.gen(function* () {
    const networkRef = yield* aContact(world)
    const { body } = yield* world.rest<{ readonly id: string; readonly etag: string }>(
      "POST",
      `/api/v1/network/contacts/${networkRef}/notes`,
      { json: { message: "Called" } }
    )
    return { networkRef, activity: body.id, etag: body.etag }
  })

export const activities: Calls = {
  list_activities: (world) => Effect.map(aContact(world), (networkRef) => ({ networkRef })),
  log_activity: (world) => Effect.map(aContact(world), (networkRef) => ({ networkRef, message: "Called" })),
  update_activity: (world) => Effect.map(aNote(world), (note) => ({ ...note, action: "archive" }))
}
