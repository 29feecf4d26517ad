/** A new tenant with clients of the records of its network, and of its mandates. */
import * as Tenant from "./Tenant.ts"
import { Effect } from "effect"
import { inEach, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import type { DeltaPage, Page } from "../../src/core/usecase/Page.ts"
import type { Company } from "../../src/network/companies/Company.ts"
import type { Contact } from "../../src/network/contacts/Contact.ts"
import type { Link } from "../../src/network/links/Link.ts"
import type { WrittenMandate } from "../../src/market/mandates/Mandate.ts"
import type { Results } from "../../src/core/records/Batch.ts"
import { pollUntil } from "./polling.ts"
import { recordEventTypes } from "../../src/core/mutation/Event.ts"
import { TestService } from "./TestService.ts"

/** The type of the records of each collection. */
export interface Records {
  readonly contacts: Contact
  readonly companies: Company
  readonly links: Link
  readonly mandates: WrittenMandate
}

/** The path of a collection. */
export const pathOf = (collection: keyof Records) =>
  collection === "mandates" ? "/api/v1/mandates" : `/api/v1/network/${collection}`

/**
 * Completes when deltas show everything that was written so far, that is, when every transaction has ended that was open at
 * the time. Transactions in other databases of the run count too, because they share the transaction ids of the server.
 */
export const untilSettled = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const isSettled = Effect.map(
      inEach(
        sql,
        sql<{ settled: boolean }>`
          select coalesce(max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()), true) as settled
          from ${sql.literal(table)}`
      ),
      (rows) => rows.every(({ settled }) => settled)
    )
    yield* pollUntil(
      `the end of all transactions that hold back the deltas of ${table}`,
      isSettled,
      (settled) => settled,
      // The export of a team on Citus, by another test, is one long transaction.
      60_000
    )
  }).pipe(Effect.orDie)

/** A row of a timeline. */
export type Row = Readonly<Record<string, unknown>>

/** A client of one collection. */
export const of = Effect.fnUntraced(function* <const Name extends keyof Records>(collection: Name, token: string) {
  const { request } = yield* TestService
  const path = pathOf(collection)
  type Resource = Records[Name]
  const batch = (operation: string, json: unknown, headers = {}, query = "") =>
    request<Results<Resource>>("POST", `${path}/batch/${operation}${query}`, { token, json, headers })
  return {
    list: (query = "", headers = {}) => request<DeltaPage<Resource>>("GET", `${path}${query}`, { token, headers }),
    /** The list, once deltas show everything that was written before. */
    delta: (query: string) =>
      Effect.andThen(untilSettled(collection), request<DeltaPage<Resource>>("GET", `${path}${query}`, { token })),
    get: (id: string, headers = {}) => request<Resource>("GET", `${path}/${id}`, { token, headers }),
    create: (json: unknown, headers = {}, query = "") =>
      request<Resource>("POST", `${path}${query}`, { token, json, headers }),
    patch: (id: string, json: unknown, headers = {}, query = "") =>
      request<Resource>("PATCH", `${path}/${id}${query}`, { token, json, headers }),
    delete: (id: string, headers = {}) => request("DELETE", `${path}/${id}`, { token, headers }),
    actions: (id: string, query = "") => request<Page<Row>>("GET", `${path}/${id}/actions${query}`, { token }),
    batchGet: (ids: unknown) => batch("get", { ids }),
    upsert: (items: unknown, headers = {}, query = "") => batch("upsert", { items }, headers, query),
    batchDelete: (ids: unknown, headers = {}) => batch("delete", { ids }, headers),
    batch
  }
})

/** The payload of an event. */
export type Payload = Readonly<Record<string, unknown>>

/** Creates the tenant and its clients. `events` reads the payloads of the events of its records so far, in their order. */
export const make = Effect.fn("RecordsClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const sql = yield* Database
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  return {
    ...tenant,
    request,
    contacts: yield* of("contacts", tenant.token),
    companies: yield* of("companies", tenant.token),
    links: yield* of("links", tenant.token),
    mandates: yield* of("mandates", tenant.token),
    events: Effect.map(
      inTeam(tenant.teamId)(
        Effect.orDie(sql<{ body: string }>`
          select body from events
          where team_id = ${tenant.teamId} and type = any(${recordEventTypes}::text[]) order by seq`)
      ),
      (rows) => rows.map(({ body }) => JSON.parse(body) as Payload)
    )
  }
})

/** Events as `type id`. */
export const typesAndIds = (events: ReadonlyArray<Payload>): ReadonlyArray<string> =>
  events.map((event) => `${String(event["event"])} ${String(event["resource_id"])}`)
