/**
 * Admits the callers of endpoints that take bearer tokens: authenticates them, applies the rate limit, and checks their scopes
 * (docs/behaviour/identity.md#tokens, docs/behaviour/http.md#rate-limits).
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { Authentication } from "../core/auth/Authentication.ts"
import {
  actAs,
  type Actor,
  allows,
  type CurrentActor,
  offlineScope,
  publicScope,
  readScope
} from "../core/auth/CurrentActor.ts"
import {
  CapabilityRequired,
  InsufficientScope,
  InternalError,
  MembershipPending,
  RateLimited,
  StorageFull,
  TeamDeleted,
  Unauthorized,
  Unavailable,
  UserDeactivated
} from "../core/usecase/Problem.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { RequestState, type State } from "./RequestState.ts"
import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import { OnlyReads } from "./Contract.ts"

/** What differs between the endpoints that take tokens. */
export interface Audience {
  /** Whether tokens that are bound to the MCP endpoint are good here. */
  readonly acceptsMcpTokens: boolean
  /** Parameters of every challenge, such as `resource_metadata="…"`. */
  readonly parameters: ReadonlyArray<string>
  /** The scopes that a client without a token should sign its user in for; a 401 of REST names none. */
  readonly scopes: ReadonlyArray<string>
}

/** The REST API. Its challenges have no parameters besides the error. */
export const restAudience: Audience = { acceptsMcpTokens: false, parameters: [], scopes: [] }

const choicePair = /^(?:readonly|toolsets)=[\w%,+.-]*$/

/**
 * The part of a query of the MCP endpoint that chooses tools, as it is written, with its question mark. With it, a URL of the endpoint is
 * a resource of its own.
 */
export const choiceIn = (url: string): string => {
  const pairs = (url.split("?", 2)[1] ?? "").split("&").filter((pair) => choicePair.test(pair))
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`
}

/** Whether a URL of the MCP endpoint asks for the tools that read alone. */
export const isReadOnly = (parameters: URLSearchParams): boolean => parameters.getAll("readonly").includes("true")

/** The scopes that an app asks for to stay connected. */
export const appScopes = (readOnly: boolean): ReadonlyArray<string> => [
  readOnly ? readScope : publicScope,
  offlineScope
]

/** The scopes of a challenge. Clients request just these, so that one that signs users in must hear of refresh tokens here. */
const scopeParameter = (scopes: ReadonlyArray<string>): ReadonlyArray<string> =>
  scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]

const challenge = ({ parameters }: Audience, ...own: ReadonlyArray<string>): string =>
  ["Bearer", [...own, ...parameters].join(", ")].filter((part) => part !== "").join(" ")

/**
 * Makes what admits callers: it returns the one with a token, which is empty if none was sent. Counts the request, and says the state of
 * the rate limit in the headers of the response. Fails with 401 and its challenge, or with 429.
 */
export const admitting = Effect.map(Effect.all([Authentication, AuditLog]), ([authentication, auditLog]) => {
  /** Says in the log and in the audit log whose token was refused. */
  const refusedToken = Effect.fnUntraced(function* (token: string, state: State, code: string) {
    const found = yield* authentication.explain(token)
    if (found !== undefined) {
      const { code: _, ...known } = found
      Object.assign(state.audit, known)
    }
    yield* auditLog.count({
      action: "credentials.refused",
      outcome: "refused",
      details: { code: code === "unauthorized" ? (found?.code ?? "unknown") : code }
    })
  })

  return Effect.fnUntraced(function* (token: string, audience: Audience) {
    const state = yield* RequestState
    if (token === "") {
      state.headers["www-authenticate"] = challenge(audience, ...scopeParameter(audience.scopes))
      return yield* new Unauthorized({ detail: "Send an access token: Authorization: Bearer <token>." })
    }
    const { actor, grantId, rate, tokenId } = yield* authentication.authenticate(token).pipe(
      Effect.filterOrFail(
        (found) => audience.acceptsMcpTokens || !found.forMcpOnly,
        () => new Unauthorized({ detail: "The token is good for the MCP endpoint alone." })
      ),
      Effect.tapError(({ code }) => {
        state.headers["www-authenticate"] = challenge(
          audience,
          'error="invalid_token"',
          ...scopeParameter(audience.scopes)
        )
        return refusedToken(token, state, code)
      })
    )
    state.caller = actor
    state.audit.tokenId = tokenId
    state.audit.grantId = grantId
    if (actor.clientId !== null && state.audit.address !== null) {
      yield* authentication.noteAddress(actor.clientId, state.audit.address)
    }
    state.headers["ratelimit-policy"] = `"${rate.policy}";q=${rate.limit};w=60`
    state.headers["ratelimit"] = `"${rate.policy}";r=${rate.remaining};t=${rate.resetSeconds}`
    if (rate.exceeded) {
      state.headers["retry-after"] = String(rate.resetSeconds)
      return yield* new RateLimited({
        detail: `The limit of ${rate.limit} requests per minute is exceeded. Try again in ${rate.resetSeconds} s.`
      })
    }
    return actor
  })
})

/** Fails with 403 and its challenge if the caller's token does not allow to read or to write. */
export const requireScope = Effect.fnUntraced(function* (actor: Actor, needed: "read" | "write", audience: Audience) {
  if (allows(actor.scopes, needed)) return
  const state = yield* RequestState
  const scope = needed === "read" ? readScope : publicScope
  const scopes = [scope, ...audience.scopes.filter((asked) => asked === offlineScope)]
  state.headers["www-authenticate"] = challenge(audience, 'error="insufficient_scope"', ...scopeParameter(scopes))
  return yield* new InsufficientScope({ detail: `The token needs the scope ${scope}.` })
})

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
      TeamDeleted,
      UserDeactivated,
      InsufficientScope,
      CapabilityRequired,
      MembershipPending,
      RateLimited,
      InternalError,
      StorageFull,
      Unavailable
    ]
  }
) {
  static readonly layer = Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const admit = yield* admitting
      return Authorization.of({
        bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
          const actor = yield* admit(Redacted.value(credential), restAudience)
          yield* requireScope(actor, isRead(endpoint) ? "read" : "write", restAudience)
          return yield* httpEffect.pipe(actAs(actor), Effect.provideService(Tenant, actor.teamId))
        })
      })
    })
  ).pipe(Layer.provide(Authentication.layer))
}
