/** Rotation of the secret key: re-encrypting the secrets of webhooks until the previous key is no longer needed. */
import * as Id from "../../src/core/Id.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { SecretBox } from "../../src/platform/secrets/SecretBox.ts"
import type { SecretKeys } from "../../src/platform/secrets/SecretKeys.ts"
import { Idempotency } from "../../src/core/usecase/Idempotency.ts"
import { Reencryption } from "../../src/webhooks/Reencryption.ts"
import { openAll, Webhooks } from "../../src/webhooks/Webhooks.ts"
import type { PreviousSecret } from "../../src/webhooks/rules.ts"
import { reencryptWebhookSecrets } from "../../workers/housekeeping.ts"
import { aTeam, secretKeys, serviceWithWorker } from "./fixture.ts"

const oldKey = secretKeys.current
const newKey = Redacted.make(new Uint8Array(32).fill(8))
const rotated: SecretKeys = { current: newKey, previous: oldKey }

// Fresh, because the fixture has layers of the same name with other keys.
const withKeys = (keys: SecretKeys) =>
  Effect.provide(
    Layer.fresh(Reencryption.layer).pipe(
      Layer.provideMerge(Layer.fresh(Idempotency.layer)),
      Layer.provideMerge(SecretBox.layer(keys))
    )
  )

interface Row {
  readonly sealed: Uint8Array
  readonly previous: ReadonlyArray<PreviousSecret>
  readonly version: number
  readonly updatedAt: Date
}

const rowOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* Database
  const [row] = yield* sql<Row>`
    select secret_sealed as sealed, previous_secrets as previous, version::int, updated_at as "updatedAt"
    from webhooks where id = ${Id.toUuid("webhook", id) ?? null}`
  return row ?? assert.fail(`There is no webhook ${id}`)
})

/** The signing secrets, opened with these keys only. */
const secretsOf = Effect.fnUntraced(function* (id: string, keys: SecretKeys) {
  const row = yield* rowOf(id)
  const box = yield* Effect.provide(SecretBox, SecretBox.layer(keys))
  const webhookUuid = Id.toUuid("webhook", id) ?? ""
  return yield* openAll(box.for("webhook secrets"), { ...row, webhookUuid, now: new Date(0) })
})

/** A webhook with two secrets: the current one, and a previous one with an overlap of a day. */
const aRotatedWebhook = Effect.fnUntraced(function* (team: Effect.Success<ReturnType<typeof aTeam>>) {
  const webhooks = yield* Webhooks
  const { id, secret } = (yield* team.subscribe(
    { url: "http://hooks.example.com/", events: ["contact.created"] },
    "create"
  )).value
  const call = UseCaseRequest.make({ operation: "POST secret", query: {}, body: { overlap: "24h" } })
  const after = (yield* team.as(webhooks.rotate(id, call))).value
  return { id, secrets: [after.secret, secret] }
})

/** Deletes all webhooks, because re-encryption concerns all teams. */
const deleteAllWebhooks = Effect.flatMap(Database, (sql) => sql`truncate webhooks, idempotency_keys cascade`)

