/**
 * Reads the body of a request: JSON, up to 4 MiB of UTF-8 and 50,000 values, or a form of up to 64 KiB; and discards one that is not
 * read: docs/behaviour/http.md#bodies.
 */
import { Context, Data, Effect, type Exit, Stream } from "effect"
import { HttpBody, type HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { IncomingMessage } from "node:http"
import type { BodyError } from "../core/usecase/UseCaseRequest.ts"
import { inTurn } from "../core/usecase/Turns.ts"
import { type Most, of, parse, shortText, type UnvalidatedJson } from "../core/usecase/UnvalidatedJson.ts"
import { TeamBudget } from "../core/usecase/TeamBudget.ts"
import { bodyFault, FormRefused, type Input, isForm, parseForm, unknownName } from "../core/usecase/Input.ts"
import {
  InvalidRequest,
  MalformedJson,
  PayloadTooLarge,
  type RateLimited,
  type Unavailable,
  UnsupportedMediaType
} from "../core/usecase/Problem.ts"
import { readingWhole, RequestState, shortage, takeBody, wasTaken } from "./RequestState.ts"

/** The maximum size of a JSON body, in bytes. */
const maxJsonBytes = 4 * 1024 * 1024

const tooLarge = new PayloadTooLarge({ detail: "A JSON body must not be larger than 4 MiB (4,194,304 bytes)." })

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The body has more bytes than its reader accepts. */
class BodyTooLong extends Data.TaggedError("BodyTooLong") {}

/** The media types of JSON bodies that a method accepts. A PATCH is a merge patch under both types. */
export const mediaTypes = (method: string): ReadonlyArray<string> =>
  method === "PATCH" ? ["application/merge-patch+json", "application/json"] : ["application/json"]

const decodeUtf8 = (buffer: Uint8Array): Effect.Effect<string, MalformedJson> => {
  const text = Effect.try({
    try: () => utf8.decode(buffer),
    catch: () => new MalformedJson({ detail: "The body is not valid UTF-8." })
  })
  return buffer.byteLength <= shortText ? text : inTurn(text)
}

/** The bytes of a body whose size its head says; `arrived` is called for each piece. */
const announced = (request: HttpServerRequest.HttpServerRequest, arrived: () => void) => {
  const source = request.source as IncomingMessage
  return Effect.suspend(() => {
    source.on("data", arrived)
    return Effect.ensuring(
      Effect.map(request.arrayBuffer, (bytes) => new Uint8Array(bytes)),
      Effect.sync(() => source.off("data", arrived))
    )
  })
}

/** The bytes of a body of unknown size, of which `take` allows or refuses each piece. */
const chunked = <E>(
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number,
  take: (bytes: number) => Effect.Effect<void, E>
) =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    return Stream.runForEach(request.stream, (chunk): Effect.Effect<void, E | BodyTooLong> => {
      size += chunk.length
      if (size > maxBytes) return Effect.fail(new BodyTooLong())
      chunks.push(chunk)
      return take(chunk.length)
    }).pipe(Effect.map((): Uint8Array => Buffer.concat(chunks)))
  })

/** Why the bytes of a body cannot be had. */
type ReadError = BodyTooLong | HttpServerError.HttpServerError | RateLimited | Unavailable

/** The bodies that were read, by the messages that they came in. */
const outcomes = new WeakMap<object, Exit.Exit<Uint8Array, ReadError>>()

const readFirst = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, maxBytes: number) {
  yield* takeBody(request)
  const state = yield* RequestState
  const { bodies } = yield* TeamBudget
  const take = (bytes: number) =>
    Effect.suspend(() => {
      const lacking = state.take(bodies, state.caller?.teamId, bytes)
      return lacking === undefined
        ? Effect.void
        : Effect.fail(shortage(state, bodies, lacking, "The bodies of running requests"))
    })
  const size = request.headers["content-length"]
  if (size === undefined) {
    return yield* readingWhole(state, (arrived) =>
      chunked(request, maxBytes, (bytes) => {
        arrived()
        return take(bytes)
      })
    )
  }
  if (Number(size) > maxBytes) return yield* new BodyTooLong()
  yield* take(Number(size))
  return yield* readingWhole(state, (arrived) => announced(request, arrived))
})

/**
 * The bytes of the body of `request`, at most `maxBytes`. The time that they take does not count as ours. They take their size of the
 * budget until the request ends. A request reads its body once: whoever asks again gets the same bytes, or the same error.
 */
