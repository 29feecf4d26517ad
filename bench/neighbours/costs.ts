/** `npm run bench:costs`: what the most expensive request of each operation costs. See bench/README.md. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Id from "../../src/core/Id.ts"
import type { Document } from "../../test/openapi/Validator.ts"
import { describedOf } from "../../test/fuzz/Campaign.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Contacts from "../data/contacts.ts"
import * as Deliveries from "../data/deliveries.ts"
import * as Offers from "../data/offers.ts"
import * as Properties from "../data/properties.ts"
import * as Prospects from "../data/prospects.ts"
import * as Rooms from "../data/rooms.ts"
import { count, duration, median, table } from "../Figures.ts"
import * as Machine from "../Machine.ts"
import * as Service from "../Service.ts"
import { type Expensive, type Ids, requestsOf } from "./expensive.ts"
import { make as populate, sizes, type Team } from "./Population.ts"
import { say } from "../Progress.ts"

const flags = {
  only: Flag.String("only").pipe(Flag.withDescription("Only operations whose id contains this"), Flag.optional),
  small: Flag.Boolean("small").pipe(
    Flag.withDescription("Only see that it works: little data, whose figures mean nothing and are not kept"),
    Flag.withDefault(false)
  )
}

/** A cost that is more than this is measured once, in milliseconds. */
const once = 2_000

const deadline = 30_000

interface Cost {
  readonly operation: string
  readonly what: string
  readonly status: number | "failed"
  readonly millis: number
  readonly databaseMillis: number
  /** For how long the process served nobody else, at most: once more than any of its turns, with what the collector took. */
  readonly heldMillis: number
  readonly statements: number
  readonly rows: number
  readonly sentBytes: number
  readonly answeredBytes: number
}

const uuidOf = (id: string) => Id.toUuid(id.slice(0, id.indexOf("_")) as "contact", id as `contact_${string}`)

