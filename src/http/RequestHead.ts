/**
 * What the head of a request says: whether it is refused although Node's parser let it through, because proxies may read it differently
 * (docs/behaviour/http.md#malformed-requests), its id (docs/behaviour/http.md#request-ids), the address of its client, and whether it
 * prefers a dry run (docs/behaviour/http.md#dry-run).
 */
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { InvalidRequest, MalformedRequest } from "../core/usecase/Problem.ts"
import { randomFillSync } from "node:crypto"
import { Context, Effect, Option } from "effect"
import { nearest } from "../core/fields/spelling.ts"
import type { Input } from "../core/usecase/Input.ts"

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
export const refusalOf = ({ headers, source }: HttpServerRequest.HttpServerRequest): MalformedRequest | undefined => {
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

/** The network address of the client of a request. */
export const addressOfClient = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Effect.map(TrustedProxies, (hops) =>
    addressOf(Option.getOrUndefined(remoteAddress), headers["x-forwarded-for"], hops)
  )

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
