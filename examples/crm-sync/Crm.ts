/**
 * A small CRM: people in a JSON file. A real one has a database and screens; what a sync needs of it is the same.
 */
import { readFile, rename, writeFile } from "node:fs/promises"

/** The members of a person that are kept in step. */
export interface Members {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
}

/** A person of the CRM. */
export interface Person {
  /** What the CRM's users see and edit. */
  readonly members: Members
  /** The contact of this person and its state at the last sync; null before the first. */
  readonly synced: Synced | null
  /** Deleted by a user of the CRM, and not yet in the network. */
  readonly isDeleted: boolean
}

/** A contact as the CRM knows it. */
export interface Synced {
  readonly contactId: string
  readonly etag: string
  readonly members: Members
}

/** What the CRM stores. */
export interface Stored {
  readonly nextId: number
  /** People by the CRM's own ids. */
  readonly people: Readonly<Record<string, Person>>
  /** Where the next delta begins; null before the first. */
  readonly since: string | null
  /** The number of the last event of the journal that was handled; null before the first. */
  readonly after: number | null
  /** When the CRM was last in step with the network. */
  readonly inStepUtc: string | null
}

/** What a new CRM has stored. */
export const empty: Stored = { nextId: 1, people: {}, since: null, after: null, inStepUtc: null }

/** The CRM's data. Changes are in memory until `save`. */
export class Crm {
  nextId: number
  readonly people: Map<string, Person>
  since: string | null
  after: number | null
  /** When the CRM was last in step with the network, by a run or a message; null before the first. */
  inStepUtc: string | null
  readonly #write: (text: string) => Promise<void>

  /** A CRM with what was stored. `write` replaces it, in whole or not at all. */
  constructor(stored: Stored, write: (text: string) => Promise<void>) {
    this.nextId = stored.nextId
    this.people = new Map(Object.entries(stored.people))
    this.since = stored.since
    this.after = stored.after
    this.inStepUtc = stored.inStepUtc
    this.#write = write
  }

  /** The CRM of a file, or a new one if there is none. */
  static async open(file: string): Promise<Crm> {
    // Any other failure must not look like an empty CRM, which would then replace the file.
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
      return undefined
    })
    return new Crm(text === undefined ? empty : (JSON.parse(text) as Stored), async (text) => {
      await writeFile(`${file}.new`, text)
      await rename(`${file}.new`, file)
    })
  }

  /** Writes everything at once: people and the place up to which changes were read belong together. */
  async save(): Promise<void> {
    const { after, inStepUtc, nextId, people, since } = this
    const stored: Stored = { nextId, people: Object.fromEntries(people), since, after, inStepUtc }
    await this.#write(JSON.stringify(stored, undefined, 2))
  }

  /** Adds a person, as a user of the CRM does. Returns the CRM's id. */
  add(members: Members): string {
    return this.put({ members, synced: null, isDeleted: false })
  }

  /** Changes members of a person, as a user of the CRM does. */
  edit(id: string, members: Partial<Members>): void {
    const person = this.people.get(id)
    if (person !== undefined) this.people.set(id, { ...person, members: { ...person.members, ...members } })
  }

  /** Deletes a person, as a user of the CRM does. A contact of the network still has to be deleted there. */
  delete(id: string): void {
    const person = this.people.get(id)
    if (person?.synced === null) this.people.delete(id)
    else if (person !== undefined) this.people.set(id, { ...person, isDeleted: true })
  }

  /** Adds a person of the network. */
  put(person: Person): string {
    const id = String(this.nextId++)
    this.people.set(id, person)
    return id
  }

  /** The id of the person with this contact. */
  idOf(contactId: string): string | undefined {
    for (const [id, { synced }] of this.people) if (synced?.contactId === contactId) return id
    return undefined
  }
}
