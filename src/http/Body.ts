/** Reads the JSON body of a request, up to 4 MiB of UTF-8 (decisions §2). */
import { ByteSize, Effect, Predicate } from "effect"
import { HttpIncomingMessage, type HttpServerError, type HttpServerRequest } from "effect/http"
import type { BodyError } from "../usecase/UseCaseRequest.ts"
import { type UnvalidatedJson, of, parse } from "../usecase/UnvalidatedJson.ts"
import { bodyFault, type Input, unknownName } from "../usecase/Input.ts"
import { InvalidRequest, MalformedJson, PayloadTooLarge, UnsupportedMediaType } from "../usecase/Problem.ts"
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

/** Whether it can be known from its headers that no body comes. */
const isAbsent = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0

/** Why a body is refused by what the headers say of it. */
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
  return Number(headers["content-length"] ?? 0) > largestJson ? tooLarge : undefined
}

const bytesOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ArrayBuffer, BodyError> =>
  Effect.mapError(whole(request, largestJson), (error) =>
    isOverflow(error) ? tooLarge : new MalformedJson({ detail: "The body did not arrive whole." })
  )

/** The document in the body of `request`; the empty object for an `optional` one that was not sent. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  options: { readonly optional: boolean }
): Effect.Effect<UnvalidatedJson, BodyError> =>
  Effect.suspend((): Effect.Effect<UnvalidatedJson, BodyError> => {
    if (options.optional && isAbsent(request)) return Effect.succeed(of({}))
    const refusal = refusalOf(request)
    if (refusal !== undefined) return Effect.fail(refusal)
    return bytesOf(request).pipe(Effect.flatMap(decodeUtf8), Effect.flatMap(parse))
  })

/** Refuses what a document says to an operation that has nothing to be told: nothing are null and the empty object. */
const silence = ({ exhaustive, value }: UnvalidatedJson): Input<void> => {
  if (value === null) return Effect.void
  if (typeof value !== "object" || Array.isArray(value)) {
    return Effect.fail(
      InvalidRequest.of([bodyFault("", "wrong_type", "There is nothing to be sent here: leave it out.")])
    )
  }
  const names = Object.keys(value)
  if (names.length === 0) return Effect.void
  const told = exhaustive ? names : names.slice(0, 1)
  return Effect.fail(InvalidRequest.of(told.map((name) => unknownName("body", [name], []))))
}

/** Reads the body of `request` where none is taken. What it gives refuses what the body says, if it says something. */
export const readNone = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Input<void>, BodyError> =>
  Effect.suspend((): Effect.Effect<Input<void>, BodyError> => {
    if (isAbsent(request)) return Effect.succeed(Effect.void)
    const refusal = refusalOf(request)
    // What comes in chunks may be empty all the same.
    if (refusal !== undefined && request.headers["transfer-encoding"] === undefined) return Effect.fail(refusal)
    return Effect.flatMap(bytesOf(request), (bytes) => {
      if (bytes.byteLength === 0) return Effect.succeed(Effect.void)
      if (refusal !== undefined) return Effect.fail(refusal)
      return Effect.flatMap(decodeUtf8(bytes), (text) =>
        text.trim() === "" ? Effect.succeed(Effect.void) : Effect.map(parse(text), silence)
      )
    })
  })
