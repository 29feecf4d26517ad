import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashOf, matches, unmatchable } from "../../../src/identity/passwords/PasswordHash.ts"
import { faultOf } from "../../../src/identity/passwords/rules.ts"

const eva = { email: "eva.brandt@example.com", name: "Eva Brandt" }

describe("A password", () => {
  it.each([
    ["elevenchars", "too_short"],
    ["👩‍👩‍👧", "too_short"],
    ["x".repeat(257), "too_long"],
    ["eva.brandt@example.com", "contains_name"],
    ["EVA BRANDT 2026", "contains_name"],
    ["eva.brandt123", "contains_name"]
  ])("%s is refused: %s", (password, fault) => {
    expect(faultOf(password, eva)).toBe(fault)
  })

  it.each(["correct horse battery", "twelve chars", "x".repeat(256), "eva.brandt likes long walks", "пароль из слов"])(
    "%s is accepted",
    (password) => {
      expect(faultOf(password, eva)).toBeUndefined()
    }
  )

  it.effect("matches its hash alone, whichever way its accents are composed", () =>
    Effect.gen(function* () {
      const salt = new Uint8Array(16).fill(3)
      const hash = yield* hashOf("Müßiggang im Café", salt)
      expect(yield* matches("Mu\u0308ßiggang im Cafe\u0301", hash)).toBe(true)
      for (const other of ["Müßiggang im Cafe", "", "müßiggang im café"])
        expect(yield* matches(other, hash)).toBe(false)
      expect(yield* matches("", unmatchable)).toBe(false)
      expect(yield* matches("Müßiggang im Café", "plain")).toBe(false)
      expect(yield* hashOf("Müßiggang im Café", new Uint8Array(16).fill(4))).not.toBe(hash)
    })
  )
})