layer(serviceWithWorker)("Re-encryption", (it) => {
  it.effect("seals current and previous secrets under the current key once, and changes nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* deleteAllWebhooks
      const team = yield* aTeam()
      const { id, secrets } = yield* aRotatedWebhook(team)
      const deleted = (yield* team.subscribe({ url: "http://hooks.example.com/", events: ["contact.created"] })).value
      yield* team.unsubscribe(deleted.id)
      const before = yield* rowOf(id)

      yield* Effect.gen(function* () {
        const { run, status } = yield* Reencryption
        assert.deepStrictEqual(yield* secretsOf(id, rotated), secrets)
        assert.deepStrictEqual(yield* status, {
          webhookSecrets: { current: 0, previous: 2, unknown: 0 },
          idempotencyAnswers: { current: 0, previous: 1, unknown: 0 },
          previousKeyNeeded: true
        })
        assert.deepStrictEqual(yield* run(), { webhooks: 1, failed: [] })
        assert.deepStrictEqual(yield* run(), { webhooks: 0, failed: [] })
        assert.isTrue((yield* status).previousKeyNeeded)
        yield* sql`delete from idempotency_keys`
        assert.deepStrictEqual(yield* status, {
          webhookSecrets: { current: 2, previous: 0, unknown: 0 },
          idempotencyAnswers: { current: 0, previous: 0, unknown: 0 },
          previousKeyNeeded: false
        })
      }).pipe(withKeys(rotated))

      const onlyNew: SecretKeys = { current: newKey, previous: undefined }
      assert.deepStrictEqual(yield* secretsOf(id, onlyNew), secrets)
      const after = yield* rowOf(id)
      assert.deepStrictEqual([after.version, after.updatedAt], [before.version, before.updatedAt])
      assert.deepStrictEqual(
        after.previous.map(({ until }) => until),
        before.previous.map(({ until }) => until)
      )
    })
  )

  it.effect("runs as a job", () =>
    Effect.gen(function* () {
      yield* deleteAllWebhooks
      const { id, secrets } = yield* aRotatedWebhook(yield* aTeam())
      yield* Effect.gen(function* () {
        const { status } = yield* Reencryption
        yield* reencryptWebhookSecrets.run({ _cron: { ts: "2026-11-21T09:07:00.000Z", backfilled: false } })
        assert.strictEqual((yield* status).webhookSecrets.current, 2)
      }).pipe(withKeys(rotated))
      assert.deepStrictEqual(yield* secretsOf(id, { current: newKey, previous: undefined }), secrets)
    })
  )

  it.effect("continues past secrets that do not open, through all batches, and reports their webhooks", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* deleteAllWebhooks
      const team = yield* aTeam()
      const { id } = (yield* team.subscribe({ url: "http://hooks.example.com/", events: ["contact.created"] })).value
      // Sealed bytes are bound to the id of their webhook, so they do not open in the rows of others.
      yield* sql`
        insert into webhooks (
          id, team_id, version, created_at, updated_at, change_type, change_origin, name, url, events, status, secret_sealed
        )
        select gen_random_uuid(), team_id, 1, created_at, updated_at, 'created', 'api', name, url, events, status, secret_sealed
        from webhooks, generate_series(1, 250)`
      yield* Effect.gen(function* () {
        const { run, status } = yield* Reencryption
        const { failed, webhooks } = yield* run()
        assert.deepStrictEqual([webhooks, failed.length, new Set(failed).size], [1, 250, 250])
        assert.deepInclude((yield* status).webhookSecrets, { current: 1, previous: 250 })
      }).pipe(withKeys(rotated))
      assert.strictEqual((yield* secretsOf(id, { current: newKey, previous: undefined })).length, 1)
    })
  )

  it.effect("fails because of a team whose rows cannot be written only when those of all others are done", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      yield* deleteAllWebhooks
      const teams = yield* Effect.replicateEffect(aTeam(), 2)
      for (const team of teams) {
        yield* team.subscribe({ url: "http://hooks.example.com/", events: ["contact.created"] })
      }
      // The team of the first webhook.
      const [broken] = yield* sql<{ id: string }>`select team_id as id from webhooks order by id limit 1`
      // Not valid: it refuses what is written from now on. Tables of cells can have no triggers.
      yield* sql.unsafe(
        `alter table webhooks add constraint refused check (team_id <> '${broken?.id ?? ""}') not valid`
      )
      yield* Effect.gen(function* () {
        const { run, status } = yield* Reencryption
        assert.isTrue(Exit.isFailure(yield* Effect.exit(run())))
        assert.deepInclude((yield* status).webhookSecrets, { current: 1, previous: 1 })
        yield* sql`alter table webhooks drop constraint refused`
        assert.deepStrictEqual(yield* run(), { webhooks: 1, failed: [] })
      }).pipe(withKeys(rotated))
    })
  )
})
