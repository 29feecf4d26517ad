/** Receives webhooks, and applies what they tell. */
import { createServer, type Server } from "node:http"
import { buffer } from "node:stream/consumers"
import { type Client, InvalidMessage, verifyMessage } from "property-network/client"
import type { Crm } from "./Crm.ts"
import { refresh } from "./refresh.ts"

/** The options of a receiver. */
export interface ReceiverOptions {
  readonly client: Client
  readonly crm: Crm
  /** The webhook's secret, or two while it is being replaced. */
  readonly secret: string | ReadonlyArray<string>
  /** Runs work on the CRM one after the other: a push must not run in between. */
  readonly exclusively: <A>(work: () => Promise<A>) => Promise<A>
}

// Duplicates come within the retries of one message. Forgetting one does no harm: it is handled twice.
const remembered = 10_000

/** A server that answers 204 once a message was handled, so that the service sends it again otherwise. */
export const makeReceiver = ({ client, crm, exclusively, secret }: ReceiverOptions): Server => {
  const handled = new Set<string>()

  const handle = async (id: string, contactId: string) => {
    if (handled.has(id)) return
    await refresh(client, crm, contactId)
    crm.inStepUtc = new Date().toISOString()
    await crm.save()
    handled.add(id)
    const [oldest] = handled
    if (handled.size > remembered && oldest !== undefined) handled.delete(oldest)
  }

  return createServer((request, response) => {
    const answer = async () => {
      const { event, id, isTest } = verifyMessage(await buffer(request), request.headers, secret)
      if (isTest || event.resource_type !== "contact") return
      await exclusively(() => handle(id, event.resource_id))
    }
    answer().then(
      () => response.writeHead(204).end(),
      (error: unknown) => {
        console.error(error)
        response.writeHead(error instanceof InvalidMessage ? 401 : 503).end()
      }
    )
  })
}

// The service keeps deliveries for 30 days. A day less allows for a wrong clock.
const replayableDays = 29

/**
 * Catches up after an outage: reactivates the webhook if the service disabled it, which sends what waited, and makes the
 * service send again what it gave up since `downSince`. Answers false after a longer outage than the service keeps
 * deliveries for: then read everything again (`pullAll`).
 */
export const recover = async (client: Client, webhookId: string, downSince: Date): Promise<boolean> => {
  await client.webhooks.update({ path: { id: webhookId }, body: { status: "active" } })
  if (Date.now() - downSince.getTime() > replayableDays * 86_400_000) return false
  for (let from: string | null = downSince.toISOString(); from !== null;) {
    const { next_since }: { next_since: string | null } = await client.webhooks.replayDeliveries({
      path: { id: webhookId },
      body: { since: from }
    })
    from = next_since
  }
  return true
}
