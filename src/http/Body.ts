/** Reads the JSON body of a request, up to 4 MiB of UTF-8 (decisions §2). */
import { ByteSize, Effect, Predicate } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import type { BodyRefused } from "./Call.ts"
import { type Document, of, parse } from "./Document.ts"
import { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from "./Problem.ts"
import { readingWhole, RequestState } from "./RequestState.ts"

/** The largest JSON body that is read, in bytes. */
const largestJson = 4 * 1024 * 1024

const tooLarge = new PayloadTooLarge({ detail: "A JSON body may have 4 MiB (4,194,304 bytes)." })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const isOverflow = (error: HttpServerError.HttpServerError) => Predicate.hasProperty(error.reason.cause, "maxBytes")

/** The JSON types that a method reads: a PATCH is a merge patch under either name. */
export const mediaTypes = (method: string): ReadonlyArray<string> =>
  method === "PATCH" ? ["application/merge-patch+json", "application/json"] : ["application/json"]

const decodeUtf8 = (buffer: ArrayBuffer): Effect.Effect<string, MalformedJson> =>
  Effect.try({
    try: () => utf8.decode(buffer),
    catch: () => new MalformedJson({ detail: "The body is not valid UTF-8." })
  })

/** The bytes of the body of `request`, at most `largest`; the request's time is not counted meanwhile. */
export const whole = (request: HttpServerRequest.HttpServerRequest, largest: number) =>
  Effect.flatMap(RequestState, (state) => {
    const bytes = request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(largest))
    )
    return readingWhole(state, bytes)
  })

const isAbsent = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/** The document in the body of `request`; the empty object for an `optional` one that was not sent. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  options: { readonly optional: boolean }
): Effect.Effect<Document, BodyRefused> =>
  Effect.suspend((): Effect.Effect<Document, BodyRefused> => {
    if (options.optional && isAbsent(request)) return Effect.succeed(of({}))
    const accepted = mediaTypes(request.method)
    const sent = request.headers["content-type"]
    const [type = "", ...parameters] = (sent ?? "").split(";").map((part) => part.trim().toLowerCase())
    const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice(8).replaceAll("\"", "")
    if (!accepted.includes(type) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
      return Effect.fail(
        new UnsupportedMediaType({
          detail: `Send the body as ${accepted.join(" or ")} in UTF-8${sent === undefined ? "" : `, not as ${sent}`}.`
        })
      )
    }
    if (request.headers["content-encoding"] !== undefined && request.headers["content-encoding"] !== "identity") {
      return Effect.fail(new UnsupportedMediaType({ detail: "Send the body without Content-Encoding." }))
    }
    if (Number(request.headers["content-length"] ?? 0) > largestJson) return Effect.fail(tooLarge)
    return whole(request, largestJson).pipe(
      Effect.mapError((error) =>
        isOverflow(error) ? tooLarge : new MalformedJson({ detail: "The body did not arrive whole." })
      ),
      Effect.flatMap(decodeUtf8),
      Effect.flatMap(parse)
    )
  })
