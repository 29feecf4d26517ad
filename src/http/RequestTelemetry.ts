/** What is recorded of each request: its log line, its metrics and its OpenTelemetry span. */
import * as Id from "../core/Id.ts"
import { Clock, Context, Effect, Exit, type Fiber, type LogLevel, Metric, Option, type Tracer } from "effect"
import type { AuditContext } from "../core/auth/AuditContext.ts"
import type { Actor } from "../core/auth/CurrentActor.ts"
import { type HttpServerRequest, HttpTraceContext } from "effect/http"

/** An answered request. Query and body are left out, because they may contain personal data, and so may what is no id in the path. */
export interface RequestLine {
  readonly requestId: string
  readonly traceId: string | undefined
  readonly method: string
  /** The pattern of the route; undefined if no route matched. */
  readonly route: string | undefined
  /** As {@link makeLoggedPath} writes it. */
  readonly path: string
  /** The MCP tool that the request called. */
  readonly tool: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The length of the response body, if it is known when the headers are sent. */
  readonly bytes: number | undefined
  readonly caller: Actor | undefined
  /** What is known of who called besides, also of one whose credentials were refused. */
  readonly audit: Pick<AuditContext, "clientId" | "teamId" | "tokenId" | "userId">
  /** Whether it took longer than {@link SlowRequest}. */
  readonly slow: boolean
}

const plainWord = /^[a-z-]{1,40}$/

// The ids of resources. Nothing else that a client writes has this form.
const typeId = /^[a-z]{2,10}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/**
 * Makes the function that writes a path as logs and traces show it. A client may write anything in the place of an id, an e-mail address
 * for example: only the words of `routes` and ids are shown as they came, and everything else as `:other`. The beginning of a path is no
 * place for an id: a plain word there is shown, so that one sees what a scanner looks for.
 */
export const makeLoggedPath = (routes: ReadonlyArray<string>): ((path: string) => string) => {
  const words = new Set(routes.flatMap((route) => route.split("/").filter((word) => !word.startsWith(":"))))
  const paths = new Set(routes)
  return (path) =>
    paths.has(path)
      ? path
      : path
          .split("/")
          .map((word, index) =>
            words.has(word) || typeId.test(word) || (index === 1 && plainWord.test(word)) ? word : ":other"
          )
          .join("/")
}

const isProbe = (route: string | undefined) => route === "/healthz" || route === "/readyz"

// Files of pages come with each page, and messages to inboxes with each delivery, which have lines.
const comesAlong = (route: string | undefined) => route !== undefined && /^\/(?:assets|inbox)\//.test(route)

/** The level of a line. Probes come every few seconds, and the process logs itself when its database is away. */
export const levelOf = ({ route, slow }: Pick<RequestLine, "route" | "slow">): LogLevel.LogLevel =>
  isProbe(route) ? "Debug" : slow ? "Warn" : comesAlong(route) ? "Debug" : "Info"

/** Receives each answered request. Does nothing by default; `src/process/Logging.ts` provides the logger. */
export const RequestLog = Context.Reference<(line: RequestLine) => void>("http/RequestLog", {
  defaultValue: () => () => {}
})

/** The duration from which a request is slow, in milliseconds, not counting the time that its body took to arrive. */
export const SlowRequest = Context.Reference<number>("http/SlowRequest", { defaultValue: () => Infinity })

const cachedIds = {
  team: new Map<string, string>(),
  user: new Map<string, string>(),
  client: new Map<string, string>(),
  token: new Map<string, string>()
}

// The same few callers return all the time, and encoding an id costs as much as the rest of the line.
const idOf = (prefix: keyof typeof cachedIds, uuid: string): string => {
  const known = cachedIds[prefix].get(uuid)
  if (known !== undefined) return known
  if (cachedIds[prefix].size >= 1000) cachedIds[prefix].clear()
  const id = Id.fromUuid(prefix, uuid)
  cachedIds[prefix].set(uuid, id)
  return id
}

