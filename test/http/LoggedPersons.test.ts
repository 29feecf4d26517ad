/** What a client writes in the wrong place, such as a person's address for an id, is in no log line. */
import * as Tenant from "../support/Tenant.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, References } from "effect"
import { makeLoggedPath, RequestLog } from "../../src/http/RequestTelemetry.ts"
import { everything, operations } from "../support/Surface.ts"
import { TestService } from "../support/TestService.ts"

describe("A path in a log line", () => {
  const logged = makeLoggedPath(["/api/v1/network/contacts", "/api/v1/network/contacts/:id/notes"])
  it.each([
    ["/api/v1/network/contacts", "/api/v1/network/contacts"],
    ["/api/v1/network/contacts/contact_01kb3n7x2ferwt5z8q4j6m9d0c/notes", undefined],
    ["/api/v1/network/contacts/anna@example.com/notes", "/api/v1/network/contacts/:other/notes"],
    ["/api/v1/network/contacts/contact_anna/notes", "/api/v1/network/contacts/:other/notes"],
    ["/api/v1/network/contacts/CONTACT_01KB3N7X2FERWT5Z8Q4J6M9D0C", "/api/v1/network/contacts/:other"],
    ["/wp-admin/anna/notes/", "/wp-admin/:other/notes/"],
    ["/Anna/notes", "/:other/notes"],
    ["/%61nna@example.com", "/:other"]
  ])("of %s shows words of routes and ids alone", (path, expected = path) => {
    assert.strictEqual(logged(path), expected)
  })
})

const lines: Array<string> = []

const observed = Layer.mergeAll(
  Layer.succeed(RequestLog, (line) => lines.push(JSON.stringify(line))),
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      lines.push(JSON.stringify([message, cause, fiber.getRef(References.CurrentLogAnnotations)]))
    })
  ])
)

layer(TestService.layerWith(observed), { excludeTestServices: true })("Log lines of all operations", (it) => {
  it.effect("have nothing of what was sent in place of an id, in the query, in a header or in the body", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { token } = yield* Tenant.make(everything)
      const marker = "anna.berg"
      for (const { hasBody, method, path, query } of operations) {
        const asked = [...query, "unknown"].map((name) => `${name}=${marker}%40example.com`).join("&")
        const isForm = path.startsWith("/openid/")
        const reply = yield* request(method, `${path.replaceAll(/:\w+/g, `${marker}@example.com`)}?${asked}`, {
          token,
          headers: { "if-match": marker, "idempotency-key": marker, prefer: marker, "user-agent": marker },
          ...(hasBody && !isForm ? { json: { email: `${marker}@example.com`, [marker]: marker } } : {}),
          ...(isForm ? { text: `client_id=${marker}` } : {})
        })
        assert.isBelow(reply.status, 500, `${method} ${path}`)
      }
      yield* request("GET", `/api/v1/network/people/${marker}`, { token })
      yield* request("GET", `/${marker}@example.com`)
      assert.isAtLeast(lines.length, operations.length)
      assert.deepStrictEqual(
        lines.filter((line) => line.includes(marker)),
        []
      )
    })
  )
})
