import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { hashOf, matches, unmatchable } from "../../../src/identity/signIn/Passwords.ts"
import {
  attemptLimits,
  passwordFaultOf,
  refusedFor,
  sessionTouchMillis,
  sessionUseOf,
  userAgentOf
} from "../../../src/identity/signIn/rules.ts"
import { sessionIdleMillis } from "../../../src/identity/users/rules.ts"

describe("Attempts to sign in", () => {
  const openedAt = new Date(Date.UTC(2026, 10, 23))
  const after = (millis: number) => new Date(openedAt.getTime() + millis)

  it("are refused beyond the limit, until the window ends", () => {
    const account = { kind: "account", openedAt, attempts: attemptLimits.account.most } as const
    const address = { kind: "address", openedAt: after(1_000), attempts: attemptLimits.address.most } as const
    expect(refusedFor([account, address], after(0))).toBeUndefined()
    expect(refusedFor([{ ...account, attempts: attemptLimits.account.most + 1 }, address], after(0))).toBe(
      attemptLimits.account.windowMillis / 1000
    )
    expect(refusedFor([account, { ...address, attempts: attemptLimits.address.most + 1 }], after(0))).toBe(
      attemptLimits.account.windowMillis / 1000 + 1
    )
    expect(refusedFor([{ ...account, attempts: 99 }], after(attemptLimits.account.windowMillis - 1))).toBe(1)
  })
})

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
    expect(passwordFaultOf(password, eva)).toBe(fault)
  })

  it.each(["correct horse battery", "twelve chars", "x".repeat(256), "eva.brandt likes long walks", "пароль из слов"])(
    "%s is accepted",
    (password) => {
      expect(passwordFaultOf(password, eva)).toBeUndefined()
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

const start = Date.UTC(2026, 10, 23)
const at = (millis: number) => new Date(start + millis)
const total = 14 * 86_400_000

const session = { lastUsedAt: at(0), expiresAt: at(total), revokedAt: null }

describe("A session", () => {
  it("lasts 12 hours without use, and 14 days in all", () => {
    expect(sessionIdleMillis / 3_600_000).toBe(12)
    expect(sessionUseOf(session, at(sessionIdleMillis - 1))).toEqual({ isWritten: true })
    expect(sessionUseOf(session, at(sessionIdleMillis))).toBeUndefined()
    const used = { ...session, lastUsedAt: at(total - 1) }
    expect(sessionUseOf(used, at(total - 1))).toEqual({ isWritten: false })
    expect(sessionUseOf(used, at(total))).toBeUndefined()
  })

  it("is over once it is revoked", () => {
    expect(sessionUseOf({ ...session, revokedAt: at(0) }, at(0))).toBeUndefined()
  })

  it("writes its use once a minute", () => {
    expect(sessionUseOf(session, at(sessionTouchMillis - 1))).toEqual({ isWritten: false })
    expect(sessionUseOf(session, at(sessionTouchMillis))).toEqual({ isWritten: true })
  })

  it("keeps what the browser says of itself, as far as it can be shown", () => {
    expect(userAgentOf(undefined)).toBeNull()
    expect(userAgentOf(`a\u0000b\u202ec${"x".repeat(1_000)}`)).toBe(`abc${"x".repeat(297)}`)
  })
})
