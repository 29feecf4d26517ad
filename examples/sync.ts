/**
 * Keeps the contacts of a CRM in sync with Property Network. Run it again and again: each run sends what changed in the
 * CRM and fetches what changed in the network since the last run. The CRM of this example is the file `crm.json`.
 *
 *   PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/sync.ts
 */
import { randomUUID } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { type Api, connect, Refused } from "./api.ts"

/** The members of a contact that this CRM keeps. */
interface Members {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
}

/** A contact of the API, or the tombstone of a deleted one. */
interface Contact extends Members {
  readonly id: string
  readonly tags: ReadonlyArray<string>
  readonly externalRefs: ReadonlyArray<{ readonly namespace: string; readonly externalId: string }>
  readonly updatedUtc: string
  readonly deletedUtc: string | null
}

/** A person of the CRM, under the CRM's own id. */
export interface Person extends Members {
  /** Changed in the CRM since the last push. */
  readonly isChanged: boolean
  /** A tag that the contact must have, in addition to tags from elsewhere. */
  readonly tag?: string
}

export interface Crm {
  readonly people: Record<string, Person>
  /** Every contact of the network, by its id. */
  readonly contacts: Record<string, Contact>
  /** Where the next delta begins: `nextSince` of the last page that was fetched. */
  nextSince: string | null
}

/** The outcome of one item of a batch. */
interface Receipt {
  readonly index: number
  readonly status: string
  readonly problem?: { readonly code: string; readonly detail: string } | null
}

// The name of this CRM in external references. It must never change.
const namespace = "example-crm"
const maxBatchSize = 100

/**
 * Sends the people who changed in the CRM. The external reference finds the contact of each; people without one get a
 * new contact. Returns the errors of refused items; the next run sends those people again.
 */
export const push = async (api: Api, crm: Crm): Promise<ReadonlyArray<string>> => {
  const errors: Array<string> = []
  const changed = Object.entries(crm.people).filter(([, person]) => person.isChanged)
  while (changed.length > 0) {
    const batch = changed.splice(0, maxBatchSize)
    const items = batch.map(([externalId, { email, firstName, lastName }]) => ({
      firstName,
      lastName,
      email,
      externalRefs: [{ namespace, externalId }]
    }))
    const { body } = await api<{ readonly results: ReadonlyArray<Receipt> }>("POST", "/network/contacts/batch/upsert", {
      body: { items },
      // One key for each batch, whatever the number of attempts.
      headers: { "idempotency-key": randomUUID() }
    })
    for (const { index, problem, status } of body.results) {
      const [externalId, person] = batch[index] ?? []
      if (externalId === undefined || person === undefined) continue
      if (status === "failed") errors.push(`${externalId}: ${problem?.code} ${problem?.detail}`)
      else crm.people[externalId] = { ...person, isChanged: false }
    }
  }
  return errors
}

interface ContactPage {
  readonly data: ReadonlyArray<Contact>
  readonly page: { readonly nextCursor: string | null; readonly nextSince: string | null }
}

/** Reads a list to its end, contact by contact. Returns where the next delta begins. */
const readAll = async (api: Api, query: Record<string, string>, each: (contact: Contact) => void) => {
  for (let cursor: string | null = null; ;) {
    const parameters = new URLSearchParams({ ...query, page_size: "500", ...(cursor === null ? {} : { cursor }) })
    const { body }: { body: ContactPage } = await api("GET", `/network/contacts?${parameters}`)
    body.data.forEach(each)
    cursor = body.page.nextCursor
    if (cursor === null) return body.page.nextSince
  }
}

/** The CRM's ids of a contact. A merged contact has those of all that became part of it. */
const externalIdsOf = ({ externalRefs }: Contact): ReadonlyArray<string> =>
  externalRefs.filter((ref) => ref.namespace === namespace).map(({ externalId }) => externalId)

/** Copies a contact into the CRM. A person who changed in the CRM stays as they are. */
const save = (crm: Crm, contact: Contact): void => {
  const { email, firstName, lastName } = contact
  crm.contacts[contact.id] = contact
  for (const externalId of externalIdsOf(contact)) {
    const person = crm.people[externalId]
    if (person?.isChanged !== true) crm.people[externalId] = { ...person, email, firstName, lastName, isChanged: false }
  }
}

