/** The comparison: reads, lists and creates of our API, beside its two peers under the same load. */
import { Effect, Struct } from "effect"
import { type Line, type Options, interleave, paceOf, ratioOf, type Measurement } from "../Measurement.ts"
import { parentOf, secondsOf, secondsOfAll } from "../Programs.ts"
import { count, median } from "../Report.ts"
import type { Report, Requests } from "./Loads.ts"
import { type Server, Setup, path } from "./Setup.ts"

/** The report of a load, with the processor time in seconds: of the server, if it is known, and of Postgres. */
interface Turn extends Report {
  readonly cpu: number | undefined
  readonly postgres: number
}

const ratesOf = (turns: ReadonlyArray<Turn>) => turns.map(({ rate }) => rate)

const perSecond = (turns: ReadonlyArray<Turn>): string => `${count(Math.round(median(ratesOf(turns))))} /s`

const sum = (values: ReadonlyArray<number>) => values.reduce((all, value) => all + value, 0)

/** The figures of the rounds, for the stored results. */
const detailsOf = (turns: ReadonlyArray<Turn>) => ({
  ...(turns.every(({ cpu }) => cpu !== undefined)
    ? {
        cpuMicrosPerRequest: Math.round(
          (1e6 * sum(turns.map(({ cpu }) => cpu ?? 0))) / sum(turns.map(({ answers }) => answers))
        )
      }
    : {}),
  postgresMicrosPerRequest: Math.round(
    (1e6 * sum(turns.map(({ postgres }) => postgres))) / sum(turns.map(({ answers }) => answers))
  ),
  perSecond: ratesOf(turns).map(Math.round),
  p50Millis: median(turns.map(({ p50 }) => p50)),
  p99Millis: median(turns.map(({ p99 }) => p99))
})

/** Something that sends a load to a server for some seconds. */
const contestantOf = Effect.fnUntraced(function* (order: {
  readonly requests: Requests
  readonly expected: number
  readonly connections?: number
}) {
  const { load, sql } = yield* Setup
  const [session] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
  const postmaster = parentOf(session?.pid ?? 0)
  return (server: Server) => (seconds: number) =>
    Effect.gen(function* () {
      const [before, postgres] = [secondsOf(server.pid), secondsOfAll(postmaster)]
      const report = yield* load({ url: server.url, seconds, ...order })
      const after = secondsOf(server.pid)
      const turn: Turn = {
        ...report,
        cpu: before === undefined || after === undefined ? undefined : after - before,
        postgres: secondsOfAll(postmaster) - postgres
      }
      return turn
    })
})

/** Runs the load on ours and on a lean service, in interleaved rounds. */
const compareLean = Effect.fnUntraced(function* (
  options: Options & {
    readonly requests: Requests
    readonly expected: number
    readonly connections?: number
    readonly line: Pick<Line, "name" | "work" | "target">
  }
) {
  const { servers } = yield* Setup
  const { connections, expected, requests } = options
  const contestant = yield* contestantOf({
    requests,
    expected,
    ...(connections === undefined ? {} : { connections })
  })
  const { lean, ours } = yield* interleave(
    { ours: contestant(servers.ours), lean: contestant(servers.lean) },
    paceOf(options)
  )
  const result: Line = {
    ...options.line,
    beside: "by hand, lean: no limits, no events, no duplicates, no idempotency",
    ours: perSecond(ours),
    theirs: perSecond(lean),
    ratio: ratioOf(ratesOf(ours), ratesOf(lean)),
    details: { ours: detailsOf(ours), lean: detailsOf(lean) }
  }
  return result
})

/** Runs the load on all three, in interleaved rounds. */
const compare = Effect.fnUntraced(function* (
  options: Options & {
    readonly requests: Requests
    readonly expected: number
    readonly line: Pick<Line, "name" | "work" | "target">
  }
) {
  const { servers } = yield* Setup
  const { expected, line, requests } = options
  const contestant = yield* contestantOf({ requests, expected })
  const { ours, shortcut, strict } = yield* interleave(
    {
      ours: contestant(servers.ours),
      strict: contestant(servers.strict),
      shortcut: contestant(servers.shortcut)
    },
    paceOf(options)
  )
  const result: Line = {
    ...line,
    beside: "by hand, Fastify and pg",
    ours: perSecond(ours),
    theirs: perSecond(strict),
    ratio: ratioOf(ratesOf(ours), ratesOf(strict)),
    shortcut: ratioOf(ratesOf(ours), ratesOf(shortcut)),
    details: { ours: detailsOf(ours), strict: detailsOf(strict), shortcut: detailsOf(shortcut) }
  }
  return result
})

// Our cursors and the last page also carry how far the reader has seen the list, which the peers do not track.
const withoutPosition = (text: string | undefined) =>
  text
    ?.replace(/"nextCursor":"[^"]+"/, '"nextCursor":"…"')
    .replace(/"nextSince":"[^"]+"/, '"nextSince":null')
    .replace(/cursor=[\w-]+/, "cursor=…")

