/**
 * Authenticates the bearer token of a request and applies the rate limit: docs/behaviour/identity.md#tokens and
 * docs/behaviour/http.md#rate-limits.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import {
  CapabilityRequired,
  InsufficientScope,
  InternalError,
  MembershipPending,
  RateLimited,
  Unauthorized,
  Unavailable
} from "../usecase/Problem.ts"
import { RequestState } from "./RequestState.ts"
import { Authentication } from "../auth/Authentication.ts"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { allows, publicScope, readScope } from "../auth/scopes.ts"
import { OnlyReads } from "./Contract.ts"

const isRead = ({ annotations, method }: HttpApiEndpoint.Top): boolean =>
  method === "GET" || method === "HEAD" || Context.get(annotations, OnlyReads)

/** The middleware of every endpoint that needs a token. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentActor }>()(
  "http/Authorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "A personal access token (`pnp_…`), or an access token (`pna_…`) that `POST /openid/token` issues to a client."
        )
      )
    },
    error: [
      Unauthorized,
      InsufficientScope,
      CapabilityRequired,
      MembershipPending,
      RateLimited,
      InternalError,
      Unavailable
    ]
  }
) {
  static readonly layer = Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const authentication = yield* Authentication
      return Authorization.of({
        bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
          const state = yield* RequestState
          const token = Redacted.value(credential)
          if (token === "") {
            state.headers["www-authenticate"] = "Bearer"
            return yield* new Unauthorized({ detail: "Send an access token: Authorization: Bearer <token>." })
          }
          const { actor, rate } = yield* authentication.authenticate(token).pipe(
            Effect.filterOrFail(
              (found) => !found.forMcpOnly,
              () => new Unauthorized({ detail: "The token is good for the MCP endpoint alone." })
            ),
            Effect.tapError(() =>
              Effect.sync(() => {
                state.headers["www-authenticate"] = 'Bearer error="invalid_token"'
              })
            )
          )
          state.caller = actor
          state.headers["ratelimit-policy"] = `"${rate.policy}";q=${rate.limit};w=60`
          state.headers["ratelimit"] = `"${rate.policy}";r=${rate.remaining};t=${rate.resetSeconds}`
          if (rate.exceeded) {
            state.headers["retry-after"] = String(rate.resetSeconds)
            return yield* new RateLimited({
              detail: `The limit of ${rate.limit} requests per minute is exceeded. Try again in ${rate.resetSeconds} s.`
            })
          }
          const needed = isRead(endpoint) ? "read" : "write"
          if (!allows(actor.scopes, needed)) {
            const scope = needed === "read" ? readScope : publicScope
            state.headers["www-authenticate"] = `Bearer error="insufficient_scope", scope="${scope}"`
            return yield* new InsufficientScope({ detail: `The token needs the scope ${scope}.` })
          }
          return yield* Effect.provideService(httpEffect, CurrentActor, actor)
        })
      })
    })
  )
}
