/** The endpoint of the Model Context Protocol, `POST /mcp` (docs/behaviour/mcp.md#the-endpoint). */
import * as Body from "../http/Body.ts"
import * as PlainCalls from "./PlainCalls.ts"
import * as Protocol from "./Protocol.ts"
import { Effect, Predicate, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiError } from "effect/http-api"
import { BaseUrl } from "../platform/Config.ts"
import {
  admitting,
  appScopes,
  type Audience,
  Authorization,
  choiceIn,
  isReadOnly,
  requireScope
} from "../http/Authorization.ts"
import { AllowedOrigins, ofAgents } from "../http/Edge.ts"
import { RequestState } from "../http/RequestState.ts"
import type { Json } from "../core/usecase/Input.ts"
import { declare, members } from "../core/usecase/Problem.ts"
import { call, choiceOf, isOffered, listed, type ListedTool, Toolbox } from "./Toolbox.ts"
import type { Tool } from "./Tool.ts"

/** The path of the endpoint. */
export const path = "/mcp"

/** Its path as clients write it. */
export const paths = [path, `${path}/`] as const

/** 403: a web page of another origin sent the request. Guards local installations against DNS rebinding. */
export class OriginNotAllowed extends HttpApiError.Problem<OriginNotAllowed>()(
  "OriginNotAllowed",
  declare("origin_not_allowed", 403, "Pages of this origin may not call the endpoint."),
  members("origin_not_allowed")
) {}

const isOriginAllowed = (origin: string | undefined, baseUrl: string, others: ReadonlyArray<string>): boolean =>
  origin === undefined || origin === new URL(baseUrl).origin || others.includes(origin)

// Enough for the longest outline of a place, 5,000 positions with altitudes. The protocol's library takes long for members of objects:
// 20,000 hold the process for 50 to 120 ms, as many values of arrays for 8. No call needs nearly as many members.
const most = { values: 21_000, members: 1_000 }

const decodeCredential = HttpApiBuilder.securityDecode(Authorization.security.bearer)

// A batch would run many calls in a request that the rate limit counts once.
const batchRefused = HttpServerResponse.jsonUnsafe(
  {
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_600, message: "Send one message a request: batches are not supported." }
  },
  { status: 400 }
)

const withoutNulls = (value: object): { readonly [member: string]: Json } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))

const hasNull = (value: object): boolean => Object.values(value).includes(null)

/** A request without the parameters that are null, which say nothing: clients and models send them for tools that need no arguments. */
const withoutNullParams = (message: Json): Json => {
  if (!Predicate.hasProperty(message, "params")) return message
  const { params, ...rest } = message as { readonly [member: string]: Json }
  if (params === null) return rest
  const isCleared = Predicate.isObject(params) && !Array.isArray(params) && hasNull(params)
  return isCleared ? { ...rest, params: withoutNulls(params) } : message
}

/** The name of the tool that a message calls. */
const calledTool = (message: Json): string | undefined =>
  Predicate.hasProperty(message, "method") &&
  message.method === "tools/call" &&
  Predicate.hasProperty(message, "params") &&
  Predicate.hasProperty(message.params, "name")
    ? String(message.params.name)
    : undefined

/** The media ranges of an `Accept` header (RFC 9110 §12.5.1); a blank one is as none. */
const rangesOf = (accept: string | undefined) =>
  (accept?.trim() || "*/*").split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return { name, isRefused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) }
  })

/** Whether they let through a media type. Of several that match, the narrowest counts. */
const accepts = (ranges: ReturnType<typeof rangesOf>, type: string): boolean => {
  const narrowest = [type, `${type.split("/", 1)[0]}/*`, "*/*"].flatMap(
    (wanted) => ranges.find(({ name }) => name === wanted) ?? []
  )[0]
  return narrowest !== undefined && !narrowest.isRefused
}

const json = "application/json"
const eventStream = "text/event-stream"

/** Forms of an answer that a client takes. */
interface Forms {
  readonly acceptsJson: boolean
  readonly acceptsStream: boolean
}

const bothForms: Forms = { acceptsJson: true, acceptsStream: true }

// What the protocol asks clients to send, and the SDK wants.
const acceptOfBoth = `${json}, ${eventStream}`

/** In which form a client gets an answer: it is one message, so that both forms say the same. */
const formFor = (accept: string | undefined): Forms => {
  if (accept === acceptOfBoth) return bothForms
  const ranges = rangesOf(accept)
  const [acceptsJson, takesStream] = [accepts(ranges, json), accepts(ranges, eventStream)]
  // Who takes anything gets JSON, which every program can read.
  const asksForStream = takesStream && /\btext\/(?:event-stream|\*)/i.test(accept ?? "")
  return { acceptsJson, acceptsStream: asksForStream || (!acceptsJson && takesStream) }
}

/**
 * The body of a response as text. The tools of a process never change, so a stream of such changes has nothing to send: it ends after its
 * acknowledgement, and holds no connection open.
 */
const textOf = async (response: Response, isSubscription: boolean): Promise<string> => {
  if (!isSubscription || response.body === null) return await response.text()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return value ?? ""
}

