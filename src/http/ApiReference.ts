/** `/docs`: the API reference, rendered by the Scalar script that effect bundles. It works without the internet. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import type * as OpenApiDocument from "./OpenApiDocument.ts"

/** Scalar's settings. `HttpApiScalar` types only some of them, but passes all of them on. */
interface Settings extends HttpApiScalar.ScalarConfig {
  readonly showDeveloperTools: "always" | "localhost" | "never"
  readonly hideClientButton: boolean
  readonly telemetry: boolean
  readonly agent: { readonly disabled: boolean }
  readonly mcp: { readonly disabled: boolean }
}

// Without a `proxyUrl`, test requests go straight from the browser to the service.
const settings: Settings = {
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  // Scalar 1.43, which effect bundles, has no assistant. Later versions show one by default.
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: "bearer" }
}

/** Makes the browser refuse what the settings do not turn off: the page contacts no host but this one. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const secured = HttpRouter.middleware((handler) =>
  Effect.map(handler, HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy))
).layer

/** Serves the reference of an API as `document` describes it. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  document: ReturnType<typeof OpenApiDocument.make>
): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  // `HttpApiScalar` generates a document from the API. This makes it show the completed one.
  const shown = { ...document, info: { ...document.info, title: "Property Network API" } }
  const documented = api.annotate(OpenApi.Transform, () => shown)
  return HttpApiScalar.layer(documented, { path: "/docs", scalar: settings }).pipe(Layer.provide(secured))
}
