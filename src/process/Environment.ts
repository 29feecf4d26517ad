/** The settings of a process, completed with its Postgres and its secret key, and the commands of the operator for them. */
import type * as App from "../App.ts"
import * as SystemUser from "../platform/SystemUser.ts"
import { layerFileStore } from "../platform/fileStore/Drivers.ts"
import type { FileStoreSetting } from "../platform/fileStore/FileStore.ts"
import { Console, Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { join } from "node:path"
import { defaultDataDir, load, type Settings } from "../platform/Config.ts"
import { required, SettingRefused } from "../platform/Setting.ts"
import { EmbeddedPostgres, type EmbeddedPostgresError } from "../platform/db/embedded/EmbeddedPostgres.ts"
import { AcceptedDocuments, documentDeadlineMillis, OpenRegistration } from "../identity/apps/Apps.ts"
import * as Id from "../core/Id.ts"
import { OperatorTeam } from "../core/audit/OperatorEvents.ts"
import { UpstreamProvider } from "../identity/signIn/UpstreamSignIn.ts"
import { keyId, parseSecretKey, type SecretKey, type SecretKeys } from "../platform/secrets/SecretKeys.ts"
import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, rm } from "node:fs/promises"
import type { Database } from "../platform/db/Database.ts"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"

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

const identityOptions = ({ clientHosts, openRegistration, operatorTeam, upstream }: Settings) =>
  Layer.mergeAll(
    Layer.succeed(OperatorTeam, Id.toUuid("team", operatorTeam ?? "")),
    Layer.succeed(OpenRegistration, openRegistration),
    Layer.succeed(UpstreamProvider, upstream),
    Layer.succeed(AcceptedDocuments, { hosts: clientHosts ?? ["*"], deadlineMillis: documentDeadlineMillis })
  )

/** Where the content of files is stored. */
export const fileStoreOf = ({ dataDir, fileStore }: Settings): FileStoreSetting =>
  fileStore ?? { kind: "folder", path: join(dataDir, "files") }

/**
 * The configuration of the use-cases. An embedded service that only this machine can reach is a trial: webhooks may
 * then go to this machine, unless the settings say otherwise.
 */
const appOptions = (settings: Settings, embedded: boolean, secretKeys: SecretKeys): App.Options => {
  const isTrial = embedded && isLoopback(settings.host)
  return {
    secretKeys,
    webhooks: settings.webhooks,
    isTrial,
    webhookAllowHttp: settings.webhookAllowHttp ?? isTrial,
    webhookAllowedNetworks: settings.webhookAllowedNetworks ?? (isTrial ? loopback : []),
    webhookRetryDelays: settings.webhookRetryDelays,
    rateLimits: settings.rateLimits,
    retention: settings.retention,
    identity: identityOptions(settings),
    fileStore: layerFileStore(fileStoreOf(settings))
  }
}

/** With what settings this process was started, and on which database; undefined where a program is made of layers alone. */
export const Installed = Context.Reference<
  { readonly settings: Settings; readonly databaseUrl: Redacted.Redacted<string> } | undefined
>("process/Environment/Installed", { defaultValue: () => undefined })

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
  if (mode === "attach") yield* SystemUser.refuseOther("DATA_DIR", settings.dataDir)
  const secretKey = settings.secretKey ?? (yield* readOrCreate(settings.dataDir))
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

// The operator's commands as the service prints them, ready to paste.

const isPlain = (text: string) => /^[\w./~-]+$/.test(text)

const quoted = (text: string) => (isPlain(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * A command line of this installation. It names the database unless that is the default one. An address of Postgres contains
 * a password, so it is left to the reader.
 */
export const adminCommand = (
  { databaseUrl, dataDir }: Pick<Settings, "databaseUrl" | "dataDir">,
  command: string
): string => {
  const database =
    databaseUrl !== undefined
      ? "DATABASE_URL=… SECRET_KEY=… "
      : dataDir === defaultDataDir
        ? ""
        : `DATA_DIR=${quoted(dataDir)} `
  return `${database}npm run -s admin -- ${command}`
}

// The secret key of an embedded installation: generated once, in a file beside its data.

const readIfExists = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined
    throw error
  }
}

/**
 * Creates the file unless another process does so first. It writes a draft and links it, which never replaces a file: a
 * killed process leaves no partial key, and two that start at the same time use the same one.
 */
const create = async (file: string): Promise<void> => {
  const draft = `${file}-${process.pid}-${randomBytes(4).toString("hex")}`
  try {
    const handle = await open(draft, "wx", 0o600)
    try {
      await handle.writeFile(`${randomBytes(32).toString("base64")}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(draft, file).catch((error: { readonly code?: string }) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
}

/** The key in `secret.key` of `dataDir`, which is created when it does not exist; only its owner can read it. */
const readOrCreate = (dataDir: string): Effect.Effect<SecretKey, SettingRefused> => {
  const file = join(dataDir, "secret.key")
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dataDir, { recursive: true })
      const existing = await readIfExists(file)
      if (existing !== undefined) return existing
      await create(file)
      await SystemUser.handOver(file)
      return (await readFile(file, "utf8")).trim()
    },
    catch: (error) => new SettingRefused({ variable: "DATA_DIR", reason: `${file} cannot be used: ${String(error)}` })
  }).pipe(
    Effect.flatMap((text) => {
      const key = parseSecretKey(text)
      return Result.isSuccess(key)
        ? Effect.succeed(key.success)
        : Effect.fail(new SettingRefused({ variable: "SECRET_KEY", reason: `${file} ${key.failure}` }))
    })
  )
}

/** The keys that are set, or kept in `DATA_DIR`: none is made. */
export const existingKeys = Effect.fnUntraced(function* (settings: Settings) {
  const given = [settings.secretKey, settings.secretKeyPrevious].filter((key) => key !== undefined)
  if (given.length > 0 || settings.databaseUrl !== undefined) return given
  const text = yield* Effect.promise(() => readIfExists(join(settings.dataDir, "secret.key")))
  return text === undefined ? [] : Option.toArray(Result.getSuccess(parseSecretKey(text)))
})

// Refuses a secret key that is not the database's: docs/operations.md#secret-keys.

const refused = Effect.flatMap(load, (settings) =>
  Effect.fail(
    new SettingRefused({
      variable: "SECRET_KEY",
      reason:
        "is not the key of this database. Set the key that was used with it (without SECRET_KEY: the file secret.key in " +
        "its DATA_DIR), or during a rotation both keys; if that key is lost, run " +
        `\`${adminCommand(settings, "secrets adopt")}\``
    })
  )
)

const check = (keys: SecretKeys, by: "isOwn" | "takeOver"): Effect.Effect<void, SettingRefused, Database> =>
  Effect.flatMap(DatabaseKey, (key) => key[by]).pipe(
    Effect.flatMap((isOwn) => (isOwn ? Effect.void : refused)),
    Effect.provide(DatabaseKey.layer(keys))
  )

/** For commands: fails if neither key belongs to the database. */
export const verify = (keys: SecretKeys) => check(keys, "isOwn")

/** For a process that seals values: the same, and the current key becomes the database's. */
export const verifyAndTakeOver = (keys: SecretKeys) => check(keys, "takeOver")
