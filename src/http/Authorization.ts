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
} from "../core/usecase/Problem.ts"
import { actAs, type CurrentActor } from "../core/auth/CurrentActor.ts"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import * as Admission from "./Admission.ts"
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
      const admit = yield* Admission.make
      return Authorization.of({
        bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
          const actor = yield* admit(Redacted.value(credential), Admission.restAudience)
          yield* Admission.requireScope(actor, isRead(endpoint) ? "read" : "write", Admission.restAudience)
          return yield* httpEffect.pipe(actAs(actor), Effect.provideService(Tenant, actor.teamId))
        })
      })
    })
  )
}
