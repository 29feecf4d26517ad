/**
 * First contact: adds a person, changes her, and is refused when it would overwrite what somebody else wrote.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/first-contact.ts
 */
import { createClient, isProblem } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

const { primaryTeam } = await client.me.get()
const maria = await client.contacts.create({ body: { firstName: "Maria", lastName: "Rossi", tags: ["logistics"] } })
console.log(`${primaryTeam?.name} has a contact: ${maria.id}`)

// A patch changes what it names. With If-Match it changes nothing that the caller has not read.
const changed = await client.contacts.update({
  path: { id: maria.id },
  ifMatch: maria.etag,
  body: { phone: "+39 02 5550123" }
})
console.log(`Phone: ${changed.phone}`)

try {
  await client.contacts.update({ path: { id: maria.id }, ifMatch: maria.etag, body: { tags: [] } })
} catch (error) {
  if (!isProblem(error, "precondition_failed")) throw error
  console.log(`Refused: ${error.problem.code}`)
}
