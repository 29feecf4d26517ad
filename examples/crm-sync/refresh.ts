/** Reads contacts and applies their present state, whatever message named them. */
import { type Client, isProblem } from "property-network/client"
import { applyContact, applyDeletion } from "./contacts.ts"
import type { Crm } from "./Crm.ts"

/** Reads a contact that changed, or was merged or deleted. */
export const refresh = async (client: Client, crm: Crm, contactId: string): Promise<void> => {
  try {
    const contact = await client.contacts.get({ path: { id: contactId } })
    // A read of a merged contact is redirected to the one that it became part of.
    if (contact.id !== contactId) applyDeletion(crm, contactId, contact.id)
    applyContact(crm, contact)
  } catch (error) {
    if (!isProblem(error, "not_found")) throw error
    applyDeletion(crm, contactId, null)
  }
}

const maxBatchSize = 100

/** The same for many, in batches. */
export const refreshAll = async (client: Client, crm: Crm, ids: ReadonlyArray<string>): Promise<void> => {
  for (let start = 0; start < ids.length; start += maxBatchSize) {
    const batch = ids.slice(start, start + maxBatchSize)
    const { results } = await client.contacts.batchGet({ body: { ids: [...batch] } })
    for (const receipt of results) {
      const id = batch[receipt.index]
      if (receipt.status === "found") applyContact(crm, receipt.resource)
      else if (id === undefined) continue
      else if (receipt.problem?.code === "merged") await refresh(client, crm, id)
      else applyDeletion(crm, id, null)
    }
  }
}
