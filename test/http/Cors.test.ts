/** What web pages of other origins may call, and what their browsers let them read. */
import * as App from "../../src/App.ts"
import * as Agent from "../support/Agent.ts"
import * as Tenant from "../support/Tenant.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { ChangeClock } from "../../src/core/mutation/Changes.ts"
import { DatabaseUnavailable } from "../../src/platform/db/DatabaseUnavailable.ts"
import { TooManyTransactions } from "../../src/platform/db/TransactionPermits.ts"
import { headersOf, makePagesOf, preflightHeadersOf } from "../../src/http/Edge.ts"
import { layer as httpLayer } from "../../src/Http.ts"
import { Jobs } from "../../src/platform/jobs/Jobs.ts"
import { Contacts } from "../../src/network/contacts/Contacts.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { options, type Reply, TestService } from "../support/TestService.ts"

const page = "https://app.example.com"
const agentPage = "https://agent.example.com"
const stranger = "https://evil.example"

const service = TestService.layerServer.pipe(
  Layer.provideMerge(
    httpLayer({
      baseUrl: undefined,
      host: "127.0.0.1",
      port: 0,
      allowedOrigins: [page, "http://localhost:5173"],
      mcpAllowedOrigins: [agentPage]
    })
  ),
  // Replaces use-cases by some that fail.
  Layer.provideMerge(
    Layer.effect(
      Contacts,
      Effect.map(Contacts, (contacts) => ({
        ...contacts,
        batchGet: () => Effect.die(new Error("a fault")),
        list: () => Effect.die(new TooManyTransactions({ tenant: "mine" })),
        search: () => Effect.die(new DatabaseUnavailable({ cause: "a test" }))
      }))
    )
  ),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(ChangeClock, "database")),
  Layer.provide(Logger.layer([]))
)

const allowedTo = ({ headers }: Pick<Reply, "headers">) => headers.get("access-control-allow-origin")

const namesIn = (header: string | null): ReadonlyArray<string> =>
  (header ?? "").split(",").map((name) => name.trim().toLowerCase())

const read = [
  "www-authenticate",
  "etag",
  "link",
  "location",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "preference-applied",
  "deprecation",
  "x-request-id",
  "idempotency-replayed",
  "x-consistency-token",
  "content-disposition",
  "allow"
]

const sent = [
  "authorization",
  "content-type",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "prefer",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
  "x-request-id",
  "x-consistency-token",
  "traceparent",
  "tracestate"
]

const metadata = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource/mcp?readonly=true",
  "/.well-known/openid-configuration",
  "/.well-known/nothing"
]
const rest = ["/api/v1/auth/me", "/api/v1/network/contacts", "/api/v1/network/contacts/x", "/api/v1/nowhere"]
const forAgents = ["/mcp", "/mcp/", "/mcp?readonly=true", "/openid/token", "/openid/register", "/openid/revoke"]
const own = [
  "/",
  "/docs",
  "/openapi.json",
  "/help/not-found",
  "/healthz",
  "/signin",
  "/account",
  "/console",
  "/console/account",
  "/openid/authorize",
  "/openid/introspect",
  "/nowhere"
]

