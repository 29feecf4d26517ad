/** The command `webhooks status`. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import * as Id from "../../src/core/Id.ts"
import { runToEnd } from "../support/Admin.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { addDeliveries, addWebhook } from "../webhooks/healthRows.ts"

/** Runs the command without a secret key. */
const status = (...args: ReadonlyArray<string>) => runToEnd(["webhooks", "status", ...args], { SECRET_KEY: "" })

layer(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))("webhooks status", (it) => {
  it.effect("prints a table, the least healthy first, or JSON, and needs no secret key", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      const now = Date.UTC(2026, 10, 21, 12)
      yield* TestClock.setTime(now)
      const at = new Date(now - 3_600_000)
      const well = yield* addWebhook(teamId, { name: "well" }, at)
      const gone = yield* addWebhook(teamId, { name: "gone", status: "disabled", disabledReason: "receiver_gone" }, at)
      yield* addDeliveries(teamId, well, { count: 3, status: "delivered", createdAt: at, attempts: [40] })
      yield* addDeliveries(teamId, well, {
        count: 2,
        status: "pending",
        createdAt: at,
        nextAttemptAt: new Date(now - 3_000)
      })
      yield* addDeliveries(teamId, gone, { status: "failed", createdAt: at, statusCode: 410, attempts: [7] })
      const { err, ok, out } = yield* status()
      assert.isTrue(ok, err)
      const cells = (webhook: string, ...values: ReadonlyArray<string>) =>
        [...values, Id.fromUuid("webhook", webhook), team] as const
      const [head = "", ...rows] = out.split("\n")
      assert.deepStrictEqual(head.split(/ {2,}/), [
        "HEALTH",
        "DISABLED",
        "PENDING",
        "IN FLIGHT",
        "OLDEST DUE",
        "DELIVERED",
        "P95",
        "WEBHOOK",
        "TEAM",
        "NAME",
        "URL"
      ])
      assert.deepStrictEqual(
        rows.map((row) => row.split(/ {2,}/)),
        [
          [
            ...cells(gone, "disabled", "2026-11-21T11:00Z receiver_gone", "0", "0", "-", "0 %", "7 ms"),
            "gone",
            "https://hooks.example.com/gone"
          ],
          [...cells(well, "healthy", "-", "2", "0", "3 s", "100 %", "40 ms"), "well", "https://hooks.example.com/well"]
        ]
      )
      assert.strictEqual(new Set([head, ...rows].map((line) => line.search(/team_|TEAM/))).size, 1)
      const asJson = JSON.parse((yield* status("--json", "--team", team)).out) as ReadonlyArray<
        Readonly<Record<string, unknown>>
      >
      assert.deepStrictEqual(
        asJson.map(({ health, id, pending }) => ({ health, id, pending })),
        [
          { health: "disabled", id: Id.fromUuid("webhook", gone), pending: 0 },
          { health: "healthy", id: Id.fromUuid("webhook", well), pending: 2 }
        ]
      )
    })
  )

  it.effect("escapes control characters in names", () =>
    Effect.gen(function* () {
      const { team, teamId } = yield* Tenant.make()
      yield* addWebhook(teamId, { name: "a\u001b[31m\nhealthy\u202e" }, new Date(Date.UTC(2026, 10, 21, 12)))
      const { out } = yield* status("--team", team)
      assert.lengthOf(out.split("\n"), 2)
      assert.include(out, "a\\u001b[31m\\u000ahealthy\\u202e")
    })
  )

  it.effect("prints None. for a team without webhooks, and rejects an unknown team", () =>
    Effect.gen(function* () {
      const { team } = yield* Tenant.make()
      assert.strictEqual((yield* status("--team", team)).out, "None.")
      assert.strictEqual((yield* status("--team", team, "--json")).out, "[]")
      const refused = yield* status("--team", "team_x")
      assert.deepStrictEqual([refused.ok, refused.err], [false, "--team: There is no team with this id."])
    })
  )
})
