/** Teams of several sizes in one database. */
import { Effect, type Redacted } from "effect"
import { randomBytes } from "node:crypto"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Id from "../../src/core/Id.ts"
import * as Tenant from "../../test/support/Tenant.ts"
import * as Bulk from "./Bulk.ts"
import * as contacts from "./contacts.ts"
import * as prospects from "./prospects.ts"

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
            Effect.map(prospects.add(session, { id: team.uuid, user: team.user }), (uuid) =>
              made.push({ ...team, project: Id.fromUuid("project", uuid) })
            ),
          { discard: true }
        )
      )
      yield* settle(session)
      return made
    })
  )
