/** Request ids, sent by the client or new: docs/behaviour/http.md#request-ids. */
import { randomFillSync } from "node:crypto"

const length = 16

// Random bytes for many ids at once: one call per id would cost more than everything else here.
const pool = Buffer.alloc(length * 256)
let used = pool.length

/** A new id. */
export const make = (): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += length
  return `req_${pool.toString("hex", used - length, used)}`
}

const safe = /^[A-Za-z0-9._-]{1,128}$/

/** The id that the client sent if it is well-formed, or else a new one. */
export const of = (sent: string | undefined): string => (sent !== undefined && safe.test(sent) ? sent : make())
