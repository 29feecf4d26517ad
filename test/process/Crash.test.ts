import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer } from "effect"
import { once } from "node:events"
import { createServer } from "node:net"
import { expect } from "vitest"
import { Database } from "../../src/platform/db/Database.ts"
import * as Id from "../../src/core/Id.ts"
import * as Environment from "../../src/process/Environment.ts"
import { aClient } from "../core/auth/fixtures.ts"
import { run, stop } from "../support/Process.ts"
import { untilBlocked } from "../support/locks.ts"
import { eventually } from "../support/polling.ts"
import * as Tenant from "../support/Tenant.ts"
import { Apis, startApi, secretKey } from "./fixture.ts"

const contacts = "/api/v1/network/contacts"

/** A limit that a test can reach. */
const lowLimit = { RATE_LIMIT_PAT: "20" }

/** Uses contacts, projects and their lists, and returns the statuses of the answers. */
const uses = async (request: typeof Apis.Service.a.request, token: string): Promise<ReadonlyArray<number>> => {
  const contact = await request("POST", contacts, token, { firstName: "Anna", tags: ["office"] })
  const one = `${contacts}/${String(contact.body["id"])}`
  const others: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
    ["POST", "/api/v1/projects", { name: "Harbour" }],
    ["PATCH", one, { phone: "+49 30 1" }],
    ["GET", one],
    ["GET", `${contacts}?page_size=2`],
    ["GET", `${contacts}?updated_since=1970-01-01T00:00:00Z&include_deleted=true&page_size=2`],
    ["GET", `${one}/actions`],
    ["POST", `${contacts}/batch/get`, { ids: [contact.body["id"]] }],
    ["DELETE", one]
  ]
  const statuses = [contact.status]
  for (const [method, path, body] of others) statuses.push((await request(method, path, token, body)).status)
  return statuses
}

layer(Apis.layer(lowLimit), { excludeTestServices: true, timeout: 60_000 })("Processes on one database", (it) => {
  describe("two API processes", () => {
    it.effect("both refuse a token immediately after one of them revoked it", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const tenant = yield* Tenant.make()
        const client = yield* aClient(tenant.teamId)
        const form = (fields: Record<string, string>) =>
          new URLSearchParams({
            client_id: Id.fromUuid("client", client.id),
            client_secret: client.secret,
            ...fields
          }).toString()
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        yield* Effect.promise(async () => {
          const issued = await a.request(
            "POST",
            "/openid/token",
            "",
            form({ grant_type: "client_credentials" }),
            headers
          )
          const token = String(issued.body["access_token"])
          assert.strictEqual((await b.request("GET", contacts, token)).status, 200)
          assert.strictEqual((await a.request("POST", "/openid/revoke", "", form({ token }), headers)).status, 200)
          assert.strictEqual((await b.request("GET", contacts, token)).status, 401)
          assert.strictEqual((await a.request("GET", contacts, token)).status, 401)
        })
      })
    )

    it.effect("share the rate limit of a caller", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const { token } = yield* Tenant.make()
        yield* Effect.promise(async () => {
          const replies = []
          for (let n = 0; n < 22; n++) replies.push(await (n % 2 === 0 ? a : b).request("GET", contacts, token))
          assert.deepStrictEqual(
            replies.map(({ status }) => status),
            [...Array(20).fill(200), 429, 429]
          )
          assert.deepStrictEqual(
            replies.slice(0, 20).map(({ headers }) => /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]),
            Array.from({ length: 20 }, (_, n) => String(19 - n))
          )
          assert.match(replies[20]?.headers.get("retry-after") ?? "", /^[1-9]\d?$/)
        })
      })
    )
  })

  describe("while a later release adds a column to every table", () => {
    it.effect("answer every request, with the statements that they had prepared before", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Apis
        const sql = yield* Database
        // A tenant for each, because a token has few requests.
        const use = Effect.forEach(
          [a, a, b, b],
          ({ request }) => Effect.flatMap(Tenant.make(), ({ token }) => Effect.promise(() => uses(request, token))),
          { concurrency: "unbounded" }
        )
        const good = [201, 201, 200, 200, 200, 200, 200, 207, 204]
        const all = (answers: ReadonlyArray<ReadonlyArray<number>>) => {
          for (const answer of answers) assert.deepStrictEqual(answer, good)
        }
        all(yield* use)
        let rounds = 0
        const using = yield* Effect.forkChild(
          Effect.forever(
            Effect.map(use, (answers) => {
              all(answers)
              rounds++
            })
          )
        )
        const tables = yield* sql<{ readonly name: string }>`
          select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
        for (const { name } of tables) {
          yield* sql.unsafe(`alter table ${name} add column later_release text not null default 'later'`)
        }
        const before = rounds
        yield* eventually(() => assert.isAbove(rounds, before + 1))
        assert.isUndefined(using.pollUnsafe())
        yield* Fiber.interrupt(using)
      })
    )
  })

  describe("asked to stop", () => {
    it.effect(
      "an API leaves its load balancer, completes the request in flight, accepts no other, and exits with 0 within 6 seconds",
      () =>
        Effect.gen(function* () {
          const api = yield* startApi({ DRAIN_SECONDS: "1" })
          const sql = yield* Database
          const { token } = yield* Tenant.make()
          assert.strictEqual((yield* Effect.promise(() => api.request("GET", "/readyz", ""))).status, 200)
          // Every change waits for one of these locks first.
          const { ended, inFlight } = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select pg_advisory_xact_lock(7065001, bucket) from generate_series(0, 63) as bucket`
              const inFlight = api.request("POST", contacts, token, { firstName: "Maria" })
              yield* untilBlocked(1)
              const ended = stop(api)
              yield* eventually(async () => {
                const { headers, status } = await api.request("GET", "/readyz", "")
                assert.deepStrictEqual([status, headers.get("connection")], [503, "close"])
              })
              const served = yield* Effect.promise(() => api.request("GET", contacts, token))
              assert.strictEqual(served.status, 200)
              yield* eventually(() => expect(fetch(`http://127.0.0.1:${api.port}/healthz`)).rejects.toThrow())
              return { ended, inFlight }
            })
          )
          const { body, status } = yield* Effect.promise(() => inFlight)
          assert.strictEqual(status, 201, JSON.stringify(body))
          const { after, code } = yield* Effect.promise(() => ended)
          assert.strictEqual(code, 0, api.output.stderr)
          assert.isAbove(after, 1000)
          assert.isBelow(after, 6000)
        })
    )
  })
})

