/** Finds out who calls, and how much of their rate limit is left (decisions §2 and §3). */
import { Clock, Context, Effect, Layer } from "effect"
import { timingSafeEqual } from "node:crypto"
import * as BatchedQuery from "../db/BatchedQuery.ts"
import { Unauthorized } from "../usecase/Problem.ts"
import type { Actor } from "./CurrentActor.ts"
import * as Secret from "./Secret.ts"
import { type AuthenticatedCaller, CallersRepo, type Limits, windowSeconds } from "./CallersRepo.ts"

/** How many requests a personal token and an OAuth client have in a window. */
export const RateLimits = Context.Reference<Limits>("auth/RateLimits", {
  defaultValue: () => ({ pat: 60, client: 600 })
})

/** What of a caller's rate limit is left, this request counted. */
export interface Rate {
  readonly policy: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Until the window ends: whole seconds, at least 1. */
  readonly resetSeconds: number
  /** Whether this request is one too many. */
  readonly exceeded: boolean
}

/** The rate of a caller at a moment. */
export const rateOf = (
  counted: Pick<AuthenticatedCaller, "policy" | "requests" | "openedAt">,
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

/** How long a rate-limit window is kept after it opened. */
const keptMillis = 3_600_000

// One sentence for all: whoever tries texts learns nothing about which of them were once good.
const refused = new Unauthorized({ detail: "The token is unknown, expired or revoked, or its person left the team." })

/** Authenticates callers by their token. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** The caller whose token this is. A request that is one too many is counted and told, not refused. */
    readonly authenticate: (
      bearer: string
    ) => Effect.Effect<{ readonly actor: Actor; readonly rate: Rate }, Unauthorized>
    /** Deletes rate-limit windows that closed long ago, at most `limit`; returns how many. */
    readonly purgeRateWindows: (limit: number) => Effect.Effect<number>
  }
>()("auth/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const callers = yield* CallersRepo
      const limits = yield* RateLimits

      const find = yield* BatchedQuery.make((hashes: ReadonlyArray<Uint8Array>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => callers.authenticate(hashes, new Date(now), limits))
      )

      const authenticate = Effect.fn("Authentication.authenticate")(function* (bearer: string) {
        // What cannot be a token costs no query.
        if (!Secret.isWellFormed(bearer)) return yield* refused
        const hash = Secret.hash(bearer)
        const found = yield* find(hash)
        if (found === undefined || !timingSafeEqual(found.hash, hash)) return yield* refused
        const actor: Actor = { ...found.actor, origin: "api" }
        return { actor, rate: rateOf(found, limits, yield* Clock.currentTimeMillis) }
      })

      const purgeRateWindows = Effect.fn("Authentication.purgeRateWindows")(function* (limit: number) {
        return yield* callers.purgeWindows(new Date((yield* Clock.currentTimeMillis) - keptMillis), limit)
      })

      return Authentication.of({ authenticate, purgeRateWindows })
    })
  )
}
