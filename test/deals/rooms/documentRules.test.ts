/** The paths of documents. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { nameIn, pathOf } from "../../../src/deals/rooms/rules.ts"

describe("the path of a document", () => {
  it("is made of names between slashes", () => {
    for (const [text, path] of [
      ["a.pdf", "a.pdf"],
      ["/Leases/2026/ rent roll.pdf ", "Leases/2026/rent roll.pdf"],
      ["Leases\\a.pdf", "Leases/a.pdf"],
      ["Vertra\u0308ge/Gra\u0308fe.pdf", "Vertr\u00e4ge/Gr\u00e4fe.pdf"],
      [`${"f/".repeat(10)}a`, `${"f/".repeat(10)}a`]
    ] as const) {
      assert.deepStrictEqual(pathOf(text), Result.succeed(path))
    }
    assert.strictEqual(nameIn("Leases/2026/a.pdf"), "a.pdf")
    assert.strictEqual(nameIn("a.pdf"), "a.pdf")
  })

  it("has no empty names, no steps up, no control characters, and at most ten folders", () => {
    for (const [text, code] of [
      ["", "blank"],
      ["a//b", "blank"],
      ["../a", "blank"],
      ["a/./b", "blank"],
      ["a/\u200b/b", "blank"],
      ["a\u0000b", "invalid_characters"],
      ["x".repeat(201), "too_long"],
      [`${"f/".repeat(11)}a`, "too_deep"]
    ] as const) {
      const refused = pathOf(text)
      assert.deepStrictEqual(
        Result.isFailure(refused) ? refused.failure.map((fault) => [fault.pointer, fault.code]) : [],
        [["/path", code]]
      )
    }
  })
})
