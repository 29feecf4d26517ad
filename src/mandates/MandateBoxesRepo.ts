/**
 * The SQL of the boxes by which mandates are found by their place, scoped by team. A mandate without a place has the box of the whole
 * Earth.
 */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import type { Box } from "./geography/Area.ts"
import { areaOfStored, type StoredArea } from "./geography/storedArea.ts"
import type { MandateConditions } from "./MandateInput.ts"
import type { Located } from "./place.ts"

/** The boxes of a mandate (UUID). */
export interface BoxesOf {
  readonly mandate: string
  readonly boxes: ReadonlyArray<Box>
}

/** What mandates a search by place looks at. */
export interface Scan {
  /** The boxes to search with. */
  readonly boxes: ReadonlyArray<Box>
  readonly conditions: ScanConditions
  /** Where to go on: after this mandate (UUID). */
  readonly after: string | undefined
  /** Whether to walk all mandates in their order, instead of those that the index of places finds. */
  readonly walks: boolean
  /** The most mandates to return. */
  readonly limit: number
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
  /** Whether the index finds too many, so that scans walk. */
  readonly walks: boolean
}

/** From this number of boxes on, walking finds the next mandates sooner than sorting all that the index finds. */
export const maxIndexed = 10_000

/** The most boxes that one scan walks. */
export const maxWalked = 4_000

const noUuid = "00000000-0000-0000-0000-000000000000"

interface Row extends StoredArea {
  readonly id: string | null
  readonly fits: boolean | null
  readonly country: string | null
  readonly walks: boolean
  readonly reached: string | null
}

/** The boxes of mandates. */
export class MandateBoxesRepo extends Context.Service<
  MandateBoxesRepo,
  {
    /** Replaces the boxes of mandates: those of one without any are removed. */
    readonly replace: (teamId: string, boxes: ReadonlyArray<BoxesOf>) => Effect.Effect<void>
    /** The next mandates that may meet the boxes of a search, at most as many as its limit. */
    readonly scan: (teamId: string, scan: Scan) => Effect.Effect<Scanned>
  }
>()("mandates/MandateBoxesRepo") {
  static readonly layer = Layer.effect(
    MandateBoxesRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const sidesOf = (boxes: ReadonlyArray<Box>): Fragment =>
        sql`${boxes.map(({ west }) => west)}::float8[], ${boxes.map(({ south }) => south)}::float8[],
            ${boxes.map(({ east }) => east)}::float8[], ${boxes.map(({ north }) => north)}::float8[]`

      const replace = Effect.fn("MandateBoxesRepo.replace")(function* (teamId: string, of: ReadonlyArray<BoxesOf>) {
        if (of.length === 0) return
        const rows = of.flatMap(({ boxes, mandate }) => boxes.map((box) => ({ mandate, box })))
        // Boxes that stay are not written again: most changes of a mandate leave its place as it is.
        yield* orDie(sql`
          with wanted as (
            select distinct mandate_id, west, south, east, north
            from unnest(${rows.map(({ mandate }) => mandate)}::uuid[], ${sidesOf(rows.map(({ box }) => box))})
              as boxes (mandate_id, west, south, east, north)
          ), present as (
            select mandate_id, (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north, ctid as place
            from mandate_boxes
            where team_id = ${teamId} and mandate_id = any(${of.map(({ mandate }) => mandate)}::uuid[])
          ), removed as (
            delete from mandate_boxes
            where ctid = any(array(
              select place from present left join wanted using (mandate_id, west, south, east, north)
              where wanted.mandate_id is null))
          )
          insert into mandate_boxes (team_id, mandate_id, box)
          select ${teamId}::uuid, mandate_id, box(point(west, south), point(east, north))
          from wanted left join present using (mandate_id, west, south, east, north)
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
            : [
                sql`(positive_tags = '{}' or positive_tags && ${tags}::text[])`,
                sql`not negative_tags && ${tags}::text[]`
              ])
        ])

      // Both ways are one statement: the index tells how many boxes it finds, up to a limit. If they are too many, it walks all boxes of
      // the team in the order of mandates. The last mandate of a walk may have more boxes than it saw, so it goes on from there.
      const scan = Effect.fn("MandateBoxesRepo.scan")(function* (
        teamId: string,
        { after, boxes, conditions, limit, walks }: Scan
      ) {
        const rows = yield* orDie(
          sql<Row>`
          with planned as materialized (
            select found.mandate_id
            from unnest(${sidesOf(boxes)}) as sides (west, south, east, north), lateral (
              select mandate_id from mandate_boxes
              where team_id = ${teamId} and box && box(point(west, south), point(east, north))
            ) as found
            where not ${walks}::boolean
            limit ${maxIndexed + 1}
          ), way as materialized (
            select ${walks}::boolean or count(*) > ${maxIndexed} as walks from planned
          ), walked as materialized (
            select mandate_id, box from mandate_boxes
            where team_id = ${teamId} and mandate_id > ${after ?? noUuid}::uuid and (select walks from way)
            order by mandate_id limit ${maxWalked}
          ), cut as materialized (
            select mandate_id from walked
            where (select count(*) from walked) = ${maxWalked}
            order by mandate_id desc limit 1
          ), candidates as (
            select mandate_id from planned
            where mandate_id > ${after ?? noUuid}::uuid and not (select walks from way)
            union
            select mandate_id from walked
            where mandate_id is distinct from (select mandate_id from cut) and exists (
              select from unnest(${sidesOf(boxes)}) as sides (west, south, east, north)
              where box && box(point(west, south), point(east, north))
            )
          ), page as materialized (
            select mandate_id from candidates order by mandate_id limit ${limit}
          ), reached as (
            select case
              when (select count(*) from page) = ${limit} then (select mandate_id from page order by mandate_id desc limit 1)
              else (
                select mandate_id from walked
                where mandate_id < (select mandate_id from cut) order by mandate_id desc limit 1
              )
            end as reached
          )
          select page.mandate_id as id, ${conditionsOf(conditions)} as fits, geography, near, radius, country, walks, reached
          from way cross join reached
          left join page on true
          left join mandates on mandates.id = page.mandate_id
          order by page.mandate_id`.unprepared
        )
        return {
          walks: rows[0]?.walks === true,
          reached: rows[0]?.reached ?? null,
          candidates: rows.flatMap(({ fits, id, ...row }) =>
            id === null || fits !== true ? [] : [{ uuid: id, country: row.country, area: areaOfStored(row) }]
          )
        }
      })

      return MandateBoxesRepo.of({ replace, scan })
    })
  )
}
