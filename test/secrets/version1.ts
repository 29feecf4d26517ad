import { createCipheriv } from "node:crypto"

/** A value as version 1 sealed it: under the secret key itself. The nonce is fixed, for these are values of tests. */
export const sealVersion1 = (key: Uint8Array, plain: string, context: string): Uint8Array => {
  const nonce = new Uint8Array(12).fill(9)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(
    Buffer.concat([Buffer.from([1]), Buffer.from(context)])
  )
  const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
  return new Uint8Array(Buffer.concat([Buffer.from([1]), nonce, ciphertext, cipher.getAuthTag()]))
}
