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
import { start, type Started } from "property-network/testing"
import { connect } from "./api.ts"
import { type Crm, sync } from "./sync.ts"

let service: Started

before(async () => {
  service = await start()
})
after(() => service.stop())

test("a person of the CRM becomes a contact, once", async () => {
  const api = connect(service.baseUrl, service.token, service.fetch)
  const anna = { firstName: "Anna", lastName: "Berg", email: "anna@berg.example", isChanged: true }
  const crm: Crm = { people: { "7": anna }, contacts: {}, nextSince: null }

  assert.deepEqual(await sync(api, crm), [])
  await sync(api, crm)

  assert.deepEqual(
    Object.values(crm.contacts).map(({ email }) => email),
    ["anna@berg.example"]
  )
})

test("an event arrives although the receiver was down for a day", async () => {
  const { token } = await service.addTenant("Others")
  const api = connect(service.baseUrl, token, service.fetch)
  let isDown = true
  const delivered: Array<string> = []
  const receiver = createServer((request, response) => {
    if (!isDown) delivered.push(String(request.headers["x-service-event"]))
    response.writeHead(isDown ? 500 : 204).end()
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    await api("POST", "/webhooks", { body: { url, events: ["contact.created"] } })
    await api("POST", "/network/contacts", { body: { firstName: "Anna" } })

    await service.advance("1 day")
    assert.deepEqual(delivered, [])

    isDown = false
    await service.advance("1 day")
    assert.deepEqual(delivered, ["contact.created"])
  } finally {
    receiver.close()
  }
})
