/**
 * Tests of an integration against the whole service, in memory: no server, no database, no waiting.
 *
 *   node run.mjs --test examples/in-memory.test.ts
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, before, test } from "node:test"
import { createClient } from "property-network/client"
import { start, type Started } from "property-network/testing"
import { Crm, empty } from "./crm-sync/Crm.ts"
import { pullDelta } from "./crm-sync/pull.ts"
import { push } from "./crm-sync/push.ts"

let service: Started

before(async () => {
  service = await start()
})
after(() => service.stop())

test("a person of the CRM becomes a contact, once", async () => {
  const { baseUrl, fetch, token } = service
  const client = createClient({ baseUrl, token, fetch })
  const crm = new Crm(empty, () => Promise.resolve())
  crm.add({ firstName: "Anna", lastName: "Berg", email: "anna@berg.example", phone: null })

  assert.deepEqual(await push(client, crm), [])
  await pullDelta(client, crm)
  await push(client, crm)

  const contacts = await Array.fromAsync(client.contacts.list.all())
  assert.deepEqual(
    contacts.map(({ email }) => email),
    ["anna@berg.example"]
  )
  assert.equal(crm.people.size, 1)
})

test("an event arrives although the receiver was down for a day", async () => {
  const { token } = await service.addTenant("Others")
  const client = createClient({ baseUrl: service.baseUrl, token, fetch: service.fetch })
  let isDown = true
  const delivered: Array<string> = []
  const receiver = createServer((request, response) => {
    if (!isDown) delivered.push(String(request.headers["x-service-event"]))
    response.writeHead(isDown ? 500 : 204).end()
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    await client.webhooks.create({ body: { url, events: ["contact.created"] } })
    await client.contacts.create({ body: { firstName: "Anna" } })

    await service.advance("1 day")
    assert.deepEqual(delivered, [])

    isDown = false
    await service.advance("1 day")
    assert.deepEqual(delivered, ["contact.created"])
  } finally {
    receiver.close()
  }
})