const respond = (response: Response, isSubscription: boolean, accept: string | undefined) =>
  Effect.map(
    Effect.promise(() => textOf(response, isSubscription)),
    (text) => {
      const { status } = response
      const headers = Object.fromEntries(response.headers)
      if (text === "") return HttpServerResponse.empty({ status, headers })
      const contentType = response.headers.get("content-type") ?? json
      const { acceptsJson, acceptsStream } = formFor(accept)
      if (contentType === eventStream && !acceptsStream && !isSubscription) {
        const [, message] = /^data: ?(.*)$/m.exec(text) ?? []
        return HttpServerResponse.text(message ?? text, { status, contentType: json })
      }
      if (contentType.startsWith(json) && !acceptsJson && acceptsStream && status === 200) {
        return HttpServerResponse.text(`event: message\ndata: ${text}\n\n`, { status, contentType: eventStream })
      }
      return HttpServerResponse.text(text, { status, headers, contentType })
    }
  )

// Of an event stream, as the SDK has them.
const streaming = { "cache-control": "no-cache, no-transform", connection: "keep-alive", "x-accel-buffering": "no" }

/** The answer to a call, in the form that its client accepts. Clients of the older protocol get a stream where they take one. */
const callAnswered = (text: string, era: PlainCalls.Era, { acceptsJson, acceptsStream }: Forms) => {
  if (acceptsJson && (era === "modern" || !acceptsStream)) return HttpServerResponse.text(text, { contentType: json })
  return HttpServerResponse.text(`event: message\ndata: ${text}\n\n`, {
    contentType: eventStream,
    ...(era === "legacy" ? { headers: streaming } : {})
  })
}

/** The endpoint. It needs a router and the tools. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const baseUrl = yield* BaseUrl
    const allowedOrigins = ofAgents(yield* AllowedOrigins)
    const admit = yield* admitting
    const { tools } = yield* Toolbox
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    const listing = new Map<Tool, ListedTool>()
    // Made when it is first asked for: a start does without it.
    const listedOnce = (tool: Tool): ListedTool => {
      const made = listing.get(tool) ?? listed(tool)
      listing.set(tool, made)
      return made
    }
    const protocol = yield* Effect.cached(Protocol.make)
    const audienceOf = ({ href, pathname, searchParams }: URL): Audience => ({
      acceptsMcpTokens: true,
      parameters: [`resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${pathname}${choiceIn(href)}"`],
      scopes: appScopes(isReadOnly(searchParams))
    })

    // Of the address with nothing after it, which nearly all clients have.
    const usual = { audience: audienceOf(new URL(path, baseUrl)), chosen: choiceOf(new URLSearchParams()) }
    const decided = (url: string) => {
      if (url === path) return usual
      const called = new URL(url, baseUrl)
      return { audience: audienceOf(called), chosen: choiceOf(called.searchParams) }
    }

    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const state = yield* RequestState
      const { headers, url } = request
      if (!isOriginAllowed(headers["origin"], baseUrl, allowedOrigins)) {
        return yield* new OriginNotAllowed({
          detail: "The operator must add the origin to ALLOWED_ORIGINS. Programs that are no pages send no Origin."
        })
      }
      const credential = yield* decodeCredential
      const { audience, chosen } = decided(url)
      const actor = yield* admit(Redacted.value(credential), audience)
      yield* requireScope(actor, "read", audience)
      const choice = yield* Effect.fromResult(chosen)
      const body = yield* Body.read(request, { optional: false, most })
      if (Array.isArray(body.sent)) return batchRefused
      const sent = withoutNullParams(body.sent)

      const name = calledTool(sent)
      const tool = name === undefined ? undefined : byName.get(name)
      if (tool !== undefined) {
        state.tool = tool.name
        if (tool.kind !== "read") yield* requireScope(actor, "write", audience)
      }
      const isOpen = (tool: Tool) => isOffered(tool, actor.scopes, choice)
      const form = formFor(headers["accept"])
      const isAcceptable = form.acceptsJson || form.acceptsStream
      if (isAcceptable && tool !== undefined && isOpen(tool)) {
        const plain = PlainCalls.plainCall(sent, headers)
        if (plain !== undefined) {
          const result = yield* call(tool, plain.args, actor, state.id)
          return callAnswered(PlainCalls.answerTo(plain, result), plain.era, form)
        }
      }
      const services = yield* Effect.context<never>()
      const session: Protocol.Session = {
        list: () => tools.filter(isOpen).map(listedOnce),
        call: (toolName, args) => {
          const tool = byName.get(toolName)
          return tool !== undefined && isOpen(tool)
            ? Effect.runPromiseWith(services)(call(tool, args, actor, state.id))
            : undefined
        }
      }
      const accept = isAcceptable ? acceptOfBoth : "none"
      const fetch = yield* protocol
      const response = yield* fetch(
        new Request(`${baseUrl}${path}`, { method: "POST", headers: { ...headers, accept } }),
        sent,
        session
      )
      const isSubscription = Predicate.hasProperty(sent, "method") && sent.method === "subscriptions/listen"
      return yield* respond(response, isSubscription, headers["accept"])
    })
    for (const one of paths) yield* router.add("POST", one, answer)
  })
)
