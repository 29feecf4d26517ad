/**
 * Re-encryption after a rotation of the secret key: seals every webhook secret again under the current key, after which the
 * previous key is no longer needed. Stored responses of idempotent creates are not re-encrypted, because they expire after a
 * day. See docs/operations.md#secret-keys.
 *
 * It can be stopped and repeated at any time: each team's part of a batch is a transaction and locks only the secrets that are left.
 */
import * as Transaction from "../platform/db/Transaction.ts"
import * as Id from "../core/Id.ts"
import { inEach, inTeam } from "../platform/db/Cells.ts"
import { Cause, Context, Effect, Exit, Layer, Result } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { Database } from "../platform/db/Database.ts"
import { type SealedUnder, SecretBox } from "../platform/secrets/SecretBox.ts"
import { Idempotency } from "../core/usecase/Idempotency.ts"
import { type SealedSecretsRow, WebhooksRepo } from "./WebhooksRepo.ts"

/** The number of values that are sealed under each key. */
export type SealedCounts = { readonly [K in SealedUnder]: number }

/** How many secrets and stored responses are sealed under each key. */
export interface SecretsStatus {
  readonly webhookSecrets: SealedCounts
  readonly idempotencyAnswers: SealedCounts
  /** Whether a value may still need `SECRET_KEY_PREVIOUS`. */
  readonly previousKeyNeeded: boolean
}

const batchSize = 100
const firstId = "00000000-0000-0000-0000-000000000000"

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const sql = yield* Database
  const repo = yield* WebhooksRepo
  const secretBox = yield* SecretBox
  const idempotency = yield* Idempotency
  const box = secretBox.for("webhook secrets")

  const reseal = Effect.fnUntraced(function* (sealed: Uint8Array, context: string) {
    if (secretBox.sealedUnder(sealed) === "current") return sealed
    return yield* box.seal(yield* box.open(sealed, context), context)
  })

  const resealRow = Effect.fnUntraced(function* ({ id, previous, sealed }: SealedSecretsRow) {
    const context = Id.fromUuid("webhook", id)
    const row: SealedSecretsRow = {
      id,
      sealed: yield* reseal(sealed, context),
      previous: yield* Effect.forEach(previous, (secret) =>
        Effect.map(reseal(Buffer.from(secret.sealed, "base64"), context), (resealed) => ({
          ...secret,
          sealed: Buffer.from(resealed).toString("base64")
        }))
      )
    }
    return row
  })

  const resealOrWarn = (row: SealedSecretsRow) =>
    resealRow(row).pipe(
      Effect.map(Result.succeed),
      Effect.catchDefect((defect) => {
        const webhook = Id.fromUuid("webhook", row.id)
        return Effect.as(
          Effect.logWarning(`The secrets of ${webhook} cannot be re-encrypted`, defect),
          Result.fail(webhook)
        )
      })
    )

  const resealOfTeam = Effect.fnUntraced(function* (teamId: string, ids: ReadonlyArray<string>) {
    const rows = yield* repo.lockSealedOtherwise(teamId, ids, secretBox.currentPrefix)
    const results = yield* Effect.forEach(rows, resealOrWarn)
    const resealed = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
    const failed = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
    if (resealed.length > 0) yield* repo.writeResealed(teamId, resealed)
    return { webhooks: resealed.length, failed }
  })

  const runInCell = Effect.fnUntraced(
    function* () {
      let after: string | undefined = firstId
      let webhooks = 0
      const failed: Array<string> = []
      const broken: Array<Exit.Exit<unknown>> = []
      while (after !== undefined) {
        const found: Effect.Success<ReturnType<typeof repo.findSealedOtherwise>> = yield* repo.findSealedOtherwise(
          secretBox.currentPrefix,
          after,
          batchSize
        )
        for (const [teamId, some] of Map.groupBy(found, (one) => one.teamId)) {
          const ids = some.map(({ id }) => id)
          const done = yield* Effect.exit(inTeam(teamId)(Transaction.run(resealOfTeam(teamId, ids))))
          if (Exit.isFailure(done)) {
            if (Cause.hasInterruptsOnly(done.cause)) return yield* Effect.interrupt
            broken.push(done)
            continue
          }
          webhooks += done.value.webhooks
          failed.push(...done.value.failed)
        }
        after = found.length < batchSize ? undefined : found.at(-1)?.id
      }
      // Those of other teams are done.
      yield* Exit.asVoidAll(broken)
      return [{ webhooks, failed }]
    },
    Effect.provideService(Database, sql)
  )

  const run = Effect.fn("Reencryption.run")(function* () {
    const done = yield* inEach(sql, runInCell())
    const webhooks = done.reduce((sum, one) => sum + one.webhooks, 0)
    if (webhooks > 0) {
      yield* auditLog.record({ action: "secrets.reencrypted", teamId: null, details: { count: webhooks } })
      yield* Effect.logInfo(`The secrets of ${webhooks} webhooks were re-encrypted under the current SECRET_KEY.`)
    }
    return { webhooks, failed: done.flatMap(({ failed }) => failed) }
  })

  const countsOf = (prefixes: ReadonlyArray<{ readonly prefix: Uint8Array; readonly count: number }>) => {
    const counts = { current: 0, previous: 0, unknown: 0 }
    for (const { count, prefix } of prefixes) counts[secretBox.sealedUnder(prefix)] += count
    return counts
  }

  const status = Effect.gen(function* () {
    const webhookSecrets = countsOf(yield* repo.countSecretsByPrefix)
    const idempotencyAnswers = countsOf(yield* idempotency.countByPrefix)
    return {
      webhookSecrets,
      idempotencyAnswers,
      previousKeyNeeded: webhookSecrets.previous + idempotencyAnswers.previous > 0
    }
  }).pipe(Effect.withSpan("Reencryption.status"))

  return { run, status }
})

/** Re-encrypts webhook secrets that are not sealed under the current key. */
export class Reencryption extends Context.Service<Reencryption, Effect.Success<typeof make>>()(
  "webhooks/Reencryption"
) {
  static readonly layer = Layer.effect(Reencryption, make).pipe(Layer.provide(WebhooksRepo.layer))
}
