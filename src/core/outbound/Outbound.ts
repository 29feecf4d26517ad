/** Sends requests to receivers, and to whoever else may be called. See docs/behaviour/webhooks.md#receiver-addresses. */
import { named } from "../../platform/telemetry/Named.ts"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { NetAddress } from "effect/net"
import { type Attempt, NameServersAway, retryAfterSeconds, UrlRejected } from "./rules.ts"
import { openConnections } from "./Connections.ts"
import { type Exchange, exchange } from "./Exchange.ts"
import { notPublic, makeGuard, type OutboundGuardOptions, type Target } from "./OutboundGuard.ts"

/**
 * `WEBHOOKS`: whether this installation sends events to webhooks. Without it, deliveries are created and wait, and nothing is
 * claimed or sent. See docs/behaviour/webhooks.md#a-service-that-sends-nothing.
 */
export const Sending = Context.Reference<boolean>("core/outbound/Sending", { defaultValue: () => true })

/** Which receivers may be called, and the deadline of a call. */
export interface OutboundOptions extends OutboundGuardOptions {
  /** For DNS, connection, TLS, request and response together, in milliseconds. Defaults to 10 000. */
  readonly deadlineMillis?: number
}

/** A request to a receiver. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly body: Uint8Array
}

/** A request for a document. */
export interface OutboundQuestion {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  /** For DNS, connection, TLS, request and response together. */
  readonly deadlineMillis: number
}

const keptTargets = 1000

// On the wall clock, for the same reason as in `exchange`.
const within = (millis: number, found: Promise<unknown>, timeout: UrlRejected): Effect.Effect<void, UrlRejected> =>
  Effect.callback((resume) => {
    const timer = setTimeout(() => resume(Effect.fail(timeout)), millis)
    found
      .then(
        () => resume(Effect.void),
        (error: unknown) => resume(error instanceof UrlRejected ? Effect.fail(error) : Effect.die(error))
      )
      .finally(() => clearTimeout(timer))
    return Effect.sync(() => clearTimeout(timer))
  })

const make = Effect.fn("Outbound.make")(function* ({ deadlineMillis = 10_000, ...options }: OutboundOptions) {
  const guard = yield* makeGuard(options)
  const connections = yield* openConnections()

  // Caches the checks that need no DNS. The addresses of the host are resolved and checked for each connection.
  const targets = new Map<string, Result.Result<Target, UrlRejected>>()
  const targetOf = (url: string) => {
    const known = targets.get(url)
    if (known !== undefined) return known
    if (targets.size >= keptTargets) targets.clear()
    const target = guard.target(url)
    targets.set(url, target)
    return target
  }

  /** Resolves the host of a URL and checks whether it may be called. For creating and changing a webhook. */
  const check = Effect.fn("Outbound.check")(function* (url: string) {
    const { host } = yield* Effect.fromResult(guard.target(url))
    if (!NetAddress.isIpAddress(host)) {
      const addresses = guard.addresses(host).catch((error: unknown) => {
        // Nobody may be called whose addresses are not known.
        throw error instanceof NameServersAway ? notPublic : error
      })
      yield* within(deadlineMillis, addresses, notPublic)
    }
  })

  /**
   * Makes one attempt. Checks the URL again, and connects only to the addresses that it has checked. Does not follow
   * redirects. A forbidden URL is a failed attempt.
   */
  const post = named(
    "Outbound.post",
    Effect.fnUntraced(function* (request: OutboundRequest): Effect.fn.Return<Attempt> {
      const clock = yield* Clock.Clock
      const startedAt = new Date(clock.currentTimeMillisUnsafe())
      const started = clock.monotonicTimeNanosUnsafe()
      const target = targetOf(request.url)
      const result: Exchange = Result.isFailure(target)
        ? { outcome: "failed", error: target.failure.reason }
        : yield* exchange({
            target: target.success,
            headers: request.headers,
            body: request.body,
            guard,
            connections,
            deadlineMillis
          })
      const durationMs = Math.round(Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6)
      if (result.outcome === "failed") return { startedAt, durationMs, ...result }
      const wait = retryAfterSeconds(result.responseHeaders["retry-after"], clock.currentTimeMillisUnsafe())
      return { startedAt, durationMs, ...result, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) }
    })
  )

  /** Gets a document, with the same checks. Does not follow redirects. One that is larger, or ends later, is a failure. */
  const get = Effect.fn("Outbound.get")(function* ({ url, ...request }: OutboundQuestion): Effect.fn.Return<Exchange> {
    const target = guard.target(url)
    if (Result.isFailure(target)) return { outcome: "failed" as const, error: target.failure.reason }
    return yield* exchange({ ...request, target: target.success, guard, connections })
  })

  const { allowedNetworks, allowHttp } = options

  return {
    check,
    post,
    get,
    /** What it calls besides public addresses by https. */
    allowed: { http: allowHttp, networks: allowedNetworks }
  }
})

/** The client for requests to receivers. */
export class Outbound extends Context.Service<Outbound, Effect.Success<ReturnType<typeof make>>>()(
  "core/outbound/Outbound"
) {
  static layer(options: OutboundOptions): Layer.Layer<Outbound> {
    return Layer.effect(Outbound, make(options))
  }
}
