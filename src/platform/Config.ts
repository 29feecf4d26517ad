/**
 * The settings of a process, read once from its environment, and its address, which follows from them. docs/operations.md documents the
 * settings for operators.
 */
import * as Retention from "./Retention.ts"
import type { Periods } from "./Retention.ts"
import * as Tls from "./db/Tls.ts"
import * as Telemetry from "./telemetry/TelemetrySetting.ts"
import { Context, Duration, Effect, Layer, type LogLevel, Option, Redacted, Result } from "effect"
import { IpNetwork } from "effect/net"
import { defaultSlowReadMs, type Replicas } from "./db/Database.ts"
import { type FileStoreSetting, parseFileStore } from "./fileStore/FileStore.ts"
import { parseSecretKey, type SecretKey } from "./secrets/SecretKeys.ts"
import { flag, onOrOff, type Parsed, read, required, SettingRefused, text, webAddress, wholeNumber } from "./Setting.ts"

/** The folder of the embedded Postgres without `DATA_DIR`. */
export const defaultDataDir = ".data"

/** What an operator can set. */
export interface Settings {
  /** `PORT`: where the API listens; 0 takes a free port. */
  readonly port: number
  /** `HOST`: the interface it listens on. */
  readonly host: string
  /** `BASE_URL`: the address that clients use; by default the one it listens on. */
  readonly baseUrl: string | undefined
  /** `DRAIN_SECONDS`: how long the API serves on, without being ready, once it was asked to stop. */
  readonly drainSeconds: number
  /** `TRUSTED_PROXIES`: how many proxies in front of the service name the address of the client, in `X-Forwarded-For`. */
  readonly trustedProxies: number
  /** `ALLOWED_ORIGINS`: origins of web pages that may call the API and the MCP endpoint, and get tokens, besides the service's own. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** `MCP_ALLOWED_ORIGINS`: origins of web pages that may call the MCP endpoint alone, and get tokens. */
  readonly mcpAllowedOrigins: ReadonlyArray<string>
  /** `DATABASE_URL`: Postgres 15 to 18; the embedded one under `DATA_DIR` when absent. */
  readonly databaseUrl: Redacted.Redacted<string> | undefined
  /** `DATABASE_REPLICA_URLS` and `REPLICA_MAX_LAG`: standbys of that Postgres that answer reads; undefined for none. */
  readonly replicas: Replicas | undefined
  /** `DATABASE_CITUS`: whether that Postgres is the coordinator of Citus, with the tables of teams in cells. */
  readonly citus: boolean
  /** `DATA_DIR`: the folder of the embedded Postgres, and of what belongs to it. */
  readonly dataDir: string
  /** `FILE_STORE`: where the content of files is stored; the folder `files` under `DATA_DIR` when absent. */
  readonly fileStore: FileStoreSetting | undefined
  /** `SECRET_KEY`: seals secrets and signs cursors; generated in `DATA_DIR` when absent and Postgres is embedded. */
  readonly secretKey: SecretKey | undefined
  /** `SECRET_KEY_PREVIOUS`: the key before a rotation; opens what was sealed under it, and seals nothing. */
  readonly secretKeyPrevious: SecretKey | undefined
  /** `OPERATOR_TEAM`: the id of the team whose webhooks get events of the audit log; undefined for none. */
  readonly operatorTeam: string | undefined
  /** `WEBHOOKS`: whether events are sent to webhooks. */
  readonly webhooks: boolean
  /** `WEBHOOK_ALLOW_HTTP`: whether webhooks may have http URLs. */
  readonly webhookAllowHttp: boolean | undefined
  /** `WEBHOOK_ALLOWED_NETWORKS`: CIDRs that the outbound guard lets through. */
  readonly webhookAllowedNetworks: ReadonlyArray<string> | undefined
  /** `WEBHOOK_RETRY_DELAYS`: the eight delays between attempts, in place of the built-in ones. */
  readonly webhookRetryDelays: ReadonlyArray<Duration.Duration> | undefined
  /** `RATE_LIMIT_PAT`, `RATE_LIMIT_CLIENT` and `RATE_LIMIT_SESSION`: requests per minute. */
  readonly rateLimits: { readonly pat: number; readonly client: number; readonly session: number }
  /** `OAUTH_CLIENT_HOSTS`: the hosts of documents that describe apps; undefined for any public one. */
  readonly clientHosts: ReadonlyArray<string> | undefined
  /** `OAUTH_REGISTRATION`: whether apps may register themselves. */
  readonly openRegistration: boolean
  /** `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`: the OpenID provider with which people sign in; undefined for none. */
  readonly upstream: UpstreamSetting | undefined
  /** `METRICS_PORT` and `METRICS_HOST`: where metrics are served; undefined turns them off, port 0 takes a free one. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** `LOG_LEVEL`: the lowest level that is logged. */
  readonly logLevel: LogLevel.LogLevel
  /** `SLOW_REQUEST_MS`: requests that take this long, in milliseconds, are logged as slow; infinite for none. */
  readonly slowRequestMs: number
  /** `SLOW_QUERY_MS`: statements that take this long, in milliseconds, are logged as slow; infinite for none. */
  readonly slowQueryMs: number
  /** `SEARCH_TIMEOUT_MS`: searches, and filtered lists, that take this long, in milliseconds, are refused. */
  readonly searchTimeoutMs: number
  /** `RETENTION_…`: how long what is stored is kept. */
  readonly retention: Periods
  /** `OTEL_…`: where traces and metrics are exported to; undefined turns the export off. */
  readonly telemetry: Telemetry.TelemetrySetting | undefined
}

