/**
 * Verify a webhook: receives a message, and takes it only with a valid signature and once.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/verify-webhook.ts
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { createClient, InvalidMessage, verifyMessage } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

let secret = ""
const handled = new Set<string>()
const receiver = createServer(async (request, response) => {
  try {
    const message = verifyMessage(await buffer(request), request.headers, secret)
    if (!handled.has(message.id)) console.log(`${message.event.event} ${message.event.resource_id}`)
    handled.add(message.id)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof InvalidMessage ? 401 : 503).end()
  }
}).listen(0, "127.0.0.1")
await once(receiver, "listening")

const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const webhook = await client.webhooks.create({ body: { url, events: ["contact.created"] } })
secret = webhook.secret

const forged = await fetch(url, { method: "POST", body: '{"event": "contact.created"}' })
console.log(`Without a signature: ${forged.status}`)

await client.contacts.create({ body: { firstName: "Dora" } })
await once(receiver, "request")

await client.webhooks.delete({ path: { id: webhook.id } })
receiver.close()
