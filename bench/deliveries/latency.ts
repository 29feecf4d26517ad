/** `latency`: the time from a commit to its event at the receiver, on an idle system. See bench/README.md. */
import { Effect } from "effect"
import { createServer } from "node:http"
import { Pool } from "undici"
import * as Id from "../../src/core/Id.ts"
import { Database } from "../../src/platform/db/Database.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import { quantile } from "../Report.ts"
import type { Line, Measurement, Options } from "../Measurement.ts"
import * as Service from "../Service.ts"

const settingsOf = ({ quick }: Options) => (quick ? { changes: 20, unheeded: 5 } : { changes: 300, unheeded: 20 })

// The mean time between two changes, and the maximum jitter, in milliseconds.
const every = 200
const jitter = 50

const path = "/api/v1/network/contacts"

/** The arrival of an event: by the clock of this process, and by that of the host, which the database uses, rounded up. */
interface Arrival {
  readonly at: number
  readonly wallAt: number
}

/** A receiver in this process, so that it uses the same clock as the client. */
const receive = Effect.gen(function* () {
  const arrivals = new Map<string, Arrival>()
  const server = createServer((request, response) => {
    const arrival = { at: performance.now(), wallAt: Date.now() + 1 }
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.once("end", () => {
      response.writeHead(204).end()
      const { resource_id: id } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly resource_id: string }
      if (!arrivals.has(id)) arrivals.set(id, arrival)
    })
  })
  const port = yield* Service.listen(server)
  return { url: `http://127.0.0.1:${port}/in`, arrivals }
})

/** A created contact, with the times of the request and of the response. */
interface Created {
  readonly id: string
  readonly sentAt: number
  readonly answeredAt: number
}

const create = async (pool: Pool, token: string, number: number): Promise<Created> => {
  const sentAt = performance.now()
  const response = await pool.request({
    method: "POST",
    path,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      firstName: "Maria",
      lastName: `Rossi ${number}`,
      email: `maria.${number}@example.com`,
      tags: ["logistics"]
    })
  })
  const answeredAt = performance.now()
  const text = await response.body.text()
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`)
  return { id: String((JSON.parse(text) as { readonly id: string }).id), sentAt, answeredAt }
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const createAll = async (pool: Pool, token: string, changes: number): Promise<ReadonlyArray<Created>> => {
  const all: Array<Promise<Created>> = []
  const begun = performance.now()
  for (let number = 0; number < changes; number++) {
    // With jitter, to be out of step with periodic work.
    const wait = begun + number * every + jitter * (2 * Math.random() - 1) - performance.now()
    if (wait > 0) await pause(wait)
    all.push(create(pool, token, number))
  }
  return Promise.all(all)
}

const millis = (value: number) => `${value.toFixed(1)} ms`

const quantilesOf = (values: ReadonlyArray<number>): { readonly [share: string]: number } =>
  Object.fromEntries([0.5, 0.9, 0.99, 1].map((share) => [share, Number(quantile(values, share).toFixed(2))]))

/** The commit times of contacts, by the clock of the host, just before the commit waits for the disk. */
const committedAt = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const sql = yield* Database
  const rows = yield* sql<{ id: string; at: number }>`
    select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at
    from contacts where id = any(${ids.flatMap((id) => Id.toUuid("contact", id) ?? [])}::uuid[])`
  return new Map(rows.map(({ at, id }) => [Id.fromUuid("contact", id) as string, at]))
})

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const { changes, unheeded } = settingsOf(options)
  const { token } = yield* Tenant.make()
  const { arrivals, url } = yield* receive
  yield* Effect.promise(() =>
    service.request("POST", "/api/v1/webhooks", token, { url, events: ["contact.created"], name: "one" })
  )
  yield* service.worker
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(service.origin, { connections: 4, pipelining: 1 })),
    (open) => Effect.promise(() => open.close())
  )
  const created = yield* Effect.promise(() => createAll(pool, token, unheeded + changes))
  yield* Effect.repeat(
    Effect.delay(
      Effect.sync(() => created.every(({ id }) => arrivals.has(id))),
      "50 millis"
    ),
    {
      until: (all) => all
    }
  ).pipe(Effect.timeout("30 seconds"))

  const counted = created.slice(unheeded)
  const committed = yield* committedAt(counted.map(({ id }) => id))
  const since = (from: (one: Created) => number | undefined, by: keyof Arrival) =>
    counted.map((one) => (arrivals.get(one.id)?.[by] ?? Number.NaN) - (from(one) ?? Number.NaN))
  const sinceCommit = since(({ id }) => committed.get(id), "wallAt")
  const details = {
    sinceCommit: quantilesOf(sinceCommit),
    sinceAnswer: quantilesOf(since(({ answeredAt }) => answeredAt, "at")),
    sinceRequest: quantilesOf(since(({ sentAt }) => sentAt, "at")),
    requests: quantilesOf(counted.map(({ answeredAt, sentAt }) => answeredAt - sentAt))
  }
  const line = (share: number, name: string, most: number): Line => ({
    name: `latency-${name}`,
    work: `from the commit of a contact to its event at the receiver, idle, one every ${every} ms: ${name}`,
    ours: `${millis(quantile(sinceCommit, share))}; since the answer ${millis(details.sinceAnswer[share] ?? Number.NaN)}, since the request ${millis(
      details.sinceRequest[share] ?? Number.NaN
    )}`,
    value: { amount: Number(quantile(sinceCommit, share).toFixed(2)), unit: "ms" },
    target: { most },
    details
  })
  return { lines: [line(0.5, "p50", 10), line(0.99, "p99", 50)] }
})

/** The time from a commit to its event at the receiver, on an idle system. */
export const latency: Measurement = {
  name: "latency",
  summary: "how soon an event is at its receiver after the commit, on an idle system",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make({}, { track_commit_timestamp: "on" })
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
