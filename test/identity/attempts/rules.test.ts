import { describe, expect, it } from "@effect/vitest"
import { limits, refusedFor } from "../../../src/identity/attempts/rules.ts"

describe("Attempts to sign in", () => {
  const openedAt = new Date(Date.UTC(2026, 10, 23))
  const after = (millis: number) => new Date(openedAt.getTime() + millis)

  it("are refused beyond the limit, until the window ends", () => {
    const account = { kind: "account", openedAt, attempts: limits.account.most } as const
    const address = { kind: "address", openedAt: after(1_000), attempts: limits.address.most } as const
    expect(refusedFor([account, address], after(0))).toBeUndefined()
    expect(refusedFor([{ ...account, attempts: limits.account.most + 1 }, address], after(0))).toBe(
      limits.account.windowMillis / 1000
    )
    expect(refusedFor([account, { ...address, attempts: limits.address.most + 1 }], after(0))).toBe(
      limits.account.windowMillis / 1000 + 1
    )
    expect(refusedFor([{ ...account, attempts: 99 }], after(limits.account.windowMillis - 1))).toBe(1)
  })
})
