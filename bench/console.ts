/** `console`: what a list of the console costs the server, beside the same rows as JSON. See bench/README.md. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Id from "../src/core/Id.ts"
import * as Secret from "../src/core/auth/Secret.ts"
import { Database } from "../src/platform/db/Database.ts"
import { asking, cpuOf, figureOf, millisOf } from "./Asking.ts"
import * as Teams from "./data/teams.ts"
import { interleave, type Line, type Measurement, type Options, paceOf, ratioOf } from "./Measurement.ts"
import * as Service from "./Service.ts"

/** The lists that are measured: a hundred rows of each, as a page of a team and as JSON. */
const listsOf = ({ project }: Teams.TeamWithProject) => [
  { name: "contacts", page: "/contacts?page_size=100", json: "/api/v1/network/contacts?page_size=100" },
  {
    name: "prospects",
    page: `/projects/${project}/prospects`,
    json: `/api/v1/projects/${project}/prospects?page_size=100`
  }
]

/** The pages that cost as much where a project has 10,000 prospects as where it has some more than a hundred. */
const pagesOf = ({ project }: Teams.TeamWithProject) => [
  {
    name: "table",
    work: "a page of 100 prospects",
    path: `/projects/${project}/prospects`,
    holds: /<th scope="row">/g
  },
  {
    name: "filter",
    work: "a page of prospects with a filter",
    path: `/projects/${project}/prospects?interest=none`,
    holds: /<th scope="row">/g
  }
]

/** How many documents the two rooms have; the first pages of both have as many rows. */
const documentsOf = ({ quick }: Options) => ({ small: 50, large: quick ? 200 : 2000 })

/** Opens a room of a team's project with so many documents; returns its path in the console and over REST. */
const openRoom = Effect.fnUntraced(function* ({ project, uuid }: Teams.TeamWithProject, documents: number) {
  const sql = yield* Database
  const [room] = yield* sql<{ id: string }>`
    insert into rooms (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, name, status, nda_required
    )
    select gen_random_uuid(), ${uuid}::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'api',
      ${Id.toUuid("project", project) ?? ""}::uuid, 'Due diligence', 'open', false
    returning id`
  yield* sql`
    with made as (
      select gen_random_uuid() as id, 'Folder ' || number / 40 || '/Document ' || number || '.pdf' as path
      from generate_series(1, ${documents}::int) as number
    ), file as (
      insert into files (
        id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name, content_type, size, sha256,
        content
      )
      select id, ${uuid}::uuid, 1, now(), now(), 'created', 'api', 'room', ${room?.id}::uuid, path, 'application/pdf', 48213,
        sha256(path::bytea), gen_random_uuid()
      from made
    )
    insert into room_documents (file_id, room_id, team_id, path, version)
    select id, ${room?.id}::uuid, ${uuid}::uuid, path, 1 from made`
  yield* sql`analyze rooms, files, room_documents`
  const id = Id.fromUuid("room", room?.id ?? "")
  return { page: `/rooms/${id}`, json: `/api/v1/projects/${project}/rooms/${id}/documents` }
})

const beginSession = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const secret = Secret.make("session", randomBytes(Secret.byteLength))
  yield* sql`
    insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at)
    select gen_random_uuid(), ${Secret.hash(secret)}, user_id, now(), now(), now() + interval '14 days'
    from memberships where team_id = ${teamId} limit 1`
  return secret
})

