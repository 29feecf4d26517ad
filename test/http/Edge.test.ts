/** Headers of every response, and requests that are refused before they reach an operation. */
import * as App from "../../src/App.ts"
import * as Logging from "../../src/process/Logging.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connect } from "node:net"
import { TooManyTransactions } from "../../src/platform/db/TransactionPermits.ts"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { make, path } from "../support/ContactsClient.ts"
import { faultsOf } from "../support/faults.ts"
import { operations } from "../support/Surface.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, type Reply, TestService } from "../support/TestService.ts"

// Every request must be answered quickly.
const timeout = { timeout: 10_000 }

const client = make()

/** What lists answer, or why they refuse. */
interface Answered {
  readonly data?: ReadonlyArray<unknown>
  readonly page?: { readonly hint?: string }
  readonly detail?: string
  readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly detail: string }>
}

/** The response to raw bytes, read until the server closes the connection or until `stop` appears. */
const say = (baseUrl: string, bytes: string | Uint8Array, stop?: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const { hostname, port } = new URL(baseUrl)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let answer = ""
    const done = () => {
      socket.destroy()
      resume(Effect.succeed(answer))
    }
    socket.setEncoding("utf8")
    socket.on("data", (text: string) => {
      answer += text
      if (stop !== undefined && answer.includes(stop)) done()
    })
    socket.on("close", done)
    socket.on("error", done)
    return Effect.sync(() => socket.destroy())
  })

/** Splits a response into status, headers and body. */
const parts = (answer: string) => {
  const end = answer.indexOf("\r\n\r\n")
  const [status = "", ...lines] = answer.slice(0, end).split("\r\n")
  return {
    status: Number(status.split(" ")[1]),
    headers: new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      })
    ),
    text: answer.slice(end + 4)
  }
}

/** Asserts that a reply is a complete problem with this status and code. */
const isProblem = (reply: Pick<Reply<unknown>, "status" | "headers" | "text">, status: number, code: string): void => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.headers.get("content-type"), "application/problem+json")
  const body = JSON.parse(reply.text) as Record<string, unknown>
  assert.deepStrictEqual(Object.keys(body).slice(0, 5), ["type", "title", "status", "code", "detail"])
  assert.deepInclude(body, { status, code, requestId: reply.headers.get("x-request-id") })
  assert.match(String(body["type"]), new RegExp(`^http://127\\.0\\.0\\.1:\\d+/help/${code.replaceAll("_", "-")}$`))
  assert.isString(body["title"])
  assert.isNotEmpty(body["detail"])
}

const head = (...lines: ReadonlyArray<string>) => `${lines.join("\r\n")}\r\n\r\n`

