/**
 * Replay: a receiver refused its messages for a while; then it asks for them again.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/replay.ts
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

let isBroken = true
const receiver = createServer((request, response) => {
  // A 4xx ends a delivery; 5xx, 429 and timeouts are retried for 35 hours without a replay.
  response.writeHead(isBroken ? 400 : 204).end()
  console.log(`${isBroken ? "Refused" : "Took"} ${String(request.headers["x-service-event"])}`)
}).listen(0, "127.0.0.1")
await once(receiver, "listening")

const brokenSince = new Date().toISOString()
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const { id } = await client.webhooks.create({ body: { url, events: ["contact.created"] } })
await client.contacts.create({ body: { firstName: "Emil" } })
const failed = () => client.webhooks.listDeliveries({ path: { id }, query: { status: "failed" } })
while ((await failed()).data.length === 0) await setTimeout(100)

isBroken = false
for (let since: string | null = brokenSince; since !== null;) {
  const replayed = await client.webhooks.replayDeliveries({ path: { id }, body: { since } })
  console.log(`${replayed.replayed_count} to be sent again`)
  since = replayed.next_since
}
await once(receiver, "request")

await client.webhooks.delete({ path: { id } })
receiver.close()
