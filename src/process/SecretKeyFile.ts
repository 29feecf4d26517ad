/** The secret key of an embedded installation: generated once, in a file beside its data. */
import * as Config from "../platform/Config.ts"
import { Effect, Result } from "effect"
import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { parseSecretKey, type SecretKey, type SecretKeys } from "../platform/secrets/SecretKeys.ts"
import { SettingRefused } from "../platform/Setting.ts"
import type { Database } from "../platform/db/Database.ts"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"
import { adminCommand } from "./AdminCommand.ts"

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
export const readOrCreate = (dataDir: string): Effect.Effect<SecretKey, SettingRefused> => {
  const file = join(dataDir, "secret.key")
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dataDir, { recursive: true })
      const existing = await readIfExists(file)
      if (existing !== undefined) return existing
      await create(file)
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

// Refuses a secret key that is not the database's: docs/operations.md#secret-keys.

const refused = Effect.flatMap(Config.load, (settings) =>
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
