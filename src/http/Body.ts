/** Reads the JSON body of a request, up to 4 MiB of UTF-8 and 50,000 values: docs/behaviour/http.md#bodies. */
import { ByteSize, Effect, Predicate } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import type { BodyError } from "../usecase/UseCaseRequest.ts"
import { inTurn } from "../usecase/Turns.ts"
import { type UnvalidatedJson, of, parse, shortText } from "../usecase/UnvalidatedJson.ts"
import { bodyFault, type Input, unknownName } from "../usecase/Input.ts"
import { InvalidRequest, MalformedJson, PayloadTooLarge, UnsupportedMediaType } from "../usecase/Problem.ts"
import { readingWhole, RequestState } from "./RequestState.ts"

/** The maximum size of a JSON body, in bytes. */
const maxJsonBytes = 4 * 1024 * 1024

const tooLarge = new PayloadTooLarge({ detail: "A JSON body must not be larger than 4 MiB (4,194,304 bytes)." })

const utf8 = new TextDecoder("utf-8", { fatal: true })

const isOverflow = (error: HttpServerError.HttpServerError) => Predicate.hasProperty(error.reason.cause, "maxBytes")

/** The media types of JSON bodies that a method accepts. A PATCH is a merge patch under both types. */
export const mediaTypes = (method: string): ReadonlyArray<string> =>
  method === "PATCH" ? ["application/merge-patch+json", "application/json"] : ["application/json"]

const decodeUtf8 = (buffer: ArrayBuffer): Effect.Effect<string, MalformedJson> => {
  const text = Effect.try({
    try: () => utf8.decode(buffer),
    catch: () => new MalformedJson({ detail: "The body is not valid UTF-8." })
  })
  return buffer.byteLength <= shortText ? text : inTurn(text)
}

/** The bytes of the body of `request`, at most `maxBytes`. The time that they take does not count as ours. */
export const readBytes = (request: HttpServerRequest.HttpServerRequest, maxBytes: number) =>
  Effect.flatMap(RequestState, (state) => {
    const bytes = request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maxBytes))
    )
    return readingWhole(state, bytes)
  })

/** Whether the headers say that there is no body. */
const isAbsent = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/** The refusal of a body whose headers already rule it out. */
const refusalOf = ({ headers, method }: HttpServerRequest.HttpServerRequest): BodyError | undefined => {
  const accepted = mediaTypes(method)
  const sent = headers["content-type"]
  const [type = "", ...parameters] = (sent ?? "").split(";").map((part) => part.trim().toLowerCase())
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "")
  if (!accepted.includes(type) || (charset !== undefined && charset !== "utf-8" && charset !== "utf8")) {
    return new UnsupportedMediaType({
      detail: `Send the body as ${accepted.join(" or ")} in UTF-8${sent === undefined ? "" : `, not as ${sent}`}.`
    })
  }
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    return new UnsupportedMediaType({ detail: "Send the body without Content-Encoding." })
  }
  return Number(headers["content-length"] ?? 0) > maxJsonBytes ? tooLarge : undefined
}

const bytesOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ArrayBuffer, BodyError> =>
  Effect.mapError(readBytes(request, maxJsonBytes), (error) =>
    isOverflow(error) ? tooLarge : new MalformedJson({ detail: "The body did not arrive completely." })
  )

/** The JSON in the body of `request`, of at most `maxValues` values. Without a body, an `optional` one is the empty object. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  options: { readonly optional: boolean; readonly maxValues?: number }
): Effect.Effect<UnvalidatedJson, BodyError> =>
  Effect.suspend((): Effect.Effect<UnvalidatedJson, BodyError> => {
    if (options.optional && isAbsent(request)) return Effect.succeed(of({}))
    const refusal = refusalOf(request)
    if (refusal !== undefined) return Effect.fail(refusal)
    return bytesOf(request).pipe(
      Effect.flatMap(decodeUtf8),
      Effect.flatMap((text) => parse(text, options.maxValues))
    )
  })

/** Rejects the JSON of an operation that takes no body, unless it is null or the empty object. */
const requireEmpty = ({ exhaustive, value }: UnvalidatedJson): Input<void> => {
  if (value === null) return Effect.void
  if (typeof value !== "object" || Array.isArray(value)) {
    return Effect.fail(InvalidRequest.of([bodyFault("", "wrong_type", "This operation takes no request body.")]))
  }
  const names = Object.keys(value)
  if (names.length === 0) return Effect.void
  const reported = exhaustive ? names : names.slice(0, 1)
  return Effect.fail(InvalidRequest.of(reported.map((name) => unknownName("body", [name], []))))
}

/**
 * Reads the body of a request whose operation takes none: docs/behaviour/http.md#operations-without-a-body. Returns a
 * check that rejects a body with content.
 */
export const readNone = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Input<void>, BodyError> =>
  Effect.suspend((): Effect.Effect<Input<void>, BodyError> => {
    if (isAbsent(request)) return Effect.succeed(Effect.void)
    const refusal = refusalOf(request)
    // A chunked body may turn out to be empty.
    if (refusal !== undefined && request.headers["transfer-encoding"] === undefined) return Effect.fail(refusal)
    return Effect.flatMap(bytesOf(request), (bytes) => {
      if (bytes.byteLength === 0) return Effect.succeed(Effect.void)
      if (refusal !== undefined) return Effect.fail(refusal)
      return Effect.flatMap(decodeUtf8(bytes), (text) =>
        text.trim() === "" ? Effect.succeed(Effect.void) : Effect.map(parse(text), requireEmpty)
      )
    })
  })
