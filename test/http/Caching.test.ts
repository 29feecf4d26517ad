/** Who may store answers: docs/behaviour/http.md#compression-and-caching. Secrets.test.ts looks at every operation. */
import * as Tenant from "../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("An answer", (it) => {
  it.effect("about people is kept by its client alone, and only with an ETag", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make()
      const contacts = "/api/v1/network/contacts"
      const created = yield* request<{ readonly id: string; readonly etag: string }>("POST", contacts, {
        token,
        json: { email: "anna@example.com" }
      })
      const path = `${contacts}/${created.body.id}`
      const headers = { "if-none-match": created.body.etag }
      const cachingOf = (
        reply: Effect.Effect<{ readonly status: number; readonly headers: Headers }, unknown>
      ): Effect.Effect<readonly [number, string | null]> =>
        Effect.orDie(Effect.map(reply, (one) => [one.status, one.headers.get("cache-control")] as const))
      const [stored, kept] = ["no-store, private", "private, no-cache"]
      const cases = [
        [Effect.succeed(created), 201, stored],
        [request("GET", path, { token }), 200, kept],
        [request("HEAD", path, { token }), 200, kept],
        [request("GET", path, { token, headers }), 304, kept],
        [request("GET", contacts, { token }), 200, stored],
        [request("PATCH", path, { token, json: { firstName: "Anna" } }), 200, stored],
        [request("PATCH", path, { token, json: { firstName: 1 } }), 400, stored],
        [request("PATCH", path, { token, json: {}, headers: { "if-match": '"0"' } }), 412, stored],
        [request("GET", path), 401, stored],
        [request("GET", "/api/v1/nothing", { token }), 404, stored],
        [request("PUT", path, { token }), 405, stored],
        [request("POST", "/mcp", { token, json: { jsonrpc: "2.0", id: 1, method: "ping" } }), 200, stored],
        [request("DELETE", path, { token }), 204, stored],
        [request("GET", path, { token }), 404, stored]
      ] as const
      for (const [reply, status, caching] of cases) {
        assert.deepStrictEqual(yield* cachingOf(reply), [status, caching])
      }
    })
  )

  it.effect("that is the same for everybody is kept as long as it stays the same", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      for (const path of [
        "/docs",
        "/openapi.json",
        "/llms.txt",
        "/help",
        "/help/not-found",
        "/.well-known/oauth-authorization-server"
      ]) {
        const reply = yield* request("GET", path)
        assert.deepStrictEqual([reply.status, reply.headers.get("cache-control")], [200, "no-cache"], path)
      }
    })
  )
})
