import { createCipheriv } from "node:crypto"

/** Seals a value in the format of version 1, under the secret key itself. The nonce is fixed, which only a test may do. */
export const sealVersion1 = (key: Uint8Array, plain: string, context: string): Uint8Array => {
  const nonce = new Uint8Array(12).fill(9)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(
    Buffer.concat([Buffer.from([1]), Buffer.from(context)])
  )
  const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
  return new Uint8Array(Buffer.concat([Buffer.from([1]), nonce, ciphertext, cipher.getAuthTag()]))
}
