/**
 * The REST adapter: registers the handlers of a group's endpoints with the router. A handler gets its request undecoded, part
 * by part (`src/core/usecase/UseCaseRequest.ts`), calls one use-case, and returns a response. What all endpoints share is here:
 * authorization, dry runs, redirects of merged records, conditional reads, and validation where a use-case leaves it out.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Body from "./Body.ts"
import { DryRun, emptyOutcome } from "../core/mutation/ChangeRecord.ts"
import { uploadedFile } from "./Body.ts"
import { explainingPlus, hasOptionalBody, memberNames, OnlyReads, queryDecoder } from "./Contract.ts"
import { makePrimaryPosition } from "../platform/db/SetStatements.ts"
import { Context, Effect, type Layer } from "effect"
import { type Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import { BaseUrl } from "../platform/Config.ts"
import { Database } from "../platform/db/Database.ts"
import { parseKey } from "../core/usecase/Idempotency.ts"
import { all, type Input } from "../core/usecase/Input.ts"
import { ifMatch, isUnchanged, type PendingUpload, type UseCaseRequest } from "../core/usecase/UseCaseRequest.ts"
import { Merged, type RateLimited, type Unavailable } from "../core/usecase/Problem.ts"
import { TeamBudget } from "../core/usecase/TeamBudget.ts"
import { Authorization } from "./Authorization.ts"
import {
  type AnswerContext,
  Download,
  dryRunWriter,
  notModified,
  respond,
  responseWriter,
  type RestResponse
} from "./RestResponse.ts"
import { asksForDryRun, RequestState, shortage, type State } from "./RequestState.ts"
import { parseToken, StandbyLeave, toToken, type WalPosition } from "../platform/db/Standbys.ts"
import { onWallClock } from "../platform/Time.ts"

/** A request of one endpoint. */
export interface Request<Params, Query> extends UseCaseRequest<Query> {
  readonly params: Params
  /** The uploaded file, for endpoints that take one. */
  readonly file: PendingUpload
}

/** What a handler returns for a body of the contract: bytes are a download. */
type Returned<Body> = Body extends Uint8Array ? Download : Body

type BodyOf<Success> = Success extends { readonly Type: infer Type }
  ? Type extends { readonly body: infer Body }
    ? Returned<Body>
    : Type extends void
      ? undefined
      : Returned<Type>
  : never

type TypeOf<S> = [S] extends [never] ? Record<never, never> : S extends { readonly Type: infer Type } ? Type : never

/** A handler for each endpoint of a group. */
export type Handlers<Group extends HttpApiGroup.Constraint> = {
  readonly [Name in keyof Group["endpoints"]]: (
    request: Request<
      TypeOf<HttpApiEndpoint.Params<Group["endpoints"][Name]>>,
      TypeOf<HttpApiEndpoint.Query<Group["endpoints"][Name]>>
    >
  ) => Effect.Effect<
    RestResponse<BodyOf<HttpApiEndpoint.Success<Group["endpoints"][Name]>>>,
    HttpApiEndpoint.Errors<Group["endpoints"][Name]>,
    CurrentActor
  >
}

type Handler = (request: Request<unknown, unknown>) => Effect.Effect<RestResponse<unknown>, unknown, CurrentActor>

/** An endpoint of a group with its handler. */
interface Served {
  readonly group: HttpApiGroup.Top
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: Handler
}

/**
 * The endpoints of a group with their handlers, without the types of either: `Handlers` has checked that the two agree, and the schemas
 * of the endpoints decode what the handlers get.
 */
const served = <Group extends HttpApiGroup.Constraint>(
  contract: Group,
  handlers: Handlers<Group>
): ReadonlyArray<Served> => {
  const widened: HttpApiGroup.Constraint = contract
  const group = widened as HttpApiGroup.Top
  const byName = handlers as { readonly [identifier: string]: Handler | undefined }
  return Object.values(group.endpoints).map((endpoint) => {
    const handler = byName[endpoint.identifier]
    if (handler === undefined) throw new Error(`no handler for ${endpoint.identifier}`)
    return { group, endpoint, handler }
  })
}

type Route<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R | HttpRouter.Provided>

const isMerged = (value: unknown): value is Merged => value instanceof Merged

// Shorter answers need not be counted.
const longAnswer = 65_536

