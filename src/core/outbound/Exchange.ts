/**
 * Pools connections to receivers, sends one request and reads its response, over `node:http` and `node:https`. See
 * docs/adr/0010-own-outbound-client.md.
 */
import * as http from "node:http"
import * as https from "node:https"
import * as rules from "./rules.ts"
import { Effect, type Scope } from "effect"
import { Host, NetAddress } from "effect/net"
import type { LookupFunction, Socket } from "node:net"
import { type Answered, type Failed, NameServersAway, type Timed, UrlRejected } from "./rules.ts"
import type { OutboundGuard, Target } from "./OutboundGuard.ts"
import type { Duplex } from "node:stream"

// Most servers close an idle connection after 5 seconds. Closing it earlier avoids reusing one that is about to close.
const idleMillis = 4000
const maxIdlePerHost = 32

// After this time, Node tries the next address of a name. Longer than one second, after which a lost SYN is sent again. With
// Node's default of 250 ms, distant receivers would be unreachable that have an address of a family that this network lacks.
const making = { autoSelectFamilyAttemptTimeout: 1500 } as const

const pooled = {
  ...making,
  keepAlive: true,
  timeout: idleMillis,
  maxFreeSockets: maxIdlePerHost,
  scheduling: "lifo"
} as const

/** Pooled connections, each to an address that was checked when the connection was made. */
export interface Connections {
  /** The agent for http or https. `fresh` agents never reuse a connection. */
  agent(secure: boolean, fresh: boolean): http.Agent
}

/** The limits of a pool. */
interface Bounds {
  /** The maximum of idle connections, to all hosts together. Defaults to 256, since many systems allow a process 1024 open files. */
  readonly maxIdle?: number
  /**
   * The maximum age of a connection, from its first response. Defaults to one minute, so that a change of a busy host's DNS
   * takes effect soon.
   */
  readonly maxAgeMillis?: number
}

const bound = <A extends http.Agent>(agent: A, { maxIdle = 256, maxAgeMillis = 60_000 }: Bounds): A => {
  const firstKept = new WeakMap<Duplex, number>()
  const isIdleEnough = () =>
    Object.values(agent.freeSockets).reduce((sum, some) => sum + (some?.length ?? 0), 0) < maxIdle
  // It returns `false` if the receiver has announced to close the connection, although its type is `void`.
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket) => {
    const now = performance.now()
    const since = firstKept.get(socket) ?? now
    firstKept.set(socket, since)
    return keep(socket) !== false && now - since < maxAgeMillis && isIdleEnough()
  }
  return agent
}

/** Opens the pools. The end of the scope closes all connections, with their requests. */
export const openConnections = (bounds: Bounds = {}): Effect.Effect<Connections, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => ({
      http: { pooled: bound(new http.Agent(pooled), bounds), fresh: new http.Agent(making) },
      https: { pooled: bound(new https.Agent(pooled), bounds), fresh: new https.Agent(making) }
    })),
    (agents) =>
      Effect.sync(() => {
        for (const { pooled, fresh } of [agents.http, agents.https]) {
          pooled.destroy()
          fresh.destroy()
        }
      })
  ).pipe(
    Effect.map((agents) => ({
      agent: (secure, fresh) => agents[secure ? "https" : "http"][fresh ? "fresh" : "pooled"]
    }))
  )

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

