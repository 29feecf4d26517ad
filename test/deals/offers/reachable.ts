/** Everything that a person of an investor's team can read, as bytes: by each operation, each tool of agents, and the command line. */
import * as Agent from "../../support/Agent.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { offerFilters } from "../../../src/deals/offers/Offer.ts"
import { allowLoopback, runToEnd } from "../../support/Admin.ts"
import { scratch } from "../../support/scratch.ts"
import { operations } from "../../support/Surface.ts"
import { type Reply, TestService } from "../../support/TestService.ts"

/** Whose team it is, and how its events are read. */
interface Reader {
  readonly token: string
  readonly email: string
  readonly team: string
  readonly events: Effect.Effect<unknown>
}

/** The ids of a broker's records and of another investor, by the segment of a path that comes before one. */
export type ForeignIds = { readonly [collection: string]: string }

const bytesOf = ({ headers, text }: Reply<unknown>) => `${JSON.stringify([...headers])}\n${text}`

// Of what the test has nothing.
const unknownIds: ForeignIds = {
  deliveries: "dlv_01kb3n7x2ferwt5z8q4j6m9d0c",
  tasks: "task_01kb3n7x2ferwt5z8q4j6m9d0c",
  webhooks: "webhook_01kb3n7x2ferwt5z8q4j6m9d0c"
}

/** A path with the ids of others. */
const withIds = (path: string, ids: ForeignIds) => {
  const segments = path.split("/")
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(":")) return segment
      const id = { ...unknownIds, ...ids }[segments[index - 1] ?? ""]
      if (id === undefined) throw new Error(`test/deals/offers/reachable.ts has no id of another team for ${path}`)
      return id
    })
    .join("/")
}

/** The arguments of tools that are references, by the collection of what they mean. */
const references: { readonly [argument: string]: string } = {
  contact: "contacts",
  contacts: "contacts",
  networkRef: "contacts",
  sellerContact: "contacts",
  company: "companies",
  companies: "companies",
  primaryCompany: "companies",
  property: "properties",
  properties: "properties",
  propertyRef: "properties",
  project: "projects",
  projectRef: "projects",
  prospect: "prospects",
  prospects: "prospects",
  prospectRef: "prospects",
  mandate: "mandates",
  offer: "offers",
  offerRef: "offers",
  room: "rooms",
  question: "questions",
  task: "tasks",
  activity: "notes"
}

interface ToolSchema {
  readonly name: string
  readonly inputSchema: {
    readonly properties?: { readonly [argument: string]: { readonly type?: unknown } }
    readonly required?: ReadonlyArray<string>
  }
}

/** Calls of a tool by each of its references and by all: to records of others, for the longest answer, and without effect. */
const callsOf = ({ inputSchema: { properties = {}, required = [] }, name: tool }: ToolSchema, ids: ForeignIds) => {
  const names = Object.keys(properties).filter((name) => references[name] !== undefined)
  const argumentsWith = (some: ReadonlyArray<string>) =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, { type }]): ReadonlyArray<[string, unknown]> => {
        const collection = references[name]
        const id = collection === undefined ? undefined : (ids[collection] ?? unknownIds[collection])
        if (name === "preview") return [[name, true]]
        if (name === "format") return [[name, "detailed"]]
        if (!some.includes(name) && !required.includes(name)) return []
        return [[name, type === "array" ? [id] : type === "object" ? {} : (id ?? "x")]]
      })
    )
  const choices = names.length < 2 ? [names] : [names, ...names.map((name) => [name])]
  return choices.map((some) => [tool, argumentsWith(some)] as const)
}

