/** Operations without a body: docs/behaviour/http.md#bodies. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { request as httpRequest } from "node:http"
import { faultsOf } from "../support/faults.ts"
import { everything, operations, resourcesOf, send } from "../support/Surface.ts"
import * as Tenant from "../support/Tenant.ts"
import { type RequestOptions, type Reply, TestService } from "../support/TestService.ts"

const bodiless = operations.filter(({ hasBody, method }) => ["POST", "DELETE"].includes(method) && !hasBody)

const json = { "content-type": "application/json" }
const tooMuch = 4 * 1024 * 1024 + 1

const refused = (reply: Reply<unknown>) => {
  const { code } = reply.body as { readonly code?: unknown }
  return [reply.status, code, faultsOf(reply)]
}

/** A project, and a function that closes it with a token. */
const closing = Effect.gen(function* () {
  const { baseUrl, request } = yield* TestService
  const { token } = yield* Tenant.make()
  const made = yield* request<{ readonly id: string }>("POST", "/api/v1/projects", { token, json: { name: "Tal" } })
  const path = `/api/v1/projects/${made.body.id}/close`
  return {
    token,
    path,
    close: (ask: RequestOptions, query = "") => request("POST", `${path}${query}`, { token, ...ask }),
    /** Without a length, in chunks. */
    chunked: (text: string, headers: Record<string, string> = {}) =>
      Effect.promise(async () => {
        const body = new Blob([text]).stream()
        const options = {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, ...headers },
          body,
          duplex: "half"
        } as const
        const reply = await fetch(`${baseUrl}${path}`, options)
        return [reply.status, ((await reply.json()) as { readonly code?: unknown }).code]
      }),
    /** The status that is answered before all has been sent. */
    endless: (text: string, headers: Record<string, string | number> = {}) =>
      Effect.callback<number | undefined>((resume) => {
        const options = { method: "POST", headers: { ...json, authorization: `Bearer ${token}`, ...headers } }
        const sending = httpRequest(`${baseUrl}${path}`, options, ({ statusCode }) => {
          resume(Effect.succeed(statusCode))
          sending.destroy()
        })
        // The server has already closed the connection.
        sending.on("error", () => undefined)
        sending.write(text)
      })
  }
})

layer(TestService.layer, { excludeTestServices: true })("A body of an operation without a body", (it) => {
  it.effect("is rejected by every operation, with a fault for each member and without any effect", () =>
    Effect.gen(function* () {
      assert.isAtLeast(bodiless.length, 15)
      for (const operation of bodiless) {
        const owner = yield* Tenant.make(everything)
        const { token } = owner
        const resources = yield* resourcesOf(operation, owner)
        const ask = (ask: RequestOptions, query = "") => send(operation, resources, { ...ask, token }, query)
        const faults = yield* ask({ json: { reason: "x", "a/b": null } }, "?unknown=true")
        assert.deepStrictEqual(
          refused(faults),
          [
            400,
            "invalid_request",
            ["query /unknown unknown_parameter", "body /reason unknown_member", "body /a~1b unknown_member"]
          ],
          operation.id
        )
        for (const absent of [{}, { json: {} }, { json: null }, { text: " ", headers: json }]) {
          const rehearsed = yield* ask({ ...absent, headers: { ...json, prefer: "dry-run" } })
          assert.strictEqual(rehearsed.status, 200, `${operation.id} ${rehearsed.text}`)
        }
        const granted = yield* ask({ json: {} })
        assert.include([200, 204], granted.status, `${operation.id} ${granted.text}`)
      }
    })
  )

  it.effect("is rejected for its media type, its encoding, its size and its syntax", () =>
    Effect.gen(function* () {
      const { close } = yield* closing
      const invalid = (fault: string) => [400, "invalid_request", [fault]]
      for (const value of [[], [1], "x", 0, false]) {
        assert.deepStrictEqual(
          refused(yield* close({ json: value })),
          invalid("body  wrong_type"),
          JSON.stringify(value)
        )
      }
      assert.deepStrictEqual(refused(yield* close({ text: "{", headers: json })), [400, "malformed_json", []])
      assert.deepStrictEqual(refused(yield* close({ text: "x=1", headers: { "content-type": "text/plain" } })), [
        415,
        "unsupported_media_type",
        []
      ])
      const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`m${index}`, 1]))
      assert.lengthOf(faultsOf(yield* close({ json: many })), 20)
      const millions = yield* close({
        text: `{${Array.from({ length: 100_000 }, (_, index) => `"m${index}":1`).join(",")}}`,
        headers: json
      })
      assert.strictEqual(millions.status, 413)
      assert.isBelow(millions.text.length, 64 * 1024)
      const preference = yield* close({ json: { x: 1 }, headers: { prefer: "dryrun" } })
      assert.deepStrictEqual(faultsOf(preference), ["header /Prefer unknown_preference", "body /x unknown_member"])
    })
  )

  it.effect("may be chunked and is read up to a limit", () =>
    Effect.gen(function* () {
      const { chunked, endless } = yield* closing
      assert.deepStrictEqual(yield* chunked('{"x":1}', json), [400, "invalid_request"])
      assert.deepStrictEqual(yield* chunked("x"), [415, "unsupported_media_type"])
      assert.strictEqual(yield* endless("x", { "content-length": tooMuch }), 413)
      assert.strictEqual(yield* endless("x".repeat(tooMuch)), 413)
      assert.deepStrictEqual(yield* chunked(""), [200, undefined])
    })
  )

  it.effect("is checked after the caller and the resource of the path", () =>
    Effect.gen(function* () {
      const { close, path, token } = yield* closing
      const { request } = yield* TestService
      const body = { json: { x: 1 } }
      assert.strictEqual((yield* close({ ...body, token: "nobody" })).status, 401)
      const pending = yield* Tenant.make({ membership: "pending" })
      assert.strictEqual((yield* close({ ...body, token: pending.token })).status, 403)
      const stranger = yield* Tenant.make()
      assert.strictEqual((yield* close({ ...body, token: stranger.token })).status, 404)
      assert.strictEqual(
        (yield* request("POST", path.replace(/project_\w+/, "project_x"), { ...body, token })).status,
        404
      )
      const project = yield* request<{ readonly closedUtc: unknown }>("GET", path.replace("/close", ""), { token })
      assert.isNull(project.body.closedUtc)
    })
  )
})
