/** Teams of several sizes in one database. */
import { Effect, type Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Id from "../../src/core/Id.ts"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Bulk from "./Bulk.ts"
import * as contacts from "./contacts.ts"

/** A team with this number of contacts. */
export interface Team {
  readonly rows: number
  readonly uuid: string
  /** Tokens of one user. Requests of one token are counted in the same row and wait for each other there. */
  readonly tokens: ReadonlyArray<string>
}

/** A team that also has a project with all its contacts as prospects. */
export interface TeamWithProject extends Team {
  /** The project's public id. */
  readonly project: string
}

/** The sizes of the teams; `rows` is a multiple of 40. */
export interface Sizes {
  readonly url: Redacted.Redacted<string>
  readonly rows: ReadonlyArray<number>
}

const tokensOfTeam = 4

const makeTeam = Effect.fnUntraced(function* (session: Bulk.Session, rows: number) {
  const { teamId, token, userId } = yield* Tenant.make()
  const more = Array.from({ length: tokensOfTeam - 1 }, () => Secret.make("personal", randomBytes(32)))
  yield* session.query(
    `insert into tokens (id, kind, hash, user_id, team_id, name, scopes, created_at, expires_at)
    select gen_random_uuid(), 'personal', hash, $1::uuid, $2::uuid, 'bench', '{api:public}', now(), now() + interval '30 days'
    from unnest($3::bytea[]) as hash`,
    [userId, teamId, more.map((one) => Secret.hash(one))]
  )
  return { rows, uuid: teamId, user: userId, tokens: [token, ...more] }
})

const addTeams = Effect.fnUntraced(function* (session: Bulk.Session, sizes: ReadonlyArray<number>) {
  const teams = yield* Effect.forEach(sizes, (rows) => makeTeam(session, rows))
  const filling = Effect.forEach(teams, (team) => contacts.add(session, team.uuid, team.rows), { discard: true })
  yield* Bulk.fill(session, "contacts", filling)
  return teams
})

/** Project tags of prospects, in decreasing frequency. */
const projectTags: ReadonlyArray<string> = ["A-List", "Long list", "Short list", "Call first", "NDA sent", "Local"]

// $1 is the team, $2 its user.
const insertProject = `
  insert into projects (
    id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, is_portfolio, owner_id, published_at
  )
  select new_uuid_v7(at), $1::uuid, 1, pg_current_xact_id(), at, at, 'created', 'api', 'Logistics portfolio', true, $2::uuid, at
  from (select date_trunc('milliseconds', now() - interval '400 days') as at) as times
  returning id, created_at`

/**
 * One prospect for each contact, added over the year until yesterday. $1 is the team, $2 its user, $3 the project, $4 the time of
 * the project. Most are at the first stages; one in fifty was removed from the list.
 */
const insertProspects = `
  with numbered as materialized (
    select id as contact_id, contact_name(first_name, last_name, email) as name, email, tags,
      row_number() over (order by created_at, id) as i, count(*) over () as rows
    from contacts where team_id = $1::uuid
  ), reached as materialized (
    select *, floor(5 * power(pg_temp.pick(i, 40), 2))::int as reached,
      date_trunc('milliseconds', now() - interval '366 days' + interval '365 days' * (i::double precision / rows)) as created_at
    from numbered
  ), staged as materialized (
    select *, (array['not_contacted', 'teaser', 'im', 'data_room', 'bid'])[1 + reached] as stage,
      (array['not_contacted', 'contacted', 'contacted', 'interested', 'bidder'])[
        1 + greatest(0, least(4, reached + floor(pg_temp.pick(i, 41) * 3)::int - 1))] as classification,
      array(
        select distinct pg_temp.one_of(i, 50 + n, 2, $5::text[])
        from generate_series(1, floor(pg_temp.pick(i, 42) * 3)::int) as n
      ) as project_tags
    from reached
  ), made as (
    insert into prospects (
      id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id, project_created_at, contact_id,
      name, email, tags, classification, interest, stage, milestone_stage, milestone_stage_since_override, owner_id, project_tags,
      project_tag_keys, teaser_communicated_at, room_access_at, accepted, chat, invitation, note_count, open_task_count,
      overdue_when_written, removed_at
    )
    select new_uuid_v7(created_at), $1::uuid, 1 + reached, pg_current_xact_id(), created_at, created_at,
      case when reached = 0 then 'created' else 'updated' end, 'api', $3::uuid, $4::timestamptz, contact_id,
      name, email, tags, classification,
      case
        when classification in ('interested', 'bidder') then 'interested'
        when pg_temp.pick(i, 43) < 0.2 then 'maybe'
        when pg_temp.pick(i, 43) < 0.3 then 'not_interested'
      end,
      stage, stage, stage, case when pg_temp.pick(i, 44) < 0.3 then $2::uuid end, project_tags,
      array(select lower(tag) from unnest(project_tags) as tag),
      case when reached > 0 then created_at end, case when reached > 2 then created_at end,
      reached > 1, reached > 1 and pg_temp.pick(i, 45) < 0.3, reached > 0 and pg_temp.pick(i, 46) < 0.2, 0, 0,
      false, case when pg_temp.pick(i, 47) < 0.02 then created_at end
    from staged order by i
    returning id, created_at
  )
  insert into external_references (team_id, resource_type, namespace, external_id, resource_id, position)
  select $1::uuid, 'prospect', 'crm', 'P-' || number, id, 0
  from (select id, row_number() over (order by created_at, id) as number from made) as numbered
  where number % 5 = 0`

/** Inserts a project with a prospect for each contact of a team. Returns its UUID. */
const addProject = Effect.fnUntraced(function* (
  { query }: Bulk.Session,
  team: { readonly id: string; readonly user: string }
) {
  const [project] = yield* query<{ id: string; created_at: Date }>(insertProject, [team.id, team.user])
  yield* query(insertProspects, [team.id, team.user, project?.id, project?.created_at, projectTags])
  return project?.id ?? ""
})

// With fresh statistics, and without pending writes during the measurement.
const settle = Effect.fnUntraced(function* ({ query }: Bulk.Session) {
  yield* query("vacuum analyze")
  yield* query("checkpoint")
})

/** Creates teams of these sizes. */
export const withContacts = ({ rows, url }: Sizes) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* Bulk.session(url)
      const teams: ReadonlyArray<Team> = yield* addTeams(session, rows)
      yield* settle(session)
      return teams
    })
  )

/** As {@link withContacts}, each with a project that has all contacts as prospects. */
export const withProjects = ({ rows, url }: Sizes) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* Bulk.session(url)
      const teams = yield* addTeams(session, rows)
      const made: Array<TeamWithProject> = []
      yield* Bulk.fill(
        session,
        "prospects",
        Effect.forEach(
          teams,
          (team) =>
            Effect.map(addProject(session, { id: team.uuid, user: team.user }), (uuid) =>
              made.push({ ...team, project: Id.fromUuid("project", uuid) })
            ),
          { discard: true }
        )
      )
      yield* settle(session)
      return made
    })
  )
