/** The pages of the documentation: the API reference and the explanations of problems. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../support/TestService.ts"

/** The page without the text of its scripts. */
const markupOf = (html: string) => html.replaceAll(/(<script\b[^>]*>)[\s\S]*?(<\/script>)/g, "$1$2")

/** The settings that the page passes to Scalar, without the document. */
const settingsOf = (html: string): Record<string, unknown> => {
  const [, json = ""] = /createApiReference\([^{]*\{\s*\.\.\.(\{.*\}),\s*content:/.exec(html) ?? []
  return JSON.parse(json)
}

layer(TestService.layer, { excludeTestServices: true })("The API reference", (it) => {
  it.effect("is one page that names no other host outside of the document and Scalar's script", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { headers, status, text } = yield* request("GET", "/docs")
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/html"])
      assert.notMatch(markupOf(text), /\/\//)
      assert.notMatch(markupOf(text), /\b(?:src|srcset|href|poster)\s*=|@import/i)
      assert.notInclude(JSON.stringify(settingsOf(text)), "//")
    })
  )

  it.effect("forbids the browser to contact any other host", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { headers } = yield* request("GET", "/docs")
      const directives = (headers.get("content-security-policy") ?? "").split("; ").sort()
      assert.deepStrictEqual(directives, [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'unsafe-inline'",
        "style-src 'unsafe-inline'"
      ])
    })
  )

  it.effect("turns off Scalar's own services and sends requests straight to this one", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const settings = settingsOf((yield* request("GET", "/docs")).text)
      assert.deepInclude(settings, {
        showDeveloperTools: "never",
        hideClientButton: true,
        telemetry: false,
        withDefaultFonts: false,
        agent: { disabled: true },
        mcp: { disabled: true }
      })
      for (const absent of ["proxyUrl", "proxy", "favicon", "hideSearch"]) assert.notProperty(settings, absent)
    })
  )

  it.effect("has a title and shows the document that is served", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { text } = yield* request("GET", "/docs")
      assert.include(text, "<title>Property Network API</title>")
      assert.include(text, '"x-capability":"broker"')
    })
  )
})
