/**
 * Delta: reads all contacts once, and from then on only what changed, deletions included.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/delta.ts
 */
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

/** Reads what changed since a position, and answers the next one: store it with what you made of the rows. */
const read = async (since: string | null) => {
  const contacts = client.contacts.list.delta(since)
  let count = 0
  for await (const contact of contacts) {
    count += 1
    if (since !== null)
      console.log(contact.deletedUtc === null ? `${contact.name} changed` : `${contact.id} was deleted`)
  }
  if (since === null) console.log(`${count} contacts`)
  return contacts.nextSince
}

const eva = await client.contacts.create({ body: { firstName: "Eva" } })
const jonas = await client.contacts.create({ body: { firstName: "Jonas" } })
const since = await read(null)

await client.contacts.update({ path: { id: eva.id }, body: { tags: ["office"] } })
await client.contacts.delete({ path: { id: jonas.id } })
await read(since)
