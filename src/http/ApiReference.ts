/**
 * `/docs`: the API reference, rendered by OpenAPI Explorer. It works without the internet. The script and the document that it
 * renders have addresses that change with their content, so that a browser loads them once. That document is the OpenAPI document without
 * what would only slow the page down, which takes a moment for each member of each object; programs read the whole one at `/openapi.json`.
 */
import { isObject, type Document, mapValues } from "./OpenApiSpec.ts"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRespondable } from "effect/http"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { code, escapeHtml } from "./Help.ts"
import * as StaticContent from "./StaticContent.ts"
import { pageHeaders } from "./StaticContent.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { inTurn } from "../core/usecase/Turns.ts"

const isNull = (schema: unknown): boolean =>
  isObject(schema) && schema["type"] === "null" && Object.keys(schema).length === 1

const isDisjoint = (one: object, other: object): boolean => Object.keys(one).every((key) => !(key in other))

/** `anyOf` of a schema with a type and of null is that schema with two types. */
const withNull = (schema: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing]: ReadonlyArray<unknown> = anyOf
  return isNull(nothing) &&
    isObject(value) &&
    typeof value["type"] === "string" &&
    !("enum" in value) &&
    isDisjoint(value, others)
    ? { ...value, type: [value["type"], "null"], ...others }
    : schema
}

/** Conditions in `allOf` stand as well beside the type, unless one is there. */
const withConditions = (schema: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } => {
  const { allOf, ...others } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema
  const [conditions]: ReadonlyArray<unknown> = allOf
  return isObject(conditions) && !("$ref" in conditions) && isDisjoint(conditions, others)
    ? { ...others, ...conditions }
    : schema
}

/** A schema without the examples of its members, in as few parts as possible: operations have examples of whole bodies. */
export const simplified = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(simplified)
  if (!isObject(schema)) return schema
  const { examples, ...others } = schema
  // A member of this name is no example.
  const kept = Array.isArray(examples) || examples === undefined ? others : schema
  const parts = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, simplified(value)]))
  return withNull(withConditions(parts))
}

/** The refusals that every operation shares: the introduction names them once. */
const everywhere = ["401", "429", "500", "503"]

/** The headers that every answer has: the introduction tells of them. */
const headersEverywhere = ["x-request-id", "ratelimit", "ratelimit-policy"]

const isShared = (response: unknown): boolean => isObject(response) && "$ref" in response

/** A response without the headers that every answer has. */
const withoutHeaders = (response: unknown): unknown => {
  if (!isObject(response) || !isObject(response["headers"])) return response
  const { headers, ...others } = response
  const own = Object.entries(headers).filter(([name]) => !headersEverywhere.includes(name))
  return own.length === 0 ? others : { ...others, headers: Object.fromEntries(own) }
}

/** An operation without the shared refusals, and with its samples under the name that the page reads. */
const shortened = (operation: object): object => {
  const { "x-codeSamples": samples, responses, ...others } = operation as Readonly<Record<string, unknown>>
  return {
    ...others,
    ...(samples === undefined ? {} : { "x-code-samples": samples }),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {})
        .filter(([status, response]) => !(everywhere.includes(status) && isShared(response)))
        .map(([status, response]) => [status, withoutHeaders(response)])
    )
  }
}

const note = `

## This page

It leaves out what every operation can answer: ${everywhere.join(", ")}, of which [all problems](/help) tells, and the headers of every answer: ${headersEverywhere.map((name) => `\`${name}\``).join(", ")}. The [OpenAPI document](/openapi.json) has every answer of every operation.`

/** The document of the page for the API of `document`. */
const shownOf = (document: Document): object => ({
  ...document,
  info: { ...document.info, description: `${document.info.description ?? ""}${note}` },
  paths: mapValues(document.paths, (item) => mapValues(item, shortened)),
  components: {
    ...document.components,
    schemas: mapValues(document.components.schemas, simplified),
    responses: mapValues(document.components.responses, withoutHeaders)
  }
})

/** The attributes of the element: https://github.com/Authress-Engineering/openapi-explorer */
const settings = {
  // Each group lists its operations when it is opened.
  collapse: "true",
  "hide-components": "true",
  // There is one server, this one.
  "hide-server-selection": "true",
  "default-schema-tab": "body",
  "primary-color": "#0b4a8c",
  "nav-text-color": "#ffffff"
}

/** Makes the browser refuse what the settings do not turn off: the page contacts no host but this one. */
const headers = pageHeaders([
  "script-src 'self'",
  // The script adds its styles to the page.
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'"
])

/** The script of the page, complete in one file. */
const readScript = Effect.promise(() =>
  readFile(createRequire(import.meta.url).resolve("openapi-explorer/dist/browser/openapi-explorer.min.js"), "utf8")
)

const pathOf = (name: string, type: "js" | "json", content: string): `/${string}` =>
  `/docs/${name}-${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${type}`

/** Browsers show the contents of the slot until the script has rendered the document. */
const page = (document: Document, paths: { readonly document: string; readonly script: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0}openapi-explorer{--font-regular:system-ui,sans-serif;--font-mono:ui-monospace,monospace}#contents{max-width:48rem;margin:1rem auto;padding:0 1rem}</style>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${paths.document}" as="fetch" crossorigin>
<script src="${paths.script}" defer></script>
</head>
<body>
<openapi-explorer spec-url="${paths.document}" ${Object.entries(settings)
  .map(([name, value]) => `${name}="${value}"`)
  .join(" ")}>
<div slot="loader" id="contents">
<h1>${escapeHtml(document.info.title)}</h1>
<p><a href="/openapi.json">OpenAPI document</a> · <a href="/help">Problems</a></p>
<dl>
${document.tags.map(({ description, name }) => `<dt>${escapeHtml(name)}</dt><dd>${code(description?.split("\n")[0] ?? "")}</dd>`).join("\n")}
</dl>
</div>
</openapi-explorer>
</body>
</html>
`

const cacheControl = "public, max-age=31536000, immutable"

const describe = (document: Document, rendered: string, script: string) => {
  const paths = {
    document: pathOf("document", "json", rendered),
    script: pathOf("openapi-explorer", "js", script)
  } as const
  return {
    page: StaticContent.make(page(document, paths), {
      contentType: "text/html; charset=utf-8",
      headers
    }),
    files: new Map([
      [paths.script, StaticContent.make(script, { contentType: "text/javascript; charset=utf-8", cacheControl })],
      [paths.document, StaticContent.make(rendered, { contentType: "application/json", cacheControl })]
    ])
  }
}

/** Serves the reference of the API of `document`, which `/openapi.json` answers; made when it is first asked for. */
export const layer = (document: Effect.Effect<Document>): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const described = yield* Effect.cached(
        Effect.gen(function* () {
          const [whole, script] = yield* Effect.all([document, readScript])
          const shown = yield* inTurn(Effect.sync(() => shownOf(whole)))
          const rendered = yield* inTurn(Effect.sync(() => JSON.stringify(shown)))
          return yield* inTurn(Effect.sync(() => describe(whole, rendered, script)))
        })
      )
      yield* router.add(
        "GET",
        "/docs",
        Effect.flatMap(described, (reference) => reference.page)
      )
      yield* router.add(
        "GET",
        "/docs/:file",
        Effect.gen(function* () {
          const path = `/docs/${(yield* HttpRouter.params)["file"]}` as const
          const file = (yield* described).files.get(path)
          return file === undefined
            ? yield* HttpServerRespondable.toResponse(new NotFound({ detail: `There is nothing at ${path}.` }))
            : yield* file
        })
      )
    })
  )
