/**
 * An agent: lists the tools by the Model Context Protocol, asks what a call would do, and makes it.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/agent.ts
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env

const agent = new Client({ name: "example", version: "1" })
await agent.connect(
  new StreamableHTTPClientTransport(new URL("/mcp?toolsets=network", baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}` } }
  })
)

const { tools } = await agent.listTools()
console.log(`${tools.length} tools for the network`)

const call = async (name: string, args: Record<string, unknown>) => {
  const { structuredContent } = await agent.callTool({ name, arguments: args })
  return structuredContent as { id: string; preview?: { events: Array<string> }; error?: { detail: string } }
}

const felix = { firstName: "Felix", email: "felix@example.com" }
const { preview } = await call("create_contact", { ...felix, preview: true })
console.log(`Would cause ${preview?.events.join(", ")}`)
console.log(`Added ${(await call("create_contact", felix)).id}`)

// A refusal says what to do instead.
const { error } = await call("get_contact", { contact: felix.email })
console.log(`Refused: ${error?.detail}`)
console.log(`Felix is ${(await call("get_contact", { contact: `email=${felix.email}` })).id}`)

await agent.close()
