/**
 * Which web pages may read the answers of which paths: docs/behaviour/http.md#web-pages. Effect's own middleware has one rule for all paths and takes every
 * `OPTIONS` for a preflight; here some paths are open to all pages, some to those that the operator names, and most to none.
 */
import { Context } from "effect"

/** The origins of web pages, besides the service's own, that the operator names. */
export interface Origins {
  /** `ALLOWED_ORIGINS` */
  readonly all: ReadonlyArray<string>
  /** `MCP_ALLOWED_ORIGINS`: for agents in web pages, and where these get their tokens. */
  readonly agents: ReadonlyArray<string>
}

/** The origins that the operator names. */
export const AllowedOrigins = Context.Reference<Origins>("http/Cors/AllowedOrigins", {
  defaultValue: () => ({ all: [], agents: [] })
})

/** The origins whose agents may call the MCP endpoint. */
export const ofAgents = ({ agents, all }: Origins): ReadonlyArray<string> => [...all, ...agents]

/** Paths that web pages may call. One that ends with a slash stands for all below it. No page of another origin reads any other path. */
export interface SharedPaths {
  /** Every page. */
  readonly everyone: ReadonlyArray<string>
  /** Those of the origins that the operator names. */
  readonly allowed: ReadonlyArray<string>
  /** These, and those that the operator names for agents. */
  readonly agents: ReadonlyArray<string>
}

// What clients read, besides what pages may always read.
const exposed = [
  "Accept-Patch",
  "Accept-Ranges",
  "Allow",
  "Content-Disposition",
  "Content-Encoding",
  "Content-Range",
  "Deprecation",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Consistency-Token",
  "X-Request-Id"
].join(", ")

// What clients send, besides what pages may always send.
const accepted = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Protocol-Version",
  "Mcp-Session-Id",
  "Prefer",
  "Range",
  "traceparent",
  "tracestate",
  "X-Consistency-Token",
  "X-Request-Id"
]

const acceptedNames = new Set(accepted.map((name) => name.toLowerCase()))

const headerName = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i

/**
 * The headers that a page may send. Without credentials of the browser, any header is harmless: those that a page asks for are let through, such as those
 * of tracers and of the library that it uses.
 */
const acceptedHeaders = (asked: string | undefined): string => {
  const others = (asked ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => headerName.test(name) && !acceptedNames.has(name.toLowerCase()))
  return [...accepted, ...others.slice(0, 50)].join(", ")
}

// How long browsers keep what a preflight answered, in seconds: Chromium does for two hours at most.
const maxAge = 7200

const anyMethod = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

type RequestHeaders = { readonly [name: string]: string | undefined }
type ResponseHeaders = { readonly [name: string]: string }

/** The pages that may call a path: all, or those of these origins. */
export type Pages = "all" | ReadonlyArray<string>

/** Tells which pages may call a path. */
export const pagesOf = (shared: SharedPaths, origins: Origins): ((path: string) => Pages) => {
  const isIn = (paths: ReadonlyArray<string>, path: string) =>
    paths.some((one) => path === one || (one.endsWith("/") && path.startsWith(one)))
  const agents = ofAgents(origins)
  return (path) =>
    isIn(shared.everyone, path)
      ? "all"
      : isIn(shared.allowed, path)
        ? origins.all
        : isIn(shared.agents, path)
          ? agents
          : []
}

/** What `Access-Control-Allow-Origin` is for a page; undefined for one that may not call the path. */
const allowedFor = (pages: Pages, origin: string | undefined): string | undefined =>
  pages === "all" ? "*" : origin !== undefined && pages.includes(origin) ? origin : undefined

/** The headers of each answer, also of a refusal, for the page that sent the request. */
export const headersOf = (pages: Pages, { origin }: RequestHeaders): ResponseHeaders => {
  if (pages.length === 0) return {}
  const allowed = allowedFor(pages, origin)
  return {
    ...(pages === "all" ? {} : { vary: "Origin" }),
    ...(allowed === undefined
      ? {}
      : { "access-control-allow-origin": allowed, "access-control-expose-headers": exposed })
  }
}

/** The further headers of the answer to a preflight for a path with these methods; undefined if the request is none, or is refused. */
export const preflightHeadersOf = (
  pages: Pages,
  request: RequestHeaders,
  methods: ReadonlyArray<string>
): ResponseHeaders | undefined =>
  request["origin"] === undefined ||
  request["access-control-request-method"] === undefined ||
  allowedFor(pages, request["origin"]) === undefined
    ? undefined
    : {
        // Pages learn from the answer to the request itself that there is nothing at a path.
        "access-control-allow-methods": (methods.length === 0 ? anyMethod : methods).join(", "),
        "access-control-allow-headers": acceptedHeaders(request["access-control-request-headers"]),
        "access-control-max-age": String(maxAge)
      }
