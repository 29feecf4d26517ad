/**
 * The SQL that finds what to compare: mandates for a property, and properties for a mandate, scoped by team. Only those are left out
 * that a criterion is sure to exclude.
 */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { areaOfStored, type Box, type StoredArea } from "../mandates/geography/Area.ts"
import type { Located } from "../mandates/rules.ts"
import { columnName } from "../../core/records/Table.ts"
import { maxCandidates, maxScore } from "./Match.ts"
import { makeReaching } from "./ReachingRepo.ts"
import { type ComparedMandate, comparedOfMandate, comparedOfProperty, type ComparedProperty } from "./rules.ts"

/** A record to compare. */
export interface Candidate<Compared> {
  readonly uuid: string
  readonly compared: Compared
}

/** What was found; `isAll` says whether these are not only the best, and `isComplete` whether more came into question. */
export interface Candidates<Compared> {
  readonly candidates: ReadonlyArray<Candidate<Compared>>
  readonly isAll: boolean
  readonly isComplete: boolean
}

/**
 * Which candidates to read: those that can have at least `minScore`, or the first that can have the highest score. All are read where there
 * are few, or few of the best.
 */
export interface Wanted {
  readonly minScore: number
  readonly best?: Best
}

/** The first candidates with the highest score by their creation: after one of them (UUID), and at most `limit`. */
interface Best {
  readonly after: string | undefined
  readonly limit: number
}

/** Where to look for mandates: those whose boxes meet these, and those of a country; without boxes, all. */
export interface WantedMandates {
  readonly boxes: ReadonlyArray<Box> | undefined
  readonly property: ComparedProperty
  readonly now: Date
}

/**
 * Where to look for properties: in the boxes of the mandate's area or countries, which an area and countries supplement by what has no
 * coordinates but may be there, or anywhere.
 */
export interface WantedProperties {
  readonly by: "anywhere" | "area" | "countries"
  readonly boxes: ReadonlyArray<Box>
  /** Those that the place consists of. */
  readonly countries: ReadonlyArray<string>
  readonly mandate: ComparedMandate
}

interface AreaRow extends StoredArea {
  readonly id: string
  readonly country: string | null
  readonly whole_countries: ReadonlyArray<string>
}

const limit = maxCandidates + 1

/** So many candidates are tried for the highest score: where it is rarer, to compare all takes less. */
const maxTried = 2_000

/** So few candidates are all compared at once. */
const few = 1_500

const noUuid = "00000000-0000-0000-0000-000000000000"

/** Several boxes of a mandate can meet several of a search. */
const maxBoxes = 4 * maxCandidates

