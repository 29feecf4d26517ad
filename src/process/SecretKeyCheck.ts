/** Refuses a secret key that is not the database's: docs/operations.md#secret-keys. */
import { Effect } from "effect"
import * as Config from "../platform/Config.ts"
import type { Database } from "../platform/db/Database.ts"
import { DatabaseKey } from "../platform/secrets/DatabaseKey.ts"
import type { SecretKeys } from "../platform/secrets/SecretKeys.ts"
import { SettingRefused } from "../platform/Setting.ts"
import { adminCommand } from "./AdminCommand.ts"

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
    Effect.provide(DatabaseKey.layerOnDatabase(keys))
  )

/** For commands: fails if neither key belongs to the database. */
export const verify = (keys: SecretKeys) => check(keys, "isOwn")

/** For a process that seals values: the same, and the current key becomes the database's. */
export const verifyAndTakeOver = (keys: SecretKeys) => check(keys, "takeOver")
