import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { createHash } from "node:crypto"
import * as Secret from "../../../src/core/auth/Secret.ts"

const kinds = ["personal", "access", "client"] as const
const bytes = fc.uint8Array({ minLength: Secret.byteLength, maxLength: Secret.byteLength })

describe("a secret", () => {
  it("has the prefix of its kind and 49 letters and digits", () => {
    const zeros = new Uint8Array(32)
    const ones = new Uint8Array(32).fill(255)
    for (const kind of kinds) {
      for (const some of [zeros, ones]) {
        expect(Secret.make(kind, some)).toMatch(/^pn[pas]_[0-9A-Za-z]{49}$/)
      }
    }
    expect(kinds.map((kind) => Secret.make(kind, zeros).slice(0, 4))).toEqual(["pnp_", "pna_", "pns_"])
  })

  it("is well-formed for all random bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), bytes, (kind, random) => {
        const secret = Secret.make(kind, random)
        expect(Secret.isWellFormed(secret)).toBe(true)
      })
    )
  })

  it("differs for different bytes", () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        fc.pre(!Buffer.from(a).equals(Buffer.from(b)))
        expect(Secret.make("personal", a)).not.toBe(Secret.make("personal", b))
      })
    )
  })

  it("is not well-formed with a character changed, removed or added", () => {
    const secret = Secret.make("access", new Uint8Array(32).fill(7))
    for (let index = 0; index < secret.length; index++) {
      for (const other of ["0", "z", "-", " "]) {
        if (secret[index] === other) continue
        expect(Secret.isWellFormed(secret.slice(0, index) + other + secret.slice(index + 1)), String(index)).toBe(false)
      }
    }
    for (const text of [secret.slice(1), secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`, ""]) {
      expect(Secret.isWellFormed(text)).toBe(false)
    }
  })

  it("is not well-formed with the prefix of another kind", () => {
    const secret = Secret.make("access", new Uint8Array(32).fill(7))
    expect(Secret.isWellFormed(secret.replace("pna_", "pnp_"))).toBe(false)
  })

  it("requires exactly 32 bytes", () => {
    expect(() => Secret.make("client", new Uint8Array(31))).toThrow("32 bytes")
  })

  it("is stored as its SHA-256", () => {
    const secret = Secret.make("client", new Uint8Array(32))
    expect(Secret.hash(secret)).toEqual(createHash("sha256").update(secret).digest())
  })
})
