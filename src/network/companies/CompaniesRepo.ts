/** All SQL of companies, scoped by team. */
import * as RecordTable from "../../core/records/RecordTable.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { arrayParameter, averageTeam } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { canonicalDomain } from "../../core/fields/InternetAddress.ts"
import { columnsOf, type Table } from "../../core/records/Table.ts"
import { maxCandidates, type WriteContextOptions } from "../../core/records/WriteContext.ts"
import { Company, type CompanyFields, companyKinds, type CompanyListQuery } from "./Company.ts"
import { nameKeyOf, nameKeyVersion } from "./naming.ts"
import { domainsOf, keyOf, writeContextOf } from "./rules.ts"

/** The table of companies. */
export const companiesTable: Table<CompanyFields, Company> = {
  type: "company",
  name: "companies",
  columns: columnsOf(companyKinds),
  answers: Company.fields,
  derived: {
    name_key: { type: "text", of: keyOf },
    name_key_version: { type: "integer", of: () => nameKeyVersion }
  },
  mergeable: true,
  toResource: (id, fields, audit, mergedInto) => ({ id, ...fields, ...audit, mergedInto })
}

/** How companies are searched. sql/0002_text.sql has the functions. */
const searchable = {
  text: "searched_text",
  within: ["name", "legalName", "domain", "homepageUrl"],
  alone: ["strategy"],
  members: {}
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const table = yield* RecordTable.make(companiesTable)

  const list = Effect.fn("CompaniesRepo.list")(function* (teamId: string, range: Range, query: CompanyListQuery) {
    const { domain, external_ref: externalRef, tags } = query
    return yield* table.list(teamId, range, {
      externalRef,
      ofMembers: [
        // Few companies share a domain: as an array, they are found by its index, whatever the planner assumes.
        ...(domain === undefined
          ? []
          : [
              sql`id = any(array(
                select id from companies
                where team_id = ${teamId} and domain = ${canonicalDomain(domain) ?? domain} and deleted_at is null
              ))`
            ]),
        ...(tags === undefined ? [] : [sql`tags <> '{}' and tags @> ${tags}::text[]`])
      ]
    })
  })

  /** Locks these domains and names until the transaction ends, so that no other one writes companies that have them. */
  const claim = (teamId: string, names: ReadonlyArray<string>) =>
    orDie(sql`
      select pg_advisory_xact_lock(key) from (
        select distinct hashtextextended(${`company ${teamId} `} || name, 0) as key
        from unnest(${names}::text[]) as wanted (name) order by key
      ) as keys`)

  /** The companies with these domains, and with names of these keys: the oldest ones, at most as many of each as the limits say. */
  // Few companies share a domain or a name: they are found by its index and then sorted, instead of being searched along the list.
  const candidates = (
    teamId: string,
    domains: ReadonlyArray<string>,
    keys: ReadonlyArray<string>,
    limits: { readonly perDomain: number; readonly perName: number }
  ) =>
    table.select(
      teamId,
      // An array is evaluated once, whatever the planner assumes about a table for which it has no statistics yet.
      sql`id = any(array(
        select same.id
        from ${averageTeam(sql, teamId)} as team, unnest(${arrayParameter(sql, "text", domains)}) as wanted (domain), lateral (
          select id from (
            select id, created_at from companies
            where companies.team_id = team.team_id and companies.domain = wanted.domain and deleted_at is null offset 0
          ) as matching
          order by created_at, id limit ${limits.perDomain}
        ) as same
        union all
        select same.id
        from ${averageTeam(sql, teamId)} as team, unnest(${arrayParameter(sql, "text", keys)}) as wanted (name_key), lateral (
          select id from (
            select id, created_at from companies
            where companies.team_id = team.team_id and companies.name_key = wanted.name_key and deleted_at is null offset 0
          ) as matching
          order by created_at, id limit ${limits.perName}
        ) as same))`,
      limits.perDomain * domains.length + limits.perName * keys.length
    )

  const context = Effect.fn("CompaniesRepo.context")(function* (
    change: Change,
    wanted: ReadonlyArray<CompanyFields>,
    options: WriteContextOptions
  ) {
    const { teamId } = change.actor
    const domains = [...new Set(wanted.flatMap(domainsOf))]
    const keys = [...new Set(wanted.flatMap((fields) => keyOf(fields) ?? []))]
    if (wanted.length === 0) return writeContextOf([])
    const perDomain = maxCandidates(options)
    // A name is loaded for all countries.
    const limits = { perDomain, perName: perDomain + 300 }
    // Looked up after the lock: whoever had it may have written a company.
    const [, found] = yield* Transaction.together(
      claim(teamId, [...domains.map((domain) => `domain ${domain}`), ...keys.map((key) => `name ${key}`)]),
      candidates(teamId, domains, keys, limits)
    )
    return writeContextOf(found)
  })

  /** Writes some keys of names, of all teams, that former versions of the rules made; at most `limit`. Returns how many. */
  const renewNameKeys = Effect.fn("CompaniesRepo.renewNameKeys")(function* (limit: number) {
    const isOld = sql`name is not null and name_key_version < ${nameKeyVersion}`
    const found = yield* sql<{ readonly id: string; readonly team_id: string; readonly name: string }>`
      select id, team_id, name from companies where ${isOld} order by name_key_version, id limit ${limit}`
    const renewed = yield* Effect.forEach(
      Map.groupBy(found, ({ team_id }) => team_id),
      ([teamId, some]) => sql`
        update companies set name_key = row.name_key, name_key_version = ${nameKeyVersion}
        from jsonb_to_recordset(${sql.json(some.map(({ id, name }) => ({ id, name, name_key: nameKeyOf(name) })))})
          as row (id uuid, name text, name_key text)
        where companies.team_id = ${teamId} and companies.id = row.id and companies.name = row.name
          and companies.id in (
            select id from companies
            where team_id = ${teamId} and id = any(${some.map(({ id }) => id)}::uuid[]) and ${isOld}
            order by id for update skip locked
          )
        returning companies.id`
    )
    return renewed.flat().length
  }, orDie)

  return {
    ...table,
    list,
    context,
    candidates,
    renewNameKeys,
    search: table.searchBy(searchable)
  }
})

/** The companies of teams. */
export class CompaniesRepo extends Context.Service<CompaniesRepo, Effect.Success<typeof make>>()(
  "network/companies/CompaniesRepo"
) {
  static readonly layer = Layer.effect(CompaniesRepo, make)
}
