/** The SQL of the start page and the palette: what waits for a person in a team, and projects by name. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"

/** How much waits. */
interface Waiting {
  readonly deliveries: number
  /** Deliveries of the last attempts, none of which arrived. */
  readonly exhausted: number
  readonly tasks: number
  readonly overdue: number
  readonly offers: number
  /** Questions in rooms of open projects that nobody has answered. */
  readonly questions: number
}

/** A project by its name. */
export interface FoundProject {
  readonly id: string
  readonly name: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** What waits for a user (UUID) of a team, each counted up to `most`. Each part is a range of an index. */
  const waiting = Effect.fn("StartRepo.waiting")(function* (
    { teamId, userId }: { readonly teamId: string; readonly userId: string },
    { most, now, today }: { readonly most: number; readonly now: Date; readonly today: string }
  ) {
    const deliveriesWith = (status: "exhausted" | "failed" | "pending") => sql`
      select d.status from webhooks w
      cross join lateral (
        select status from deliveries
        where webhook_id = w.id and team_id = w.team_id and status = ${status} limit ${most}
      ) d
      where w.team_id = ${teamId} and w.deleted_at is null and w.status <> 'paused'`
    const offersWith = (status: "pending" | "unanswered") => sql`
      select 1 from offers
      where team_id = ${teamId} and status = ${status} and (expires_at is null or expires_at > ${now}::timestamptz)`
    const isOpenProject = sql`
      projects.team_id = ${teamId} and projects.deleted_at is null and projects.closed_at is null`
    const [found] = yield* orDie(sql<Waiting>`
      select sent.waiting as deliveries, sent.exhausted, todo.count as tasks, todo.overdue,
        asked.count as offers, unanswered.count as questions
      from (
        select (count(*) filter (where status <> 'exhausted'))::int as waiting,
          (count(*) filter (where status = 'exhausted'))::int as exhausted
        from (${deliveriesWith("pending")} union all ${deliveriesWith("failed")} union all ${deliveriesWith("exhausted")}) d
      ) sent
      cross join (
        select count(*)::int, (count(*) filter (where due_date < ${today}::date))::int as overdue
        from (
          select due_date from tasks
          where team_id = ${teamId} and assignee_id = ${userId} and state = 'open' and deleted_at is null
          limit ${most}
        ) open
      ) todo
      cross join (
        select count(*)::int from (${offersWith("unanswered")} union all ${offersWith("pending")} limit ${most}) open
      ) asked
      cross join (
        select count(*)::int from (
          select 1 from projects
          join rooms on rooms.project_id = projects.id and rooms.team_id = projects.team_id and rooms.deleted_at is null
          join questions on questions.room_id = rooms.id and questions.team_id = projects.team_id
            and questions.deleted_at is null and questions.state in ('open', 'drafted')
          where ${isOpenProject} limit ${most}
        ) open
      ) unanswered`)
    return found ?? { deliveries: 0, exhausted: 0, tasks: 0, overdue: 0, offers: 0, questions: 0 }
  })

  /** The latest projects of a team that have all these words in their names. A team has hundreds, which one index lists. */
  const projectsNamed = Effect.fn("StartRepo.projectsNamed")(function* (
    teamId: string,
    words: ReadonlyArray<string>,
    limit: number
  ) {
    const named = words.map((word) => sql`search_text(name) like search_pattern(${word}::text)`)
    return yield* orDie(sql<FoundProject>`
      select id, name from projects
      where ${sql.and([sql`team_id = ${teamId}`, sql`deleted_at is null`, sql`name is not null`, ...named])}
      order by created_at desc, id desc limit ${limit}`)
  })

  /** The latest projects of a team (UUID) that are open. */
  const openProjects = Effect.fn("StartRepo.openProjects")(function* (teamId: string, limit: number) {
    return yield* orDie(sql<FoundProject>`
      select id, name from projects
      where team_id = ${teamId} and deleted_at is null and closed_at is null
      order by created_at desc, id desc limit ${limit}`)
  })

  return { waiting, projectsNamed, openProjects }
})

/** Stores nothing: it reads what other modules store. */
export class StartRepo extends Context.Service<StartRepo, Effect.Success<typeof make>>()("start/StartRepo") {
  static readonly layer = Layer.effect(StartRepo, make)
}
