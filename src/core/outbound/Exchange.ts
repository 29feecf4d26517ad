/** Sends one request to a receiver and reads its response, within the limits of docs/adr/0010-own-outbound-client.md. */
import * as rules from "./rules.ts"
import { Effect } from "effect"
import type { Dispatcher } from "undici"
import type { Connection, Connections } from "./Connections.ts"
import type { OutboundGuard, Target } from "./OutboundGuard.ts"
import type { Answered, Failed, Timed } from "./rules.ts"

/** The result of an exchange: an attempt without its times. */
export type Exchange = Omit<Answered, keyof Timed | "retryAfterSeconds"> | Omit<Failed, keyof Timed>

/** The request, its target, and how to connect. */
export interface ExchangeRequest {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
  /** Posted. Without it, the request is a GET. */
  readonly body?: Uint8Array
  /** The most bytes that the body of the response may have. Without it, more than 16 KiB are not read, and 4 KiB are kept. */
  readonly maxBytes?: number
  readonly guard: OutboundGuard
  readonly connections: Connections
  readonly deadlineMillis: number
}

interface Head {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const one = "1".charCodeAt(0)
const two = "2".charCodeAt(0)
const statusAt = "HTTP/1.1 ".length

/**
 * Makes each 100 at the beginning of an answer a 102. A receiver may send a 100 that nobody asked for (RFC 9110, 15.2), which undici
 * refuses; after any other interim answer it reads on.
 */
const acceptContinue = (chunk: Buffer): void => {
  let at = 0
  while (chunk[at + statusAt] === one && chunk.toString("latin1", at, at + 7) === "HTTP/1.") {
    if (chunk.toString("latin1", at + statusAt, at + statusAt + 3) === "100") chunk[at + statusAt + 2] = two
    const end = chunk.indexOf("\r\n\r\n", at)
    if (end < 0) return
    at = end + 4
  }
}

/** Sends a request and reads a limited part of the response. Never fails. An interruption destroys the socket. */
export const exchange = (input: ExchangeRequest): Effect.Effect<Exchange> =>
  Effect.callback<Exchange>((resume) => {
    const { body, connections, guard, maxBytes, target } = input
    const keptLimit = maxBytes ?? rules.keptLimit
    const kept: Array<Uint8Array> = []
    let received = 0
    let arrived = 0
    let response: Head | undefined
    let connection: Connection | undefined
    let ended = false
    let retried = false

    const end = (result: Exchange) => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      resume(Effect.succeed(result))
    }
    const close = () => {
      if (connection !== undefined) connections.end(connection)
    }
    const answered = ({ headers, statusCode }: Head) => ({
      outcome: "answered" as const,
      statusCode,
      responseHeaders: rules.headersOf(headers),
      responseBody: rules.keptBody(kept, received > keptLimit)
    })
    // A response that breaks off is a failure only if its status is 2xx: any other status alone decides the verdict.
    const brokeOff = (error: string) => {
      if (response === undefined) return end({ outcome: "failed", error })
      const head = answered(response)
      end(rules.isAccepted(head.statusCode) ? { ...head, outcome: "failed", error } : head)
    }

    // Limits everything outside the body: interim responses, empty lines before the head, the framing of chunks.
    const count = (chunk: Buffer) => {
      arrived += chunk.length
      if (arrived > rules.wireLimit) {
        brokeOff(rules.tooMuch)
        return close()
      }
      if (response === undefined) acceptContinue(chunk)
    }

    const reading = (used: Connection): Dispatcher.DispatchHandler => ({
      onRequestStart: () => {
        used.received = count
        used.watch()
      },
      onResponseStart: (_controller, statusCode, headers) => {
        if (statusCode >= 200) response = { statusCode, headers }
      },
      onResponseData: (_controller, chunk) => {
        if (ended) return
        if (received < keptLimit) kept.push(chunk.subarray(0, keptLimit - received))
        received += chunk.length
        if (maxBytes === undefined ? received < rules.readLimit : received <= maxBytes) return
        if (maxBytes !== undefined) end({ outcome: "failed", error: rules.tooLarge(maxBytes) })
        else if (response !== undefined) end(answered(response))
        close()
      },
      onResponseEnd: () => {
        // Bytes after a complete response, such as a body with a 204, do not belong to it.
        used.received = () => {}
        // undici closes the connection in this tick if it may not be used again.
        process.nextTick(() => {
          if (ended) return
          connections.keep(used)
          if (response !== undefined) end(answered(response))
        })
      },
      onResponseError: (_controller, error) => {
        if (ended) return
        const wasIdle = used.keptSince !== undefined
        connections.end(used)
        // The receiver closed the idle connection just as this request reused it. Nothing is lost, so the request is sent again
        // instead of counting as a failed attempt.
        if (wasIdle && !retried && arrived === 0 && rules.isReset(error)) {
          retried = true
          return send(true)
        }
        if (response === undefined && rules.isOwnFault(error)) {
          return end({ outcome: "failed", error: rules.networkError(error), ownFault: true })
        }
        brokeOff(rules.networkError(error))
      }
    })

    const send = (fresh: boolean): void => {
      connection = undefined
      void connections.take(target, guard, fresh).then((used) => {
        if (ended) return connections.end(used)
        connection = used
        used.client.dispatch(
          {
            method: body === undefined ? "GET" : "POST",
            path: target.url.pathname + target.url.search,
            headers: ["Host", target.url.host, ...Object.entries(input.headers).flat()],
            body: body ?? null
          },
          reading(used)
        )
      })
    }

    // The wall clock, not the `Clock` of Effect: under a test clock, which stands still, a request without a response would keep
    // its socket and its fiber forever.
    const timer = setTimeout(() => {
      brokeOff(
        rules.timeoutError(response === undefined ? (connection?.phase ?? "connection") : "body", input.deadlineMillis)
      )
      close()
    }, input.deadlineMillis)
    send(false)

    return Effect.sync(() => {
      ended = true
      clearTimeout(timer)
      close()
    })
  })