/** The caller by public ids, with the token; also one whose credentials were refused. */
export const callerOf = (
  caller: Actor | undefined,
  { clientId, teamId, tokenId, userId }: RequestLine["audit"]
): { readonly team?: string; readonly user?: string; readonly client?: string; readonly token?: string } => {
  const of = caller ?? { clientId, teamId, userId }
  const { clientId: client, teamId: team, userId: user } = of
  return {
    ...(team === null ? {} : { team: idOf("team", team) }),
    ...(user === null ? {} : { user: idOf("user", user) }),
    ...(client === null ? {} : { client: idOf("client", client) }),
    ...(tokenId === null ? {} : { token: idOf("token", tokenId) })
  }
}

const classOf = (status: string) =>
  Metric.histogram("property_network_http_request_duration_seconds", {
    description: "Duration of requests by class of status.",
    attributes: { status },
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]
  })

const classes = [classOf("1xx"), classOf("2xx"), classOf("3xx"), classOf("4xx"), classOf("5xx")]

const ofRoute = (method: string, route: string) =>
  Metric.histogram("property_network_http_route_duration_seconds", {
    description: "Duration of requests by route.",
    attributes: { method, route },
    boundaries: [0.01, 0.05, 0.25, 1, 5]
  })

// At most one for each operation, and two or three for each page.
const routes = new Map<string, ReturnType<typeof ofRoute>>()

/** Counts a response to a request that matched a route. */
const answeredRoute = (method: string, route: string, seconds: number, context: Context.Context<never>): void => {
  const key = `${method} ${route}`
  const known = routes.get(key)
  const histogram = known ?? ofRoute(method, route)
  if (known === undefined) routes.set(key, histogram)
  histogram.updateUnsafe(seconds, context)
}

/** Registers the metrics by class at 0: a counter that first appears at 1 hides its first increase. */
export const registerMetrics: Effect.Effect<void> = Effect.forEach(classes, Metric.value, { discard: true })

/** Counts a response to a request, which may have matched no `route`; `context` is that of the running fiber. */
export const countAnswer = (
  { durationMs, method, route, status }: Pick<RequestLine, "durationMs" | "method" | "route" | "status">,
  context: Context.Context<never>
): void => {
  const seconds = durationMs / 1000
  classes[Math.floor(status / 100) - 1]?.updateUnsafe(seconds, context)
  if (route !== undefined) answeredRoute(method, route, seconds, context)
}

/**
 * Begins the span, as a child of the caller's span if `traceparent` names one. Returns undefined unless this process exports
 * traces (`src/platform/telemetry/Tracing.ts`).
 */
export const beginSpan = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: HttpServerRequest.HttpServerRequest,
  { path, requestId }: { readonly path: string; readonly requestId: string }
): Tracer.Span | undefined => {
  const { tracer, tracerEnabled } = fiber.cache
  if (!tracerEnabled || tracer === undefined) return undefined
  const parent = HttpTraceContext.w3c(request.headers)
  const span = tracer.span({
    name: request.method,
    parent,
    annotations: Context.empty(),
    links: [],
    startTime: fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(),
    kind: "server",
    root: Option.isNone(parent),
    sampled: Option.isNone(parent) || parent.value.sampled
  })
  if (span.sampled) {
    span.attribute("http.request.method", request.method)
    span.attribute("url.path", path)
    span.attribute("url.scheme", "http")
    span.attribute("property_network.request_id", requestId)
  }
  return span
}

/** Ends the span. Only a status from 500 is an error: a 4xx is a regular result of the service. */
export const endSpan = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  { method, route, status }: { readonly method: string; readonly route: string | undefined; readonly status: number }
): void => {
  span.attribute("http.response.status_code", status)
  if (route !== undefined) {
    span.attribute("http.route", route)
    // The route is known only after the span has begun. The exporter reads the name when the span ends.
    Object.assign(span, { name: `${method} ${route}` })
  }
  if (status >= 500) span.attribute("error.type", String(status))
  span.end(
    fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(),
    status >= 500 ? Exit.die(new Error(String(status))) : Exit.void
  )
}

/** Ends the span of a request without a response, such as one whose client disconnected. */
export const abandonSpan = (
  span: Tracer.Span,
  fiber: Fiber.Fiber<unknown, unknown>,
  exit: Exit.Exit<unknown, unknown>
): void => {
  if (span.status._tag === "Started") span.end(fiber.getRef(Clock.Clock).currentTimeNanosUnsafe(), exit)
}
