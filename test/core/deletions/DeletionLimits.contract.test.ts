import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { TeamQuotas } from "../../../src/identity/teams/Teams.ts"
import { TestService } from "../../support/TestService.ts"

const contacts = "/api/v1/network/contacts"

/** A team whose clients may delete so much in an hour. */
const limited = Effect.fnUntraced(function* (quota: number) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const quotas = yield* TeamQuotas
  yield* asOperator(quotas.set(tenant.team, { kind: "deletions_per_hour", quota }))
  const { token } = tenant
  const create = Effect.map(
    request<{ id: string }>("POST", contacts, { token, json: { firstName: "Anna" } }),
    ({ body }) => body.id
  )
  const remove = (id: string, headers: Record<string, string> = {}) =>
    request<{ code: string; limit: number }>("DELETE", `${contacts}/${id}`, { token, headers })
  const reached = asOperator(
    Effect.flatMap(
      Effect.flatMap(AuditLog, (log) => log.listAll({ team: tenant.team, action: "deletion_limit.reached" }, 10)),
      Stream.runCollect
    )
  )
  const events = Effect.flatMap(
    Database,
    (sql) => sql<{ readonly type: string }>`
      select type from events where team_id = ${tenant.teamId} and type like 'audit.%'`
  ).pipe(
    inTeam(tenant.teamId),
    Effect.map((rows) => rows.map(({ type }) => type))
  )
  return { ...tenant, request, create, remove, reached, events }
})

/** How often the metric says that a limit was reached. */
const counted = Effect.map(PrometheusMetrics.format(), (text) =>
  Number(/^property_network_deletion_limit_reached_total (\d+)$/m.exec(text)?.[1] ?? 0)
)

layer(TestService.layer)("A team that bounds what its clients delete in an hour", (it) => {
  it.effect("refuses the next deletion, says when to try again, and records it once", () =>
    Effect.gen(function* () {
      const { create, events, reached, remove, user } = yield* limited(2)
      const ids = yield* Effect.all([create, create, create, create])
      const [first = "", second = "", third = "", fourth = ""] = ids
      const before = yield* counted
      assert.strictEqual((yield* remove(first, { prefer: "dry-run" })).status, 200)
      assert.strictEqual((yield* remove(first)).status, 204)
      assert.strictEqual((yield* remove(first)).status, 404, "what is not deleted does not count")
      assert.strictEqual((yield* remove(second)).status, 204)
      const refused = yield* remove(third)
      assert.strictEqual(refused.status, 429)
      assert.deepInclude(refused.body, { code: "deletion_limit_reached", limit: 2 })
      const seconds = Number(refused.headers.get("retry-after"))
      assert.isAbove(seconds, 3500)
      assert.isAtMost(seconds, 3600)
      assert.strictEqual((yield* remove(fourth)).status, 429)
      const entries = yield* reached
      assert.deepStrictEqual(
        entries.map(({ actor, details, outcome }) => [actor.id, details, outcome]),
        [[user, { limit: 2 }, "refused"]]
      )
      assert.deepStrictEqual(yield* events, ["audit.deletion_limit_reached"])
      assert.strictEqual(yield* counted, before + 1)
    })
  )

  it.effect("refuses each item of a batch for itself, and lets others go on", () =>
    Effect.gen(function* () {
      const { create, events, reached, request, teamId, token } = yield* limited(2)
      const ids = yield* Effect.all([create, create, create])
      const { body, status } = yield* request<{
        results: ReadonlyArray<{ status: string; problem?: { code: string; status: number } }>
      }>("POST", `${contacts}/batch/delete`, { token, json: { ids: ["contact_none", ...ids] } })
      assert.strictEqual(status, 207)
      assert.deepStrictEqual(
        body.results.map((receipt) => [receipt.status, receipt.problem?.code ?? null, receipt.problem?.status ?? null]),
        [
          ["missing", null, null],
          ["deleted", null, null],
          ["deleted", null, null],
          ["failed", "deletion_limit_reached", 429]
        ]
      )
      assert.strictEqual((yield* request("GET", `${contacts}/${ids[2] ?? ""}`, { token })).status, 200)
      assert.lengthOf(yield* reached, 1)
      assert.deepStrictEqual(yield* events, ["audit.deletion_limit_reached"])
      yield* Effect.flatMap(
        Database,
        (sql) =>
          sql`update deletion_windows set opened_at = ${new Date(Date.now() - 3_700_000)} where team_id = ${teamId}`
      ).pipe(inTeam(teamId))
      const again = yield* request<{ results: ReadonlyArray<{ status: string }> }>("POST", `${contacts}/batch/delete`, {
        token,
        json: { ids: [ids[2]] }
      })
      assert.deepStrictEqual(
        again.body.results.map((receipt) => receipt.status),
        ["deleted"]
      )
    })
  )

  it.effect("does not count what follows from a deletion, and bounds other things that are deleted, too", () =>
    Effect.gen(function* () {
      const { create, remove, request, token } = yield* limited(2)
      const send = (method: string, path: string, json?: object) =>
        request<{ id: string; code: string }>(method, path, { token, ...(json === undefined ? {} : { json }) })
      const [contactId, companyId] = [
        yield* create,
        (yield* send("POST", "/api/v1/network/companies", { name: crypto.randomUUID() })).body.id
      ]
      yield* send("POST", "/api/v1/network/links", { contactId, companyId })
      assert.strictEqual((yield* remove(contactId)).status, 204)
      const project = yield* send("POST", "/api/v1/projects", { name: "Tower" })
      assert.strictEqual((yield* send("DELETE", `/api/v1/projects/${project.body.id}`)).status, 204)
      const webhook = yield* send("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] })
      assert.strictEqual(
        (yield* send("DELETE", `/api/v1/webhooks/${webhook.body.id}`)).body.code,
        "deletion_limit_reached"
      )
      assert.strictEqual((yield* send("DELETE", `/api/v1/network/companies/${companyId}`)).status, 429)
    })
  )

  it.effect("counts each client for itself, also when they delete at the same time", () =>
    Effect.gen(function* () {
      const { create, remove, team } = yield* limited(3)
      const ids = yield* Effect.forEach(Array.from({ length: 6 }), () => create)
      const statuses = yield* Effect.forEach(ids, (id) => Effect.map(remove(id), ({ status }) => status), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(statuses.toSorted(), [204, 204, 204, 429, 429, 429])
      assert.match(team, /^team_/)
    })
  )
})
