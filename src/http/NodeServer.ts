/**
 * Node's HTTP server, which answers with problems when its parser rejects a request:
 * docs/behaviour/http.md#problems and docs/behaviour/http.md#time-limits.
 */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { HeadersTooLarge, MalformedRequest, RequestTimeout } from "../usecase/Problem.ts"
import * as RequestId from "./RequestId.ts"

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
  408: "Request Timeout",
  431: "Request Header Fields Too Large"
}

// The responses that each connection has not finished yet.
const pendingResponses = new WeakMap<object, Set<ServerResponse>>()

/** Whether the client waits only for the response to the request that the parser rejected. */
const awaitsOnlyRejection = (socket: Socket) =>
  [...(pendingResponses.get(socket) ?? [])].every(({ headersSent, req }) => !headersSent && !req.complete)

/** How long a client may take to read a rejection before its connection is destroyed, in milliseconds. */
const lingerTime = 1000

const refuse =
  (baseUrl: string | undefined) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    // The client has disconnected, or waits for the response to an earlier request.
    if (error.code === "ECONNRESET" || !socket.writable || !awaitsOnlyRejection(socket)) {
      socket.destroy()
      return
    }
    const { code, detail, status, title, type } = refusalOf(error.code)
    const requestId = RequestId.make()
    const help = `${baseUrl ?? `http://${socket.localAddress}:${socket.localPort}`}${type}`
    const body = JSON.stringify({ type: help, title, status, code, detail, requestId })
    socket.end(
      [
        `HTTP/1.1 ${status} ${reasons[status]}`,
        "Content-Type: application/problem+json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        "Connection: close",
        "",
        body
      ].join("\r\n")
    )
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }

/** A server that is not listening yet. Without a `baseUrl`, problems use the address of the connection. */
export const makeServer = (baseUrl?: string): Server => {
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
  server.on("request", ({ socket }, response) => {
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