const databaseAddress = (text: string): Parsed<Redacted.Redacted<string>> => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "postgres:" && url.protocol !== "postgresql:")) {
    // The value may hold a password, so it is not repeated.
    return Result.fail("must be a Postgres address such as postgres://user:password@host:5432/database")
  }
  return Result.map(Tls.parse(url), () => Redacted.make(text))
}

const databaseAddresses = (text: string): Parsed<ReadonlyArray<Redacted.Redacted<string>>> =>
  Result.mapError(
    Result.all(text.split(",").map((part) => databaseAddress(part.trim()))),
    (reason) => `${reason}, or several of them with commas in between`
  )

const networks = (text: string): Parsed<ReadonlyArray<string>> => {
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const invalid = list.find((part) => Result.isFailure(IpNetwork.fromString(part)))
  return invalid === undefined
    ? Result.succeed(list)
    : Result.fail(`must be CIDRs such as 10.0.0.0/8,::1/128; "${invalid}" is not one`)
}

const origins = (text: string): Parsed<ReadonlyArray<string>> =>
  Result.all(
    text
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(webAddress)
  )

const hosts = (text: string): Parsed<ReadonlyArray<string>> => {
  if (text === "none") return Result.succeed([])
  const list = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const invalid = list.find(
    (part) => URL.parse(`https://${part.replace(/^\*\./, "")}/`)?.host !== part.replace(/^\*\./, "")
  )
  return invalid === undefined
    ? Result.succeed(list)
    : Result.fail(`must be hosts such as apps.example.com,*.example.org, or none; "${invalid}" is not one`)
}

/** An OpenID provider, and the client that this service is there. */
interface UpstreamSetting {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}

const issuerAddress = (text: string): Parsed<string> => {
  const url = URL.parse(text)
  return (url?.protocol === "https:" || url?.protocol === "http:") && url.search === "" && !text.includes("#")
    ? Result.succeed(text)
    : Result.fail(`must be the address of an OpenID provider such as https://login.example.com, not "${text}"`)
}

const upstream = Effect.gen(function* () {
  const issuer = yield* read("OIDC_ISSUER", issuerAddress)
  const clientId = yield* read("OIDC_CLIENT_ID", text)
  const clientSecret = yield* read("OIDC_CLIENT_SECRET", text)
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  const setting: UpstreamSetting = {
    issuer: yield* required(issuer, "OIDC_ISSUER"),
    clientId: yield* required(clientId, "OIDC_CLIENT_ID"),
    clientSecret: Redacted.make(yield* required(clientSecret, "OIDC_CLIENT_SECRET"))
  }
  return setting
})

const openOrOff = (text: string): Parsed<boolean> =>
  text === "open" || text === "off"
    ? Result.succeed(text === "open")
    : Result.fail(`must be open or off, not "${text}"`)

const teamId = (text: string): Parsed<string> =>
  /^team_[0-9a-hjkmnp-tv-z]{26}$/.test(text)
    ? Result.succeed(text)
    : Result.fail(`must be the id of a team, as \`team list\` shows it, not "${text}"`)

const units: Record<string, Duration.Unit> = { ms: "millis", s: "seconds", m: "minutes", h: "hours", d: "days" }

const duration = (text: string): Duration.Duration | undefined => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined || unit === undefined
    ? undefined
    : Option.getOrUndefined(Duration.fromInput(`${Number(amount)} ${units[unit] ?? "seconds"}`))
}

// Standbys are asked four times a second how far they are.
const maxLag = (text: string): Parsed<number> => {
  const milliseconds = Duration.toMillis(duration(text) ?? Duration.zero)
  return milliseconds >= 500 && milliseconds <= 60_000
    ? Result.succeed(milliseconds)
    : Result.fail(`must be a duration from 500ms to 1m, such as 2s, not "${text}"`)
}

const replicas = Effect.gen(function* () {
  const urls = yield* read("DATABASE_REPLICA_URLS", databaseAddresses)
  const maxLagMs = (yield* read("REPLICA_MAX_LAG", maxLag)) ?? 2000
  if (urls === undefined) return undefined
  if ((yield* read("DATABASE_URL", databaseAddress)) !== undefined) return { urls, maxLagMs }
  return yield* new SettingRefused({
    variable: "DATABASE_REPLICA_URLS",
    reason: "needs DATABASE_URL, the address of the primary"
  })
})

