/**
 * Reads the body of a request: JSON, up to 4 MiB of UTF-8 and 50,000 values, or a form of up to 64 KiB; and discards one that is not
 * read: docs/behaviour/http.md#bodies.
 */
import type { FaultCode } from "../core/fields/FaultCode.ts"
import { type Array as Arr, Cause, Context, Data, Effect, type Exit, Pull, Stream } from "effect"
import {
  HttpBody,
  type HttpServerError,
  type HttpServerRequest,
  HttpServerResponse,
  MultipartParser
} from "effect/http"
import { IncomingMessage } from "node:http"
import {
  type BodyError,
  maxFileBytes,
  type PendingUpload,
  type Upload,
  type UploadError
} from "../core/usecase/UseCaseRequest.ts"
import { inTurn } from "../core/usecase/EventLoop.ts"
import { type Most, of, parse, shortText, type UnvalidatedJson } from "../core/usecase/UnvalidatedJson.ts"
import { TeamBudget } from "../core/usecase/TeamBudget.ts"
import { bodyFault, FormRefused, type Input, isForm, parseForm, unknownName } from "../core/usecase/Input.ts"
import {
  InvalidRequest,
  MalformedJson,
  MalformedMultipart,
  PayloadTooLarge,
  type RateLimited,
  type Unavailable,
  UnsupportedMediaType
} from "../core/usecase/Problem.ts"
import { reading, readingWhole, RequestState, shortage, type State, takeBody, wasTaken } from "./RequestState.ts"

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
 * Reads the body of a request whose operation takes none: docs/behaviour/http.md#bodies. Returns a
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

// Streams the uploaded file of a `multipart/form-data` body (RFC 7578) while it arrives. Nothing is read before the use-case
// asks for the file, and nothing is buffered in memory or on disk.
//
// Effect's `MultipartParser` parses the form. Effect's `Multipart`, which turns parts into streams, is not used for three
// reasons. It hides the headers of a part, which are needed to reject a transfer encoding and to tell escapes in `filename` from
// `filename*`. It decides by itself which parts are files. It neither measures how long a client takes for the next piece nor
// tells which limit was exceeded.

/** The only field of the form. */
const field = "file"

/** The maximum size of everything around the file (boundaries, headers of parts), in bytes. */
const maxFramingBytes = 64 * 1024

const plainType = "application/octet-stream"

type Event =
  | { readonly _tag: "Part"; readonly info: MultipartParser.PartInfo }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "End" }

type Events = Pull.Pull<Arr.NonEmptyReadonlyArray<Event>, UploadError>

const fileTooLarge = new PayloadTooLarge({ detail: "A file must not be larger than 104,857,600 bytes (100 MiB)." })

const malformed = (detail: string) => new MalformedMultipart({ detail })

const cutShort = malformed("The body ended before its last boundary.")

const reasonOf = (error: MultipartParser.MultipartError): UploadError => {
  switch (error._tag) {
    case "InvalidBoundary":
      return malformed("The Content-Type needs a boundary, such as multipart/form-data; boundary=x.")
    case "BadHeaders":
      return malformed("The header of a part cannot be parsed.")
    case "InvalidDisposition":
      return malformed('A part needs a header such as Content-Disposition: form-data; name="file"; filename="a.pdf".')
    case "EndNotReached":
      return cutShort
    case "ReachedLimit":
      return fileTooLarge
  }
}

const refused = (code: FaultCode, detail: string) => InvalidRequest.of([bodyFault(`/${field}`, code, detail)])

const missing = refused("required", "Is required: send the file in a field of this name.")
const repeated = refused("repeated", "May be given only once: send each file in a separate request.")
const nameless = refused("not_a_file", "Must be sent as a file: with a file name.")
const encoded = refused("unsupported_encoding", "Send the raw bytes, without Content-Transfer-Encoding.")

const headerOf = (info: MultipartParser.PartInfo, name: string): string | undefined => {
  const value = info.headers[name]
  return typeof value === "string" ? value.trim() : undefined
}

const refusalOfPart = (info: MultipartParser.PartInfo): InvalidRequest | undefined => {
  if (info.name !== field) return InvalidRequest.of([unknownName("body", [info.name], [field])])
  if (info.filename === undefined) return nameless
  const encoding = headerOf(info, "content-transfer-encoding")?.toLowerCase() ?? "binary"
  return ["binary", "8bit", "7bit"].includes(encoding) ? undefined : encoded
}