/** Takes the size of an answer, which changed nothing, until the client has received it or is gone. */
const holdAnswer = (
  request: HttpServerRequest.HttpServerRequest,
  state: State,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, RateLimited | Unavailable> => {
  const size = response.body._tag === "Uint8Array" ? response.body.contentLength : 0
  if (size < longAnswer) return Effect.succeed(response)
  return Effect.flatMap(TeamBudget, ({ answers }) => {
    const teamId = state.caller?.teamId
    const receiver = NodeHttpServerRequest.toServerResponse(request)
    // Its client is gone already, and it will not close again.
    if (receiver.closed) return Effect.succeed(response)
    const lacking = answers.take(teamId, size)
    if (lacking !== undefined)
      return Effect.fail(shortage(state, answers, lacking, "The answers on their way to clients"))
    receiver.once("close", () => answers.release(teamId, size))
    return Effect.succeed(response)
  })
}

// Reads after one's own writes, where standbys answer reads: docs/behaviour/http.md#consistency.
const tokenHeader = "x-consistency-token"

/** How long the answer to a write waits for the place of the log. */
const maxWait = "2 seconds"

/** Of no server. Only the primary shows what a caller has written who has this token. */
const nowhere: WalPosition = { system: 0n, timeline: 0n, lsn: 0n }

/** The writes that the tokens of a request stand for; undefined if one of them cannot be read. */
const writesOf = (sent: string | undefined): ReadonlyArray<WalPosition> | undefined => {
  const writes: Array<WalPosition> = []
  for (const token of sent === undefined ? [] : sent.split(",")) {
    const write = parseToken(token.trim())
    if (write === undefined) return undefined
    writes.push(write)
  }
  return writes
}

/** What endpoints do for the consistency of reads from standbys. */
interface Consistency {
  /** Lets standbys answer a request that only reads, if they show what its caller has written. */
  readonly reading: <A, E, R>(headers: Headers.Headers, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Adds to the answer to a write how far a standby must be to show it. */
  readonly afterWrite: (
    answer: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

/** Makes it; undefined for a process without standbys, which needs none. */
const makeConsistency: Effect.Effect<Consistency | undefined, never, Database> = Effect.gen(function* () {
  const { standbys } = yield* Database
  if (standbys === undefined) return undefined
  const position = yield* makePrimaryPosition
  return {
    reading: (headers, read) =>
      Effect.provideService(read, StandbyLeave, { standbys, writes: writesOf(headers[tokenHeader]) }),
    afterWrite: (answer) =>
      Effect.map(
        // The write is committed: its answer must not fail, nor be late.
        Effect.catchDefect(position, () => Effect.succeed(nowhere)).pipe(
          Effect.timeoutOrElse({ duration: maxWait, orElse: () => Effect.succeed(nowhere) }),
          onWallClock
        ),
        (written) => HttpServerResponse.setHeader(answer, tokenHeader, toToken(written))
      )
  }
})

/** 301 to the same path with the id of the surviving record (docs/behaviour/network.md#merges). `pattern` is the path of the endpoint. */
const redirectToSurvivor = (
  pattern: string,
  requestUrl: string,
  params: Readonly<Record<string, string | undefined>>,
  survivor: string
): HttpServerResponse.HttpServerResponse => {
  // Built from the pattern and not from the URL, which may spell the id with escapes.
  const path = pattern.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === "id" ? survivor : (params[name] ?? ""))
  )
  const query = requestUrl.indexOf("?")
  const location = query < 0 ? path : path + requestUrl.slice(query)
  return HttpServerResponse.empty({ status: 301, headers: { location } })
}

/** Whether requests of an endpoint must have no body. A body of a GET or HEAD has no meaning and is ignored. */
const rejectsBody = ({ method, payload }: HttpApiEndpoint.Top) => method !== "GET" && payload.size === 0

/** The route of an endpoint. Every request pays for this code: it runs in one fiber and creates few closures. */
const routeOf = (
  { endpoint, handler }: Served,
  { baseUrl, consistency }: { readonly baseUrl: string; readonly consistency: Consistency | undefined }
): Route<CurrentActor> => {
  const decodeQuery = queryDecoder(endpoint)
  const write = responseWriter(endpoint)
  const writeReport = dryRunWriter(endpoint)
  const isRead = endpoint.method === "GET"
  const changesNothing = isRead || Context.get(endpoint.annotations, OnlyReads)
  const hasDryRun = memberNames(endpoint.headers).includes("prefer")
  const optional = hasOptionalBody(endpoint)
  const mustBeEmpty = rejectsBody(endpoint)
  const answering = Effect.gen(function* () {
    const services = yield* Effect.context<HttpRouter.Provided>()
    const request = Context.get(services, HttpServerRequest.HttpServerRequest)
    const { params } = Context.get(services, HttpRouter.RouteContext)
    const parameters = Context.get(services, HttpServerRequest.ParsedSearchParams)
    const state = yield* RequestState
    const context: AnswerContext = { baseUrl, url: request.url, requestId: state.id }

    const isDryRun = hasDryRun ? asksForDryRun(request.headers["prefer"]) : Effect.succeed(false)
    let queryWasRead = false
    const query = Effect.suspend(() => {
      queryWasRead = true
      const valid = decodeQuery(parameters)
      if (!mustBeEmpty) return Effect.map(all(valid, isDryRun), ([values]) => values)
      // The use-case does not ask for a body, so one that was sent is validated with the parameters.
      return Effect.flatMap(Body.readNone(request), (empty) =>
        Effect.map(all(valid, isDryRun, empty), ([values]) => values)
      )
    })
    const handling = handler({
      // The decoded parts of the path, because a URL may escape them in different ways.
      operation: JSON.stringify([endpoint.method, endpoint.path, params]),
      params,
      query: query as Input<unknown>,
      body: Body.read(request, { optional }),
      ifMatch: ifMatch(request.headers["if-match"]),
      idempotencyKey: parseKey(request.headers["idempotency-key"]),
      file: uploadedFile(request)
    })
    const handled =
      consistency === undefined || !changesNothing ? handling : consistency.reading(request.headers, handling)

    // A misspelled preference is rejected later, with the other faults. Until then, nothing may be written.
    if (yield* Effect.orElseSucceed(isDryRun, () => true)) {
      const outcome = emptyOutcome()
      const response = yield* Effect.provideService(handled, DryRun, outcome)
      yield* isDryRun
      return writeReport(response, outcome, context)
    }
    const response = yield* isRead ? Effect.catchIf(handled, isMerged, Effect.succeed) : handled
    if (isMerged(response)) return redirectToSurvivor(endpoint.path, request.url, params, response.mergedInto)
    // A use-case without parameters does not read them; unknown ones must still be rejected.
    if (isRead && !queryWasRead) yield* query
    if (response.body instanceof Download) return yield* respond(response.body, request)
    const etag = response.headers?.["etag"]
    if (isRead && etag !== undefined && isUnchanged(etag, request.headers["if-none-match"])) {
      return notModified(etag)
    }
    const written = write(response, context)
    if (changesNothing) return yield* holdAnswer(request, state, written)
    return consistency === undefined ? written : yield* consistency.afterWrite(written)
  })
  return Effect.catch(answering, (refusal) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => Effect.fail(explainingPlus(refusal, url)))
  )
}

/** What the authorization takes: it hands on what a route needs of the router, and every failure. */
type Protected = Parameters<Authorization["Service"]["bearer"]>[0]

const decodeCredential = HttpApiBuilder.securityDecode(Authorization.security.bearer)

/** Applies the middleware that the contract of an endpoint declares: the authorization, or none for a public endpoint. */
const authorized = (
  { endpoint, group }: Served,
  authorization: Authorization["Service"],
  route: Route<CurrentActor>
): Route<never> => {
  const middlewares: ReadonlySet<unknown> = endpoint.middlewares
  if (middlewares.size === 0) return route as Route<never>
  // Silently ignoring a middleware could skip a check.
  if (middlewares.size > 1 || !middlewares.has(Authorization))
    throw new Error(`${endpoint.identifier} has a middleware that the REST adapter does not apply`)
  return Effect.flatMap(decodeCredential, (credential) =>
    authorization.bearer(route as Protected, { credential, endpoint, group })
  )
}

/** The router's pattern of a path. The router needs a colon doubled that does not begin a parameter. */
const routerPath = (path: string) => path.replaceAll(/(?<!\/):/g, "::") as `/${string}`

/** Serves a group with the handlers that `build` makes from use-cases. */
export const group = <Group extends HttpApiGroup.Constraint, E, R>(
  contract: Group,
  build: Effect.Effect<Handlers<Group>, E, R>
): Layer.Layer<never, E, R | HttpRouter.HttpRouter | BaseUrl | Authorization | Database> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const baseUrl = yield* BaseUrl
      const authorization = yield* Authorization
      const consistency = yield* makeConsistency
      for (const one of served(contract, yield* build)) {
        const route = authorized(one, authorization, routeOf(one, { baseUrl, consistency }))
        // The edge answers every failure.
        const answered = route as Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpRouter.Provided>
        yield* router.add(one.endpoint.method as "GET", routerPath(one.endpoint.path), answered)
      }
    })
  )
