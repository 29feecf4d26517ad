/** `agents`: what a tool's call costs beside the REST request that does the same. See bench/README.md. */
import { Effect } from "effect"
import * as Id from "../src/core/Id.ts"
import { Database } from "../src/platform/db/Database.ts"
import { type Asked, asking, cpuOf, figureOf, millisOf } from "./Asking.ts"
import * as Teams from "./data/teams.ts"
import { interleave, type Line, type Measurement, type Options, paceOf, ratioOf } from "./Measurement.ts"
import * as Service from "./Service.ts"

const path = "/api/v1/network/contacts"

/** A task as a tool's call and as a REST request, on the contact with this id. */
interface Task {
  readonly name: string
  readonly work: string
  readonly call: (id: string, number: number) => { readonly name: string; readonly arguments: object }
  readonly request: (id: string, number: number) => Pick<Asked, "method" | "path"> & { readonly body?: object }
  /** What the answer has as often as it has records. */
  readonly record: RegExp
  readonly records: number
}

const tasks: ReadonlyArray<Task> = [
  {
    name: "get",
    work: "one contact by its id",
    call: (contact) => ({ name: "get_contact", arguments: { contact } }),
    request: (id) => ({ method: "GET", path: `${path}/${id}` }),
    record: /"lastName\\?":/g,
    records: 1
  },
  {
    name: "list",
    work: "a page of 20 contacts",
    call: () => ({ name: "list_contacts", arguments: { limit: 20 } }),
    request: () => ({ method: "GET", path: `${path}?page_size=20` }),
    record: /"id\\?":\\?"contact_/g,
    records: 20
  },
  {
    name: "update",
    work: "an update of one member",
    call: (contact, number) => ({ name: "update_contact", arguments: { contact, phone: `+49 30 ${number}` } }),
    request: (id, number) => ({ method: "PATCH", path: `${path}/${id}`, body: { phone: `+49 30 ${number}` } }),
    record: /"lastName\\?":/g,
    records: 1
  }
]

// The client has shaken hands before; the service keeps nothing of that.
const callHeaders = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "mcp-protocol-version": "2025-11-25"
}

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const [team] = yield* Teams.withContacts({ url: service.url, rows: [options.quick ? 400 : 10_000] })
  const sql = yield* Database
  const rows = yield* sql<{ id: string }>`
    select id from contacts where team_id = ${team?.uuid ?? ""} order by created_at, id limit 1000`
  const ids = rows.map(({ id }) => Id.fromUuid("contact", id))
  const authorization = `Bearer ${team?.tokens[0] ?? ""}`
  const server = { url: service.origin, pid: service.api.pid }
  let number = 1_000_000
  const contestant = ({ record, records }: Task, make: (id: string) => Omit<Asked, "headers">, headers: object) => {
    const next = () => {
      number += 1
      return { ...make(ids[(number * 7919) % ids.length] ?? ""), headers: { authorization, ...headers } }
    }
    return asking(server, next, (content) => {
      const text = content.toString()
      // A tool's answer has its records twice: as members, and as text.
      const found = text.match(record)?.length
      return found === records || found === 2 * records ? undefined : `There are not ${records} records in ${text}`
    })
  }
  const lines: Array<Line> = []
  for (const task of tasks) {
    const { call, name, request, work } = task
    const turns = yield* interleave(
      {
        tool: contestant(
          task,
          (id) => ({
            method: "POST",
            path: "/mcp",
            body: JSON.stringify({ jsonrpc: "2.0", id: number, method: "tools/call", params: call(id, number) })
          }),
          callHeaders
        ),
        rest: contestant(
          task,
          (id) => {
            const { body, ...line } = request(id, number)
            return body === undefined ? line : { ...line, body: JSON.stringify(body) }
          },
          { "content-type": "application/json" }
        )
      },
      paceOf(options)
    )
    lines.push({
      name: `agents-${name}`,
      work: `a tool's call for ${work}, one at a time`,
      beside: "the REST request",
      ours: figureOf(turns.tool),
      theirs: figureOf(turns.rest),
      ratio: ratioOf(millisOf(turns.tool), millisOf(turns.rest)),
      target: { most: 1.25 },
      details: { cpuMillis: cpuOf(turns.tool), cpuMillisOfRest: cpuOf(turns.rest) }
    })
  }
  return { lines }
})

/** Calls of tools beside their REST requests, in turns. */
export const agents: Measurement = {
  name: "agents",
  summary: "What an agent's call of a tool costs, beside the REST request that does the same",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make()
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
