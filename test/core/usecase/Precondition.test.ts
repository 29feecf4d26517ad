import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import {
  check,
  ifMatch,
  isUnchanged,
  itemTags,
  matches,
  parseTags,
  required
} from "../../../src/core/usecase/UseCaseRequest.ts"

describe("If-Match", () => {
  it("is `*` or a list of tags, weak ones included", () => {
    assert.strictEqual(parseTags(" * "), "*")
    assert.deepStrictEqual(parseTags('"a"'), ['"a"'])
    assert.deepStrictEqual(parseTags('"a" , W/"b",""'), ['"a"', 'W/"b"', '""'])
    // Empty list elements are ignored (RFC 9110 §5.6.1).
    assert.deepStrictEqual(parseTags(',"a",, "b" ,'), ['"a"', '"b"'])
    for (const malformed of ["", "a", '"a', '"a" "b"', ",", ", *", 'w/"a"', '*, "a"', '"a\nb"']) {
      assert.isUndefined(parseTags(malformed), malformed)
    }
  })

  it("compares strongly: a weak tag never matches", () => {
    assert.isTrue(matches('"v1"', "*"))
    assert.isTrue(matches('"v1"', ['"v0"', '"v1"']))
    assert.isFalse(matches('"v1"', ['W/"v1"']))
  })

  it.effect("counts as absent when it is blank and is rejected when it is malformed", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* ifMatch(undefined))
      assert.isUndefined(yield* ifMatch("  "))
      assert.strictEqual((yield* Effect.flip(ifMatch("v1"))).errors[0]?.code, "malformed_etag")
    })
  )

  it("is the same as the ETag of an item of a batch, where null is absent too", () => {
    for (const absent of [undefined, null, "", " "]) assert.isUndefined(Result.getOrThrow(itemTags(absent)))
    assert.strictEqual(Result.getOrThrow(itemTags("*")), "*")
    assert.deepStrictEqual(Result.getOrThrow(itemTags('"v1", "v2"')), ['"v1"', '"v2"'])
    const codeOf = (value: unknown) => Result.getOrThrow(Result.flip(itemTags(value)))
    assert.deepInclude(codeOf("v1"), { in: "body", pointer: "/etag", code: "malformed_etag" })
    assert.deepInclude(codeOf(1), { in: "body", pointer: "/etag", code: "wrong_type" })
  })

  it.effect("answers 412 with the current ETag when it does not match", () =>
    Effect.gen(function* () {
      yield* check('"v2"', undefined)
      yield* check('"v2"', ['"v2"'])
      assert.strictEqual((yield* Effect.flip(check('"v2"', ['"v1"']))).currentEtag, '"v2"')
    })
  )

  it.effect("answers 428 when it is required but missing or blank", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(required(ifMatch(undefined))))._tag, "PreconditionRequired")
      assert.strictEqual((yield* Effect.flip(required(ifMatch(" "))))._tag, "PreconditionRequired")
      assert.deepStrictEqual(yield* required(ifMatch('"v1"')), ['"v1"'])
    })
  )
})

describe("If-None-Match", () => {
  it("compares weakly and is ignored when it is malformed", () => {
    assert.isTrue(isUnchanged('"v1"', 'W/"v1"'))
    assert.isTrue(isUnchanged('"v1"', '"v0", "v1"'))
    assert.isTrue(isUnchanged('"v1"', "*"))
    assert.isFalse(isUnchanged('"v1"', '"v2"'))
    assert.isFalse(isUnchanged('"v1"', "v1"))
    assert.isFalse(isUnchanged('"v1"', undefined))
  })
})