/** What a person can read. */
export const reachableBy = Effect.fnUntraced(function* (person: Reader) {
  const { request } = yield* TestService
  const { email, team, token } = person
  const agent = yield* Agent.make(token)
  const get = (path: string) => Effect.map(request("GET", path, { token }), bytesOf)
  const post = (path: string, json: unknown) => Effect.map(request("POST", path, { token, json }), bytesOf)

  /** One offer, with its timeline. */
  const offer = (id: string) =>
    Effect.map(
      Effect.all([get(`/api/v1/offers/${id}`), get(`/api/v1/offers/${id}/actions?include_archived=true`)]),
      (texts) => texts.join("\n")
    )

  /** What the team has, and what these paths answer. */
  const own = (paths: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const lists = operations.filter(
        ({ hasCaller, method, params }) => hasCaller && method === "GET" && params.length === 0
      )
      const texts = yield* Effect.forEach(
        [
          ...lists.map(({ path, query }) => `${path}${query.includes("page_size") ? "?page_size=500" : ""}`),
          ...offerFilters.map((filter) => `/api/v1/offers?page_size=500&filter=${filter}`),
          "/api/v1/changes?after=0&types=*&page_size=500",
          `/api/v1/teams/${team}`,
          `/api/v1/teams/${team}/members`,
          ...paths
        ],
        get
      )
      return [
        ...texts,
        yield* post("/api/v1/properties:search", {}),
        yield* post("/api/v1/network/contacts:search", {}),
        yield* post("/api/v1/network/companies:search", {}),
        yield* post("/api/v1/companies/find-duplicates", { name: "Berg" }),
        yield* post("/api/v1/mandates/search", { location: "Germany" }),
        // What webhooks of the team would be sent.
        JSON.stringify(yield* person.events)
      ]
    })

  /** What each operation answers to the ids of others: refusals. */
  const byIdsOfOthers = (ids: ForeignIds) =>
    Effect.forEach(
      operations.filter(({ hasCaller, params }) => hasCaller && params.length > 0),
      ({ hasBody, method, path }) =>
        Effect.map(
          request(method, withIds(path, ids), { token, ...(hasBody ? { json: { ids: Object.values(ids) } } : {}) }),
          (reply) => {
            assert.isAtLeast(reply.status, 400, `${method} ${path}: ${reply.text}`)
            return bytesOf(reply)
          }
        )
    )

  /** What each tool answers: about the team's own offers, and to references to records of others. */
  const byTools = (offers: ReadonlyArray<string>, ids: ForeignIds) =>
    Effect.gen(function* () {
      const { body, text } = yield* agent.send("tools/list")
      const tools = (body.result?.tools ?? []) as ReadonlyArray<unknown> as ReadonlyArray<ToolSchema>
      assert.isNotEmpty(tools)
      const calls: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
        ...tools.flatMap((tool) => callsOf(tool, ids)),
        ...offerFilters.map((filter) => ["list_offers", { filter, format: "detailed", limit: 100 }] as const),
        ...offers.flatMap((id) => [
          ["get_offer", { offer: id }] as const,
          ["list_activities", { offerRef: id, includeArchived: true, limit: 100, format: "detailed" }] as const
        ])
      ]
      const called = yield* Effect.forEach(calls, ([name, args]) => agent.send("tools/call", { name, arguments: args }))
      return [text, ...called.map(bytesOf)]
    })

  /** What commands answer in the name of the person, and the exports of the team. */
  const byCommands = (commands: ReadonlyArray<ReadonlyArray<string>>) =>
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(scratch, "property-network-reachable-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const run = (args: ReadonlyArray<string>) =>
        Effect.map(runToEnd([...args, "--json"], { ...allowLoopback, DATA_DIR: folder }), ({ err, out }) => out + err)
      const answers = yield* Effect.forEach(commands, (command) => run([...command, "--as", email]))
      const exported = yield* Effect.forEach(["contacts", "companies", "properties"], (kind) =>
        Effect.gen(function* () {
          const path = join(folder, `${kind}.ndjson`)
          const printed = yield* run(["export", kind, path, "--team", team])
          return `${printed}\n${yield* Effect.promise(() => readFile(path, "utf8"))}`
        })
      )
      return [...answers, ...exported]
    }).pipe(Effect.scoped)

  return { offer, own, byIdsOfOthers, byTools, byCommands }
})
