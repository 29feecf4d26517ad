import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as UnvalidatedJson from "../../src/usecase/UnvalidatedJson.ts"

const nestedArrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

describe("A JSON document", () => {
  it.effect("has its strings trimmed at any depth, but not its member names", () =>
    Effect.gen(function* () {
      const document = yield* UnvalidatedJson.parse('{" a ": " x ", "b": ["\\ty\\n", {"c": " "}]}')
      assert.deepStrictEqual(document.value, { " a ": "x", b: ["y", { c: "" }] })
      assert.deepStrictEqual(document.sent, { " a ": " x ", b: ["\ty\n", { c: " " }] })
      assert.deepStrictEqual(document.faults, [])
    })
  )

  it.effect("reports a JSON Pointer for each NUL and lone surrogate, in values and member names", () =>
    Effect.gen(function* () {
      const document = yield* UnvalidatedJson.parse('{"a": ["x\\u0000"], "b/~": "\\ud800", "c\\u0000": 1}')
      assert.deepStrictEqual(
        document.faults.map(({ code, pointer }) => [pointer, code]),
        [
          ["/a/0", "invalid_characters"],
          ["/b~1~0", "invalid_characters"],
          ["/c\0", "invalid_characters"]
        ]
      )
    })
  )

  it.effect("may be nested 64 levels deep, not counting brackets in strings", () =>
    Effect.gen(function* () {
      assert.isTrue(Array.isArray((yield* UnvalidatedJson.parse(nestedArrays(64))).value))
      assert.strictEqual((yield* Effect.flip(UnvalidatedJson.parse(nestedArrays(65))))._tag, "MalformedJson")
      assert.strictEqual((yield* Effect.flip(UnvalidatedJson.parse(nestedArrays(1_000_000))))._tag, "MalformedJson")
      // The escaped quote does not end the string, so the brackets after it do not count either.
      assert.strictEqual((yield* UnvalidatedJson.parse(`"${"[".repeat(100)}\\"${"{".repeat(100)}"`)).faults.length, 0)
    })
  )

  it.effect("is rejected when it is empty or malformed", () =>
    Effect.gen(function* () {
      for (const text of ["", "  ", "{", "{'a': 1}", "[1,]", "NaN", "undefined"]) {
        assert.strictEqual((yield* Effect.flip(UnvalidatedJson.parse(text)))._tag, "MalformedJson", text)
      }
    })
  )
})
