/**
 * The outermost layer of HTTP: every response has a request id, every error is a problem, and every answered request
 * writes a log line (one whose client disconnects writes none). See docs/behaviour/http.md#request-ids, docs/behaviour/http.md#problems
 * and docs/behaviour/http.md#time-limits.
 */
import {
  begin,
  BodyTimeouts,
  refusalOfHead,
  requestIdOf,
  RequestState,
  type State,
  addressVia,
  TrustedProxies
} from "./RequestState.ts"
import { Cause, Context, Effect, Exit, type Layer, Option, References, Tracer } from "effect"
import {
  HttpMiddleware,
  HttpPlatform,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  HttpTraceContext
} from "effect/http"
import { CurrentAuditContext } from "../core/auth/AuditContext.ts"
import { BaseUrl } from "../platform/Config.ts"
import { DatabaseUnavailable, logDefects } from "../platform/db/DatabaseUnavailable.ts"
import { isCrowded } from "../platform/db/TransactionPermits.ts"
import { discardingRest, isUnread, mediaTypes } from "./Body.ts"
import { exitWithin } from "../platform/Time.ts"
import {
  databaseFull,
  InternalError,
  MalformedRequest,
  MethodNotAllowed,
  NotFound,
  RequestTimeout,
  Unavailable
} from "../core/usecase/Problem.ts"
import { RequestRecorder } from "../core/requests/RequestRecords.ts"
import { isOfPrograms, ownRequestId } from "../core/requests/rules.ts"
import { hold, tooManyWrites } from "../core/usecase/TeamBudget.ts"
import {
  abandonSpan,
  beginSpan,
  makeLoggedPath,
  callerOf,
  countAnswer,
  endSpan,
  RequestLog,
  SlowRequest
} from "./RequestTelemetry.ts"
import { noStore } from "./RestResponse.ts"

/** `Retry-After` of every 503 (the database or the file storage is unavailable, or full), and of a 429 that has none, in seconds. */
const retryAfter = 5

/**
 * How long the service may take, in milliseconds, from the arrival of the request or from the end of the latest read of its
 * body. Then the answer is 503: a database that hangs reports no error by itself.
 */
export const AnswerTimeout = Context.Reference<number>("http/AnswerTimeout", { defaultValue: () => 15_000 })

/**
 * Decides about a request that is not answered yet: how many more milliseconds it may take, or the error it ends with. While
 * the body is being read, the client has its own, longer limit.
 */
const timeLeftOrExit = (state: State, answerTimeout: number): number | Exit.Exit<never, RequestTimeout> => {
  const left = state.waitingSince + (state.isReadingBody ? state.bodyTimeout : answerTimeout) - performance.now()
  if (left > 0) return left
  return state.isReadingBody
    ? Exit.fail(new RequestTimeout({ detail: "The body did not arrive in time." }))
    : Exit.die(new DatabaseUnavailable({ cause: "no answer in time" }))
}

const problem = HttpServerRespondable.toResponse

/** The methods of each path with `:parameters`, to tell 405 from 404, and what a client may write in a path from what it made up. */
export type Methods = ReadonlyArray<{ readonly method: string; readonly path: string }>

