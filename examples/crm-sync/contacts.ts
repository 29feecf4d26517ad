/** What the network says, applied to the CRM. These functions decide; they send nothing. */
import type { Schemas } from "property-network/client"
import type { Crm, Members, Person } from "./Crm.ts"

export type Contact = Schemas["Contact"]

/** The name of this CRM in external references. It must never change. */
export const namespace = "example-crm"

const names = ["firstName", "lastName", "email", "phone"] as const

/** The members of a contact that the CRM keeps. */
export const membersOf = (contact: Members): Members => ({
  firstName: contact.firstName,
  lastName: contact.lastName,
  email: contact.email,
  phone: contact.phone
})

/** The members that differ: what has to be sent. */
export const changesOf = (before: Members | undefined, after: Members): Partial<Members> =>
  Object.fromEntries(names.filter((name) => before?.[name] !== after[name]).map((name) => [name, after[name]]))

/** The members that are not empty. */
export const filledOf = (members: Members): Partial<Members> =>
  Object.fromEntries(names.filter((name) => members[name] !== null).map((name) => [name, members[name]]))

/** Whether a user changed the person since the last sync. */
export const isChanged = ({ members, synced }: Person): boolean =>
  Object.keys(changesOf(synced?.members, members)).length > 0

/**
 * Joins two changes of one person: a member that the CRM's user changed stays as it is, and every other one becomes the
 * network's. `before` is what both started from.
 */
export const joined = (before: Members | undefined, mine: Members, theirs: Members): Members => ({
  ...theirs,
  ...(before === undefined ? {} : changesOf(before, mine))
})

/** The person of a contact: the one that has it, or the one whose id it has as an external reference. */
const personOf = (crm: Crm, contact: Contact): string | undefined =>
  crm.idOf(contact.id) ??
  contact.externalRefs
    .filter((ref) => ref.namespace === namespace)
    .map(({ externalId }) => externalId)
    .find((id) => crm.people.has(id))

/** Makes the CRM know the current state of a contact. Applying the same state again changes nothing. */
export const applyContact = (crm: Crm, contact: Contact): void => {
  const theirs = membersOf(contact)
  const synced = { contactId: contact.id, etag: contact.etag, members: theirs }
  const id = personOf(crm, contact)
  const person = id === undefined ? undefined : crm.people.get(id)
  if (id === undefined || person === undefined) {
    crm.put({ members: theirs, synced, isDeleted: false })
    return
  }
  const isNews = person.synced?.etag !== contact.etag || person.synced.contactId !== contact.id
  crm.people.set(id, {
    // A person without a contact was sent, and the answer was lost: what the user has is the newer.
    members: person.synced === null ? person.members : joined(person.synced.members, person.members, theirs),
    synced,
    // Somebody changed the contact after a user of the CRM deleted the person: the change is kept.
    isDeleted: person.isDeleted && !isNews
  })
}

/** Makes the CRM know that a contact is gone. Of a merged one, `mergedInto` is the contact that it became part of. */
export const applyDeletion = (crm: Crm, contactId: string, mergedInto: string | null): void => {
  const id = crm.idOf(contactId)
  const person = id === undefined ? undefined : crm.people.get(id)
  if (id === undefined || person === undefined || person.synced === null) return
  if (mergedInto === null || crm.idOf(mergedInto) !== undefined) crm.people.delete(id)
  // The person is now the one of the other contact, whose state comes as a change of its own.
  else crm.people.set(id, { ...person, synced: { ...person.synced, contactId: mergedInto, etag: "" } })
}
