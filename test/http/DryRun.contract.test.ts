import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { make, path } from "../support/ContactsClient.ts"
import { faultsOf } from "../support/faults.ts"
import { TestService } from "../support/TestService.ts"

const client = make()
const dryRun = { prefer: "respond-async, Dry-Run; strict" }

layer(TestService.layer, { excludeTestServices: true })("Prefer: dry-run", (it) => {
  it.effect("returns the answer of a create without creating anything", () =>
    Effect.gen(function* () {
      const { create, list } = yield* client
      const rehearsed = yield* create({ firstName: "Anna" }, { ...dryRun, "idempotency-key": "k" })
      assert.strictEqual(rehearsed.status, 200)
      assert.strictEqual(rehearsed.headers.get("preference-applied"), "dry-run")
      const answered: unknown = rehearsed.body
      const body = answered as {
        wouldAnswer: number
        result: { id: string; firstName: string }
        events: unknown
        affected: unknown
      }
      assert.deepInclude(body, {
        wouldAnswer: 201,
        events: [{ event: "contact.created", resource_id: body.result.id }],
        affected: [{ type: "contact", id: body.result.id, change: "created" }]
      })
      assert.strictEqual(body.result.firstName, "Anna")
      assert.deepStrictEqual((yield* list("?include_deleted=true")).body.data, [])
      assert.strictEqual((yield* create({ firstName: "Ben" }, { "idempotency-key": "k" })).status, 201)
    })
  )

  it.effect("returns the answers of updates and deletes without changing anything", () =>
    Effect.gen(function* () {
      const { create, get, patch, delete: remove } = yield* client
      const created = yield* create({ firstName: "Anna" })
      const { id } = created.body
      const updated = yield* patch(id, { firstName: "Anne" }, dryRun)
      assert.deepInclude(updated.body, {
        wouldAnswer: 200,
        affected: [{ type: "contact", id, change: "updated" }]
      } as never)
      const removed = yield* remove(id, dryRun)
      assert.deepStrictEqual(
        [removed.status, removed.body],
        [
          200,
          {
            wouldAnswer: 204,
            result: null,
            events: [{ event: "contact.deleted", resource_id: id }],
            affected: [{ type: "contact", id, change: "deleted" }]
          }
        ]
      )
      const unchanged = yield* patch(id, {}, dryRun)
      assert.deepInclude(unchanged.body, { wouldAnswer: 200, events: [], affected: [] } as never)
      assert.deepStrictEqual((yield* get(id)).body, created.body)
    })
  )

  it.effect("is refused for the same reasons as the write", () =>
    Effect.gen(function* () {
      const { create, patch, request, token } = yield* client
      const created = yield* create({ email: "anna@example.com" })
      assert.strictEqual((yield* create({ email: "anna@example.com" }, dryRun)).status, 409)
      assert.strictEqual((yield* create({}, dryRun)).status, 400)
      assert.strictEqual((yield* patch(created.body.id, { phone: "1" }, { ...dryRun, "if-match": '"x"' })).status, 412)
      assert.strictEqual((yield* request("DELETE", `${path}/contact_x`, { token, headers: dryRun })).status, 404)
    })
  )

  it.effect("is refused when it is misspelled, because the write would happen; other preferences are ignored", () =>
    Effect.gen(function* () {
      const { create, list, patch } = yield* client
      for (const prefer of ["dryrun", "dry_run", "handling=strict, dry-rum"]) {
        const refused = yield* create({ firstName: "Anna" }, { prefer })
        assert.deepStrictEqual(
          [refused.status, faultsOf(refused)],
          [400, ["header /Prefer unknown_preference"]],
          prefer
        )
      }
      const misspelt = { prefer: "dryrun" }
      assert.strictEqual((yield* patch("contact_x", { firstName: "Anna" }, misspelt)).status, 404)
      const wrong = yield* create({ firstName: 1 }, misspelt)
      assert.deepStrictEqual(faultsOf(wrong), ["header /Prefer unknown_preference", "body /firstName wrong_type"])
      assert.strictEqual((yield* create({ firstName: "Anna" }, { prefer: "dry-run=true" })).status, 200)
      assert.deepStrictEqual((yield* list()).body.data, [])
      assert.strictEqual((yield* create({ firstName: "Anna" }, { prefer: "return=minimal" })).status, 201)
    })
  )
})
