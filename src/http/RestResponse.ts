/**
 * What a REST handler returns (a status, headers and a body), and how it is sent: as JSON, without the secrets of a dry run, or as a
 * download.
 */
import type { Outcome } from "../core/mutation/ChangeRecord.ts"
import type { IdempotentResult } from "../core/usecase/Idempotency.ts"
import type { Page } from "../core/usecase/Page.ts"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { hintOfEmptyPage } from "./Contract.ts"
import { Effect, Pull, SchemaAST, type Scope, Stream } from "effect"
import { isSecret } from "../core/fields/Text.ts"
import { type ByteRange, isRangeApplicable, parseRange } from "../platform/fileStore/FileStore.ts"
import { isUnchanged } from "../core/usecase/UseCaseRequest.ts"
import { RangeNotSatisfiable } from "../core/usecase/Problem.ts"
import { RequestState } from "./RequestState.ts"

/** A response whose body is `A`. */
export interface RestResponse<A> {
  readonly status: number
  readonly body: A
  readonly headers?: { readonly [name: string]: string }
}

/** 200 with a body that has no ETag. */
export const ok = <A>(body: A): RestResponse<A> => ({ status: 200, body })

const replayHeaders = (result: IdempotentResult<unknown>) =>
  result.replayed ? { headers: { "idempotency-replayed": "true" } } : {}

/** As {@link ok}, with `Idempotency-Replayed` on a replay. */
export const idempotentOk = <A>(result: IdempotentResult<A>): RestResponse<A> => ({
  ...ok(result.value),
  ...replayHeaders(result)
})

/** 200 with a resource and its ETag. */
export const resource = <A extends { readonly etag: string }>(body: A): RestResponse<A> => ({
  status: 200,
  body,
  headers: { etag: body.etag }
})

/** As {@link resource}, with `Idempotency-Replayed` on a replay. */
export const idempotentResource = <A extends { readonly etag: string }>(
  result: IdempotentResult<A>
): RestResponse<A> => ({
  ...idempotentOk(result),
  headers: { etag: result.value.etag, ...replayHeaders(result).headers }
})

/** 201 with a resource, its ETag and its path below `collection`, with `Idempotency-Replayed` on a replay. */
export const created = <A extends { readonly id: string; readonly etag: string }>(
  collection: string,
  result: IdempotentResult<A>
): RestResponse<A> => ({
  status: 201,
  body: result.value,
  headers: {
    etag: result.value.etag,
    location: `${collection}/${result.value.id}`,
    ...(result.replayed ? { "idempotency-replayed": "true" } : {})
  }
})

/** 200 with a page. The REST adapter adds the `Link` to the next page. */
export const page = <P extends Page<unknown>>(body: P): RestResponse<P> => ({ status: 200, body })

/** 207 with the receipts of a batch. The REST adapter completes their problems. */
export const receipts = <A extends { readonly results: ReadonlyArray<object> }>(body: A): RestResponse<A> => ({
  status: 207,
  body
})

/** As {@link receipts}, with `Idempotency-Replayed` on a replay. */
export const idempotentReceipts = <A extends { readonly results: ReadonlyArray<object> }>(
  result: IdempotentResult<A>
): RestResponse<A> => ({
  ...receipts(result.value),
  ...replayHeaders(result)
})

/** 204. */
export const noContent: RestResponse<undefined> = { status: 204, body: undefined }

/** The parts of the request that a response depends on. */
export interface AnswerContext {
  readonly baseUrl: string
  readonly url: string
  readonly requestId: string
}

/** Longer texts, in characters, are sent as bytes: the garbage collector promoted all such strings to its old generation. */
const longText = 16_384

const json = (status: number, body: unknown, headers: { readonly [name: string]: string }) => {
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  const text = JSON.stringify(body)
  const options = { status, headers, contentType: "application/json" }
  return text.length < longText
    ? HttpServerResponse.text(text, options)
    : HttpServerResponse.uint8Array(Buffer.from(text), options)
}

/** The `Link` to the page that follows `body`, if it is a page and not the last. */
const nextLink = (body: unknown, { baseUrl, url: requestUrl }: AnswerContext): string | undefined => {
  if (typeof body !== "object" || body === null || !("page" in body)) return undefined
  const page = body.page as { readonly nextCursor?: string | null }
  if (typeof page.nextCursor !== "string") return undefined
  const url = new URL(requestUrl, baseUrl)
  url.searchParams.set("cursor", page.nextCursor)
  return `<${baseUrl}${url.pathname}${url.search}>; rel="next"`
}

/** An empty page with a hint, where the URL says that its client may have meant something else. */
const withHint = (body: unknown, { url }: AnswerContext): unknown => {
  if (typeof body !== "object" || body === null || !("page" in body) || !("data" in body)) return body
  const { data, page } = body as { readonly data: ReadonlyArray<unknown>; readonly page: object }
  const hint = data.length === 0 ? hintOfEmptyPage(url) : undefined
  return hint === undefined ? body : { ...body, page: { ...page, hint } }
}

