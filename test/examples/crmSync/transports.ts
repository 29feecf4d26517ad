/** The three ways to learn what changed in the network: each keeps the CRM in step by itself. */
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { pullAll, pullDelta, pullJournal } from "../../../examples/crm-sync/pull.ts"
import { makeReceiver, recover } from "../../../examples/crm-sync/receiver.ts"
import type { World } from "./World.ts"

/** How the sync of a run works. */
export interface Transport {
  /** Called once, at the beginning. */
  readonly setUp: (world: World) => Promise<void>
  /** Fetches what others changed. */
  readonly pull: (world: World) => Promise<void>
  /** The process was killed, and starts again at once. */
  readonly restart: (world: World) => Promise<void>
  /** The integration stops. */
  readonly stop: () => Promise<void>
  /** The integration starts again. */
  readonly start: (world: World, downSince: Date) => Promise<void>
  readonly tearDown: () => Promise<void>
}

const nothing = () => Promise.resolve()

/** Deltas alone. */
const deltas = (): Transport => ({
  setUp: nothing,
  pull: ({ client, crm }) => pullDelta(client, crm),
  restart: nothing,
  stop: nothing,
  start: nothing,
  tearDown: nothing
})

/** The journal alone. */
const journal = (): Transport => ({
  setUp: nothing,
  pull: ({ client, crm }) => pullJournal(client, crm),
  restart: nothing,
  stop: nothing,
  start: nothing,
  tearDown: nothing
})

/** Webhooks alone, after one reading of the whole list at the beginning. */
const webhooks = (): Transport => {
  let server: Server | undefined
  let port = 0
  let webhook: { readonly id: string; readonly secret?: string } | undefined

  const close = async () => {
    if (server === undefined) return
    server.close()
    server.closeAllConnections()
    await once(server, "close")
    server = undefined
  }

  const open = async (world: World) => {
    await close()
    server = makeReceiver({
      client: world.client,
      crm: world.crm,
      secret: webhook?.secret ?? `whsec_${Buffer.alloc(32).toString("base64")}`,
      exclusively: inTurn()
    })
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    port = (server.address() as AddressInfo).port
  }

  return {
    setUp: async (world) => {
      // Finds a free port, because the secret is only known after the webhook has a URL.
      await open(world)
      webhook = await world.client.webhooks.create({
        body: { url: `http://127.0.0.1:${port}/`, events: ["contact.*"] }
      })
      await open(world)
      await pullAll(world.client, world.crm)
    },
    // The service sends.
    pull: (world) => world.drain(),
    restart: open,
    stop: close,
    start: async (world, downSince) => {
      await open(world)
      if (!(await recover(world.client, webhook?.id ?? "", downSince))) await pullAll(world.client, world.crm)
      await world.drain()
    },
    tearDown: close
  }
}

/** Runs work one after the other. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <A>(work: () => Promise<A>): Promise<A> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

/** All of them. */
export const transports: Readonly<Record<string, () => Transport>> = { deltas, "the journal": journal, webhooks }
