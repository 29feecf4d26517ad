import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import * as Secret from "../../src/core/auth/Secret.ts"
import { Database } from "../../src/platform/db/Database.ts"
import * as Agent from "../support/Agent.ts"
import * as Tenant from "../support/Tenant.ts"
import { options, type Reply, TestService } from "../support/TestService.ts"
import { many, outline } from "./fattest.ts"

const initialize = {
  json: {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  },
  headers: { accept: "application/json, text/event-stream" }
}

/** The answer to a request without the header `Accept`, which fetch always sends. */
const withoutAccept = (baseUrl: string, token: string, body: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const { hostname, port } = new URL(baseUrl)
    const lines = [
      "POST /mcp HTTP/1.1",
      "Host: x",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close"
    ]
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`))
    let answer = ""
    socket.setEncoding("utf8")
    socket.on("data", (text: string) => (answer += text))
    socket.on("close", () => resume(Effect.succeed(answer)))
    socket.on("error", () => resume(Effect.succeed(answer)))
  })

layer(TestService.layer, { excludeTestServices: true })("The MCP endpoint", (it) => {
  it.effect("leads a client without a token to the authorization server", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const cases = [
        ["/mcp", undefined, 'scope="api:public offline_access"'],
        ["/mcp?readonly=true", undefined, 'scope="api:read offline_access"'],
        ["/mcp", "pnp_unknown", 'error="invalid_token", scope="api:public offline_access"']
      ] as const
      for (const [path, token, parameters] of cases) {
        const sent = { ...Agent.message("tools/list"), ...(token === undefined ? {} : { token }) }
        const { body, headers, status } = yield* request("POST", path, sent)
        assert.strictEqual(status, 401)
        assert.strictEqual(body["code"], "unauthorized")
        const challenge = headers.get("www-authenticate") ?? ""
        assert.isTrue(challenge.startsWith(`Bearer ${parameters}, resource_metadata="`), challenge)
        const [endpoint = ""] = challenge.match(/"http:\/\/[^"]+"$/) ?? []
        assert.isTrue(endpoint.endsWith(`/.well-known/oauth-protected-resource${path}"`), challenge)
      }
    })
  )

  it.effect("answers clients of the newest protocol with JSON, and older ones with an event stream", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const modern = yield* request("POST", "/mcp", { token, ...Agent.message("tools/list") })
      assert.strictEqual(modern.status, 200)
      assert.match(modern.headers.get("content-type") ?? "", /^application\/json/)
      assert.match(modern.text, /"cacheScope":"private"/)
      for (const protocolVersion of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
        const json = { ...initialize.json, params: { ...initialize.json.params, protocolVersion } }
        const legacy = yield* request("POST", "/mcp", { token, json, headers: initialize.headers })
        assert.strictEqual(legacy.status, 200)
        assert.strictEqual(legacy.headers.get("content-type"), "text/event-stream")
        assert.include(legacy.text, `"protocolVersion":"${protocolVersion}"`)
        assert.isNull(legacy.headers.get("mcp-session-id"))
      }
    })
  )

  it.effect("answers in the form that a client accepts, whatever the protocol", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { token } = yield* Tenant.make()
      const [json, stream] = ["application/json", "text/event-stream"]
      const modern = Agent.message("tools/list")
      const { accept: _, ...modernHeaders } = modern.headers
      const cases: ReadonlyArray<readonly [accept: string | undefined, legacy: string, modern: string]> = [
        [`${json}, ${stream}`, stream, json],
        [`${stream}, ${json}`, stream, json],
        [`${json};q=0.5, ${stream};q=0.9`, stream, json],
        [`${json}; charset=utf-8, ${stream};q=0`, json, json],
        ["*/*", json, json],
        ["*/*;q=0.1", json, json],
        [undefined, json, json],
        ["", json, json],
        [json, json, json],
        ["APPLICATION/JSON", json, json],
        ["application/*", json, json],
        ["application/json, */*;q=0.1", json, json],
        ["text/html, application/xhtml+xml, */*;q=0.8", json, json],
        [stream, stream, stream],
        ["text/*", stream, stream],
        [`${json};q=0, */*`, stream, stream]
      ]
      for (const [accept, legacyType, modernType] of cases) {
        // Node's fetch sends an Accept of its own where there is none.
        const headers = accept === undefined ? {} : { accept }
        const old = yield* request("POST", "/mcp", { token, json: initialize.json, headers })
        const now = yield* request("POST", "/mcp", {
          token,
          json: modern.json,
          headers: { ...modernHeaders, ...headers }
        })
        for (const [reply, type] of [
          [old, legacyType],
          [now, modernType]
        ] as const) {
          assert.strictEqual(reply.status, 200, `${accept} ${reply.text}`)
          assert.strictEqual(reply.headers.get("content-type"), type, accept)
          const text = type === stream ? (/^data: (.*)$/m.exec(reply.text)?.[1] ?? "") : reply.text
          assert.strictEqual((JSON.parse(text) as { readonly id: number }).id, 1, accept)
        }
      }
      // Without the header at all.
      const bare = yield* withoutAccept(baseUrl, token, JSON.stringify(initialize.json))
      assert.match(bare, /^HTTP\/1\.1 200 [\s\S]*"protocolVersion"/)
      for (const accept of ["text/html", `${json};q=0, ${stream};q=0.0`]) {
        const refused = yield* request("POST", "/mcp", { token, json: initialize.json, headers: { accept } })
        assert.strictEqual(refused.status, 406, accept)
      }
    })
  )

  it.effect("is at the same address with a slash, and names the address that was called", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { token } = yield* Tenant.make()
      const called = yield* (yield* Agent.make(token, "/mcp/")).call("get_me")
      assert.isFalse(called.isError)
      for (const [path, suffix] of [
        ["/mcp", "/mcp"],
        ["/mcp/", "/mcp/"],
        ["/mcp?readonly=true", "/mcp?readonly=true"],
        ["/mcp/?readonly=true", "/mcp/?readonly=true"],
        ["/mcp?toolsets=network%2Cprojects&readonly=true", "/mcp?toolsets=network%2Cprojects&readonly=true"],
        ["/mcp?toolsets=network,projects", "/mcp?toolsets=network,projects"],
        ["/mcp?x=1&readonly=true", "/mcp?readonly=true"],
        ['/mcp?readonly=true",x="', "/mcp"]
      ] as const) {
        const { headers, status } = yield* request("POST", path, Agent.message("tools/list"))
        assert.strictEqual(status, 401)
        const [, metadata = ""] = /resource_metadata="([^"]*)"/.exec(headers.get("www-authenticate") ?? "") ?? []
        assert.strictEqual(metadata, `${baseUrl}/.well-known/oauth-protected-resource${suffix}`)
        const described = yield* request("GET", metadata.slice(baseUrl.length))
        assert.strictEqual(described.status, 200)
        assert.deepInclude(described.body, {
          resource: `${baseUrl}${suffix}`,
          authorization_servers: [baseUrl],
          scopes_supported: [
            ...(suffix.includes("readonly=true") ? ["api:read"] : ["api:read", "api:public"]),
            "offline_access"
          ]
        })
      }
      const unknown = yield* request("GET", "/.well-known/oauth-protected-resource/mcp?readonyl=true")
      assert.deepStrictEqual([unknown.status, unknown.body["code"]], [400, "invalid_request"])
      for (const method of ["GET", "DELETE"]) {
        const { headers, status } = yield* request(method, "/mcp/", { token })
        assert.deepStrictEqual([status, headers.get("allow")], [405, "POST"])
      }
    })
  )

  it.effect("refuses batches, other methods, and what is not JSON", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const batch = yield* request<{ readonly error: { readonly code: number } }>("POST", "/mcp", {
        token,
        json: [initialize.json, initialize.json],
        headers: initialize.headers
      })
      assert.strictEqual(batch.status, 400)
      assert.strictEqual(batch.body.error.code, -32_600)
      for (const method of ["GET", "DELETE"]) {
        const { headers, status } = yield* request(method, "/mcp", { token })
        assert.strictEqual(status, 405, method)
        assert.strictEqual(headers.get("allow"), "POST")
      }
      const malformed = yield* request("POST", "/mcp", {
        token,
        text: "{",
        headers: { ...initialize.headers, "content-type": "application/json" }
      })
      assert.strictEqual(malformed.status, 400)
      const large = yield* request("POST", "/mcp", {
        token,
        json: { ...initialize.json, padding: "x".repeat(4 * 1024 * 1024) },
        headers: initialize.headers
      })
      assert.deepStrictEqual([large.status, large.body["code"]], [413, "payload_too_large"])
    })
  )

  it.effect("takes the longest outline of a place, and refuses what is longer than any argument", () =>
    Effect.gen(function* () {
      const { token } = yield* Tenant.make({ investor: "active" })
      const agent = yield* Agent.make(token)
      const geography = outline(5_000, 100)
      const created = yield* agent.call("create_mandate", { name: "Region", geography })
      assert.isString(created.structured.id, created.text.slice(0, 500))
      const args = { mandate: created.structured.id, geography: outline(4_999, 100) }
      assert.isFalse((yield* agent.call("update_mandate", args)).isError)
      const { structured } = yield* agent.call("search_mandates", { geography })
      assert.deepStrictEqual(
        (structured["mandates"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id),
        [created.structured.id]
      )
      const members = Object.fromEntries(many(1_000, (index) => [`member${index}`, 1]))
      for (const geography of [outline(7_000, 100), { type: "Polygon", ...members }]) {
        const { body, status } = yield* agent.send("tools/call", {
          name: "search_mandates",
          arguments: { geography }
        })
        assert.deepStrictEqual([status, body.code], [413, "payload_too_large"])
      }
    })
  )

  it.effect("counts requests with those of REST, and refuses the one too many as REST does", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const sql = yield* Database
      const { token } = yield* Tenant.make()
      const rest = request("GET", "/api/v1/auth/me", { token })
      const tools = request("POST", "/mcp", { token, ...Agent.message("tools/list") })
      const left = ({ headers }: Reply) => Number(/^"pat";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
      const first = left(yield* rest)
      assert.deepStrictEqual([left(yield* tools), left(yield* rest)], [first - 1, first - 2])
      yield* sql`
        update rate_windows set requests = ${options.rateLimits.pat}
        where subject = (select id from tokens where hash = ${Secret.hash(token)})`
      for (const refused of [yield* tools, yield* rest]) {
        assert.deepStrictEqual([refused.status, refused.body["code"]], [429, "rate_limited"])
        assert.match(refused.headers.get("content-type") ?? "", /^application\/problem\+json/)
        assert.isAbove(Number(refused.headers.get("retry-after")), 0)
      }
    })
  )

  it.effect("refuses pages of other origins", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { token } = yield* Tenant.make()
      const from = (origin: string) => {
        const { headers, json } = Agent.message("tools/list")
        return request("POST", "/mcp", { token, json, headers: { ...headers, origin } })
      }
      assert.strictEqual((yield* from(baseUrl)).status, 200)
      for (const origin of ["http://attacker.example", `${baseUrl}.attacker.example`, "null"]) {
        const { body, status } = yield* from(origin)
        assert.strictEqual(status, 403, origin)
        assert.strictEqual(body["code"], "origin_not_allowed")
      }
    })
  )

  it.effect("offers a token that only reads what reads, and challenges it when it writes", () =>
    Effect.gen(function* () {
      const { token } = yield* Tenant.make({ scopes: ["api:read"] })
      const agent = yield* Agent.make(token)
      const { body } = yield* agent.send("tools/list")
      const names = body.result?.tools.map(({ name }) => name) ?? []
      assert.include(names, "list_companies")
      assert.notInclude(names, "create_company")
      const refused = yield* agent.send("tools/call", { name: "create_company", arguments: { name: "Rossi" } })
      assert.strictEqual(refused.status, 403)
      assert.strictEqual(refused.body.code, "insufficient_scope")
      assert.match(
        refused.headers.get("www-authenticate") ?? "",
        /error="insufficient_scope", scope="api:public offline_access"/
      )
    })
  )

  it.effect("offers the tools that the URL chooses", () =>
    Effect.gen(function* () {
      const { token } = yield* Tenant.make()
      const readOnly = yield* Agent.make(token, "/mcp?readonly=true&toolsets=network")
      const { body } = yield* readOnly.send("tools/list")
      const names = body.result?.tools.map(({ name }) => name) ?? []
      assert.include(names, "get_company")
      assert.notInclude(names, "create_company")
      const called = yield* readOnly.send("tools/call", { name: "create_company", arguments: { name: "Rossi" } })
      assert.strictEqual(called.body.error?.code, -32_602)
      const unknown = yield* (yield* Agent.make(token, "/mcp?toolsets=netwrok")).send("tools/list")
      assert.strictEqual(unknown.status, 400)
      assert.match(unknown.text, /network/)
      const several = yield* (yield* Agent.make(token, "/mcp?toolsets=network&toolsets=identity")).send("tools/list")
      assert.includeMembers(several.body.result?.tools.map(({ name }) => name) ?? [], ["get_company", "get_me"])
      for (const readonly of ["1", "TRUE", "yes", "", "false&readonly=1"]) {
        const unclear = yield* (yield* Agent.make(token, `/mcp?readonly=${readonly}`)).send("tools/list")
        assert.strictEqual(unclear.status, 400, readonly)
        assert.match(unclear.text, /true or false/)
      }
    })
  )

  it.effect("answers a call that has nothing unusual as the protocol's library answers any other", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const older = (params: Record<string, unknown>, version?: string) => ({
        json: { jsonrpc: "2.0", id: "a", method: "tools/call", params },
        headers: version === undefined ? {} : { "mcp-protocol-version": version }
      })
      const called = { name: "list_contacts", arguments: { limit: 5 } }
      const progress = { _meta: { progressToken: 7 } }
      const cases = [
        (params: object) => Agent.message("tools/call", { ...called, ...params }),
        (params: object) => older({ ...called, ...params }),
        (params: object) => older({ ...called, ...progress, ...params }, "2025-06-18"),
        (params: object) => older({ ...called, ...params }, "1999-01-01"),
        (params: object) => older({ ...called, ...params }, "2026-07-28"),
        (params: object) => older({ ...called, arguments: [], ...params }, "2025-11-25"),
        (params: object) => older({ ...called, name: "no_tool", ...params }, "2025-11-25"),
        (params: object) => older({ name: "get_contact", arguments: {}, ...params }, "2025-11-25"),
        (params: object) => Agent.message("tools/call", { ...called, arguments: [], ...params })
      ]
      for (const [number, make] of cases.entries()) {
        for (const accept of ["application/json, text/event-stream", "application/json", "text/event-stream"]) {
          const ask = (params: object) => {
            const { headers, json } = make(params)
            return request("POST", "/mcp", { token, json, headers: { ...headers, accept } })
          }
          // A member that the protocol does not have.
          const [plain, other] = [yield* ask({}), yield* ask({ comment: "x" })]
          const withoutIds = (text: string) => text.replaceAll(/req_[0-9a-f]+/g, "")
          assert.strictEqual(withoutIds(plain.text), withoutIds(other.text), `${number} ${accept}`)
          assert.strictEqual(plain.status, other.status, `${number} ${accept}`)
          for (const name of ["content-type", "cache-control", "x-accel-buffering"]) {
            assert.strictEqual(plain.headers.get(name), other.headers.get(name), `${number} ${accept} ${name}`)
          }
        }
      }
    })
  )

  it.effect("takes parameters of the protocol that are null for absent", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      for (const params of [null, { cursor: null }, { _meta: null, cursor: null }]) {
        const reply = yield* request("POST", "/mcp", {
          token,
          json: { jsonrpc: "2.0", id: 1, method: "tools/list", params }
        })
        assert.strictEqual(reply.status, 200, reply.text)
        assert.isAbove((reply.body as { result: { tools: ReadonlyArray<unknown> } }).result.tools.length, 40)
      }
      const call = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_me", arguments: null, _meta: null }
      }
      assert.include((yield* request("POST", "/mcp", { token, json: call })).text, '"structuredContent"')
    })
  )
})
