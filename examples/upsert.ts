/**
 * Upsert from a CRM: sends its people under its own ids. Sending them again finds them, and creates nobody twice.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/upsert.ts
 */
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

const people = [
  { crmId: "4711", firstName: "Anna", email: "anna@berg.example" },
  { crmId: "4712", firstName: "Ben", email: "ben@lind.example" },
  { crmId: "4713", firstName: "Carla", email: "not an address" }
]

/** Up to 100 items at a time: each has a receipt, and a bad one stops no other. */
const send = async () => {
  const { results } = await client.contacts.batchUpsert({
    body: {
      items: people.map(({ crmId, ...members }) => ({
        ...members,
        externalRefs: [{ namespace: "example-crm", externalId: crmId }]
      }))
    }
  })
  for (const receipt of results) {
    const { crmId } = people[receipt.index] ?? {}
    console.log(`${crmId}: ${receipt.status === "failed" ? receipt.problem.detail : receipt.status}`)
  }
}

await send()
await send()
