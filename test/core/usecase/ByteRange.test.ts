import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isRangeApplicable, parseRange } from "../../../src/platform/fileStore/FileStore.ts"

describe("A range", () => {
  it("selects the named bytes, up to the end of the content", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1100), fc.nat(1100), (size, a, b) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)]
        expect(parseRange(`bytes=${first}-${last}`, size)).toStrictEqual(
          first >= size ? "unsatisfiable" : { first, last: Math.min(last, size - 1) }
        )
        expect(parseRange(`bytes=${first}-`, size)).toStrictEqual(
          first >= size ? "unsatisfiable" : { first, last: size - 1 }
        )
      })
    )
  })

  it("counted from the end selects at most the whole content", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2000 }), (size, length) => {
        expect(parseRange(`bytes=-${length}`, size)).toStrictEqual({
          first: Math.max(0, size - length),
          last: size - 1
        })
      })
    )
    expect(parseRange("bytes=-0", 10)).toBe("unsatisfiable")
  })

  it("of empty content is unsatisfiable, unless it is counted from the end", () => {
    expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable")
    expect(parseRange("bytes=-5", 0)).toBe(undefined)
  })

  it.each([
    undefined,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes=5-3",
    "bytes=1-2,4-5",
    "bytes=1-2,",
    "bytes=1.5-2",
    "bytes=--1",
    "items=0-1",
    "0-1"
  ])("is ignored when it is %j", (header) => {
    expect(parseRange(header, 10)).toBe(undefined)
  })

  it("is parsed with any case, spaces and size of numbers", () => {
    expect(parseRange(" Bytes= 1-2 ", 10)).toStrictEqual({ first: 1, last: 2 })
    expect(parseRange(`bytes=1-${"9".repeat(400)}`, 10)).toStrictEqual({ first: 1, last: 9 })
    expect(parseRange(`bytes=${"9".repeat(400)}-`, 10)).toBe("unsatisfiable")
  })

  it("applies if If-Range matches the ETag by strong comparison", () => {
    expect(
      [undefined, '"a"', ' "a" ', 'W/"a"', '"b"', "*", "Sat, 21 Nov 2026 09:30:00 GMT"].map((one) =>
        isRangeApplicable('"a"', one)
      )
    ).toStrictEqual([true, true, true, false, false, false, false])
  })
})
