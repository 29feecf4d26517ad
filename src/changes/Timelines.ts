/** Reads timelines, newest first, at the same cost at any depth; and moves them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { Cursors, defaultPageSize, type Page, type Position, read as readPage, timeAndId } from "../http/Page.ts"
import type { InvalidCursor } from "../http/Problem.ts"
import type * as Id from "../Id.ts"
import type { Action } from "./Action.ts"
import { actionColumns, type ActionRow, toAction } from "./ActionRow.ts"
import type { Change } from "./Changes.ts"
import { shelvesOf, type TimelineQuery } from "./Timeline.ts"

/** What a timeline is of. `id` is its UUID. */
export interface Subject {
  readonly teamId: string
  readonly type: Id.Prefix
  readonly id: string
}

/** The timelines of all resources. */
export class Timelines extends Context.Service<Timelines, {
  /** A page of one resource's timeline. */
  readonly read: (subject: Subject, query: TimelineQuery) => Effect.Effect<Page<Action>, InvalidCursor>
  /**
   * Until the running transaction ends, nobody moves these timelines (UUIDs). Who adds rows to the timeline of a resource
   * that was read before holds it, and then looks whether the resource is still there: else the row could come to stand
   * where nobody looks any more.
   */
  readonly hold: (subjectIds: ReadonlyArray<string>) => Effect.Effect<void>
  /**
   * Within a running change, moves everything on the timelines of `from` to that of `to` (UUIDs), which may be none or
   * thousands of rows. Waits for those who hold them.
   */
  readonly move: (
    change: Change,
    timelines: { readonly type: Id.Prefix; readonly from: ReadonlyArray<string>; readonly to: string }
  ) => Effect.Effect<void>
}>()("changes/Timelines") {
  static readonly layer = Layer.effect(
    Timelines,
    Effect.gen(function*() {
      const sql = yield* Database
      const cursors = yield* Cursors

      const read = Effect.fn("Timelines.read")(function*(subject: Subject, query: TimelineQuery) {
        const shelves = shelvesOf(query)
        const binding = {
          list: "actions",
          teamId: subject.teamId,
          filters: {
            subject: subject.id,
            type: query.type ?? "all",
            include_archived: query.include_archived ?? false,
            include_superseded: query.include_superseded ?? false
          }
        }
        // A page's worth of each shelf is read in the order of its index; the page is the newest of these.
        const fetch = (before: Position | undefined, limit: number) => {
          const place = timeAndId(before)
          const conditions = [
            sql`s.subject_id = ${subject.id}`,
            sql`s.shelf = wanted.shelf`,
            sql`s.team_id = ${subject.teamId}`
          ]
          if (place !== undefined) {
            conditions.push(sql`(s.occurred_at, s.action_id) < (${place.at}::timestamptz, ${place.id}::uuid)`)
          }
          return orDie(sql<ActionRow>`
            select ${actionColumns(sql)}
            from (
              select shelved.occurred_at, shelved.action_id
              from unnest(${shelves}::text[]) as wanted (shelf)
              cross join lateral (
                select s.occurred_at, s.action_id from action_subjects s
                where ${sql.and(conditions)}
                order by s.occurred_at desc, s.action_id desc
                limit ${limit}
              ) as shelved
              order by shelved.occurred_at desc, shelved.action_id desc
              limit ${limit}
            ) as page
            join actions a on a.id = page.action_id
            left join users u on u.id = a.actor_user_id
            order by page.occurred_at desc, page.action_id desc`)
        }
        return yield* readPage({
          cursors,
          binding,
          cursor: query.cursor,
          pageSize: query.page_size ?? defaultPageSize,
          fetch,
          positionOf: (row) => [row.occurred_at.toISOString(), row.id],
          toItem: toAction
        })
      })

      // In one order, so that those who want several do not wait for each other.
      const locked = (subjectIds: ReadonlyArray<string>) => sql`
        (select distinct id from unnest(${subjectIds}::uuid[]) as wanted (id) order by id) as subject`

      const hold = Effect.fn("Timelines.hold")(function*(subjectIds: ReadonlyArray<string>) {
        yield* orDie(sql`
          select pg_advisory_xact_lock_shared(hashtextextended('timeline ' || id, 0)) from ${locked(subjectIds)}`)
      })

      const move = Effect.fn("Timelines.move")(function*(
        change: Change,
        { from, to, type }: { readonly type: Id.Prefix; readonly from: ReadonlyArray<string>; readonly to: string }
      ) {
        yield* orDie(sql`
          select pg_advisory_xact_lock(hashtextextended('timeline ' || id, 0)) from ${locked([...from, to])}`)
        // A row that stands on several of them stays where it is best: on `to`, else on one of the others.
        yield* orDie(sql`
          delete from action_subjects where (subject_id, action_id) in (
            select subject_id, action_id from (
              select subject_id, action_id,
                row_number() over (partition by action_id order by subject_id <> ${to}::uuid, subject_id) as place
              from action_subjects
              where team_id = ${change.actor.teamId} and subject_type = ${type}
                and subject_id = any(${[...from, to]}::uuid[])
            ) as standing
            where place > 1
          )`)
        // Updated in place: whoever archives one of these notes meanwhile finds it wherever it stands.
        yield* orDie(sql`
          update action_subjects set subject_id = ${to}
          where team_id = ${change.actor.teamId} and subject_type = ${type} and subject_id = any(${from}::uuid[])
            and subject_id <> ${to}`)
      })

      return Timelines.of({ read, hold, move })
    })
  )
}
