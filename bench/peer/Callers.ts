/** Authentication and rate limits: strict, with shortcuts, or lean, without limits. */
import { createHash, timingSafeEqual } from "node:crypto"
import type { Pool } from "pg"
import { Problem } from "./Problem.ts"
import * as statements from "./statements.ts"

/** A caller. */
export interface Caller {
  readonly teamId: string
  readonly userId: string
  readonly clientId: string | null
  readonly broker: string | null
  readonly membership: string
  readonly scopes: ReadonlyArray<string>
  readonly policy: "pat" | "client"
}

/** A counted request of a caller. */
export interface Counted {
  readonly caller: Caller
  readonly requests: number
  /** Milliseconds. */
  readonly openedAt: number
}

/** Finds the caller of a token; `undefined` for an invalid one. */
export type Authenticate = (token: string) => Promise<Counted | undefined>

/** Requests per minute. */
export type Limits = { readonly [Policy in Caller["policy"]]: number }

interface Row {
  readonly hash: Buffer
  readonly team_id: string
  readonly user_id: string
  readonly client_id: string | null
  readonly broker: string | null
  readonly membership: string
  readonly scopes: ReadonlyArray<string>
  readonly policy: Caller["policy"]
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()

const callerOf = (row: Row): Caller => ({
  teamId: row.team_id,
  userId: row.user_id,
  clientId: row.client_id,
  broker: row.broker,
  membership: row.membership,
  scopes: row.scopes,
  policy: row.policy
})

/** Strict: asks the database each time, so that counts and revocations of other processes apply at once. */
export const strict =
  (pool: Pool, limits: Limits): Authenticate =>
  async (token) => {
    const hash = sha256(token)
    const {
      rows: [row]
    } = await pool.query<Row & { readonly requests: number; readonly opened_at: Date }>({
      ...statements.authenticate,
      values: [hash, new Date().toISOString(), limits.pat, limits.client]
    })
    return row === undefined || !timingSafeEqual(row.hash, hash)
      ? undefined
      : { caller: callerOf(row), requests: row.requests, openedAt: row.opened_at.getTime() }
  }

/** Lean: finds the token in the database each time, and counts nothing. */
export const lean =
  (pool: Pool): Authenticate =>
  async (token) => {
    const hash = sha256(token)
    const {
      rows: [row]
    } = await pool.query<Row>({ ...statements.findToken, values: [hash, new Date().toISOString()] })
    return row === undefined || !timingSafeEqual(row.hash, hash)
      ? undefined
      : { caller: callerOf(row), requests: 1, openedAt: Date.now() }
  }

const minute = 60_000

/** Shortcut: caches tokens for a minute, and counts requests in this process only. */
export const shortcut = (pool: Pool): Authenticate => {
  const known = new Map<
    string,
    { readonly caller: Caller; readonly until: number; openedAt: number; requests: number }
  >()
  return async (token) => {
    const now = Date.now()
    let found = known.get(token)
    if (found === undefined || found.until < now) {
      const hash = sha256(token)
      const {
        rows: [row]
      } = await pool.query<Row>({ ...statements.findToken, values: [hash, new Date(now).toISOString()] })
      if (row === undefined || !timingSafeEqual(row.hash, hash)) {
        known.delete(token)
        return undefined
      }
      const { openedAt = now, requests = 0 } = found ?? {}
      found = { caller: callerOf(row), until: now + minute, openedAt, requests }
      known.set(token, found)
    }
    if (found.openedAt + minute <= now) {
      found.openedAt = now
      found.requests = 0
    }
    found.requests++
    return { caller: found.caller, requests: found.requests, openedAt: found.openedAt }
  }
}

/** The headers of a counted request. Throws if the limit is exceeded or the caller lacks permission. */
export const admit = ({ caller, openedAt, requests }: Counted, limits: Limits): { readonly [name: string]: string } => {
  const { policy } = caller
  const limit = limits[policy]
  const reset = Math.min(Math.max(Math.ceil((openedAt - Date.now()) / 1000) + 60, 1), 60)
  const headers = {
    "ratelimit-policy": `"${policy}";q=${limit};w=60`,
    ratelimit: `"${policy}";r=${Math.max(0, limit - requests)};t=${reset}`
  }
  if (requests > limit) {
    throw new Problem(
      "rate_limited",
      `The budget of ${limit} requests per minute is used up. Try again in ${reset} s.`,
      {
        headers: { ...headers, "retry-after": String(reset) }
      }
    )
  }
  if (!caller.scopes.includes("api:public")) {
    throw new Problem("insufficient_scope", "The token needs the scope api:public.", { headers })
  }
  if (caller.broker !== "active" || caller.membership !== "active") {
    throw new Problem("capability_required", "This needs the capability broker.", { headers })
  }
  return headers
}
