/** One request and its answer, over `node:http` and `node:https`. */
import { Effect } from "effect"
import { Host, NetAddress } from "effect/net"
import * as http from "node:http"
import * as https from "node:https"
import type { LookupFunction, Socket } from "node:net"
import type { Answered, Failed, Timed } from "./Attempt.ts"
import type { Connections } from "./Connections.ts"
import type { OutboundGuard, Target } from "./OutboundGuard.ts"
import * as rules from "./rules.ts"
import { UrlRejected } from "./UrlRejected.ts"

/** How an exchange ended: an attempt without its times. */
export type Exchange = Omit<Answered, keyof Timed | "retryAfterSeconds"> | Omit<Failed, keyof Timed>

/** What is posted, to whom, and how. */
export interface ExchangeRequest {
  readonly target: Target
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly guard: OutboundGuard["Service"]
  readonly connections: Connections
  readonly deadlineMillis: number
}

/** What of a target is the same for every request. */
const addressed = ({ host, url }: Target) => {
  const isIp = NetAddress.isIpAddress(host)
  return {
    secure: url.protocol === "https:",
    options: {
      method: "POST",
      // An address in brackets is a URL's spelling, not a socket's.
      hostname: isIp ? NetAddress.formatIp(host) : host,
      port: url.port === "" ? undefined : url.port,
      path: url.pathname + url.search,
      // Certificates are checked against the name itself, whatever headers are given, and whatever the environment says.
      ...(url.protocol === "https:" ? { rejectUnauthorized: true, servername: isIp ? "" : Host.toRelative(host) } : {})
    }
  }
}

const known = new WeakMap<Target, ReturnType<typeof addressed>>()

const addressOf = (target: Target) => {
  const address = known.get(target) ?? addressed(target)
  known.set(target, address)
  return address
}

/** Who is told what comes over a connection: whoever has sent the latest request on it. */
const counting = new WeakMap<Socket, (chunk: Buffer) => void>()

const countOn = (socket: Socket, count: (chunk: Buffer) => void): void => {
  if (!counting.has(socket)) socket.on("data", (chunk: Buffer) => counting.get(socket)?.(chunk))
  counting.set(socket, count)
}

/** Posts, and reads at most 16 KiB of the answer. Never fails; interruption destroys the socket. */
export const exchange = (input: ExchangeRequest): Effect.Effect<Exchange> =>
  Effect.callback<Exchange>((resume) => {
    const { url, host } = input.target
    const { options, secure } = addressOf(input.target)
    const kept: Array<Uint8Array> = []
    let received = 0
    let arrived = 0
    let response: http.IncomingMessage | undefined
    let resolving = false
    let ended = false
    let retried = false
    let complete = false

    const end = (result: Exchange) => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      resume(Effect.succeed(result))
    }
    const answered = (head: http.IncomingMessage) => ({
      outcome: "answered" as const,
      statusCode: head.statusCode ?? 0,
      responseHeaders: rules.headersOf(head.headers),
      responseBody: rules.keptBody(kept, received > rules.keptLimit)
    })
    // What breaks off is a failure only if its status promised success: any other status has said all that matters. And
    // what comes after a whole answer (a body with a 204, say) is not a part of it.
    const brokeOff = (error: string) => {
      if (response === undefined) return end({ outcome: "failed", error })
      const head = answered(response)
      if (response.complete || !rules.isAccepted(head.statusCode)) return end(head)
      end({ ...head, outcome: "failed", error })
    }

    // Called for names only: an address in the URL has been checked as it stood. The socket goes to the addresses that
    // are handed back here, and the name is not resolved again.
    const lookup: LookupFunction = (_hostname, options, callback) => {
      if (NetAddress.isIpAddress(host)) return callback(new Error("unexpected lookup"), [])
      resolving = true
      input.guard.addresses(host).then(
        (addresses) => {
          resolving = false
          const first = addresses[0]
          if (options.all === true || first === undefined) callback(null, [...addresses])
          else callback(null, first.address, first.family)
        },
        (error: unknown) => {
          resolving = false
          callback(error instanceof UrlRejected ? error : new Error("lookup failed", { cause: error }), [])
        }
      )
    }

    const phase = (): rules.Phase => {
      if (response !== undefined) return "body"
      if (resolving) return "dns"
      const socket = request.socket
      if (socket === null || socket.connecting) return "connection"
      return "secureConnecting" in socket && socket.secureConnecting === true ? "tls" : "answer"
    }

    // What is not the body has no end of its own: interim answers, empty lines before the head, the framing of chunks.
    const count = (chunk: Buffer) => {
      if (complete) return
      arrived += chunk.length
      if (arrived <= rules.wireLimit) return
      brokeOff(rules.tooMuch)
      request.destroy()
    }

    const read = (sent: http.ClientRequest, head: http.IncomingMessage) => {
      response = head
      head.on("data", (chunk: Buffer) => {
        if (received < rules.keptLimit) kept.push(chunk.subarray(0, rules.keptLimit - received))
        received += chunk.length
        if (received < rules.readLimit) return
        end(answered(head))
        sent.destroy()
      })
      head.on("end", () => {
        complete = true
        // The socket goes back to the pool in the tick that is queued already: whoever posts next shall find it there.
        process.nextTick(() => end(answered(head)))
        // A receiver that answers without reading would keep the rest of the body, and the socket, for good.
        if (!sent.writableFinished) sent.destroy()
      })
      head.on("error", (error) => brokeOff(rules.networkError(error)))
    }

    const send = (fresh: boolean): http.ClientRequest => {
      const sent = (secure ? https : http).request({
        ...options,
        // As they are sent: in an object, each would be looked up and copied by itself.
        headers: ["Host", url.host, ...headers, "Content-Length", String(input.body.byteLength)],
        agent: input.connections.agent(secure, fresh),
        lookup
      })
      sent.on("socket", (socket) => countOn(socket, count))
      sent.on("response", (head) => read(sent, head))
      sent.on("error", (error) => {
        // The receiver closed an idle connection just as it was taken for this request: nothing has been lost, and
        // counting it as a failed attempt would punish receivers that close early.
        if (!ended && !retried && response === undefined && sent.reusedSocket && rules.isReset(error)) {
          retried = true
          request = send(true)
          return
        }
        brokeOff(rules.networkError(error))
      })
      // For the ends that come without an error, such as an unasked-for protocol switch.
      sent.on("close", () => {
        if (sent === request && !complete) brokeOff(rules.closedEarly)
      })
      // As a string it goes out with the head, in one piece and not in two; in this encoding a character is a byte.
      sent.end(
        Buffer.from(input.body.buffer, input.body.byteOffset, input.body.byteLength).toString("latin1"),
        "latin1"
      )
      return sent
    }

    const headers = Object.entries(input.headers).flat()
    let request = send(false)
    // Real time, and not the `Clock` of Effect: the network runs in real time even when a test stops the clock, and a
    // request that nothing ends would keep its socket, and its fiber, for ever.
    const timer = setTimeout(() => {
      brokeOff(rules.timeoutError(phase(), input.deadlineMillis))
      request.destroy()
    }, input.deadlineMillis)

    return Effect.sync(() => {
      ended = true
      clearTimeout(timer)
      request.destroy()
    })
  })
