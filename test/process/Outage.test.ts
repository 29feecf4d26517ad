import pg from "pg"
import * as App from "../../src/App.ts"
import * as OwnPostgres from "../support/OwnPostgres.ts"
import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Database } from "../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../src/platform/db/embedded/EmbeddedPostgres.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { AnswerTimeout } from "../../src/http/Edge.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { run } from "../support/Process.ts"
import { eventually } from "../support/polling.ts"
import { options } from "../support/TestService.ts"

const secretKey = Buffer.alloc(32, 7).toString("base64")
const contacts = "/api/v1/network/contacts"

/** A Postgres server that the test stops, restarts on the same port, and freezes. */
class Postgres extends Context.Service<
  Postgres,
  {
    readonly url: string
    readonly stop: Effect.Effect<void>
    readonly start: Effect.Effect<void>
    /** Suspends its processes: its port and connections stay open, and it does not respond. */
    readonly freeze: Effect.Effect<void>
    readonly thaw: Effect.Effect<void>
  }
>()("test/process/Postgres") {
  static readonly layer = Layer.effect(
    Postgres,
    Effect.gen(function* () {
      const folder = yield* OwnPostgres.dataFolder
      const scope = yield* Effect.scope
      const startOn = (port: number | undefined) =>
        EmbeddedPostgres.start({ dataDir: folder, port, settings: { fsync: "off" } }).pipe(
          Scope.provide(scope),
          Effect.orDie
        )
      const first = yield* startOn(undefined)
      let running = first
      const signal = (name: NodeJS.Signals) =>
        Effect.promise(async () => {
          const [line] = (await readFile(join(folder, "postgres/postmaster.pid"), "utf8")).split("\n")
          const postmaster = Number(line)
          for (const pid of [postmaster, ...(await childrenOf(postmaster))]) process.kill(pid, name)
        })
      const thaw = signal("SIGCONT")
      // A frozen server does not stop.
      yield* Effect.addFinalizer(() => Effect.ignoreCause(thaw))
      return {
        url: first.url,
        stop: Effect.suspend(() => running.stop),
        start: Effect.map(startOn(first.port), (server) => {
          running = server
        }),
        freeze: signal("SIGSTOP"),
        thaw
      }
    })
  )
}

const childrenOf = async (parent: number): Promise<ReadonlyArray<number>> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "utf8").catch(() => "")))
  return pids.filter((_, index) => statuses[index]?.includes(`\nPPid:\t${parent}\n`)).map(Number)
}

/** Starts an entry point on that Postgres, and waits for its `ready` line. */
const serve = Effect.fnUntraced(function* (entry: string, ready: RegExp) {
  const { url } = yield* Postgres
  const program = yield* run(entry, {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    PORT: "0",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    RATE_LIMIT_PAT: "100000"
  })
  const said = yield* eventually(() => {
    const said = ready.exec(program.output.stderr)
    assert.isNotNull(said, program.output.stderr)
    return said
  })
  return { ...program, said }
})

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly [member: string]: unknown }
  /** The duration in milliseconds. */
  readonly took: number
}

/** A client of an API. A request that hangs fails the test by its timeout. */
const clientOf =
  (baseUrl: string, token: string) =>
  async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const asked = performance.now()
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? {} : JSON.parse(text),
      took: performance.now() - asked
    }
  }

type Client = ReturnType<typeof clientOf>

