/** The open connections to receivers. */
import { Effect, type Scope } from "effect"
import * as http from "node:http"
import * as https from "node:https"
import type { Duplex } from "node:stream"

// Below the 5 seconds after which most servers close an idle connection, so that it is we who close it.
const idleMillis = 4000
const maxIdlePerHost = 32

// When the next address of a name is tried. Longer than the second after which a lost SYN is sent again; Node's own
// quarter of a second would never reach a distant receiver that has an address of a family which this network lacks.
const making = { autoSelectFamilyAttemptTimeout: 1500 } as const

const pooled = {
  ...making,
  keepAlive: true,
  timeout: idleMillis,
  maxFreeSockets: maxIdlePerHost,
  scheduling: "lifo"
} as const

/** Connections that are kept and reused, each to an address that was checked when it was made. */
export interface Connections {
  /** The pool for http or https; `fresh` never reuses a connection. */
  agent(secure: boolean, fresh: boolean): http.Agent
}

/** How many connections are kept, and how long. */
export interface Bounds {
  /** Idle ones of a pool, to all hosts together. Default: 256, as processes often may open but 1024 files. */
  readonly maxIdle?: number
  /**
   * From the first request that was answered. Default: one minute, so that a busy host that moves is soon looked for
   * where its name now points.
   */
  readonly oldestMillis?: number
}

const bound = <A extends http.Agent>(agent: A, { maxIdle = 256, oldestMillis = 60_000 }: Bounds): A => {
  const firstKept = new WeakMap<Duplex, number>()
  const isIdleEnough = () =>
    Object.values(agent.freeSockets).reduce((sum, some) => sum + (some?.length ?? 0), 0) < maxIdle
  // It says `false` if the receiver has announced that it will close the connection; its type does not tell.
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket) => {
    const now = performance.now()
    const since = firstKept.get(socket) ?? now
    firstKept.set(socket, since)
    return keep(socket) !== false && now - since < oldestMillis && isIdleEnough()
  }
  return agent
}

/** Closed with the scope, and with them every request still on one. */
export const make = (bounds: Bounds = {}): Effect.Effect<Connections, never, Scope.Scope> =>
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
