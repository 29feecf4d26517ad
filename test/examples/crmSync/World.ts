/** A service, a user of the network, and a CRM whose sync can be killed. */
import { assert } from "@effect/vitest"
import { type Client, clientCredentials, createClient } from "property-network/client"
import { membersOf } from "../../../examples/crm-sync/contacts.ts"
import { Crm, empty, type Members, type Stored } from "../../../examples/crm-sync/Crm.ts"
import { push } from "../../../examples/crm-sync/push.ts"
import type { Edit, NetworkEdit, Step, Trouble } from "./steps.ts"
import type { Transport } from "./transports.ts"

/** A service with a new team. */
export interface Backend {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** The OAuth client of the sync. */
  readonly clientId: string
  readonly clientSecret: string
  /** A token of a user of the network that has not expired. */
  readonly token: () => string
  /** Sends a request while the service is killed: its answer is lost, its effect may be. */
  readonly killDuring: (send: () => Promise<Response>) => Promise<Response>
  /** Sends all webhooks that are due, where nothing else does. */
  readonly drain: () => Promise<void>
  /** `pull` lets the sync fetch what others changed, and nothing else. */
  readonly disturb: (name: string, world: World, pull: () => Promise<void>) => Promise<void>
}

/** The sync's process was killed. */
class Killed extends Error {}

/** The world of one run. */
export class World {
  readonly #backend: Backend
  /** The client of the sync. */
  readonly client: Client
  /** The client of the network's users. */
  readonly network: Client
  crm: Crm
  /** Since when the sync does not run; undefined while it does. */
  #downSince: Date | undefined
  #stored = JSON.stringify(empty)
  #trouble: Trouble | undefined
  #requests = 0
  #isKilled = false

  constructor(backend: Backend) {
    const { baseUrl, clientId, clientSecret, fetch, token } = backend
    this.#backend = backend
    this.client = createClient({
      baseUrl,
      token: clientCredentials({ baseUrl, clientId, clientSecret, fetch }),
      fetch: (input, init) => this.#fetch(input, init),
      retry: { attempts: 1 }
    })
    this.network = createClient({ baseUrl, token, fetch })
    this.crm = this.#open()
  }

  #open(): Crm {
    return new Crm(JSON.parse(this.#stored) as Stored, (text) => {
      if (!this.#isKilled) this.#stored = text
      return Promise.resolve()
    })
  }

  /**
   * Runs work of the sync's process. After a kill, the process starts again with what was stored last; a lost answer ends
   * the work.
   */
  async running(transport: Transport, work: () => Promise<void>, trouble?: Trouble): Promise<void> {
    this.#trouble = trouble
    this.#requests = 0
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Killed) && !(error instanceof TypeError && error.message === "fetch failed")) throw error
    }
    this.#trouble = undefined
    if (!this.#isKilled) return
    this.#isKilled = false
    this.crm = this.#open()
    await transport.restart(this)
  }

  async #fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const trouble = this.#trouble?.request === this.#requests++ ? this.#trouble : undefined
    const send = () => this.#backend.fetch(input, init)
    if (this.#isKilled || trouble?.kind === "killedBefore") throw this.#kill()
    if (trouble?.kind === "overtaken") await this.editNetwork(trouble.by)
    if (trouble?.kind === "serviceKilled") return this.#backend.killDuring(send)
    const response = await send()
    if (trouble?.kind === "killedAfter") throw this.#kill()
    return response
  }

  // A killed process sends nothing more, and stores nothing more.
  #kill(): Killed {
    this.#isKilled = true
    return new Killed()
  }

  drain(): Promise<void> {
    return this.#backend.drain()
  }

  async editCrm(edit: Edit): Promise<void> {
    if (edit.kind === "create") this.crm.add(edit.members)
    else {
      const ids = [...this.crm.people].flatMap(([id, { isDeleted }]) => (isDeleted ? [] : [id]))
      const id = ids[edit.on % ids.length]
      if (id === undefined) return
      if (edit.kind === "change") this.crm.edit(id, edit.members)
      else this.crm.delete(id)
    }
    await this.crm.save()
  }

  async editNetwork(edit: NetworkEdit): Promise<void> {
    const { contacts } = this.network
    if (edit.kind === "create") {
      await contacts.create({ body: edit.members })
      return
    }
    const ids = (await Array.fromAsync(contacts.list.all())).map(({ id }) => id)
    if (edit.kind === "changeAll") {
      const items = ids.slice(0, 100).map((id) => ({ id, ...edit.members }))
      if (items.length > 0) await contacts.batchUpsert({ body: { items } })
      return
    }
    const id = ids[edit.on % ids.length]
    if (id === undefined) return
    switch (edit.kind) {
      case "change":
        await contacts.update({ path: { id }, body: edit.members })
        return
      case "delete":
        await contacts.delete({ path: { id } })
        return
      case "deleteSome":
        await contacts.batchDelete({ body: { ids: ids.slice(0, edit.count) } })
        return
      case "merge": {
        const other = ids[edit.other % ids.length]
        if (other !== undefined && other !== id) await contacts.merge({ path: { id }, body: { from: [other] } })
      }
    }
  }

  /** What both sides have: the members of each contact, by its id. */
  async bothSides() {
    const contacts = await Array.fromAsync(this.network.contacts.list.all())
    const byId = (rows: ReadonlyArray<[string, Members]>) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      network: byId(contacts.map((contact) => [contact.id, membersOf(contact)])),
      crm: byId(
        [...this.crm.people.values()].map(({ isDeleted, members, synced }) => {
          assert.isFalse(isDeleted)
          return [synced?.contactId ?? "none", members]
        })
      )
    }
  }

  /** Takes a step. */
  async take(step: Step, transport: Transport): Promise<void> {
    switch (step.kind) {
      case "crm":
        return this.editCrm(step.edit)
      case "network":
        return this.editNetwork(step.edit)
      case "disturbance":
        return this.#backend.disturb(step.name, this, async () => {
          if (this.#downSince === undefined) await this.running(transport, () => transport.pull(this))
        })
      case "down":
        this.#downSince ??= new Date()
        return transport.stop()
      case "up":
        return this.up(transport)
      case "sync":
        if (this.#downSince === undefined) await this.sync(transport, step.trouble)
    }
  }

  /** Sends what changed in the CRM, fetches what others changed, and sends what both became. */
  sync(transport: Transport, trouble?: Trouble): Promise<void> {
    const work = async () => {
      await push(this.client, this.crm)
      await transport.pull(this)
      await push(this.client, this.crm)
    }
    return this.running(transport, work, trouble)
  }

  /** Starts the sync if it is down. */
  async up(transport: Transport): Promise<void> {
    if (this.#downSince === undefined) return
    await transport.start(this, this.#downSince)
    this.#downSince = undefined
  }
}
