/** The open connections to receivers. */
import { Effect, type Scope } from "effect"
import * as http from "node:http"
import * as https from "node:https"

// Below the 5 seconds after which most servers close an idle connection, so that it is we who close it.
const idleMillis = 4000
const maxIdlePerHost = 32

const pooled = { keepAlive: true, timeout: idleMillis, maxFreeSockets: maxIdlePerHost, scheduling: "lifo" } as const

/** Connections that are kept and reused, each to an address that was checked when it was made. */
export interface Connections {
  /** The pool for http or https; `fresh` never reuses a connection. */
  agent(secure: boolean, fresh: boolean): http.Agent
}

/** Closed with the scope, and with them every request still on one. */
export const make: Effect.Effect<Connections, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => ({
    http: { pooled: new http.Agent(pooled), fresh: new http.Agent() },
    https: { pooled: new https.Agent(pooled), fresh: new https.Agent() }
  })),
  (agents) =>
    Effect.sync(() => {
      for (const { pooled, fresh } of [agents.http, agents.https]) {
        pooled.destroy()
        fresh.destroy()
      }
    })
).pipe(Effect.map((agents) => ({
  agent: (secure, fresh) => agents[secure ? "https" : "http"][fresh ? "fresh" : "pooled"]
})))