layer(service, { excludeTestServices: true })("A web page of another origin", (it) => {
  const preflight = (path: string, origin: string, method = "POST", headers = "authorization,content-type") =>
    Effect.flatMap(TestService, ({ request }) =>
      request("OPTIONS", path, {
        headers: { origin, "access-control-request-method": method, "access-control-request-headers": headers }
      })
    )

  it.effect("may ask first where it may call, without a token", () =>
    Effect.gen(function* () {
      const cases = [
        ...metadata.map((path) => [path, "*", "*", "*"] as const),
        ...rest.map((path) => [path, page, null, null] as const),
        ...forAgents.map((path) => [path, page, agentPage, null] as const),
        ...own.map((path) => [path, null, null, null] as const)
      ]
      for (const [path, ...expected] of cases) {
        for (const [index, origin] of [page, agentPage, stranger].entries()) {
          const reply = yield* preflight(path, origin)
          const shown = `${path} ${origin}`
          assert.strictEqual(allowedTo(reply), expected[index] ?? null, shown)
          if (expected[index] === null) {
            assert.notStrictEqual(reply.status, 204, shown)
            assert.isNull(reply.headers.get("access-control-allow-methods"), shown)
            continue
          }
          assert.deepStrictEqual([reply.status, reply.text], [204, ""], shown)
          assert.includeMembers([...namesIn(reply.headers.get("access-control-allow-headers"))], sent, shown)
          assert.isAbove(Number(reply.headers.get("access-control-max-age")), 0, shown)
          assert.isNull(reply.headers.get("access-control-allow-credentials"), shown)
          assert.match(reply.headers.get("x-request-id") ?? "", /^req_/, shown)
          if (expected[index] !== "*") assert.include(namesIn(reply.headers.get("vary")), "origin", shown)
        }
      }
    })
  )

  it.effect("learns the methods of a path, and may send headers of its own", () =>
    Effect.gen(function* () {
      const { headers } = yield* preflight(
        "/api/v1/network/contacts/x",
        page,
        "PATCH",
        "If-Match, sentry-trace, B\u00e4d"
      )
      assert.sameMembers([...namesIn(headers.get("access-control-allow-methods"))], ["get", "head", "patch", "delete"])
      assert.includeMembers([...namesIn(headers.get("access-control-allow-headers"))], ["if-match", "sentry-trace"])
      const unknown = yield* preflight("/api/v1/nowhere", page, "PUT")
      assert.include(namesIn(unknown.headers.get("access-control-allow-methods")), "put")
    })
  )

  it.effect("that does not ask first gets the answer of any client", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      for (const headers of [{}, { origin: page }, { origin: stranger, "access-control-request-method": "GET" }]) {
        const { headers: answered, status } = yield* request("OPTIONS", "/api/v1/auth/me", { headers })
        assert.deepStrictEqual([status, answered.get("allow")], [405, "GET, HEAD"])
      }
    })
  )

  it.effect("reads answers and refusals of all kinds, with their headers", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make({ broker: "active", investor: "active" })
      const contacts = "/api/v1/network/contacts"
      const tools = Agent.message("tools/list")
      const headers = { origin: page }
      for (const [status, reply] of [
        [200, yield* request("GET", "/api/v1/auth/me", { token, headers })],
        [400, yield* request("POST", contacts, { token, json: { unknown: 1 }, headers })],
        [401, yield* request("GET", "/api/v1/auth/me", { headers })],
        [401, yield* request("GET", "/api/v1/auth/me", { token: "pnp_x", headers })],
        [404, yield* request("GET", "/api/v1/nowhere", { headers })],
        [404, yield* request("GET", `${contacts}/x`, { token, headers })],
        [405, yield* request("PUT", "/api/v1/auth/me", { headers })],
        [429, yield* request("GET", contacts, { token, headers })],
        [500, yield* request("POST", `${contacts}/batch/get`, { token, headers, json: { ids: [] } })],
        [503, yield* request("POST", `${contacts}:search`, { token, json: {}, headers })]
      ] as const) {
        assert.deepStrictEqual([reply.status, allowedTo(reply)], [status, page], reply.text)
        assert.includeMembers([...namesIn(reply.headers.get("access-control-expose-headers"))], read)
        assert.include(namesIn(reply.headers.get("vary")), "origin", String(status))
        assert.isNull(reply.headers.get("access-control-allow-credentials"))
      }
      for (const [origin, status, allowed] of [
        [page, 200, page],
        [agentPage, 200, agentPage],
        [stranger, 403, null]
      ] as const) {
        const reply = yield* request("POST", "/mcp", {
          token,
          json: tools.json,
          headers: { ...tools.headers, origin }
        })
        assert.deepStrictEqual([reply.status, allowedTo(reply)], [status, allowed], reply.text)
        const unsigned = yield* request("POST", "/mcp", { json: tools.json, headers: { ...tools.headers, origin } })
        assert.deepStrictEqual([unsigned.status, allowedTo(unsigned)], [status === 200 ? 401 : 403, allowed])
      }
      for (const path of forAgents.slice(3)) {
        const reply = yield* request("POST", path, { headers: { origin: agentPage } })
        assert.isAtLeast(reply.status, 400)
        assert.strictEqual(allowedTo(reply), agentPage, path)
        assert.isNull(allowedTo(yield* request("POST", path, { headers: { origin: stranger } })), path)
      }
    })
  )

  it.effect("reads nothing where the operator names no page, and metadata everywhere", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      for (const origin of [stranger, "null", `${page}.evil.example`, "http://app.example.com", agentPage]) {
        const reply = yield* request("GET", "/api/v1/auth/me", { headers: { origin } })
        assert.isNull(allowedTo(reply), origin)
        assert.include(namesIn(reply.headers.get("vary")), "origin")
      }
      assert.include(namesIn((yield* request("GET", "/api/v1/auth/me")).headers.get("vary")), "origin")
      for (const path of own) {
        const reply = yield* request("GET", path, { headers: { origin: page } })
        assert.isNull(allowedTo(reply), path)
        assert.isNull(reply.headers.get("access-control-expose-headers"), path)
      }
      for (const path of metadata) {
        for (const headers of [{}, { origin: stranger }]) {
          assert.strictEqual(allowedTo(yield* request("GET", path, { headers })), "*", path)
        }
      }
    })
  )
})

describe("Pages", () => {
  const shared = { everyone: ["/open/"], allowed: ["/api/"], agents: ["/mcp"] }

  it("of no origin call anything if the operator names none, and answers do not vary", () => {
    const pages = makePagesOf(shared, { all: [], agents: [] })
    for (const path of ["/api/x", "/mcp", "/", "/openx"]) {
      assert.deepStrictEqual(headersOf(pages(path), { origin: page }), {})
      const asked = { origin: page, "access-control-request-method": "GET" }
      assert.isUndefined(preflightHeadersOf(pages(path), asked, ["GET"]))
    }
    assert.propertyVal(headersOf(pages("/open/x"), {}), "access-control-allow-origin", "*")
  })

  it("call what is below a path that ends with a slash, and just the path of any other", () => {
    const pages = makePagesOf(shared, { all: [page], agents: [agentPage] })
    assert.deepStrictEqual(
      ["/api/v1/x", "/api", "/apix", "/mcp", "/mcp/x", "/x/api/"].map((path) => pages(path).length),
      [1, 0, 0, 2, 0, 0]
    )
  })
})
