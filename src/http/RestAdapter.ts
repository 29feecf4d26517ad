/**
 * The REST door: registers the handlers of a group's endpoints. A handler gets its request undecoded, part by part
 * (see UseCaseRequest.ts), calls one use-case, and answers. Everything that all endpoints share is here: conditional reads, dry
 * runs, links to the next page.
 */
import { Context, Effect, type Layer, Result, Schema, SchemaAST } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Authorization } from "./Authorization.ts"
import type { CurrentActor } from "../auth/CurrentActor.ts"
import * as DryRun from "../changes/DryRun.ts"
import { BaseUrl } from "../BaseUrl.ts"
import type { RestResponse } from "./RestResponse.ts"
import * as Body from "./Body.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { hasOptionalBody } from "./Contract.ts"
import { Download, respond } from "./Download.ts"
import { parseKey } from "../usecase/Idempotency.ts"
import { all, decode, type Input, nearest, orReject, unknownName } from "../usecase/Input.ts"
import * as Multipart from "./Multipart.ts"
import { ifMatch, isUnchanged } from "../usecase/Precondition.ts"
import { type Fault, InvalidRequest, Merged } from "../usecase/Problem.ts"
import type { PendingUpload } from "../usecase/Upload.ts"
import { RequestState } from "./RequestState.ts"

/** A request of one endpoint. */
export interface Request<Params, Query> extends UseCaseRequest<Query> {
  readonly params: Params
  /** The file in its body, for those that take one. */
  readonly file: PendingUpload
}

/** What a handler gives for what is sent: bytes are a download. */
type Sent<Body> = Body extends Uint8Array ? Download : Body

type BodyOf<Success> = Success extends { readonly Type: infer Type }
  ? Type extends { readonly body: infer Body }
    ? Sent<Body>
    : Type extends void
      ? undefined
      : Sent<Type>
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

const credentialOf = HttpApiBuilder.securityDecode(Authorization.security.bearer)

/**
 * Whether the request prefers a dry run (RFC 7240 syntax: a list of tokens with values and parameters). Preferences that
 * we do not know are ignored, but one that was probably meant to be this is refused: it would write for real.
 */
const prefersDryRun = (request: HttpServerRequest.HttpServerRequest): Input<boolean> => {
  const names = (request.headers["prefer"] ?? "")
    .split(",")
    .map((preference) => (preference.split(/[;=]/)[0] ?? "").trim().toLowerCase())
  const misspelt = names.find((name) => name !== "dry-run" && nearest(name, ["dry-run"]) !== undefined)
  return misspelt === undefined
    ? Effect.succeed(names.includes("dry-run"))
    : Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/Prefer",
            code: "unknown_preference",
            detail: `There is no preference "${misspelt}" here. Did you mean "dry-run"?`
          }
        ])
      )
}

const unusable = (text: string): Pick<Fault, "code" | "detail"> | undefined => {
  if (text.trim() === "") return { code: "blank", detail: "Must not be blank: leave it out instead." }
  if (text.includes("\0")) return { code: "invalid_characters", detail: "Must not contain the NUL character." }
  return undefined
}

/** The faults of values that no parameter may have, whatever its schema. */
const unusableParameters = (params: {
  readonly [name: string]: string | ReadonlyArray<string>
}): ReadonlyArray<Fault> =>
  Object.entries(params).flatMap(([name, value]) => {
    const [fault] = (typeof value === "string" ? [value] : value).flatMap((one) => unusable(one) ?? [])
    return fault === undefined ? [] : [{ in: "query" as const, pointer: `/${name}`, ...fault }]
  })

// A struct without members would take any value.
const noQuery = (params: object): Result.Result<unknown, ReadonlyArray<Fault>> => {
  const names = Object.keys(params)
  return names.length === 0 ? Result.succeed({}) : Result.fail(names.map((name) => unknownName("query", [name], [])))
}

/** A parameter that is there twice has no wrong type, as far as its sender can see. */
const onceOnly = (fault: Fault, params: { readonly [name: string]: string | ReadonlyArray<string> }): Fault =>
  fault.code === "wrong_type" && Array.isArray(params[fault.pointer.slice(1)])
    ? { ...fault, code: "repeated", detail: "May be given only once." }
    : fault

/** Whether a schema has this member, or any at all. */
const hasMembers = (schema: Schema.Top | undefined, member?: string): boolean => {
  const names =
    schema !== undefined && SchemaAST.isObjects(schema.ast)
      ? schema.ast.propertySignatures.map(({ name }) => String(name))
      : []
  return member === undefined ? names.length > 0 : names.includes(member)
}