const citus = Effect.gen(function* () {
  const isOn = (yield* read("DATABASE_CITUS", onOrOff)) ?? false
  const missing = (yield* read("DATABASE_URL", databaseAddress)) === undefined
  const hasStandbys = (yield* read("DATABASE_REPLICA_URLS", databaseAddresses)) !== undefined
  if (!isOn || !(missing || hasStandbys)) return isOn
  return yield* new SettingRefused({
    variable: "DATABASE_CITUS",
    reason: missing
      ? "needs DATABASE_URL, the address of the coordinator"
      : "and DATABASE_REPLICA_URLS exclude each other: the standbys of Citus belong to its servers"
  })
})

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

// By default only this machine can read the metrics: they are not meant for clients.
const metrics = Effect.gen(function* () {
  const port = yield* read("METRICS_PORT", wholeNumber(0, 65535))
  const host = (yield* read("METRICS_HOST", text)) ?? "127.0.0.1"
  return port === undefined ? undefined : { host, port }
})

/** A threshold in milliseconds; 0 turns it off. */
const threshold = Effect.fnUntraced(function* (variable: string, defaultValue: number) {
  const milliseconds = (yield* read(variable, wholeNumber(0, 3_600_000))) ?? defaultValue
  return milliseconds === 0 ? Infinity : milliseconds
})

/** Reads all settings; fails with the first one that is wrong. */
export const load: Effect.Effect<Settings, SettingRefused> = Effect.gen(function* () {
  return {
    port: (yield* read("PORT", wholeNumber(0, 65535))) ?? 3000,
    host: (yield* read("HOST", text)) ?? "127.0.0.1",
    baseUrl: yield* read("BASE_URL", webAddress),
    drainSeconds: (yield* read("DRAIN_SECONDS", wholeNumber(0, 300))) ?? 5,
    trustedProxies: (yield* read("TRUSTED_PROXIES", wholeNumber(0, 10))) ?? 0,
    allowedOrigins: (yield* read("ALLOWED_ORIGINS", origins)) ?? [],
    mcpAllowedOrigins: (yield* read("MCP_ALLOWED_ORIGINS", origins)) ?? [],
    databaseUrl: yield* read("DATABASE_URL", databaseAddress),
    replicas: yield* replicas,
    citus: yield* citus,
    dataDir: (yield* read("DATA_DIR", text)) ?? defaultDataDir,
    fileStore: yield* read("FILE_STORE", parseFileStore),
    secretKey: yield* read("SECRET_KEY", parseSecretKey),
    secretKeyPrevious: yield* read("SECRET_KEY_PREVIOUS", parseSecretKey),
    operatorTeam: yield* read("OPERATOR_TEAM", teamId),
    webhooks: (yield* read("WEBHOOKS", onOrOff)) ?? true,
    webhookAllowHttp: yield* read("WEBHOOK_ALLOW_HTTP", flag),
    webhookAllowedNetworks: yield* read("WEBHOOK_ALLOWED_NETWORKS", networks),
    webhookRetryDelays: yield* read("WEBHOOK_RETRY_DELAYS", retryDelays),
    rateLimits: {
      pat: (yield* read("RATE_LIMIT_PAT", wholeNumber(1, 1_000_000))) ?? 60,
      client: (yield* read("RATE_LIMIT_CLIENT", wholeNumber(1, 1_000_000))) ?? 600,
      session: (yield* read("RATE_LIMIT_SESSION", wholeNumber(1, 1_000_000))) ?? 600
    },
    clientHosts: yield* read("OAUTH_CLIENT_HOSTS", hosts),
    openRegistration: (yield* read("OAUTH_REGISTRATION", openOrOff)) ?? false,
    upstream: yield* upstream,
    metrics: yield* metrics,
    logLevel: (yield* read("LOG_LEVEL", logLevel)) ?? "Info",
    slowRequestMs: yield* threshold("SLOW_REQUEST_MS", 1000),
    slowQueryMs: yield* threshold("SLOW_QUERY_MS", 500),
    searchTimeoutMs: (yield* read("SEARCH_TIMEOUT_MS", wholeNumber(100, 10_000))) ?? defaultSlowReadMs,
    retention: yield* Retention.load,
    telemetry: yield* Telemetry.load
  }
})

/** The address under which clients reach the service, without a trailing slash. All URLs in responses begin with it. */
export class BaseUrl extends Context.Service<BaseUrl, string>()("BaseUrl") {}

/** The address as a layer. */
export const layerBaseUrl = (baseUrl: string): Layer.Layer<BaseUrl> => Layer.succeed(BaseUrl, baseUrl)

/** `BASE_URL`, or else the address that the API listens on. */
export const baseUrlOf = (
  settings: { readonly baseUrl: string | undefined; readonly host: string },
  port: number
): string => settings.baseUrl ?? `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`