const assertUnavailable = (reply: Reply) => {
  assert.deepInclude(reply.body, { status: 503, code: "unavailable" }, JSON.stringify(reply.body))
  assert.strictEqual(reply.status, 503)
  assert.match(reply.headers.get("content-type") ?? "", /^application\/problem\+json/)
  assert.match(reply.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
}

/** One request of each kind. */
const everything = (ask: Client) =>
  Promise.all([
    ask("GET", contacts),
    ask("GET", `${contacts}?updated_since=2026-01-01`),
    ask("POST", contacts, { firstName: "Maria" }),
    ask("PATCH", `${contacts}/contact_01kb3n7x2ferwt5z8q4j6m9d0c`, { firstName: "Maria" }),
    ask("DELETE", `${contacts}/contact_01kb3n7x2ferwt5z8q4j6m9d0c`),
    ask("GET", "/api/v1/webhooks"),
    ask("GET", "/readyz")
  ])

/** A tenant, inserted without the API. */
const aTenant = Effect.gen(function* () {
  const { url } = yield* Postgres
  return yield* Effect.provide(Tenant.make(), [
    Database.layer({ url: Redacted.make(url), maxConnections: 1 }),
    SecureRandom.layerWebCrypto
  ])
})

/** The port of an API in this process. */
class ApiPort extends Context.Service<ApiPort, number>()("test/process/ApiPort") {
  static readonly layer = Layer.effect(
    ApiPort,
    Effect.map(HttpServer.HttpServer, ({ address }) => ("port" in address ? address.port : 0))
  )
}

/** Two changes that wait for the lock that every change takes first, and the session that holds it. */
const inFlight = Effect.fnUntraced(function* (ask: Client) {
  const { url } = yield* Postgres
  const holder = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.sync(() => void client.end().catch(() => {}))
  )
  yield* Effect.promise(() =>
    holder.query("select pg_advisory_lock(7065001, bucket) from generate_series(0, 63) as bucket")
  )
  const replies = Promise.all([
    ask("POST", contacts, { firstName: "In flight" }),
    ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/in", events: ["contact.created"] })
  ])
  yield* eventually(async () => {
    const { rows } = await holder.query("select from pg_locks where locktype = 'advisory' and not granted")
    assert.lengthOf(rows, 2)
  })
  return { holder, replies }
})