/** Valid settings of an API whose database is never contacted. */
const good: Record<string, string> = {
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  SECRET_KEY: secretKey,
  PORT: "0"
}

const without = (variable: string) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== variable))

layer(Layer.empty, { excludeTestServices: true })("A wrong environment", (it) => {
  const wrong: ReadonlyArray<readonly [variable: string, value: string | undefined]> = [
    ["PORT", "abc"],
    ["SECRET_KEY", "short"],
    ["DATABASE_URL", undefined]
  ]

  // In this process: starting one for each would not test more.
  const wrongToo: typeof wrong = [
    ...wrong,
    ["PORT", "70000"],
    ["DRAIN_SECONDS", "301"],
    ["WEBHOOK_RETRY_DELAYS", "3s"],
    ["FILE_STORE", "gs://files"],
    ["SECRET_KEY", undefined],
    ["SECRET_KEY_PREVIOUS", "short"],
    ["SECRET_KEY_PREVIOUS", secretKey],
    ["DATABASE_URL", "nonsense"],
    ["DATABASE_REPLICA_URLS", "postgres://reader:secret@127.0.0.1/none,nonsense"],
    ["REPLICA_MAX_LAG", "100ms"],
    ["RATE_LIMIT_PAT", "0"],
    ["OAUTH_CLIENT_HOSTS", "https://apps.example.com"],
    ["OAUTH_REGISTRATION", "on"],
    ["OIDC_ISSUER", "login.example.com"],
    ["WEBHOOK_ALLOWED_NETWORKS", "x"],
    ["LOG_LEVEL", "loud"],
    ["BASE_URL", "x"]
  ]

  const refusal = (env: Record<string, string>, entry = "src/server.ts") =>
    Effect.scoped(
      Effect.gen(function* () {
        const { ended, output } = yield* run(entry, env)
        const { code } = yield* Effect.promise(() => ended)
        return { code, lines: output.stderr.split("\n").slice(0, -1), stdout: output.stdout }
      })
    )

  it.effect("is refused with the name of the variable and a reason without secrets", () =>
    Effect.gen(function* () {
      for (const [variable, value] of wrongToo) {
        const env = value === undefined ? without(variable) : { ...good, [variable]: value }
        const refused = yield* Effect.flip(Environment.external).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))
        )
        assert.strictEqual(refused.variable, variable, `${variable}=${value}`)
        if (variable.startsWith("SECRET_KEY") || variable === "DATABASE_URL")
          assert.notInclude(refused.reason, value ?? "undefined")
      }
    })
  )

  it.effect("fails the start with exit code 1 and one line that names the variable", () =>
    Effect.gen(function* () {
      const refusals = yield* Effect.forEach(
        wrong,
        ([variable, value]) => refusal(value === undefined ? without(variable) : { ...good, [variable]: value }),
        { concurrency: 2 }
      )
      for (const [index, [variable, value]] of wrong.entries()) {
        const { code, lines, stdout } = refusals[index]!
        assert.deepStrictEqual([code, lines.length, stdout], [1, 1, ""], `${variable}=${value}: ${lines.join("\n")}`)
        assert.isTrue(lines[0]?.startsWith(`${variable}: `), lines[0])
      }
      const worker = yield* refusal(without("DATABASE_URL"), "workers/main.ts")
      assert.deepStrictEqual([worker.code, worker.lines], [1, ["DATABASE_URL: is required"]])
    })
  )

  it.effect("reports a port in use", () =>
    Effect.gen(function* () {
      const server = createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const { code, lines } = yield* refusal({ ...good, PORT: String(port) })
      server.close()
      // Before, it may have noticed that there is no database.
      assert.deepStrictEqual(
        [code, lines.at(-1)],
        [1, `PORT: ${port} is in use; choose another, or 0 for any free one`]
      )
    })
  )
})
