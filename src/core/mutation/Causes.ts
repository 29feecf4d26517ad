/** What follows from what: the causes of change records. See docs/behaviour/webhooks.md#causes. */
import * as Id from "../Id.ts"
import type { Cause, ChangeRecord } from "./ChangeRecord.ts"
import type { Change } from "./Changes.ts"
import { eventsOf } from "./Events.ts"

/** The event that names a change record as the cause of others. */
export const causeOf = (record: ChangeRecord): Cause | undefined => {
  const [event] = eventsOf(record)
  return event === undefined ? undefined : { event: event.type, resource: record.resource }
}

/**
 * The change, for what follows from something else that it does: its records get the cause that `find` returns for them, unless they
 * have one. Those of other teams get none: the ids of this one are not for them.
 */
export const following = (change: Change, find: (record: ChangeRecord) => Cause | undefined): Change => ({
  ...change,
  record: (record) => {
    const isOwn = record.teamId === undefined || record.teamId === change.actor.teamId
    const cause = record.cause ?? (isOwn ? find(record) : undefined)
    change.record(cause === undefined ? record : { ...record, cause })
  }
})

/** The cause of what follows from the deletion of this contact, company or property, by its public id. */
export const deletionOf = (
  type: "company" | "contact" | "property",
  id: string | null | undefined
): Cause | undefined => {
  const uuid = Id.toUuid(type, id ?? "")
  return uuid === undefined ? undefined : { event: `${type}.deleted`, resource: { type, id: uuid } }
}

/** The change, for what follows from the deletion of those contacts or companies that its records name. */
export const followingDeletions = (change: Change, type: "company" | "contact"): Change =>
  following(change, ({ names }) => deletionOf(type, names?.[`${type}_id`]))