layer(Postgres.layer, { excludeTestServices: true, timeout: 60_000 })("While Postgres", (it) => {
  it.effect("is stopped, every request gets 503 within 5 seconds, and is served again after a restart", () =>
    Effect.gen(function* () {
      const postgres = yield* Postgres
      const [api, worker] = yield* Effect.all(
        [serve("src/server.ts", /listens on port (\d+)/), serve("workers/main.ts", /worker is ready/)],
        { concurrency: 2 }
      )
      const { token } = yield* aTenant
      const ask = clientOf(`http://127.0.0.1:${api.said[1]}`, token)
      const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
      const subscribed = yield* Effect.promise(() =>
        ask("POST", "/api/v1/webhooks", { url: `http://127.0.0.1:${receiver.port}/in`, events: ["contact.created"] })
      )
      assert.strictEqual(subscribed.status, 201)

      const { replies } = yield* inFlight(ask)
      const stopped = performance.now()
      yield* postgres.stop
      for (const reply of yield* Effect.promise(() => replies)) assertUnavailable(reply)
      assert.isBelow(performance.now() - stopped, 5000)

      for (let round = 0; round < 2; round++) {
        for (const reply of yield* Effect.promise(() => everything(ask))) {
          assertUnavailable(reply)
          assert.isBelow(reply.took, 5000)
        }
        assert.strictEqual((yield* Effect.promise(() => ask("GET", "/healthz"))).status, 200)
      }

      for (const { output } of [api, worker]) {
        yield* eventually(() => assert.include(output.stderr, "The database does not answer."))
      }
      yield* postgres.start
      yield* eventually(async () => assert.strictEqual((await ask("GET", "/readyz")).status, 200), 5000)
      const { body, status } = yield* Effect.promise(() => ask("POST", contacts, { firstName: "Afterwards" }))
      assert.strictEqual(status, 201, JSON.stringify(body))
      yield* eventually(() => assert.lengthOf(receiver.received, 1))
      assert.strictEqual(JSON.parse(receiver.received[0]?.body.toString() ?? "{}").resource_id, body["id"])
      // Requests that got 503 changed nothing.
      const listed = yield* Effect.promise(() => ask("GET", contacts))
      assert.deepStrictEqual(
        (listed.body["data"] as ReadonlyArray<{ id: string }>).map(({ id }) => id),
        [body["id"]]
      )
      assert.deepStrictEqual([api.child.exitCode, worker.child.exitCode], [null, null])
      for (const { output } of [api, worker]) {
        yield* eventually(() => assert.include(output.stderr, "The database answers again."))
        assert.lengthOf(output.stderr.split("The database does not answer."), 2, output.stderr)
      }
    })
  )

  it.effect("lacks a table, requests that need it get 500 and a full log entry, not 503", () =>
    Effect.gen(function* () {
      const { url } = yield* Postgres
      const api = yield* serve("src/server.ts", /listens on port (\d+)/)
      const { token } = yield* aTenant
      const ask = clientOf(`http://127.0.0.1:${api.said[1]}`, token)
      const administer = (statement: string) =>
        Effect.promise(async () => {
          const client = new pg.Client({ connectionString: url })
          await client.connect()
          await client.query(statement)
          await client.end()
        })
      yield* Effect.acquireRelease(administer("alter table contacts rename to mislaid"), () =>
        administer("alter table mislaid rename to contacts")
      )
      const reply = yield* Effect.promise(() => ask("GET", contacts))
      assert.deepInclude(reply.body, { status: 500, code: "internal_error" }, JSON.stringify(reply.body))
      assert.isNull(reply.headers.get("retry-after"))
      yield* eventually(() => {
        const line = api.output.stderr.split("\n").find((line) => line.includes('"ERROR"')) ?? ""
        const { cause, requestId, sqlState } = JSON.parse(line)
        assert.include(cause, 'relation "contacts" does not exist')
        assert.deepStrictEqual([sqlState, requestId], ["42P01", reply.body["requestId"]])
      })
    })
  )

  it.effect.skipIf(!existsSync("/proc/self/status"))(
    "is frozen with its connections open, every request keeps its time limit, and is served again afterwards",
    () =>
      Effect.gen(function* () {
        const postgres = yield* Postgres
        // In this process, because no environment variable shortens the limit of 15 seconds.
        const service = yield* Layer.build(
          ApiPort.layer.pipe(
            Layer.provide(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
            Layer.provide(App.layer(options)),
            Layer.provide(Jobs.layer),
            Layer.provide(Database.layer({ url: Redacted.make(postgres.url) })),
            Layer.provide(Layer.succeed(AnswerTimeout, 1500)),
            Layer.provide(Logger.layer([]))
          )
        )
        const { token } = yield* aTenant
        const ask = clientOf(`http://127.0.0.1:${Context.get(service, ApiPort)}`, token)
        const first = yield* Effect.promise(() => ask("POST", contacts, { firstName: "Before" }))
        assert.strictEqual(first.status, 201, JSON.stringify(first.body))

        const { holder, replies } = yield* inFlight(ask)
        yield* postgres.freeze
        for (const reply of yield* Effect.promise(() => replies)) {
          assertUnavailable(reply)
          assert.isBelow(reply.took, 5000)
        }
        // On open connections, and on new ones that the server does not accept.
        for (let round = 0; round < 2; round++) {
          for (const reply of yield* Effect.promise(() => everything(ask))) {
            assertUnavailable(reply)
            assert.isBelow(reply.took, 5000)
          }
          const alive = yield* Effect.promise(() => ask("GET", "/healthz"))
          assert.strictEqual(alive.status, 200)
          assert.isBelow(alive.took, 1000)
        }

        yield* postgres.thaw
        yield* Effect.promise(() => holder.query("select pg_advisory_unlock_all()"))
        yield* eventually(async () => {
          const reply = await ask("POST", contacts, { firstName: "Afterwards" })
          assert.strictEqual(reply.status, 201, JSON.stringify(reply.body))
        })
        const listed = yield* Effect.promise(() => ask("GET", contacts))
        const names = (listed.body["data"] as ReadonlyArray<{ firstName: string }>).map(({ firstName }) => firstName)
        // The requests in flight were abandoned, although no cancel request could reach the database.
        assert.notInclude(names, "In flight")
        assert.include(names, "Before")
      })
  )
})
