/**
 * `/docs`: the API reference, rendered by OpenAPI Explorer. It works without the internet. The script and the document that it
 * renders have addresses that change with their content, so that a browser loads them once.
 */
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRespondable } from "effect/http"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import * as ApiReferenceDocument from "./ApiReferenceDocument.ts"
import { code, escapeHtml } from "./Help.ts"
import type { Document } from "./OpenApiSpec.ts"
import * as StaticContent from "./StaticContent.ts"
import { pageHeaders } from "./StaticContent.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { inTurn } from "../core/usecase/Turns.ts"

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
          const shown = yield* inTurn(Effect.sync(() => ApiReferenceDocument.make(whole)))
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