/**
 * The file name of a part. In `filename`, browsers escape quotes and line breaks as `%22`, `%0D` and `%0A`, and older clients
 * escape quotes as `\"`. `filename*` has no such escapes.
 */
const filenameOf = (info: MultipartParser.PartInfo): string => {
  const name = info.filename ?? ""
  if ("filename*" in info.contentDispositionParameters) return name
  return name.replaceAll('\\"', '"').replaceAll("%22", '"').replaceAll(/%0d/gi, "\r").replaceAll(/%0a/gi, "\n")
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const mediaType = new RegExp(
  `^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`
)

const contentTypeOf = (info: MultipartParser.PartInfo): string => {
  const sent = headerOf(info, "content-type") ?? ""
  return sent.length <= 255 && mediaType.test(sent) ? sent : plainType
}

/** The parser's events for the body of `request`, in order. */
const eventsOf = (
  request: HttpServerRequest.HttpServerRequest,
  state: State,
  maxBytes: number
): Stream.Stream<Event, UploadError> =>
  Stream.transformPull(request.stream, (pull) =>
    Effect.sync((): Events => {
      let events: Array<Event> = []
      let error: MultipartParser.MultipartError | undefined
      let received = 0
      let complete = false
      let ended = false
      const parser = MultipartParser.make({
        headers: { "content-type": request.headers["content-type"] ?? "" },
        // The parser would buffer a field. Parts other than the file are rejected by their headers.
        isFile: () => true,
        onField: () => undefined,
        onFile: (info) => {
          if (!complete) events.push({ _tag: "Part", info })
          return (bytes) => {
            if (!complete) events.push(bytes === null ? { _tag: "End" } : { _tag: "Bytes", bytes })
          }
        },
        onError: (found) => {
          if (!complete) error ??= found
        },
        onDone: () => {
          complete = true
        }
      })
      const taken = (otherwise: Events): Events => {
        if (error !== undefined) return Effect.fail(reasonOf(error))
        const [first, ...others] = events
        events = []
        return first === undefined ? otherwise : Effect.succeed([first, ...others])
      }
      const next: Events = Effect.suspend(() =>
        ended
          ? Cause.done()
          : reading(state, pull).pipe(
              Pull.matchEffect({
                onSuccess: (chunks) => {
                  for (const chunk of chunks) {
                    received += chunk.length
                    parser.write(chunk)
                  }
                  return received > maxBytes ? Effect.fail(fileTooLarge) : taken(next)
                },
                onFailure: (cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(cutShort)),
                onDone: () => {
                  ended = true
                  if (!complete) parser.end()
                  return taken(Cause.done())
                }
              })
            )
      )
      return next
    })
  )

/** The bytes of the file whose part has begun. `rest` are the events that arrived together with its header. */
const contentOf = (events: Events, rest: ReadonlyArray<Event>): Stream.Stream<Uint8Array, UploadError> =>
  Stream.fromPull(
    Effect.sync(() => {
      let size = 0
      let pending = rest
      return Effect.suspend(function next(): Pull.Pull<Arr.NonEmptyReadonlyArray<Uint8Array>, UploadError> {
        const bytes: Array<Uint8Array> = []
        for (const event of pending) {
          if (event._tag === "Part")
            return Effect.fail(event.info.name === field ? repeated : (refusalOfPart(event.info) ?? repeated))
          if (event._tag === "End") continue
          size += event.bytes.length
          bytes.push(event.bytes)
        }
        if (size > maxFileBytes) return Effect.fail(fileTooLarge)
        pending = []
        const [first, ...others] = bytes
        if (first !== undefined) return Effect.succeed([first, ...others])
        return Effect.flatMap(events, (found) => {
          pending = found
          return next()
        })
      })
    })
  )

/** The parts of a form with at most so many files, in order. */
const beginForm = (request: HttpServerRequest.HttpServerRequest, files = 1) =>
  Effect.gen(function* () {
    const maxBytes = files * maxFileBytes + maxFramingBytes
    const sent = request.headers["content-type"]
    if ((sent ?? "").split(";")[0]?.trim().toLowerCase() !== "multipart/form-data") {
      return yield* new UnsupportedMediaType({
        detail: `Send the file as multipart/form-data${sent === undefined ? "" : `, not as ${sent}`}.`
      })
    }
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      return yield* new UnsupportedMediaType({ detail: "Send the body without Content-Encoding." })
    }
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return yield* fileTooLarge
    yield* takeBody(request)
    return yield* Stream.toPull(eventsOf(request, yield* RequestState, maxBytes))
  })

