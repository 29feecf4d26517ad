/** The SQL of accounts as the operator sees them: what they are, what they have, and how they end. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** An account as it is stored. `id` is a UUID. */
export interface StoredAccount {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly isBot: boolean
  readonly isOperator: boolean
  readonly broker: "active" | "pending" | null
  readonly investor: "active" | "pending" | null
  readonly createdAt: Date
  readonly signedInAt: Date | null
  readonly deactivatedAt: Date | null
  readonly deletedAt: Date | null
  readonly teams: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly role: "admin" | "member"
    readonly status: "active" | "pending"
  }>
}

/** What gives access to an account. Ids are UUIDs. */
export interface Access {
  readonly hasPassword: boolean
  readonly providers: ReadonlyArray<string>
  readonly sessions: ReadonlyArray<{
    readonly id: string
    readonly createdAt: Date
    readonly lastUsedAt: Date
    readonly expiresAt: Date
    readonly address: string | null
  }>
  readonly tokens: ReadonlyArray<{
    readonly id: string
    readonly name: string | null
    readonly teamId: string
    readonly createdAt: Date
    readonly expiresAt: Date
  }>
  readonly grants: ReadonlyArray<{
    readonly id: string
    readonly app: string
    readonly teamId: string
    readonly scopes: ReadonlyArray<string>
    readonly createdAt: Date
  }>
}

/** How many records name a user as owner or assignee. */
export interface Owned {
  readonly projects: number
  readonly properties: number
  readonly prospects: number
  readonly openTasks: number
  readonly openQuestions: number
}

/** Of nobody. */
export const noneOwned: Owned = { projects: 0, properties: 0, prospects: 0, openTasks: 0, openQuestions: 0 }

/** Which accounts the operator looks for; members that are absent do not count. */
export interface AccountSearch {
  /** A part of the name or of the e-mail address. */
  readonly text?: string | undefined
  readonly state?: "active" | "deactivated" | "deleted" | undefined
  readonly kind?: "person" | "bot" | "operator" | undefined
  /** Whether a capability waits for its approval. */
  readonly isPending?: boolean | undefined
  /** The team (UUID) that they belong to. */
  readonly teamId?: string | undefined
}

/** How much an account that is deleted had, of what was still valid. */
export interface Removed {
  readonly sessions: number
  readonly tokens: number
  readonly grants: number
  readonly memberships: number
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  // A lateral join, so that each account reads its memberships by their index.
  const columns = sql`
    u.id, u.name, u.email, u.is_bot as "isBot", u.is_operator as "isOperator", u.broker, u.investor,
    u.created_at as "createdAt",
    u.signed_in_at as "signedInAt", u.deactivated_at as "deactivatedAt", u.deleted_at as "deletedAt", teams`
  const memberships = sql`
    cross join lateral (
      select coalesce(
        json_agg(json_build_object('id', t.id, 'name', t.name, 'role', m.role, 'status', m.status)
          order by m.is_primary desc, m.joined_at, m.team_id),
        '[]'
      ) as teams
      from memberships m join teams t on t.id = m.team_id
      where m.user_id = u.id
    ) as of_user`

  /** Accounts, the oldest first: all that are not deleted, or those that are not active; of all teams, or of one (UUID). */
  const list = Effect.fn("AccountsRepo.list")(function* ({
    inactive,
    teamId
  }: {
    readonly inactive: boolean
    readonly teamId: string | undefined
  }) {
    const conditions = [inactive ? sql`u.deactivated_at is not null` : sql`u.deleted_at is null`]
    if (teamId !== undefined) conditions.push(sql`u.id in (select user_id from memberships where team_id = ${teamId})`)
    return yield* orDie(sql<StoredAccount>`
      select ${columns} from users u ${memberships} where ${sql.and(conditions)} order by u.created_at, u.id`)
  })

  const states = {
    active: "u.deactivated_at is null and u.deleted_at is null",
    deactivated: "u.deactivated_at is not null and u.deleted_at is null",
    deleted: "u.deleted_at is not null"
  }
  const kinds = { person: "not u.is_bot", bot: "u.is_bot", operator: "u.is_operator" }