export const readBytes = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, ReadError> =>
  Effect.suspend(
    () =>
      outcomes.get(request.source) ??
      Effect.onExit(readFirst(request, maxBytes), (exit) => Effect.sync(() => outcomes.set(request.source, exit)))
  )

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

const bytesOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, BodyError> =>
  Effect.mapError(readBytes(request, maxJsonBytes), (error) => {
    switch (error._tag) {
      case "BodyTooLong":
        return tooLarge
      case "HttpServerError":
        return new MalformedJson({ detail: "The body did not arrive completely." })
      default:
        return error
    }
  })

/** The JSON in the body of `request`, of at most `most` values. Without a body, an `optional` one is the empty object. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  options: { readonly optional: boolean; readonly most?: Most }
): Effect.Effect<UnvalidatedJson, BodyError> =>
  Effect.suspend((): Effect.Effect<UnvalidatedJson, BodyError> => {
    if (options.optional && isAbsent(request)) return Effect.succeed(of({}))
    const refusal = refusalOf(request)
    if (refusal !== undefined) return Effect.fail(refusal)
    return bytesOf(request).pipe(
      Effect.flatMap(decodeUtf8),
      Effect.flatMap((text) => parse(text, options.most))
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

/**
 * How much of an unread body is discarded after its answer: bytes, and milliseconds for all of it and for a pause within it. The bytes
 * are those of the largest upload and its form.
 */
export const DiscardLimits = Context.Reference("http/DiscardLimits", {
  defaultValue: () => ({ bytes: 101 * 1024 * 1024, whole: 30_000, pause: 5_000 })
})

/** Whether a request has a body of which some may still be on its way. */
export const isUnread = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { source } = request
  if (!(source instanceof IncomingMessage) || source.complete || source.destroyed || isAbsent(request)) return false
  // A client that waits for leave to send has not begun to.
  return request.headers["expect"] === undefined || wasTaken(request)
}

/** Discards what still arrives of a body. Beyond a limit the connection ends. */
const discarded = (source: IncomingMessage, limits: { readonly [limit in "bytes" | "pause" | "whole"]: number }) =>
  Effect.callback<void>((resume) => {
    if (source.complete || source.destroyed) return resume(Effect.void)
    const end = performance.now() + limits.whole
    let left = limits.bytes
    const stop = () => {
      clearTimeout(timer)
      source.off("data", arrived).off("end", ended).off("error", ended).off("close", ended)
    }
    const ended = () => {
      stop()
      resume(Effect.void)
    }
    const tooMuch = () => {
      source.socket.destroySoon()
      ended()
    }
    const timer = setTimeout(tooMuch, limits.pause)
    const arrived = (piece: Buffer) => {
      left -= piece.length
      if (left < 0 || performance.now() > end) tooMuch()
      else timer.refresh()
    }
    source.on("data", arrived).on("end", ended).on("error", ended).on("close", ended)
    source.resume()
    return Effect.sync(stop)
  })

/**
 * A response whose client gets all of it at once, and which ends when the rest of the request's body has arrived and was discarded.
 * Otherwise the connection would end while the client still sends, and many clients then never look at the answer.
 */
export const discardingRest = (
  { source }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(DiscardLimits, (limits) => {
    const { body } = response
    if (body._tag !== "Uint8Array" || !(source instanceof IncomingMessage)) return response
    const withRest = Stream.concat(Stream.succeed(body.body), Stream.fromEffectDrain(discarded(source, limits)))
    return HttpServerResponse.setBody(response, HttpBody.stream(withRest, body.contentType, body.contentLength))
  })

/** The maximum size of a form, in bytes. */
const maxFormBytes = 64 * 1024

const refuse = (detail: string) => new FormRefused({ detail })

const formTooLarge = refuse("The form must not be larger than 64 KiB.")

/** The form in the body of a request, at most 64 KiB. */
export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isForm(request.headers["content-type"])) {
    return yield* refuse("Send the form as application/x-www-form-urlencoded in UTF-8.")
  }
  if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
    return yield* refuse("Send the form without Content-Encoding.")
  }
  if (Number(request.headers["content-length"] ?? 0) > maxFormBytes) return yield* formTooLarge
  const bytes = yield* Effect.mapError(readBytes(request, maxFormBytes), () =>
    refuse("The form did not arrive completely, or it is larger than 64 KiB.")
  )
  const text = yield* Effect.try({ try: () => utf8.decode(bytes), catch: () => refuse("The form is not in UTF-8.") })
  return yield* Effect.fromResult(parseForm(text))
})
