/** Inserts rows for the tests of callers, without use-cases. */
import * as Secret from "../../../src/core/auth/Secret.ts"
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { Database } from "../../../src/platform/db/Database.ts"
import { sortNameOf } from "../../../src/identity/teams/rules.ts"

/** The default creation time of the rows. */
export const start = new Date("2026-11-21T09:30:00.000Z")

/** This many seconds after `start`. */
export const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

/** Inserts a team and returns its UUID. */
export const aTeam = Effect.fnUntraced(function* (name = "Berg Partners") {
  const sql = yield* Database
  const id = randomUUID()
  yield* sql`insert into teams (id, name, plan, created_at) values (${id}, ${name}, 'plus', ${start})`
  return id
})

interface Person {
  readonly name?: string
  readonly email?: string
  readonly isBot?: boolean
  readonly broker?: "active" | "pending"
  readonly investor?: "active" | "pending"
}

/** Inserts a person without a team and returns the UUID. */
export const aUser = Effect.fnUntraced(function* (person: Person = {}) {
  const sql = yield* Database
  const id = randomUUID()
  yield* sql`
    insert into users (id, email, name, is_bot, broker, investor, created_at)
    values (${id}, ${person.isBot === true ? null : (person.email ?? `${id}@example.com`)}, ${person.name ?? "Anna Berg"},
      ${person.isBot ?? false}, ${person.broker ?? null}, ${person.investor ?? null}, ${start})`
  return id
})

interface Membership {
  readonly role?: "admin" | "member"
  readonly status?: "active" | "pending"
  readonly primary?: boolean
}

/** Makes a person a member of a team. */
export const join = Effect.fnUntraced(function* (teamId: string, userId: string, membership: Membership = {}) {
  const sql = yield* Database
  const [user] = yield* sql<{ name: string }>`select name from users where id = ${userId}`
  yield* sql`
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    values (${teamId}, ${userId}, ${membership.role ?? "member"}, ${membership.status ?? "active"},
      ${membership.primary ?? false}, ${start}, ${sortNameOf(user?.name ?? "")})`
})

/** Inserts a member of a team and returns the UUID. */
export const aMember = Effect.fnUntraced(function* (teamId: string, who: Person & Membership = {}) {
  const userId = yield* aUser(who)
  yield* join(teamId, userId, who)
  return userId
})

/** Inserts an OAuth client with its bot. */
export const aClient = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const botId = yield* aMember(teamId, { name: "Sync Bot", isBot: true, broker: "active" })
  const id = randomUUID()
  const secret = Secret.make("client", randomBytes(32))
  yield* sql`
    insert into clients (id, team_id, bot_user_id, name, secret_hash, scopes, created_at)
    values (${id}, ${teamId}, ${botId}, 'CRM sync', ${Secret.hash(secret)}, '{api:public}', ${start})`
  return { id, botId, secret }
})

interface Holder {
  readonly userId: string
  readonly teamId: string
  readonly clientId?: string
  readonly expiresAt?: Date
}

/** Inserts a token and returns its UUID, text and hash. */
export const aToken = Effect.fnUntraced(function* (holder: Holder) {
  const sql = yield* Database
  const kind = holder.clientId === undefined ? "personal" : "access"
  const id = randomUUID()
  const token = Secret.make(kind, randomBytes(32))
  const hash = Secret.hash(token)
  yield* sql`
    insert into tokens (id, kind, hash, user_id, team_id, client_id, name, scopes, created_at, expires_at)
    values (${id}, ${kind}, ${hash}, ${holder.userId}, ${holder.teamId}, ${holder.clientId ?? null}, 'script',
      '{api:public}', ${start}, ${holder.expiresAt ?? after(3600)})`
  return { id, token, hash }
})
