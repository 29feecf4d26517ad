/**
 * Connections to receivers, each to an address that was checked when it was made. undici sends requests over them and reads answers, and
 * makes no connection by itself. See docs/adr/0010-own-outbound-client.md.
 */
import * as net from "node:net"
import * as tls from "node:tls"
import { Effect, type Scope } from "effect"
import { Host, NetAddress } from "effect/net"
import { NameServersAway, type Phase, UrlRejected } from "./rules.ts"
import type { OutboundGuard, Target } from "./OutboundGuard.ts"
import type { Client } from "undici"

// Most servers close an idle connection after 5 seconds. Closing it earlier avoids reusing one that is about to close.
const idleMillis = 4000
const maxIdlePerHost = 32

// After this time, Node tries the next address of a name. Longer than one second, after which a lost SYN is sent again. With
// Node's default of 250 ms, distant receivers would be unreachable that have an address of a family that this network lacks.
const autoSelectFamilyAttemptTimeout = 1500

const maxSessions = 100

const ignore = () => {}

/** A connection to a receiver, which has one request at a time. */
export class Connection {
  readonly client: Client
  readonly origin: string
  /** When it was kept for the first time; undefined while it has not ended a request. */
  keptSince: number | undefined
  /** Gets everything that arrives. */
  received: (chunk: Buffer) => void = ignore
  private socket: net.Socket | undefined
  private resolving = false

  constructor(Library: typeof Client, { host, url }: Target, guard: OutboundGuard, sessions: Map<string, Buffer>) {
    const { origin } = url
    const secure = url.protocol === "https:"
    const isIp = NetAddress.isIpAddress(host)

    // Called for names only, because addresses in URLs have been checked before. The socket connects to the addresses that this
    // returns; the name is not resolved again.
    const lookup: net.LookupFunction = (_hostname, options, callback) => {
      if (isIp) return callback(new Error("unexpected lookup"), [])
      this.resolving = true
      guard.addresses(host).then(
        (addresses) => {
          this.resolving = false
          const first = addresses[0]
          if (options.all === true || first === undefined) callback(null, [...addresses])
          else callback(null, first.address, first.family)
        },
        (error: unknown) => {
          this.resolving = false
          const isKnown = error instanceof UrlRejected || error instanceof NameServersAway
          callback(isKnown ? error : new Error("lookup failed", { cause: error }), [])
        }
      )
    }

    const reach = (): net.Socket => {
      const to = {
        // Without the brackets that an IPv6 address has in a URL.
        host: isIp ? NetAddress.formatIp(host) : host,
        port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
        noDelay: true,
        autoSelectFamilyAttemptTimeout,
        lookup
      }
      if (!secure) return net.connect(to)
      const session = sessions.get(origin)
      const socket = tls.connect({
        ...to,
        ALPNProtocols: ["http/1.1"],
        // Checks certificates against the host name, regardless of a Host header and of NODE_TLS_REJECT_UNAUTHORIZED.
        rejectUnauthorized: true,
        servername: isIp ? "" : Host.toRelative(host),
        ...(session === undefined ? {} : { session })
      })
      return socket.on("session", (data: Buffer) => {
        if (sessions.size >= maxSessions) sessions.clear()
        sessions.set(origin, data)
      })
    }

    this.origin = origin
    this.client = new Library(origin, {
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMillis,
      keepAliveMaxTimeout: idleMillis,
      // One deadline covers everything (`exchange`).
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, callback) => {
        const socket = reach()
        // It is another one if undici found the kept one closed before it sent anything.
        this.keptSince = undefined
        this.socket = socket
        let isMade = false
        socket.once(secure ? "secureConnect" : "connect", () => {
          isMade = true
          callback(null, socket)
        })
        socket.on("error", (error) => {
          if (isMade) return
          isMade = true
          sessions.delete(origin)
          callback(error, null)
        })
      }
    })
  }

  /** Counts what arrives, once undici reads: the first listener decides how a socket is read. */
  watch() {
    const { socket } = this
    if (socket?.listenerCount("data") === 0) socket.on("data", (chunk: Buffer) => this.received(chunk))
  }

  /** The step before an answer in which it is. */
  get phase(): Exclude<Phase, "body"> {
    if (this.resolving) return "dns"
    const { socket } = this
    if (socket === undefined || socket.connecting) return "connection"
    return "secureConnecting" in socket && socket.secureConnecting === true ? "tls" : "answer"
  }

  /** Whether another request may be sent: it is open, and its receiver has read the whole request. */
  get isFree() {
    return this.socket?.destroyed === false && this.socket.writableLength === 0
  }

  close() {
    this.received = ignore
    this.client.destroy(ignore)
    this.socket?.destroy()
  }
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

/** All open connections of a process, and which of them are idle. */
export class Connections {
  private readonly maxIdle: number
  private readonly maxAgeMillis: number
  private readonly open = new Set<Connection>()
  /** By origin, the one that was used last at the end. */
  private readonly idle = new Map<string, Array<Connection>>()
  private idleCount = 0
  private readonly sessions = new Map<string, Buffer>()
  private library: Promise<typeof Client> | undefined

  constructor({ maxIdle = 256, maxAgeMillis = 60_000 }: Bounds) {
    this.maxIdle = maxIdle
    this.maxAgeMillis = maxAgeMillis
  }

  /** The idle connection to the target that was used last, or else, or if it is to be `fresh`, a new one. */
  async take(target: Target, guard: OutboundGuard, fresh: boolean): Promise<Connection> {
    const kept = fresh ? undefined : this.idle.get(target.url.origin)?.at(-1)
    if (kept !== undefined) {
      this.forget(kept)
      return kept
    }
    // With the first request: most processes send none.
    this.library ??= import("undici/lib/dispatcher/client.js").then(({ default: client }) => client)
    const made = new Connection(await this.library, target, guard, this.sessions)
    this.open.add(made)
    made.client.on("disconnect", () => {
      if (this.forget(made)) this.end(made)
    })
    return made
  }

  /** Keeps a connection whose request has ended for the next one, or closes it. */
  keep(connection: Connection) {
    const now = performance.now()
    const since = (connection.keptSince ??= now)
    const idle = this.idle.get(connection.origin) ?? []
    const hasRoom = this.idleCount < this.maxIdle && idle.length < maxIdlePerHost
    if (!hasRoom || !connection.isFree || now - since >= this.maxAgeMillis) return this.end(connection)
    this.idle.set(connection.origin, idle)
    idle.push(connection)
    this.idleCount++
  }

  /** Closes a connection, with its request. */
  end(connection: Connection) {
    this.open.delete(connection)
    connection.close()
  }

  endAll() {
    for (const connection of this.open) this.end(connection)
  }

  /** Whether the connection was idle, which it no longer is. */
  private forget(connection: Connection): boolean {
    const idle = this.idle.get(connection.origin) ?? []
    const at = idle.lastIndexOf(connection)
    if (at < 0) return false
    idle.splice(at, 1)
    this.idleCount--
    if (idle.length === 0) this.idle.delete(connection.origin)
    return true
  }
}

/** Opens a pool. The end of the scope closes all connections, with their requests. */
export const openConnections = (bounds: Bounds = {}): Effect.Effect<Connections, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Connections(bounds)),
    (connections) => Effect.sync(() => connections.endAll())
  )
