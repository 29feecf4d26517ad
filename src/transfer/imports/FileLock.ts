/** Prevents two commands from writing the same file at the same time. */
import { Effect, type Scope } from "effect"
import { stat } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, resolve } from "node:path"
import type { Database } from "../../platform/db/Database.ts"
import { trySessionLock } from "../../platform/db/Transaction.ts"
import { attempt, FileRefused, ifExists } from "./Source.ts"

/**
 * Locks a local file until the scope ends. The lock is an advisory lock of the installation's database, so it ends with the
 * process, even if that is killed. Commands of another installation do not see it.
 */
export const acquire = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<void, FileRefused, Database | Scope.Scope> {
  const folder = dirname(path)
  if ((yield* attempt(folder, () => ifExists(() => stat(folder)))) === undefined) {
    return yield* new FileRefused({ code: "file_refused", detail: `The folder ${folder} does not exist.` })
  }
  if (yield* trySessionLock(`file ${hostname()} ${resolve(path)}`)) return
  return yield* new FileRefused({
    code: "file_in_use",
    detail: `${path}: Another import or export is writing this file. Retry when it has ended.`
  })
})
