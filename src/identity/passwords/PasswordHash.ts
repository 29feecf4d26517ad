/** Password hashes: argon2id of Node, with the parameters that OWASP recommends, as PHC strings. */
import { Effect, Semaphore } from "effect"
import { argon2, type Argon2Parameters, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

/** The number of random bytes that a hash is made with. */
export const saltLength = 16

const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const derive = promisify((parameters: Argon2Parameters, callback: (error: Error | null, tag: Buffer) => void) =>
  argon2("argon2id", parameters, callback)
)

// Each takes 19 MiB and a thread of the pool for some 20 ms.
const permits = Semaphore.makeUnsafe(2)

const tagOf = (password: string, nonce: Uint8Array, { memory, parallelism, passes, tagLength }: typeof cost) =>
  permits.withPermits(1)(
    // One spelling of composed characters: keyboards differ.
    Effect.promise(() => derive({ message: password.normalize("NFC"), nonce, memory, parallelism, passes, tagLength }))
  )

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** The hash of a password with a salt of {@link saltLength} random bytes. */
export const hashOf = Effect.fnUntraced(function* (password: string, salt: Uint8Array) {
  const { memory, parallelism, passes } = cost
  const tag = yield* tagOf(password, salt, cost)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
})

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether a password has this hash, compared in constant time; false for what is no hash. */
export const matches = Effect.fnUntraced(function* (password: string, hash: string) {
  const [, memory, passes, parallelism, salt = "", tag = ""] = form.exec(hash) ?? []
  const expected = Buffer.from(tag, "base64")
  if (expected.length === 0) return false
  const found = yield* tagOf(password, Buffer.from(salt, "base64"), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length
  })
  return timingSafeEqual(found, expected)
})

/** A hash of no password: checking against it takes as long as against any other. */
export const unmatchable = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(
  new Uint8Array(saltLength)
)}$${base64(new Uint8Array(cost.tagLength))}`
