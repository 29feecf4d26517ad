/**
 * `/docs`: the API reference, rendered by OpenAPI Explorer in the look of the console. It works without the internet. The script and the
 * document that it renders have addresses that change with their content, so that a browser loads them once. That document is the OpenAPI
 * document without what would only slow the page down, which takes a moment for each member of each object; programs read the whole one
 * at `/openapi.json`.
 */
import * as StaticContent from "./StaticContent.ts"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRespondable } from "effect/http"
import { type Document, isObject, mapValues } from "./OpenApiSpec.ts"
import { pageHeaders } from "./StaticContent.ts"
import { inTurn } from "../core/usecase/EventLoop.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"

/** Text as HTML. */
export const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Text as HTML, with code between backticks. */
export const code = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

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

const manyEvents = /(?:`[a-z_]+\.[a-z_]+`, ){20,}`[a-z_]+\.[a-z_]+`/g

/**
 * A schema without the examples of its members, in as few parts as possible: operations have examples of whole bodies. The types of events
 * are not repeated in each place.
 */
export const simplified = (schema: unknown): unknown => {
  if (typeof schema === "string") return schema.replaceAll(manyEvents, "the types of events that Webhooks lists")
  if (Array.isArray(schema)) return schema.map(simplified)
  if (!isObject(schema)) return schema
  const { examples, ...others } = schema
  // A member of this name is no example.
  const kept = Array.isArray(examples) || examples === undefined ? others : schema
  const parts = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, simplified(value)]))
  return withNull(withConditions(parts))
}

/** The refusals that every operation shares, or every one with input, with a body, or for some callers: the introduction names them once. */
const everywhere = ["400", "401", "403", "413", "415", "429", "500", "503"]

/** The headers that every answer has, or the answer to every write: the introduction tells of them. */
const headersEverywhere = ["x-request-id", "x-consistency-token", "ratelimit", "ratelimit-policy"]

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

/** The most examples of one body that the page shows. */
const maxExamples = 40

/** A value with at most so many examples of each body. */
const withFewExamples = (value: unknown): unknown => {
  if (Array.isArray(value) || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "examples" && isObject(member) && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).slice(0, maxExamples))
        : withFewExamples(member)
    ])
  )
}

