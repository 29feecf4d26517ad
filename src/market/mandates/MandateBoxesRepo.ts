/**
 * The SQL of the boxes by which mandates are found by their place, scoped by team. A mandate without a place has the box of the whole
 * Earth.
 */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Box } from "./geography/Area.ts"
import { areaOfStored, type StoredArea } from "./geography/encoding.ts"
import type { MandateConditions } from "./Mandate.ts"
import type { Located } from "./rules.ts"

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

const make = Effect.gen(function* () {
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

  /** The mandates of a page of a team. `parts` are common table expressions: `page`, and `reached` with one row. */
  const read = Effect.fnUntraced(function* (teamId: string, conditions: ScanConditions, parts: Fragment) {
    // The plan is for the values, which decide how many boxes meet those of the search.
    const rows = yield* orDie(
      sql<Row>`
      with ${parts}
      select page.mandate_id as id, ${conditionsOf(conditions)} as fits, geography, near, radius, country,
        whole_countries, reached, too_many
      from reached left join page on true left join mandates on mandates.id = page.mandate_id and mandates.team_id = ${teamId}
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
      where team_id = ${teamId} and mandate_id > ${after ?? noUuid}::uuid
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
        where mandate_id > ${after ?? noUuid}::uuid and (select count(*) from planned) <= ${maxBoxes}
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
export class MandateBoxesRepo extends Context.Service<MandateBoxesRepo, Effect.Success<typeof make>>()(
  "market/mandates/MandateBoxesRepo"
) {
  static readonly layer = Layer.effect(MandateBoxesRepo, make)
}
