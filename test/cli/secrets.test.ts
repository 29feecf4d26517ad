/** The commands of a rotation of the secret key. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { runToEnd } from "../support/Admin.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { TestService } from "../support/TestService.ts"

const [oldKey, newKey] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string]

const createWebhook = Effect.gen(function* () {
  const { request } = yield* TestService
  const { token } = yield* Tenant.make()
  const created = yield* request("POST", "/api/v1/webhooks", {
    token,
    json: { url: "http://127.0.0.1:9/in", events: ["contact.created"] },
    headers: { "Idempotency-Key": randomUUID() }
  })
  assert.strictEqual(created.status, 201, created.text)
})

layer(TestDatabase.layer, { excludeTestServices: true })("secrets", (it) => {
  it.effect("counts the values that need the previous key until all are re-encrypted or expired", () =>
    Effect.gen(function* () {
      // The service must end before the commands start: a layer is built once, and the service has other keys.
      yield* Effect.provide(createWebhook, TestService.layerOwn)
      yield* runToEnd(["secrets", "adopt"], { SECRET_KEY: oldKey })
      const rotated = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey }
      const before = yield* runToEnd(["secrets", "status"], rotated)
      assert.deepStrictEqual(before.out.split("\n"), [
        "webhook secrets: 0 current, 1 previous, 0 unknown",
        "idempotency answers: 0 current, 1 previous, 0 unknown",
        "SECRET_KEY_PREVIOUS is still needed."
      ])
      const reencrypted = yield* runToEnd(["secrets", "reencrypt", "--json"], rotated)
      assert.deepStrictEqual(JSON.parse(reencrypted.out), { webhooks: 1, failed: [] })
      const after = yield* runToEnd(["secrets", "status", "--json"], rotated)
      assert.deepStrictEqual(JSON.parse(after.out), {
        webhookSecrets: { current: 1, previous: 0, unknown: 0 },
        idempotencyAnswers: { current: 0, previous: 1, unknown: 0 },
        previousKeyNeeded: true
      })
      // The re-encryption also made the new key the database's.
      const withoutPrevious = yield* runToEnd(["secrets", "status"], { SECRET_KEY: newKey })
      assert.include(withoutPrevious.out, "idempotency answers: 0 current, 0 previous, 1 unknown")
      assert.include(withoutPrevious.out, "neither SECRET_KEY nor SECRET_KEY_PREVIOUS")
    })
  )
})
