import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { once } from "node:events"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:net"
import { Webhook as Verifier } from "standardwebhooks"
import { expect } from "vitest"
import { Database } from "../../src/db/Database.ts"
import * as Id from "../../src/Id.ts"
import * as Environment from "../../src/process/Environment.ts"
import { aClient } from "../auth/fixtures.ts"
import { eventually, kill, type Program, run, stop } from "../support/Process.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase, testUrl } from "../support/TestDatabase.ts"
import * as Receiver from "../webhooks/outbound/Receiver.ts"

const secretKey = Buffer.alloc(32, 7).toString("base64")
const contacts = "/api/v1/network/contacts"

const settings = Effect.map(testUrl, (url) => ({
  DATABASE_URL: Redacted.value(url),
  SECRET_KEY: secretKey,
  PORT: "0",
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  RATE_LIMIT_PAT: "20"
}))

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly [member: string]: unknown }
}

const aWorker = Effect.gen(function*() {
  const process = yield* run("workers/main.ts", yield* settings)
  yield* eventually(() => assert.include(process.output.stderr, "The worker takes jobs.", process.output.stderr))
  return process
})

const anApi = Effect.gen(function*() {
  const process = yield* run("src/server.ts", yield* settings)
  const port = yield* eventually(() => {
    const [, port] = /listens on port (\d+)/.exec(process.output.stderr) ?? []
    assert.isDefined(port, process.output.stderr)
    return port
  })
  const request = async (
    method: string,
    path: string,
    token: string,
    body?: unknown,
    contentType = "application/json"
  ): Promise<Reply> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": contentType })
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) }
  }
  return { ...process, port: Number(port), request }
})

type Api = Effect.Success<typeof anApi>

/** Two API processes on one database. The tests use them up: those of a crash kill the first, the last stops the second. */
class Apis extends Context.Service<Apis, { readonly a: Api; readonly b: Api }>()("test/process/Apis") {
  static readonly layer = Layer.effect(
    Apis,
    Effect.map(Effect.all([anApi, anApi], { concurrency: 2 }), ([a, b]) => ({ a, b }))
  )
}

/** A worker at a time, which the tests kill, start and stop. */
class Workers extends Context.Service<Workers, { current: Program | undefined; readonly scope: Scope.Scope }>()(
  "test/process/Workers"
) {
  static readonly layer = Layer.effect(Workers, Effect.map(Effect.scope, (scope) => ({ current: undefined, scope })))
}

const startWorker = Effect.gen(function*() {
  const workers = yield* Workers
  const started = yield* Scope.provide(aWorker, workers.scope)
  workers.current = started
  return started
})

const worker = Effect.flatMap(Workers, ({ current }) => current === undefined ? startWorker : Effect.succeed(current))

/** A receiver that keeps answers to itself until it is told. */
const holding = Effect.gen(function*() {
  const answers: Array<() => void> = []
  const receiver = yield* Receiver.make((response: ServerResponse, _request: IncomingMessage) => {
    answers.push(() => void response.writeHead(204).end())
  })
  return { ...receiver, answers }
})

const answering = Receiver.make((response: ServerResponse) => response.writeHead(204).end())

/** A tenant with a webhook at a receiver. */
const aSubscriber = Effect.fnUntraced(function*(api: Api, port: number) {
  const tenant = yield* Tenant.make()
  const { body, status } = yield* Effect.promise(() =>
    api.request("POST", "/api/v1/webhooks", tenant.token, {
      url: `http://127.0.0.1:${port}/in`,
      events: ["contact.created"]
    })
  )
  assert.strictEqual(status, 201, JSON.stringify(body))
  return { ...tenant, webhook: String(body["id"]), secret: String(body["secret"]) }
})

const addContact = Effect.fnUntraced(function*(api: Api, token: string) {
  const { body, status } = yield* Effect.promise(() => api.request("POST", contacts, token, { firstName: "Maria" }))
  assert.strictEqual(status, 201, JSON.stringify(body))
  return String(body["id"])
})

const header = (request: Receiver.Received, name: string) => String(request.headers[name])

const verified = (secret: string, request: Receiver.Received): unknown =>
  new Verifier(secret).verify(request.body, {
    "webhook-id": header(request, "webhook-id"),
    "webhook-timestamp": header(request, "webhook-timestamp"),
    "webhook-signature": header(request, "webhook-signature")
  })

