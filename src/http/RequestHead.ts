/**
 * Refuses requests that Node's parser lets through although proxies may read them differently (docs/behaviour/http.md#malformed-requests).
 */
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage } from "node:http"
import { MalformedRequest } from "../core/usecase/Problem.ts"

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
