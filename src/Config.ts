/** The environment, read once, typed. README's table of the configuration says the same for operators. */
import { Config, Context, Duration, Effect, Layer, type LogLevel, Option, Redacted, Result, Schema } from "effect"
import { IpNetwork } from "effect/net"
import type { Bucket } from "./files/store/FileStore.ts"
import type { SecretKey } from "./secrets/SecretKeys.ts"
import * as Telemetry from "./telemetry/TelemetrySetting.ts"

/** The address that clients know the service by, without a trailing slash: the start of every URL that it gives out. */
export class BaseUrl extends Context.Service<BaseUrl, string>()("Config/BaseUrl") {}

/** A variable of the environment that has a wrong value: the start stops with its message, one line. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  variable: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.variable}: ${this.reason}`
  }
}

/** Where the content of files is kept: a folder of this machine, or a bucket. */
export type FileStoreSetting =
  | { readonly kind: "folder"; readonly path: string }
  | ({ readonly kind: "bucket" } & Bucket)

/** What an operator can set. */
export interface Settings {
  /** `PORT`: where the API listens; 0 takes a free port. */
  readonly port: number
  /** `HOST`: the interface it listens on. */
  readonly host: string
  /** `BASE_URL`: the address that clients use; by default the one it listens on. */
  readonly baseUrl: string | undefined
  /** `DATABASE_URL`: Postgres 15 to 18; the embedded one under `DATA_DIR` when absent. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  /** `DATA_DIR`: where the embedded Postgres keeps everything. */
  readonly dataDir: string
  /** `FILE_STORE`: where the content of files is kept; the folder `files` under `DATA_DIR` when absent. */
  readonly fileStore: FileStoreSetting | undefined
  /** `SECRET_KEY`: 32 bytes; made and kept in `DATA_DIR` in the embedded case when absent. */
  readonly secretKey: SecretKey | undefined
  /** `SECRET_KEY_PREVIOUS`: the key before a rotation: opens what was sealed under it, and seals nothing. */
  readonly secretKeyPrevious: SecretKey | undefined
  /** `WEBHOOK_ALLOW_HTTP`: whether webhooks may have plain http URLs. */
  readonly webhookAllowHttp: boolean | undefined
  /** `WEBHOOK_ALLOWED_NETWORKS`: CIDRs that the outbound guard lets through. */
  readonly webhookAllowedNetworks: ReadonlyArray<string> | undefined
  /** `WEBHOOK_RETRY_DELAYS`: eight delays in place of the specification's. */
  readonly webhookRetryDelays: ReadonlyArray<Duration.Duration> | undefined
  /** `RATE_LIMIT_PAT` and `RATE_LIMIT_CLIENT`: requests per minute. */
  readonly rateLimits: { readonly pat: number; readonly client: number }
  /** `METRICS_PORT` and `METRICS_HOST`: where metrics are served, if they are; 0 takes a free port. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** `LOG_LEVEL`: the least level that is logged. */
  readonly logLevel: LogLevel.LogLevel
  /** `SLOW_REQUEST_MS`: from how many milliseconds on a request is logged as slow; infinite for never. */
  readonly slowRequestMs: number
  /** `SLOW_QUERY_MS`: from how many milliseconds on a statement is logged as slow; infinite for never. */
  readonly slowQueryMs: number
  /** `OTEL_EXPORTER_OTLP_ENDPOINT` and those that belong to it: where traces and metrics go, if anywhere. */
  readonly telemetry: Telemetry.TelemetrySetting | undefined
}

type Parsed<A> = Result.Result<A, string>

const wholeNumber =
  (least: number, most: number) =>
  (text: string): Parsed<number> =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Result.succeed(Number(text))
      : Result.fail(`must be a whole number from ${least} to ${most}, not "${text}"`)

const flag = (text: string): Parsed<boolean> => {
  if (text === "true" || text === "1") return Result.succeed(true)
  if (text === "false" || text === "0") return Result.succeed(false)
  return Result.fail(`must be true or false, not "${text}"`)
}

const webAddress = (text: string): Parsed<string> => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.href === `${url.origin}/`
    ? Result.succeed(url.origin)
    : Result.fail(`must be an http or https address without a path, such as https://api.example.com, not "${text}"`)
}

const databaseAddress = (text: string): Parsed<Redacted.Redacted<string>> => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "postgres:" || url.protocol === "postgresql:")
    ? Result.succeed(Redacted.make(text))
    : // The value may hold a password, so it is not repeated.
      Result.fail("must be a Postgres address such as postgres://user:password@host:5432/database")
}

/** The 32 bytes of a key in base64. */
export const parseSecretKey = (text: string): Parsed<SecretKey> => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length === 32
    ? Result.succeed(Redacted.make(new Uint8Array(bytes)))
    : Result.fail("must be 32 bytes in base64: make one with `openssl rand -base64 32`")
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const bucketParameters = ["region", "endpoint", "prefix", "forcePathStyle"]

