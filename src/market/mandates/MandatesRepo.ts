/** The SQL of mandates, scoped by team. */
import * as Id from "../../core/Id.ts"
import * as RecordTable from "../../core/records/RecordTable.ts"
import { Context, Effect, Layer, type Schema } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { Range } from "../../core/mutation/DeltaList.ts"
import { parseQuery } from "../../core/externalRefs/ExternalRef.ts"
import { arrayParameter, averageTeamId, type Chunk, chunkOf } from "../../platform/db/SetStatements.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { column, type Stored, type Table, text, texts } from "../../core/records/Table.ts"
import { areaOfStored, type Box, decodeArea, encodeArea, type StoredArea } from "./geography/Area.ts"
import { areaOf, geographyOf } from "./geography/Geography.ts"
import {
  Mandate,
  type MandateConditions,
  type MandateFields,
  type MandateListQuery,
  type StoredMandate
} from "./Mandate.ts"
import { investorUuid, type Located, toMandate } from "./rules.ts"
import type { Fragment } from "effect/sql/Statement"

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

const make = Effect.gen(function* () {
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

  /** Locks mandates of these contacts or companies until the transaction ends, at most `limit`, and returns them. */
  const lockOf = Effect.fn("MandatesRepo.lockOf")(function* (
    teamId: string,
    of: Investors,
    { closed, limit }: { readonly limit: number; readonly closed: boolean }
  ): Effect.fn.Return<Chunk<Stored<StoredMandate>>> {
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

  /** Locks those of these contacts and companies (UUIDs) that exist for share, and returns their ids. */
  const lockInvestors = Effect.fn("MandatesRepo.lockInvestors")(function* (
    { actor: { teamId } }: Change,
    { companies, contacts }: { readonly contacts: ReadonlyArray<string>; readonly companies: ReadonlyArray<string> }
  ) {
    // Contacts are locked before companies, as by all writers.
    const found = yield* lockExisting(teamId, "contact", contacts)
    return new Set<string>([...found, ...(yield* lockExisting(teamId, "company", companies))])
  })

  return { ...table, list, lockOf, lockInvestors }
})

/** The mandates of teams. */
export class MandatesRepo extends Context.Service<MandatesRepo, Effect.Success<typeof make>>()(
  "market/mandates/MandatesRepo"
) {
  static readonly layer = Layer.effect(MandatesRepo, make)
}

// The SQL of the boxes by which mandates are found by their place, scoped by team. A mandate without a place has the box of the whole
// Earth.

/** A box of a mandate, with the country that it is of, if the place of the mandate consists of countries. */
export interface BoxOf extends Box {
  readonly country?: string
}

/** The boxes of a mandate (UUID). */
export interface BoxesOf {
  readonly mandate: string
  readonly boxes: ReadonlyArray<BoxOf>
}

/** What mandates a search by place looks at. */
export interface Scan {
  /** The boxes to search with. */
  readonly boxes: ReadonlyArray<Box>
  readonly conditions: ScanConditions
  /** Where to go on: after this mandate (UUID). */
  readonly after: string | undefined
  /** The most mandates to return. */
  readonly limit: number
  /** The most boxes to read; more than a mandate has. */
  readonly maxBoxes: number
}

/** What mandates must be besides where they are: {@link MandateConditions} at a time. */
export interface ScanConditions extends MandateConditions {
  readonly now: Date
}

/** Mandates whose boxes meet those of a search, in the order of their UUIDs. */
export interface Scanned {
  readonly candidates: ReadonlyArray<{ readonly uuid: string } & Located>
  /** The mandate (UUID) after which the next scan goes on; null at the end. */
  readonly reached: string | null
}

const noUuid = "00000000-0000-0000-0000-000000000000"

interface Row extends StoredArea {
  readonly id: string | null
  readonly fits: boolean | null
  readonly country: string | null
  readonly whole_countries: ReadonlyArray<string> | null
  readonly reached: string | null
  readonly too_many: boolean
}

const makeBoxes = Effect.gen(function* () {
  const sql = yield* Database

  const sidesOf = (boxes: ReadonlyArray<Box>): Fragment =>
    sql`${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
        ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[]`

  const boxesOf = (boxes: ReadonlyArray<Box>): Fragment => sql`
    select box(point(west, south), point(east, north)) from unnest(${sidesOf(boxes)}) as sides (west, south, east, north)`

  /** Replaces the boxes of mandates: those of one without any are removed. */
  const replace = Effect.fn("MandateBoxesRepo.replace")(function* (teamId: string, of: ReadonlyArray<BoxesOf>) {
    if (of.length === 0) return
    const rows = of.flatMap(({ boxes, mandate }) => boxes.map((box) => ({ mandate, box })))
    // Boxes that stay are not written again: most changes of a mandate leave its place as it is.
    yield* orDie(sql`
      with wanted as (
        select distinct mandate_id, country, west, south, east, north
        from unnest(${rows.map(({ mandate }) => mandate)}::uuid[], ${rows.map(({ box }) => box.country ?? "")}::text[],
          ${sidesOf(rows.map(({ box }) => box))}) as boxes (mandate_id, country, west, south, east, north)
      ), present as (
        select mandate_id, country, (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north,
          ctid as place
        from mandate_boxes
        where team_id = ${teamId} and mandate_id = any(${of.map(({ mandate }) => mandate)}::uuid[])
      ), removed as (
        delete from mandate_boxes
        where team_id = ${teamId} and ctid = any(array(
          select place from present left join wanted using (mandate_id, country, west, south, east, north)
          where wanted.mandate_id is null))
      )
      insert into mandate_boxes (team_id, mandate_id, country, box)
      select ${teamId}::uuid, mandate_id, country, box(point(west, south), point(east, north))
      from wanted left join present using (mandate_id, country, west, south, east, north)
      where place is null`)
  })

  const conditionsOf = ({ categories, now, status, tags }: ScanConditions): Fragment =>
    sql.and([
      sql`deleted_at is null`,
      ...(status === undefined
        ? [sql`status = 'active'`, sql`(valid_until is null or valid_until > ${now})`]
        : status === "all"
          ? []
          : [sql`status = ${status}`]),
      ...(categories === undefined
        ? []
        : [sql`(mandates.categories = '{}' or mandates.categories && ${categories}::text[])`]),
      ...(tags === undefined
        ? []
        : [sql`(positive_tags = '{}' or positive_tags && ${tags}::text[])`, sql`not negative_tags && ${tags}::text[]`])
    ])

  /** That a box is of a mandate of this investor, or with this external reference, where a search asks for those alone: they are few. */
  const isAsked = (teamId: string, conditions: ScanConditions): ReadonlyArray<Fragment> => {
    const { company_id, contact_id, external_ref } = conditions
    const ref = external_ref === undefined ? undefined : parseQuery(external_ref)
    const isKeptFor = (uuid: string | undefined) => sql`mandate_id = any(array(
      select id from mandates
      where team_id = ${teamId} and investor_id = ${uuid ?? null}::uuid and deleted_at is null))`
    return [
      ...(contact_id === undefined ? [] : [isKeptFor(Id.toUuid("contact", contact_id))]),
      ...(company_id === undefined ? [] : [isKeptFor(Id.toUuid("company", company_id))]),
      ...(ref === undefined
        ? []
        : [
            sql`mandate_id = any(array(
              select resource_id from external_references
              where team_id = ${teamId} and resource_type = 'mandate'
                and namespace = ${ref.namespace} and external_id = ${ref.externalId}))`
          ])
    ]
  }

  /** The mandates of a page of a team. `parts` are common table expressions: `page`, and `reached` with one row. */
  const read = Effect.fnUntraced(function* (teamId: string, conditions: ScanConditions, parts: Fragment) {
    // The plan is for the values, which decide how many boxes meet those of the search.
    const rows = yield* orDie(
      sql<Row>`
      with ${parts}
      select page.mandate_id as id, ${conditionsOf(conditions)} as fits, geography, near, radius, country,
        whole_countries, reached, too_many
      from reached left join page on true left join mandates on mandates.id = page.mandate_id
        and mandates.team_id = ${averageTeamId(sql, teamId)}
      order by page.mandate_id`.unprepared
    )
    return {
      tooMany: rows[0]?.too_many === true,
      reached: rows[0]?.reached ?? null,
      candidates: rows.flatMap(({ fits, id, ...row }) =>
        id === null || fits !== true
          ? []
          : [
              {
                uuid: id,
                country: row.country,
                area: areaOfStored(row),
                wholeCountries: row.whole_countries ?? []
              }
            ]
      )
    }
  })

  /** The next mandates that may meet the boxes of a search, among the next boxes of the team in the order of mandates. */
  // A walk that ends without a full page goes on after the last mandate that it found, or saw all boxes of.
  const walk = Effect.fn("MandateBoxesRepo.walk")(function* (
    teamId: string,
    { after, boxes, conditions, limit, maxBoxes }: Scan
  ) {
    const walked = sql`
      select mandate_id, box from mandate_boxes
      where ${sql.and([sql`team_id = ${teamId}`, sql`mandate_id > ${after ?? noUuid}::uuid`, ...isAsked(teamId, conditions)])}
      order by mandate_id`
    return yield* read(
      teamId,
      conditions,
      sql`page as materialized (
        select distinct mandate_id from (${walked} limit ${maxBoxes}) as walked
        where box && any(array(${boxesOf(boxes)}))
        order by mandate_id limit ${limit}
      ), found as (
        select mandate_id from page order by mandate_id desc limit 1
      ), last as (
        select mandate_id from (${walked} offset ${maxBoxes - 1} limit 1) as walked
      ), reached as (
        select case
          when (select count(*) from page) = ${limit} then (select mandate_id from found)
          else greatest((select mandate_id from found where exists (select from last)), (
            select mandate_id from mandate_boxes
            where team_id = ${teamId} and mandate_id < (select mandate_id from last)
            order by mandate_id desc limit 1
          ))
        end as reached, false as too_many
      )`
    )
  })

  /** The next mandates that may meet the boxes of a search, by the index of places; undefined if it finds more boxes than to read. */
  const lookUp = Effect.fn("MandateBoxesRepo.lookUp")(function* (
    teamId: string,
    { after, boxes, conditions, limit, maxBoxes }: Scan
  ) {
    const { tooMany, ...scanned } = yield* read(
      teamId,
      conditions,
      sql`planned as materialized (
        select found.mandate_id
        from (${boxesOf(boxes)}) as sides (side), lateral (
          select mandate_id from mandate_boxes where team_id = ${teamId} and box && side
        ) as found
        limit ${maxBoxes + 1}
      ), page as materialized (
        select distinct mandate_id from planned
        where ${sql.and([
          sql`mandate_id > ${after ?? noUuid}::uuid`,
          sql`(select count(*) from planned) <= ${maxBoxes}`,
          ...isAsked(teamId, conditions)
        ])}
        order by mandate_id limit ${limit}
      ), reached as (
        select
          case when (select count(*) from page) = ${limit} then (
            select mandate_id from page order by mandate_id desc limit 1
          ) end as reached,
          (select count(*) from planned) > ${maxBoxes} as too_many
      )`
    )
    return tooMany ? undefined : scanned
  })

  return { replace, walk, lookUp }
})

/** The boxes of mandates. */
export class MandateBoxesRepo extends Context.Service<MandateBoxesRepo, Effect.Success<typeof makeBoxes>>()(
  "market/mandates/MandateBoxesRepo"
) {
  static readonly layer = Layer.effect(MandateBoxesRepo, makeBoxes)
}
