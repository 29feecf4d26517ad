/** Node's HTTP server, with problems for what its parser refuses (decisions §2). */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { HeadersTooLarge, MalformedRequest, RequestTimeout } from "../usecase/Problem.ts"
import * as RequestId from "./RequestId.ts"

const refusalOf = (code: string | undefined) => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge({ detail: "Header fields may have 16 KiB in all." })
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

// The answers that a connection still owes.
const owed = new WeakMap<object, Set<ServerResponse>>()

/** Whether what the parser refuses is all that the client waits for: no answer is owed but one to its very request. */
const isAwaited = (socket: Socket) =>
  [...(owed.get(socket) ?? [])].every(({ headersSent, req }) => !headersSent && !req.complete)

/** How long a client that was refused may take to read it before its connection is cut, in milliseconds. */
const lingering = 1000

const refuse =
  (baseUrl: string | undefined) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    // A client that is gone, or one that waits for another answer first, cannot be told anything.
    if (error.code === "ECONNRESET" || !socket.writable || !isAwaited(socket)) {
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
    setTimeout(() => socket.destroy(), lingering).unref()
  }

/** A server that is not listening yet; `baseUrl` is the configured one. */
export const makeServer = (baseUrl?: string): Server => {
  const server = createServer({
    keepAliveTimeout: 65_000,
    // The largest file over a slow line. The edge bounds what else a body may take, and its pauses.
    requestTimeout: 3_600_000,
    headersTimeout: 20_000,
    // The edge sees to it, since Node's own refusal is no problem document.
    requireHostHeader: false,
    // Whoever offers to speak another protocol (Java's client offers h2c) is answered in this one.
    shouldUpgradeCallback: () => false
  })
  // Whoever takes nothing of an answer for so long, or sends nothing after one, is not there any more.
  server.setTimeout(120_000)
  server.on("clientError", refuse(baseUrl))
  server.on("request", ({ socket }, response) => {
    const answers = owed.get(socket) ?? new Set()
    owed.set(socket, answers.add(response))
    response.once("close", () => {
      answers.delete(response)
      // Told to stop, Node closes the connections that are idle then, and waits for clients to close the others.
      if (!server.listening && answers.size === 0) socket.end()
    })
  })
  // An expectation that we do not know is ignored, as RFC 9110 §10.1.1 permits.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}