const make = Effect.gen(function* () {
  const sql = yield* Database
  const reaching = makeReaching(sql)

  const sidesOf = (boxes: ReadonlyArray<Box>): Fragment => sql`
    select box(point(west, south), point(east, north)) as side
    from unnest(
      ${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
      ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[]
    ) as sides (west, south, east, north)`

  /**
   * Reads the newest of these ids, with whether that is all: if the index of places finds too many, the newest records are walked
   * instead, so that all pages are of the same ones. `parts` are common table expressions: `walked`, and what `ids` selects
   * from. Of the best, no more records are compared than it takes to find them; where they are rare, the same statement compares all.
   * The plan is for the values, which decide how many an index finds.
   */
  const read = Effect.fnUntraced(function* <Compared>(
    teamId: string,
    {
      best,
      conditions,
      ids,
      members,
      minScore,
      parts,
      reaching,
      table
    }: {
      readonly table: "mandates" | "properties"
      readonly minScore: number
      readonly best: Best | undefined
      readonly members: ReadonlyArray<string>
      readonly parts: Fragment
      readonly ids: Fragment
      readonly conditions: Fragment
      readonly reaching: (minScore: number) => ReadonlyArray<Fragment>
    }
  ) {
    const columns = sql.literal(members.map(columnName).join(", "))
    const recordsWhere = (id: Fragment, score: number) => sql`
      select id, ${columns} from ${sql.literal(table)}
      where team_id = ${teamId} and ${id} and ${conditions} and ${sql.and(reaching(score))}`
    const tried = sql`
      select id from newest where id > ${best?.after ?? noUuid}::uuid and not (select is_few from extent)
      order by id limit ${maxTried}`
    const rows = yield* orDie(
      sql`
      with ${parts}, found as materialized (
        select id from (${ids}) as ids order by id desc limit ${limit}
      ), extent as materialized (
        select greatest((select count(*) from walked), (select count(*) from found)) <= ${maxCandidates} as is_complete,
          ${best === undefined}::boolean or (select count(*) from found) <= ${few} as is_few
      ), newest as materialized (
        select id from found order by id desc limit ${maxCandidates}
      ), best as materialized (
        select record.* from (${tried}) as ids cross join lateral (
          ${recordsWhere(sql`id = ids.id`, maxScore)} offset 0
        ) as record
        order by ids.id limit ${best?.limit ?? 0}
      ), outcome as materialized (
        select is_complete, is_few or (select count(*) from best) < ${best?.limit ?? 0} as is_all from extent
      )
      select is_complete, is_all, record.*
      from outcome left join (
        select * from best where not (select is_all from outcome)
        union all
        ${recordsWhere(sql`id = any(array(select id from newest where (select is_all from outcome) order by id))`, minScore)}
      ) as record on true
      order by record.id`.valuesUnprepared
    )
    const found: Candidates<Compared> = {
      isComplete: rows[0]?.[0] === true,
      isAll: rows[0]?.[1] === true,
      candidates: rows.flatMap(([, , uuid, ...values]) =>
        typeof uuid === "string"
          ? [{ uuid, compared: Object.fromEntries(members.map((member, at) => [member, values[at]])) as Compared }]
          : []
      )
    }
    return found
  })

  /** Active mandates that may want a property. */
  const mandates = Effect.fn("CandidatesRepo.mandates")(function* (
    teamId: string,
    { boxes, now, property }: WantedMandates,
    { best, minScore }: Wanted
  ) {
    const { categories, country, tags } = property
    return yield* read<ComparedMandate>(teamId, {
      table: "mandates",
      best,
      minScore,
      members: comparedOfMandate,
      parts: sql`
        boxes as materialized (
          select found.mandate_id as id from (${sidesOf(boxes ?? [])}) as sides, lateral (
            select mandate_id from mandate_boxes where team_id = ${teamId} and box && side
          ) as found
          limit ${maxBoxes}
        ), placed as materialized (
          select distinct id from boxes
        ), way as materialized (
          select ${boxes === undefined}::boolean or count(*) > ${maxCandidates}
            or (select count(*) from boxes) = ${maxBoxes} as walks
          from placed
        ), of_country as materialized (
          select id from mandates
          where team_id = ${teamId} and country = ${country}::text and geography is null and status = 'active'
            and deleted_at is null
          order by id desc limit ${limit}
        ), of_whole_country as materialized (
          select mandate_id as id from mandate_boxes
          where team_id = ${teamId} and country = ${country}::text and country <> ''
          order by mandate_id desc limit ${limit}
        ), walked as materialized (
          select id from mandates
          where team_id = ${teamId} and status = 'active' and deleted_at is null and (select walks from way)
          order by created_at desc, id desc limit ${limit}
        )`,
      ids: sql`
        select id from placed where not (select walks from way)
        union
        select id from of_country
        union
        select id from of_whole_country
        union
        select id from walked where ${boxes === undefined}::boolean
          or case when (select count(*) from boxes) < ${maxBoxes} then id in (select id from placed)
            else exists (
              select from mandate_boxes join (${sidesOf(boxes ?? [])}) as sides on box && side
              where team_id = ${teamId} and mandate_id = walked.id
            ) end`,
      conditions: sql`deleted_at is null and status = 'active' and (valid_until is null or valid_until > ${now})
        and (country is null or ${country}::text is null or country = ${country}::text)
        and (categories = '{}' or ${categories}::text[] = '{}' or categories && ${categories}::text[])
        and not negative_tags && ${tags}::text[]`,
      reaching: (score) => reaching.mandates(property, score)
    })
  })

  /** Living properties that may fit a mandate. */
  const properties = Effect.fn("CandidatesRepo.properties")(function* (
    teamId: string,
    { boxes, by, countries, mandate }: WantedProperties,
    { best, minScore }: Wanted
  ) {
    const { categories, country, negativeTags } = mandate
    // Positions are not rounded here, so they may be half a unit outside of the box of an area that contains them.
    const around = boxes.map(({ east, north, south, west }) => ({
      west: west - 1,
      south: south - 1,
      east: east + 1,
      north: north + 1
    }))
    return yield* read<ComparedProperty>(teamId, {
      table: "properties",
      best,
      minScore,
      members: comparedOfProperty,
      parts: sql`
        placed as materialized (
          select found.id from (${sidesOf(around)}) as sides, lateral (
            select id from properties
            where team_id = ${teamId} and property_point(coordinates) <@ side and coordinates is not null
              and deleted_at is null
          ) as found
          limit ${limit}
        ), way as materialized (
          select ${by === "anywhere"}::boolean or count(*) > ${maxCandidates} as walks from placed
        ), without_place as materialized (
          select id from properties
          where team_id = ${teamId} and coordinates is null and deleted_at is null and ${by === "area"}::boolean
          order by id desc limit ${limit}
        ), of_country as materialized (
          select found.id from unnest(${countries}::text[]) as wanted (country), lateral (
            select id from properties
            where team_id = ${teamId} and country = wanted.country and deleted_at is null
            order by id desc limit ${limit}
          ) as found
        ), without_location as materialized (
          select id from properties
          where team_id = ${teamId} and coordinates is null and country is null and deleted_at is null
            and ${by === "countries"}::boolean
          order by id desc limit ${limit}
        ), walked as materialized (
          select id, coordinates from properties
          where team_id = ${teamId} and deleted_at is null and (select walks from way)
          order by created_at desc, id desc limit ${limit}
        )`,
      ids: sql`
        select id from placed where not (select walks from way)
        union
        select id from without_place
        union
        select id from of_country
        union
        select id from without_location
        union
        select id from walked where ${by === "anywhere"}::boolean
          or property_point(coordinates) <@ any(array(${sidesOf(around)}))`,
      conditions: sql`deleted_at is null
        and (country is null or ${country}::text is null or country = ${country}::text)
        and (country is null or ${by !== "countries"}::boolean or country = any(${countries}::text[]))
        and (categories = '{}' or ${categories}::text[] = '{}' or categories && ${categories}::text[])
        and not tags && ${negativeTags}::text[]`,
      reaching: (score) => reaching.properties(mandate, score)
    })
  })

  /** The team's own active mandates, which it keeps for nobody else: the newest. */
  const own = Effect.fn("CandidatesRepo.own")(function* (teamId: string, now: Date, limit: number) {
    const rows = yield* orDie(
      sql`
      select id, ${sql.literal(comparedOfMandate.map(columnName).join(", "))} from mandates
      where team_id = ${teamId} and status = 'active' and investor_id is null and deleted_at is null
        and (valid_until is null or valid_until > ${now}::timestamptz)
      order by created_at desc, id desc limit ${limit}`.values
    )
    return rows.map(([uuid, ...values]) => ({
      uuid: uuid as string,
      compared: Object.fromEntries(comparedOfMandate.map((member, at) => [member, values[at]])) as ComparedMandate
    }))
  })

  /** Where those of these mandates (UUIDs) look that have an area. */
  const areas = Effect.fn("CandidatesRepo.areas")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const rows = yield* orDie(sql<AreaRow>`
      select id, geography, near, radius, country, whole_countries from mandates
      where team_id = ${teamId} and id = any(${uuids}::uuid[]) and geography is not null`)
    return new Map(
      rows.map(({ country, id, whole_countries: wholeCountries, ...row }): readonly [string, Located] => [
        id,
        { area: areaOfStored(row), country, wholeCountries }
      ])
    )
  })

  return { mandates, properties, own, areas }
})

/** Finds what to compare. */
export class CandidatesRepo extends Context.Service<CandidatesRepo, Effect.Success<typeof make>>()(
  "market/matches/CandidatesRepo"
) {
  static readonly layer = Layer.effect(CandidatesRepo, make)
}
