/** What was erased is erased again in a database that was restored from before: docs/behaviour/erasure.md#replay. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { ErasureList } from "../../src/privacy/ErasureList.ts"
import { Erasures } from "../../src/privacy/Erasures.ts"
import { Replays } from "../../src/privacy/Replays.ts"
import type { SecretKeys } from "../../src/platform/secrets/SecretKeys.ts"
import * as ContactsClient from "../support/ContactsClient.ts"
import { secretKeys, TestService } from "../support/TestService.ts"
import * as Tenant from "../support/Tenant.ts"

const withKeys = (keys: SecretKeys) => Effect.provide(ErasureList.layer(keys))

const maria = { firstName: "Maria", lastName: "Rossi" }

/** A team with a contact that was erased, in a database as it was before. */
const restored = Effect.fn(function* () {
  const sql = yield* Database
  const client = yield* ContactsClient.make()
  const email = `${crypto.randomUUID()}@rossi.example`
  const { id } = (yield* client.create({ ...maria, email })).body
  yield* client.request("POST", `/api/v1/network/contacts/${id}/notes`, {
    token: client.token,
    json: { message: "Maria called." }
  })
  const { erase } = yield* Erasures
  yield* asOperator(erase(id, { team: client.team }))
  const uuid = Id.toUuid("contact", id) ?? ""
  const { teamId } = client
  yield* inTeam(teamId)(
    Effect.gen(function* () {
      yield* sql`delete from erasures where team_id = ${teamId}`
      yield* sql`
        update contacts set change_type = 'created', deleted_at = null, first_name = 'Maria', email = ${email}
        where id = ${uuid} and team_id = ${teamId}`
      yield* sql`
        update actions set details = '{"kind": "note", "message": "Maria called."}'
        where team_id = ${teamId} and type = 'note'`
    })
  )
  return { ...client, id, uuid, email, sql }
})

