/** How many requests a caller may make in a minute: docs/behaviour/http.md#rate-limits. */

/** The rate limits, in requests per window: of a personal token, of an OAuth client, and of a session in a browser. */
export interface Limits {
  readonly pat: number
  readonly client: number
  readonly session: number
}

/** The length of a rate limit's window, in seconds. */
export const windowSeconds = 60

/**
 * Concurrent requests, and hosts whose clocks differ a little, open windows slightly in each other's future. A window further ahead than
 * this was opened by a wrong clock, and counts as over.
 */
export const skewSeconds = 5

/** The state of a caller's rate limit after this request. */
export interface Rate {
  readonly policy: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Until the window ends: whole seconds, at least 1. */
  readonly resetSeconds: number
  /** Whether this request exceeds the limit. */
  readonly exceeded: boolean
}

/** The rate of a caller at a time, in milliseconds since 1970. */
export const rateOf = (
  counted: { readonly policy: keyof Limits; readonly requests: number; readonly openedAt: Date },
  limits: Limits,
  now: number
): Rate => {
  const limit = limits[counted.policy]
  const left = Math.ceil((counted.openedAt.getTime() - now) / 1000) + windowSeconds
  return {
    policy: counted.policy,
    limit,
    remaining: Math.max(0, limit - counted.requests),
    resetSeconds: Math.min(Math.max(left, 1), windowSeconds),
    exceeded: counted.requests > limit
  }
}
