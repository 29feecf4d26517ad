/**
 * Streams the content of a file, or a range of it (RFC 9110 §14), without holding it in memory:
 * docs/behaviour/timelines-notes-files.md#downloads.
 */
import { Effect, Pull, type Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type ByteRange, parseRange, isRangeApplicable } from "../platform/fileStore/ByteRange.ts"
import { isUnchanged } from "../core/usecase/Precondition.ts"
import { RangeNotSatisfiable } from "../core/usecase/Problem.ts"
import { RequestState } from "./RequestState.ts"

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