type Patterns = ReadonlyArray<{ readonly method: string; readonly pattern: RegExp }>

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split("/")
      .map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")))
      .join("/")}$`
  )

const allowed = (methods: Patterns, path: string): ReadonlyArray<string> => {
  const found = methods.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  return [...new Set(found.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))]
}

const pathOf = ({ url }: HttpServerRequest.HttpServerRequest): string => {
  const query = url.indexOf("?")
  return query < 0 ? url : url.slice(0, query)
}

const unrouted = (methods: Patterns, request: HttpServerRequest.HttpServerRequest, state: State) => {
  const path = pathOf(request)
  const allow = allowed(methods, path)
  // The router does not route an allowed method when a path parameter is wrongly encoded or too long. Nothing has such an id.
  if (allow.length === 0 || allow.includes(request.method))
    return problem(new NotFound({ detail: `There is nothing at ${path}.` }))
  state.headers["allow"] = allow.join(", ")
  return problem(new MethodNotAllowed({ detail: `${path} has ${allow.join(", ")}, not ${request.method}.` }))
}

/** The response to a request whose handler failed. */
const rescue =
  (methods: Patterns, request: HttpServerRequest.HttpServerRequest, state: State) =>
  (cause: Cause.Cause<unknown>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.gen(function* () {
      const error = cause.reasons.find(Cause.isFailReason)?.error
      if (error instanceof HttpServerError.HttpServerError) {
        if (error.reason._tag === "RouteNotFound") return yield* unrouted(methods, request, state)
        if (error.reason._tag === "RequestParseError") {
          return yield* problem(new MalformedRequest({ detail: "The request cannot be parsed." }))
        }
      }
      if (error !== undefined && HttpServerRespondable.isRespondable(error)) {
        return yield* HttpServerRespondable.toResponse(error)
      }
      if (isCrowded(cause)) {
        state.headers["retry-after"] = "1"
        return yield* problem(tooManyWrites)
      }
      const unavailable = yield* logDefects("A request", cause)
      if (unavailable !== undefined) {
        return yield* problem(
          unavailable.isFull ? databaseFull : new Unavailable({ detail: `Try again in ${retryAfter} s.` })
        )
      }
      return yield* problem(
        new InternalError({ detail: "Try again. If the problem persists, give the request id to the operator." })
      )
    })

/** Makes the page of a problem, for people. */
export type ProblemPage = (problem: {
  readonly [member in "code" | "detail" | "requestId" | "title"]: string
}) => { readonly body: string; readonly headers: { readonly [name: string]: string } }

/** The page in which the problem of a path is shown, for whom asks in these languages; undefined where it is answered as JSON. */
export type ProblemPages = (path: string, acceptLanguage: string | undefined) => ProblemPage | undefined

const isProblem = (response: HttpServerResponse.HttpServerResponse) =>
  response.headers["content-type"]?.startsWith("application/problem+json") === true

/** Adds the request id to a problem, and makes its `type` an absolute URL. */
const completeProblem = (
  response: HttpServerResponse.HttpServerResponse,
  state: State,
  baseUrl: string,
  asPage: ProblemPage | undefined
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  const { code, detail, status, title, type, ...others } = JSON.parse(new TextDecoder().decode(body.body)) as {
    readonly [member: string]: unknown
  }
  state.problem = String(code)
  // In the order in which people read them.
  const members = { type: `${baseUrl}${String(type)}`, title, status, code, detail, ...others, requestId: state.id }
  if (asPage !== undefined) {
    const { body: text, headers } = asPage({
      title: String(title),
      detail: String(detail),
      code: String(code),
      requestId: state.id
    })
    return HttpServerResponse.text(text, {
      status: response.status,
      headers: { ...response.headers, ...headers },
      contentType: "text/html; charset=utf-8"
    })
  }
  return HttpServerResponse.text(JSON.stringify(members), {
    status: response.status,
    headers: response.headers,
    contentType: "application/problem+json"
  })
}

// Answers are compressed for the clients that ask for it: docs/behaviour/http.md#compression-and-caching.

/** Shorter answers, in bytes, fit into two packets with their headers: compressing them saves no time. */
const minCompressed = 2_048

/**
 * Whether the bytes of an answer depend on `Accept-Encoding`. Those with an ETag do not: clients send it back as `If-Match`, where a weak
 * one never matches, and a compressed representation must not have the strong one of another. Nor do those that no cache may store: they
 * show secrets, and the length of a compressed answer tells about its content.
 */
const isNegotiated = ({ body, headers }: HttpServerResponse.HttpServerResponse): boolean =>
  body._tag === "Uint8Array" &&
  headers["etag"] === undefined &&
  headers["content-encoding"] === undefined &&
  headers["cache-control"] !== noStore["cache-control"]

/** Whether a client asks for compression of an answer that is worth it. */
const wantsCompression = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): boolean =>
  request.headers["accept-encoding"] !== undefined &&
  response.body._tag === "Uint8Array" &&
  response.body.contentLength >= minCompressed &&
  isNegotiated(response)

// docs/adr/0030-answers-with-etags-uncompressed.md says why only gzip, which every client has that knows another, and why not harder.
const negotiating = HttpMiddleware.compression({ algorithms: ["gzip"], minSize: minCompressed, levels: { gzip: 2 } })

// Browsers know more than gzip where they trust the connection. Zstandard is as quick as gzip and 7 % smaller; Brotli, for those without it,
// is another 3 % smaller and takes three times as long.
const negotiatingPage = HttpMiddleware.compression({
  algorithms: ["zstd", "br", "gzip"],
  minSize: minCompressed,
  levels: { zstd: 3, br: 4, gzip: 2 }
})

const isPage = ({ headers }: HttpServerResponse.HttpServerResponse) => headers["content-type"]?.startsWith("text/html")

/** A response that is compressed before it is sent, on another thread, if the client accepts that. */
const compressed = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  platform: HttpPlatform.HttpPlatform["Service"]
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.provideContext(
    (isPage(response) === true ? negotiatingPage : negotiating)(Effect.succeed(response)),
    Context.make(HttpServerRequest.HttpServerRequest, request).pipe(Context.add(HttpPlatform.HttpPlatform, platform))
  )

/** `Retry-After` of a problem that says when to try again. */
const saidRetryAfter = ({ body }: HttpServerResponse.HttpServerResponse): string | undefined =>
  body._tag === "Uint8Array" ? /"retryAfterSeconds":(\d+)/.exec(new TextDecoder().decode(body.body))?.[1] : undefined

/** The value of `Vary` with further headers, each once. */
const varying = (...values: ReadonlyArray<string | undefined>): string =>
  [...new Set(values.flatMap((value) => value?.split(/\s*,\s*/) ?? []))].join(", ")

/**
 * Who may store an answer that does not say so itself: nobody, because it is about people; but the client itself what has an ETag, which it
 * shows again to learn whether it changed.
 */
const cachingOf = (method: string, { headers }: HttpServerResponse.HttpServerResponse): string =>
  headers["etag"] !== undefined && (method === "GET" || method === "HEAD") ? "private, no-cache" : "no-store, private"

const finish = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  state: State,
  {
    baseUrl,
    pages,
    problemPages
  }: { readonly baseUrl: string; readonly pages: Pages; readonly problemPages: ProblemPages }
) => {
  if (response.status === 415 && request.method === "PATCH") {
    state.headers["accept-patch"] = mediaTypes("PATCH").join(", ")
  }
  // That of the rate limit says when its window ends.
  const isLater = response.status === 503 || response.status === 429
  if (isLater && response.headers["retry-after"] === undefined) {
    state.headers["retry-after"] ??= saidRetryAfter(response) ?? String(retryAfter)
  }
  // The rest of the body may still come.
  if (response.status === 408) state.headers["connection"] = "close"
  const asPage = isProblem(response) ? problemPages(pathOf(request), request.headers["accept-language"]) : undefined
  const completed = isProblem(response) ? completeProblem(response, state, baseUrl, asPage) : response
  state.headers["x-request-id"] = state.id
  if (completed.headers["cache-control"] === undefined) {
    state.headers["cache-control"] ??= cachingOf(request.method, completed)
  }
  const { vary, ...shared } = headersOf(pages, request.headers)
  Object.assign(state.headers, shared)
  const negotiated = isNegotiated(completed) ? "Accept-Encoding" : undefined
  if (vary !== undefined || negotiated !== undefined) {
    state.headers["vary"] = varying(completed.headers["vary"], negotiated, vary)
  }
  return HttpServerResponse.setHeaders(completed, state.headers)
}

const needlesslyEncoded = /%(?:2[de]|3[0-9a]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi

/**
 * A request with the characters of its path that need no encoding written as they are: those that RFC 3986 never reserves, and the colon,
 * which means itself in a path. Some clients encode all but letters.
 */
const withPlainPath = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const path = pathOf(request)
  if (!path.includes("%")) return request
  const plain = path.replaceAll(needlesslyEncoded, decodeURIComponent)
  return plain === path ? request : request.modify({ url: plain + request.url.slice(path.length) })
}

type Handler = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>

/** The answer to the preflight of a page that may call the path; undefined for any other request. */
const preflightOf = (
  request: HttpServerRequest.HttpServerRequest,
  pages: Pages,
  methods: Patterns,
  path: string
): Handler | undefined => {
  if (request.method !== "OPTIONS") return undefined
  const headers = preflightHeadersOf(pages, request.headers, allowed(methods, path))
  return headers === undefined ? undefined : Exit.succeed(HttpServerResponse.empty({ status: 204, headers }))
}

/** The pattern of the route in a context. The router doubles a colon that does not begin a parameter. */
const routeIn = (context: Context.Context<never>): string | undefined =>
  Context.getOrUndefined(context, HttpRouter.RouteContext)?.route.path.replaceAll("::", ":")

/**
 * Stores the route of a request when its handler ends, because a fiber loses its context when it ends, and gives back what its body took.
 */
const settling = (state: State, handler: Handler, release: () => void): Handler =>
  Effect.onExit(handler, () =>
    Effect.withFiber((fiber) => {
      state.route = routeIn(fiber.context)
      release()
      return Effect.void
    })
  )

const lengthOf = ({ body }: HttpServerResponse.HttpServerResponse): number | undefined =>
  body._tag === "Empty" ? 0 : body.contentLength

/** Hands a request of a program on to the log of its team; nothing if nobody knows whose it is. */
const recordRequest = (
  record: typeof RequestRecorder.Service,
  { audit, caller, id, problem, tool }: State,
  answered: {
    readonly method: string
    readonly route: string | undefined
    readonly status: number
    readonly durationMs: number
  }
): void => {
  const teamId = caller?.teamId ?? audit.teamId
  if (teamId === null) return
  const clientId = caller?.clientId ?? audit.clientId
  record({
    ...answered,
    teamId,
    at: new Date(),
    requestId: ownRequestId(id),
    route: answered.route ?? null,
    tool: tool ?? null,
    code: problem ?? null,
    clientId,
    tokenId: clientId === null ? audit.tokenId : null
  })
}

/** Milliseconds with one decimal place. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

/**
 * Wraps all routes, and requests without a route. Every request pays for this code, so it is optimized: one fiber, which is
 * abandoned on a timeout, one timer, and plain functions instead of effects.
 */
export const layer = (
  routes: Methods,
  shared: SharedPaths,
  problemPages: ProblemPages
): Layer.Layer<never, never, HttpRouter.HttpRouter | BaseUrl> =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const baseUrl = yield* BaseUrl
      const answerTimeout = yield* AnswerTimeout
      const firstLook = Math.min(answerTimeout, (yield* BodyTimeouts).pauseInWhole)
      const log = yield* RequestLog
      const record = yield* RequestRecorder
      const platform = yield* HttpPlatform.HttpPlatform
      const slowFrom = yield* SlowRequest
      const methods = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
      const loggedPathOf = makeLoggedPath(routes.map(({ path }) => path))
      const hops = yield* TrustedProxies
      const pagesOf = makePagesOf(shared, yield* AllowedOrigins)
      return (httpEffect: Handler): Handler =>
        Effect.withFiber<HttpServerResponse.HttpServerResponse, unknown>((fiber) => {
          const request = withPlainPath(Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest))
          const path = pathOf(request)
          const loggedPath = loggedPathOf(path)
          const pages = pagesOf(path)
          const holding = hold()
          const state = begin(requestIdOf(request.headers["x-request-id"]), holding, () => addressVia(request, hops))
          const span = beginSpan(fiber, request, { path: loggedPath, requestId: state.id })
          const traceId =
            span?.sampled === true
              ? span.traceId
              : Option.getOrUndefined(HttpTraceContext.w3c(request.headers))?.traceId
          const annotations = traceId === undefined ? { requestId: state.id } : { requestId: state.id, traceId }

          let context = Context.add(fiber.context, RequestState, state)
          context = Context.add(context, HttpServerRequest.HttpServerRequest, request)
          context = Context.add(context, CurrentAuditContext, state.audit)
          context = Context.add(context, References.CurrentLogAnnotations, annotations)
          if (span !== undefined) {
            context = span.sampled
              ? Context.add(context, Tracer.ParentSpan, span)
              : Context.add(context, References.TracerEnabled, false)
          }
          const refusal = refusalOfHead(request)
          // What follows a request that proxies may read differently is not to be trusted.
          if (refusal !== undefined) state.headers["connection"] = "close"
          const preflight = preflightOf(request, pages, methods, path)
          const routing = Effect.runForkWith(context)(
            settling(state, refusal === undefined ? (preflight ?? httpEffect) : problem(refusal), holding.release)
          )
          // A request that timed out has not stored its route yet.
          const routeNow = () => state.route ?? routeIn(routing.context)

          const answer = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
            const finished = finish(response, request, state, { baseUrl, pages, problemPages })
            const elapsed = performance.now() - state.startedAt
            const { method } = request
            const { status } = finished
            const route = routeNow()
            countAnswer({ status, method, route, durationMs: elapsed }, fiber.context)
            log({
              requestId: state.id,
              traceId,
              method,
              route,
              path: loggedPath,
              tool: state.tool,
              status,
              durationMs: rounded(elapsed),
              bytes: lengthOf(finished),
              caller: state.caller,
              audit: state.audit,
              slow: elapsed - state.bodyMs >= slowFrom
            })
            if (isOfPrograms(route)) recordRequest(record, state, { method, route, status, durationMs: elapsed })
            if (span !== undefined) endSpan(span, fiber, { method, route, status })
            return finished
          }

          const sent = (response: HttpServerResponse.HttpServerResponse): Handler => {
            const ready: Handler = wantsCompression(request, response)
              ? compressed(response, request, platform)
              : Exit.succeed(response)
            // What did not arrive in time is not waited for again, and what is not to be trusted is not read.
            return state.headers["connection"] !== "close" && isUnread(request)
              ? Effect.flatMap(ready, (whole) => discardingRest(request, whole))
              : ready
          }

          const settled = Effect.flatMap(
            exitWithin(routing, firstLook, () => timeLeftOrExit(state, answerTimeout)),
            (exit): Handler => {
              if (Exit.isSuccess(exit)) return sent(answer(exit.value))
              if (Cause.hasInterruptsOnly(exit.cause)) return exit
              return Effect.flatMap(rescue(methods, request, state)(exit.cause), (response) =>
                sent(answer(response))
              ).pipe(
                Effect.annotateLogs({
                  ...annotations,
                  ...callerOf(state.caller, state.audit),
                  method: request.method,
                  route: routeNow(),
                  path: loggedPath
                })
              )
            }
          )
          return span === undefined
            ? settled
            : Effect.onExit(settled, (exit) => Effect.sync(() => abandonSpan(span, fiber, exit)))
        })
    }),
    { global: true }
  ) as never

// Which web pages may read the answers of which paths: docs/behaviour/http.md#web-pages. Effect's own middleware has one rule for all
// paths and takes every `OPTIONS` for a preflight; here some paths are open to all pages, some to those that the operator names, and most
// to none.

/** The origins of web pages, besides the service's own, that the operator names. */
export interface Origins {
  /** `ALLOWED_ORIGINS` */
  readonly all: ReadonlyArray<string>
  /** `MCP_ALLOWED_ORIGINS`: for agents in web pages, and where these get their tokens. */
  readonly agents: ReadonlyArray<string>
}

/** The origins that the operator names. */
export const AllowedOrigins = Context.Reference<Origins>("http/Edge/AllowedOrigins", {
  defaultValue: () => ({ all: [], agents: [] })
})

/** The origins whose agents may call the MCP endpoint. */
export const ofAgents = ({ agents, all }: Origins): ReadonlyArray<string> => [...all, ...agents]

/** Paths that web pages may call. One that ends with a slash stands for all below it. No page of another origin reads any other path. */
export interface SharedPaths {
  /** Every page. */
  readonly everyone: ReadonlyArray<string>
  /** Those of the origins that the operator names. */
  readonly allowed: ReadonlyArray<string>
  /** These, and those that the operator names for agents. */
  readonly agents: ReadonlyArray<string>
}

// What clients read, besides what pages may always read.
const exposed = [
  "Accept-Patch",
  "Accept-Ranges",
  "Allow",
  "Content-Disposition",
  "Content-Encoding",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Consistency-Token",
  "X-Request-Id"
].join(", ")

// What clients send, besides what pages may always send.
const accepted = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Prefer",
  "Range",
  "traceparent",
  "tracestate",
  "X-Consistency-Token",
  "X-Request-Id"
]

const acceptedNames = new Set(accepted.map((name) => name.toLowerCase()))

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i

/**
 * The headers that a page may send. Without credentials of the browser, any header is harmless: those that a page asks for are let
 * through, such as those of tracers and of the library that it uses.
 */
const acceptedHeaders = (asked: string | undefined): string => {
  const others = (asked ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => headerName.test(name) && !acceptedNames.has(name.toLowerCase()))
  return [...accepted, ...others.slice(0, 50)].join(", ")
}

// How long browsers keep what a preflight answered, in seconds: Chromium does for two hours at most.
const maxAge = 7200

const anyMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

type RequestHeaders = { readonly [name: string]: string | undefined }
type ResponseHeaders = { readonly [name: string]: string }

/** The pages that may call a path: all, or those of these origins. */
export type Pages = "all" | ReadonlyArray<string>

/** Tells which pages may call a path. */
export const makePagesOf = (shared: SharedPaths, origins: Origins): ((path: string) => Pages) => {
  const isIn = (paths: ReadonlyArray<string>, path: string) =>
    paths.some((one) => path === one || (one.endsWith("/") && path.startsWith(one)))
  const agents = ofAgents(origins)
  return (path) =>
    isIn(shared.everyone, path)
      ? "all"
      : isIn(shared.allowed, path)
        ? origins.all
        : isIn(shared.agents, path)
          ? agents
          : []
}

/** What `Access-Control-Allow-Origin` is for a page; undefined for one that may not call the path. */
const allowedFor = (pages: Pages, origin: string | undefined): string | undefined =>
  pages === "all" ? "*" : origin !== undefined && pages.includes(origin) ? origin : undefined

/** The headers of each answer, also of a refusal, for the page that sent the request. */
export const headersOf = (pages: Pages, { origin }: RequestHeaders): ResponseHeaders => {
  if (pages.length === 0) return {}
  const allowed = allowedFor(pages, origin)
  return {
    ...(pages === "all" ? {} : { vary: "Origin" }),
    ...(allowed === undefined
      ? {}
      : { "access-control-allow-origin": allowed, "access-control-expose-headers": exposed })
  }
}

/** The further headers of the answer to a preflight for a path with these methods; undefined if the request is none, or is refused. */
export const preflightHeadersOf = (
  pages: Pages,
  request: RequestHeaders,
  methods: ReadonlyArray<string>
): ResponseHeaders | undefined =>
  request["origin"] === undefined ||
  request["access-control-request-method"] === undefined ||
  allowedFor(pages, request["origin"]) === undefined
    ? undefined
    : {
        // Pages learn from the answer to the request itself that there is nothing at a path.
        "access-control-allow-methods": (methods.length === 0 ? anyMethod : methods).join(", "),
        "access-control-allow-headers": acceptedHeaders(request["access-control-request-headers"]),
        "access-control-max-age": String(maxAge)
      }