layer(TestService.layerOwn, { excludeTestServices: true })("A start", (it) => {
  it.effect("erases again what an older database brought back, and says so in the audit log", () =>
    Effect.gen(function* () {
      const { get, id, sql, teamId } = yield* restored()
      assert.strictEqual((yield* get(id)).status, 200)
      const { catchUp } = yield* Replays
      assert.deepStrictEqual(yield* catchUp, { erasures: 1, contacts: 1, accounts: 0, added: 0 })
      assert.strictEqual((yield* get(id)).status, 404)
      const texts = yield* inTeam(teamId)(sql`
        select id from actions where team_id = ${teamId} and details ->> 'message' is not null`)
      assert.lengthOf(texts, 0)
      const entries = yield* sql<{ readonly action: string }>`
        select action from audit_log where team_id = ${teamId} and action like 'privacy.%' order by id`
      assert.deepStrictEqual(
        entries.map(({ action }) => action),
        ["privacy.erased", "privacy.erased", "privacy.replayed"]
      )
      // The next one has nothing to do.
      assert.deepStrictEqual(yield* catchUp, { erasures: 0, contacts: 0, accounts: 0, added: 0 })
    })
  )

  it.effect("finds one of that time by its address under another id, and leaves those that came later", () =>
    Effect.gen(function* () {
      const { create, email, get, id, sql, teamId, uuid } = yield* restored()
      const before = (yield* create({ ...maria, email }, {}, "?force=true")).body.id
      yield* inTeam(teamId)(sql`
        update contacts set created_at = now() - interval '1 year'
        where id = ${Id.toUuid("contact", before) ?? ""} and team_id = ${teamId}`)
      yield* inTeam(teamId)(sql`delete from contacts where id = ${uuid} and team_id = ${teamId}`)
      const later = (yield* create({ ...maria, email }, {}, "?force=true")).body.id
      const { catchUp } = yield* Replays
      assert.deepInclude(yield* catchUp, { contacts: 1 })
      const statuses = yield* Effect.forEach([id, before, later], (one) => Effect.map(get(one), ({ status }) => status))
      assert.deepStrictEqual(statuses, [404, 404, 200])
    })
  )

  it.effect("goes on with what was interrupted, and adds to the file store what it lacks", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { create, team, teamId } = yield* ContactsClient.make()
      const { id } = (yield* create(maria)).body
      const { erase } = yield* Erasures
      yield* asOperator(erase(id, { team }))
      const receipt = crypto.randomUUID()
      yield* inTeam(teamId)(sql`
        update erasures set receipt_id = ${receipt}, completed_at = null where team_id = ${teamId}`)
      const { catchUp } = yield* Replays
      assert.deepInclude(yield* catchUp, { added: 1 })
      const { ids, read } = yield* ErasureList
      assert.include(yield* ids, receipt)
      assert.deepInclude(yield* read(receipt), {
        id: receipt,
        team: teamId,
        contacts: [Id.toUuid("contact", id) ?? ""]
      })
      const open = yield* inTeam(teamId)(sql`select from erasures where team_id = ${teamId} and completed_at is null`)
      assert.lengthOf(open, 0)
    }).pipe(Effect.provide(ErasureList.layer(secretKeys)))
  )

  it.effect("signs the list under the present key while the secret key is rotated", () =>
    Effect.gen(function* () {
      const { create, team } = yield* ContactsClient.make()
      const { id } = (yield* create(maria)).body
      const { erase } = yield* Erasures
      const before = new Set(yield* Effect.flatMap(ErasureList, ({ ids }) => ids).pipe(withKeys(secretKeys)))
      yield* asOperator(erase(id, { team }))
      const stored = yield* Effect.flatMap(ErasureList, ({ ids }) => ids).pipe(withKeys(secretKeys))
      const entry = stored.find((one) => !before.has(one)) ?? ""
      const current = Redacted.make(new Uint8Array(32).fill(9))
      const next = { current, previous: undefined }
      const read = Effect.flatMap(ErasureList, (list) => list.read(entry))
      const renew = Effect.flatMap(ErasureList, (list) => list.renew)
      assert.isUndefined(yield* read.pipe(withKeys(next)))
      assert.isAtLeast(yield* renew.pipe(withKeys({ current, previous: secretKeys.current })), 1)
      assert.deepInclude(yield* read.pipe(withKeys(next)), { id: entry, team: Id.toUuid("team", team) ?? "" })
      // The other tests of this service go on with the first key.
      yield* renew.pipe(withKeys({ current: secretKeys.current, previous: current }))
    })
  )

  it.effect("takes a list from a file, but no line that was not written under the secret key", () =>
    Effect.gen(function* () {
      const { get, id, teamId } = yield* restored()
      const { listed, replayList } = yield* Replays
      const lines = (yield* listed).split("\n").filter((line) => line.includes(teamId))
      assert.lengthOf(lines, 1)
      const forged = lines.map((line) => line.replace(/"erasedUtc":"\d{4}/, '"erasedUtc":"2999')).join("\n")
      assert.deepStrictEqual(yield* replayList(forged), { erasures: 0, contacts: 0, accounts: 0 })
      assert.strictEqual((yield* get(id)).status, 200)
      assert.deepStrictEqual(yield* replayList(lines.join("\n")), { erasures: 1, contacts: 1, accounts: 0 })
      assert.strictEqual((yield* get(id)).status, 404)
      assert.notInclude(lines.join(), "Maria")
    })
  )

  it.effect("removes an account again that was erased with its person", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { email, userId } = yield* Tenant.make()
      const { erase } = yield* Erasures
      const receipt = yield* asOperator(erase(email, { all: true }))
      assert.strictEqual(receipt.account, Id.fromUuid("user", userId))
      yield* sql`update users set email = ${email}, name = 'Anna Berg', deleted_at = null where id = ${userId}`
      const { catchUp } = yield* Replays
      assert.deepInclude(yield* catchUp, { accounts: 1 })
      const [row] = yield* sql`select email from users where id = ${userId}`
      assert.isNull(row?.["email"])
    })
  )
})
