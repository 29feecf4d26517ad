/** The SQL of the log of API requests. */
import { Context, Effect, Layer } from "effect"
import { byCell } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type {
  CallerGroup,
  HourGroup,
  ListedRequest,
  ProblemGroup,
  RequestFilter,
  RequestPosition,
  RequestRecord,
  RouteGroup
} from "./RequestRecord.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Writes records of several teams. */
  const insert = Effect.fn("RequestRecordsRepo.insert")(function* (records: ReadonlyArray<RequestRecord>) {
    yield* byCell(
      sql,
      records,
      ({ teamId }) => teamId,
      (ofCell) =>
        orDie(sql<never>`
          insert into request_records (
            team_id, at, id, request_id, method, route, tool, status, code, duration_ms, client_id, token_id, requests
          )
          select "teamId", at, gen_random_uuid(), "requestId", method, route, tool, status, code, "durationMs",
            "clientId", "tokenId", requests
          from jsonb_to_recordset(${sql.json(ofCell.map((record) => ({ ...record, at: record.at.toISOString() })))}) as r (
            "teamId" uuid, at timestamptz, "requestId" text, method text, route text, tool text, status integer, code text,
            "durationMs" real, "clientId" uuid, "tokenId" uuid, requests integer
          )`)
    )
  })

  const since = (teamId: string, from: Date) => sql`r.team_id = ${teamId} and r.at >= ${from}`

  const operation = sql.literal(`r.method || ' ' || coalesce(r.route, '') || coalesce(' ' || r.tool, '')`)

  const matching = ({ caller, code, route, statusClass }: RequestFilter) => sql`
    ${caller === undefined ? sql`` : sql`and coalesce(r.client_id, r.token_id) = ${caller}`}
    ${code === undefined ? sql`` : sql`and r.code = ${code}`}
    ${route === undefined ? sql`` : sql`and ${operation} = ${route}`}
    ${statusClass === undefined ? sql`` : sql`and r.status / 100 = ${Number(statusClass[0])}`}`

  /** The requests of a team since a time that match, the latest first. */
  const list = Effect.fn("RequestRecordsRepo.list")(function* (
    teamId: string,
    {
      before,
      filter,
      from,
      limit
    }: {
      readonly from: Date
      readonly filter: RequestFilter
      readonly before: RequestPosition | undefined
      readonly limit: number
    }
  ) {
    return yield* orDie(sql<ListedRequest>`
      select r.team_id as "teamId", r.at, r.id, r.request_id as "requestId", r.method, r.route, r.tool, r.status, r.code,
        r.duration_ms::float8 as "durationMs", r.client_id as "clientId", r.token_id as "tokenId", r.requests
      from request_records r
      where ${since(teamId, from)} ${matching(filter)}
        ${before === undefined ? sql`` : sql`and (r.at, r.id) < (${before.at}::timestamptz, ${before.id}::uuid)`}
      order by r.at desc, r.id desc
      limit ${limit}`)
  })

  /** How many requests of a team that match there were since a time: by hour, by problem and by operation. */
  const counts = Effect.fn("RequestRecordsRepo.counts")(function* (teamId: string, from: Date, filter: RequestFilter) {
    const hours = yield* orDie(sql<HourGroup>`
      select date_trunc('hour', r.at) as hour,
        coalesce(sum(r.requests) filter (where r.status < 400), 0)::float8 as succeeded,
        coalesce(sum(r.requests) filter (where r.status between 400 and 499), 0)::float8 as refused,
        coalesce(sum(r.requests) filter (where r.status >= 500), 0)::float8 as failed
      from request_records r
      where ${since(teamId, from)} ${matching(filter)}
      group by 1 order by 1`)
    const problems = yield* orDie(sql<ProblemGroup>`
      select r.code, r.status, sum(r.requests)::float8 as requests, max(r.at) as "lastAt"
      from request_records r
      where ${since(teamId, from)} and r.code is not null ${matching(filter)}
      group by r.code, r.status order by 3 desc, 1 limit 50`)
    const routes = yield* orDie(sql<RouteGroup>`
      select ${operation} as route, sum(r.requests)::float8 as requests, max(r.at) as "lastAt",
        coalesce(sum(r.requests) filter (where r.status >= 400), 0)::float8 as refused,
        max(r.duration_ms)::float8 as "maxMs"
      from request_records r
      where ${since(teamId, from)} ${matching(filter)}
      group by 1 order by 2 desc, 1 limit 50`)
    return { hours, problems, routes }
  })

  /** How many requests each caller of a team made since a time. */
  const callers = Effect.fn("RequestRecordsRepo.callers")(function* (
    teamId: string,
    from: Date,
    filter: RequestFilter
  ) {
    return yield* orDie(sql<Omit<CallerGroup, "name">>`
      select coalesce(r.client_id, r.token_id) as caller,
        case when r.client_id is null then 'token' else 'client' end as kind,
        sum(r.requests)::float8 as requests, max(r.at) as "lastAt",
        coalesce(sum(r.requests) filter (where r.status >= 400), 0)::float8 as refused
      from request_records r
      where ${since(teamId, from)} and coalesce(r.client_id, r.token_id) is not null ${matching(filter)}
      group by 1, 2 order by 3 desc, 1 limit 50`)
  })

  /** The names of clients, apps and personal tokens, as far as they are still there. */
  const names = Effect.fn("RequestRecordsRepo.names")(function* (ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Map<string, string>()
    const found = yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select id, name from clients where id = any(${ids}::uuid[])
      union all
      select id, name from apps where id = any(${ids}::uuid[])
      union all
      select t.id, concat_ws(', ', t.name, u.name) from tokens t join users u on u.id = t.user_id
      where t.id = any(${ids}::uuid[])`)
    return new Map(found.map(({ id, name }) => [id, name]))
  })

  /** Requests of other teams than these from before `until`, at most `limit`. */
  const findOld = Effect.fn("RequestRecordsRepo.findOld")(function* (
    until: Date,
    { failed, limit }: { readonly failed: ReadonlyArray<string>; readonly limit: number }
  ) {
    return yield* orDie(sql<{ readonly teamId: string; readonly id: string }>`
      select team_id as "teamId", id from request_records
      where at < ${until} and team_id <> all(${failed}::uuid[]) order by at limit ${limit}`)
  })

  /** Deletes requests of a team from before `until`; returns how many. */
  const purge = Effect.fn("RequestRecordsRepo.purge")(function* (
    teamId: string,
    ids: ReadonlyArray<string>,
    until: Date
  ) {
    const purged = yield* orDie(sql`
      delete from request_records
      where team_id = ${teamId} and at < ${until} and id = any(${ids}::uuid[])
      returning id`)
    return purged.length
  })

  return { insert, list, counts, callers, names, findOld, purge }
})

/** Stores the requests of the last hours. */
export class RequestRecordsRepo extends Context.Service<RequestRecordsRepo, Effect.Success<typeof make>>()(
  "core/requests/RequestRecordsRepo"
) {
  static readonly layer = Layer.effect(RequestRecordsRepo, make)
}
