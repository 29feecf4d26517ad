/** A tenant with companies, who asks for duplicates. */
import * as Tenant from "../../support/Tenant.ts"
import { Effect } from "effect"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { hostOf } from "../../../src/core/fields/InternetAddress.ts"
import { nameKeyOf } from "../../../src/network/companies/naming.ts"
import type { DuplicateList } from "../../../src/network/duplicates/Duplicate.ts"
import { TestService } from "../../support/TestService.ts"

export const path = "/api/v1/companies/find-duplicates"

/** A company as it is stored. */
export interface Stored {
  readonly name: string
  readonly country?: string
  readonly domain?: string
  readonly linkedInUrl?: string
  readonly state?: "live" | "deleted" | "merged"
}

/** Writes companies below the service, in the order given. */
export const add = Effect.fnUntraced(function* (teamId: string, companies: ReadonlyArray<Stored>) {
  const sql = yield* Database
  const rows = companies.map(({ country, domain, linkedInUrl, name, state }, n) => ({
    n,
    name,
    name_key: nameKeyOf(name),
    country: country ?? null,
    domain: hostOf(domain ?? "") ?? null,
    linked_in_url: linkedInUrl ?? null,
    state: state ?? "live"
  }))
  yield* inTeam(teamId)(sql`
    insert into companies (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, name_key, country, domain,
      linked_in_url, deleted_at, merged_into
    )
    select new_uuid_v7(now()), ${teamId}::uuid, 1, pg_current_xact_id(), now() + n * interval '1 second', now(), 'created', 'import', name,
      name_key, country, domain, linked_in_url, case when state <> 'live' then now() end,
      case when state = 'merged' then gen_random_uuid() end
    from jsonb_to_recordset(${sql.json(rows)}::jsonb)
      as row (n int, name text, name_key text, country text, domain text, linked_in_url text, state text)`)
}, Effect.orDie)

/** A tenant without companies. */
export const make = Effect.fnUntraced(function* (options: Tenant.TenantOptions = {}) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make(options)
  return {
    ...tenant,
    add: (...companies: ReadonlyArray<Stored>) => add(tenant.teamId, companies),
    find: (json: unknown) => request<DuplicateList>("POST", path, { token: tenant.token, json })
  }
})
