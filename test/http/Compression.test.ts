/** Which answers are compressed, as they are transferred: docs/behaviour/http.md#compression-and-caching. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { type IncomingMessage, request as send } from "node:http"
import { gunzipSync } from "node:zlib"
import * as Files from "../content/files/client.ts"
import * as Agent from "../support/Agent.ts"
import { make, path } from "../support/ContactsClient.ts"
import { TestService } from "../support/TestService.ts"

interface Transferred {
  readonly status: number | undefined
  readonly headers: IncomingMessage["headers"]
  readonly bytes: Buffer
}

interface Sent {
  readonly method?: string
  readonly token: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer as it is transferred: this client adds no header and decompresses nothing. */
const transfer = (target: string, { headers, json, method = "GET", token }: Sent) =>
  Effect.flatMap(TestService, ({ baseUrl }) =>
    Effect.promise(async (): Promise<Transferred> => {
      const body = json === undefined ? undefined : JSON.stringify(json)
      const outgoing = send(`${baseUrl}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json", "content-length": body.length }),
          ...headers
        }
      })
      outgoing.end(body)
      const [answer] = (await once(outgoing, "response")) as [IncomingMessage]
      const bytes = Buffer.concat(await answer.toArray())
      return { status: answer.statusCode, headers: answer.headers, bytes }
    })
  )

const accepting = (encodings: string) => ({ "accept-encoding": encodings })

const all = accepting("gzip, deflate, br, zstd")

/** The records of a page. What else is on it depends on the moment. */
const dataOf = (bytes: Buffer) => (JSON.parse(bytes.toString()) as { readonly data: ReadonlyArray<unknown> }).data

/** A tenant with forty contacts. */
const withContacts = Effect.gen(function* () {
  const client = yield* make()
  const items = Array.from({ length: 40 }, (_, index) => ({ firstName: "Anna", lastName: `Berg ${index}` }))
  yield* client.request("POST", `${path}/batch/upsert`, { token: client.token, json: { items } })
  return client
})

layer(TestService.layer, { excludeTestServices: true })("An answer", (it) => {
  it.effect("is compressed with gzip if the client accepts it", () =>
    Effect.gen(function* () {
      const { token } = yield* withContacts
      const plain = yield* transfer(path, { token })
      assert.deepStrictEqual(
        [plain.headers["content-encoding"], plain.headers["vary"], plain.headers["content-length"]],
        [undefined, "Accept-Encoding", String(plain.bytes.length)]
      )
      const cases: ReadonlyArray<readonly [accepted: string, encoding: string | undefined]> = [
        ["gzip, deflate, br, zstd", "gzip"],
        ["GZIP;q=0.5", "gzip"],
        ["br;q=0, gzip;q=0.001, identity;q=0", "gzip"],
        ["*", "gzip"],
        ["*;q=0.5, gzip;q=0", undefined],
        ["gzip;q=0.000, *", undefined],
        ["deflate, br", undefined],
        ["identity", undefined],
        ["*;q=0", undefined],
        ["gzip;q=2", undefined],
        ["", undefined]
      ]
      for (const [accepted, encoding] of cases) {
        const { bytes, headers, status } = yield* transfer(path, { token, headers: accepting(accepted) })
        assert.deepStrictEqual(
          [status, headers["content-encoding"], headers["vary"], headers["content-length"]],
          [200, encoding, "Accept-Encoding", String(bytes.length)],
          accepted
        )
        const decoded = encoding === undefined ? bytes : gunzipSync(bytes)
        assert.deepStrictEqual(dataOf(decoded), dataOf(plain.bytes), accepted)
        if (encoding !== undefined) assert.isBelow(bytes.length, plain.bytes.length / 5)
      }
    })
  )

  it.effect("to HEAD has the headers of the one to GET", () =>
    Effect.gen(function* () {
      const { request, token } = yield* make()
      const { body } = yield* request<{ readonly id: string }>("POST", path, { token, json: { lastName: "Berg" } })
      const json = { message: "A note that is long enough. ".repeat(100) }
      yield* request("POST", `${path}/${body.id}/notes`, { token, json })
      // A timeline, because cursors and `nextSince` of other lists depend on the moment.
      const page = `${path}/${body.id}/actions`
      const get = yield* transfer(page, { token, headers: all })
      const head = yield* transfer(page, { token, headers: all, method: "HEAD" })
      assert.strictEqual(get.headers["content-encoding"], "gzip")
      assert.lengthOf(head.bytes, 0)
      for (const name of ["content-encoding", "content-length", "content-type", "vary"])
        assert.strictEqual(head.headers[name], get.headers[name], name)
    })
  )

  it.effect("is compressed as well when it refuses, and when it is one to an agent", () =>
    Effect.gen(function* () {
      const { token } = yield* make()
      const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`member${index}`, 1]))
      const refusal = yield* transfer(path, { token, headers: all, method: "POST", json: wrong })
      assert.deepStrictEqual([refusal.status, refusal.headers["content-encoding"]], [400, "gzip"])
      assert.include(gunzipSync(refusal.bytes).toString(), "invalid_request")
      const { headers, json } = Agent.message("tools/list")
      const tools = yield* transfer("/mcp", {
        token,
        headers: { ...headers, ...accepting("gzip") },
        method: "POST",
        json
      })
      assert.strictEqual(tools.headers["content-encoding"], "gzip")
      assert.include(gunzipSync(tools.bytes).toString(), "list_contacts")
    })
  )

  it.effect("is not compressed when it is short", () =>
    Effect.gen(function* () {
      const { create, token } = yield* make()
      yield* create({ firstName: "Anna" })
      const { headers } = yield* transfer(path, { token, headers: all })
      assert.deepStrictEqual([headers["content-encoding"], headers["vary"]], [undefined, "Accept-Encoding"])
    })
  )

  it.effect("with an ETag keeps it, strong, for If-Match and If-None-Match, and is not compressed", () =>
    Effect.gen(function* () {
      const { create, token } = yield* make()
      const { body: contact } = yield* create({ firstName: "Anna", strategy: "Offices. ".repeat(1000) })
      const target = `${path}/${contact.id}`
      const read = yield* transfer(target, { token, headers: all })
      const etag = String(read.headers["etag"])
      assert.deepStrictEqual(
        [read.headers["content-encoding"], etag, read.headers["vary"]],
        [undefined, '"v1"', undefined]
      )
      assert.isAbove(read.bytes.length, 8000)
      const unchanged = yield* transfer(target, { token, headers: { ...all, "if-none-match": etag } })
      assert.deepStrictEqual([unchanged.status, unchanged.headers["etag"]], [304, etag])
      const json = { firstName: "Maria" }
      const patched = yield* transfer(target, { token, method: "PATCH", json, headers: { ...all, "if-match": etag } })
      assert.deepStrictEqual(
        [patched.status, patched.headers["etag"], patched.headers["content-encoding"]],
        [200, '"v2"', undefined]
      )
    })
  )

  it.effect("that shows a secret is not compressed", () =>
    Effect.gen(function* () {
      const { token } = yield* make()
      const url = `http://127.0.0.1/${"x".repeat(2000)}`
      const json = { name: "CRM", url, events: ["contact.created"] }
      const created = yield* transfer("/api/v1/webhooks", { token, method: "POST", json, headers: all })
      assert.include(created.bytes.toString(), "whsec_")
      assert.isAbove(created.bytes.length, 2048)
      assert.deepStrictEqual(
        [created.status, created.headers["cache-control"], created.headers["content-encoding"]],
        [201, "no-store", undefined]
      )
    })
  )

  it.effect("that is a file is not compressed, and has ranges of its own bytes", () =>
    Effect.gen(function* () {
      const { token, upload } = yield* Files.make()
      const { body: file } = yield* upload("Terms. ".repeat(1000))
      const target = `/api/v1/files/${file.id}/content`
      const whole = yield* transfer(target, { token, headers: all })
      assert.deepStrictEqual(
        [whole.status, whole.headers["content-encoding"], whole.bytes.length],
        [200, undefined, 7000]
      )
      const part = yield* transfer(target, { token, headers: { ...all, range: "bytes=7-13" } })
      assert.deepStrictEqual(
        [part.status, part.headers["content-encoding"], part.bytes.toString()],
        [206, undefined, "Terms. "]
      )
    })
  )
})
