/** The running request: its state, for its response, its log line and its timeouts; and what its head says. */
import * as TeamBudget from "../core/usecase/TeamBudget.ts"
import { Context, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type AuditContext, ofRequest } from "../core/auth/AuditContext.ts"
import type { Actor } from "../core/auth/CurrentActor.ts"
import { InvalidRequest, MalformedRequest, type RateLimited, type Unavailable } from "../core/usecase/Problem.ts"
import type { IncomingMessage } from "node:http"
import { randomFillSync } from "node:crypto"
import { nearest } from "../core/fields/spelling.ts"
import type { Input } from "../core/usecase/Input.ts"

/** Created by the edge (`Edge.ts`) and updated while the request runs. */
export interface State {
  readonly id: string
  /** Headers to add to the response, also to an error. */
  readonly headers: Record<string, string>
  caller: Actor | undefined
  /** What the audit log and the log line say of the caller besides. */
  readonly audit: AuditContext
  /** The pattern of the route, set when its handler has ended. */
  route: string | undefined
  /** The code of the problem with which it is answered. */
  problem: string | undefined
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
export const begin = (
  id: string,
  { take }: Pick<TeamBudget.Holding, "take">,
  address: () => string | null = () => null
): State => {
  const now = performance.now()
  return {
    id,
    headers: {},
    caller: undefined,
    audit: ofRequest(id, address),
    route: undefined,
    problem: undefined,
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

// What the head of a request says: whether it is refused although Node's parser let it through, because proxies may read it differently
// (docs/behaviour/http.md#malformed-requests), its id (docs/behaviour/http.md#request-ids), the address of its client, and whether it
// prefers a dry run (docs/behaviour/http.md#dry-run).

const noHost = new MalformedRequest({ detail: "The Host header is missing." })

const notChunked = new MalformedRequest({ detail: "The only Transfer-Encoding that is supported is chunked." })

// Of these, Node keeps the first and drops the others.
const repeated = {
  host: new MalformedRequest({ detail: "Send one Host header." }),
  authorization: new MalformedRequest({ detail: "Send one Authorization header." })
}

/** Whether a header occurs more than once. `raw` has names and values in turn. */
const occursTwice = (raw: ReadonlyArray<string>, name: string): boolean => {
  let found = false
  for (let index = 0; index < raw.length; index += 2) {
    const one = raw[index]
    if (one?.length !== name.length || one.toLowerCase() !== name) continue
    if (found) return true
    found = true
  }
  return false
}

/** Why the head of a request is refused; undefined if it is not. */
export const refusalOfHead = ({
  headers,
  source
}: HttpServerRequest.HttpServerRequest): MalformedRequest | undefined => {
  const { httpVersion, rawHeaders = [] } = source as Partial<IncomingMessage>
  // RFC 9112 §3.2 requires servers to reject it.
  if (headers["host"] === undefined && httpVersion === "1.1") return noHost
  const encoding = headers["transfer-encoding"]
  if (encoding !== undefined && encoding.toLowerCase() !== "chunked") return notChunked
  if (occursTwice(rawHeaders, "host")) return repeated.host
  return occursTwice(rawHeaders, "authorization") ? repeated.authorization : undefined
}

const idLength = 16

// Random bytes for many ids at once: one call per id would cost more than everything else here.
const pool = Buffer.alloc(idLength * 256)
let used = pool.length

/** A new id. */
export const newRequestId = (): string => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += idLength
  return `req_${pool.toString("hex", used - idLength, used)}`
}

const safeId = /^[A-Za-z0-9._-]{1,128}$/

/** The id that the client sent if it is well-formed, or else a new one. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && safeId.test(sent) ? sent : newRequestId()

/** How many proxies in front of the service are trusted to name the address of the client, in `X-Forwarded-For`. */
export const TrustedProxies = Context.Reference<number>("http/TrustedProxies", { defaultValue: () => 0 })

/** The network address of a client: the one that connects, or what the nearest of `hops` trusted proxies say. */
export const addressOf = (
  connected: string | undefined,
  forwarded: string | undefined,
  hops: number
): string | null => {
  const path = [...(forwarded ?? "").split(",").map((part) => part.trim()), connected ?? ""].filter(
    (part) => part !== ""
  )
  const address = path.at(-1 - hops) ?? connected
  return address === undefined ? null : address.replace(/^::ffff:(?=\d+\.)/, "").slice(0, 64)
}

/** The network address of the client of a request, with so many trusted proxies. */
export const addressVia = (
  { headers, remoteAddress }: HttpServerRequest.HttpServerRequest,
  hops: number
): string | null => addressOf(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], hops)

/** The network address of the client of a request. */
export const addressOfClient = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.map(TrustedProxies, (hops) => addressVia(request, hops))

/**
 * Whether the header asks for a dry run. Unknown preferences are ignored, as the RFC requires, except a misspelled `dry-run`:
 * ignoring that would really write.
 */
export const asksForDryRun = (header: string | undefined): Input<boolean> => {
  const names = (header ?? "").split(",").map((preference) => (preference.split(/[;=]/)[0] ?? "").trim().toLowerCase())
  const misspelled = names.find((name) => name !== "dry-run" && nearest(name, ["dry-run"]) !== undefined)
  return misspelled === undefined
    ? Effect.succeed(names.includes("dry-run"))
    : Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/Prefer",
            code: "unknown_preference",
            detail: `Unknown preference "${misspelled}". Did you mean "dry-run"?`
          }
        ])
      )
}
