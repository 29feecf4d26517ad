/** A tenant with contacts and companies, who searches. */
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Company } from "../../../src/network/companies/Company.ts"
import type { Contact } from "../../../src/network/contacts/Contact.ts"
import * as Tenant from "../../support/Tenant.ts"
import { TestService } from "../../support/TestService.ts"

/** Where they are. */
export const contacts = "/api/v1/network/contacts"
export const companies = "/api/v1/network/companies"

/** A tenant with a client. */
export const make = Effect.fn("SearchClient.make")(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  const { token } = tenant
  return {
    ...tenant,
    request,
    addContact: (json: object) =>
      Effect.map(request<Contact>("POST", `${contacts}?force=true`, { token, json }), ({ body }) => body),
    addCompany: (json: object) =>
      Effect.map(request<Company>("POST", `${companies}?force=true`, { token, json }), ({ body }) => body),
    searchContacts: (json: unknown) => request<Page<Contact>>("POST", `${contacts}:search`, { token, json }),
    searchCompanies: (json: unknown) => request<Page<Company>>("POST", `${companies}:search`, { token, json })
  }
})

/** The columns of a contact that is written below the service. */
export interface Row {
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly primary_language?: string | null
  readonly primary_company_id?: string | null
  readonly tags?: ReadonlyArray<string>
  readonly strategy?: string | null
  readonly linked_in_url?: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** Writes contacts below the service; their UUIDs, in the order given. */
export const write = Effect.fnUntraced(function* (teamId: string, rows: ReadonlyArray<Row>) {
  const sql = yield* Database
  const written = yield* sql<{ readonly id: string; readonly n: number }>`
    with given as (
      select gen_random_uuid() as id, row.* from jsonb_to_recordset(${sql.json(rows.map((row, n) => ({ tags: [], ...row, n })))}::jsonb)
        as row (n int, first_name text, last_name text, email text, phone text, primary_language text,
          primary_company_id uuid, tags text[], strategy text, linked_in_url text, created_at timestamptz,
          updated_at timestamptz, version bigint)
    ), written as (
      insert into contacts (
        id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, first_name, last_name, email, phone,
        primary_language, primary_company_id, tags, strategy, linked_in_url
      )
      select id, ${teamId}::uuid, version, pg_current_xact_id(), created_at, updated_at, 'created', 'import', first_name, last_name, email, phone,
        primary_language, primary_company_id, tags, strategy, linked_in_url
      from given
    )
    select id, n from given order by n`
  return written.map(({ id }) => id)
}, Effect.orDie)
