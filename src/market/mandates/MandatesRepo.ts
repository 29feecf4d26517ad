/** The SQL of mandates, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer, type Schema } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { arrayParameter, type Chunk, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { EditableKind, ReadableKind } from "../../core/records/RecordKind.ts"
import { column, type Stored, type Table, text, texts } from "../../core/records/Table.ts"
import { decodeArea, encodeArea } from "./geography/encoding.ts"
import { areaOf } from "./geography/Geography.ts"
import { geographyOf } from "./geography/geographyOf.ts"
import { Mandate, type MandateFields, type MandateListQuery, type StoredMandate } from "./Mandate.ts"
import { investorUuid, toMandate } from "./rules.ts"

const range = (name: string) => column(name, "jsonb")

const hex = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString("hex")}`

/** The table of mandates. */
export const mandatesTable: Table<MandateFields, StoredMandate> = {
  type: "mandate",
  name: "mandates",
  columns: {
    name: text("name"),
    description: text("description"),
    status: text("status"),
    validUntilUtc: column("valid_until", "timestamptz"),
    investor: column("investor", "jsonb"),
    categories: texts("categories"),
    subcategories: texts("subcategories"),
    lifecycleStages: texts("lifecycle_stages"),
    tenures: texts("tenures"),
    dealStructures: texts("deal_structures"),
    conversions: texts("conversions"),
    riskProfiles: texts("risk_profiles"),
    investmentSize: range("investment_size"),
    yearBuilt: range("year_built"),
    parcelArea: range("parcel_area"),
    lettableArea: range("lettable_area"),
    zoningGfa: range("zoning_gfa"),
    netInitialYield: range("net_initial_yield"),
    vacancyRate: range("vacancy_rate"),
    targetIrr: range("target_irr"),
    wault: range("wault"),
    unitCount: range("unit_count"),
    pricePerSqm: range("price_per_sqm"),
    worstEnergyClass: text("worst_energy_class"),
    country: text("country"),
    geography: {
      ...column("geography", "bytea"),
      codec: {
        toValue: (geography) => hex(encodeArea(areaOf(geography as Schema.Json))),
        toMember: (bytes) => geographyOf(decodeArea(bytes as Uint8Array))
      }
    },
    near: column("near", "jsonb"),
    radius: column("radius", "double precision"),
    wholeCountries: texts("whole_countries"),
    positiveTags: texts("positive_tags"),
    negativeTags: texts("negative_tags")
  },
  answers: Mandate.fields,
  derived: { investor_id: { type: "uuid", of: investorUuid } },
  mergeable: false,
  toResource: toMandate
}

/** Contacts or companies (UUIDs) for which mandates are kept. */
export type Investors = { readonly contacts: ReadonlyArray<string> } | { readonly companies: ReadonlyArray<string> }

/** The mandates of teams. */
export class MandatesRepo extends Context.Service<
  MandatesRepo,
  EditableKind<MandateFields, StoredMandate>["repo"] &
    ReadableKind<StoredMandate, MandateListQuery>["repo"] & {
      /** Locks mandates of these contacts or companies until the transaction ends, at most `limit`, and returns them. */
      readonly lockOf: (
        teamId: string,
        of: Investors,
        options: { readonly limit: number; readonly closed: boolean }
      ) => Effect.Effect<Chunk<Stored<StoredMandate>>>
      /** Locks those of these contacts and companies (UUIDs) that exist for share, and returns their ids. */
      readonly lockInvestors: (
        change: Change,
        uuids: { readonly contacts: ReadonlyArray<string>; readonly companies: ReadonlyArray<string> }
      ) => Effect.Effect<ReadonlySet<string>>
    }
>()("market/mandates/MandatesRepo") {
  static readonly layer = Layer.effect(
    MandatesRepo,
    Effect.gen(function* () {
      const sql = yield* Database
      const table = yield* RecordTable.make(mandatesTable)

      const list = Effect.fn("MandatesRepo.list")(function* (teamId: string, range: Range, query: MandateListQuery) {
        // An id of another type has no mandates.
        const isKeptFor = (prefix: "company" | "contact", id: string) =>
          sql`investor_id = ${Id.toUuid(prefix, id) ?? null}::uuid`
        return yield* table.list(teamId, range, {
          externalRef: query.external_ref,
          ofMembers: [
            ...(query.status === undefined ? [] : [sql`status = ${query.status}`]),
            ...(query.contact_id === undefined ? [] : [isKeptFor("contact", query.contact_id)]),
            ...(query.company_id === undefined ? [] : [isKeptFor("company", query.company_id)])
          ]
        })
      })

      const lockOf: MandatesRepo["Service"]["lockOf"] = Effect.fn("MandatesRepo.lockOf")(function* (
        teamId,
        of,
        { closed, limit }
      ) {
        const uuids = "contacts" in of ? of.contacts : of.companies
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select id from mandates
          where team_id = ${teamId} and investor_id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
            and (${closed}::boolean or status <> 'closed')
          order by id limit ${limit + 1}`)
        const { left, taken } = chunkOf(rows, limit)
        const locked = yield* table.lock(
          teamId,
          taken.map(({ id }) => id)
        )
        // While the lock waited, some may have been deleted, or kept for somebody else.
        return {
          taken: locked.filter(({ deleted, resource }) => !deleted && uuids.includes(investorUuid(resource) ?? "")),
          left
        }
      })

      const lockExisting = Effect.fnUntraced(function* (
        teamId: string,
        type: "company" | "contact",
        uuids: ReadonlyArray<string>
      ) {
        if (uuids.length === 0) return []
        const rows = yield* orDie(sql<{ readonly id: string }>`
          select id from ${sql.literal(type === "contact" ? "contacts" : "companies")}
          where team_id = ${teamId} and id = any(${arrayParameter(sql, "uuid", uuids)}) and deleted_at is null
          order by id for share`)
        return rows.map(({ id }) => Id.fromUuid(type, id))
      })

      const lockInvestors = Effect.fn("MandatesRepo.lockInvestors")(function* (
        { actor: { teamId } }: Change,
        { companies, contacts }: { readonly contacts: ReadonlyArray<string>; readonly companies: ReadonlyArray<string> }
      ) {
        // Contacts are locked before companies, as by all writers.
        const found = yield* lockExisting(teamId, "contact", contacts)
        return new Set<string>([...found, ...(yield* lockExisting(teamId, "company", companies))])
      })

      return MandatesRepo.of({ ...table, list, lockOf, lockInvestors })
    })
  )
}
