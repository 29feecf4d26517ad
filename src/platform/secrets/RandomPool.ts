/** Random bytes of the operating system. */
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomFillSync } from "node:crypto"

const poolBytes = 4096

/**
 * Draws 4 KiB at a time: to ask for the few bytes of each id takes longer than all else that an id takes. No byte is given out twice, or
 * stays in the pool after it was given out.
 */
export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.sync(SecureRandom.SecureRandom, () => {
  const pool = new Uint8Array(poolBytes)
  let next = poolBytes
  return SecureRandom.make((size) => {
    if (size > poolBytes / 4) return randomFillSync(new Uint8Array(size))
    if (next + size > poolBytes) {
      randomFillSync(pool)
      next = 0
    }
    const bytes = pool.slice(next, next + size)
    pool.fill(0, next, next + size)
    next += size
    return bytes
  })
})
