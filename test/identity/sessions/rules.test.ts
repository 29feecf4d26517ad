import { describe, expect, it } from "@effect/vitest"
import { idleMillis, totalMillis, touchMillis, userAgentOf, useOf } from "../../../src/identity/sessions/rules.ts"

const start = Date.UTC(2026, 10, 23)
const at = (millis: number) => new Date(start + millis)
const session = { lastUsedAt: at(0), expiresAt: at(totalMillis), revokedAt: null }

describe("A session", () => {
  it("lasts 12 hours without use, and 14 days in all", () => {
    expect([idleMillis / 3_600_000, totalMillis / 86_400_000]).toEqual([12, 14])
    expect(useOf(session, at(idleMillis - 1))).toEqual({ isWritten: true })
    expect(useOf(session, at(idleMillis))).toBeUndefined()
    const used = { ...session, lastUsedAt: at(totalMillis - 1) }
    expect(useOf(used, at(totalMillis - 1))).toEqual({ isWritten: false })
    expect(useOf(used, at(totalMillis))).toBeUndefined()
  })

  it("is over once it is revoked", () => {
    expect(useOf({ ...session, revokedAt: at(0) }, at(0))).toBeUndefined()
  })

  it("writes its use once a minute", () => {
    expect(useOf(session, at(touchMillis - 1))).toEqual({ isWritten: false })
    expect(useOf(session, at(touchMillis))).toEqual({ isWritten: true })
  })

  it("keeps what the browser says of itself, as far as it can be shown", () => {
    expect(userAgentOf(undefined)).toBeNull()
    expect(userAgentOf(`a\u0000b\u202ec${"x".repeat(1_000)}`)).toBe(`abc${"x".repeat(297)}`)
  })
})
