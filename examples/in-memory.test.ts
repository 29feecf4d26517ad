/**
 * An in-process test: the whole service in memory, with a clock that the test moves.
 * Run: node run.mjs examples/in-memory.test.ts
 */
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { after, test } from "node:test"
import { createClient } from "property-network/client"
import { start } from "property-network/testing"

const service = await start()
after(() => service.stop())

test("an event arrives although the receiver was down for a day", async () => {
  const { baseUrl, fetch, token } = service
  const client = createClient({ baseUrl, token, fetch })
  let isDown = true
  const taken: Array<string> = []
  const receiver = createServer((request, response) => {
    if (!isDown) taken.push(String(request.headers["x-service-event"]))
    response.writeHead(isDown ? 500 : 204).end()
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")

  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await client.webhooks.create({ body: { url, events: ["contact.created"] } })
  await client.contacts.create({ body: { firstName: "Anna" } })
  await service.advance("1 day")
  assert.deepEqual(taken, [])

  isDown = false
  await service.advance("1 day")
  assert.deepEqual(taken, ["contact.created"])
  receiver.close()
})
