/** A tenant of a test's own, and a client of its contacts. */
import { Effect, Schedule } from "effect"
import { Database } from "../../src/db/Database.ts"
import type { Page } from "../../src/http/Page.ts"
import type { Contact } from "../../src/network/contacts/Contact.ts"
import * as Tenant from "./Tenant.ts"
import { TestService } from "./TestService.ts"

/** Where contacts are. */
export const path = "/api/v1/network/contacts"

/**
 * Completes when no delta holds back what was written so far: every transaction that was open then has ended. The
 * run's other databases count, for they have their transaction ids from the same server.
 */
const untilSettled = Effect.gen(function*() {
  const sql = yield* Database
  const isSettled = Effect.map(
    sql<{ settled: boolean }>`
      select coalesce(max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()), true) as settled from contacts`,
    ([row]) => row?.settled === true
  )
  yield* Effect.repeat(isSettled, { until: (settled) => settled, schedule: Schedule.spaced("2 millis") })
}).pipe(Effect.orDie)

/** The client. `request` sends anything else. */
export const make = Effect.fn("ContactsClient.make")(function*(options: Tenant.TenantOptions = {}) {
  const service = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  return {
    ...tenant,
    request: service.request,
    list: (query = "", headers = {}) => service.request<Page<Contact>>("GET", `${path}${query}`, { token, headers }),
    /** The list, when everything that was written before can be seen in a delta. */
    delta: (query: string) =>
      Effect.andThen(untilSettled, service.request<Page<Contact>>("GET", `${path}${query}`, { token })),
    get: (id: string, headers = {}) => service.request<Contact>("GET", `${path}/${id}`, { token, headers }),
    create: (json: unknown, headers = {}, query = "") =>
      service.request<Contact>("POST", `${path}${query}`, { token, json, headers }),
    patch: (id: string, json: unknown, headers = {}, query = "") =>
      service.request<Contact>("PATCH", `${path}/${id}${query}`, { token, json, headers }),
    remove: (id: string, headers = {}) => service.request("DELETE", `${path}/${id}`, { token, headers })
  }
})