const note = `

## This page

It leaves out what every operation can answer that needs a token, a capability or input: ${everywhere.join(", ")}, of which [all problems](/help) tells, and the headers of every answer, or of that to every write: ${headersEverywhere.map((name) => `\`${name}\``).join(", ")}. The [OpenAPI document](/openapi.json) has every answer of every operation.`

/** The document of the page for the API of `document`. */
const shownOf = (document: Document): object => ({
  ...document,
  info: { ...document.info, description: `${document.info.description ?? ""}${note}` },
  paths: mapValues(document.paths, (item) => mapValues(item, shortened)),
  webhooks: withFewExamples(document.webhooks),
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
  "primary-color": "#2447c8"
}

// The element computes with these, so that they cannot be `light-dark()`.
const ofDark =
  "--purple: #c3a5f5; --red: #ff9d95; --orange: #f5b27a; --yellow: #f2c56b; --green: #7fd6a4; --blue: #8ec4f7; --gray: #a3aec2;"

/**
 * The colours of the element are those of the console: declarations of the page win over those that the element makes of its attributes,
 * which know one theme alone.
 */
const colours = `openapi-explorer {
  --font-regular: Inter, "Segoe UI Variable Text", system-ui, -apple-system, sans-serif;
  --font-mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, monospace;
  --font-size-small: 14px; --font-size-regular: 15px; --font-size-mono: 13px; --border-radius: .4rem;
  --bg: var(--paper); --bg2: var(--sunken); --bg3: var(--sunken); --light-bg: var(--sunken); --input-bg: var(--raised);
  --fg: var(--ink); --fg2: var(--ink); --fg3: var(--soft); --light-fg: var(--soft); --placeholder-color: var(--soft);
  --border-color: var(--line); --light-border-color: var(--line); --code-border-color: var(--line); --hover-color: var(--accent-soft);
  --selection-bg: var(--accent); --selection-fg: var(--accent-ink);
  --header-bg: var(--paper); --header-fg: var(--ink); --header-color-darker: var(--sunken); --header-color-border: var(--line);
  --nav-bg-color: var(--ground); --nav-text-color: var(--soft); --nav-hover-bg-color: var(--accent-soft);
  --nav-hover-text-color: var(--accent); --nav-hover-scrollbar-color: var(--edge);
  --code-fg: var(--ink); --inline-code-fg: light-dark(#8a2f1c, #f0a58f); --code-property-color: light-dark(#8a1f5c, #f2a0cf);
  --code-keyword-color: light-dark(#0b5a85, #86c9f2); --code-operator-color: light-dark(#7c5200, #f2c56b);
  --primary-color: var(--accent); --secondary-color: var(--accent); --primary-btn-text-color: var(--accent-ink);
  --purple: #6f42c1; --red: #b3211b; --orange: #a14d00; --yellow: #7c5200; --green: #17683c; --blue: #1b5fa8; --gray: #566176;
  --light-purple: light-dark(#f1ecfa, #2c2144); --light-red: var(--bad-soft); --light-orange: light-dark(#fdf0e3, #38240f);
  --light-yellow: var(--warn-soft); --light-green: var(--good-soft); --light-blue: light-dark(#e8f1fb, #152a42);
  --light-gray: var(--sunken);
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) openapi-explorer { ${ofDark} }
}
:root[data-theme="dark"] openapi-explorer { ${ofDark} }
/* Its own colours make the text of a filled button that of its ground under the pointer and in focus. */
openapi-explorer::part(btn-fill):hover, openapi-explorer::part(btn-fill):focus-visible { color: var(--accent-ink); outline-offset: 2px; }
openapi-explorer::part(btn-fill):focus-visible { outline: 2px solid var(--accent); }
.reference { display: block; }
.reference > header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: .6rem 1rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.reference > header nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.reference > header form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-left: auto; }
.reference > header select { width: auto; min-height: 1.75rem; }
.reference .brand { display: inline-flex; gap: .5rem; align-items: center; font-weight: 600; color: inherit; text-decoration: none; }
#contents { max-width: 48rem; margin: 1rem auto; padding: 0 1rem; }`

/** Makes the browser refuse what the settings do not turn off: the page contacts no host but this one. */
const headers = pageHeaders([
  "script-src 'self'",
  // The script adds its styles to the page.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'"
])

/** The script of the page, complete in one file. */
const readScript = Effect.promise(() =>
  readFile(createRequire(import.meta.url).resolve("openapi-explorer/dist/browser/openapi-explorer.min.js"), "utf8")
)

const pathOf = (name: string, type: "js" | "json", content: string): `/${string}` =>
  `/docs/${name}-${createHash("sha256").update(content).digest("hex").slice(0, 16)}.${type}`

/** The style sheet of the console, and the script with which who is signed in tries operations: their addresses. */
export interface ConsoleAssets {
  readonly style: string
  readonly script: string
}

/** Browsers show the contents of the slot until the script has rendered the document. */
const referencePage = (
  document: Document,
  paths: { readonly document: string; readonly script: string },
  assets: ConsoleAssets
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${assets.style}">
<style>${colours}</style>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="${paths.document}" as="fetch" crossorigin>
<script src="${paths.script}" defer></script>
<script src="${assets.script}" defer></script>
</head>
<body class="reference">
<header>
<a class="brand" href="/console"><img src="/favicon.svg" alt="" width="24" height="24">Property Network</a>
<nav aria-label="Documentation"><a href="/docs" aria-current="page">API reference</a><a href="/help">Problems</a><a href="/openapi.json">OpenAPI document</a></nav>
<form id="try" class="row" aria-label="Try operations" hidden></form>
</header>
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

const describeReference = (document: Document, rendered: string, script: string, assets: ConsoleAssets) => {
  const paths = {
    document: pathOf("document", "json", rendered),
    script: pathOf("openapi-explorer", "js", script)
  } as const
  return {
    page: StaticContent.make(referencePage(document, paths, assets), {
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
export const layer = (
  document: Effect.Effect<Document>,
  assets: ConsoleAssets
): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const described = yield* Effect.cached(
        Effect.gen(function* () {
          const [whole, script] = yield* Effect.all([document, readScript])
          const shown = yield* inTurn(Effect.sync(() => shownOf(whole)))
          const rendered = yield* inTurn(Effect.sync(() => JSON.stringify(shown)))
          return yield* inTurn(Effect.sync(() => describeReference(whole, rendered, script, assets)))
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
