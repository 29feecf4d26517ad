/** A receiver of OTLP in JSON that records what it gets. */
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { TelemetrySetting } from "../../../src/platform/telemetry/TelemetrySetting.ts"

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
  readonly boolValue?: boolean
}

/** A received span. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Value }>
  readonly events: ReadonlyArray<unknown>
  readonly status: { readonly code: number; readonly message?: string }
}

interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Span["attributes"] }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
}

/** The attribute of a span. */
export const attribute = ({ attributes }: Pick<Span, "attributes">, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue ?? value?.boolValue
}

/** Listens for as long as the scope lasts. */
export const receiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const got: Array<{
      readonly path: string
      readonly headers: Readonly<Record<string, unknown>>
      readonly text: string
    }> = []
    const server = createServer((request, response) => {
      let text = ""
      request
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text += chunk))
        .on("end", () => {
          got.push({ path: request.url ?? "", headers: request.headers, text })
          response.setHeader("content-type", "application/json").end("{}")
        })
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const setting: TelemetrySetting = {
      endpoint: `http://127.0.0.1:${port}`,
      protocol: "http/json",
      headers: { "x-key": "k1" },
      timeoutMs: 10_000,
      serviceName: "brokers",
      resource: { "deployment.environment.name": "test" },
      traces: { parentBased: true, share: 1 },
      metricsEveryMs: undefined
    }
    const at = (path: string) => got.filter((one) => one.path === path)
    const traces = () => at("/v1/traces").map(({ text }) => JSON.parse(text) as Traces)
    return {
      setting,
      server,
      at,
      resources: () => traces().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => resource)),
      spans: () =>
        traces().flatMap(({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        )
    }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)
