/** The key of an embedded installation: made once and kept beside its data. */
import { Effect, type Redacted, Result } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { parseSecretKey, SettingRefused } from "../Config.ts"

/** The key in `dataDir`, made when there is none yet; only its owner can read the file. */
export const keptIn = (dataDir: string): Effect.Effect<Redacted.Redacted<Uint8Array>, SettingRefused> => {
  const file = join(dataDir, "secret.key")
  return Effect.tryPromise({
    try: async () => {
      await mkdir(dataDir, { recursive: true })
      try {
        // "wx": of two processes that start at once, one makes the key and the other reads it.
        const handle = await open(file, "wx", 0o600)
        try {
          await handle.writeFile(`${randomBytes(32).toString("base64")}\n`)
          await handle.sync()
        } finally {
          await handle.close()
        }
      } catch (error) {
        if ((error as { readonly code?: string }).code !== "EEXIST") throw error
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
