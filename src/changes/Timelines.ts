/** Reads timelines: newest first, at the same cost at any depth. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../db/Database.ts"
import { orDie } from "../db/DatabaseUnavailable.ts"
import { Cursors, defaultPageSize, type Page, type Position, read as readPage, timeAndId } from "../http/Page.ts"
import type { InvalidCursor } from "../http/Problem.ts"
import * as Id from "../Id.ts"
import type { Action, ActionDetails } from "./Action.ts"
import type { TimelineQuery } from "./Timeline.ts"

interface Row {
  readonly id: string
  readonly type: string
  readonly event: string | null
  readonly occurred_at: Date
  readonly actor_user_id: string | null
  readonly actor_name: string | null
  readonly details: ActionDetails
}

const rowTypes = { all: null, notes: "note", chat: "chat", audit: "audit" } as const

const toAction = (row: Row): Action => ({
  id: Id.fromUuid("act", row.id),
  type: row.type,
  event: row.event,
  occurredUtc: row.occurred_at.toISOString(),
  actor: { id: Id.fromUuidOrNull("user", row.actor_user_id), name: row.actor_name },
  details: row.details
})

/** The timelines of all resources. */
export class Timelines extends Context.Service<Timelines, {
  /** A page of one resource's timeline. `id` is its UUID. */
  readonly read: (
    subject: { readonly teamId: string; readonly type: Id.Prefix; readonly id: string },
    query: TimelineQuery
  ) => Effect.Effect<Page<Action>, InvalidCursor>
}>()("changes/Timelines") {
  static readonly layer = Layer.effect(
    Timelines,
    Effect.gen(function*() {
      const sql = yield* Database
      const cursors = yield* Cursors

      const read = Effect.fn("Timelines.read")(function*(
        subject: { readonly teamId: string; readonly type: Id.Prefix; readonly id: string },
        query: TimelineQuery
      ) {
        const type = query.type ?? "all"
        const binding = {
          list: "actions",
          teamId: subject.teamId,
          filters: {
            subject: subject.id,
            type,
            include_archived: query.include_archived ?? false,
            include_superseded: query.include_superseded ?? false
          }
        }
        const fetch = (before: Position | undefined, limit: number) => {
          const place = timeAndId(before)
          const conditions = [sql`s.subject_id = ${subject.id}`, sql`s.team_id = ${subject.teamId}`]
          if (rowTypes[type] !== null) conditions.push(sql`a.type = ${rowTypes[type]}`)
          if (place !== undefined) {
            conditions.push(sql`(s.occurred_at, s.action_id) < (${place.at}::timestamptz, ${place.id}::uuid)`)
          }
          return orDie(sql<Row>`
            select a.id, a.type, a.event, a.occurred_at, a.actor_user_id, u.name as actor_name, a.details
            from action_subjects s
            join actions a on a.id = s.action_id
            left join users u on u.id = a.actor_user_id
            where ${sql.and(conditions)}
            order by s.occurred_at desc, s.action_id desc
            limit ${limit}`)
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

      return Timelines.of({ read })
    })
  )
}
