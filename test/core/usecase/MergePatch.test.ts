import * as UnvalidatedJson from "../../../src/core/usecase/UnvalidatedJson.ts"
import { differing, makeMergePatch } from "../../../src/core/usecase/UnvalidatedJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { Json } from "../../../src/core/usecase/Input.ts"

const Patch = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  note: Schema.optionalKey(Schema.NullOr(Schema.String)),
  tags: Schema.optionalKey(Schema.Array(Schema.String))
})
const decode = makeMergePatch(Patch)
const current = { id: "x_1", name: "Anna", note: null, tags: ["a"], counts: { open: 1, done: [2] } }
const patched = (json: Json) => decode(UnvalidatedJson.of(json), current)
const codes = (json: Json) =>
  Effect.map(Effect.flip(patched(json)), ({ errors }) => errors.map(({ code, pointer }) => `${pointer} ${code}`))

describe("A merge patch", () => {
  it.effect("contains null members and no omitted ones", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* patched({}), {})
      assert.deepStrictEqual(yield* patched({ note: null, tags: [] }), { note: null, tags: [] })
    })
  )

  it.effect("may repeat the current value of a read-only member, in any order of its members", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* patched({ id: "x_1", counts: { done: [2], open: 1 }, name: "Ben" }), {
        name: "Ben"
      })
      assert.deepStrictEqual(yield* codes({ id: "x_2", counts: { done: [2] } }), ["/id read_only", "/counts read_only"])
    })
  )

  it.effect("reports unknown members, wrong values and invalid strings together", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* codes({ nam: 1, name: null, note: "\0", __proto__: 1 }), [
        "/note invalid_characters",
        "/nam unknown_member",
        "/name wrong_type"
      ])
      assert.deepStrictEqual(yield* codes(JSON.parse('{"__proto__": 1, "constructor": 2}') as Json), [
        "/__proto__ unknown_member",
        "/constructor unknown_member"
      ])
    })
  )

  it.effect("must be an object", () =>
    Effect.gen(function* () {
      for (const json of [null, 1, "x", []]) assert.deepStrictEqual(yield* codes(json), [" wrong_type"])
    })
  )

  it("lists the members whose values differ", () => {
    assert.deepStrictEqual(differing({ name: "Anna", note: "x", tags: ["a"] }, current), ["note"])
    assert.deepStrictEqual(differing({ tags: ["a", "a"] }, current), ["tags"])
  })
})
