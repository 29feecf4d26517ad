/**
 * Node's HTTP server, which answers with problems when its parser rejects a request:
 * docs/behaviour/http.md#malformed-requests and docs/behaviour/http.md#time-limits.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { HeadersTooLarge, MalformedRequest, MethodNotAllowed, RequestTimeout } from "../core/usecase/Problem.ts"
import { newRequestId } from "./RequestState.ts"

const refusalOf = (code: string | undefined) => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge({ detail: "The header fields must not be larger than 16 KiB in total." })
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout({ detail: "The request did not arrive in time." })
    default:
      return new MalformedRequest({ detail: "This is not a well-formed HTTP request." })
  }
}

const reasons: Record<number, string> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large"
}

interface Refusal {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
}

/** The bytes of the response that refuses a request and closes the connection. */
const responseOf = (
  { code, detail, status, title, type }: Refusal,
  baseUrl: string,
  headers: ReadonlyArray<string>
): string => {
  const requestId = newRequestId()
  const body = JSON.stringify({ type: `${baseUrl}${type}`, title, status, code, detail, requestId })
  return [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    ...headers,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")
}

// The responses that each connection has not finished yet, in the order of their requests.
const pendingResponses = new WeakMap<object, Set<ServerResponse>>()

// The connections that end once their requests are answered, and how many bytes each had received by then.
const ending = new WeakMap<Socket, number>()

/** How long a client may take to stop sending and to read a rejection before its connection is destroyed, in milliseconds. */
const lingerTime = 5000

/** How much it may still send, in bytes: as much as the largest upload has. Nothing of it is read. */
const maxDiscarded = 101 * 1024 * 1024

/**
 * Ends a connection whose further bytes are rejected. The requests before these are answered first; then the client gets the refusal,
 * unless the response to the rejected request has begun already.
 */
const endAfterAnswers = (
  socket: Socket,
  refusal: Refusal,
  baseUrl: string | undefined,
  headers: ReadonlyArray<string> = []
): void => {
  const before = ending.get(socket)
  if (before !== undefined) {
    if (socket.bytesRead - before > maxDiscarded) socket.destroy()
    return
  }
  ending.set(socket, socket.bytesRead)
  const url = baseUrl ?? `http://${socket.localAddress}:${socket.localPort}`
  let hasBegun = false
  const proceed = () => {
    const answered = [...(pendingResponses.get(socket) ?? [])].filter(
      ({ headersSent, req }) => headersSent || req.complete
    )
    hasBegun ||= answered.some(({ req }) => !req.complete)
    if (answered[0] !== undefined) {
      answered[0].once("close", proceed)
      return
    }
    if (socket.writable) socket.end(hasBegun ? "" : responseOf(refusal, url, headers))
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
  proceed()
}

const refuse =
  (baseUrl: string | undefined) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    // The client has disconnected.
    if (error.code === "ECONNRESET" || (!socket.writable && !ending.has(socket))) socket.destroy()
    else endAfterAnswers(socket, refusalOf(error.code), baseUrl)
  }

const methods = "GET, HEAD, POST, PUT, PATCH, DELETE"

const refuseTunnel =
  (baseUrl: string | undefined) =>
  (_: IncomingMessage, connection: Duplex): void => {
    const socket = connection as Socket
    // Node no longer handles the errors of a connection that it has handed over.
    socket.on("error", () => socket.destroy())
    const detail = `The service is no proxy. It has ${methods}.`
    endAfterAnswers(socket, new MethodNotAllowed({ detail }), baseUrl, [`Allow: ${methods}`])
  }

/**
 * A server that is not listening yet. Without a `baseUrl`, problems use the address of the connection. While it `isDraining`, connections
 * end after their next answer, so that clients open others elsewhere.
 */
export const makeServer = (baseUrl?: string, isDraining: () => boolean = () => false): Server => {
  const server = createServer({
    keepAliveTimeout: 65_000,
    // Enough for the largest file on a slow connection. The edge limits other bodies, and pauses within a body.
    requestTimeout: 3_600_000,
    headersTimeout: 20_000,
    // The edge checks the header, because Node's own rejection is not a problem document.
    requireHostHeader: false,
    // A client that offers another protocol, as Java's client offers h2c, gets its response in HTTP/1.1.
    shouldUpgradeCallback: () => false
  })
  // Closes the connection of a client that neither reads nor sends anything for this long.
  server.setTimeout(120_000)
  server.on("clientError", refuse(baseUrl))
  server.on("connect", refuseTunnel(baseUrl))
  server.on("request", ({ socket }, response) => {
    if (isDraining()) response.shouldKeepAlive = false
    const answers = pendingResponses.get(socket) ?? new Set()
    pendingResponses.set(socket, answers.add(response))
    response.once("close", () => {
      answers.delete(response)
      // A server that stops closes idle connections only, and waits for clients to close the others.
      if (!server.listening && answers.size === 0) socket.end()
    })
  })
  // Ignores unknown expectations, as RFC 9110 §10.1.1 permits.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}
