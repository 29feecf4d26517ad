/** Answers that are the content of a file: whole or a range of it (RFC 9110 §14), never held in memory. */
import { Effect, Pull, type Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type ByteRange, parseRange, rangeCounts } from "../usecase/ByteRange.ts"
import { isUnchanged } from "../usecase/Precondition.ts"
import { RangeNotSatisfiable } from "../usecase/Problem.ts"
import { RequestState } from "./RequestState.ts"

/** A content that can be downloaded. */
export interface Downloadable<E> {
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** The strong validator of these bytes, quotes included. */
  readonly etag: string
  readonly read: (range: ByteRange | undefined) => Stream.Stream<Uint8Array, E>
}

/** The body of an answer that is such a content. */
export class Download<E = unknown> {
  readonly of: Downloadable<E>
  constructor(of: Downloadable<E>) {
    this.of = of
  }
}

/**
 * `Content-Disposition: attachment` with the file's name: as it is (RFC 8187), and for clients that do not know that, with
 * everything but plain letters replaced.
 */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_")
  const exact = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

// A store that fails is to be told with a status: so the first bytes are there before the head is sent.
const begun = Effect.fnUntraced(function* <E>(content: Stream.Stream<Uint8Array, E>) {
  const pull = yield* Stream.toPull(content)
  const first = yield* Pull.catchDone(pull, () => Effect.succeed(undefined))
  return first === undefined
    ? Stream.empty
    : Stream.concat(Stream.fromArray(first), Stream.fromPull(Effect.succeed(pull)))
})

/** The answer to `request`; the content is read within the scope of the request. */
export const respond = <E>(
  { of: download }: Download<E>,
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | RangeNotSatisfiable, Scope.Scope> =>
  Effect.gen(function* () {
    const { etag, size } = download
    if (isUnchanged(etag, request.headers["if-none-match"])) {
      return HttpServerResponse.empty({ status: 304, headers: { etag } })
    }
    // Ranges are a matter of GET alone.
    const range =
      request.method === "GET" && rangeCounts(etag, request.headers["if-range"])
        ? parseRange(request.headers["range"], size)
        : undefined
    if (range === "unsatisfiable") {
      const state = yield* RequestState
      state.headers["content-range"] = `bytes */${size}`
      return yield* new RangeNotSatisfiable({ detail: `The file has ${size} bytes: the range begins behind its end.` })
    }
    const headers = {
      etag,
      "accept-ranges": "bytes",
      "content-disposition": attachment(download.name),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      ...(range === undefined ? {} : { "content-range": `bytes ${range.first}-${range.last}/${size}` })
    }
    const content = request.method === "HEAD" ? Stream.empty : yield* begun(download.read(range))
    return HttpServerResponse.stream(content, {
      status: range === undefined ? 200 : 206,
      headers,
      contentType: download.contentType,
      contentLength: range === undefined ? size : range.last - range.first + 1
    })
  })
