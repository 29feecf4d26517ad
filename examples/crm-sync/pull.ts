/** Fetches what others changed: by deltas of the list, or by the journal of events. */
import { type Client, isProblem } from "property-network/client"
import { applyContact, applyDeletion } from "./contacts.ts"
import type { Crm } from "./Crm.ts"
import { refreshAll } from "./refresh.ts"

/** Reads all contacts, and removes people whose contact is gone. */
export const pullAll = async (client: Client, crm: Crm): Promise<void> => {
  const missing = new Set([...crm.people.values()].flatMap(({ synced }) => synced?.contactId ?? []))
  const contacts = client.contacts.list.delta(null, { query: { page_size: 500 } })
  for await (const contact of contacts) {
    missing.delete(contact.id)
    applyContact(crm, contact)
  }
  for (const contactId of missing) applyDeletion(crm, contactId, null)
  crm.since = contacts.nextSince
  crm.inStepUtc = new Date().toISOString()
  await crm.save()
}

/** Fetches everything in the first run, and later what changed since the last run, deletions included. */
export const pullDelta = async (client: Client, crm: Crm): Promise<void> => {
  if (crm.since === null) return pullAll(client, crm)
  const changes = client.contacts.list.delta(crm.since, { query: { page_size: 500 } })
  try {
    for await (const contact of changes) {
      if (contact.deletedUtc === null) applyContact(crm, contact)
      else applyDeletion(crm, contact.id, contact.mergedInto)
    }
  } catch (error) {
    // The last run was so long ago that the service has forgotten some of the deletions since then.
    if (!isProblem(error, "resync_required")) throw error
    return pullAll(client, crm)
  }
  crm.since = changes.nextSince
  crm.inStepUtc = new Date().toISOString()
  await crm.save()
}

/**
 * Fetches everything in the first run, and later the contacts that the journal names. Those that this sync changed are read, too: the
 * answer to a change may have been lost, and then this is how the CRM learns of it.
 */
export const pullJournal = async (client: Client, crm: Crm): Promise<void> => {
  if (crm.after === null) {
    // First the number, then the list: what changes in between comes again.
    const { page } = await client.changes.list({ query: { after: "latest" } })
    await pullAll(client, crm)
    crm.after = page.nextAfter
    await crm.save()
  }
  const events = client.changes.list.all({ query: { after: crm.after, types: ["contact.*"], page_size: 500 } })
  const ids = new Set<string>()
  try {
    for await (const event of events) ids.add(event.resource_id)
  } catch (error) {
    if (!isProblem(error, "resync_required")) throw error
    crm.after = null
    return pullJournal(client, crm)
  }
  await refreshAll(client, crm, [...ids])
  crm.after = events.nextAfter ?? crm.after
  crm.inStepUtc = new Date().toISOString()
  await crm.save()
}