/** Completes the problems in the receipts of a batch, as the edge completes a problem that is the whole response. */
const completeReceipts = (body: unknown, { baseUrl, requestId }: AnswerContext): unknown => {
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

/** 304, with the ETag that the client has already. */
export const notModified = (etag: string) => HttpServerResponse.empty({ status: 304, headers: { etag } })

/** A writer of the reports of dry runs of `endpoint`. They show no secret: a client might configure one that is never valid. */
export const dryRunWriter = (endpoint: HttpApiEndpoint.Top) => {
  const secrets = secretsOf(endpoint)
  return (response: RestResponse<unknown>, outcome: Outcome, context: AnswerContext) =>
    json(
      200,
      {
        wouldAnswer: response.status,
        result: completeReceipts(withoutSecrets(response.body ?? null, secrets), context),
        events: outcome.events,
        affected: outcome.affected,
        ...(outcome.later.length === 0 ? {} : { later: outcome.later })
      },
      { "preference-applied": "dry-run" }
    )
}

/** A writer of the responses of `endpoint`. */
export const responseWriter = (endpoint: HttpApiEndpoint.Top) => {
  const isRead = endpoint.method === "GET"
  const secrets = secretsOf(endpoint)
  return (response: RestResponse<unknown>, context: AnswerContext) => {
    const { body, headers, status } = response
    const links = [isRead ? nextLink(body, context) : undefined, headers?.["link"]].filter((link) => link !== undefined)
    return json(status, status === 207 ? completeReceipts(body, context) : isRead ? withHint(body, context) : body, {
      ...headers,
      ...(links.length === 0 ? {} : { link: links.join(", ") }),
      ...(showsSecret(body, secrets) ? noStore : {})
    })
  }
}

/** The response header that keeps a response out of every cache. */
export const noStore = { "cache-control": "no-store" } as const

const secretMembers = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(secretMembers)
  return SchemaAST.isObjects(ast)
    ? ast.propertySignatures.filter(({ type }) => isSecret(type)).map(({ name }) => String(name))
    : []
}

/** The members of an endpoint's response bodies that the contract declares as `SecretText`. */
export const secretsOf = (endpoint: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set(
    [...endpoint.success].flatMap((success) =>
      secretMembers((HttpApiSchema.isWithHeaders(success) ? success.schema : success).ast)
    )
  )

/** Whether a body shows one of these secrets. */
export const showsSecret = (body: unknown, secrets: ReadonlySet<string>): boolean => {
  for (const name of secrets) if (Object(body)[name] !== undefined) return true
  return false
}

/** A body without these secrets. */
export const withoutSecrets = (body: unknown, secrets: ReadonlySet<string>): unknown =>
  showsSecret(body, secrets)
    ? Object.fromEntries(Object.entries(Object(body)).filter(([name]) => !secrets.has(name)))
    : body

/** Content that can be downloaded. */
export interface Downloadable<E> {
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** The strong validator of these bytes, quotes included. */
  readonly etag: string
  readonly read: (range: ByteRange | undefined) => Stream.Stream<Uint8Array, E>
}

/** A response body that is a download. */
export class Download<E = unknown> {
  readonly of: Downloadable<E>
  constructor(of: Downloadable<E>) {
    this.of = of
  }
}

/**
 * `Content-Disposition: attachment` with the file's name: exact in `filename*` (RFC 8187), and in `filename`, for clients
 * that do not support it, with other than printable ASCII characters replaced.
 */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

// Waits for the first bytes before the headers are sent, so that a failing store still gets an error status.
const started = Effect.fnUntraced(function* <E>(content: Stream.Stream<Uint8Array, E>) {
  const pull = yield* Stream.toPull(content)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed(undefined))
  return first === undefined
    ? Stream.empty
    : Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})

/** The response to `request`. The content is read within the scope of the request. */
export const respond = <E>(
  { of: download }: Download<E>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | RangeNotSatisfiable, Scope.Scope> =>
  Effect.gen(function* () {
    const { etag, size } = download
    if (isUnchanged(etag, request.headers["if-none-match"])) {
      return HttpServerResponse.empty({ status: 304, headers: { etag } })
    }
    // Only GET has ranges (RFC 9110 §14.2).
    const range =
      request.method === "GET" && isRangeApplicable(etag, request.headers["if-range"])
        ? parseRange(request.headers["range"], size)
        : undefined
    if (range === "unsatisfiable") {
      const state = yield* RequestState
      state.headers["content-range"] = `bytes */${size}`
      return yield* new RangeNotSatisfiable({ detail: `The file has ${size} bytes: the range begins beyond its end.` })
    }
    const headers = {
      etag,
      "accept-ranges": "bytes",
      "content-disposition": attachment(download.name),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      ...(range === undefined ? {} : { "content-range": `bytes ${range.first}-${range.last}/${size}` })
    }
    const content = request.method === "HEAD" ? Stream.empty : yield* started(download.read(range))
    return HttpServerResponse.stream(content, {
      status: range === undefined ? 200 : 206,
      headers,
      contentType: download.contentType,
      contentLength: range === undefined ? size : range.last - range.first + 1
    })
  })
