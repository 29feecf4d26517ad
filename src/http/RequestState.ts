/** What is known of the running request, from its first line to its log line. */
import { Context, Effect } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"

/** Filled in on the way; the edge (Edge.ts) makes it and uses it last. */
export interface State {
  readonly id: string
  /** Headers that the answer gets, whatever it is. */
  readonly headers: Record<string, string>
  caller: Actor | undefined
  /** The pattern of the route that it took, once that has ended. */
  route: string | undefined
  /** Whether its body is being waited for: how long that takes is the client's affair, up to `patience`. */
  readingBody: boolean
  /** How long what is read of the body may keep us waiting, in milliseconds. */
  patience: number
  /** Since when we wait for the client, or the client for us, by `performance.now()`. */
  waitingSince: number
  /** When it came, by `performance.now()`. */
  readonly startedAt: number
  /** For how many milliseconds its body was waited for. */
  bodyMs: number
}

/**
 * How long bodies may take to come, in milliseconds: one that is read as a whole, and the pauses of one that is read piece
 * by piece.
 */
export const MaxWait = Context.Reference<{ readonly whole: number; readonly pause: number }>("http/LongestWait", {
  defaultValue: () => ({ whole: 120_000, pause: 60_000 })
})

/** The state of a request that has just come. */
export const begin = (id: string): State => {
  const now = performance.now()
  return {
    id,
    headers: {},
    caller: undefined,
    route: undefined,
    readingBody: false,
    patience: 0,
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
  Effect.flatMap(MaxWait, (longest) => {
    state.readingBody = true
    state.patience = longest[what]
    state.waitingSince = performance.now()
    return read
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        const now = performance.now()
        state.bodyMs += now - state.waitingSince
        state.readingBody = false
        state.waitingSince = now
      })
    )
  )

/** Reads the whole body: its time is the client's. */
export const readingWhole = <A, E, R>(state: State, read: Effect.Effect<A, E, R>) => waiting(state, "whole", read)

/** Reads the next piece of a body: its time is the client's, and the time from then on is ours again. */
export const reading = <A, E, R>(state: State, read: Effect.Effect<A, E, R>) => waiting(state, "pause", read)
