/**
 * Calls of tools that have nothing unusual, which are most: they are answered with the bytes that the SDK of the protocol would answer, and
 * without it. Of any other request the SDK may have something to refuse, in its own words (Protocol.ts).
 */
import { Predicate } from "effect"
import type { Json } from "../core/usecase/Input.ts"
import { version } from "../platform/version.ts"
import type { CallResult } from "./Toolbox.ts"

/** What the server says of itself. */
export const serverInfo = { name: "property-network", title: "Property Network", version }

/** Members of `_meta`, as the SDK names them. */
export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  serverInfo: "io.modelcontextprotocol/serverInfo"
} as const

/** The versions of the protocol that begin with a handshake. */
export const legacyVersions: ReadonlyArray<string> = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07"
]

/** The version that has all that is needed in each request. */
export const newest = "2026-07-28"

/** The protocol that a call is of: with a handshake (`legacy`), or with all that is needed in each request (`modern`). */
export type Era = "legacy" | "modern"

/** A call that has nothing unusual. */
export interface PlainCall {
  readonly id: string | number
  readonly args: Json
  readonly era: Era
}

type Members = { readonly [member: string]: unknown }

const isObject = (value: unknown): value is Members => Predicate.isObject(value) && !Array.isArray(value)

const hasOnly = (value: Members, names: ReadonlyArray<string>) =>
  Object.keys(value).every((name) => names.includes(name))

const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0

// A comma may begin a second value.
const json = /^application\/json *(?:;[^,]*)?$/i

const isId = (value: unknown) => typeof value === "string" || Number.isSafeInteger(value)

const capabilities = ["elicitation", "roots", "sampling"]

/** Whether a client says of itself what most say: its name, and what it can do without further detail. */
const isUsualClient = (meta: Members): boolean => {
  const { [metaKeys.clientCapabilities]: able, [metaKeys.clientInfo]: info } = meta
  return (
    hasOnly(meta, [metaKeys.protocolVersion, metaKeys.clientCapabilities, metaKeys.clientInfo]) &&
    isObject(able) &&
    hasOnly(able, capabilities) &&
    Object.values(able).every(isEmpty) &&
    (info === undefined ||
      (isObject(info) &&
        hasOnly(info, ["name", "title", "version"]) &&
        typeof info["name"] === "string" &&
        typeof info["version"] === "string" &&
        (info["title"] === undefined || typeof info["title"] === "string")))
  )
}

const isUsualMeta = (meta: unknown): boolean =>
  meta === undefined || (isObject(meta) && hasOnly(meta, ["progressToken"]) && isId(meta["progressToken"] ?? ""))

/**
 * The call in a request; undefined for any other request. As for the SDK, a request is of the newest protocol if it names one in its
 * `_meta`. To ask the SDK would validate the message by its schemas, twice: 15 µs.
 */
export const plainCall = (
  body: Json,
  headers: { readonly [name: string]: string | undefined }
): PlainCall | undefined => {
  if (!isObject(body) || body["method"] !== "tools/call" || body["jsonrpc"] !== "2.0") return
  if (!hasOnly(body, ["jsonrpc", "id", "method", "params"])) return
  const { id, params } = body
  if (!isObject(params) || !hasOnly(params, ["name", "arguments", "_meta"]) || !isId(id)) return
  const { _meta: meta, arguments: args = {}, name } = params
  if (typeof name !== "string" || !isObject(args) || !json.test(headers["content-type"] ?? "")) return
  const version = headers["mcp-protocol-version"]
  const call = { id: id as PlainCall["id"], args: args as Json }
  if (!isObject(meta) || !(metaKeys.protocolVersion in meta)) {
    const isKnown = version === undefined || legacyVersions.includes(version)
    return isKnown && isUsualMeta(meta) ? { ...call, era: "legacy" } : undefined
  }
  const isOfNewest = version === newest && meta[metaKeys.protocolVersion] === newest
  const isNamed = headers["mcp-method"] === "tools/call" && headers["mcp-name"] === name
  return isOfNewest && isNamed && isUsualClient(meta) ? { ...call, era: "modern" } : undefined
}

const ending = {
  legacy: "",
  modern: `,"resultType":"complete","_meta":${JSON.stringify({ [metaKeys.serverInfo]: serverInfo })}`
} as const

/** The message that answers a call. The text of a result is its members as JSON. */
export const answerTo = ({ era, id }: PlainCall, { isError, text }: CallResult): string =>
  `{"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"isError":${isError}${ending[era]}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