/** The options that all requests to a target share. */
const addressed = ({ host, url }: Target) => {
  const isIp = NetAddress.isIpAddress(host)
  return {
    secure: url.protocol === "https:",
    options: {
      // Without the brackets that an IPv6 address has in a URL.
      hostname: isIp ? NetAddress.formatIp(host) : host,
      port: url.port === "" ? undefined : url.port,
      path: url.pathname + url.search,
      // Checks certificates against the host name, regardless of a Host header and of NODE_TLS_REJECT_UNAUTHORIZED.
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

/** The byte counter of each connection: that of the latest request on it. */
const counting = new WeakMap<Socket, (chunk: Buffer) => void>()

const countOn = (socket: Socket, count: (chunk: Buffer) => void): void => {
  if (!counting.has(socket)) socket.on("data", (chunk: Buffer) => counting.get(socket)?.(chunk))
  counting.set(socket, count)
}

/** Sends a request and reads a limited part of the response. Never fails. An interruption destroys the socket. */
export const exchange = (input: ExchangeRequest): Effect.Effect<Exchange> =>
  Effect.callback<Exchange>((resume) => {
    const { url, host } = input.target
    const { options, secure } = addressOf(input.target)
    const { body, maxBytes } = input
    const keptLimit = maxBytes ?? rules.keptLimit
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
      responseBody: rules.keptBody(kept, received > keptLimit)
    })
    // A response that breaks off is a failure only if its status is 2xx: any other status alone decides the verdict. Bytes
    // after a complete response, such as a body with a 204, do not belong to it.
    const brokeOff = (error: string) => {
      if (response === undefined) return end({ outcome: "failed", error })
      const head = answered(response)
      if (response.complete || !rules.isAccepted(head.statusCode)) return end(head)
      end({ ...head, outcome: "failed", error })
    }

    // Called for names only, because addresses in URLs have been checked before. The socket connects to the addresses that this
    // returns; the name is not resolved again.
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
          const isKnown = error instanceof UrlRejected || error instanceof NameServersAway
          callback(isKnown ? error : new Error("lookup failed", { cause: error }), [])
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

    // Limits everything outside the body: interim responses, empty lines before the head, the framing of chunks.
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
        if (received < keptLimit) kept.push(chunk.subarray(0, keptLimit - received))
        received += chunk.length
        if (maxBytes === undefined ? received < rules.readLimit : received <= maxBytes) return
        end(maxBytes === undefined ? answered(head) : { outcome: "failed", error: rules.tooLarge(maxBytes) })
        sent.destroy()
      })
      head.on("end", () => {
        complete = true
        // The socket returns to the pool in the tick that is already queued. Ending after it lets the next request reuse it.
        process.nextTick(() => end(answered(head)))
        // A receiver that responds without reading the whole request would otherwise keep the socket busy forever.
        if (!sent.writableFinished) sent.destroy()
      })
      head.on("error", (error) => brokeOff(rules.networkError(error)))
    }

    const send = (fresh: boolean): http.ClientRequest => {
      const sent = (secure ? https : http).request({
        ...options,
        method: body === undefined ? "GET" : "POST",
        // An array avoids the lookup and the copy of each header that an object needs.
        headers: [
          "Host",
          url.host,
          ...headers,
          ...(body === undefined ? [] : ["Content-Length", String(body.byteLength)])
        ],
        agent: input.connections.agent(secure, fresh),
        lookup
      })
      sent.on("socket", (socket) => countOn(socket, count))
      sent.on("response", (head) => read(sent, head))
      sent.on("error", (error) => {
        // The receiver closed the idle connection just as this request reused it. Nothing is lost, so the request is sent again
        // instead of counting as a failed attempt.
        if (!ended && !retried && response === undefined && sent.reusedSocket && rules.isReset(error)) {
          retried = true
          request = send(true)
          return
        }
        if (response === undefined && rules.isOwnFault(error)) {
          return end({ outcome: "failed", error: rules.networkError(error), ownFault: true })
        }
        brokeOff(rules.networkError(error))
      })
      // For ends without an error, such as an unexpected protocol switch.
      sent.on("close", () => {
        if (sent === request && !complete) brokeOff(rules.closedEarly)
      })
      // Node sends a string in one packet with the head, unlike a buffer. In latin1, one character is one byte.
      if (body === undefined) sent.end()
      else sent.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"), "latin1")
      return sent
    }

    const headers = Object.entries(input.headers).flat()
    let request = send(false)
    // The wall clock, not the `Clock` of Effect: under a test clock, which stands still, a request without a response would keep
    // its socket and its fiber forever.
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
