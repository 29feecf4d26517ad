/**
 * A deal: from a property to an offer that an investor accepts. What is left to people happens on the command line.
 * Run: PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/deal.ts
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { createClient } from "property-network/client"

const { PROPERTY_NETWORK_TOKEN: token = "", PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const admin = async (...args: ReadonlyArray<string>) =>
  JSON.parse((await promisify(execFile)("npm", ["run", "-s", "admin", "--", ...args, "--json"])).stdout)

// An investor with an account, and a broker who has her among the contacts.
const nora = `nora@lind-${Date.now()}.example`
const { id: team } = await admin("team", "create", "Lind Capital", "--plan", "plus")
await admin("user", "create", nora, "--team", team, "--role", "admin", "--name", "Nora Lind", "--investor", "active")
const { token: investorToken } = await admin("token", "create", "--user", nora, "--name", "example")
const investor = createClient({ baseUrl, token: investorToken })
const broker = createClient({ baseUrl, token })
const me = await broker.me.get()
const contact = await broker.contacts.create({ body: { firstName: "Nora", lastName: "Lind", email: nora } })

// A project with a property, a teaser that says as much as the broker chooses, and the investor on its list.
const hall = await broker.properties.create({ body: { name: "Freimann 40", country: "DE", categories: ["logistics"] } })
const project = await broker.projects.create({ body: { name: "Freimann", propertyIds: [hall.id], ownerId: me.id } })
const path = { projectId: project.id }
await broker.projects.updateTeaser({ path: { id: project.id }, body: { title: "A hall in Germany" } })
const prospect = await broker.prospects.create({ path, body: { contactId: contact.id } })
await admin("teaser", "publish", project.id, "--as", String(me.email))
await admin("teaser", "communicate", project.id, "--all", "--as", String(me.email))

const [offer] = (await investor.offers.list()).data
console.log(`${offer?.teaser?.title}: ${offer?.status}`)
const { status } = await admin("offer", "accept", offer?.id ?? "", "--as", nora)
console.log(`Nora's answer: ${status}`)
const { accepted } = await broker.prospects.get({ path: { ...path, id: prospect.id } })
console.log(`The broker's list has that she accepted: ${accepted}`)