/** Dies unless our API and its peers respond equally: same status, same bytes but for positions, same ETag. */
const sameAnswers = Effect.fnUntraced(function* (target: string, init: RequestInit = {}) {
  const { request, servers } = yield* Setup
  const ours = yield* request(servers.ours, target, init)
  for (const way of ["strict", "shortcut"] as const) {
    const theirs = yield* request(servers[way], target, init)
    const link = (reply: typeof ours, { url }: Server) =>
      withoutPosition(reply.headers.get("link")?.replaceAll(url, ""))
    const same =
      ours.status === theirs.status &&
      withoutPosition(ours.text) === withoutPosition(theirs.text) &&
      ours.headers.get("etag") === theirs.headers.get("etag") &&
      link(ours, servers.ours) === link(theirs, servers[way])
    if (!same) {
      return yield* Effect.die(
        new Error(
          `${way} does not answer ${target} as we do:\n${ours.status} ${ours.text}\n${theirs.status} ${theirs.text}`
        )
      )
    }
  }
  return ours
})

/** Some of the values, at even distances. */
const sample = <A>(values: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
  const step = Math.max(1, Math.floor(values.length / most))
  return values.filter((_, index) => index % step === 0).slice(0, most)
}

/** How many different contacts are requested. */
const different = 1000

const compared = 20

/** Requests for contacts by id, of all users in turn. */
const requestsFor = (
  { ids, tokens }: { readonly ids: ReadonlyArray<string>; readonly tokens: ReadonlyArray<string> },
  headers: { readonly [name: string]: string } = {}
) => ({
  kind: "get" as const,
  requests: sample(ids, different).map((id, index) => ({
    path: `${path}/${id}`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, ...headers }
  }))
})

/** `read`. */
export const read: Measurement<Setup> = {
  name: "read",
  summary: "GET of one contact, beside the same by hand",
  run: Effect.fnUntraced(function* (options) {
    const { contacts } = yield* Setup
    for (const id of sample(contacts.ids, compared)) yield* sameAnswers(`${path}/${id}`)
    const line = yield* compare({
      ...options,
      requests: requestsFor(contacts),
      expected: 200,
      line: { name: "read", work: "GET one contact by id, 32 connections", target: { least: 1.3 } }
    })
    const lean = yield* compareLean({
      ...options,
      requests: requestsFor(contacts),
      expected: 200,
      line: { name: "read-lean", work: "the same", target: { least: 1.2 } }
    })
    return { lines: [line, lean] }
  })
}

/** `read-304`. */
export const readUnchanged: Measurement<Setup> = {
  name: "read-304",
  summary: "the same where the client has it already",
  run: Effect.fnUntraced(function* (options) {
    const { contacts } = yield* Setup
    // All contacts have their initial version.
    const headers = { "if-none-match": '"v1"' }
    for (const id of sample(contacts.ids, compared)) yield* sameAnswers(`${path}/${id}`, { headers })
    const line = yield* compare({
      ...options,
      requests: requestsFor(contacts, headers),
      expected: 304,
      line: { name: "read-304", work: "the same with If-None-Match, answered with 304", target: { least: 1.3 } }
    })
    return { lines: [line] }
  })
}

const pageSize = 100

/** The paths of all pages in their order. */
const pages = Effect.gen(function* () {
  const { request, servers } = yield* Setup
  const first = `${path}?page_size=${pageSize}`
  const paths = [first]
  for (;;) {
    const { text } = yield* request(servers.ours, paths.at(-1) ?? first)
    const { page } = JSON.parse(text) as { readonly page: { readonly nextCursor: string | null } }
    if (page.nextCursor === null) return paths
    paths.push(`${first}&cursor=${page.nextCursor}`)
  }
})

/** Pages of a list, compared with the peers. */
export const list: Measurement<Setup> = {
  name: "list",
  summary: `a page of ${pageSize} contacts, beside the same by hand`,
  run: Effect.fnUntraced(function* (options) {
    const {
      contacts: { tokens }
    } = yield* Setup
    const paths = yield* pages
    for (const page of [...sample(paths, 5), paths.at(-1) ?? ""]) yield* sameAnswers(page)
    const requests = {
      kind: "get" as const,
      requests: paths.map((path, index) => ({
        path,
        headers: { authorization: `Bearer ${tokens[index % tokens.length]}` }
      }))
    }
    const line = yield* compare({
      ...options,
      requests,
      expected: 200,
      line: {
        name: "list",
        work: `GET a page of ${pageSize} contacts with their external references`,
        target: { least: 1.2 }
      }
    })
    const lean = yield* compareLean({
      ...options,
      requests,
      expected: 200,
      line: { name: "list-lean", work: "the same", target: { least: 1.2 } }
    })
    return { lines: [line, lean] }
  })
}

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
  for (const [name, server] of Object.entries(Struct.omit(servers, ["lean"]))) {
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
    const { sql } = yield* Setup
    const lean = yield* Effect.forEach([32, 1], (connections) =>
      // What was written before is not vacuumed and analyzed at the cost of these.
      Effect.andThen(
        sql`vacuum (analyze)`,
        compareLean({
          ...options,
          connections,
          requests: { kind: "post", path, body, token: tokens },
          expected: 201,
          line: {
            name: connections === 1 ? "create-lean-one" : "create-lean",
            work: `POST a contact, ${connections === 1 ? "one at a time" : "32 at once"}`,
            target: { least: 0.8 }
          }
        })
      )
    )
    return { lines: [line, ...lean] }
  })
}
