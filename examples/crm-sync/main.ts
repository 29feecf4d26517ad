/**
 * Keeps a CRM in step with Property Network. `docs/keep-a-crm-in-step.md` explains it.
 *
 *   node run.mjs examples/crm-sync/main.ts add FIRST LAST EMAIL    adds a person to the CRM
 *   node run.mjs examples/crm-sync/main.ts sync                    sends and fetches what changed since the last run
 *   node run.mjs examples/crm-sync/main.ts receive WEBHOOK_ID      receives webhooks until it is stopped
 */
import { once } from "node:events"
import { type Client, clientCredentials, createClient } from "property-network/client"
import { Crm } from "./Crm.ts"
import { pullAll, pullDelta } from "./pull.ts"
import { push } from "./push.ts"
import { makeReceiver, recover } from "./receiver.ts"

const {
  CRM_FILE: file = "crm.json",
  PORT: port = "9000",
  PROPERTY_NETWORK_CLIENT_ID: clientId,
  PROPERTY_NETWORK_CLIENT_SECRET: clientSecret = "",
  PROPERTY_NETWORK_TOKEN: token = "",
  PROPERTY_NETWORK_URL: baseUrl = "http://127.0.0.1:3000",
  WEBHOOK_SECRET: secret = ""
} = process.env

/** Sends what the CRM's users changed. */
const send = async (client: Client, crm: Crm): Promise<void> => {
  for (const { code, detail, personId } of await push(client, crm)) {
    console.error(`Person ${personId} was not taken: ${code}: ${detail}`)
    process.exitCode = 1
  }
}

const sync = async (client: Client, crm: Crm): Promise<void> => {
  await send(client, crm)
  await pullDelta(client, crm)
  // A change that came in may have been joined with one that a user made meanwhile.
  await send(client, crm)
  console.log(`${crm.people.size} ${crm.people.size === 1 ? "person" : "people"} in step`)
}

const receive = async (client: Client, crm: Crm, webhookId: string): Promise<void> => {
  let last: Promise<unknown> = Promise.resolve()
  const exclusively = <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work, work)
    last = next
    return next
  }
  const server = makeReceiver({ client, crm, secret, exclusively }).listen(Number(port), "127.0.0.1")
  await once(server, "listening")
  process.once("SIGINT", () => server.close())
  process.once("SIGTERM", () => server.close())
  console.log(`Receiving on http://127.0.0.1:${port}`)
  try {
    // No message is handled meanwhile: it could be newer than a row that was read before it.
    await exclusively(async () => {
      const isRecovered = crm.inStepUtc !== null && (await recover(client, webhookId, new Date(crm.inStepUtc)))
      if (!isRecovered) await pullAll(client, crm)
    })
  } catch (error) {
    server.close()
    throw error
  }
}

const client = createClient({
  baseUrl,
  token: clientId === undefined ? token : clientCredentials({ baseUrl, clientId, clientSecret })
})
const crm = await Crm.open(file)
const [command, ...args] = process.argv.slice(2)
const run = async () => {
  if (command === "sync") return sync(client, crm)
  if (command === "receive" && args[0] !== undefined) return receive(client, crm, args[0])
  if (command !== "add") throw new Error("Usage: main.ts add FIRST LAST EMAIL | sync | receive WEBHOOK_ID")
  const [firstName = null, lastName = null, email = null] = args
  crm.add({ firstName, lastName, email, phone: null })
  await crm.save()
}
await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
