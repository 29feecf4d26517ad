/** The SQL of what is new for a broker: when they last looked, the projects that are open, and the questions that wait. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A question that waits for an answer. */
export interface WaitingQuestion {
  readonly id: string
  readonly roomId: string
  readonly roomName: string
  readonly projectId: string
  readonly number: number
  readonly text: string
  readonly priority: string
  readonly dueUtc: string | null
  readonly askedUtc: string
}

interface QuestionRow {
  readonly id: string
  readonly room_id: string
  readonly room_name: string
  readonly project_id: string
  readonly number: number
  readonly text: string
  readonly priority: string
  readonly due_at: Date | null
  readonly created_at: Date
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Since when it is new to a member: a visit goes on as long as they come back within `pause`; the first one begins at `first`. */
  const newSince = ({ first, pause }: { readonly first: Date; readonly pause: Date }) => sql`
    case
      when visited_at is null then ${first}::timestamptz
      when visited_at < ${pause}::timestamptz then visited_at
      else coalesce(changes_since, ${first}::timestamptz)
    end`

  /** Since when it is new to a member, whose visit is not recorded. */
  const since = Effect.fn("TodayRepo.since")(function* (
    { teamId, userId }: { readonly teamId: string; readonly userId: string },
    times: { readonly first: Date; readonly pause: Date }
  ) {
    const [row] = yield* orDie(sql<{ readonly since: Date }>`
      select ${newSince(times)} as since from memberships where team_id = ${teamId} and user_id = ${userId}`)
    return row?.since ?? times.first
  })

  /**
   * Records that a member looks at what is new, and answers since when it is new to them: a visit goes on as long as they come back within
   * `pause`, and begins where the one before it ended. The first one begins at `first`.
   */
  const visit = Effect.fn("TodayRepo.visit")(function* (
    { teamId, userId }: { readonly teamId: string; readonly userId: string },
    { at, first, pause }: { readonly at: Date; readonly first: Date; readonly pause: Date }
  ) {
    const [row] = yield* orDie(sql<{ readonly changes_since: Date }>`
      update memberships set changes_since = ${newSince({ first, pause })}, visited_at = ${at}
      where team_id = ${teamId} and user_id = ${userId}
      returning changes_since`)
    return row?.changes_since ?? first
  })

  /** The projects (UUIDs) of a team that are open, the newest first, with their names, at most `limit`. */
  const openProjects = Effect.fn("TodayRepo.openProjects")(function* (teamId: string, limit: number) {
    return yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from projects where team_id = ${teamId} and deleted_at is null and closed_at is null
      order by created_at desc, id desc limit ${limit}`)
  })

  /** The questions in rooms of these projects (UUIDs) that wait for an answer, the oldest first, at most `limit`. */
  const questions = Effect.fn("TodayRepo.questions")(function* (
    teamId: string,
    projects: ReadonlyArray<string>,
    limit: number
  ) {
    if (projects.length === 0) return []
    const rows = yield* orDie(sql<QuestionRow>`
      select q.id, q.room_id, rooms.name as room_name, q.project_id, q.number, q.text, q.priority, q.due_at, q.created_at
      from rooms
      cross join lateral (
        select * from questions
        where room_id = rooms.id and team_id = ${teamId} and deleted_at is null and state in ('open', 'drafted')
        order by created_at, id limit ${limit}
      ) q
      where rooms.team_id = ${teamId} and rooms.project_id = any(${projects}::uuid[]) and rooms.deleted_at is null
      order by q.created_at, q.id limit ${limit}`)
    return rows.map((row): WaitingQuestion => ({
      id: Id.fromUuid("question", row.id),
      roomId: Id.fromUuid("room", row.room_id),
      roomName: row.room_name,
      projectId: Id.fromUuid("project", row.project_id),
      number: row.number,
      text: row.text,
      priority: row.priority,
      dueUtc: row.due_at?.toISOString() ?? null,
      askedUtc: row.created_at.toISOString()
    }))
  })

  return { since, visit, openProjects, questions }
})

/** What is new for a broker. */
export class TodayRepo extends Context.Service<TodayRepo, Effect.Success<typeof make>>()("deals/today/TodayRepo") {
  static readonly layer = Layer.effect(TodayRepo, make)
}
