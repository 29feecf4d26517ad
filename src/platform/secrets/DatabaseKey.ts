/**
 * Compares the secret keys of a process with the fingerprint that its database stores (docs/adr/0020-a-key-per-purpose.md).
 * With another key, a worker would fail every attempt, and after ten of them disable the webhooks of all teams.
 */
import { Context, Effect, Layer } from "effect"
import type { Database } from "../db/Database.ts"
import { FingerprintRepo } from "./FingerprintRepo.ts"
import { SecretBox } from "./SecretBox.ts"
import { fingerprintOf, fits, type KeyMatch, matchOf, type SecretKeys } from "./SecretKeys.ts"

const make = Effect.fnUntraced(function* (keys: SecretKeys) {
  const repo = yield* FingerprintRepo
  const { sealedUnder } = yield* SecretBox
  const current = fingerprintOf(keys.current)
  const previous = keys.previous === undefined ? undefined : fingerprintOf(keys.previous)

  /** Undefined if the database has no fingerprint yet and may get that of this process. */
  const match = Effect.gen(function* () {
    const stored = yield* repo.get
    if (stored !== undefined) return matchOf({ current, previous }, stored)
    return fits((yield* repo.sealedPrefixes).map(sealedUnder)) ? undefined : ("neither" satisfies KeyMatch)
  })

  return {
    /** Whether one of the keys belongs to the database. */
    isOwn: Effect.map(match, (found) => found !== "neither"),

    /**
     * The same, for a process that seals values. A database without a fingerprint gets that of the current key. So does one
     * that has the fingerprint of the previous key, because this process seals under the current one from now on; but never one
     * whose fingerprint was replaced by that of the previous key, as in a process of an earlier step of a rotation.
     */
    takeOver: Effect.gen(function* () {
      const found = yield* match
      if (found === "previous" && previous !== undefined) yield* repo.moveOn({ from: previous, to: current })
      if (found !== undefined) return found !== "neither"
      yield* repo.storeFirst(current)
      // Another process may have been first.
      return (yield* match) !== "neither"
    }),

    /** Makes the current key the database's, whatever it was. */
    adopt: repo.replace(current)
  }
})

/** Whether a secret key of this process belongs to the database. */
export class DatabaseKey extends Context.Service<DatabaseKey, Effect.Success<ReturnType<typeof make>>>()(
  "platform/secrets/DatabaseKey"
) {
  /** On the database alone: commands and the start of a process ask before anything else is built. */
  static readonly layer = (keys: SecretKeys): Layer.Layer<DatabaseKey, never, Database> =>
    Layer.effect(DatabaseKey, make(keys)).pipe(Layer.provide(Layer.merge(FingerprintRepo.layer, SecretBox.layer(keys))))
}