const logOf = (api: Api, subscriber: { readonly token: string; readonly webhook: string }) =>
  api.request("GET", `/api/v1/webhooks/${subscriber.webhook}/deliveries`, subscriber.token)
    .then(({ body }) => body["data"] as ReadonlyArray<{ readonly status: string; readonly attemptCount: number }>)

const isDelivered = (api: Api, subscriber: { readonly token: string; readonly webhook: string }) =>
  eventually(async () => {
    const [delivery] = await logOf(api, subscriber)
    expect(delivery?.status).toBe("delivered")
    return delivery
  })

const world = Layer.merge(Apis.layer, Workers.layer).pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

layer(world, { excludeTestServices: true, timeout: 60_000 })("Processes on one database", (it) => {
  describe("two API processes", () => {
    it.effect("both refuse a token at once that was revoked through one of them", () =>
      Effect.gen(function*() {
        const { a, b } = yield* Apis
        const tenant = yield* Tenant.make()
        const client = yield* aClient(tenant.teamId)
        const form = (fields: Record<string, string>) =>
          new URLSearchParams({
            client_id: Id.fromUuid("client", client.id),
            client_secret: client.secret,
            ...fields
          }).toString()
        const type = "application/x-www-form-urlencoded"
        yield* Effect.promise(async () => {
          const issued = await a.request("POST", "/openid/token", "", form({ grant_type: "client_credentials" }), type)
          const token = String(issued.body["access_token"])
          assert.strictEqual((await b.request("GET", contacts, token)).status, 200)
          assert.strictEqual((await a.request("POST", "/openid/revoke", "", form({ token }), type)).status, 200)
          assert.strictEqual((await b.request("GET", contacts, token)).status, 401)
          assert.strictEqual((await a.request("GET", contacts, token)).status, 401)
        })
      }))

    it.effect("count a caller's requests together", () =>
      Effect.gen(function*() {
        const { a, b } = yield* Apis
        const { token } = yield* Tenant.make()
        yield* Effect.promise(async () => {
          const replies = []
          for (let n = 0; n < 22; n++) replies.push(await (n % 2 === 0 ? a : b).request("GET", contacts, token))
          assert.deepStrictEqual(replies.map(({ status }) => status), [...Array(20).fill(200), 429, 429])
          assert.deepStrictEqual(
            replies.slice(0, 20).map(({ headers }) => /r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]),
            Array.from({ length: 20 }, (_, n) => String(19 - n))
          )
          assert.match(replies[20]?.headers.get("retry-after") ?? "", /^[1-9]\d?$/)
        })
      }))
  })

  describe("after a crash", () => {
    it.effect("of the API between the commit and the delivery, the event is still delivered, once", () =>
      Effect.gen(function*() {
        const { a, b } = yield* Apis
        const receiver = yield* answering
        const subscriber = yield* aSubscriber(a, receiver.port)
        const contact = yield* addContact(a, subscriber.token)
        // No worker has run so far: what the API promised is in the database only.
        assert.isUndefined((yield* Workers).current)
        yield* kill(a)
        yield* worker
        yield* isDelivered(b, subscriber)
        assert.lengthOf(receiver.received, 1)
        assert.deepInclude(verified(subscriber.secret, receiver.received[0]!), {
          event: "contact.created",
          resource_id: contact
        })
      }))

    it.effect("of a worker in the middle of an attempt, another one makes it within 30 seconds, with the same id", () =>
      Effect.gen(function*() {
        const { b } = yield* Apis
        const receiver = yield* holding
        const subscriber = yield* aSubscriber(b, receiver.port)
        const first = yield* worker
        yield* addContact(b, subscriber.token)
        yield* Receiver.until(() => receiver.received.length === 1)
        yield* kill(first)
        const killed = performance.now()
        yield* startWorker
        yield* eventually(() => assert.lengthOf(receiver.received, 2), 30_000)
        assert.isBelow(performance.now() - killed, 30_000)
        for (const answer of receiver.answers) answer()
        const delivery = yield* isDelivered(b, subscriber)
        // The attempt that was cut off left no trace: it was made again, as the same one.
        assert.strictEqual(delivery?.attemptCount, 1)
        const [one, two] = receiver.received.map((request) => header(request, "webhook-id"))
        assert.strictEqual(one, two)
        assert.match(one ?? "", /^msg_/)
        for (const request of receiver.received) verified(subscriber.secret, request)
      }))
  })

  describe("asked to stop", () => {
    it.effect("a worker lets the delivery in flight finish, and exits with 0 within 5 seconds", () =>
      Effect.gen(function*() {
        const { b } = yield* Apis
        const sql = yield* Database
        const receiver = yield* holding
        const subscriber = yield* aSubscriber(b, receiver.port)
        const running = yield* worker
        yield* addContact(b, subscriber.token)
        yield* Receiver.until(() => receiver.received.length === 1)
        // Once it listens no more, it takes no more jobs.
        const listeners = sql`
          select from pg_stat_activity where datname = current_database() and query ilike 'listen%jobs%'`
        assert.lengthOf(yield* listeners, 1)
        const stopping = stop(running)
        yield* Effect.repeat(listeners, { until: (rows) => rows.length === 0 })
        for (const answer of receiver.answers) answer()
        const { after, code } = yield* Effect.promise(() => stopping)
        assert.strictEqual(code, 0, running.output.stderr)
        assert.isBelow(after, 5000)
        const delivery = yield* isDelivered(b, subscriber)
        assert.strictEqual(delivery?.attemptCount, 1)
        assert.isEmpty(yield* sql`select from graphile_worker.jobs where locked_at is not null`)
      }))

    it.effect("an API answers the request in flight, takes no other, and exits with 0 within 5 seconds", () =>
      Effect.gen(function*() {
        const { b } = yield* Apis
        const sql = yield* Database
        const { token } = yield* Tenant.make()
        // Changes wait for this lock to begin.
        const { ended, inFlight } = yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`select pg_advisory_xact_lock(7065001)`
          const inFlight = b.request("POST", contacts, token, { firstName: "Maria" })
          const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`
          yield* Effect.repeat(waiting, { until: (rows) => rows.length === 1 })
          const ended = stop(b)
          yield* eventually(() => expect(fetch(`http://127.0.0.1:${b.port}/healthz`)).rejects.toThrow())
          return { ended, inFlight }
        }))
        const { body, status } = yield* Effect.promise(() => inFlight)
        assert.strictEqual(status, 201, JSON.stringify(body))
        const { after, code } = yield* Effect.promise(() => ended)
        assert.strictEqual(code, 0, b.output.stderr)
        assert.isBelow(after, 5000)
      }))
  })
})

