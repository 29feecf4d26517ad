/** What is known of the running request, from its first line to its log line. */
import { Context } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"

/** Filled in on the way; the edge (Edge.ts) makes it and uses it last. */
export interface State {
  readonly id: string
  /** Headers that the answer gets, whatever it is. */
  readonly headers: Record<string, string>
  caller: Actor | undefined
  /** Whether its body is being read: how long that takes is the client's affair. */
  readingBody: boolean
}

/** The state of the running request. */
export const RequestState = Context.Reference<State>("http/RequestState", {
  defaultValue: () => ({ id: "", headers: {}, caller: undefined, readingBody: false })
})
