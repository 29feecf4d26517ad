/**
 * The texts of refresh tokens: their first half names the family that they belong to, the other half is random. So one that was
 * replaced is recognized without being stored, and a client that refreshes with each request fills no table. Pure.
 */
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"

const familyLength = 16

/** The number of random bytes in a refresh token. */
export const randomLength = Secret.byteLength - familyLength

/** The refresh token of a family (UUID) with these random bytes. */
export const refreshTokenOf = (familyId: string, random: Uint8Array): string =>
  Secret.make("refresh", new Uint8Array([...Buffer.from(familyId.replaceAll("-", ""), "hex"), ...random]))

/** The family (UUID) that a text names, if it is a refresh token. Whoever has its other half, too, is another question. */
export const familyNamedBy = (token: string): string | undefined => {
  if (!token.startsWith(Secret.prefixes.refresh) || !Secret.isWellFormed(token)) return undefined
  const bytes = Secret.bytesOf(token)
  if (bytes === undefined) return undefined
  const hex = Buffer.from(bytes.subarray(0, familyLength)).toString("hex")
  const family = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  return Id.isUuid(family) ? family : undefined
}