const parseBucket = (text: string): Parsed<FileStoreSetting> => {
  const url = URL.parse(text)
  // An address that holds more than it may is not repeated: it may be a secret.
  if (url === null || url.username !== "" || url.password !== "") {
    return Result.fail(
      "must be s3://BUCKET?region=REGION; the credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    )
  }
  if (!bucketName.test(url.host)) return Result.fail(`"${url.host}" is no name of a bucket`)
  if (url.pathname !== "" && url.pathname !== "/") {
    return Result.fail(`has a path after the bucket: write it as ?prefix=${url.pathname.replace(/^\//, "")}`)
  }
  const unknown = [...url.searchParams.keys()].find((name) => !bucketParameters.includes(name))
  if (unknown !== undefined) return Result.fail(`has no parameter "${unknown}", only ${bucketParameters.join(", ")}`)
  const endpoint = url.searchParams.get("endpoint") ?? undefined
  const address = endpoint === undefined ? undefined : webAddress(endpoint)
  if (address !== undefined && Result.isFailure(address)) return Result.fail(`its endpoint ${address.failure}`)
  const region = url.searchParams.get("region") ?? (endpoint === undefined ? "" : "us-east-1")
  if (!/^[a-z0-9-]+$/.test(region)) return Result.fail("needs a region, such as ?region=eu-central-1")
  const pathStyle = flag(url.searchParams.get("forcePathStyle") ?? "false")
  if (Result.isFailure(pathStyle)) return Result.fail(`its forcePathStyle ${pathStyle.failure}`)
  const prefix = (url.searchParams.get("prefix") ?? "").replaceAll(/^\/+|\/+$/g, "")
  return Result.succeed({
    kind: "bucket",
    name: url.host,
    region,
    endpoint: address?.success,
    prefix: prefix === "" ? "" : `${prefix}/`,
    forcePathStyle: pathStyle.success
  })
}

/** The store that `FILE_STORE` names. */
export const parseFileStore = (text: string): Parsed<FileStoreSetting> => {
  if (/^s3:\/\//i.test(text)) return parseBucket(text)
  return text.includes("://")
    ? Result.fail("must be a folder, or a bucket such as s3://files?region=eu-central-1")
    : Result.succeed({ kind: "folder", path: text })
}

const networks = (text: string): Parsed<ReadonlyArray<string>> => {
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const wrong = list.find((part) => Result.isFailure(IpNetwork.fromString(part)))
  return wrong === undefined
    ? Result.succeed(list)
    : Result.fail(`must be CIDRs such as 10.0.0.0/8,::1/128; "${wrong}" is none`)
}

const units: Record<string, Duration.Unit> = { ms: "millis", s: "seconds", m: "minutes", h: "hours", d: "days" }

const duration = (text: string): Duration.Duration | undefined => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined || unit === undefined
    ? undefined
    : Option.getOrUndefined(Duration.fromInput(`${Number(amount)} ${units[unit] ?? "seconds"}`))
}

const retryDelays = (text: string): Parsed<ReadonlyArray<Duration.Duration>> => {
  const delays = text.split(",").map((part) => duration(part.trim()))
  return delays.length === 8 && delays.every((delay) => delay !== undefined)
    ? Result.succeed(delays)
    : Result.fail(`must be eight durations such as 3s,10s,30s,5m,30m,2h,8h,24h, not "${text}"`)
}

const levels: Record<string, LogLevel.LogLevel> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}

const logLevel = (text: string): Parsed<LogLevel.LogLevel> => {
  const level = levels[text.toLowerCase()]
  return level === undefined
    ? Result.fail(`must be one of ${Object.keys(levels).join(", ")}, not "${text}"`)
    : Result.succeed(level)
}

const nonBlank = (text: string): Parsed<string> => Result.succeed(text)

/** The value of a variable; one that is absent or blank is `undefined`. */
const read = <A>(variable: string, parse: (text: string) => Parsed<A>) =>
  Effect.gen(function* () {
    const text = (yield* Config.String(variable).pipe(Config.withDefault(""))).trim()
    if (text === "") return undefined
    const parsed = parse(text)
    return Result.isSuccess(parsed) ? parsed.success : yield* new SettingRefused({ variable, reason: parsed.failure })
  }).pipe(Effect.catchTag("ConfigError", (error) => new SettingRefused({ variable, reason: error.message })))

/** Nobody but this machine sees the metrics unless told: they are for no client. */
const metrics = Effect.gen(function* () {
  const port = yield* read("METRICS_PORT", wholeNumber(0, 65535))
  const host = (yield* read("METRICS_HOST", nonBlank)) ?? "127.0.0.1"
  return port === undefined ? undefined : { host, port }
})

