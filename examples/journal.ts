/**
 * Journal: polls the events of a team, in order and without gaps, for programs that cannot receive webhooks.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/journal.ts
 */
import { setTimeout } from "node:timers/promises"
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

// Where to begin: after the events so far. A program that goes on takes the number that it stored.
let { nextAfter: after } = (await client.changes.list({ query: { after: "latest" } })).page

const clara = await client.contacts.create({ body: { firstName: "Clara" } })
await client.contacts.update({ path: { id: clara.id }, body: { phone: "+49 30 5550100" } })

for (let seen = 0; seen < 2; await setTimeout(100)) {
  const events = client.changes.list.all({ query: { after } })
  for await (const event of events) {
    seen += 1
    console.log(`${event.event} ${event.resource_id}`)
  }
  after = events.nextAfter ?? after
}