const queryInput = (endpoint: HttpApiEndpoint.Top) => {
  const decodeQuery =
    endpoint.query === undefined || !hasMembers(endpoint.query)
      ? noQuery
      : decode(Schema.toCodecArrayFromSingle(endpoint.query) as Schema.Codec<unknown>, "query")
  return (params: { readonly [name: string]: string | ReadonlyArray<string> }): Input<unknown> =>
    Effect.suspend(() => {
      const decoded = decodeQuery(params)
      const faults = Result.isFailure(decoded) ? decoded.failure.map((fault) => onceOnly(fault, params)) : []
      const isUnknown = (pointer: string) =>
        faults.some((fault) => fault.pointer === pointer && fault.code === "unknown_parameter")
      const unusable = unusableParameters(params).filter(({ pointer }) => !isUnknown(pointer))
      if (unusable.length === 0) return orReject(Result.mapError(decoded, () => faults))
      // That a value is unusable says all about it.
      const others = faults.filter(({ pointer }) => !unusable.some((fault) => fault.pointer === pointer))
      return Effect.fail(InvalidRequest.of([...unusable, ...others]))
    })
}

const nextLink = (baseUrl: string, requestUrl: string, body: unknown): string | undefined => {
  if (typeof body !== "object" || body === null || !("page" in body)) return undefined
  const page = body.page as { readonly nextCursor?: string | null }
  if (typeof page.nextCursor !== "string") return undefined
  const url = new URL(requestUrl, baseUrl)
  url.searchParams.set("cursor", page.nextCursor)
  return `<${baseUrl}${url.pathname}${url.search}>; rel="next"`
}

/** Where a read goes on when what it names has become part of another resource: the same path with the other's id. */
const movedTo = (
  pattern: string,
  requestUrl: string,
  params: Readonly<Record<string, string | undefined>>,
  mergedInto: string
) => {
  // By its parts: as it was sent, the id may be spelt with escapes.
  const path = pattern.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) =>
    encodeURIComponent(name === "id" ? mergedInto : (params[name] ?? ""))
  )
  const query = requestUrl.indexOf("?")
  const location = query < 0 ? path : path + requestUrl.slice(query)
  return HttpServerResponse.empty({ status: 301, headers: { location } })
}

/** The problems of a batch's items say what they would have said alone. */
const completeReceipts = (body: unknown, baseUrl: string, requestId: string): unknown => {
  if (typeof body !== "object" || body === null || !("results" in body) || !Array.isArray(body.results)) return body
  const results = body.results as ReadonlyArray<{ readonly problem?: { readonly type: string } }>
  return {
    ...body,
    results: results.map((receipt) =>
      receipt.problem === undefined
        ? receipt
        : { ...receipt, problem: { ...receipt.problem, type: baseUrl + receipt.problem.type, requestId } }
    )
  }
}

// From how many characters on a text goes out as bytes: the collector moved all such texts to the old generation.
const longText = 16_384

const json = (status: number, body: unknown, headers: { readonly [name: string]: string }) => {
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  const text = JSON.stringify(body)
  const options = { status, headers, contentType: "application/json" }
  return text.length < longText
    ? HttpServerResponse.text(text, options)
    : HttpServerResponse.uint8Array(Buffer.from(text), options)
}

const isMerged = (value: unknown): value is Merged => value instanceof Merged

type AnyHandler = (request: Request<never, never>) => Effect.Effect<RestResponse<unknown>, unknown, CurrentActor>

