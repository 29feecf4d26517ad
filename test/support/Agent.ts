/** An agent that calls tools over HTTP, as a client of the newest protocol does. */
import { Effect } from "effect"
import { TestService } from "./TestService.ts"

/** The protocol version that has no handshake. */
const protocol = "2026-07-28"

/** The members of answers that tests look at. */
export interface Answer {
  readonly [member: string]: unknown
  readonly id: string
  readonly etag: string
  readonly nextCursor?: string | null
  readonly error: {
    readonly code: string
    readonly detail: string
    readonly hint?: string
    readonly errors?: ReadonlyArray<{ readonly argument: string; readonly code: string; readonly detail: string }>
    readonly candidates?: ReadonlyArray<{ readonly id: string }>
    readonly currentEtag?: string | null
    readonly requestId: string
  }
  readonly preview?: {
    readonly events: ReadonlyArray<string>
    readonly affected: ReadonlyArray<{ readonly type: string; readonly id: string; readonly change: string }>
    readonly affectedCount: number
  }
  readonly untrusted?: { readonly members: ReadonlyArray<string> }
}

interface Replied {
  readonly result?: {
    readonly isError?: boolean
    readonly structuredContent: Answer
    readonly content: readonly [{ readonly text: string }]
    readonly tools: ReadonlyArray<{ readonly name: string }>
  }
  readonly error?: { readonly code: number; readonly message: string }
  readonly code?: string
}

/** What a call answers. */
export interface Called {
  readonly isError: boolean
  readonly structured: Answer
  readonly text: string
}

/** A request of the protocol, as a client sends it. */
export const message = (method: string, params: Record<string, unknown> = {}) => ({
  json: {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": protocol,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {}
      }
    }
  },
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": protocol,
    "mcp-method": method,
    ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {})
  }
})

/** An agent with a token; `path` has the choice of tools. */
export const make = (token: string, path = "/mcp") =>
  Effect.map(TestService, ({ request }) => {
    const send = (method: string, params?: Record<string, unknown>) =>
      request<Replied>("POST", path, { token, ...message(method, params) })
    const call = (name: string, args: Record<string, unknown> = {}): Effect.Effect<Called> =>
      Effect.map(send("tools/call", { name, arguments: args }), ({ body, text }) => {
        const { result } = body
        if (result === undefined) throw new Error(`${name} failed: ${text}`)
        return { isError: result.isError === true, structured: result.structuredContent, text: result.content[0].text }
      })
    return { send, call }
  })
