/** The settings of traces and metrics, from the standard environment variables of OpenTelemetry. */
import { Effect, Result } from "effect"
import { flag, type Parsed, read, type SettingRefused, text, wholeNumber } from "../Setting.ts"

/** The destination of traces and metrics, and which of them are exported. */
export interface TelemetrySetting {
  /** The base URL of the receiver, without `/v1/traces` and without a trailing slash. */
  readonly endpoint: string
  readonly protocol: "http/protobuf" | "http/json"
  /** The headers of each export, such as an API key of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  /** The timeout of an export, in milliseconds. */
  readonly timeoutMs: number
  readonly serviceName: string
  readonly resource: Readonly<Record<string, string>>
  /** Which traces are exported; `undefined` for none. */
  readonly traces: Sampler | undefined
  /** The interval of metrics exports, in milliseconds; `undefined` for none. */
  readonly metricsEveryMs: number | undefined
}

/**
 * Which traces are exported: a share of those that start here, and those of callers by the caller's decision or by the
 * same share.
 */
export interface Sampler {
  /** Whether the caller decides for traces that it started. */
  readonly parentBased: boolean
  /** From 0 to 1. */
  readonly share: number
}

/** Parses an address for OTLP over HTTP. The error does not quote it, because it may contain a password. */
const endpoint = (text: string): Parsed<string> => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.search === "" && url.hash === ""
    ? Result.succeed(url.href.replace(/\/+$/, ""))
    : Result.fail("must be an http or https address, such as http://localhost:4318")
}

/** Parses the protocol. gRPC is not supported. */
const protocol = (text: string): Parsed<TelemetrySetting["protocol"]> =>
  text === "http/protobuf" || text === "http/json"
    ? Result.succeed(text)
    : Result.fail(`must be http/protobuf or http/json, not "${text}"`)

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

/** Parses names and values such as `one=1,two=2`, percent-encoded where necessary. The error does not quote them. */
const pairs = (text: string): Parsed<Readonly<Record<string, string>>> => {
  const entries: Array<readonly [string, string]> = []
  for (const part of text.split(",").filter((part) => part.trim() !== "")) {
    const middle = part.indexOf("=")
    const [name, value] = [decoded(part.slice(0, middle)), decoded(part.slice(middle + 1))]
    if (middle < 1 || name === undefined || name === "" || value === undefined) {
      return Result.fail("must be names and values such as one=1,two=2, percent-encoded where they contain , or =")
    }
    entries.push([name, value])
  }
  return Result.succeed(Object.fromEntries(entries))
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
]

/** Parses the name of a sampler. */
const samplerName = (text: string): Parsed<string> =>
  samplers.includes(text) ? Result.succeed(text) : Result.fail(`must be one of ${samplers.join(", ")}, not "${text}"`)

/** Parses the argument of a sampler: a share. */
const share = (text: string): Parsed<number> =>
  /^(?:0|1|[01]?\.\d+|1\.0*)$/.test(text) && Number(text) <= 1
    ? Result.succeed(Number(text))
    : Result.fail(`must be a share from 0 to 1, such as 0.1, not "${text}"`)

/** The sampler of a name. */
const samplerOf = (name: string, ratio: number): Sampler => ({
  parentBased: name.startsWith("parentbased_"),
  share: name.endsWith("always_on") ? 1 : name.endsWith("always_off") ? 0 : ratio
})

/** Parses whether a signal is exported: `otlp` or `none`. */
const isExported = (text: string): Parsed<boolean> =>
  text === "otlp" || text === "none"
    ? Result.succeed(text === "otlp")
    : Result.fail(`must be otlp or none, not "${text}"`)

const milliseconds = wholeNumber(1, 3_600_000)

/**
 * Reads the settings; `undefined` when nothing is exported. All variables are read in any case, so that an invalid one is
 * reported even while the export is off.
 */
export const load: Effect.Effect<TelemetrySetting | undefined, SettingRefused> = Effect.gen(function* () {
  const receiver = yield* read("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
  const isOff = (yield* read("OTEL_SDK_DISABLED", (text) => flag(text.toLowerCase()))) ?? false
  const resource = (yield* read("OTEL_RESOURCE_ATTRIBUTES", pairs)) ?? {}
  const sampler = (yield* read("OTEL_TRACES_SAMPLER", samplerName)) ?? "parentbased_always_on"
  const ratio = (yield* read("OTEL_TRACES_SAMPLER_ARG", share)) ?? 1
  const traces = (yield* read("OTEL_TRACES_EXPORTER", isExported)) ?? true
  const metrics = (yield* read("OTEL_METRICS_EXPORTER", isExported)) ?? true
  const metricsEveryMs = (yield* read("OTEL_METRIC_EXPORT_INTERVAL", milliseconds)) ?? 60_000
  const setting = {
    protocol: (yield* read("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)) ?? "http/protobuf",
    headers: (yield* read("OTEL_EXPORTER_OTLP_HEADERS", pairs)) ?? {},
    timeoutMs: (yield* read("OTEL_EXPORTER_OTLP_TIMEOUT", milliseconds)) ?? 10_000,
    serviceName: (yield* read("OTEL_SERVICE_NAME", text)) ?? resource["service.name"] ?? "property-network",
    resource,
    traces: traces ? samplerOf(sampler, ratio) : undefined,
    metricsEveryMs: metrics ? metricsEveryMs : undefined
  }
  return receiver === undefined || isOff ? undefined : { ...setting, endpoint: receiver }
})