layer(TestService.layer, { excludeTestServices: true })("The edge", (it) => {
  it.effect(
    "repeats a well-formed request id in responses and problems",
    () =>
      Effect.gen(function* () {
        const { request, token } = yield* client
        for (const id of ["a", "0123-abc.DEF_x", "x".repeat(128)]) {
          const headers = { "x-request-id": id }
          const granted = yield* request("GET", "/api/v1/auth/me", { token, headers })
          assert.deepStrictEqual([granted.status, granted.headers.get("x-request-id")], [200, id])
          for (const at of ["/nowhere", "/api/v1/auth/me", "/healthz", "/openapi.json"]) {
            const reply = yield* request("GET", at, { headers })
            assert.strictEqual(reply.headers.get("x-request-id"), id, at)
            if (reply.status >= 400) assert.strictEqual(reply.body["requestId"], id)
          }
        }
      }),
    timeout
  )

  it.effect(
    "creates a request id when it is missing or malformed",
    () =>
      Effect.gen(function* () {
        const { request } = yield* client
        const seen = new Set<unknown>()
        const unsafe = ["", "a b", "a/b", "<script>", "x".repeat(129), "a\u00e9", "a,b"].map((id) => ({
          "x-request-id": id
        }))
        for (const headers of [...unsafe, {}]) {
          const reply = yield* request("GET", "/nowhere", { headers })
          assert.match(reply.headers.get("x-request-id") ?? "", /^req_[0-9a-f]{32}$/)
          assert.strictEqual(reply.body["requestId"], reply.headers.get("x-request-id"))
          seen.add(reply.body["requestId"])
        }
        assert.strictEqual(seen.size, unsafe.length + 1)
      }),
    timeout
  )

  it.effect("reads characters of a path that need no encoding as themselves, and no others", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      const encode = (text: string, characters: RegExp) =>
        text.replaceAll(characters, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`)
      const withColon = operations.filter(({ path }) => /[^/]:/.test(path))
      assert.isAtLeast(withColon.length, 3)
      for (const { method, path } of withColon) {
        const plain = path.replaceAll(/\/:\w+/g, "/x")
        for (const encoded of [encode(plain, /:/g), plain.replaceAll(":", "%3A")]) {
          assert.strictEqual((yield* request(method, encoded)).status, 401, encoded)
        }
      }
      const me = "/api/v1/auth/me"
      for (const encoded of [encode(me, /[a-z0-9]/g), "/%61pi/v1/auth/m%65", "/api/v%31/auth/me?"]) {
        assert.strictEqual((yield* request("GET", encoded, { token })).status, 200, encoded)
      }
      assert.strictEqual((yield* request("GET", "/%2ewell%2Dknown/oauth%2Dauthorization%2dserver")).status, 200)
      assert.strictEqual((yield* request("PUT", encode(me, /m/g), { token })).headers.get("allow"), "GET, HEAD")
      for (const other of [
        "/api%2Fv1/auth/me",
        "/api/v1/auth/me%3F",
        "/api/v1/auth/me%20",
        "/api/v1/auth%25/me",
        "/api/v1/auth/me%"
      ]) {
        assert.strictEqual((yield* request("GET", other, { token })).status, 404, other)
      }
    })
  )

  it.effect("says how to write a plus sign where a parameter with one is refused or finds nothing", () =>
    Effect.gen(function* () {
      const { create, request, token } = yield* client
      yield* create({ firstName: "Anna", externalRefs: [{ namespace: "crm", externalId: "a b" }] })
      const list = (query: string, at = path) => request<Answered>("GET", `${at}?${query}`, { token })
      const refused: ReadonlyArray<readonly [query: string, pointer: string | undefined, at?: string]> = [
        ["email=anna+crm@example.com", "/email"],
        ["tags=a&email=anna%2bcrm+@example.com+x&page_size=5", "/email"],
        ["updated_since=2026-11-21T09:30:00+02:00", "/updated_since"],
        ["updated_since=2026-11-21T09:30:00.5+0200&include_deleted=true", "/updated_since"],
        ["cursor=abc+def", undefined],
        ["page_size=+5", "/page_size"],
        ["external_ref=crm+8812", "/external_ref"],
        ["domain=a+b", "/domain", "/api/v1/network/companies"],
        ["tags=value+adds", "/tags/0", "/api/v1/properties"],
        ["after=a+b", undefined, "/api/v1/changes"]
      ]
      for (const [query, pointer, at] of refused) {
        const { body, status } = yield* list(query, at)
        assert.strictEqual(status, 400, query)
        const details =
          pointer === undefined
            ? [body.detail]
            : body.errors?.map((fault) => (fault.pointer === pointer ? fault.detail : ""))
        assert.match(details?.join("") ?? "", /%2B/, `${query} ${JSON.stringify(body)}`)
        assert.strictEqual(JSON.stringify(body.errors ?? body.detail).match(/%2B/g)?.length, 1, query)
      }
      for (const query of ["external_ref=crm:a+b+c", "external_ref=crm:+&tags=x", "tags=value+add"]) {
        const { body } = yield* list(query)
        assert.deepStrictEqual(body.data, [], query)
        assert.match(body.page?.hint ?? "", /^In a URL, \+ means a space.*(?:external_ref|tags).*%2B/, query)
      }
      // A space that finds what was meant, one that was meant, and none at all.
      for (const [query, found] of [
        ["external_ref=crm:a+b", 1],
        ["external_ref=crm:a%20b", 1],
        ["external_ref=crm:a%2Bb", 0],
        ["external_ref=crm:a%20c", 0]
      ] as const) {
        const { body } = yield* list(query)
        assert.strictEqual(body.data?.length, found, query)
        assert.notProperty(body.page, "hint", query)
      }
      const { body } = yield* list("email=a%20b@example.com")
      assert.notInclude(JSON.stringify(body), "%2B")
    })
  )

  it.effect("redirects from the root to the documentation", () =>
    Effect.gen(function* () {
      const { request } = yield* client
      const root = yield* request("GET", "/")
      assert.deepStrictEqual([root.status, root.headers.get("location")], [302, "/docs"])
    })
  )

  it.effect(
    "answers 404 for unknown paths, including other case, extra slashes and escapes",
    () =>
      Effect.gen(function* () {
        const { request, token } = yield* client
        for (const at of [
          "/api",
          "/api/v1",
          "/api/v2/auth/me",
          "/api/v1/auth/me/",
          "/API/v1/auth/me",
          "/api/v1/auth/Me",
          "/api/v1//auth/me",
          "//api/v1/auth/me",
          "//example.com/api/v1/auth/me",
          "/api/v1/auth/me%2f",
          "/api/v1/auth/me%00",
          `${path}/`,
          `${path}//actions`,
          `${path}:find`,
          "/docs/",
          "/openapi.json/",
          "/help/",
          "/help/nothing",
          "/help/Not-Found",
          "/favicon.ico",
          "/..%2f..%2fetc%2fpasswd"
        ]) {
          const reply = yield* request("GET", at, { token })
          isProblem(reply, 404, "not_found")
        }
      }),
    timeout
  )

  it.effect(
    "answers 405 for other methods of a path and lists the allowed ones",
    () =>
      Effect.gen(function* () {
        const { baseUrl, request } = yield* TestService
        const cases: ReadonlyArray<readonly [method: string, path: string, allow: string]> = [
          ["DELETE", path, "GET, HEAD, POST"],
          ["POST", `${path}/contact_x`, "GET, HEAD, PATCH, DELETE"],
          ["PUT", `${path}/contact_x`, "GET, HEAD, PATCH, DELETE"],
          ["OPTIONS", "/api/v1/auth/me", "GET, HEAD"],
          ["GET", "/openid/token", "POST"],
          ["HEAD", "/openid/token", "POST"],
          ["POST", "/openapi.json", "GET, HEAD"],
          ["POST", "/docs", "GET, HEAD"],
          ["DELETE", "/help/not-found", "GET, HEAD"]
        ]
        for (const [method, at, allow] of cases) {
          const reply = yield* request(method, at)
          assert.deepStrictEqual([reply.status, reply.headers.get("allow")], [405, allow], `${method} ${at}`)
          if (method !== "HEAD") isProblem(reply, 405, "method_not_allowed")
        }
        for (const method of ["TRACE", "PROPFIND", "QUERY"]) {
          const answer = parts(
            yield* say(baseUrl, head(`${method} /api/v1/auth/me HTTP/1.1`, "Host: x", "Connection: close"))
          )
          isProblem(answer, 405, "method_not_allowed")
          assert.strictEqual(answer.headers.get("allow"), "GET, HEAD")
        }
      }),
    timeout
  )

  it.effect(
    "answers HEAD like GET, without the body",
    () =>
      Effect.gen(function* () {
        const { create, request, token } = yield* client
        const { body } = yield* create({ firstName: "Anna" })
        for (const at of [
          `${path}/${body.id}`,
          path,
          "/api/v1/auth/me",
          "/openapi.json",
          "/docs",
          "/help/not-found",
          "/healthz"
        ]) {
          const [get, mirrored] = [yield* request("GET", at, { token }), yield* request("HEAD", at, { token })]
          assert.deepStrictEqual([mirrored.status, mirrored.text], [200, ""], at)
          for (const name of ["etag", "content-type", "ratelimit-policy"]) {
            assert.strictEqual(mirrored.headers.get(name), get.headers.get(name), `${at} ${name}`)
          }
        }
        const unchanged = yield* request("HEAD", `${path}/${body.id}`, {
          token,
          headers: { "if-none-match": body.etag }
        })
        assert.strictEqual(unchanged.status, 304)
        for (const [at, status] of [
          ["/nowhere", 404],
          [`${path}/contact_x`, 404],
          [`${path}?page_sze=1`, 400]
        ] as const) {
          const refused = yield* request("HEAD", at, { token })
          assert.deepStrictEqual([refused.status, refused.text], [status, ""])
        }
      }),
    timeout
  )

  it.effect(
    "rejects JSON over 4 MiB, whether sent at once, announced, or in chunks, and accepts 4 MiB",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { request, token } = yield* client
        const json = (bytes: number) => `{"firstName":"${"x".repeat(bytes - 16)}"}`
        const limit = 4 * 1024 * 1024
        const headers = { "content-type": "application/json" }
        isProblem(yield* request("POST", path, { token, headers, text: json(limit) }), 400, "invalid_request")
        isProblem(yield* request("POST", path, { token, headers, text: json(limit + 1) }), 413, "payload_too_large")
        const start = [
          `POST ${path} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${token}`,
          "Content-Type: application/json"
        ]
        // A client that announces too much is rejected at once and does not get 100 Continue.
        for (const expect of [[], ["Expect: 100-continue"]]) {
          const announced = yield* say(
            baseUrl,
            head(...start, `Content-Length: ${limit + 1}`, ...expect),
            '"requestId"'
          )
          isProblem(parts(announced), 413, "payload_too_large")
        }
        const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`
        const chunked = yield* say(
          baseUrl,
          head(...start, "Transfer-Encoding: chunked") + chunk.repeat(65) + "0\r\n\r\n",
          '"requestId"'
        )
        isProblem(parts(chunked), 413, "payload_too_large")
      }),
    timeout
  )

  it.effect(
    "reads a body that waits for 100 Continue",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { token } = yield* client
        const body = '{"firstName":"Anna"}'
        const lines = [
          `POST ${path} HTTP/1.1`,
          "Host: x",
          "Connection: close",
          `Authorization: Bearer ${token}`,
          "Content-Type: application/json",
          `Content-Length: ${body.length}`
        ]
        const patient = yield* say(baseUrl, head(...lines, "Expect: 100-continue"), "100 Continue")
        assert.match(patient, /^HTTP\/1\.1 100 Continue\r\n/)
        // An unknown expectation is ignored.
        assert.match(yield* say(baseUrl, head(...lines, "Expect: the-best") + body), /^HTTP\/1\.1 201 /)
      }),
    timeout
  )

  it.effect(
    "rejects other media types, and lists the accepted ones for PATCH",
    () =>
      Effect.gen(function* () {
        const { create, request, token } = yield* client
        const { body } = yield* create({ firstName: "Anna" })
        const refused: ReadonlyArray<Record<string, string>> = [
          { "content-type": "text/plain" },
          { "content-type": "application/x-www-form-urlencoded" },
          { "content-type": "application/json-patch+json" },
          { "content-type": "application/json; charset=latin1" },
          { "content-type": "application/json", "content-encoding": "gzip" }
        ]
        for (const headers of refused) {
          const posted = yield* request("POST", path, { token, headers, text: "{}" })
          isProblem(posted, 415, "unsupported_media_type")
          assert.isNull(posted.headers.get("accept-patch"))
          const patched = yield* request("PATCH", `${path}/${body.id}`, { token, headers, text: "{}" })
          isProblem(patched, 415, "unsupported_media_type")
          assert.strictEqual(patched.headers.get("accept-patch"), "application/merge-patch+json, application/json")
        }
        const read: ReadonlyArray<Record<string, string>> = [
          { "content-type": "application/json" },
          { "content-type": 'Application/JSON; Charset="UTF-8"' },
          { "content-type": "application/merge-patch+json" }
        ]
        for (const headers of read) {
          assert.strictEqual(
            (yield* request("PATCH", `${path}/${body.id}`, { token, headers, text: "{}" })).status,
            200
          )
        }
        const asPatch = { "content-type": "application/merge-patch+json" }
        isProblem(yield* request("POST", path, { token, headers: asPatch, text: "{}" }), 415, "unsupported_media_type")
      }),
    timeout
  )

  it.effect(
    "rejects a body that is not JSON in UTF-8, or nested deeper than 64 levels",
    () =>
      Effect.gen(function* () {
        const { request, token } = yield* client
        const headers = { "content-type": "application/json" }
        const nested = (depth: number) => `{"tags":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
        const malformed = [
          "",
          " \r\n",
          "{",
          '{"firstName":"Anna"}}',
          "{'firstName':'Anna'}",
          '{"firstName":"Anna",}',
          "NaN",
          "undefined",
          '{"firstName":"A\nB"}',
          new Uint8Array([0x7b, 0x22, 0x66, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
          new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
          new Uint8Array([0x22, 0xe2, 0x82]),
          nested(65),
          "[".repeat(200_000)
        ]
        for (const text of malformed) {
          isProblem(yield* request("POST", path, { token, headers, text }), 400, "malformed_json")
        }
        const wellFormed = [
          "null",
          "[]",
          '"text"',
          "5",
          nested(64),
          `{"firstName":"${"[".repeat(200)}\\"${"{".repeat(100)}","nothing":1}`,
          '{"__proto__":{"firstName":"Anna"}}'
        ]
        for (const text of wellFormed) {
          isProblem(yield* request("POST", path, { token, headers, text }), 400, "invalid_request")
        }
        assert.strictEqual(
          (yield* request("POST", path, { token, headers, text: '\ufeff{"firstName":"Anna"}' })).status,
          201
        )
      }),
    timeout
  )

  it.effect(
    "answers 404 for ids with NUL, broken escapes, or great length",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { request, token } = yield* client
        for (const id of [
          "%00",
          "contact_%00",
          "%E0%A4%A",
          "%",
          "%zz",
          "%FF",
          "x".repeat(2000),
          "%F0%9F%8F%A2",
          "..",
          "%2e%2e"
        ]) {
          const reply = yield* request("GET", `${path}/${id}`, { token })
          if (id !== ".." && id !== "%2e%2e") isProblem(reply, 404, "not_found")
        }
        isProblem(parts(yield* say(baseUrl, head(`GET ${path}/a\0b HTTP/1.1`, "Host: x"))), 400, "malformed_request")
      }),
    timeout
  )

  it.effect(
    "reports all faults of query parameters at once, whatever they contain",
    () =>
      Effect.gen(function* () {
        const { request, token } = yield* client
        const faults = (query: string) =>
          Effect.map(request("GET", `${path}?${query}`, { token }), (reply) => {
            assert.strictEqual(reply.status, 400, query)
            return reply.body["code"] === "invalid_request" ? [...faultsOf(reply)].sort() : [reply.body["code"]]
          })
        assert.deepStrictEqual(yield* faults("page_size=%E0%A4%A"), ["query /page_size out_of_range"])
        assert.deepStrictEqual(yield* faults("page_size=&frce=1&nothing="), [
          "query /frce unknown_parameter",
          "query /nothing unknown_parameter",
          "query /page_size blank"
        ])
        assert.deepStrictEqual(yield* faults("page_size=1&page_size=2"), ["query /page_size repeated"])
        assert.deepStrictEqual(yield* faults("cursor=%00"), ["query /cursor invalid_characters"])
        assert.deepStrictEqual(yield* faults("external_ref=crm:%00"), ["query /external_ref invalid_characters"])
        assert.deepStrictEqual(yield* faults("__proto__=1&constructor=2"), [
          "query /__proto__ unknown_parameter",
          "query /constructor unknown_parameter"
        ])
      }),
    timeout
  )

  it.effect(
    "ignores the body of a GET and requests to switch protocols",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { token } = yield* client
        const get = ["GET /api/v1/auth/me HTTP/1.1", "Host: x", `Authorization: Bearer ${token}`]
        const bodies: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
          [["Content-Length: 5"], "hello"],
          [["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n"],
          [["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQAAP__"], ""],
          [["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AA=="], ""]
        ]
        for (const [lines, body] of bodies) {
          const answer = yield* say(baseUrl, head(...get, ...lines) + body, '"capabilities"')
          assert.strictEqual(parts(answer).status, 200, answer)
        }
        const json = '{"firstName":"Anna"}'
        const post = head(
          `POST ${path} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${token}`,
          "Content-Type: application/json",
          "Upgrade: h2c",
          "Connection: Upgrade",
          "Transfer-Encoding: chunked"
        )
        const created = yield* say(baseUrl, `${post}${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`, '"etag"')
        assert.strictEqual(parts(created).status, 201, created)
      }),
    timeout
  )

  it.effect(
    "answers problems for URLs and headers over 16 KiB and for bytes that are not HTTP",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const long = "x".repeat(20_000)
        const cases: ReadonlyArray<readonly [string | Uint8Array, number, string]> = [
          [head("GET /api/v1/auth/me HTTP/1.1", "Host: x", `X-Long: ${long}`), 431, "headers_too_large"],
          [head(`GET /${long} HTTP/1.1`, "Host: x"), 431, "headers_too_large"],
          [head(`GET ${path}?cursor=${long} HTTP/1.1`, "Host: x"), 431, "headers_too_large"],
          ["hello\r\n\r\n", 400, "malformed_request"],
          [head("GET /api/v1/auth/me SPDY/3"), 400, "malformed_request"],
          [head("FROBNICATE /api/v1/auth/me HTTP/1.1", "Host: x"), 400, "malformed_request"],
          [
            new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
            400,
            "malformed_request"
          ],
          [head("GET /api/v1/auth/me HTTP/1.1", "Host: x", "No colon here"), 400, "malformed_request"],
          [head("GET /api/v1/auth/me HTTP/1.1", "Connection: close"), 400, "malformed_request"],
          [
            head(`POST ${path} HTTP/1.1`, "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked") + "{}",
            400,
            "malformed_request"
          ],
          [head(`POST ${path} HTTP/1.1`, "Host: x", "Content-Length: two") + "{}", 400, "malformed_request"]
        ]
        for (const [bytes, status, code] of cases) {
          isProblem(parts(yield* say(baseUrl, bytes)), status, code)
        }
        const within = parts(
          yield* say(baseUrl, head(`GET /${"x".repeat(12_000)} HTTP/1.1`, "Host: x", "Connection: close"))
        )
        isProblem(within, 404, "not_found")
        const old = parts(yield* say(baseUrl, head("GET /healthz HTTP/1.0")))
        assert.strictEqual(old.status, 200)
      }),
    timeout
  )

  it.effect(
    "keeps working when clients disconnect in the middle of a request",
    () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { list, request, token } = yield* client
        const start = head(
          `POST ${path} HTTP/1.1`,
          "Host: x",
          `Authorization: Bearer ${token}`,
          "Content-Type: application/json",
          "Content-Length: 1000"
        )
        yield* Effect.forEach(
          ["", "GET / HT", start, `${start}{"firstName":"A`],
          (bytes) => Effect.timeoutOption(say(baseUrl, bytes), "100 millis"),
          { concurrency: "unbounded" }
        )
        assert.strictEqual((yield* request("GET", "/healthz")).status, 200)
        assert.deepStrictEqual((yield* list()).body.data, [])
      }),
    timeout
  )

  it.effect(
    "sends the rate limit with every authenticated response, including refusals",
    () =>
      Effect.gen(function* () {
        const { create, request, token } = yield* client
        const { body } = yield* create({ email: "anna@example.com" })
        const at = `${path}/${body.id}`
        const text = { "content-type": "text/plain" }
        const pending = yield* make({ broker: null })
        const asks: ReadonlyArray<readonly [number, Effect.Effect<Reply<unknown>>]> = [
          [200, request("GET", at, { token })],
          [304, request("GET", at, { token, headers: { "if-none-match": body.etag } })],
          [400, request("GET", `${path}?page_size=0`, { token })],
          [400, request("POST", path, { token, text: "{", headers: { "content-type": "application/json" } })],
          [403, request("GET", path, { token: pending.token })],
          [404, request("GET", `${path}/contact_x`, { token })],
          [409, request("POST", path, { token, json: { email: "anna@example.com" } })],
          [412, request("PATCH", at, { token, json: {}, headers: { "if-match": '"v0"' } })],
          [415, request("PATCH", at, { token, text: "{}", headers: text })],
          [204, request("DELETE", at, { token })]
        ]
        for (const [status, ask] of asks) {
          const reply = yield* ask
          assert.strictEqual(reply.status, status, reply.text)
          assert.strictEqual(reply.headers.get("ratelimit-policy"), '"pat";q=100000;w=60')
          assert.match(reply.headers.get("ratelimit") ?? "", /^"pat";r=999\d\d;t=(?:[1-9]|[1-5]\d|60)$/)
        }
        for (const ask of [
          request("GET", path),
          request("GET", path, { token: "nobody" }),
          request("GET", "/nowhere")
        ]) {
          assert.isNull((yield* ask).headers.get("ratelimit"))
        }
      }),
    timeout
  )
})