/** Settings that start an API, but that nothing needs to be reached. */
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

  // Starting a process for each of them would say no more.
  const wrongToo: typeof wrong = [
    ...wrong,
    ["PORT", "70000"],
    ["WEBHOOK_RETRY_DELAYS", "3s"],
    ["FILE_STORE", "gs://files"],
    ["SECRET_KEY", undefined],
    ["DATABASE_URL", "nonsense"],
    ["RATE_LIMIT_PAT", "0"],
    ["WEBHOOK_ALLOWED_NETWORKS", "x"],
    ["LOG_LEVEL", "loud"],
    ["BASE_URL", "x"]
  ]

  const refusal = (env: Record<string, string>, entry = "src/server.ts") =>
    Effect.scoped(Effect.gen(function*() {
      const { ended, output } = yield* run(entry, env)
      const { code } = yield* Effect.promise(() => ended)
      return { code, lines: output.stderr.split("\n").slice(0, -1), stdout: output.stdout }
    }))

  it.effect("is refused with the variable, and a reason that shows no secret", () =>
    Effect.gen(function*() {
      for (const [variable, value] of wrongToo) {
        const env = value === undefined ? without(variable) : { ...good, [variable]: value }
        const refused = yield* Effect.flip(Environment.external).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env))
        )
        assert.strictEqual(refused.variable, variable, `${variable}=${value}`)
        if (variable === "SECRET_KEY" || variable === "DATABASE_URL") assert.notInclude(refused.reason, value ?? "undefined")
      }
    }))

  it.effect("stops the start with one line that names the variable, and with 1", () =>
    Effect.gen(function*() {
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
    }), 30_000)

  it.effect("says that the port is in use", () =>
    Effect.gen(function*() {
      const server = createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const { code, lines } = yield* refusal({ ...good, PORT: String(port) })
      server.close()
      assert.deepStrictEqual([code, lines], [1, [`PORT: ${port} is in use; choose another, or 0 for any free one`]])
    }))
})
