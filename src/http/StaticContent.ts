/**
 * Content that stays the same while the process runs: compressed once, when it is first asked for, and revalidated by its ETag; and what
 * every page forbids its browser.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { contentEtag, isUnchanged } from "../core/usecase/UseCaseRequest.ts"

/** Of an answer that is the same for everybody: caches may keep it, and ask each time whether it changed. */
export const forEverybody = { "cache-control": "no-cache" } as const

/** How the content is sent. */
export interface Options {
  readonly contentType: string
  /** For how long caches may use it without asking; by default, they ask each time. */
  readonly cacheControl?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The headers of a request that decide about the content, besides `Accept-Encoding`. */
  readonly vary?: string
}

// More would take seconds for a script of megabytes, and save a few percent.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const encoders = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes)
}

type Encoding = keyof typeof encoders

/** The preferred encoding that `Accept-Encoding` allows; undefined for none. */
export const encodingOf = (accepted: string | undefined): Encoding | undefined => {
  const allowed = (accepted ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => !/;\s*q=0(?:\.0*)?$/.test(entry))
    .map((entry) => entry.split(";")[0]?.trim())
  return (["br", "gzip"] as const).find((encoding) => allowed.includes(encoding))
}

/** A handler that answers with this content. */
export const make = (
  content: string,
  { cacheControl = forEverybody["cache-control"], contentType, headers, vary }: Options
) => {
  const bytes = Buffer.from(content)
  const etag = contentEtag(content)
  const encoded = new Map<Encoding, Promise<Uint8Array>>()
  const encode = (encoding: Encoding) => {
    const known = encoded.get(encoding) ?? encoders[encoding](bytes)
    encoded.set(encoding, known)
    return known
  }
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const encoding = encodingOf(request.headers["accept-encoding"])
    // Each encoding is a representation of its own, with its own strong ETag.
    const tag = encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`
    const common = {
      "x-content-type-options": "nosniff",
      ...headers,
      etag: tag,
      vary: vary === undefined ? "Accept-Encoding" : `Accept-Encoding, ${vary}`,
      "cache-control": cacheControl
    }
    if (isUnchanged(tag, request.headers["if-none-match"])) {
      return HttpServerResponse.empty({ status: 304, headers: common })
    }
    const body = encoding === undefined ? bytes : yield* Effect.promise(() => encode(encoding))
    return HttpServerResponse.uint8Array(body, {
      contentType,
      headers: encoding === undefined ? common : { ...common, "content-encoding": encoding }
    })
  })
}

const forAll = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]

/**
 * The headers of a page: it stands in no frame, tells other sites nothing, contacts no host but this one, and loads and does
 * nothing but what `allowed` says, as directives of a Content-Security-Policy.
 */
export const pageHeaders = (allowed: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  "content-security-policy": [...forAll, ...allowed].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
})
