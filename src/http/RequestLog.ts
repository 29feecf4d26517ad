/** What is logged of a request. */
import { Context } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import * as Id from "../Id.ts"

/** A request that was answered. Neither its query nor its body is here: they may hold what is nobody else's business. */
export interface RequestLine {
  readonly requestId: string
  readonly traceId: string | undefined
  readonly method: string
  /** The pattern of its path; none when nothing is there. */
  readonly route: string | undefined
  readonly path: string
  readonly status: number
  readonly durationMs: number
  /** The length of the answer's body, where it is known when its headers are sent. */
  readonly bytes: number | undefined
  readonly caller: Actor | undefined
  /** Whether it took longer than it should. */
  readonly slow: boolean
}

/** Notes each request that was answered. Nobody does unless a process says so (process/Logging.ts). */
export const RequestLog = Context.Reference<(line: RequestLine) => void>("http/RequestLog", {
  defaultValue: () => () => {}
})

/** From how many milliseconds on a request is slow, its body's own time not counted. */
export const SlowRequest = Context.Reference<number>("http/SlowRequest", { defaultValue: () => Infinity })

const kept = { team: new Map<string, string>(), user: new Map<string, string>(), client: new Map<string, string>() }

// The same few callers come again and again, and encoding an id costs as much as the rest of the line.
const idOf = (prefix: keyof typeof kept, uuid: string): string => {
  const known = kept[prefix].get(uuid)
  if (known !== undefined) return known
  if (kept[prefix].size >= 1000) kept[prefix].clear()
  const id = Id.fromUuid(prefix, uuid)
  kept[prefix].set(uuid, id)
  return id
}

/** Who called, by the ids that the API gives them. */
export const callerOf = (
  caller: Actor | undefined
): { readonly team?: string; readonly user?: string; readonly client?: string } =>
  caller === undefined
    ? {}
    : {
        team: idOf("team", caller.teamId),
        ...(caller.userId === null ? {} : { user: idOf("user", caller.userId) }),
        ...(caller.clientId === null ? {} : { client: idOf("client", caller.clientId) })
      }