/** Adds what only this measurement needs, and finds an id for each parameter of the paths. */
const idsOf = Effect.fnUntraced(function* (
  service: Service.Service,
  { clients, token, user, uuid }: Team,
  linked: { readonly deleted: string; readonly rehearsed: string },
  rows: number
) {
  const session = yield* Bulk.session(service.url)
  const { query } = session
  yield* say("  properties")
  yield* Bulk.fill(session, "properties", Effect.asVoid(Properties.add(session, uuid, user, rows)))
  yield* say("  prospects")
  yield* Contacts.createFunctions(session)
  let project = ""
  yield* Bulk.fill(
    session,
    "prospects",
    Effect.map(Prospects.add(session, { id: uuid, user }), (id) => {
      project = id
    })
  )
  yield* say("  tasks")
  yield* Bulk.fill(session, "tasks", Effect.asVoid(Properties.addTasks(session, uuid, user)))
  yield* say("  a room")
  const room = yield* Rooms.add(session, project, { documents: 2_000, questions: 5_000 })
  const post = async (path: string, body: object) =>
    String((await service.request("POST", path, token, body)).body["id"])
  // One with a teaser, which those that were inserted lack.
  const property = yield* Effect.promise(() =>
    post("/api/v1/properties", { name: "Turm", country: "DE", categories: ["office"] })
  )
  yield* say("  offers")
  yield* Bulk.fill(session, "offers", Offers.add(session, { count: rows, team: uuid, user }))
  yield* query("vacuum analyze")
  yield* query("checkpoint")

  const many = Effect.fnUntraced(function* (type: string, tableName: string) {
    const found = yield* query<{ id: string }>(
      `(select id from ${tableName} where team_id = $1 and deleted_at is null order by created_at, id limit 150)
       union all (select id from ${tableName} where team_id = $1 and deleted_at is null order by created_at desc, id desc limit 150)`,
      [uuid]
    )
    return found.map(({ id }) => Id.fromUuid(type as "contact", id) as string)
  })
  const types: Array<readonly [string, string]> = [
    ["contact", "contacts"],
    ["company", "companies"],
    ["link", "links"],
    ["property", "properties"],
    ["mandate", "mandates"],
    ["prospect", "prospects"],
    ["task", "tasks"],
    ["question", "questions"]
  ]
  const byType: Record<string, ReadonlyArray<string>> = {}
  for (const [type, tableName] of types) byType[type] = yield* many(type, tableName)
  const first = (type: string) => byType[type]?.[0] ?? ""
  const [offer] = yield* query<{ id: string }>(
    "select id from offers where team_id = $1 order by created_at, id limit 1",
    [uuid]
  )
  const projectId = Id.fromUuid("project", project)
  const [taskOf] = yield* query<{ prospect_id: string }>("select prospect_id from tasks where id = $1", [
    uuidOf(first("task"))
  ])
  const prospects = "/api/v1/projects/{projectId}/prospects/{id}"
  const prospect = Id.fromUuid("prospect", taskOf?.prospect_id ?? "")
  const notes: Record<string, string> = {}
  const noted = {
    "/api/v1/network/contacts/{id}": `/api/v1/network/contacts/${first("contact")}`,
    "/api/v1/network/companies/{id}": `/api/v1/network/companies/${linked.rehearsed}`,
    "/api/v1/properties/{id}": `/api/v1/properties/${property}`,
    "/api/v1/projects/{id}": `/api/v1/projects/${projectId}`,
    [prospects]: `/api/v1/projects/${projectId}/prospects/${prospect}`
  }
  for (const [path, target] of Object.entries(noted)) {
    notes[`${path}/notes/{noteId}`] = yield* Effect.promise(() => post(`${target}/notes`, { message: "Called" }))
  }
  const webhook = yield* Effect.promise(() =>
    post("/api/v1/webhooks", { url: "http://127.0.0.1:9/hook", events: ["contact.created"] })
  )
  yield* say("  deliveries")
  const delivery = yield* Deliveries.add(session, { count: rows, team: uuid, webhook: uuidOf(webhook) ?? "" })
  const [client] = clients
  if (client === undefined) return yield* Effect.die(new Error("The team has no client"))
  const file = yield* Effect.promise(async () => {
    const form = new FormData()
    form.set("file", new Blob(["x".repeat(5_000_000)], { type: "text/plain" }), "exposé.txt")
    const response = await fetch(`${service.origin}/api/v1/properties/${property}/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form
    })
    return String(((await response.json()) as { readonly id: unknown }).id)
  })
  const ids: Ids = {
    of: {
      ...notes,
      "/api/v1/teams/{id}": Id.fromUuid("team", uuid),
      "/api/v1/network/contacts/{id}": first("contact"),
      // With the most links that are deleted at once.
      "/api/v1/network/companies/{id}": linked.rehearsed,
      "/api/v1/network/links/{id}": first("link"),
      "/api/v1/properties/{id}": property,
      "/api/v1/mandates/{id}": first("mandate"),
      "/api/v1/projects/{id}": projectId,
      "/api/v1/projects/{projectId}": projectId,
      [prospects]: prospect,
      "/api/v1/prospects/{id}": prospect,
      [`${prospects}/tasks/{taskId}`]: first("task"),
      "/api/v1/projects/{projectId}/rooms/{roomId}": Id.fromUuid("room", room),
      "/api/v1/projects/{projectId}/rooms/{roomId}/questions/{questionId}": first("question"),
      "/api/v1/offers/{id}": Id.fromUuid("offer", offer?.id ?? ""),
      "/api/v1/webhooks/{id}": webhook,
      "/api/v1/webhooks/{id}/deliveries/{deliveryId}": Id.fromUuid("dlv", delivery),
      "/api/v1/files/{id}": file
    },
    many: { ...byType, project: [projectId], user: [Id.fromUuid("user", user)] },
    client
  }
  return ids
})

/** The interval at which the delay of the event loop is sampled, which each delay includes, in milliseconds. */
const samplingMillis = 10

/** Reads for how long the event loop was held at most since the last reading, in milliseconds, from the service's metrics. */
const readerOfHolds = (metrics: string) => async (): Promise<number> => {
  const text = await (await fetch(metrics)).text()
  const longest = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  if (longest === undefined) throw new Error(`${metrics} has no delay of the event loop`)
  return Math.max(0, Number(longest) * 1000 - samplingMillis)
}

const measureOne = async (
  service: Service.Service,
  token: string,
  held: () => Promise<number>,
  spent: () => Promise<{ readonly millis: number; readonly calls: number; readonly rows: number }>,
  operation: string,
  { body, headers, method, path, what }: Expensive
): Promise<Cost> => {
  const send = async () => {
    const begun = performance.now()
    try {
      const response = await fetch(`${service.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...headers },
        signal: AbortSignal.timeout(deadline),
        ...(body === undefined ? {} : { body })
      })
      const answer = await response.arrayBuffer()
      return { status: response.status, bytes: answer.byteLength, millis: performance.now() - begun }
    } catch {
      return { status: "failed" as const, bytes: 0, millis: performance.now() - begun }
    }
  }
  await held()
  const first = await send()
  const times = first.millis > once ? 0 : 3
  const before = await spent()
  const again = []
  for (let time = 0; time < times; time++) again.push(await send())
  const after = await spent()
  const runs = Math.max(times, 1)
  return {
    operation,
    what,
    status: first.status,
    millis: times === 0 ? first.millis : median(again.map(({ millis }) => millis)),
    heldMillis: await held(),
    databaseMillis: times === 0 ? Number.NaN : (after.millis - before.millis) / runs,
    statements: (after.calls - before.calls) / runs,
    rows: (after.rows - before.rows) / runs,
    sentBytes: body === undefined ? 0 : (await new Response(body).arrayBuffer()).byteLength,
    answeredBytes: first.bytes
  }
}