const uploadOf = (
  request: HttpServerRequest.HttpServerRequest,
  info: MultipartParser.PartInfo,
  events: Events,
  rest: ReadonlyArray<Event>
): Upload => ({
  filename: filenameOf(info),
  minSize: Math.max(0, Number(request.headers["content-length"] ?? 0) - maxFramingBytes),
  contentType: contentTypeOf(info),
  content: contentOf(events, rest)
})

/** The file in the body of `request`: the field `file`, and no other. */
export const uploadedFile = (request: HttpServerRequest.HttpServerRequest): PendingUpload =>
  Effect.gen(function* () {
    const events = yield* beginForm(request)
    const [first, ...rest] = yield* Pull.catchDone(events, () => Effect.fail(missing))
    // The first event of a form with parts is the header of a part.
    if (first._tag !== "Part") return yield* missing
    const refusal = refusalOfPart(first.info)
    if (refusal !== undefined) return yield* refusal
    return uploadOf(request, first.info, events, rest)
  })

const tooMuchText = refused("too_long", "What comes besides the files must not be larger than 64 KiB.")

/** The most files of a form. */
const maxFiles = 50

/**
 * The form in the body of `request`, as browsers send it: fields of text, and then one or several files in the field `file`. `next` is the
 * next file, of which the rest of the one before is skipped. A field `size` says how large the first one is, before it arrives.
 */
export const uploadedFilesWithFields = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.gen(function* () {
    const events = yield* beginForm(request, maxFiles)
    const fields = new URLSearchParams()
    const pending: Array<Event> = []
    let [textSize, isInFile] = [0, false]
    const take: Effect.Effect<Event | undefined, UploadError> = Effect.suspend(() => {
      const event = pending.shift()
      if (event !== undefined) return Effect.succeed(event)
      const arrived = Effect.flatMap(events, (found) => {
        pending.push(...found)
        return take
      })
      return Pull.catchDone(arrived, () => Effect.succeed(undefined))
    })
    const text = Effect.gen(function* () {
      const pieces: Array<Uint8Array> = []
      for (let event = yield* take; event?._tag === "Bytes"; event = yield* take) {
        textSize += event.bytes.length
        if (textSize > maxFramingBytes) return yield* tooMuchText
        pieces.push(event.bytes)
      }
      return Buffer.concat(pieces).toString("utf8")
    })
    const content = Stream.fromPull(
      Effect.sync(() => {
        let size = 0
        return Effect.suspend(function next(): Pull.Pull<Arr.NonEmptyReadonlyArray<Uint8Array>, UploadError> {
          const bytes: Array<Uint8Array> = []
          for (let event = pending[0]; isInFile && event !== undefined; event = pending[0]) {
            pending.shift()
            if (event._tag === "Bytes") bytes.push(event.bytes)
            else isInFile = false
          }
          size += bytes.reduce((sum, { length }) => sum + length, 0)
          if (size > maxFileBytes) return Effect.fail(fileTooLarge)
          const [first, ...others] = bytes
          if (first !== undefined) return Effect.succeed([first, ...others])
          if (!isInFile) return Cause.done()
          return Effect.flatMap(events, (found) => {
            pending.push(...found)
            return next()
          })
        })
      })
    )
    const next: Effect.Effect<Upload | undefined, UploadError> = Effect.gen(function* () {
      while (isInFile) isInFile = (yield* take)?._tag === "Bytes"
      for (let event = yield* take; event !== undefined; event = yield* take) {
        if (event._tag !== "Part") continue
        const { info } = event
        if (info.filename === undefined) {
          fields.append(info.name, yield* text)
          continue
        }
        const refusal = refusalOfPart(info)
        if (refusal !== undefined) return yield* refusal
        isInFile = true
        const announced = Number(fields.get("size") ?? 0)
        if (announced > maxFileBytes) return yield* fileTooLarge
        const minSize = Number.isSafeInteger(announced) ? Math.max(0, announced) : 0
        return { filename: filenameOf(info), minSize, contentType: contentTypeOf(info), content }
      }
      return undefined
    })
    const file = yield* next
    return file === undefined ? yield* missing : { fields, file, next }
  })
