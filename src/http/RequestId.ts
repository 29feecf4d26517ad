/** Ids of requests: the client's own, or new ones. */
import { randomFillSync } from "node:crypto"

const length = 16

// Random bytes for many ids at once: asking for each would cost more than all else about it.
const pool = Buffer.alloc(length * 256)
let used = pool.length

/** An id that nothing has. */
export const make = (): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += length
  return `req_${pool.toString("hex", used - length, used)}`
}

const safe = /^[A-Za-z0-9._-]{1,128}$/

/** The id that a client sent, if it can be used, or else a new one. */
export const of = (sent: string | undefined): string => (sent !== undefined && safe.test(sent) ? sent : make())
