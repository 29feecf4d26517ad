/**
 * Streams the uploaded file of a `multipart/form-data` body (RFC 7578) while it arrives. Nothing is read before the use-case
 * asks for the file, and nothing of it is held or written to disk here.
 *
 * Effect's `MultipartParser` parses the form. Its `Multipart`, which turns parts into streams, is not used: it hides the headers
 * of a part, by which a transfer encoding is rejected and escapes in a file name are told from `filename*`; it decides by itself
 * what is a file; and it neither counts the time that a client takes for the next piece, nor says which limit was exceeded where.
 */
import { type Array as Arr, Cause, Effect, Pull, Stream } from "effect"
import { type HttpServerRequest, MultipartParser } from "effect/http"
import { bodyFault, unknownName } from "../usecase/Input.ts"
import { InvalidRequest, MalformedMultipart, PayloadTooLarge, UnsupportedMediaType } from "../usecase/Problem.ts"
import { reading, RequestState, type State } from "./RequestState.ts"
import { largestFile, type PendingUpload, type UploadError } from "../usecase/Upload.ts"

/** The one field that a body has. */
const field = "file"

/** How much there may be around the file: boundaries, headers of parts. */
const largestFraming = 64 * 1024

const plainType = "application/octet-stream"

type Event =
  | { readonly _tag: "Part"; readonly info: MultipartParser.PartInfo }
  | { readonly _tag: "Bytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "End" }

type Events = Pull.Pull<Arr.NonEmptyReadonlyArray<Event>, UploadError>

const tooLarge = new PayloadTooLarge({ detail: "A file may have 104,857,600 bytes (100 MiB)." })

const malformed = (detail: string) => new MalformedMultipart({ detail })

const cutShort = malformed("The body ended before its last boundary.")

const reasonOf = (error: MultipartParser.MultipartError): UploadError => {
  switch (error._tag) {
    case "InvalidBoundary":
      return malformed("The Content-Type needs a boundary, such as multipart/form-data; boundary=x.")
    case "BadHeaders":
      return malformed("The header of a part cannot be read.")
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
const repeated = refused("repeated", "May be given only once: send each file in a request of its own.")
const nameless = refused("not_a_file", "Must be sent as a file: with a file name.")
const encoded = refused("unsupported_encoding", "Send the bytes as they are, without Content-Transfer-Encoding.")

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
 * The name of a part's file. Browsers write a quote and line ends in it as `%22`, `%0D` and `%0A`, older clients a quote
 * as `\"`; `filename*` needs none of that.
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

/** The events of the body of `request`, in the order in which they come. */
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
        // A field would be collected; what is not the file is refused by its header.
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
                  return received > largestFile + largestFraming ? Effect.fail(tooLarge) : taken(next)
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

/** The bytes of the file whose part has begun; `rest` are the events that came with its beginning. */
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
        if (size > largestFile) return Effect.fail(tooLarge)
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
    if (Number(request.headers["content-length"] ?? 0) > largestFile + largestFraming) return yield* tooLarge
    const events = yield* Stream.toPull(eventsOf(request, yield* RequestState))
    const [first, ...rest] = yield* Pull.catchDone(events, () => Effect.fail(missing))
    // A part's header comes before all else of it.
    if (first._tag !== "Part") return yield* missing
    const refusal = refusalOf(first.info)
    if (refusal !== undefined) return yield* refusal
    return {
      filename: filenameOf(first.info),
      contentType: contentTypeOf(first.info),
      content: contentOf(events, rest)
    }
  })