const markdown = (
  found: ReadonlyArray<Cost>,
  missing: ReadonlyArray<string>,
  rows: number,
  machine: Machine.Machine,
  commit: string
) =>
  [
    "# What the most expensive requests cost",
    "",
    `\`npm run bench:costs\`, at ${count(rows)} contacts, companies, links, properties, prospects and tasks of one team, on ${commit}, ${machine.processor}, ${machine.cores} cores. One request at a time; the median of three, or the first if it takes more than ${once / 1000} s. Writes are rehearsed (\`Prefer: dry-run\`) where they can be. *Event loop* is the longest time for which the process served nobody else, in all of its requests.`,
    "",
    ...table(
      [
        "operation",
        "request",
        "status",
        "time",
        "of it Postgres",
        "event loop",
        "statements",
        "rows",
        "sent",
        "answered"
      ],
      found
        .toSorted((a, b) => b.millis - a.millis)
        .map((cost) => [
          `\`${cost.operation}\``,
          cost.what,
          String(cost.status),
          duration(cost.millis),
          duration(cost.databaseMillis),
          duration(cost.heldMillis),
          cost.statements.toFixed(0),
          cost.rows.toFixed(0),
          `${count(Math.round(cost.sentBytes / 1024))} KB`,
          `${count(Math.round(cost.answeredBytes / 1024))} KB`
        ]),
      2
    ),
    "",
    `Not measured, for want of a record or of a body that repeats: ${missing.map((id) => `\`${id}\``).join(", ")}.`,
    ""
  ].join("\n")

const costs = Command.make("costs", flags, ({ only, small }) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-bench-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    const service = yield* Service.make(
      { DATA_DIR: folder, METRICS_PORT: "0" },
      { shared_preload_libraries: "pg_stat_statements" }
    )
    const size = small ? sizes.small : sizes.full
    const { large } = yield* populate(service.url, { ...size, fat: 1 }, (text) => say(`  ${text}`))
    const ids = yield* idsOf(service, large, large, size.rows)
    const { query } = yield* Bulk.session(Redacted.make(Redacted.value(service.url)))
    yield* query("create extension pg_stat_statements")
    const spent = () =>
      Effect.runPromise(
        Effect.map(
          query<{ millis: number; calls: number; rows: number }>(
            `select sum(total_exec_time)::float8 as millis, sum(calls)::float8 as calls, sum(rows)::float8 as rows
             from pg_stat_statements where query not like '%pg_stat_statements%'`
          ),
          ([one]) => one ?? { millis: 0, calls: 0, rows: 0 }
        )
      )
    const [, metrics = ""] = yield* service.api.ready(/Metrics are served at (http:[^\s"]+\/metrics)/)
    const held = readerOfHolds(metrics)
    const document = (yield* Effect.promise(
      async () => await (await fetch(`${service.origin}/openapi.json`)).json()
    )) as Document
    const operations = describedOf(document).filter(({ id }) => Option.isNone(only) || id.includes(only.value))
    const found: Array<Cost> = []
    const missing: Array<string> = []
    for (const operation of operations) {
      const requests = requestsOf(operation, ids)
      if (requests.length === 0) missing.push(operation.id)
      for (const request of requests) {
        const cost = yield* Effect.promise(() => measureOne(service, large.token, held, spent, operation.id, request))
        found.push(cost)
        yield* say(
          `${operation.id} ${request.what}: ${cost.status}, ${duration(cost.millis)}, of it Postgres ${duration(cost.databaseMillis)}, event loop ${duration(cost.heldMillis)}`
        )
      }
    }
    const [machine, commit] = yield* Effect.promise(() => Promise.all([Machine.describe(), Machine.commit()]))
    const written = markdown(found, missing, size.rows, machine, commit)
    if (!small && Option.isNone(only)) {
      yield* Effect.promise(() => writeFile(join(import.meta.dirname, "costs.md"), written))
    }
    yield* Console.log(written)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Measures the most expensive request of each operation"))

NodeRuntime.runMain(Command.run(costs, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
