import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { Database } from "../../src/db/Database.ts"
import { make, path } from "../support/ContactsClient.ts"
import { eventually } from "../support/polling.ts"
import { TestService } from "../support/TestService.ts"

const client = make()

layer(TestService.layer, { excludeTestServices: true })("A connection", (it) => {
  it.effect("aborts its request when the client closes it, before the commit", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const sql = yield* Database
        const { baseUrl } = yield* TestService
        const { list, teamId, token } = yield* client
        const waiting = sql<{ count: number }>`
        select count(*)::int as count from pg_locks
        where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`
        // Another session holds the lock that the create needs, until the client has disconnected.
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(hashtextextended(${`contact email ${teamId} `} || 'anna@example.com', 0))`
            const abort = new AbortController()
            const asked = fetch(`${baseUrl}${path}`, {
              method: "POST",
              signal: abort.signal,
              headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
              body: JSON.stringify({ email: "anna@example.com" })
            }).catch(() => undefined)
            yield* eventually(() =>
              Effect.runPromise(waiting).then(([row]) => {
                assert.strictEqual(row?.count, 1)
              })
            )
            abort.abort()
            yield* Effect.promise(() => asked)
            yield* eventually(() =>
              Effect.runPromise(waiting).then(([row]) => {
                assert.strictEqual(row?.count, 0)
              })
            )
          })
        )
        assert.deepStrictEqual((yield* list()).body.data, [])
      })
    )
  )

  it.effect("gets a problem for a request that the parser rejects, also after a response", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { hostname, port } = new URL(baseUrl)
      const text = yield* Effect.promise(async () => {
        const socket = connect(Number(port), hostname)
        let received = ""
        socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk))
        socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        while (!received.includes('"ok"')) await once(socket, "data")
        socket.write(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`)
        await once(socket, "close")
        return received
      })
      assert.include(text, "HTTP/1.1 431")
      assert.include(text, '"headers_too_large"')
    })
  )

  it.effect(
    "gets a problem when the parser rejects a body, unless the response has begun or another request follows",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { token } = yield* client
        const { hostname, port } = new URL(baseUrl)
        const head = (length: string) =>
          `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
        const responseTo = (text: string) =>
          Effect.promise(async () => {
            const socket = connect(Number(port), hostname)
            let received = ""
            socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk))
            socket.write(text)
            await once(socket, "close")
            return received
          })
        const chunked = yield* responseTo(`${head("Transfer-Encoding: chunked")}1\r\n{\r\nno size\r\n`)
        assert.match(chunked, /^HTTP\/1\.1 400 Bad Request\r\n/)
        assert.include(chunked, '"malformed_request"')
        // The pending response is that of the first request.
        assert.notInclude(yield* responseTo(`${head("Content-Length: 2")}{}no method`), "malformed_request")
      })
  )

  it.effect("may escape a path in several ways, which are one operation for an idempotency key", () =>
    Effect.gen(function* () {
      const { create, list, request, token } = yield* client
      const headers = { "idempotency-key": "k" }
      const first = yield* create({ firstName: "Anna" }, headers)
      const again = yield* request("POST", path.replace("contacts", "contact%73"), {
        token,
        json: { firstName: "Anna" },
        headers
      })
      assert.include([201, 404], again.status)
      if (again.status === 201) assert.strictEqual(again.text, first.text)
      assert.strictEqual((yield* list()).body.data.length, 1)
    })
  )

  it.effect("that changes references does not deadlock with one that deletes the resources", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { create, patch, delete: remove } = yield* client
      const deadlocks = Effect.map(
        sql<{ deadlocks: number }>`
          select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`,
        ([row]) => row?.deadlocks
      )
      const before = yield* deadlocks
      for (let round = 0; round < 20; round++) {
        const refs = (id: string) => ({ externalRefs: [{ namespace: "crm", externalId: `${round}-${id}` }] })
        const { body } = yield* create({ firstName: "Anna", ...refs("0") })
        yield* Effect.all([patch(body.id, refs("1")), remove(body.id), patch(body.id, refs("2"))], {
          concurrency: "unbounded"
        })
      }
      yield* sql`select pg_stat_force_next_flush()`
      assert.strictEqual(yield* deadlocks, before)
    })
  )
})
