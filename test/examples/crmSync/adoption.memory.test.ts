/** The example of a CRM, where the network knows a person already. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { type Client, createClient } from "property-network/client"
import { start, type Started } from "property-network/testing"
import { Crm, empty } from "../../../examples/crm-sync/Crm.ts"
import { namespace } from "../../../examples/crm-sync/contacts.ts"
import { push } from "../../../examples/crm-sync/push.ts"

const newCrm = (nextId = 1) => new Crm({ ...empty, nextId }, () => Promise.resolve())

const anna = { firstName: "Anna", lastName: null, email: "anna@berg.example", phone: null }

describe("A push of a person whom the network knows", () => {
  let service: Started
  let client: Client

  beforeAll(async () => {
    service = await start()
    client = createClient({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch })
  })

  afterAll(() => service.stop())

  it("by the address takes what the CRM lacks, and erases nothing", async () => {
    const contact = await client.contacts.create({ body: { email: anna.email, lastName: "Berg", phone: "+49 30 1" } })
    const crm = newCrm()
    const id = crm.add(anna)
    assert.deepStrictEqual(await push(client, crm), [])
    const after = await client.contacts.get({ path: { id: contact.id } })
    assert.deepInclude(after, { firstName: "Anna", lastName: "Berg", phone: "+49 30 1" })
    assert.deepStrictEqual(crm.people.get(id)?.members, { ...anna, lastName: "Berg", phone: "+49 30 1" })
  })

  it("by the reference does the same, such as after the CRM lost its file", async () => {
    const externalRefs = [{ namespace, externalId: "7" }]
    const contact = await client.contacts.create({ body: { firstName: "Béla", phone: "+39 02 2", externalRefs } })
    const crm = newCrm(7)
    crm.add({ ...anna, firstName: "Béla", email: null })
    assert.deepStrictEqual(await push(client, crm), [])
    const after = await client.contacts.get({ path: { id: contact.id } })
    assert.deepInclude(after, { firstName: "Béla", phone: "+39 02 2" })
    assert.strictEqual(crm.people.get("7")?.members.phone, "+39 02 2")
  })

  it("does not begin with an empty CRM when its file cannot be read", async () => {
    const folder = await mkdtemp(`${tmpdir()}/crm-`)
    const error: unknown = await Crm.open(folder).catch((error: unknown) => error)
    assert.include(String(error), "EISDIR")
    await rm(folder, { recursive: true })
  })
})
