/** The key of an embedded installation: made once and kept beside its data. */
import { Effect, Result } from "effect"
import { randomBytes } from "node:crypto"
import { link, mkdir, open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { parseSecretKey, SettingRefused } from "../Config.ts"
import type { SecretKey } from "../secrets/SecretKeys.ts"

const readIfThere = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined
    throw error
  }
}

/** The key in `dataDir`, made when there is none yet; only its owner can read the file. */
export const keptIn = (dataDir: string): Effect.Effect<SecretKey, SettingRefused> => {
  const file = join(dataDir, "secret.key")
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dataDir, { recursive: true })
      const kept = await readIfThere(file)
      if (kept !== undefined) return kept
      // Made whole elsewhere and linked, which never replaces: of two processes that start at once, both go on with the
      // key of the first, and a kill in the middle leaves no half of one.
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
