import * as Tenant from "../support/Tenant.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { IssuedToken } from "../../src/identity/oauth/Grant.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { canonical, parseKey } from "../../src/core/usecase/Idempotency.ts"
import { make, path } from "../support/ContactsClient.ts"
import { TestService } from "../support/TestService.ts"

const client = make()
const codeOf = (reply: { readonly body: unknown }) => (reply.body as { code?: string }).code

describe("Idempotency keys", () => {
  it.effect("are 1 to 255 visible characters, bare or as a quoted structured string", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* parseKey("abc"), "abc")
      assert.strictEqual(yield* parseKey('"abc"'), "abc")
      assert.strictEqual(yield* parseKey('"a\\"b"'), 'a"b')
      assert.strictEqual(yield* parseKey("x".repeat(255)), "x".repeat(255))
      assert.isUndefined(yield* parseKey(undefined))
      for (const wrong of ["", " ", '""', "a b", '"a b"', "x".repeat(256), "ä"]) {
        assert.strictEqual((yield* Effect.flip(parseKey(wrong)))._tag, "InvalidRequest", wrong)
      }
    })
  )

  it("compare bodies as JSON values", () => {
    assert.strictEqual(canonical({ b: 1.0, a: [null, "x"] }), canonical(JSON.parse('{ "a":[null,"\\u0078"],"b":1 }')))
    assert.notStrictEqual(canonical([1, 2]), canonical([2, 1]))
    assert.notStrictEqual(canonical({ a: null }), canonical({}))
  })
})

layer(TestService.layer, { excludeTestServices: true })("A create with an Idempotency-Key", (it) => {
  it.effect("repeats the first answer byte for byte and marks it as replayed", () =>
    Effect.gen(function* () {
      const { create, list, request, token } = yield* client
      const first = yield* create({ firstName: "Anna", tags: ["a"] }, { "idempotency-key": "k" })
      const again = yield* request("POST", path, {
        token,
        text: '{ "tags": ["a"], "firstName": "Anna" }',
        headers: { "idempotency-key": '"k"', "content-type": "application/json" }
      })
      assert.deepStrictEqual([again.status, again.text], [201, first.text])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isNull(first.headers.get("idempotency-replayed"))
      assert.strictEqual(again.headers.get("location"), first.headers.get("location"))
      assert.strictEqual(again.headers.get("etag"), first.headers.get("etag"))
      assert.strictEqual((yield* list()).body.data.length, 1)
    })
  )

  it.effect("is rejected when the body differs", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      yield* create({ firstName: "Anna" }, { "idempotency-key": "k" })
      const reused = yield* create({ firstName: "Ben" }, { "idempotency-key": "k" })
      assert.deepStrictEqual([reused.status, codeOf(reused)], [422, "idempotency_key_reused"])
    })
  )

  it.effect("can reuse its key after a refusal", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create({ phone: "1" }, { "idempotency-key": "k" })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* create({ firstName: "Anna" }, { "idempotency-key": "k" })).status, 201)
    })
  )

  it.effect("creates one contact in twenty parallel requests with the same key", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const replies = yield* Effect.all(
        Array.from({ length: 20 }, () => create({ firstName: "Anna" }, { "idempotency-key": "k" })),
        { concurrency: "unbounded" }
      )
      const made = replies.filter((reply) => reply.status === 201)
      assert.isAtLeast(made.length, 1)
      assert.strictEqual(new Set(made.map((reply) => reply.body.id)).size, 1)
      for (const reply of replies.filter((reply) => reply.status !== 201)) {
        assert.deepStrictEqual([reply.status, codeOf(reply)], [409, "idempotency_in_progress"])
      }
      assert.strictEqual((yield* list()).body.data.length, 1)
    })
  )

  it.effect("does not share its key with another user", () =>
    Effect.gen(function* () {
      const one = yield* client
      const two = yield* client
      const first = yield* one.create({ firstName: "Anna" }, { "idempotency-key": "k" })
      const second = yield* two.create({ firstName: "Anna" }, { "idempotency-key": "k" })
      assert.deepStrictEqual([second.status, second.headers.get("idempotency-replayed")], [201, null])
      assert.notStrictEqual(first.body.id, second.body.id)
    })
  )

  it.effect("does not share its key with another OAuth client of the same bot", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const clients = yield* Clients
      const { team: teamId } = yield* Tenant.make()
      const accessToken = Effect.fnUntraced(function* (bot: { readonly botName: string } | { readonly botId: string }) {
        const client = yield* asOperator(clients.create({ teamId, name: "Sync", ...bot }))
        const form = new URLSearchParams({ grant_type: "client_credentials", ...client })
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const issued = yield* request<IssuedToken>("POST", "/openid/token", { text: form.toString(), headers })
        return issued.body.access_token
      })
      const create = (token: string) =>
        request<{ readonly id: string }>("POST", path, {
          token,
          json: { firstName: "Anna" },
          headers: { "idempotency-key": "k" }
        })
      const one = yield* accessToken({ botName: "Sync Bot" })
      const [client] = yield* asOperator(clients.list(teamId))
      const two = yield* accessToken({ botId: client?.bot.id ?? "" })
      const first = yield* create(one)
      const second = yield* create(two)
      assert.deepStrictEqual([second.status, second.headers.get("idempotency-replayed")], [201, null])
      assert.notStrictEqual(first.body.id, second.body.id)
      assert.strictEqual((yield* create(one)).text, first.text)
    })
  )

  it.effect("stores the faults of a batch in little space, and repeats them", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { request, teamId, token } = yield* client
      const unknown = (item: number) =>
        Object.fromEntries(Array.from({ length: 90 }, (_, member) => [`unknown_member_${item}_${member}`, 0]))
      const upsert = request<{ readonly results: ReadonlyArray<unknown> }>("POST", `${path}/batch/upsert`, {
        token,
        json: { items: [{ firstName: "Anna" }, ...Array.from({ length: 99 }, (_, item) => unknown(item))] },
        headers: { "idempotency-key": "k" }
      })
      const first = yield* upsert
      const again = yield* upsert
      assert.strictEqual(first.status, 207)
      const answerOf = ({ text }: { readonly text: string }) => text.replaceAll(/"requestId":"[^"]*"/g, "")
      // Compared as a boolean: the difference of two such texts would fill the report.
      assert.isTrue(answerOf(again) === answerOf(first))
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      const [stored] = yield* sql<{ bytes: number }>`
        select octet_length(answer) as bytes from idempotency_keys where team_id = ${teamId}`
      assert.isBelow(stored?.bytes ?? Infinity, 200_000)
      assert.isBelow((stored?.bytes ?? Infinity) / first.text.length, 0.15)
    })
  )

  it.effect("creates another contact when the key is older than 24 hours", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { create, teamId } = yield* client
      const first = yield* create({ firstName: "Anna" }, { "idempotency-key": "k" })
      const dayAgo = new Date(Date.now() - 24 * 3_600_000)
      yield* sql`update idempotency_keys set created_at = ${dayAgo} where team_id = ${teamId}`
      const second = yield* create({ firstName: "Anna" }, { "idempotency-key": "k" })
      assert.strictEqual(second.status, 201)
      assert.notStrictEqual(first.body.id, second.body.id)
    })
  )
})
