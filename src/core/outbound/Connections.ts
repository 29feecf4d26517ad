/** The connection pools for receivers. */
import { Effect, type Scope } from "effect"
import * as http from "node:http"
import * as https from "node:https"
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
export interface Bounds {
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