/** Asks for an answer again and again, one at a time; it must have `expected` rows. */
const askingFor = (
  service: Service.Service,
  path: string,
  headers: Readonly<Record<string, string>>,
  holds: RegExp,
  expected: number | undefined
) => {
  const { origin, api } = service
  const turn = asking({ url: origin, pid: api.pid }, () => ({ method: "GET", path, headers }))
  return (seconds: number) =>
    Effect.tap(turn(seconds), () =>
      Effect.promise(async () => {
        // The answers of a turn are compressed.
        const whole = await fetch(`${origin}${path}`, { headers: { ...headers, "accept-encoding": "identity" } })
        const rows = (await whole.text()).match(holds)?.length
        if (rows !== (expected ?? rows) || rows === undefined) throw new Error(`GET ${path} has ${rows} rows`)
      })
    )
}

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const [small, large] = yield* Teams.withProjects({ url: service.url, rows: [160, options.quick ? 400 : 10_000] })
  if (small === undefined || large === undefined) return yield* Effect.die(new Error("There is no team"))
  const secrets = { small: yield* beginSession(small.uuid), large: yield* beginSession(large.uuid) }
  const pageOf = (team: "large" | "small", path: string, holds: RegExp, rows: number | undefined) =>
    askingFor(
      service,
      `/console/${Id.fromUuid("team", (team === "small" ? small : large).uuid)}${path}`,
      { cookie: `pn_session=${secrets[team]}`, "accept-encoding": "gzip, deflate, br, zstd" },
      holds,
      rows
    )
  const lines: Array<Line> = []
  for (const { json, name, page } of listsOf(large)) {
    const turns = yield* interleave(
      {
        page: pageOf("large", page, /<th scope="row">/g, 100),
        json: askingFor(
          service,
          json,
          { authorization: `Bearer ${large.tokens[0] ?? ""}`, "accept-encoding": "gzip" },
          /"etag":/g,
          100
        )
      },
      paceOf(options)
    )
    lines.push({
      name: `console-${name}`,
      work: `a page of the console with 100 ${name}`,
      beside: "JSON of the same",
      ours: figureOf(turns.page),
      theirs: figureOf(turns.json),
      ratio: ratioOf(millisOf(turns.page), millisOf(turns.json)),
      target: { most: 1.3 },
      details: {
        cpuMillis: cpuOf(turns.page),
        cpuMillisOfJson: cpuOf(turns.json),
        bytes: turns.page[0]?.bytes,
        bytesOfJson: turns.json[0]?.bytes
      }
    })
  }
  const [smallPages, largePages] = [pagesOf(small), pagesOf(large)]
  for (const [index, { holds, name, path, work }] of largePages.entries()) {
    const turns = yield* interleave(
      {
        large: pageOf("large", path, holds, undefined),
        small: pageOf("small", smallPages[index]?.path ?? "", holds, undefined)
      },
      paceOf(options)
    )
    lines.push({
      name: `console-large-${name}`,
      work: `${work} of a project with ${options.quick ? "400" : "10,000"}`,
      beside: "of one with 160",
      ours: figureOf(turns.large),
      theirs: figureOf(turns.small),
      ratio: ratioOf(millisOf(turns.large), millisOf(turns.small)),
      target: { most: 1.5 }
    })
  }
  const counts = documentsOf(options)
  // Of one project: the page has a form with its prospects.
  const rooms = { small: yield* openRoom(large, counts.small), large: yield* openRoom(large, counts.large) }
  const jsonOf = (team: "large" | "small") =>
    askingFor(
      service,
      rooms[team].json,
      { authorization: `Bearer ${large.tokens[0] ?? ""}`, "accept-encoding": "gzip" },
      /"sha256":/g,
      50
    )
  for (const { kind, ...contestants } of [
    {
      kind: "page",
      large: pageOf("large", rooms.large.page, /download>/g, 50),
      small: pageOf("large", rooms.small.page, /download>/g, 50)
    },
    { kind: "json", large: jsonOf("large"), small: jsonOf("small") }
  ]) {
    const turns = yield* interleave(contestants, paceOf(options))
    lines.push({
      name: `console-room-${kind}`,
      work: `the first ${kind === "page" ? "page in the console" : "50 documents as JSON"} of a room with ${counts.large} documents`,
      beside: `of one with ${counts.small}`,
      ours: figureOf(turns.large),
      theirs: figureOf(turns.small),
      ratio: ratioOf(millisOf(turns.large), millisOf(turns.small)),
      target: { most: 1.5 },
      details: { cpuMillis: cpuOf(turns.large), cpuMillisOfSmall: cpuOf(turns.small) }
    })
  }
  return { lines }
})

/** Lists of the console beside their JSON, in turns. */
export const consoleLists: Measurement = {
  name: "console",
  summary: "Lists of 100 rows in the console, beside JSON of the same, and of large projects beside small ones",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make({ RATE_LIMIT_SESSION: "1000000" })
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
