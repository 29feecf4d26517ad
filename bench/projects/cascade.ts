/**
 * `npm run bench:cascade`: deletes and restores a project with many prospects. Measures statements and seconds, and checks that
 * every event reaches a subscriber. See bench/README.md.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"
import { Database } from "../../src/platform/db/Database.ts"
import * as Counting from "../Counting.ts"
import { count, table } from "../Figures.ts"
import * as Service from "../Service.ts"
import * as Ledger from "../webhooks/Ledger.ts"
import * as Subscribers from "../webhooks/Subscribers.ts"
import { say } from "../Progress.ts"

const flags = {
  prospects: Flag.Int("prospects").pipe(
    Flag.withDescription("How many prospects, each with a reference"),
    Flag.withDefault(10_000)
  ),
  patience: Flag.Int("patience").pipe(
    Flag.withDescription("Seconds in which the events of a request must have arrived"),
    Flag.withDefault(600)
  )
}

type Options = { readonly [Name in keyof typeof flags]: number }

const batchSize = 100

const sizesOf = (total: number): ReadonlyArray<number> =>
  Array.from({ length: Math.ceil(total / batchSize) }, (_, index) => Math.min(batchSize, total - index * batchSize))

/** Creates a project with a number of prospects. Returns its id. */
const fill = Effect.fnUntraced(function* (service: Service.Service, token: string, prospects: number) {
  const post = (path: string, body: object) => Effect.promise(() => service.request("POST", path, token, body))
  const id = String((yield* post("/api/v1/projects", { name: "Quartier" })).body["id"])
  let added = 0
  for (const size of sizesOf(prospects)) {
    const numbers = Array.from({ length: size }, (_, index) => added + index)
    const contacts = yield* post("/api/v1/network/contacts/batch/upsert", {
      items: numbers.map((number) => ({ firstName: `Anna ${number}`, email: `anna${number}@example.com` }))
    })
    const results = contacts.body["results"] as ReadonlyArray<{ readonly id: string }>
    const placed = yield* post(`/api/v1/projects/${id}/prospects/batch`, {
      items: results.map((contact, index) => ({
        contactId: contact.id,
        externalRefs: [{ namespace: "crm", externalId: String(numbers[index]) }]
      }))
    })
    const receipts = placed.body["results"] as ReadonlyArray<{ readonly status: string }>
    if (receipts.some(({ status }) => status !== "created")) throw new Error(JSON.stringify(receipts))
    added += size
  }
  return id
})

/** The steps of deletions that are still to come. */
const openSteps = Effect.flatMap(Database, (sql) =>
  Effect.map(
    sql<{ readonly count: number }>`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'projects/deletion'`,
    ([row]) => row?.count ?? 0
  )
)

/** Waits until the webhook has no open deliveries, and no deletion goes on. */
const untilClosed = Effect.fnUntraced(function* (webhook: string, seconds: number) {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const open = yield* Ledger.open([webhook])
    const steps = yield* openSteps
    if (steps + open.waiting + open.claimed + open.fanOuts === 0 || Date.now() > end) return
    yield* Effect.sleep("500 millis")
  }
})

/** The message ids of a team's events, by event type. */
const messagesOf = Effect.fnUntraced(function* (teamId: string, types: ReadonlyArray<string>) {
  const sql = yield* Database
  return yield* sql<{ readonly messageId: string; readonly type: string }>`
    select message_id as "messageId", type from events where team_id = ${teamId} and type = any(${types}::text[])`
})

const wanted = ["prospect.deleted", "prospect.updated", "project.deleted", "project.restored"] as const

const measure = Effect.fnUntraced(function* (service: Service.Service, secretKey: Uint8Array, options: Options) {
  const team = yield* Subscribers.team
  const { receiver, uuid } = yield* Subscribers.subscribe(service, team, { kind: "healthy", events: wanted })
  const worker = yield* service.worker
  const ask = yield* Counting.make(service.url, secretKey)
  yield* say(`${options.prospects} prospects are added`)
  const id = yield* fill(service, team.token, options.prospects)
  // The new rows have no statistics yet.
  const sql = yield* Database
  yield* sql`vacuum analyze`

  const rows: Array<ReadonlyArray<string | number>> = []
  const faults: Array<string> = []
  const run = Effect.fnUntraced(function* (name: string, method: string, path: string, expected: number) {
    const known = new Set((yield* messagesOf(team.id, wanted)).map(({ messageId }) => messageId))
    yield* say(`${name} begins`)
    const { seconds, statements } = yield* ask(method, path, team.token)
    const began = Date.now()
    yield* untilClosed(uuid, options.patience)
    const events = (yield* messagesOf(team.id, wanted)).filter(({ messageId }) => !known.has(messageId))
    const times = new Map<string, number>()
    for (const { messageId } of receiver.received) times.set(messageId, (times.get(messageId) ?? 0) + 1)
    const missing = events.filter(({ messageId }) => !times.has(messageId)).length
    const again = events.filter(({ messageId }) => (times.get(messageId) ?? 0) > 1).length
    if (events.length !== expected) faults.push(`${name}: ${events.length} events, not ${expected}`)
    if (missing > 0) faults.push(`${name}: ${missing} events did not arrive`)
    rows.push([
      name,
      statements,
      seconds.toFixed(2),
      events.length,
      events.length - missing,
      again,
      ((Date.now() - began) / 1000).toFixed(0)
    ])
  })
  yield* run("Deletion", "DELETE", `/api/v1/projects/${id}`, options.prospects + 1)
  yield* run("Restore", "POST", `/api/v1/projects/${id}/restore`, 1)
  const { body } = yield* Effect.promise(() =>
    service.request("GET", `/api/v1/projects/${id}/prospects?external_ref=crm:${options.prospects - 1}`, team.token)
  )
  if ((body["data"] as ReadonlyArray<unknown>).length !== 1)
    faults.push("The last prospect did not come back with its reference")
  if (receiver.forgeries() > 0) faults.push(`${receiver.forgeries()} requests had a signature that does not hold`)

  yield* Console.log(
    [
      `## A project of ${count(options.prospects)} prospects`,
      "",
      ...table(
        ["Request", "Statements", "Seconds", "Events", "Arrived", "More than once", "Seconds until all had arrived"],
        rows
      )
    ].join("\n")
  )
  for (const line of [...worker.complaints, ...service.api.complaints]) yield* Console.error(line)
  for (const fault of faults) yield* Console.error(fault)
  if (faults.length > 0) return yield* Effect.fail(new Error("Not all is as it must be"))
})

const cascade = Command.make("cascade", flags, (options) =>
  Effect.scoped(
    Effect.gen(function* () {
      const secretKey = new Uint8Array(randomBytes(32))
      const service = yield* Service.make({ SECRET_KEY: Buffer.from(secretKey).toString("base64") })
      yield* measure(service, secretKey, options).pipe(
        Effect.provide(
          Layer.merge(
            Database.layer({ url: service.url, applicationName: "property-network bench" }),
            SecureRandom.layerWebCrypto
          )
        )
      )
    })
  )
).pipe(Command.withDescription("Delete and restore a project of many prospects, and account for its events"))

NodeRuntime.runMain(Command.run(cascade, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
