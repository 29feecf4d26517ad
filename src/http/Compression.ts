/** Compresses answers for the clients that ask for it: docs/behaviour/http.md#compression. */
import { Context, Effect } from "effect"
import { HttpMiddleware, HttpPlatform, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { noStore } from "./RestResponse.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Shorter answers, in bytes, fit into two packets with their headers: compressing them saves no time. */
const minSize = 2_048

/**
 * Whether the bytes of an answer depend on `Accept-Encoding`. Those with an ETag do not: clients send it back as `If-Match`, where a weak
 * one never matches, and a compressed representation must not have the strong one of another. Nor do those that no cache may store: they
 * show secrets, and the length of a compressed answer tells about its content.
 */
export const isNegotiated = ({ body, headers }: Response): boolean =>
  body._tag === "Uint8Array" &&
  headers["etag"] === undefined &&
  headers["content-encoding"] === undefined &&
  headers["cache-control"] !== noStore["cache-control"]

/** Whether a client asks for compression of an answer that is worth it. */
export const isWanted = (request: HttpServerRequest.HttpServerRequest, response: Response): boolean =>
  request.headers["accept-encoding"] !== undefined &&
  response.body._tag === "Uint8Array" &&
  response.body.contentLength >= minSize &&
  isNegotiated(response)

// docs/adr/0030-answers-with-etags-uncompressed.md says why only gzip, which every client has that knows another, and why not harder.
const negotiating = HttpMiddleware.compression({ algorithms: ["gzip"], minSize, levels: { gzip: 2 } })

/** A response that is compressed before it is sent, on another thread, if the client accepts gzip. */
export const compressed = (
  response: Response,
  request: HttpServerRequest.HttpServerRequest,
  platform: HttpPlatform.HttpPlatform["Service"]
): Effect.Effect<Response> =>
  Effect.provideContext(
    negotiating(Effect.succeed(response)),
    Context.make(HttpServerRequest.HttpServerRequest, request).pipe(Context.add(HttpPlatform.HttpPlatform, platform))
  )
