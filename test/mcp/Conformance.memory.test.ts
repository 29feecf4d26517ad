/** The official conformance suite of the protocol against the real server. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as Agent from "../support/Agent.ts"
import * as ConformanceSuite from "../support/ConformanceSuite.ts"
import { isLong } from "../support/campaign.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { type Capabilities, isOther, leftRecommendations, testTools, type Version } from "./conformance.ts"

/** A server that passes requests on with a token, which the suite does not send, and as if its own origin were that of the service. */
const authorizing = (baseUrl: string, token: string) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer((incoming, outgoing) => {
            const { port } = server.address() as AddressInfo
            const { origin } = incoming.headers
            const forwarded = httpRequest(
              new URL(incoming.url ?? "/", baseUrl),
              {
                method: incoming.method ?? "GET",
                headers: {
                  ...incoming.headers,
                  authorization: `Bearer ${token}`,
                  ...(origin === `http://127.0.0.1:${port}` ? { origin: baseUrl } : {})
                }
              },
              (answer) => {
                outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
                answer.pipe(outgoing)
              }
            )
            forwarded.on("error", () => outgoing.destroy())
            incoming.pipe(forwarded)
          })
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) => Effect.sync(() => server.close())
  )

/** Runs the suite and returns its checks. */
const run = Effect.fnUntraced(function* (...choice: ReadonlyArray<string>) {
  const { baseUrl } = yield* TestService
  const { token } = yield* Tenant.make()
  const { port } = (yield* authorizing(baseUrl, token)).address() as AddressInfo
  return yield* ConformanceSuite.run(["server", "--url", `http://127.0.0.1:${port}/mcp`, ...choice])
})

/** What the server declares to a client of a version. */
const declaredTo = Effect.fnUntraced(function* (version: Version) {
  const { request } = yield* TestService
  const { token } = yield* Tenant.make()
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const { text } =
    version === "2025-11-25"
      ? yield* request("POST", "/mcp", {
          token,
          json: { jsonrpc: "2.0", id: 1, method: "initialize", params },
          headers: { accept: "application/json, text/event-stream" }
        })
      : yield* request("POST", "/mcp", { token, ...Agent.message("server/discover") })
  const answer = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
    readonly result: { readonly capabilities: Capabilities }
  }
  return answer.result.capabilities
})

layer(TestService.layer, { excludeTestServices: true })("The MCP server conforms", (it) => {
  const choices: { readonly [V in Version]: ReadonlyArray<string> } = {
    "2026-07-28": ["--requirements", "2026-07-28"],
    "2025-11-25": ["--suite", "all", "--spec-version", "2025-11-25"]
  }
  // What few changes can break: clients of the older protocol are also in test/process/TwoApis.test.ts.
  const versions = isLong ? (["2026-07-28", "2025-11-25"] as const) : (["2026-07-28"] as const)
  it.effect.each(versions)(
    "to the protocol of %s, but for what needs the tools of a test server, or what the server does not declare",
    (version) =>
      Effect.gen(function* () {
        const capabilities = yield* declaredTo(version)
        assert.property(capabilities, "tools")
        const checks = yield* run(...choices[version])
        const failed = checks
          .map((check) => ({ ...check, name: `${check.scenario}:${check.id}` }))
          .filter(({ name, status }) => ["FAILURE", "WARNING"].includes(status) && !isOther(capabilities, name))
        const left: ReadonlyArray<string> = leftRecommendations[version]
        // Neither a failure that is not expected, nor an exception that is not needed.
        assert.deepStrictEqual(
          failed
            .filter(({ name }) => !left.includes(name))
            .map(({ name }) => name)
            .toSorted(),
          testTools[version].toSorted(),
          JSON.stringify(failed, null, 1)
        )
        assert.deepStrictEqual(
          failed
            .filter(({ name, status }) => left.includes(name) && status === "WARNING")
            .map(({ name }) => name)
            .toSorted(),
          left
        )
        assert.isTrue(checks.some(({ id, status }) => id === "tools-list" && status === "SUCCESS"))
      })
  )

  it("and skips a check for a capability only while the server does not declare it", () => {
    const checks = ["prompts-list:prompts-list", "caching:sep-2549-resources-list-caching-hints", "tasks-mrtr-input:x"]
    for (const check of checks) assert.isTrue(isOther({ tools: {} }, check), check)
    const extensions = { "io.modelcontextprotocol/tasks": {} }
    for (const check of checks)
      assert.isFalse(isOther({ tools: {}, prompts: {}, resources: {}, extensions }, check), check)
    for (const check of Object.values(testTools).flat()) assert.isFalse(isOther({ tools: {} }, check), check)
  })
})