  /** At most `limit` of the accounts that are looked for, the newest first, from the one before this id (UUID) on. */
  const search = Effect.fn("AccountsRepo.search")(function* (
    { isPending, kind, state, teamId, text }: AccountSearch,
    before: string | undefined,
    limit: number
  ) {
    const pattern = `%${(text ?? "").replaceAll(/[\\%_]/g, "\\$&")}%`
    const conditions = [
      sql.literal(state === undefined ? "u.deleted_at is null" : states[state]),
      ...(kind === undefined ? [] : [sql.literal(kinds[kind])]),
      ...(text === undefined ? [] : [sql`(u.name ilike ${pattern} or u.email ilike ${pattern})`]),
      ...(isPending === true ? [sql`(u.broker = 'pending' or u.investor = 'pending')`] : []),
      ...(teamId === undefined ? [] : [sql`u.id in (select user_id from memberships where team_id = ${teamId})`]),
      ...(before === undefined ? [] : [sql`u.id < ${before}`])
    ]
    return yield* orDie(sql<StoredAccount>`
      select ${columns} from users u ${memberships} where ${sql.and(conditions)} order by u.id desc limit ${limit}`)
  })

  /** An account by its id. */
  const find = Effect.fn("AccountsRepo.find")(function* (id: string) {
    const [account] = yield* orDie(sql<StoredAccount>`
      select ${columns} from users u ${memberships} where u.id = ${id}`)
    return account
  })

  /** Locks an account until the transaction ends; false if there is none with this id. */
  const lock = Effect.fn("AccountsRepo.lock")(function* (id: string) {
    return (yield* orDie(sql`select from users where id = ${id} for update`)).length > 0
  })

  /** What gives access to an account now. */
  const access = Effect.fn("AccountsRepo.access")(function* (id: string, now: Date, usedSince: Date) {
    const [password] = yield* orDie(sql`select from passwords where user_id = ${id}`)
    const providers = yield* orDie(sql<{ readonly issuer: string }>`
      select issuer from upstream_subjects where user_id = ${id} order by issuer`)
    const sessions = yield* orDie(sql<Access["sessions"][number]>`
      select id, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt", address
      from sessions
      where user_id = ${id} and revoked_at is null and expires_at > ${now} and last_used_at > ${usedSince}
      order by created_at desc, id desc`)
    const tokens = yield* orDie(sql<Access["tokens"][number]>`
      select id, name, team_id as "teamId", created_at as "createdAt", expires_at as "expiresAt"
      from tokens
      where user_id = ${id} and kind = 'personal' and revoked_at is null and expires_at > ${now}
      order by created_at, id`)
    const grants = yield* orDie(sql<Access["grants"][number]>`
      select g.id, a.name as app, g.team_id as "teamId", g.scopes, g.created_at as "createdAt"
      from grants g join apps a on a.id = g.app_id
      where g.user_id = ${id} and g.revoked_at is null and a.revoked_at is null
      order by g.created_at, g.id`)
    const found: Access = {
      hasPassword: password !== undefined,
      providers: providers.map(({ issuer }) => issuer),
      sessions,
      tokens,
      grants
    }
    return found
  })

  /** Deactivates an account, which ends its sessions and the links that would begin one; returns how many sessions. */
  const deactivate = Effect.fn("AccountsRepo.deactivate")(function* (id: string, now: Date) {
    const ended = yield* orDie(sql`
      with deactivated as (
        update users set deactivated_at = ${now}, is_operator = false where id = ${id}
      ), links as (
        update sign_in_links set used_at = ${now} where user_id = ${id} and used_at is null
      )
      update sessions set revoked_at = ${now} where user_id = ${id} and revoked_at is null and expires_at > ${now}
      returning id`)
    return ended.length
  })

  /** Activates an account again. */
  const activate = Effect.fn("AccountsRepo.activate")(function* (id: string) {
    yield* orDie(sql`update users set deactivated_at = null where id = ${id}`)
  })

  /** Marks an account as that of an operator, or not any more; false if it is as it was. */
  const setOperator = Effect.fn("AccountsRepo.setOperator")(function* (id: string, isOperator: boolean) {
    const changed = yield* orDie(sql`
      update users set is_operator = ${isOperator} where id = ${id} and is_operator <> ${isOperator} returning id`)
    return changed.length > 0
  })

