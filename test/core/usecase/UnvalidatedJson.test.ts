import fc from "fast-check"
import * as UnvalidatedJson from "../../../src/core/usecase/UnvalidatedJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result, Schema } from "effect"
import type { Json } from "../../../src/core/usecase/Input.ts"

const nestedArrays = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

const countOf = (value: Json): number =>
  value !== null && typeof value === "object"
    ? 1 + Object.values(value).reduce<number>((sum, one: Json) => sum + countOf(one), 0)
    : 1

const membersIn = (value: Json): number =>
  value !== null && typeof value === "object"
    ? Object.values(value).reduce<number>((sum, one: Json) => sum + membersIn(one) + (Array.isArray(value) ? 0 : 1), 0)
    : 0

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

  it.effect("may have 50,000 values, and is rejected before it is parsed if it has more", () =>
    Effect.gen(function* () {
      const zeros = (count: number) => Array.from({ length: count }, () => "0").join(",")
      const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")
      for (const [most, tooMany] of [
        [`[${zeros(49_999)}]`, `[${zeros(50_000)}]`],
        [`{${members(49_999)}}`, `{${members(50_000)}}`],
        [`[${"[],".repeat(49_998)}{}]`, `[${"[],".repeat(49_999)}{}]`],
        [`["${"[0,".repeat(50_000)}","\\\\",0]`, `[${"[[0,0]],".repeat(20_000)}0]`]
      ] as const) {
        assert.isTrue((yield* UnvalidatedJson.parse(most)).value !== null)
        // What follows is not JSON, so it has not been parsed.
        const refused = yield* Effect.flip(UnvalidatedJson.parse(`${tooMany}]}`))
        assert.deepStrictEqual(
          [refused._tag, refused.detail],
          ["PayloadTooLarge", "A JSON body must not have more than 50,000 values. Send fewer in one request."]
        )
      }
    })
  )

  it.effect("has as many values and members as are counted before it is parsed", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.json({ maxDepth: 5 }), fc.boolean(), async (text, spaced) => {
          const value = JSON.parse(text) as Json
          const sent = spaced ? JSON.stringify(value, undefined, 2) : text
          const read = (values: number, members: number) =>
            Effect.runPromise(Effect.result(UnvalidatedJson.parse(sent, { values, members })))
          const [values, members] = [countOf(value), membersIn(value)]
          assert.isTrue(Result.isSuccess(await read(values, members)))
          assert.isTrue(Result.isFailure(await read(values - 1, members)))
          assert.isTrue(Result.isFailure(await read(values, members - 1)))
        })
      )
    )
  )

  it.effect("gives others a turn between the steps that it takes if it is long, however many are read at once", () =>
    Effect.gen(function* () {
      const turnsDuring = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
        let turns = 0
        const others = yield* Effect.forkChild(
          Effect.forever(
            Effect.andThen(
              Effect.sync(() => turns++),
              Effect.yieldNow
            )
          )
        )
        yield* Effect.forEach(texts, (text) => UnvalidatedJson.parse(text), { concurrency: "unbounded" })
        yield* Fiber.interrupt(others)
        return turns
      })
      const long = `["${"x".repeat(100_000)}"]`
      assert.isAtLeast(yield* turnsDuring([long]), 1)
      assert.isAtLeast(yield* turnsDuring(Array.from({ length: 10 }, () => long)), 15)
      assert.strictEqual(yield* turnsDuring(["[0]"]), 0)
    })
  )

  it.effect("gives others a turn before it is validated if it is large", () =>
    Effect.gen(function* () {
      const decode = UnvalidatedJson.decoder(Schema.Array(Schema.Int))
      const isTurnGiven = Effect.fnUntraced(function* (count: number) {
        const document = UnvalidatedJson.of(Array.from({ length: count }, () => 0))
        let turnGiven = false
        yield* Effect.forkChild(
          Effect.sync(() => {
            turnGiven = true
          })
        )
        assert.lengthOf(yield* decode(document), count)
        return turnGiven
      })
      assert.isTrue(yield* isTurnGiven(20_000))
      assert.isFalse(yield* isTurnGiven(20))
    })
  )

  it("is not copied if no string has to be trimmed", () => {
    const value = { a: ["x", { b: "y" }] }
    assert.strictEqual(UnvalidatedJson.of(value).value, value)
    const sent = JSON.parse('{"__proto__": " x ", "a": [1, " "], "b": {}}') as Json
    assert.strictEqual(JSON.stringify(UnvalidatedJson.of(sent).value), '{"__proto__":"x","a":[1,""],"b":{}}')
  })

  it.effect("is rejected when it is empty or malformed", () =>
    Effect.gen(function* () {
      for (const text of ["", "  ", "{", "{'a': 1}", "[1,]", "NaN", "undefined"]) {
        assert.strictEqual((yield* Effect.flip(UnvalidatedJson.parse(text)))._tag, "MalformedJson", text)
      }
    })
  )
})
