/** Standbys that are late, stop, hang or are promoted cost no request; a primary that is a standby costs no 500. */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { Database } from "../../src/platform/db/Database.ts"
import { startWorkerProcess } from "../process/fixture.ts"
import * as Tenant from "../support/Tenant.ts"
import { make as movingAddress } from "../support/MovingAddress.ts"
import { pollUntil } from "../support/polling.ts"
import { type Server, start } from "../support/ReplicatedPostgres.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"
import { service } from "./fixture.ts"

class Servers extends Context.Service<
  Servers,
  { readonly primary: Server; readonly first: Server; readonly second: Server }
>()("test/replicas/Servers") {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const primary = yield* start("primary")
      const [first, second] = yield* Effect.all(
        [start("first", { follows: primary }), start("second", { follows: primary })],
        { concurrency: 2 }
      )
      return { primary, first, second }
    })
  )
}

const contacts = "/api/v1/network/contacts"

/** A team's client of a service that runs in the scope. */
const aClient = Effect.fnUntraced(function* (primary: string, standbys: ReadonlyArray<Server>, maxLagMs: number) {
  const context = yield* Layer.buildWithScope(service(primary, standbys, maxLagMs), yield* Scope.Scope)
  const { request } = Context.get(context, TestService)
  return { context, request }
})

/** Reads and writes with eight callers until it is stopped; tells what was refused, and how long the longest answer took. */
const traffic = Effect.fnUntraced(function* (
  { request }: Pick<TestService["Service"], "request">,
  tenant: { readonly token: string }
) {
  const refused: Array<string> = []
  let [running, answers, longest] = [true, 0, 0]
  const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown) {
    const askedAt = performance.now()
    const { status, text } = yield* request(method, path, {
      token: tenant.token,
      ...(json === undefined ? {} : { json })
    })
    answers += 1
    longest = Math.max(longest, performance.now() - askedAt)
    if (status >= 400) refused.push(`${method} ${path} ${text}`)
  })
  const caller = (number: number) =>
    Effect.gen(function* () {
      while (running) {
        yield* ask("GET", contacts)
        yield* ask("GET", `${contacts}?updated_since=2026-01-01`)
        yield* ask("POST", `${contacts}:search`, { query: "maria" })
        yield* ask("GET", "/api/v1/changes?after=latest")
        if (number === 0) yield* ask("POST", contacts, { firstName: "Maria" })
      }
    })
  const callers = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: 8 }, (_, number) => caller(number)),
      { concurrency: "unbounded" }
    )
  )
  return {
    stop: Effect.gen(function* () {
      running = false
      yield* Fiber.join(callers)
      assert.deepStrictEqual(refused, [])
      assert.isAbove(answers, 100)
      return longest
    })
  }
})

const reads = (server: Server) =>
  Effect.promise(async () => {
    const [row] = await server.query<{ reads: string }>(
      "select xact_commit::text as reads from pg_stat_database where datname = current_database()"
    )
    return Number(row?.reads)
  })

layer(Servers.layer, { excludeTestServices: true, timeout: 120_000 })("Standbys", (it) => {
  it.effect("cost no request when they stop, hang, lag or are promoted", () =>
    Effect.gen(function* () {
      const { first, primary, second } = yield* Servers
      const maxLagMs = 1000
      const { context, request } = yield* aClient(primary.url, [first, second], maxLagMs)
      const within = Effect.provideContext(context)
      const tenant = yield* within(Tenant.make())
      const { standbys } = Context.get(context, Database)
      /** Waits until exactly these standbys are read from. */
      const only = (...servers: ReadonlyArray<Server>) => {
        const wanted = servers
          .map(({ port }) => `127.0.0.1:${port}`)
          .sort()
          .join()
        const chosen = Effect.sync(() =>
          [...new Set([1, 2].flatMap(() => standbys?.choose({ writes: [], seen: [] })?.address ?? []))].sort().join()
        )
        return pollUntil(`reads from ${wanted} alone`, chosen, (addresses) => addresses === wanted)
      }
      yield* only(first, second)
      const before = yield* reads(second)
      const running = yield* traffic({ request }, tenant)

      yield* Effect.promise(() => first.kill())
      yield* only(second)
      yield* Effect.promise(() => first.start())
      yield* only(first, second)

      yield* Effect.promise(() => second.freeze())
      yield* only(first)
      yield* Effect.promise(() => second.thaw())
      yield* only(first, second)

      yield* Effect.promise(() => second.query("select pg_wal_replay_pause()"))
      yield* only(first)
      yield* Effect.promise(() => second.query("select pg_wal_replay_resume()"))
      yield* only(first, second)

      yield* Effect.promise(() => first.promote())
      yield* only(second)
      const longest = yield* running.stop
      // It was noticed within a second and a check that the standby hung.
      assert.isBelow(longest, 5000)
      assert.isAbove(yield* reads(second), before + 100)
      assert.strictEqual((yield* request("GET", "/readyz")).status, 200)
    })
  )

  it.effect("keep no lease of a worker whose address led to one for a while", () =>
    Effect.gen(function* () {
      const { primary, second } = yield* Servers
      const address = yield* movingAddress(primary.port)
      const url = new URL(primary.url)
      url.port = String(address.port)
      yield* Effect.provideService(startWorkerProcess(), TestDatabase, { url: Redacted.make(url.href) })
      const leases = (server: Server) =>
        Effect.promise(() =>
          server.query("select from pg_stat_activity where application_name = 'property-network worker lock'")
        )
      yield* pollUntil("the lease", leases(primary), ({ length }) => length === 1)
      address.moveTo(second.port)
      yield* pollUntil("the end of the lease", leases(primary), ({ length }) => length === 0)
      yield* pollUntil("an attempt at the standby", leases(second), ({ length }) => length === 1)
      // The connections to the standby would last: nothing breaks them.
      address.moveTo(primary.port, { kept: true })
      yield* pollUntil("the lease again", leases(primary), ({ length }) => length === 1)
    })
  )

  it.effect(
    "are not taken for a primary: everything is 503 on a process whose primary is one, until it is another",
    () =>
      Effect.gen(function* () {
        const { primary, second } = yield* Servers
        const address = yield* movingAddress(second.port)
        const writer = yield* aClient(primary.url, [], 2000)
        const tenant = yield* Effect.provideContext(Tenant.make(), writer.context)
        const url = new URL(primary.url)
        url.port = String(address.port)
        const { request } = yield* aClient(url.href, [], 2000)
        const ready = yield* request("GET", "/readyz")
        assert.deepInclude(ready.body, { status: 503, detail: "The database is a standby, which takes no writes." })
        for (const [method, path, json] of [
          ["GET", contacts],
          ["GET", `${contacts}?updated_since=2026-01-01`],
          ["POST", contacts, { firstName: "Maria" }],
          ["GET", "/api/v1/changes"]
        ] as const) {
          const reply = yield* request(method, path, { token: tenant.token, ...(json === undefined ? {} : { json }) })
          assert.strictEqual(reply.status, 503, `${path} ${reply.text}`)
        }
        // The connections to the standby would last: nothing breaks them.
        address.moveTo(primary.port, { kept: true })
        yield* pollUntil("the primary", request("GET", "/readyz"), ({ status }) => status === 200)
        for (let index = 0; index < 20; index++) {
          const created = yield* request("POST", contacts, { token: tenant.token, json: { firstName: "Maria" } })
          assert.strictEqual(created.status, 201, created.text)
        }
      }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )
})
