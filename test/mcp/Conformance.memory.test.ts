/** The official conformance suite of the protocol against the real server. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import * as ConformanceSuite from "../support/ConformanceSuite.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { notOffered } from "./conformance.ts"

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

layer(TestService.layer, { excludeTestServices: true })("The MCP server conforms", (it) => {
  const versions = [
    ["2026-07-28", ["--requirements", "2026-07-28"]],
    ["2025-11-25", ["--suite", "all", "--spec-version", "2025-11-25"]]
  ] as const
  const failedOnce = new Set<string>()
  for (const [version, choice] of versions) {
    it.effect(`to the protocol of ${version}, but for what needs the tools of a test server`, () =>
      Effect.gen(function* () {
        const checks = yield* run(...choice)
        const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")
        for (const { id } of failed) failedOnce.add(id)
        assert.deepStrictEqual(
          failed.filter(({ id }) => !notOffered.has(id)).map(({ errorMessage, id }) => `${id}: ${errorMessage}`),
          []
        )
        assert.isTrue(checks.some(({ id, status }) => id === "tools-list" && status === "SUCCESS"))
      })
    )
  }

  it("and keeps no exception that it does not need", () => {
    assert.deepStrictEqual(
      [...notOffered].filter((id) => !failedOnce.has(id)),
      []
    )
  })
})
