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
        assert.isAtMost(faultsOf(created).length, 100)
        assert.isBelow(created.text.length, 64 * 1024)
        const { body: contact } = yield* create({ firstName: "Anna" })
        const patched = yield* request("PATCH", `${path}/${contact.id}`, { token, text, headers })
        assert.strictEqual(patched.status, 400)
        assert.isBelow(patched.text.length, 64 * 1024)
      })
    )
  }

  it.effect("gets the first hundred faults and a hint that there are more", () =>
    Effect.gen(function* () {
      const { create } = yield* client
      const refused = yield* create({ tags: Array.from({ length: 150 }, () => 1) })
      assert.strictEqual(faultsOf(refused).length, 100)
      assert.match(String((refused.body as { detail?: unknown }).detail), /\(and at least 99 more\)$/)
    })
  )
})
