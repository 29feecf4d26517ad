import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nameOf } from "../../../src/content/files/rules.ts"

const refusalOf = (filename: string) =>
  Result.match(nameOf(filename), {
    onSuccess: (name) => name,
    onFailure: (faults) => faults.map(({ code, in: part, pointer }) => `${part} ${pointer} ${code}`).join()
  })

describe("The name of a file", () => {
  it.each([
    ["terms.txt", "terms.txt"],
    ['  Größe "5" %41.pdf ', 'Größe "5" %41.pdf'],
    ["C:\\Users\\Anna\\plan.pdf", "plan.pdf"],
    ["../../etc/passwd", "passwd"],
    ["/a/b\\c", "c"],
    [".hidden", ".hidden"],
    ["日本.pdf", "日本.pdf"],
    ["👩‍💻.txt", "👩‍💻.txt"],
    ["x".repeat(200), "x".repeat(200)],
    ["👍".repeat(200), "👍".repeat(200)]
  ])("of %j is %j", (filename, name) => {
    expect(refusalOf(filename)).toBe(name)
  })

  it.each([
    ["", "blank"],
    ["   ", "blank"],
    ["folder/", "blank"],
    [".", "blank"],
    ["a/..", "blank"],
    ["x".repeat(201), "too_long"],
    ["a\r\nSet-Cookie: x", "invalid_characters"],
    ["a\0b", "invalid_characters"],
    ["a\u007fb", "invalid_characters"],
    ["a\u0085b", "invalid_characters"],
    ["exe\u202etxt.pdf", "invalid_characters"],
    ["a\u2028b", "invalid_characters"],
    ["Gr\u{fffd}\u{fffd}e", "invalid_characters"]
  ])("of %j is refused: %s", (filename, code) => {
    expect(refusalOf(filename)).toBe(`body /file ${code}`)
  })

  it("stays the same when it is derived again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (filename) => {
        const name = nameOf(filename)
        if (Result.isFailure(name)) return
        expect(refusalOf(name.success)).toBe(name.success)
        expect(name.success).not.toMatch(/[/\\\p{Cc}]/u)
      })
    )
  })
})
