/** Keeps two commands from writing the same file at the same time. */
import { Effect, type Scope } from "effect"
import { stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import type { Database } from "../db/Database.ts"
import * as SessionLock from "../db/SessionLock.ts"
import { attempt, FileRefused, ifThere } from "./Source.ts"

/**
 * Locks a file of this machine until the scope ends. The lock is in the installation's database: it ends with the process,
 * so nothing is left behind by one that was killed. Imports and exports of another installation do not see it.
 */
export const acquire = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<void, FileRefused, Database | Scope.Scope> {
  const folder = dirname(path)
  if ((yield* attempt(folder, () => ifThere(() => stat(folder)))) === undefined) {
    return yield* new FileRefused({ code: "file_refused", detail: `There is no folder ${folder}.` })
  }
  if (yield* SessionLock.tryAcquire(`file ${hostname()} ${resolve(path)}`)) return
  return yield* new FileRefused({
    code: "file_in_use",
    detail: `${path}: Another import or export is writing this file. Wait until it has ended.`
  })
})