const logged: Array<string> = []

const service = (appOptions: App.Options) =>
  TestService.layerServer.pipe(
    Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
    // Replaces use-cases by some that die.
    Layer.provideMerge(
      Layer.effect(
        Contacts,
        Effect.map(Contacts, (contacts) => ({
          ...contacts,
          list: () => Effect.die(new Error("select secret from tokens")),
          batchGet: () => Effect.die(new TooManyTransactions({ tenant: "mine" }))
        }))
      )
    ),
    Layer.provideMerge(App.layer(appOptions)),
    Layer.provideMerge(Jobs.layerMemory),
    Layer.provideMerge(TestDatabase.layer),
    Layer.provide(Layer.succeed(ChangeClock, "database")),
    Layer.provide(
      Logging.layerInto("Warn", Logging.json, {
        line: (line) => logged.push(line),
        flush: () => {},
        drain: () => {}
      })
    )
  )

layer(service({ ...options, rateLimits: { pat: 3, client: 3, session: 3 } }), { excludeTestServices: true })(
  "A service with a failing use-case and a low rate limit",
  (it) => {
    it.effect(
      "answers an unexpected error with a problem that contains the request id and nothing of the error",
      () =>
        Effect.gen(function* () {
          const { list } = yield* client
          const reply = yield* list("", { "x-request-id": "call-me-7" })
          isProblem(reply, 500, "internal_error")
          assert.strictEqual(reply.headers.get("x-request-id"), "call-me-7")
          assert.strictEqual(reply.headers.get("ratelimit-policy"), '"pat";q=3;w=60')
          assert.notMatch(reply.text, /select|secret|Error:|node_modules|\.ts\b|at /)
          const [line, ...others] = logged.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
          assert.deepStrictEqual(others, [])
          assert.deepInclude(line, { level: "ERROR", requestId: "call-me-7", method: "GET", route: path, path })
          assert.match(String(line?.["cause"]), /select secret from tokens\n +at /)
          assert.match(String(line?.["user"]), /^user_/)
        }),
      timeout
    )

    it.effect(
      "refuses a write for which too many of its team wait, without logging an error",
      () =>
        Effect.gen(function* () {
          const { batchGet } = yield* client
          logged.length = 0
          const reply = yield* batchGet([])
          isProblem(reply, 429, "rate_limited")
          assert.strictEqual(reply.headers.get("retry-after"), "1")
          assert.match(reply.text, /writes of this team wait/)
          assert.deepStrictEqual(logged, [])
        }),
      timeout
    )

    it.effect(
      "rejects requests over the rate limit with Retry-After",
      () =>
        Effect.gen(function* () {
          const { create, get } = yield* client
          const { body, headers } = yield* create({ firstName: "Anna" })
          assert.match(headers.get("ratelimit") ?? "", /^"pat";r=2;t=\d+$/)
          assert.strictEqual((yield* get(body.id)).headers.get("ratelimit")?.split(";")[1], "r=1")
          assert.strictEqual((yield* get("contact_x")).headers.get("ratelimit")?.split(";")[1], "r=0")
          const refused = yield* get(body.id)
          isProblem(refused, 429, "rate_limited")
          const left = /^"pat";r=0;t=(\d+)$/.exec(refused.headers.get("ratelimit") ?? "")?.[1]
          assert.strictEqual(refused.headers.get("retry-after"), left)
        }),
      timeout
    )
  }
)
