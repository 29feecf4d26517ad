/**
 * `/docs`: the API reference, rendered by the Scalar script that effect bundles. It works without the internet. The script has
 * an address of its own that changes with its content, so that a browser loads it once; the page reads `/openapi.json`.
 */
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { code, escapeHtml } from "./Help.ts"
import type { Document } from "./OpenApiSpec.ts"
import * as StaticContent from "./StaticContent.ts"

/** Scalar's settings: https://github.com/scalar/scalar/blob/main/documentation/configuration.md */
const settings = {
  url: "/openapi.json",
  _integration: "html",
  // Without a `proxyUrl`, test requests go straight from the browser to the service.
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  // Scalar 1.43, which effect bundles, has no assistant. Later versions show one by default.
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  // A browser needs seconds to render all operations at once.
  defaultOpenAllTags: false,
  hideModels: true,
  authentication: { preferredSecurityScheme: "bearer" }
}

/** Makes the browser refuse what the settings do not turn off: the page contacts no host but this one. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar adds its styles to the page.
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The source of Scalar's script. Effect serves it only within a page, together with the document. */
const readScalar = Effect.promise(async () => {
  const entry = createRequire(import.meta.url).resolve("effect/http-api")
  const file = new URL("./internal/httpApiScalar.js", pathToFileURL(entry))
  const module = (await import(file.href)) as { readonly javascript: string }
  return module.javascript
})

const start = `Scalar.createApiReference("#reference", ${JSON.stringify(settings)})`

const pathOf = (name: string, content: string): `/${string}` =>
  `/docs/${name}-${createHash("sha256").update(content).digest("hex").slice(0, 16)}.js`

/** Browsers show the contents of `#reference` until Scalar has replaced it, which takes a second or two. */
const page = (document: Document, scripts: ReadonlyArray<string>) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:0}#reference>h1,#reference>p,#reference>dl{max-width:48rem;margin:1rem auto;padding:0 1rem}</style>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/openapi.json" as="fetch" crossorigin>
${scripts.map((script) => `<script src="${script}" defer></script>`).join("\n")}
</head>
<body>
<div id="reference">
<h1>${escapeHtml(document.info.title)}</h1>
<p><a href="/openapi.json">OpenAPI document</a> · <a href="/help">Problems</a></p>
<dl>
${document.tags.map(({ description, name }) => `<dt>${escapeHtml(name)}</dt><dd>${code(description ?? "")}</dd>`).join("\n")}
</dl>
</div>
</body>
</html>
`

const immutable = { contentType: "text/javascript; charset=utf-8", cacheControl: "public, max-age=31536000, immutable" }

/** Serves the reference of the API of `document`, which `/openapi.json` answers. */
export const layer = (document: Document): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const scripts = [
        { content: yield* readScalar, name: "scalar" },
        { content: start, name: "start" }
      ].map(({ content, name }) => ({ content, path: pathOf(name, content) }))
      for (const { content, path } of scripts) yield* router.add("GET", path, StaticContent.make(content, immutable))
      const html = page(
        document,
        scripts.map(({ path }) => path)
      )
      yield* router.add(
        "GET",
        "/docs",
        StaticContent.make(html, {
          contentType: "text/html; charset=utf-8",
          headers: { "content-security-policy": contentSecurityPolicy }
        })
      )
    })
  )
