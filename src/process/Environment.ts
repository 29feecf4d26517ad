/** The settings of a process, completed with its Postgres and its secret key. */
import type * as App from "../App.ts"
import * as SecretKeyFile from "./SecretKeyFile.ts"
import { layerFileStore } from "../platform/fileStore/Drivers.ts"
import { Console, Effect, Layer, Redacted } from "effect"
import { join } from "node:path"
import { load, type Settings } from "../platform/Config.ts"
import { required, SettingRefused } from "../platform/Setting.ts"
import { EmbeddedPostgres, type EmbeddedPostgresError } from "../platform/db/embedded/EmbeddedPostgres.ts"
import { AcceptedDocuments, documentDeadlineMillis, OpenRegistration } from "../identity/apps/Apps.ts"
import { UpstreamProvider } from "../identity/signIn/UpstreamSignIn.ts"
import { keyId, type SecretKey, type SecretKeys } from "../platform/secrets/SecretKeys.ts"

/** The configuration of a process. */
export interface Environment {
  readonly settings: Settings
  readonly databaseUrl: Redacted.Redacted<string>
  /** Whether the Postgres is the embedded one, under `DATA_DIR`. */
  readonly embedded: boolean
  /** Starts the embedded Postgres again whenever it ends by itself. Fails when that fails; never succeeds. */
  readonly keepDatabase: Effect.Effect<never, EmbeddedPostgresError>
  readonly app: App.Options
}

const loopback = ["127.0.0.0/8", "::1/128"]

const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host)

const identityOptions = ({ clientHosts, openRegistration, upstream }: Settings) =>
  Layer.mergeAll(
    Layer.succeed(OpenRegistration, openRegistration),
    Layer.succeed(UpstreamProvider, upstream),
    Layer.succeed(AcceptedDocuments, { hosts: clientHosts ?? ["*"], deadlineMillis: documentDeadlineMillis })
  )

/**
 * The configuration of the use-cases. An embedded service that only this machine can reach is a trial: webhooks may
 * then go to this machine, unless the settings say otherwise.
 */
const appOptions = (settings: Settings, embedded: boolean, secretKeys: SecretKeys): App.Options => {
  const isTrial = embedded && isLoopback(settings.host)
  return {
    secretKeys,
    webhooks: settings.webhooks,
    webhookAllowHttp: settings.webhookAllowHttp ?? isTrial,
    webhookAllowedNetworks: settings.webhookAllowedNetworks ?? (isTrial ? loopback : []),
    webhookRetryDelays: settings.webhookRetryDelays,
    rateLimits: settings.rateLimits,
    identity: identityOptions(settings),
    fileStore: layerFileStore(settings.fileStore ?? { kind: "folder", path: join(settings.dataDir, "files") })
  }
}

const secretKeysOf = Effect.fnUntraced(function* (settings: Settings, current: SecretKey) {
  const previous = settings.secretKeyPrevious
  if (previous !== undefined && keyId(previous) === keyId(current)) {
    return yield* new SettingRefused({ variable: "SECRET_KEY_PREVIOUS", reason: "is the same key as SECRET_KEY" })
  }
  const keys: SecretKeys = { current, previous }
  return keys
})

/** The environment of a process that needs an external Postgres: `npm run api`, `npm run worker`. */
export const external = Effect.gen(function* () {
  const settings = yield* load
  const databaseUrl = yield* required(settings.databaseUrl, "DATABASE_URL")
  const secretKey = yield* required(settings.secretKey, "SECRET_KEY")
  const environment: Environment = {
    settings,
    databaseUrl,
    embedded: false,
    keepDatabase: Effect.never,
    app: appOptions(settings, false, yield* secretKeysOf(settings, secretKey))
  }
  return environment
})

const reportChanges = (changes: ReadonlyArray<string>) =>
  changes.length === 0
    ? Effect.void
    : Console.error(
        `Postgres refuses to run as root and runs as another user. For that, this start ${changes.join(", and ")}.`
      )

/**
 * The environment of a process that falls back to the embedded Postgres when `DATABASE_URL` is absent: `npm start`
 * starts it (`"start"`), the command line uses the one that runs, or else starts it for as long as a command takes
 * (`"attach"`). As root, a start may create a user and change the mode of the data folder; it then says so on standard
 * error.
 */
export const externalOrEmbedded = Effect.fn("Environment.externalOrEmbedded")(function* (mode: "start" | "attach") {
  const settings = yield* load
  if (settings.databaseUrl !== undefined) return yield* external
  const secretKey = settings.secretKey ?? (yield* SecretKeyFile.readOrCreate(settings.dataDir))
  const postgres = yield* mode === "start"
    ? EmbeddedPostgres.start({ dataDir: settings.dataDir })
    : EmbeddedPostgres.attachOrStart({ dataDir: settings.dataDir })
  yield* reportChanges(postgres.changes)
  const environment: Environment = {
    settings,
    databaseUrl: Redacted.make(postgres.url),
    embedded: true,
    keepDatabase: postgres.keepRunning,
    app: appOptions(settings, true, yield* secretKeysOf(settings, secretKey))
  }
  return environment
})
