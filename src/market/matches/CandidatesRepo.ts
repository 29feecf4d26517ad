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
import {
  type ComparedMandate,
  comparedOfMandate,
  comparedOfProperty,
  type ComparedProperty,
  type Ranked
} from "./rules.ts"

/** A record to compare. */
export interface Candidate<Compared> {
  readonly uuid: string
  readonly compared: Compared
}

/** What was found. */
export interface Candidates<Compared> {
  readonly candidates: ReadonlyArray<Candidate<Compared>>
  /** Whether no more came into question than are compared. */
  readonly isComplete: boolean
  /** Whether these are all that can have the lowest score, whichever were wanted. */
  readonly isAll: boolean
  /** Which match what was not read comes after, in the order of matches; undefined if there is no more. */
  readonly unread: Ranked | undefined
}

/**
 * Which candidates to read: of those that can have at least `minScore` the first, in the order of the scores that they can have, after one
 * of them. All are read where there are few.
 */
export interface Wanted {
  readonly minScore: number
  readonly after: Ranked | undefined
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
  /** Those that may have a part of the area, where that is looked up: what is in another one and has no coordinates is not in the area. */
  readonly meeting: ReadonlyArray<string> | undefined
  readonly mandate: ComparedMandate
}

/** What an index of properties finds in the order of ids. */
interface Ordered {
  /** What is looked up one after the other. */
  readonly among?: Fragment
  readonly where: Fragment
  /** Which of them can be in the place. */
  readonly isPossible?: Fragment
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

/** So many properties in a place are looked at to know which are the newest. Of more, the newest of all are looked through. */
const maxPlaced = 15_000

/** So many boxes are nearly always those of more mandates than are compared. */
const maxFirstBoxes = 12_500

/** Several boxes of a mandate can meet several of a search. */
const maxBoxes = 4 * maxCandidates

/** A function that makes what is compared of the values of a row, which begin at a place. */
const readerOf = <Compared>(members: ReadonlyArray<string>, from: number) => {
  // Copying an object that has all members is cheaper than adding them one by one.
  const empty: Record<string, unknown> = Object.fromEntries(members.map((member) => [member, null]))
  return (row: ReadonlyArray<unknown>): Compared => {
    const compared = { ...empty }
    members.forEach((member, at) => (compared[member] = row[from + at]))
    return compared as Compared
  }
}

/** The candidates of rows that have two other columns before the id and the members. */
const candidatesOf = <Compared>(
  members: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>
): ReadonlyArray<Candidate<Compared>> => {
  const read = readerOf<Compared>(members, 3)
  return rows.flatMap((row) => (typeof row[2] === "string" ? [{ uuid: row[2], compared: read(row) }] : []))
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const reaching = makeReaching(sql)

  const columnsOf = (members: ReadonlyArray<string>) => sql.literal(members.map(columnName).join(", "))

  const sidesOf = (boxes: ReadonlyArray<Box>): Fragment => sql`
    select box(point(west, south), point(east, north)) as side
    from unnest(
      ${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
      ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[]
    ) as sides (west, south, east, north)`

  /**
   * Active mandates that may want a property: the newest that come into question. If the index of places finds too many, the newest of all
   * are walked instead, so that all pages are of the same ones. Of the best, no more are compared than it takes to find them; where they
   * are rare, the same statement compares all. The plan is for the values, which decide how many an index finds.
   */
  const mandates = Effect.fn("CandidatesRepo.mandates")(function* (
    teamId: string,
    { boxes, now, property }: WantedMandates,
    { after, limit: most, minScore }: Wanted
  ) {
    const { categories, country, tags } = property
    const isBest = most < maxCandidates
    const sides = sidesOf(boxes ?? [])
    const boxesWhere = (condition: Fragment, limit: number) => sql`
      select found.id from (${sides}) as sides, lateral (
        select mandate_id as id from mandate_boxes where team_id = ${teamId} and box && side and ${condition}
      ) as found
      limit ${limit}`
    const recordsWhere = (id: Fragment, score: number) => sql`
      select id, ${columnsOf(comparedOfMandate)} from mandates
      where team_id = ${teamId} and ${id} and deleted_at is null and status = 'active'
        and (valid_until is null or valid_until > ${now})
        and (country is null or ${country}::text is null or country = ${country}::text)
        and (categories = '{}' or ${categories}::text[] = '{}' or categories && ${categories}::text[])
        and not negative_tags && ${tags}::text[] and ${sql.and(reaching.mandates(property, score))}`
    // In the order of ids, in which the newest stand together, and not by their places, where too many are.
    const isNear = sql`coalesce(box && any(array(${sides})), false)`
    const rows = yield* orDie(
      sql`
      with first_boxes as materialized (
        ${boxesWhere(sql`true`, maxFirstBoxes)}
      ), first as materialized (
        select boxes = ${maxFirstBoxes} as is_full,
          boxes > ${maxCandidates} and (select count(*) from (select distinct id from first_boxes) as ids) > ${maxCandidates} as are_many
        from (select count(*) as boxes from first_boxes) as counted
      ), all_boxes as materialized (
        ${boxesWhere(sql`(select is_full and not are_many from first)`, maxBoxes)}
      ), way as materialized (
        select ${boxes === undefined}::boolean or are_many or is_full and (
          (select count(*) from all_boxes) = ${maxBoxes}
          or (select count(*) from (select distinct id from all_boxes) as ids) > ${maxCandidates}
        ) as walks, is_full
        from first
      ), walked as materialized (
        select id from mandates
        where team_id = ${teamId} and status = 'active' and deleted_at is null and (select walks from way)
        order by created_at desc, id desc limit ${limit}
      ), found as materialized (
        select array(
          select id from first_boxes where (select not walks and not is_full from way)
          union
          select id from all_boxes where (select not walks and is_full from way)
          union
          (
            select id from mandates
            where team_id = ${teamId} and country = ${country}::text and geography is null and status = 'active'
              and deleted_at is null
            order by id desc limit ${limit}
          )
          union
          (
            select mandate_id from mandate_boxes
            where team_id = ${teamId} and country = ${country}::text and country <> ''
            order by mandate_id desc limit ${limit}
          )
          union
          select id from walked where ${boxes === undefined}::boolean or id in (
            select mandate_id from mandate_boxes
            where team_id = ${teamId} and mandate_id >= (select id from walked order by id limit 1) and ${isNear}
          )
          order by id
        ) as ids
      ), extent as materialized (
        select greatest((select count(*) from walked), cardinality(ids)) <= ${maxCandidates} as is_complete,
          ${!isBest}::boolean or cardinality(ids) <= ${few} as is_few,
          ids[1 + greatest(0, cardinality(ids) - ${maxCandidates}):] as ids
        from found
      ), best as materialized (
        ${recordsWhere(
          sql`id = any((
            select ids[tried.first:tried.first + ${maxTried - 1}]
            from extent, lateral (select 1 + width_bucket(${after?.uuid ?? noUuid}::uuid, ids) as first) as tried
            where not is_few
          )::uuid[])`,
          maxScore
        )}
        order by id limit ${isBest ? most : 0}
      ), outcome as materialized (
        select is_complete, is_few or (select count(*) from best) < ${most} as is_all from extent
      )
      select is_complete, is_all, record.*
      from outcome left join (
        select * from best where not (select is_all from outcome)
        union all
        ${recordsWhere(sql`id = any((select ids from extent where (select is_all from outcome))::uuid[])`, minScore)}
      ) as record on true
      order by record.id`.valuesUnprepared
    )
    const candidates = candidatesOf<ComparedMandate>(comparedOfMandate, rows)
    const isAll = rows[0]?.[1] === true
    const last = isAll ? undefined : candidates.at(-1)
    const found: Candidates<ComparedMandate> = {
      candidates,
      isComplete: rows[0]?.[0] === true,
      isAll,
      unread: last === undefined ? undefined : { score: maxScore, uuid: last.uuid }
    }
    return found
  })

  /**
   * Living properties that may fit a mandate, in the order of the score that each can have. Indexes alone say so of most of the newest that
   * come into question, so that few are read.
   */
  const properties = Effect.fn("CandidatesRepo.properties")(function* (
    teamId: string,
    { boxes, by, countries, mandate, meeting }: WantedProperties,
    { after, limit: most, minScore }: Wanted
  ) {
    const { categories, country, negativeTags } = mandate
    const { conditions, lost } = reaching.properties(mandate, minScore)
    // A place of countries finds no others.
    const isSameCountry = by === "countries" && countries.every((code) => code === country)
    const isWanted = sql.and([
      sql`true`,
      ...(country === null || isSameCountry ? [] : [sql`(country is null or country = ${country})`]),
      ...(categories.length === 0 ? [] : [sql`(categories && ${categories}::text[] or categories = '{}')`]),
      ...(negativeTags.length === 0 ? [] : [sql`not tags && ${negativeTags}::text[]`]),
      ...conditions
    ])
    // Positions are not rounded here, so they may be half a unit outside of the box of an area that contains them.
    const sides = sidesOf(
      boxes.map(({ east, north, south, west }) => ({
        west: west - 1,
        south: south - 1,
        east: east + 1,
        north: north + 1
      }))
    )
    // What is in one of the countries is found by it, wherever it is.
    const isElsewhere = by === "countries" ? sql`(country is null or country <> all(${countries}::text[]))` : sql`true`
    const isInside =
      by === "anywhere"
        ? sql`true`
        : sql`${isElsewhere} and coalesce(property_point(coordinates) <@ any(array(${sides})), false)`
    const living = sql`team_id = ${teamId} and deleted_at is null`
    const lostIfWanted = sql`case when ${isWanted} then ${lost} end`
    /** What indexes find in the order of ids: among what, and where. */
    const [code, ...codes] = countries
    const ordered: ReadonlyArray<Ordered> = {
      anywhere: [],
      area: [
        {
          where: sql`${living} and coordinates is null`,
          isPossible: meeting === undefined ? sql`true` : sql`(country is null or country = any(${meeting}::text[]))`
        }
      ],
      countries: [
        ...(codes.length === 0
          ? [{ where: sql`${living} and country = ${code ?? ""}` }]
          : [{ among: sql`unnest(${countries}::text[]) as one (code)`, where: sql`${living} and country = code` }]),
        { where: sql`${living} and coordinates is null and country is null` }
      ]
    }[by]
    const select = (what: Fragment, { among, where }: Ordered, rest: Fragment) =>
      among === undefined
        ? sql`(select ${what} from properties where ${where} ${rest})`
        : sql`(select found.* from ${among}, lateral (select ${what} from properties where ${where} ${rest}) as found)`
    const union = (parts: ReadonlyArray<Fragment>) => parts.reduce((all, part) => sql`${all} union all ${part}`)
    const distinct = boxes.length > 1 ? sql`distinct` : sql``
    // Few of those that are elsewhere can be wanted: those without a country. These alone are read as far as their price.
    const lostThere = by === "countries" ? sql`case when country is null then 0 end` : lostIfWanted
    const rankedOf = (table: Fragment) =>
      by === "countries"
        ? sql`(
          select there.id, record.lost from (select ${distinct} id from ${table} where lost = 0) as there cross join lateral (
            select ${lost} as lost from properties
            where team_id = ${teamId} and id = there.id and id >= (select oldest from extent) and ${isWanted} offset 0
          ) as record)`
        : sql`(select ${distinct} id, lost from ${table} where lost is not null)`
    const rows = yield* orDie(
      sql`
      with placed as materialized (
        select found.* from (${sides}) as sides, lateral (
          select id, created_at, ${isElsewhere} as is_found, ${lostThere} as lost from properties
          where property_point(coordinates) <@ side and coordinates is not null and ${living}
        ) as found
        limit ${maxPlaced}
      ), way as materialized (
        select ${by === "anywhere"}::boolean or count(*) > ${maxCandidates} as walks, count(*) < ${maxPlaced} as has_placed
        from placed
      ), oldest_walked as materialized (
        select created_at, id from properties where ${living} and (select walks from way)
        order by created_at desc, id desc offset ${maxCandidates} limit 1
      ), walked as materialized (
        select id, ${isInside} as is_found, ${lostThere} as lost
        from (
          select * from properties where ${living} ${by === "anywhere" ? sql`` : sql`and (select not has_placed from way)`}
          order by created_at desc, id desc limit ${limit}
        ) as newest
      ), there as materialized (
        select id, lost from placed
        where is_found and (select has_placed from way) and (created_at, id) >= (
          coalesce((select created_at from oldest_walked), '-infinity'), coalesce((select id from oldest_walked), ${noUuid}::uuid)
        )
        union all
        select id, lost from walked where is_found
      ), last as materialized (
        select array_agg(id order by id desc) as ids from (
          select id from (${union([
            sql`(select ${distinct} id from there)`,
            ...ordered.map((one) => select(sql`id`, one, sql`order by id desc limit ${limit}`))
          ])}) as ids
          order by id desc offset ${maxCandidates - 1} limit 2
        ) as ids
      ), extent as materialized (
        select coalesce(ids[1], ${noUuid}::uuid) as oldest,
          coalesce(cardinality(ids), 0) < 2 and not exists (select from oldest_walked) as is_complete
        from last
      ), ranked as materialized (
        select id, lost from (${union([
          rankedOf(sql`there`),
          ...ordered.map((one) =>
            select(
              sql`id, ${lost} as lost`,
              one,
              sql`and id >= (select oldest from extent) and ${one.isPossible ?? sql`true`} and ${isWanted}`
            )
          )
        ])}) as found
        where id >= (select oldest from extent)
          and ${after === undefined ? sql`true` : sql`(lost, id) > (${maxScore - after.score}::integer, ${after.uuid}::uuid)`}
        order by lost, id limit ${most}
      )
      select is_complete, lost, record.*
      from extent left join (
        ranked cross join lateral (
          select id as uuid, ${columnsOf(comparedOfProperty)} from properties where team_id = ${teamId} and id = ranked.id offset 0
        ) as record
      ) on true
      order by lost, id`.valuesUnprepared
    )
    const candidates = candidatesOf<ComparedProperty>(comparedOfProperty, rows)
    const last = rows.length < most ? undefined : rows.at(-1)
    const found: Candidates<ComparedProperty> = {
      candidates,
      isComplete: rows[0]?.[0] === true,
      isAll: after === undefined && last === undefined,
      unread: last === undefined ? undefined : { score: maxScore - Number(last[1]), uuid: String(last[2]) }
    }
    return found
  })

  /** The team's own active mandates, which it keeps for nobody else: the newest. */
  const own = Effect.fn("CandidatesRepo.own")(function* (teamId: string, now: Date, limit: number) {
    const rows = yield* orDie(
      sql`
      select id, ${columnsOf(comparedOfMandate)} from mandates
      where team_id = ${teamId} and status = 'active' and investor_id is null and deleted_at is null
        and (valid_until is null or valid_until > ${now}::timestamptz)
      order by created_at desc, id desc limit ${limit}`.values
    )
    const read = readerOf<ComparedMandate>(comparedOfMandate, 1)
    return rows.map((row) => ({ uuid: row[0] as string, compared: read(row) }))
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
