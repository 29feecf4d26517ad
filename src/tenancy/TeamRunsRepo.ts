/** The SQL of what operators ask for in the console. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import type { Progress, State, TeamRun } from "./TeamRun.ts"

type Row = Omit<TeamRun, "createdUtc" | "changedUtc" | "size"> & {
  readonly size: string | null
  readonly createdAt: Date
  readonly changedAt: Date
}

const toRun = ({ changedAt, createdAt, size, ...row }: Row) =>
  ({
    ...row,
    size: size === null ? null : Number(size),
    createdUtc: createdAt.toISOString(),
    changedUtc: changedAt.toISOString()
  }) as TeamRun

/** A new one. */
export type NewRun = Pick<
  TeamRun,
  "content" | "fileName" | "id" | "kind" | "options" | "size" | "state" | "team" | "teamName" | "userId"
> & { readonly at: Date }

/** What an attempt of the job writes at its end. */
export interface Ended {
  readonly state: State
  readonly at: Date
  readonly detail?: string
  readonly report?: TeamRun["report"]
  readonly team?: string
  readonly teamName?: string
  readonly size?: number
  readonly content?: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const selected = sql`
    select r.id, r.user_id as "userId", u.name as "userName", r.kind, r.team, r.team_name as "teamName", r.options, r.state, r.progress,
      r.report, r.detail, r.file_name as "fileName", r.size::text as size, r.content, r.created_at as "createdAt",
      r.changed_at as "changedAt"
    from team_runs r left join users u on u.id = r.user_id`

  const find = Effect.fn("TeamRunsRepo.find")(function* (id: string) {
    const [row] = yield* orDie(sql<Row>`${selected} where r.id = ${id}`)
    return row === undefined ? undefined : toRun(row)
  })

  /** The latest first. */
  const list = Effect.fn("TeamRunsRepo.list")(function* (limit: number) {
    const rows = yield* orDie(sql<Row>`${selected} order by r.id desc limit ${limit}`)
    return rows.map(toRun)
  })

  const insert = Effect.fn("TeamRunsRepo.insert")(function* (run: NewRun) {
    yield* orDie(sql`
      insert into team_runs (
        id, user_id, kind, team, team_name, options, state, progress, file_name, size, content, created_at, changed_at
      ) values (
        ${run.id}, ${run.userId}, ${run.kind}, ${run.team}, ${run.teamName}, ${sql.json(run.options)}, ${run.state},
        ${sql.json({})}, ${run.fileName}, ${run.size}, ${run.content}, ${run.at}, ${run.at}
      )`)
  })

  /** Lets a job import what was checked; false if it is not in that state any more. */
  const begin = Effect.fn("TeamRunsRepo.begin")(function* (id: string, at: Date) {
    const begun = yield* orDie(sql`
      update team_runs set state = 'running', attempt = null, changed_at = ${at}
      where id = ${id} and state = 'checked' returning id`)
    return begun.length > 0
  })

  /** Takes over a running one for an attempt of the job; says whether there was another attempt before. */
  const claim = Effect.fn("TeamRunsRepo.claim")(function* (id: string, attempt: string) {
    const [claimed] = yield* orDie(sql<{ readonly isAgain: boolean }>`
      with found as (
        select id, attempt from team_runs where id = ${id} and state in ('checking', 'running') for update
      ), claimed as (
        update team_runs set attempt = ${attempt} where id in (select id from found)
      )
      select attempt is not null as "isAgain" from found`)
    const run = claimed === undefined ? undefined : yield* find(id)
    return run === undefined ? undefined : { run, isAgain: claimed?.isAgain === true }
  })

  /** Writes how far an attempt is. */
  const advance = Effect.fn("TeamRunsRepo.advance")(function* (
    id: string,
    attempt: string,
    progress: Progress,
    at: Date
  ) {
    yield* orDie(sql`
      update team_runs set progress = ${sql.json(progress)}, changed_at = ${at}
      where id = ${id} and attempt = ${attempt}`)
  })

  /** Writes how an attempt ended; false if another one has taken over. */
  const finish = Effect.fn("TeamRunsRepo.finish")(function* (id: string, attempt: string, ended: Ended) {
    const { at, content = null, detail = null, report, size = null, state, team = null, teamName = null } = ended
    const written = yield* orDie(sql`
      update team_runs set state = ${state}, detail = ${detail}, changed_at = ${at}, attempt = null,
        report = ${report === undefined || report === null ? sql`report` : sql.json(report)},
        team = coalesce(${team}, team), team_name = coalesce(${teamName}, team_name), size = coalesce(${size}::bigint, size),
        content = coalesce(${content}::uuid, content)
      where id = ${id} and attempt = ${attempt} returning id`)
    return written.length > 0
  })

  /** Deletes some; returns the objects of their archives. */
  const remove = Effect.fn("TeamRunsRepo.remove")(function* (ids: ReadonlyArray<string>) {
    const removed = yield* orDie(sql<{ readonly content: string | null }>`
      delete from team_runs where id = any(${ids}::uuid[]) returning content`)
    return { count: removed.length, contents: removed.flatMap(({ content }) => content ?? []) }
  })

  /** Those from before `until` on which no job has worked since. */
  const findOld = Effect.fn("TeamRunsRepo.findOld")(function* (until: Date, firstId: string, limit: number) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select id from team_runs where id < ${firstId} and changed_at < ${until} order by id limit ${limit}`)
    return rows.map(({ id }) => id)
  })

  return { find, list, insert, begin, claim, advance, finish, remove, findOld }
})

/** The rows of what operators ask for in the console. */
export class TeamRunsRepo extends Context.Service<TeamRunsRepo, Effect.Success<typeof make>>()("tenancy/TeamRunsRepo") {
  static readonly layer = Layer.effect(TeamRunsRepo, make)
}