  /** The teams that an account is the only administrator of, and that have other people as members. */
  const onlyAdministered = Effect.fn("AccountsRepo.onlyAdministered")(function* (id: string) {
    return yield* orDie(sql<{ readonly id: string; readonly name: string }>`
      select t.id, t.name from memberships m join teams t on t.id = m.team_id
      where m.user_id = ${id} and m.status = 'active' and m.role = 'admin' and t.deleted_at is null
        and exists (
          select from memberships o join users u on u.id = o.user_id
          where o.team_id = m.team_id and o.user_id <> m.user_id and o.status = 'active' and not u.is_bot
        )
        and not exists (
          select from memberships o join users u on u.id = o.user_id
          where o.team_id = m.team_id and o.user_id <> m.user_id and o.status = 'active' and o.role = 'admin'
            and not u.is_bot and u.deactivated_at is null
        )
      order by t.name, t.id`)
  })

  /** How many records of a team name a user as owner or assignee. */
  const owned = Effect.fn("AccountsRepo.owned")(function* (id: string, teamId: string) {
    const [counts] = yield* orDie(sql<Owned>`
      select
        (select count(*)::int from projects where team_id = ${teamId} and owner_id = ${id} and deleted_at is null)
          as projects,
        (select count(*)::int from properties where team_id = ${teamId} and owner_id = ${id} and deleted_at is null)
          as properties,
        (select count(*)::int from prospects where team_id = ${teamId} and owner_id = ${id} and deleted_at is null)
          as prospects,
        (select count(*)::int from tasks
          where team_id = ${teamId} and assignee_id = ${id} and state = 'open' and deleted_at is null) as "openTasks",
        (select count(*)::int from questions
          where team_id = ${teamId} and assignee_id = ${id} and state in ('open', 'drafted') and deleted_at is null)
          as "openQuestions"`)
    return counts ?? noneOwned
  })

  /** Leaves an id of an account: its profile and all that gives access to it go, and its memberships end. Returns how many of each. */
  const remove = Effect.fn("AccountsRepo.remove")(function* (id: string, now: Date) {
    const [counts] = yield* orDie(sql<Removed>`
      with emptied as (
        update users set
          email = null, email_confirmed = false, phone = null, phone_confirmed = false, first_name = null,
          last_name = null, name = '', culture = default, ui_culture = default, region = default,
          time_zone = default, profile_picture_url = null, broker = null, investor = null, signed_in_at = null,
          is_operator = false,
          deactivated_at = coalesce(deactivated_at, ${now}), deleted_at = ${now}
        where id = ${id}
      ), of_passwords as (
        delete from passwords where user_id = ${id}
      ), of_links as (
        delete from sign_in_links where user_id = ${id}
      ), of_providers as (
        delete from upstream_subjects where user_id = ${id}
      ), of_invitations as (
        delete from invitations where lower(email) = (select lower(email) from users where id = ${id})
      ), of_contact_people as (
        update teams set contact_person_id = null where contact_person_id = ${id}
      ), of_filters as (
        delete from saved_filters where user_id = ${id}
      ), of_sessions as (
        delete from sessions where user_id = ${id} returning revoked_at is null and expires_at > ${now} as counts
      ), of_tokens as (
        delete from tokens where user_id = ${id} and family_id is null
        returning revoked_at is null and expires_at > ${now} as counts
      ), of_grants as (
        delete from grants where user_id = ${id} returning revoked_at is null as counts
      ), of_memberships as (
        delete from memberships where user_id = ${id} returning true as counts
      )
      select (select count(*)::int from of_sessions where counts) as sessions,
        (select count(*)::int from of_tokens where counts) as tokens,
        (select count(*)::int from of_grants where counts) as grants,
        (select count(*)::int from of_memberships where counts) as memberships`)
    return counts ?? { sessions: 0, tokens: 0, grants: 0, memberships: 0 }
  })

  return { list, search, find, lock, access, deactivate, activate, setOperator, onlyAdministered, owned, remove }
})

/** Reads and ends accounts. */
export class AccountsRepo extends Context.Service<AccountsRepo, Effect.Success<typeof make>>()(
  "identity/users/AccountsRepo"
) {
  static readonly layer = Layer.effect(AccountsRepo, make)
}
