/**
 * Authenticates callers by their tokens and counts their requests: docs/behaviour/identity.md#tokens and
 * docs/behaviour/http.md#rate-limits.
 */
import * as Secret from "./Secret.ts"
import { makeBatchedQuery } from "../../platform/db/SetStatements.ts"
import { named } from "../../platform/telemetry/Named.ts"
import { daysAgo } from "../../platform/Time.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { timingSafeEqual } from "node:crypto"
import { TeamDeleted, Unauthorized, UserDeactivated } from "../usecase/Problem.ts"
import type { Actor } from "./CurrentActor.ts"
import { credentialRefused } from "./Refusals.ts"
import { CallersRepo, type RefusedToken } from "./CallersRepo.ts"
import { type Limits, type Rate, rateOf } from "./rules.ts"

/** The rate limits of personal tokens, of OAuth clients and of sessions in browsers, in requests per window. */
export const RateLimits = Context.Reference<Limits>("core/auth/RateLimits", {
  defaultValue: () => ({ pat: 60, client: 600, session: 600 })
})

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

/** For how many days the use of clients is known. */
export const useDays = 30

/** Of how many addresses of clients a process knows that they are noted. */
const maxSeen = 10_000

/** Authenticates callers by their token. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** The caller with this token. A request beyond the rate limit is not rejected here: `rate.exceeded` reports it. */
    readonly authenticate: (bearer: string) => Effect.Effect<
      {
        readonly actor: Actor
        readonly rate: Rate
        /** UUIDs. */
        readonly tokenId: string
        readonly grantId: string | null
        /** Whether the token is good for the MCP endpoint alone. */ readonly forMcpOnly: boolean
      },
      TeamDeleted | Unauthorized | UserDeactivated
    >
    /** What is known of a token that was refused; undefined if there is no such token. */
    readonly explain: (bearer: string) => Effect.Effect<RefusedToken | undefined>
    /** Notes that a client (UUID) called from an address. Nobody waits for it. */
    readonly noteAddress: (clientId: string, address: string) => Effect.Effect<void>
    /** Deletes what is known of the use of clients from long ago, at most `limit` of each kind; returns how many. */
    readonly purgeUse: (limit: number) => Effect.Effect<number>
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

      const authenticate = named(
        "Authentication.authenticate",
        Effect.fnUntraced(function* (bearer: string) {
          // A text that cannot be a token needs no query.
          if (!Secret.isWellFormed(bearer)) return yield* refused
          const hash = Secret.hash(bearer)
          const found = yield* find(hash)
          if (found === undefined || !timingSafeEqual(found.hash, hash)) return yield* refused
          if (found.closed !== null) return yield* closed[found.closed]
          const actor: Actor = { ...found.actor, origin: "api" }
          return {
            actor,
            rate: rateOf(found, limits, yield* Clock.currentTimeMillis),
            tokenId: found.tokenId,
            grantId: found.grantId,
            forMcpOnly: found.forMcpOnly
          }
        })
      )

      const findRefused = yield* makeBatchedQuery((hashes: ReadonlyArray<Uint8Array>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => callers.explain(hashes, new Date(now)))
      )

      const explain = Effect.fn("Authentication.explain")(function* (bearer: string) {
        return Secret.isWellFormed(bearer) ? yield* findRefused(Secret.hash(bearer)) : undefined
      })

      // Each address of a client is written once an hour by each process.
      const seen = new Map<string, number>()
      const scope = yield* Effect.scope
      const services = yield* Effect.context<never>()

      const noteAddress = (clientId: string, address: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const key = `${clientId} ${address}`
          const hour = Math.floor(millis / 3_600_000)
          if (seen.get(key) === hour) return Effect.void
          if (seen.size >= maxSeen) seen.clear()
          seen.set(key, hour)
          return callers.noteAddresses([{ clientId, address, at: new Date(millis) }]).pipe(
            Effect.catchCause((cause) => Effect.logWarning("The address of a client could not be noted.", cause)),
            // It is no part of the request.
            Effect.setContext(services),
            Effect.forkIn(scope),
            Effect.asVoid
          )
        })

      const purgeUse = Effect.fn("Authentication.purgeUse")(function* (limit: number) {
        return yield* callers.purgeUse(yield* daysAgo(useDays), limit)
      })

      const purgeRateWindows = Effect.fn("Authentication.purgeRateWindows")(function* (limit: number) {
        return yield* callers.purgeWindows(new Date((yield* Clock.currentTimeMillis) - retentionMillis), limit)
      })

      return Authentication.of({
        authenticate: (bearer) => Effect.tapError(authenticate(bearer), () => credentialRefused("token")),
        explain,
        noteAddress,
        purgeUse,
        purgeRateWindows
      })
    })
  ).pipe(Layer.provide(CallersRepo.layer))
}
