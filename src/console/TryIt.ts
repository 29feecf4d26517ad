/** What a program would send for what a form or a page does: a command of `curl`, and a call of the typed client (docs/client.md). */
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { curlOf, operationIdOf } from "../http/OpenApiOperations.ts"
import type { Json } from "../core/usecase/Input.ts"
import type { PageRequest } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { verbatim } from "./Parts.ts"
import { texts } from "./Texts.ts"

const words = texts({
  title: ["By a program", "Mit einem Programm"],
  hint: [
    "The same by the API. $TOKEN is a personal access token, or an access token of an OAuth client.",
    "Dasselbe über die API. $TOKEN ist ein persönliches Zugriffstoken oder das Zugriffstoken eines OAuth-Clients."
  ],
  curl: ["With curl", "Mit curl"],
  client: ["With the TypeScript client", "Mit dem TypeScript-Client"]
})

/** What a request of an endpoint says. */
export interface Said {
  /** The parameters of the path, by name. */
  readonly params?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string | number | undefined }
  readonly body?: Json
  /** The ETag that the resource must still have. */
  readonly ifMatch?: string
}

const plainName = /^[A-Za-z_$][\w$]*$/

/** A value as it is written in TypeScript. */
const literalOf = (value: unknown, indent = ""): string => {
  if (Array.isArray(value)) return `[${value.map((one) => literalOf(one, indent)).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) return "{}"
  const inner = `${indent}  `
  const lines = members.map(
    ([name, member]) => `${plainName.test(name) ? name : JSON.stringify(name)}: ${literalOf(member, inner)}`
  )
  const short = `{ ${lines.join(", ")} }`
  return short.length <= 72 && !short.includes("\n") ? short : `{\n${inner}${lines.join(`,\n${inner}`)}\n${indent}}`
}

const present = (query: NonNullable<Said["query"]>) =>
  Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== "")

/** The request of an endpoint as a command of `curl`. */
const curl = (
  endpoint: HttpApiEndpoint.Top,
  { body, ifMatch, params = {}, query = {} }: Said,
  baseUrl: string
): string => {
  const path = endpoint.path.replaceAll(/(?<=\/):(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? name))
  const asked = new URLSearchParams(
    present(query).map(([name, value]): [string, string] => [name, String(value)])
  ).toString()
  return curlOf({
    method: endpoint.method,
    url: `${baseUrl}${path}${asked === "" ? "" : `?${asked}`}`,
    headers: {
      Authorization: "Bearer $TOKEN",
      ...(ifMatch === undefined ? {} : { "If-Match": ifMatch }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" })
    },
    ...(body === undefined ? {} : { json: body })
  })
}

/** The same as a call of the typed client. */
const call = (operation: string, { body, ifMatch, params = {}, query = {} }: Said): string => {
  const argument = {
    ...(Object.keys(params).length === 0 ? {} : { path: params }),
    ...(present(query).length === 0 ? {} : { query: Object.fromEntries(present(query)) }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(body === undefined ? {} : { body })
  }
  return `await client.${operation}(${Object.keys(argument).length === 0 ? "" : literalOf(argument)})`
}

/**
 * What a program would send to an endpoint of a contract, such as `tryIt(page, webhooks, webhooks.endpoints.create, { body })`: folded, below
 * the form that does the same.
 */
export const tryIt = (
  { reader, visit }: Pick<PageRequest, "reader" | "visit">,
  group: HttpApiGroup.Constraint,
  endpoint: HttpApiEndpoint.Top,
  said: Said = {}
): Html => {
  const t = words[reader.language]
  return html`<details class="code">
    <summary>${t.title}</summary>
    <div class="stack">
      <p class="hint">${t.hint}</p>
      ${verbatim(t.curl, curl(endpoint, said, visit.baseUrl))}
      ${verbatim(t.client, call(operationIdOf(group, endpoint), said))}
    </div>
  </details>`
}
