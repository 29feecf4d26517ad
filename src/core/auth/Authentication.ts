/**
 * Authenticates callers by their tokens and counts their requests: docs/behaviour/identity.md#tokens and
 * docs/behaviour/http.md#rate-limits.
 */
import * as Secret from "./Secret.ts"
import { makeBatchedQuery } from "../../platform/db/SetStatements.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { timingSafeEqual } from "node:crypto"
import { TeamDeleted, Unauthorized, UserDeactivated } from "../usecase/Problem.ts"
import type { Actor } from "./CurrentActor.ts"
import { credentialRefused } from "./Refusals.ts"
import { type AuthenticatedCaller, CallersRepo, type Limits, windowSeconds } from "./CallersRepo.ts"

/** The rate limits of personal tokens and of OAuth clients, in requests per window. */
export const RateLimits = Context.Reference<Limits>("core/auth/RateLimits", {
  defaultValue: () => ({ pat: 60, client: 600 })
})

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

/** How long a rate-limit window is stored after it opened, in milliseconds. */
const retentionMillis = 3_600_000

// One message for all cases: an attacker must not learn which tokens were once valid.
const refused = new Unauthorized({ detail: "The token is unknown, expired or revoked, or its user left the team." })

// Only whoever has a token that is valid hears of these.
const closed = {
  team_deleted: new TeamDeleted({
    detail: "The team is deleted. The operator of the service can restore it for 30 days."
  }),
  user_deactivated: new UserDeactivated({
    detail: "The account is deactivated. The operator of the service can activate it again."
  })
}

/** Authenticates callers by their token. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** The caller with this token. A request beyond the rate limit is not rejected here: `rate.exceeded` reports it. */
    readonly authenticate: (bearer: string) => Effect.Effect<
      {
        readonly actor: Actor
        readonly rate: Rate
        /** Whether the token is good for the MCP endpoint alone. */ readonly forMcpOnly: boolean
      },
      TeamDeleted | Unauthorized | UserDeactivated
    >
    /** Deletes rate-limit windows that closed long ago, at most `limit`; returns how many. */
    readonly purgeRateWindows: (limit: number) => Effect.Effect<number>
  }
>()("core/auth/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const callers = yield* CallersRepo
      const limits = yield* RateLimits

      const find = yield* makeBatchedQuery((hashes: ReadonlyArray<Uint8Array>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => callers.authenticate(hashes, new Date(now), limits))
      )

      const authenticate = Effect.fn("Authentication.authenticate")(function* (bearer: string) {
        // A text that cannot be a token needs no query.
        if (!Secret.isWellFormed(bearer)) return yield* refused
        const hash = Secret.hash(bearer)
        const found = yield* find(hash)
        if (found === undefined || !timingSafeEqual(found.hash, hash)) return yield* refused
        if (found.closed !== null) return yield* closed[found.closed]
        const actor: Actor = { ...found.actor, origin: "api" }
        return { actor, rate: rateOf(found, limits, yield* Clock.currentTimeMillis), forMcpOnly: found.forMcpOnly }
      })

      const purgeRateWindows = Effect.fn("Authentication.purgeRateWindows")(function* (limit: number) {
        return yield* callers.purgeWindows(new Date((yield* Clock.currentTimeMillis) - retentionMillis), limit)
      })

      return Authentication.of({
        authenticate: (bearer) => Effect.tapError(authenticate(bearer), () => credentialRefused("token")),
        purgeRateWindows
      })
    })
  ).pipe(Layer.provide(CallersRepo.layer))
}
