/** Writes what a handler returns as a JSON response. */
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type * as DryRun from "../core/mutation/DryRun.ts"
import { hintOfEmptyPage } from "./QueryParameters.ts"
import type { RestResponse } from "./RestResponse.ts"
import { noStore, secretsOf, showsSecret, withoutSecrets } from "./secretResponses.ts"

/** The parts of the request that a response depends on. */
export interface Context {
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
const nextLink = (body: unknown, { baseUrl, url: requestUrl }: Context): string | undefined => {
  if (typeof body !== "object" || body === null || !("page" in body)) return undefined
  const page = body.page as { readonly nextCursor?: string | null }
  if (typeof page.nextCursor !== "string") return undefined
  const url = new URL(requestUrl, baseUrl)
  url.searchParams.set("cursor", page.nextCursor)
  return `<${baseUrl}${url.pathname}${url.search}>; rel="next"`
}

/** An empty page with a hint, where the URL says that its client may have meant something else. */
const withHint = (body: unknown, { url }: Context): unknown => {
  if (typeof body !== "object" || body === null || !("page" in body) || !("data" in body)) return body
  const { data, page } = body as { readonly data: ReadonlyArray<unknown>; readonly page: object }
  const hint = data.length === 0 ? hintOfEmptyPage(url) : undefined
  return hint === undefined ? body : { ...body, page: { ...page, hint } }
}

/** Completes the problems in the receipts of a batch, as the edge completes a problem that is the whole response. */
const completeReceipts = (body: unknown, { baseUrl, requestId }: Context): unknown => {
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
  return (response: RestResponse<unknown>, outcome: DryRun.Outcome, context: Context) =>
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
export const writer = (endpoint: HttpApiEndpoint.Top) => {
  const isRead = endpoint.method === "GET"
  const secrets = secretsOf(endpoint)
  return (response: RestResponse<unknown>, context: Context) => {
    const { body, headers, status } = response
    const links = [isRead ? nextLink(body, context) : undefined, headers?.["link"]].filter((link) => link !== undefined)
    return json(status, status === 207 ? completeReceipts(body, context) : isRead ? withHint(body, context) : body, {
      ...headers,
      ...(links.length === 0 ? {} : { link: links.join(", ") }),
      ...(showsSecret(body, secrets) ? noStore : {})
    })
  }
}
