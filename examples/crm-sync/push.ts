/** Sends what users of the CRM changed. */
import { type Client, isProblem, type Schemas } from "property-network/client"
import { changesOf, filledOf, isChanged, membersOf, namespace } from "./contacts.ts"
import type { Crm, Person } from "./Crm.ts"
import { refresh } from "./refresh.ts"

const maxBatchSize = 100

/** A person that the network did not take, and why. The next push sends it again. */
export interface Refused {
  readonly personId: string
  readonly code: string
  readonly detail: string
}

type Item = readonly [id: string, person: Person]

/** The item of an upsert: an update of a known contact if it is still as we know it, or a create under our reference. */
const itemOf = ([id, { members, synced }]: Item) => ({
  // Of a person without a contact, what is empty is left out: the reference may find a contact that has it.
  ...(synced === null ? filledOf(members) : changesOf(synced.members, members)),
  externalRefs: [{ namespace, externalId: id }],
  ...(synced === null ? {} : { id: synced.contactId, etag: synced.etag })
})

/** Deletes contacts of people who were deleted in the CRM. A contact that was changed meanwhile comes back instead. */
const pushDeletions = async (client: Client, crm: Crm): Promise<void> => {
  for (const [id, { isDeleted, synced }] of crm.people) {
    if (!isDeleted || synced === null) continue
    try {
      await client.contacts.delete({ path: { id: synced.contactId }, ifMatch: synced.etag })
      crm.people.delete(id)
    } catch (error) {
      if (isProblem(error, "precondition_failed", "concurrency_conflict", "merged", "not_found")) {
        await refresh(client, crm, synced.contactId)
      } else throw error
    }
  }
}

/** Gives a person the contact that the network has of it already: what the CRM does not know is taken from there. */
const adopt = async (client: Client, crm: Crm, id: string, contactId: string): Promise<void> => {
  const contact = await client.contacts.get({ path: { id: contactId } })
  const person = crm.people.get(id)
  if (person === undefined) return
  const theirs = membersOf(contact)
  crm.people.set(id, {
    ...person,
    members: { ...theirs, ...filledOf(person.members) },
    synced: { contactId: contact.id, etag: contact.etag, members: theirs }
  })
}

/** What the receipt of an item means for its person. */
const applyReceipt = async (
  client: Client,
  crm: Crm,
  [id, person]: Item,
  receipt: Schemas["ContactUpsertReceipts"]["results"][number]
): Promise<Refused | undefined> => {
  if (receipt.status !== "failed") {
    if (person.synced === null && receipt.status !== "created") {
      await adopt(client, crm, id, receipt.id)
      return undefined
    }
    const { etag, id: contactId } = receipt
    // A user may have changed the person since it was sent: what was sent is in step, and what was changed is not.
    const current = crm.people.get(id) ?? person
    crm.people.set(id, { ...current, synced: { contactId, etag, members: person.members } })
    return undefined
  }
  const { problem } = receipt
  switch (problem.code) {
    case "precondition_failed":
    case "not_found":
    case "merged":
      if (person.synced !== null) await refresh(client, crm, person.synced.contactId)
      return undefined
    case "duplicate": {
      // The network has somebody with this address already. If no other person of the CRM has that contact, it is ours.
      const [candidate] = problem.candidates ?? []
      if (person.synced === null && candidate !== undefined && crm.idOf(candidate.id) === undefined) {
        await adopt(client, crm, id, candidate.id)
        return undefined
      }
      return { personId: id, code: problem.code, detail: problem.detail }
    }
    default:
      return { personId: id, code: problem.code, detail: problem.detail }
  }
}

const toSend = (crm: Crm): ReadonlyArray<Item> =>
  [...crm.people].filter(([, person]) => !person.isDeleted && (person.synced === null || isChanged(person)))

/**
 * Sends all changes and deletions. Conflicts are joined and sent again. `save` is called after each batch, so that a crash
 * repeats one batch at most; repeating it does no harm.
 */
export const push = async (client: Client, crm: Crm): Promise<ReadonlyArray<Refused>> => {
  await pushDeletions(client, crm)
  await crm.save()
  const refused = new Map<string, Refused>()
  for (;;) {
    const batch = toSend(crm)
      .filter(([id]) => !refused.has(id))
      .slice(0, maxBatchSize)
    if (batch.length === 0) return [...refused.values()]
    const { results } = await client.contacts.batchUpsert({ body: { items: batch.map(itemOf) } })
    for (const receipt of results) {
      const item = batch[receipt.index]
      const refusal = item === undefined ? undefined : await applyReceipt(client, crm, item, receipt)
      if (refusal !== undefined) refused.set(refusal.personId, refusal)
    }
    await crm.save()
  }
}
