/** The state of the running request, for its response, its log line and its timeouts. */
import * as TeamBudget from "../core/usecase/TeamBudget.ts"
import { Context, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Actor } from "../core/auth/CurrentActor.ts"
import type { RateLimited, Unavailable } from "../core/usecase/Problem.ts"

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
  /** Takes bytes of a budget until the request has ended. */
  readonly take: TeamBudget.Holding["take"]
}

/**
 * The time limits of bodies in milliseconds: for a body that is read as a whole, and for the pauses within it, and for each pause within
 * a streamed one. See docs/behaviour/http.md#time-limits.
 */
export interface Limits {
  readonly whole: number
  readonly pauseInWhole: number
  readonly pause: number
}

/** The time limits of bodies. */
export const BodyTimeouts = Context.Reference<Limits>("http/BodyTimeouts", {
  defaultValue: () => ({ whole: 120_000, pauseInWhole: 10_000, pause: 60_000 })
})

/** The state of a request that has just arrived, which takes what it needs of budgets from `take`. */
export const begin = (id: string, { take }: Pick<TeamBudget.Holding, "take">): State => {
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
    bodyMs: 0,
    take
  }
}

/** The state of the running request. */
export const RequestState = Context.Reference<State>("http/RequestState", {
  defaultValue: () => begin("", TeamBudget.hold())
})

/** The refusal of bytes that a lane has no room for, which says when to try again. `what` names them. */
export const shortage = (
  state: State,
  lane: TeamBudget.Lane,
  lacking: TeamBudget.Shortage,
  what: string
): RateLimited | Unavailable => {
  if (lacking === "team") state.headers["retry-after"] = "1"
  return TeamBudget.shortage(lane, lacking, what)
}

/** The requests whose bodies are read, or were. */
const taken = new WeakSet<object>()

/** Begins to read the body of a request, which arrives once: a second reader is a defect. */
export const takeBody = ({ source }: HttpServerRequest.HttpServerRequest): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (taken.has(source)) return Effect.die(new Error("the body of a request is read a second time"))
    taken.add(source)
    return Effect.void
  })

/** Whether somebody reads the body of a request, or has. */
export const wasTaken = ({ source }: HttpServerRequest.HttpServerRequest): boolean => taken.has(source)

/** Reads while the client's time limits apply; `read` calls `wait` whenever a wait begins, with its limit. */
const waiting = <A, E, R>(
  state: State,
  read: (limits: Limits, wait: (timeout: number) => void) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(BodyTimeouts, (limits) => {
    const begun = performance.now()
    state.isReadingBody = true
    return Effect.ensuring(
      read(limits, (timeout) => {
        state.waitingSince = performance.now()
        state.bodyTimeout = timeout
      }),
      Effect.sync(() => {
        const now = performance.now()
        state.bodyMs += now - begun
        state.isReadingBody = false
        state.waitingSince = now
      })
    )
  })

/** Reads the whole body, within the client's time limits; `read` calls `arrived` whenever a piece has come. */
export const readingWhole = <A, E, R>(state: State, read: (arrived: () => void) => Effect.Effect<A, E, R>) =>
  waiting(state, ({ pauseInWhole, whole }, wait) => {
    const end = performance.now() + whole
    const arrived = () => wait(Math.min(pauseInWhole, end - performance.now()))
    arrived()
    return read(arrived)
  })

/** Reads the next piece of a streamed body, within the client's time limit. */
export const reading = <A, E, R>(state: State, read: Effect.Effect<A, E, R>) =>
  waiting(state, ({ pause }, wait) => {
    wait(pause)
    return read
  })
