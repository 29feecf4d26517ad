/** What the measurements of deployments share: a database, teams with receivers, and the accounts of events. */
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"
import * as Programs from "../Programs.ts"
import { listen, folder } from "../Service.ts"
import * as Ledger from "../deliveries/Ledger.ts"
import * as Subscribers from "../deliveries/Subscribers.ts"

/** A port of the loopback that nobody listens on now. */
export const freePort = Effect.scoped(Effect.suspend(() => listen(createServer())))

/** A Postgres that is as durable as an operator's. */
export const postgres = Effect.gen(function* () {
  const { url } = yield* EmbeddedPostgres.start({ dataDir: yield* folder })
  return url
})

/** The environment of the service's processes on a database. */
export const environmentOf = (url: string): Readonly<Record<string, string>> => ({
  DATABASE_URL: url,
  SECRET_KEY: randomBytes(32).toString("base64"),
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  RATE_LIMIT_PAT: "1000000",
  DRAIN_SECONDS: "5"
})

/** An API process. */
export interface Api {
  readonly program: Programs.Program
  readonly url: string
}

/** Starts an API process on a port, and waits until it listens. */
export const startApi = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  port: number,
  options: Programs.Options = {}
) {
  const program = yield* Programs.start("src/server.ts", { ...environment, PORT: String(port) }, options)
  const [, actual] = yield* program.ready(/listens on port (\d+)/)
  const api: Api = { program, url: `http://127.0.0.1:${actual}` }
  return api
})

/** Starts a worker, and waits until it is ready. */
export const startWorker = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  options: Programs.Options = {}
) {
  const program = yield* Programs.start("workers/main.ts", environment, options)
  yield* program.ready(/The worker is ready/)
  return program
})

/** Sends a request, and fails unless it succeeds. */
export const requestTo = (base: string) => async (method: string, path: string, token: string, body?: unknown) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) }
}

/** Teams, each with a receiver of all events of its contacts. */
export const teams = Effect.fnUntraced(function* (count: number, base: string) {
  const service = { request: requestTo(base) } as Parameters<typeof Subscribers.subscribe>[0]
  return yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.gen(function* () {
      const team = yield* Subscribers.team
      const events = ["contact.created", "contact.updated", "contact.deleted"] as const
      const subscriber = yield* Subscribers.subscribe(service, team, { kind: "healthy", events })
      return { team, subscriber }
    })
  )
})

type Subscribed = Effect.Success<ReturnType<typeof teams>>

/** Waits until all deliveries have ended, for at most so many seconds. */
export const untilDelivered = Effect.fnUntraced(function* (subscribed: Subscribed, seconds: number) {
  const ids = subscribed.map(({ subscriber }) => subscriber.uuid)
  const end = Date.now() + seconds * 1000
  for (;;) {
    const { claimed, fanOuts, waiting } = yield* Ledger.open(ids)
    if (claimed + fanOuts + waiting === 0 || Date.now() > end) return claimed + fanOuts + waiting
    yield* Effect.sleep("250 millis")
  }
})

/** The events, and what is wrong with them: not delivered to all, not received, or missing for a contact that was created. */
export const accountsOf = Effect.fnUntraced(function* (subscribed: Subscribed, created: ReadonlyArray<string>) {
  const events = yield* Ledger.events
  const fanOut = yield* Ledger.fanOut
  const rows = yield* Effect.forEach(subscribed, ({ subscriber }) =>
    Effect.map(Ledger.deliveriesOf(subscriber.uuid), (deliveries) => {
      const received = new Set(subscriber.receiver.received.map(({ messageId }) => messageId))
      return {
        delivered: deliveries.filter(({ status }) => status === "delivered").length,
        visible: deliveries.filter(({ status }) => status === "failed" || status === "exhausted").length,
        open: deliveries.filter(({ status }) => status === "pending").length,
        unreceived: deliveries.filter(({ messageId, status }) => status === "delivered" && !received.has(messageId))
          .length,
        forged: subscriber.receiver.forgeries()
      }
    })
  )
  const sum = (name: keyof (typeof rows)[number]) => rows.reduce((total, row) => total + row[name], 0)
  const announced = new Set(events.filter(({ type }) => type === "contact.created").map(({ resourceId }) => resourceId))
  return {
    /** The deliveries that the webhooks want: one for each event, of those that they subscribe to. */
    events: fanOut.wanted,
    delivered: sum("delivered"),
    visible: sum("visible"),
    faults: [
      [fanOut.missing, "deliveries were never made"],
      [fanOut.surplus, "deliveries are of events that nobody wants"],
      [sum("open"), "deliveries have not ended"],
      [sum("unreceived"), "deliveries are said to have arrived and have not"],
      [sum("forged"), "deliveries had a wrong signature"],
      [created.filter((id) => !announced.has(id)).length, "contacts were created without an event"]
    ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}.`]))
  }
})

/** The database of an installation, for queries of the measurement itself. */
export const redacted = (url: string) => Redacted.make(url)
