import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { make, path } from "../support/ContactsClient.ts"
import { faultsOf } from "../support/faults.ts"
import { TestService } from "../support/TestService.ts"

const client = make()
const many = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(",")

layer(TestService.layer, { excludeTestServices: true })("An expensive body", (it) => {
  const bodies = {
    "a million wrong tags": `{"tags":[${many(1_000_000, () => "1")}]}`,
    "a hundred thousand unknown members": `{${many(100_000, (index) => `"m${index}":1`)}}`,
    "a member with a name of 4 MB": `{"${"x".repeat(4_000_000)}":1}`,
    "a hundred thousand unusable strings": `{"tags":[${many(100_000, () => '"\\u0000"')}]}`
  }

  for (const [name, text] of Object.entries(bodies)) {
    it.effect(`is refused with a short answer: ${name}`, () =>
      Effect.gen(function* () {
        const { create, request, token } = yield* client
        const headers = { "content-type": "application/json" }
        const created = yield* request("POST", path, { token, text, headers })
        assert.strictEqual(created.status, 400)
        assert.isAtLeast(faultsOf(created).length, 1)
        assert.isAtMost(faultsOf(created).length, 20)
        assert.isBelow(created.text.length, 64 * 1024)
        const { body: contact } = yield* create({ firstName: "Anna" })
        const patched = yield* request("PATCH", `${path}/${contact.id}`, { token, text, headers })
        assert.strictEqual(patched.status, 400)
        assert.isBelow(patched.text.length, 64 * 1024)
      })
    )
  }

  it.effect("gets the first twenty faults and the number of the others", () =>
    Effect.gen(function* () {
      const { create, patch, request, token } = yield* client
      const tags = Array.from({ length: 150 }, () => 1)
      const contact = yield* create({ firstName: "Anna" })
      const unknown = Object.fromEntries(tags.map((_, index) => [`m${index}`, 1]))
      const header = { "idempotency-key": "ä" }
      for (const [refused, count] of [
        [yield* create({ tags }), 150],
        [yield* create({ tags }, header), 151],
        [yield* create({ tags, firstName: "\0" }), 151],
        [yield* patch(contact.body.id, { tags, ...unknown }), 300],
        [yield* request("GET", `${path}?${Object.keys(unknown).join("=1&")}=1`, { token }), 150]
      ] as const) {
        const { detail, moreErrors } = refused.body as { readonly detail?: unknown; readonly moreErrors?: unknown }
        assert.deepStrictEqual([faultsOf(refused).length, moreErrors], [20, count - 20])
        assert.isTrue(String(detail).endsWith(` (and ${count - 1} more)`), String(detail))
      }
      const two = yield* create({ tags: [1, 1] })
      assert.notProperty(two.body, "moreErrors")
    })
  )

  it.effect("of a batch gets the first twenty faults of each item", () =>
    Effect.gen(function* () {
      const { request, token } = yield* client
      const item = Object.fromEntries(Array.from({ length: 98 }, (_, index) => [`m${index}`, "\0"]))
      const reply = yield* request<{
        results: ReadonlyArray<{ problem: { errors: Array<unknown>; moreErrors: number } }>
      }>("POST", `${path}/batch/upsert`, { token, json: { items: Array.from({ length: 100 }, () => item) } })
      assert.strictEqual(reply.status, 207)
      for (const { problem } of reply.body.results) {
        assert.deepStrictEqual([problem.errors.length, problem.moreErrors], [20, 2 * 98 - 20])
      }
      assert.isBelow(reply.text.length, 600_000)
    })
  )
})