/** Removes contacts from the CRM, with their people. A merge moves people to another contact: those stay. */
const remove = (crm: Crm, contacts: ReadonlyArray<Contact>): void => {
  for (const { id } of contacts) delete crm.contacts[id]
  const remaining = new Set(Object.values(crm.contacts).flatMap(externalIdsOf))
  for (const externalId of contacts.flatMap(externalIdsOf)) {
    if (!remaining.has(externalId)) delete crm.people[externalId]
  }
}

/** Fetches all contacts, and removes those that the network does not have. */
const pullAll = async (api: Api, crm: Crm): Promise<void> => {
  const missing = new Map(Object.entries(crm.contacts))
  const nextSince = await readAll(api, {}, (contact) => {
    missing.delete(contact.id)
    save(crm, contact)
  })
  remove(crm, [...missing.values()])
  crm.nextSince = nextSince
}

const pullChanges = async (api: Api, crm: Crm, since: string): Promise<void> => {
  const tombstones: Array<Contact> = []
  const nextSince = await readAll(api, { updated_since: since, include_deleted: "true" }, (contact) => {
    if (contact.deletedUtc === null) save(crm, contact)
    else tombstones.push(contact)
  })
  remove(crm, tombstones)
  crm.nextSince = nextSince
}

/** Fetches everything in the first run, and changes and deletions since the last run in later ones. */
export const pull = async (api: Api, crm: Crm): Promise<void> => {
  if (crm.nextSince === null) return pullAll(api, crm)
  try {
    await pullChanges(api, crm, crm.nextSince)
  } catch (error) {
    // The last run was months ago: the network no longer knows every deletion since then.
    if (!(error instanceof Refused) || error.problem.code !== "resync_required") throw error
    await pullAll(api, crm)
  }
}

/**
 * Adds a tag to a contact. A patch replaces the whole array, so it must start from the latest state. `If-Match` fails
 * when somebody else changed the contact after it was read; then read it again and retry.
 */
export const addTag = async (api: Api, id: string, tag: string): Promise<void> => {
  for (;;) {
    const { body: contact, etag } = await api<Contact>("GET", `/network/contacts/${id}`)
    if (contact.tags.includes(tag)) return
    try {
      await api("PATCH", `/network/contacts/${id}`, {
        body: { tags: [...contact.tags, tag] },
        headers: { "if-match": etag ?? "*" }
      })
      return
    } catch (error) {
      const code = error instanceof Refused ? error.problem.code : undefined
      if (code !== "precondition_failed" && code !== "concurrency_conflict") throw error
    }
  }
}

/** One run: push, pull, then add missing tags. Returns the errors of the push. */
export const sync = async (api: Api, crm: Crm): Promise<ReadonlyArray<string>> => {
  const errors = await push(api, crm)
  await pull(api, crm)
  for (const contact of Object.values(crm.contacts)) {
    for (const externalId of externalIdsOf(contact)) {
      const tag = crm.people[externalId]?.tag
      if (tag !== undefined && !contact.tags.includes(tag)) await addTag(api, contact.id, tag)
    }
  }
  return errors
}

/** A CRM with two people, for the first run. */
const newCrm: Crm = {
  people: {
    "1001": { firstName: "Maria", lastName: "Rossi", email: "maria@rossi.example", isChanged: true, tag: "vip" },
    "1002": { firstName: "Jonas", lastName: "Weber", email: "jonas@weber.example", isChanged: true }
  },
  contacts: {},
  nextSince: null
}

if (import.meta.main) {
  const { CRM_FILE: file = "crm.json", PROPERTY_NETWORK_TOKEN: token = "" } = process.env
  const api = connect(process.env["PROPERTY_NETWORK_URL"] ?? "http://127.0.0.1:3000", token)
  const crm = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Crm,
    () => newCrm
  )
  for (const error of await sync(api, crm)) console.error(error)
  await writeFile(file, JSON.stringify(crm, undefined, 2))
  const { contacts, people } = crm
  console.log(`${Object.keys(people).length} people, ${Object.keys(contacts).length} contacts`)
}
