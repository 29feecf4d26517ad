/**
 * A webhook receiver that also catches up on the events it missed while it was down. It prints the contacts that changed.
 *
 *   WEBHOOK_SECRET=whsec_… PROPERTY_NETWORK_TOKEN=pnp_… node run.mjs examples/receiver.ts
 */
import { readFile, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { buffer } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { type Api, connect, Refused } from "./api.ts"

/** The members of an event that this receiver uses. Webhooks and the journal have the same. */
interface Event {
  readonly event: string
  readonly resource_type: string
  readonly resource_id: string
}

export interface Options {
  readonly api: Api
  /** The webhook's secret, from the answer to `POST /webhooks`. */
  readonly secret: string
  /** Stores the position in the journal between runs. */
  readonly stateFile: string
  /** Called with the current state of each contact that changed, or null when it was deleted. May repeat itself. */
  readonly onContact: (id: string, contact: { readonly name: string | null } | null) => void
}

/** Fetches the contact: events may arrive out of order, so they say what changed and not the new values. */
const handle = async ({ api, onContact }: Options, event: Event): Promise<void> => {
  if (event.resource_type !== "contact") return
  const id = event.resource_id
  try {
    onContact(id, (await api<{ readonly name: string | null }>("GET", `/network/contacts/${id}`)).body)
  } catch (error) {
    if (!(error instanceof Refused) || error.problem.status !== 404) throw error
    onContact(id, null)
  }
}

interface JournalPage {
  readonly data: ReadonlyArray<Event>
  readonly page: { readonly nextAfter: number; readonly hasMore: boolean }
}

/**
 * Handles the events of the journal since the last call: missed ones, and those whose handling failed. The first call starts
 * with the oldest event. Fails with `resync_required` after more than 90 days: then read everything (`sync.ts` does), and delete
 * the state file.
 */
const catchUp = async (options: Options): Promise<void> => {
  let after = await readFile(options.stateFile, "utf8").catch(() => undefined)
  for (let hasMore = true; hasMore;) {
    const { body } = await options.api<JournalPage>(
      "GET",
      `/changes?page_size=500${after === undefined ? "" : `&after=${after}`}`
    )
    for (const event of body.data) await handle(options, event)
    after = String(body.page.nextAfter)
    hasMore = body.page.hasMore
    // Last, so that a crash repeats events instead of losing them.
    await writeFile(options.stateFile, after)
  }
}

/** An HTTP server for deliveries. It catches up when it starts to listen, and every ten minutes. */
export const makeReceiver = (options: Options): Server => {
  const webhook = new Webhook(options.secret)
  // In memory, because handling an event twice does no harm here.
  const seen = new Set<string>()

  // One task at a time. The next catch-up repeats those that fail.
  let work = Promise.resolve()
  const enqueue = (next: () => Promise<void>) => {
    work = work.then(next).catch((error: unknown) => console.error(error))
  }

  const server = createServer(async (request, response) => {
    try {
      // Verify the raw bytes. JSON that was parsed and serialized again has another signature.
      const event = webhook.verify(await buffer(request), request.headers as Record<string, string>) as Event
      // Answer before doing the work: the service gives up on an attempt after ten seconds.
      response.writeHead(204).end()
      const id = String(request.headers["webhook-id"])
      if (!seen.has(id)) enqueue(() => handle(options, event))
      seen.add(id)
    } catch {
      response.writeHead(401).end()
    }
  })
  const timer = setInterval(() => enqueue(() => catchUp(options)), 600_000)
  server.on("listening", () => enqueue(() => catchUp(options)))
  server.on("close", () => clearInterval(timer))
  return server
}

if (import.meta.main) {
  const { PORT = "9000", PROPERTY_NETWORK_TOKEN: token = "", WEBHOOK_SECRET: secret = "" } = process.env
  const receiver = makeReceiver({
    api: connect(process.env["PROPERTY_NETWORK_URL"] ?? "http://127.0.0.1:3000", token),
    secret,
    stateFile: process.env["STATE_FILE"] ?? "journal.txt",
    onContact: (id, contact) => console.log(id, contact === null ? "is deleted" : `is now ${contact.name}`)
  })
  receiver.listen(Number(PORT), "127.0.0.1", () => console.log(`Receiving on http://127.0.0.1:${PORT}`))
}
