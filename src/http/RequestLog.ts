/** The log line of a request. */
import { Context, type LogLevel } from "effect"
import type { Actor } from "../core/auth/CurrentActor.ts"
import * as Id from "../core/Id.ts"

/** An answered request. Query and body are left out, because they may contain personal data. */
export interface RequestLine {
  readonly requestId: string
  readonly traceId: string | undefined
  readonly method: string
  /** The pattern of the route; undefined if no route matched. */
  readonly route: string | undefined
  readonly path: string
  /** The MCP tool that the request called. */
  readonly tool: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The length of the response body, if it is known when the headers are sent. */
  readonly bytes: number | undefined
  readonly caller: Actor | undefined
  /** Whether it took longer than {@link SlowRequest}. */
  readonly slow: boolean
}

const probes: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz"])

/** The level of a line. Probes come every few seconds, and the process logs itself when its database is away. */
export const levelOf = ({ route, slow }: Pick<RequestLine, "route" | "slow">): LogLevel.LogLevel =>
  probes.has(route) ? "Debug" : slow ? "Warn" : "Info"

/** Receives each answered request. Does nothing by default; `src/process/Logging.ts` provides the logger. */
export const RequestLog = Context.Reference<(line: RequestLine) => void>("http/RequestLog", {
  defaultValue: () => () => {}
})

/** The duration from which a request is slow, in milliseconds, not counting the time that its body took to arrive. */
export const SlowRequest = Context.Reference<number>("http/SlowRequest", { defaultValue: () => Infinity })

const cachedIds = {
  team: new Map<string, string>(),
  user: new Map<string, string>(),
  client: new Map<string, string>()
}

// The same few callers return all the time, and encoding an id costs as much as the rest of the line.
const idOf = (prefix: keyof typeof cachedIds, uuid: string): string => {
  const known = cachedIds[prefix].get(uuid)
  if (known !== undefined) return known
  if (cachedIds[prefix].size >= 1000) cachedIds[prefix].clear()
  const id = Id.fromUuid(prefix, uuid)
  cachedIds[prefix].set(uuid, id)
  return id
}

/** The caller by public ids. */
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
