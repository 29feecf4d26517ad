import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { connect } from "node:net"
import { Database } from "../../src/platform/db/Database.ts"
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

  /** What a client receives that sends these texts, each after it received the last match, until the connection ends. */
  const received = (first: string, ...others: ReadonlyArray<readonly [after: RegExp, text: string]>) =>
    Effect.flatMap(TestService, ({ baseUrl }) =>
      Effect.promise(async () => {
        const { hostname, port } = new URL(baseUrl)
        const socket = connect(Number(port), hostname)
        let text = ""
        const closed = once(socket, "close")
        socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        socket.write(first)
        for (const [after, next] of others) {
          while (!after.test(text)) await once(socket, "data")
          socket.write(next)
        }
        await closed
        return text
      })
    )

  const statusesOf = (text: string) => Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

  const probe = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

  const creationOf = (token: string, json: string, length = `Content-Length: ${json.length}`) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${length}\r\n\r\n${json}`

  it.effect("gets a problem for a request that the parser rejects, also after a response", () =>
    Effect.gen(function* () {
      const text = yield* received(probe, [
        /"ok"/,
        `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`
      ])
      assert.deepStrictEqual(statusesOf(text), [200, 431])
      assert.include(text, '"headers_too_large"')
    })
  )

  it.effect("gets a problem when the parser rejects a body", () =>
    Effect.gen(function* () {
      const { token } = yield* client
      const text = yield* received(creationOf(token, "1\r\n{\r\nno size\r\n", "Transfer-Encoding: chunked"))
      assert.deepStrictEqual(statusesOf(text), [400])
      assert.include(text, '"malformed_request"')
    })
  )

  it.effect("gets the answers to its requests before the problem of what follows them, and their writes are kept", () =>
    Effect.gen(function* () {
      const { list, token } = yield* client
      for (const garbage of [
        "no method",
        "GET / HTTP/9\r\n\r\n",
        `GET /healthz HTTP/1.1\r\nX: ${"x".repeat(20_000)}`,
        creationOf(token, "1\r\n{\r\nno size\r\n", "Transfer-Encoding: chunked")
      ]) {
        const text = yield* received(`${creationOf(token, '{"firstName":"Anna"}')}${probe}${garbage}`)
        assert.deepStrictEqual(statusesOf(text).slice(0, 2), [201, 200], garbage)
        assert.include([400, 431], statusesOf(text)[2], garbage)
        assert.include(text, "Connection: close")
        assert.lengthOf(statusesOf(text), 3, garbage)
      }
      assert.deepStrictEqual(
        (yield* list()).body.data.map(({ firstName }) => firstName),
        ["Anna", "Anna", "Anna", "Anna"]
      )
    })
  )

  it.effect("gets a problem for CONNECT, after the answers to earlier requests", () =>
    Effect.gen(function* () {
      const tunnel = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"
      const text = yield* received(`${probe}${tunnel}`)
      assert.deepStrictEqual(statusesOf(text), [200, 405])
      assert.match(text, /\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE\r\n/)
      assert.include(text, '"method_not_allowed"')
      assert.deepStrictEqual(statusesOf(yield* received(tunnel)), [405])
    })
  )

  it.effect("gets a problem, and is closed, for headers that proxies may read differently", () =>
    Effect.gen(function* () {
      const { token } = yield* client
      const bearer = `Authorization: Bearer ${token}\r\n`
      for (const [headers, detail] of [
        ["", "The Host header is missing."],
        ["Host: x\r\nhOST: y\r\n", "Send one Host header."],
        ["Host: x\r\nHost: x\r\n", "Send one Host header."],
        [`Host: x\r\n${bearer}${bearer}`, "Send one Authorization header."],
        [`Host: x\r\n${bearer}AUTHORIZATION: Bearer x\r\n`, "Send one Authorization header."],
        ["Host: x\r\nTransfer-Encoding: gzip, chunked\r\n", "The only Transfer-Encoding that is supported is chunked."]
      ] as const) {
        const text = yield* received(`GET /api/v1/auth/me HTTP/1.1\r\n${headers}\r\n`)
        assert.deepStrictEqual(statusesOf(text), [400], headers)
        assert.include(text, '"malformed_request"', headers)
        assert.include(text, detail, headers)
      }
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