const serve = (endpoint: HttpApiEndpoint.Top, handler: AnyHandler, baseUrl: string) => {
  const readQuery = queryInput(endpoint)
  const isRead = endpoint.method === "GET"
  // A search is a POST too, and writes nothing.
  const canRehearse = hasMembers(endpoint.headers, "prefer")
  const bodyIsOptional = hasOptionalBody(endpoint)
  const takesBody = endpoint.method !== "POST" || endpoint.payload.size > 0
  return Effect.gen(function* () {
    const context = yield* Effect.context<HttpRouter.Provided>()
    const request = Context.get(context, HttpServerRequest.HttpServerRequest)
    const { params } = Context.get(context, HttpRouter.RouteContext)
    const search = Context.get(context, HttpServerRequest.ParsedSearchParams)
    const { id: requestId } = yield* RequestState
    const preference = canRehearse ? prefersDryRun(request) : Effect.succeed(false)
    let queryWasRead = false
    const readingNone = takesBody ? Effect.succeed(Effect.void) : Body.readNone(request)
    const query = Effect.suspend(() => {
      queryWasRead = true
      // A use-case that takes no body does not ask for one that is sent: its members are unknown, like misspelt parameters.
      return Effect.flatMap(readingNone, (nothing) =>
        Effect.map(all(readQuery(search), preference, nothing), ([values]) => values)
      )
    })
    const running = handler({
      // By its parts, not by how they are spelt in the URL.
      operation: JSON.stringify([endpoint.method, endpoint.path, params]),
      params: params as never,
      query: query as Input<never>,
      body: Body.read(request, { optional: bodyIsOptional }),
      ifMatch: ifMatch(request.headers["if-match"]),
      idempotencyKey: parseKey(request.headers["idempotency-key"]),
      file: Multipart.file(request)
    })
    // A misspelt one is refused in its turn; until then, nothing may be written.
    if (yield* Effect.orElseSucceed(preference, () => true)) {
      const outcome = DryRun.empty()
      const answer = yield* Effect.provideService(running, DryRun.DryRun, outcome)
      yield* preference
      const result = completeReceipts(answer.body ?? null, baseUrl, requestId)
      return json(
        200,
        { wouldAnswer: answer.status, result, events: outcome.events, affected: outcome.affected },
        { "preference-applied": "dry-run" }
      )
    }
    const found = yield* isRead ? Effect.catchIf(running, isMerged, Effect.succeed) : running
    if (isMerged(found)) return movedTo(endpoint.path, request.url, params, found.mergedInto)
    const answer = found
    // A use-case without parameters has not looked at them: a misspelt one must be refused all the same.
    if (!queryWasRead && isRead) yield* query
    if (answer.body instanceof Download) return yield* respond(answer.body, request)
    const etag = answer.headers?.["etag"]
    if (isRead && etag !== undefined && isUnchanged(etag, request.headers["if-none-match"])) {
      return HttpServerResponse.empty({ status: 304, headers: { etag } })
    }
    const links = [isRead ? nextLink(baseUrl, request.url, answer.body) : undefined, answer.headers?.["link"]].filter(
      (link) => link !== undefined
    )
    const body = answer.status === 207 ? completeReceipts(answer.body, baseUrl, requestId) : answer.body
    return json(answer.status, body, { ...answer.headers, ...(links.length === 0 ? {} : { link: links.join(", ") }) })
  })
}

type Served<R> = Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, R | HttpRouter.Provided>

/** Lets only those through who may call this endpoint; some are for everybody. */
const guarded = (
  contract: HttpApiGroup.Top,
  endpoint: HttpApiEndpoint.Top,
  authorization: Authorization["Service"],
  served: Served<CurrentActor>
): Served<never> => {
  const middlewares: ReadonlySet<unknown> = endpoint.middlewares
  if (middlewares.size === 0) return served as Served<never>
  // Nothing that the contract asks for may be left out.
  if (middlewares.size > 1 || !middlewares.has(Authorization))
    throw new Error(`${endpoint.identifier} has a middleware that is not known here`)
  return Effect.flatMap(credentialOf, (credential) =>
    authorization.bearer(served as never, { credential, endpoint: endpoint as never, group: contract as never })
  )
}

/** In the router's patterns a colon that begins no parameter is doubled. */
const routerPath = (path: string) => path.replaceAll(/(?<!\/):/g, "::") as `/${string}`

/** Serves a group: `build` makes its handlers out of the use-cases that they call. */
export const group = <Group extends HttpApiGroup.Constraint, E, R>(
  contract: Group,
  build: Effect.Effect<Handlers<Group>, E, R>
): Layer.Layer<never, E, R | HttpRouter.HttpRouter | BaseUrl | Authorization> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const baseUrl = yield* BaseUrl
      const authorization = yield* Authorization
      const handlers = (yield* build) as { readonly [identifier: string]: AnyHandler }
      const endpoints: ReadonlyArray<unknown> = Object.values(contract.endpoints)
      for (const endpoint of endpoints as ReadonlyArray<HttpApiEndpoint.Top>) {
        const handler = handlers[endpoint.identifier]
        if (handler === undefined) return yield* Effect.die(new Error(`no handler for ${endpoint.identifier}`))
        const route = guarded(contract as never, endpoint, authorization, serve(endpoint, handler, baseUrl))
        yield* router.add(endpoint.method as "GET", routerPath(endpoint.path), route)
      }
    })
  ) as never
