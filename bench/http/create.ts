/** `create`: a new contact, with its references, timeline, event, job and idempotency key, in one transaction. */
import { Effect } from "effect"
import type { Measurement } from "../Measurement.ts"
import { compare } from "./Comparison.ts"
import { path, Setup } from "./Setup.ts"

const body = JSON.stringify({
  firstName: "Maria",
  lastName: "Rossi",
  email: "maria.rossi.UNIQUE@example.com",
  phone: "+39 02 5550199",
  primaryLanguage: "it-IT",
  tags: ["logistics", "core-plus"],
  strategy: "Core-plus offices in the big seven, 20 to 80 million a lot, with indexed leases of five years and more.",
  linkedInUrl: "https://www.linkedin.com/in/maria-rossi",
  externalRefs: [{ namespace: "hubspot", externalId: "UNIQUE" }]
})

/** The numbers of rows in the tables that a create writes. */
const rows = Effect.gen(function* () {
  const { sql } = yield* Setup
  const [counted] = yield* sql<{ readonly [table: string]: number }>`
    select (select count(*)::int from contacts) as contacts,
      (select count(*)::int from external_references) as external_references,
      (select count(*)::int from actions) as actions,
      (select count(*)::int from action_subjects) as action_subjects,
      (select count(*)::int from events) as events,
      (select count(*)::int from fan_outs) as fan_outs,
      (select count(*)::int from graphile_worker.jobs) as jobs,
      (select count(*)::int from idempotency_keys) as idempotency_keys`
  return counted ?? {}
})

const generated = new Set(["id", "createdUtc", "updatedUtc"])

/** Dies unless all servers respond equally to a create, write the same numbers of rows, and repeat the response. */
const check = Effect.gen(function* () {
  const { request, servers } = yield* Setup
  const said: Array<string> = []
  for (const [name, server] of Object.entries(servers)) {
    const unique = `check-${name}`
    const before = yield* rows
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": unique },
      body: body.replaceAll("UNIQUE", unique)
    }
    const reply = yield* request(server, path, init)
    const again = yield* request(server, path, init)
    const after = yield* rows
    const found = JSON.parse(reply.text) as { readonly [member: string]: unknown }
    const replayed = again.headers.get("idempotency-replayed") === "true" && again.text === reply.text
    const read = yield* request(servers.ours, `${path}/${String(found["id"])}`)
    const members = JSON.stringify(found, (member, value: unknown) => (generated.has(member) ? "" : value))
    said.push(
      JSON.stringify({
        status: reply.status,
        members: members.replaceAll(unique, ""),
        location: reply.headers.get("location") === `${path}/${String(found["id"])}`,
        etag: reply.headers.get("etag"),
        replayed,
        readAsAnswered: read.text === reply.text,
        rows: Object.keys(after).map((table) => `${table} +${(after[table] ?? 0) - (before[table] ?? 0)}`)
      })
    )
  }
  const [ours] = said
  if (said.some((other) => other !== ours) || ours?.includes('"replayed":true,"readAsAnswered":true') !== true) {
    return yield* Effect.die(new Error(`The peers do not create as we do:\n${said.join("\n")}`))
  }
})

/** Creates, compared with the peers. */
export const create: Measurement<Setup> = {
  name: "create",
  summary: "POST of a contact with an idempotency key, beside the same by hand",
  run: Effect.fnUntraced(function* (options) {
    const {
      contacts: { tokens }
    } = yield* Setup
    yield* check
    const line = yield* compare({
      ...options,
      requests: { kind: "post", path, body, token: tokens },
      expected: 201,
      line: {
        name: "create",
        work: "POST a contact: row, reference, timeline, event, job and idempotency key in one transaction",
        target: { least: 1.2 }
      }
    })
    return { lines: [line] }
  })
}