/** From when on something is slow; 0 says never. */
const slowFrom = Effect.fnUntraced(function* (variable: string, usual: number) {
  const milliseconds = (yield* read(variable, wholeNumber(0, 3_600_000))) ?? usual
  return milliseconds === 0 ? Infinity : milliseconds
})

const milliseconds = wholeNumber(1, 3_600_000)

// All are read, so that a wrong one is told of before somebody turns it on.
const telemetry = Effect.gen(function* () {
  const endpoint = yield* read("OTEL_EXPORTER_OTLP_ENDPOINT", Telemetry.endpoint)
  const isOff = (yield* read("OTEL_SDK_DISABLED", (text) => flag(text.toLowerCase()))) ?? false
  const resource = (yield* read("OTEL_RESOURCE_ATTRIBUTES", Telemetry.pairs)) ?? {}
  const sampler = (yield* read("OTEL_TRACES_SAMPLER", Telemetry.samplerName)) ?? "parentbased_always_on"
  const share = (yield* read("OTEL_TRACES_SAMPLER_ARG", Telemetry.share)) ?? 1
  const traces = (yield* read("OTEL_TRACES_EXPORTER", Telemetry.isExported)) ?? true
  const metrics = (yield* read("OTEL_METRICS_EXPORTER", Telemetry.isExported)) ?? true
  const metricsEveryMs = (yield* read("OTEL_METRIC_EXPORT_INTERVAL", milliseconds)) ?? 60_000
  const setting = {
    protocol: (yield* read("OTEL_EXPORTER_OTLP_PROTOCOL", Telemetry.protocol)) ?? "http/protobuf",
    headers: (yield* read("OTEL_EXPORTER_OTLP_HEADERS", Telemetry.pairs)) ?? {},
    timeoutMs: (yield* read("OTEL_EXPORTER_OTLP_TIMEOUT", milliseconds)) ?? 10_000,
    serviceName: (yield* read("OTEL_SERVICE_NAME", nonBlank)) ?? resource["service.name"] ?? "property-network",
    resource,
    traces: traces ? Telemetry.samplerOf(sampler, share) : undefined,
    metricsEveryMs: metrics ? metricsEveryMs : undefined
  }
  return endpoint === undefined || isOff ? undefined : { ...setting, endpoint }
})

/** The environment's settings. */
export const load: Effect.Effect<Settings, SettingRefused> = Effect.gen(function* () {
  return {
    port: (yield* read("PORT", wholeNumber(0, 65535))) ?? 3000,
    host: (yield* read("HOST", nonBlank)) ?? "127.0.0.1",
    baseUrl: yield* read("BASE_URL", webAddress),
    databaseUrl: yield* read("DATABASE_URL", databaseAddress),
    dataDir: (yield* read("DATA_DIR", nonBlank)) ?? ".data",
    fileStore: yield* read("FILE_STORE", parseFileStore),
    secretKey: yield* read("SECRET_KEY", parseSecretKey),
    secretKeyPrevious: yield* read("SECRET_KEY_PREVIOUS", parseSecretKey),
    webhookAllowHttp: yield* read("WEBHOOK_ALLOW_HTTP", flag),
    webhookAllowedNetworks: yield* read("WEBHOOK_ALLOWED_NETWORKS", networks),
    webhookRetryDelays: yield* read("WEBHOOK_RETRY_DELAYS", retryDelays),
    rateLimits: {
      pat: (yield* read("RATE_LIMIT_PAT", wholeNumber(1, 1_000_000))) ?? 60,
      client: (yield* read("RATE_LIMIT_CLIENT", wholeNumber(1, 1_000_000))) ?? 600
    },
    metrics: yield* metrics,
    logLevel: (yield* read("LOG_LEVEL", logLevel)) ?? "Info",
    slowRequestMs: yield* slowFrom("SLOW_REQUEST_MS", 1000),
    slowQueryMs: yield* slowFrom("SLOW_QUERY_MS", 500),
    telemetry: yield* telemetry
  }
})

/** What a process against a given Postgres cannot do without. */
export const required = <A>(value: A | undefined, variable: string): Effect.Effect<A, SettingRefused> =>
  value === undefined ? Effect.fail(new SettingRefused({ variable, reason: "is required" })) : Effect.succeed(value)

/** The base URL of these settings for an API that listens on `port`. */
export const baseUrlOf = (settings: Pick<Settings, "baseUrl" | "host">, port: number): string =>
  settings.baseUrl ?? `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`

/** The base URL as a layer. */
export const layerBaseUrl = (baseUrl: string): Layer.Layer<BaseUrl> => Layer.succeed(BaseUrl, baseUrl)
