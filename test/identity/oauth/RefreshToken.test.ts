import fc from "fast-check"
import * as Secret from "../../../src/core/auth/Secret.ts"
import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { familyNamedBy, randomLength, refreshTokenOf } from "../../../src/identity/oauth/OAuth.ts"

const random = fc.uint8Array({ minLength: randomLength, maxLength: randomLength })

describe("A refresh token", () => {
  it("is a secret that names its family", () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), random, (family, bytes) => {
        const token = refreshTokenOf(family, bytes)
        assert.match(token, /^pnr_[0-9A-Za-z]{49}$/)
        assert.isTrue(Secret.isWellFormed(token))
        assert.strictEqual(familyNamedBy(token), family)
      })
    )
  })

  it("differs for other random bytes", () => {
    const family = randomUUID()
    fc.assert(
      fc.property(random, random, (a, b) => {
        fc.pre(!Buffer.from(a).equals(Buffer.from(b)))
        assert.notStrictEqual(refreshTokenOf(family, a), refreshTokenOf(family, b))
      })
    )
  })

  it("is the only text that names one", () => {
    const token = refreshTokenOf(randomUUID(), new Uint8Array(randomLength))
    for (const other of ["", "pnr_", token.slice(0, -1), `${token}0`, token.replace("pnr_", "pna_")]) {
      assert.isUndefined(familyNamedBy(other), other)
    }
    assert.isUndefined(familyNamedBy(Secret.make("access", new Uint8Array(32))))
  })
})
