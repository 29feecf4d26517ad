/** `console`: what a list of the console costs the server, beside the same rows as JSON. See bench/README.md. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { Pool } from "undici"
import * as Id from "../src/core/Id.ts"
import * as Secret from "../src/core/auth/Secret.ts"
import { Database } from "../src/platform/db/Database.ts"
import * as Teams from "./data/teams.ts"
import { interleave, type Line, type Measurement, type Options, paceOf, ratioOf } from "./Measurement.ts"
import { secondsOf } from "./Programs.ts"
import { median } from "./Report.ts"
import * as Service from "./Service.ts"

/** The lists that are measured: a hundred rows of each, as a page of a team and as JSON. */
const lists = [{ name: "contacts", page: "/contacts?page_size=100", json: "/api/v1/network/contacts?page_size=100" }]

const beginSession = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const secret = Secret.make("session", randomBytes(Secret.byteLength))
  yield* sql`
    insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at)
    select gen_random_uuid(), ${Secret.hash(secret)}, user_id, now(), now(), now() + interval '14 days'
    from memberships where team_id = ${teamId} limit 1`
  return secret
})

/** Asks for an answer again and again, one at a time. */
const asking =
  (service: Service.Service, path: string, headers: Readonly<Record<string, string>>, holds: RegExp) =>
  (seconds: number) =>
    Effect.promise(async () => {
      const pool = new Pool(service.origin, { connections: 1, pipelining: 1 })
      const until = performance.now() + 1000 * seconds
      const [began, used] = [performance.now(), secondsOf(service.api.pid) ?? Number.NaN]
      let answers = 0
      let bytes = 0
      while (performance.now() < until) {
        const { body, statusCode } = await pool.request({ method: "GET", path, headers })
        const content = Buffer.from(await body.arrayBuffer())
        // Compressed, as its client asks for it: what it holds is looked at before.
        if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`)
        answers += 1
        bytes = content.length
      }
      const elapsed = performance.now() - began
      const cpu = (secondsOf(service.api.pid) ?? Number.NaN) - used
      await pool.close()
      const whole = await fetch(`${service.origin}${path}`, { headers: { ...headers, "accept-encoding": "identity" } })
      const rows = (await whole.text()).match(holds)?.length
      if (rows !== 100) throw new Error(`GET ${path} has ${rows} rows`)
      return { millis: elapsed / answers, cpuMillis: (1000 * cpu) / answers, bytes }
    })

const measure = Effect.fnUntraced(function* (service: Service.Service, options: Options) {
  const [team] = yield* Teams.withContacts({ url: service.url, rows: [options.quick ? 400 : 10_000] })
  if (team === undefined) return yield* Effect.die(new Error("There is no team"))
  const secret = yield* beginSession(team.uuid)
  const lines: Array<Line> = []
  for (const { json, name, page } of lists) {
    const turns = yield* interleave(
      {
        page: asking(
          service,
          `/console/${Id.fromUuid("team", team.uuid)}${page}`,
          { cookie: `pn_session=${secret}`, "accept-encoding": "gzip, deflate, br, zstd" },
          /<th scope="row">/g
        ),
        json: asking(
          service,
          json,
          { authorization: `Bearer ${team.tokens[0] ?? ""}`, "accept-encoding": "gzip" },
          /"etag":/g
        )
      },
      paceOf(options)
    )
    const millisOf = (one: ReadonlyArray<{ readonly millis: number }>) => one.map(({ millis }) => millis)
    lines.push({
      name: `console-${name}`,
      work: `a page of the console with 100 ${name}`,
      beside: "JSON of the same",
      ours: `${median(millisOf(turns.page)).toFixed(1)} ms`,
      theirs: `${median(millisOf(turns.json)).toFixed(1)} ms`,
      ratio: ratioOf(millisOf(turns.page), millisOf(turns.json)),
      target: { most: 1.3 },
      details: {
        cpuMillis: median(turns.page.map(({ cpuMillis }) => cpuMillis)),
        cpuMillisOfJson: median(turns.json.map(({ cpuMillis }) => cpuMillis)),
        bytes: turns.page[0]?.bytes,
        bytesOfJson: turns.json[0]?.bytes
      }
    })
  }
  return { lines }
})

/** Lists of the console beside their JSON, in turns. */
export const consoleLists: Measurement = {
  name: "console",
  summary: "Lists of 100 rows in the console, beside JSON of the same",
  run: (options) =>
    Effect.gen(function* () {
      const service = yield* Service.make({ RATE_LIMIT_SESSION: "1000000" })
      return yield* measure(service, options).pipe(Effect.provide(Service.store(service)))
    })
}
