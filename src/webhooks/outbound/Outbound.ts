/** Calls receivers, and only those that may be called. */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { NetAddress } from "effect/net"
import type { Attempt } from "./Attempt.ts"
import * as Connections from "./Connections.ts"
import { type Exchange, exchange } from "./Exchange.ts"
import { notPublic, OutboundGuard, type OutboundGuardOptions, type Target } from "./OutboundGuard.ts"
import { retryAfterSeconds } from "./rules.ts"
import { UrlRejected } from "./UrlRejected.ts"

/** Which receivers may be called, and how long one may take. */
export interface OutboundOptions extends OutboundGuardOptions {
  /** The total for DNS, connection, TLS, request and answer. Default: 10 000. */
  readonly deadlineMillis?: number
}

/** What is posted to a receiver. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly body: Uint8Array
}

/** The way out to receivers. */
export class Outbound extends Context.Service<
  Outbound,
  {
    /** Whether a URL may be called now, its host name resolved. For the creation and the change of a webhook. */
    check(url: string): Effect.Effect<void, UrlRejected>
    /**
     * One attempt. The URL is checked again, and the connection made to the addresses that were checked. Redirects are
     * not followed. A refused URL is a failed attempt like any other.
     */
    post(request: OutboundRequest): Effect.Effect<Attempt>
  }
>()("webhooks/outbound/Outbound") {
  static layer(options: OutboundOptions): Layer.Layer<Outbound> {
    return Layer.effect(Outbound, make(options.deadlineMillis ?? 10_000)).pipe(
      Layer.provide(OutboundGuard.layer(options))
    )
  }
}

const keptTargets = 1000

const make = Effect.fn("Outbound.make")(function* (deadlineMillis: number) {
  const guard = yield* OutboundGuard
  const connections = yield* Connections.make()

  // What can be told of a URL without DNS stays so. Its host's addresses are looked up whenever a connection is made.
  const targets = new Map<string, Result.Result<Target, UrlRejected>>()
  const targetOf = (url: string) => {
    const known = targets.get(url)
    if (known !== undefined) return known
    if (targets.size >= keptTargets) targets.clear()
    const target = guard.target(url)
    targets.set(url, target)
    return target
  }

  const check = Effect.fn("Outbound.check")(function* (url: string) {
    const { host } = yield* Effect.fromResult(guard.target(url))
    if (!NetAddress.isIpAddress(host)) {
      yield* within(deadlineMillis, guard.addresses(host), notPublic)
    }
  })

  const post = Effect.fn("Outbound.post")(function* (request: OutboundRequest) {
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

  return Outbound.of({ check, post })
})

// In real time, for the reason given at `exchange`.
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
