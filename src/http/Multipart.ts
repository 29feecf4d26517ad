/**
 * Streams the uploaded file of a `multipart/form-data` body (RFC 7578) while it arrives. Nothing is read before the use-case
 * asks for the file, and nothing is buffered in memory or on disk.
 *
 * Effect's `MultipartParser` parses the form. Effect's `Multipart`, which turns parts into streams, is not used for three
 * reasons. It hides the headers of a part, which are needed to reject a transfer encoding and to tell escapes in `filename` from
 * `filename*`. It decides by itself which parts are files. It neither measures how long a client takes for the next piece nor
 * tells which limit was exceeded.
 */
import { type Array as Arr, Cause, Effect, Pull, Stream } from "effect"
import { type HttpServerRequest, MultipartParser } from "effect/http"
import { bodyFault, unknownName } from "../core/usecase/Input.ts"
import { InvalidRequest, MalformedMultipart, PayloadTooLarge, UnsupportedMediaType } from "../core/usecase/Problem.ts"
import { reading, RequestState, type State, takeBody } from "./RequestState.ts"
import { maxFileBytes, type PendingUpload, type UploadError } from "../core/usecase/UseCaseRequest.ts"

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

const tooLarge = new PayloadTooLarge({ detail: "A file must not be larger than 104,857,600 bytes (100 MiB)." })

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
      return tooLarge
  }
}

const refused = (code: string, detail: string) => InvalidRequest.of([bodyFault(`/${field}`, code, detail)])

const missing = refused("required", "Is required: send the file in a field of this name.")
const repeated = refused("repeated", "May be given only once: send each file in a separate request.")
const nameless = refused("not_a_file", "Must be sent as a file: with a file name.")
const encoded = refused("unsupported_encoding", "Send the raw bytes, without Content-Transfer-Encoding.")

const headerOf = (info: MultipartParser.PartInfo, name: string): string | undefined => {
  const value = info.headers[name]
  return typeof value === "string" ? value.trim() : undefined
}

const refusalOf = (info: MultipartParser.PartInfo): InvalidRequest | undefined => {
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
const eventsOf = (request: HttpServerRequest.HttpServerRequest, state: State): Stream.Stream<Event, UploadError> =>
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
                  return received > maxFileBytes + maxFramingBytes ? Effect.fail(tooLarge) : taken(next)
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
            return Effect.fail(event.info.name === field ? repeated : (refusalOf(event.info) ?? repeated))
          if (event._tag === "End") continue
          size += event.bytes.length
          bytes.push(event.bytes)
        }
        if (size > maxFileBytes) return Effect.fail(tooLarge)
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

/** The file in the body of `request`: the field `file`, and no other. */
export const file = (request: HttpServerRequest.HttpServerRequest): PendingUpload =>
  Effect.gen(function* () {
    const sent = request.headers["content-type"]
    if ((sent ?? "").split(";")[0]?.trim().toLowerCase() !== "multipart/form-data") {
      return yield* new UnsupportedMediaType({
        detail: `Send the file as multipart/form-data${sent === undefined ? "" : `, not as ${sent}`}.`
      })
    }
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      return yield* new UnsupportedMediaType({ detail: "Send the body without Content-Encoding." })
    }
    if (Number(request.headers["content-length"] ?? 0) > maxFileBytes + maxFramingBytes) return yield* tooLarge
    yield* takeBody(request)
    const events = yield* Stream.toPull(eventsOf(request, yield* RequestState))
    const [first, ...rest] = yield* Pull.catchDone(events, () => Effect.fail(missing))
    // The first event of a form with parts is the header of a part.
    if (first._tag !== "Part") return yield* missing
    const refusal = refusalOf(first.info)
    if (refusal !== undefined) return yield* refusal
    return {
      filename: filenameOf(first.info),
      minSize: Math.max(0, Number(request.headers["content-length"] ?? 0) - maxFramingBytes),
      contentType: contentTypeOf(first.info),
      content: contentOf(events, rest)
    }
  })
