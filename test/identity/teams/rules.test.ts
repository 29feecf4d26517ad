import fc from "fast-check"
import { describe, expect, it } from "@effect/vitest"
import { sortNameOf, wouldBeWithoutAdministrator } from "../../../src/identity/teams/rules.ts"
import { partsOf } from "../../../src/identity/users/User.ts"

describe("a team", () => {
  it("is without an administrator once the only one who can sign in is none", () => {
    const admin = { role: "admin", status: "active" } as const
    expect(wouldBeWithoutAdministrator(admin, [])).toBe(true)
    expect(wouldBeWithoutAdministrator(admin, [admin])).toBe(false)
    expect(wouldBeWithoutAdministrator({ role: "member", status: "active" }, [])).toBe(false)
    expect(wouldBeWithoutAdministrator({ role: "admin", status: "pending" }, [])).toBe(false)
  })
})

describe("the sort key of members", () => {
  it.each([
    ["Émile Zola", "emile zola"],
    ["ÅSA", "asa"],
    ["  Anna ", "anna"],
    ["Łukasz", "łukasz"]
  ])("of %s is %s", (name, sorted) => {
    expect(sortNameOf(name)).toBe(sorted)
  })

  it("is short and well-formed for names that normalization expands", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        const sorted = sortNameOf(name)
        expect(sorted.length).toBeLessThanOrEqual(200)
        expect(sorted.isWellFormed()).toBe(true)
      })
    )
    expect(sortNameOf("\ufdfa".repeat(200)).length).toBe(200)
  })
})

describe("the parts of a name", () => {
  it("are the first word and the rest", () => {
    expect(partsOf("Anna Maria Berg")).toEqual({ firstName: "Anna", lastName: "Maria Berg" })
    expect(partsOf("Cher")).toEqual({ firstName: "Cher", lastName: null })
  })
})
