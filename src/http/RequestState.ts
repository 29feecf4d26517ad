/** The state of the running request, for its response, its log line and its timeouts. */
import { Context, Effect } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"

/** Created by the edge (`Edge.ts`) and updated while the request runs. */
export interface State {
  readonly id: string
  /** Headers to add to the response, also to an error. */
  readonly headers: Record<string, string>
  caller: Actor | undefined
  /** The pattern of the route, set when its handler has ended. */
  route: string | undefined
  /** The MCP tool that the request calls. */
  tool: string | undefined
  /** Whether the service is waiting for the body, for at most `bodyTimeout`. */
  isReadingBody: boolean
  /** How long the current read of the body may take, in milliseconds. */
  bodyTimeout: number
  /** When the service began to wait for the client, or the client for the service, by `performance.now()`. */
  waitingSince: number
  /** When the request arrived, by `performance.now()`. */
  readonly startedAt: number
  /** How long the service has waited for the body, in milliseconds. */
  bodyMs: number
}

/**
 * The time limits of bodies in milliseconds: for a body that is read as a whole, and for each pause within a streamed one.
 * See docs/behaviour/http.md#time-limits.
 */
export const BodyTimeouts = Context.Reference<{ readonly whole: number; readonly pause: number }>("http/BodyTimeouts", {
  defaultValue: () => ({ whole: 120_000, pause: 60_000 })
})

/** The state of a request that has just arrived. */
export const begin = (id: string): State => {
  const now = performance.now()
  return {
    id,
    headers: {},
    caller: undefined,
    route: undefined,
    tool: undefined,
    isReadingBody: false,
    bodyTimeout: 0,
    waitingSince: now,
    startedAt: now,
    bodyMs: 0
  }
}

/** The state of the running request. */
export const RequestState = Context.Reference<State>("http/RequestState", { defaultValue: () => begin("") })

const waiting = <A, E, R>(
  state: State,
  what: "whole" | "pause",
  read: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(BodyTimeouts, (timeouts) => {
    state.isReadingBody = true
    state.bodyTimeout = timeouts[what]
    state.waitingSince = performance.now()
    return read
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        const now = performance.now()
        state.bodyMs += now - state.waitingSince
        state.isReadingBody = false
        state.waitingSince = now
      })
    )
  )

/** Reads the whole body, within the client's time limit. */
export const readingWhole = <A, E, R>(state: State, read: Effect.Effect<A, E, R>) => waiting(state, "whole", read)

/** Reads the next piece of a streamed body, within the client's time limit. */
export const reading = <A, E, R>(state: State, read: Effect.Effect<A, E, R>) => waiting(state, "pause", read)
