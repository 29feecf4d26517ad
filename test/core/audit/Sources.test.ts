/** What the service records, over HTTP. */
import * as Tenant from "../../support/Tenant.ts"
import * as Secret from "../../../src/core/auth/Secret.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TestService } from "../../support/TestService.ts"

const entriesOf = (asked: { readonly team?: string; readonly client?: string; readonly action?: string }) =>
  asOperator(
    Effect.flatMap(
      Effect.flatMap(AuditLog, (log) => log.listAll(asked, 100)),
      Stream.runCollect
    )
  )

/** Entries, as soon as they are there: what is counted is written by nobody's request. */
const eventually = (asked: Parameters<typeof entriesOf>[0], isThere: (entries: number) => boolean) =>
  Effect.repeat(entriesOf(asked), { until: ({ length }) => isThere(length), times: 1000 })

layer(TestService.layer, { excludeTestServices: true })("Recorded over HTTP", (it) => {
  it.effect("are changes of webhooks, with who, by which token, from where and in which request", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { team, token, user } = yield* Tenant.make()
      const send = (method: string, path: string, json?: object) =>
        request<{ id: string }>(method, `/api/v1/webhooks${path}`, {
          token,
          ...(json === undefined ? {} : { json }),
          headers: { "x-request-id": "webhook-request", ...(method === "POST" ? { "idempotency-key": "one" } : {}) }
        })
      const created = yield* send("POST", "", {
        url: "http://127.0.0.1:9/planted-secret",
        events: ["*"],
        name: "Planted"
      })
      const { id } = created.body
      yield* send("PATCH", `/${id}`, { name: "Planted too" })
      yield* send("POST", `/${id}/secret`, { overlap: "1h" })
      yield* send("DELETE", `/${id}`)
      const entries = yield* entriesOf({ team })
      assert.deepStrictEqual(
        entries.map(({ action, details, target }) => [action, target?.id, details]),
        [
          ["webhook.deleted", id, {}],
          ["webhook.rotated", id, {}],
          ["webhook.updated", id, { changedFields: ["name"] }],
          ["webhook.created", id, {}]
        ]
      )
      for (const { actor, address, requestId, via } of entries) {
        assert.deepStrictEqual(actor, { kind: "user", id: user, name: "Anna Berg" })
        assert.strictEqual(address, "127.0.0.1")
        assert.strictEqual(requestId, "webhook-request")
        assert.match(via.token ?? "", /^token_/)
      }
      const stored = yield* Effect.flatMap(
        Database,
        (sql) => sql<{ readonly row: string }>`select audit_log::text as row from audit_log`
      )
      const rows = stored.map(({ row }) => row).join("\n")
      for (const planted of ["lanted", "Anna", "Berg", "example.com"]) assert.notInclude(rows, planted)
    })
  )

  it.effect("are refused tokens: one entry for each and address, which names the token that is revoked", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { team, token, tokenId } = yield* Tenant.make()
      yield* Effect.flatMap(Database, (sql) => sql`update tokens set revoked_at = now() where id = ${tokenId}`)
      for (let times = 0; times < 3; times++) yield* request("GET", "/api/v1/auth/me", { token })
      const [refused] = yield* Effect.repeat(entriesOf({ team }), {
        until: ([entry]) => entry?.details["count"] === 3,
        times: 1000
      })
      assert.strictEqual(refused?.action, "credentials.refused")
      assert.strictEqual(refused?.outcome, "refused")
      assert.strictEqual(refused?.details["code"], "revoked")
      assert.match(refused?.via.token ?? "", /^token_/)
      assert.deepStrictEqual(refused?.address, "127.0.0.1")
      yield* request("GET", "/api/v1/auth/me", { token: Secret.make("personal", randomBytes(32)) })
      const found = yield* eventually({ action: "credentials.refused" }, (count) => count > 1)
      assert.include(
        found.map(({ details }) => details["code"]),
        "unknown"
      )
    })
  )

  it.effect("are tokens that clients ask for, and wrong secrets; the addresses and requests of clients are known", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { team } = yield* Tenant.make()
      const clients = yield* Clients
      const { client_id, client_secret } = yield* asOperator(
        clients.create({ teamId: team, name: "CRM sync", botName: "Bot" })
      )
      const ask = (secret: string) =>
        request<{ access_token: string }>("POST", "/openid/token", {
          text: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret: secret }).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
      const { body } = yield* ask(client_secret)
      yield* ask(Secret.make("client", randomBytes(32)))
      yield* request("GET", "/api/v1/auth/me", { token: body.access_token })
      const entries = yield* eventually({ client: client_id }, (count) => count === 3)
      assert.sameDeepMembers(
        entries.map(({ action, address, details, outcome }) => [action, outcome, address, details["code"] ?? null]),
        [
          ["client.created", "success", null, null],
          ["access_token.issued", "success", "127.0.0.1", null],
          ["credentials.refused", "refused", "127.0.0.1", "invalid_client"]
        ]
      )
      assert.isDefined((yield* Authentication).purgeUse)
    })
  )
})
