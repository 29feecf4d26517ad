/**
 * A mandate and its matches: what an investor looks for, and which properties of the broker fit it, and why.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/matches.ts
 */
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const client = createClient({ baseUrl, token })

const hall = await client.properties.create({
  body: {
    name: "Hall Freimann",
    country: "DE",
    coordinates: { latitude: 48.1951, longitude: 11.6086 },
    categories: ["logistics"],
    lettableArea: { value: 12_450, unit: "sqm" },
    tags: ["motorway_access"]
  }
})
const mandate = await client.mandates.create({
  body: {
    name: "Halls around Munich",
    location: "Munich",
    categories: ["logistics"],
    lettableArea: { min: 3000, max: 20_000, unit: "sqm" },
    positiveTags: ["motorway_access", "partly_vacant"]
  }
})

const { data } = await client.mandates.listMatches({ path: { id: mandate.id } })
const match = data.find(({ id }) => id === hall.id)
console.log(`${match?.name}: ${match?.score} of 100`)
for (const { criterion, result } of match?.criteria ?? []) {
  if (result !== "unknown") console.log(`${criterion}: ${result}`)
}
