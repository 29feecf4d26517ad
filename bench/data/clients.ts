/** Inserts OAuth clients of a team with their access tokens. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Secret from "../../src/core/auth/Secret.ts"
import * as Id from "../../src/core/Id.ts"
import type { Session } from "./Bulk.ts"

/** A client: its credentials, and an access token. */
export interface Client {
  readonly id: string
  readonly secret: string
  readonly token: string
}

// $1 is the team, $2 the number. A bot that may do what a broker and an investor may.
const insert = `
  with bot as (
    insert into users (id, name, is_bot, broker, investor, created_at)
    values (gen_random_uuid(), 'Sync Bot', true, 'active', 'active', now())
    returning id
  ), member as (
    insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
    select $1::uuid, id, 'member', 'active', true, now(), 'sync bot' from bot
  ), made as (
    insert into clients (id, team_id, bot_user_id, name, secret_hash, scopes, created_at)
    select gen_random_uuid(), $1::uuid, bot.id, 'CRM sync', secret, '{api:public}', now() from bot, unnest($2::bytea[]) as secret
    returning id, secret_hash, bot_user_id
  ), issued as (
    insert into tokens (id, kind, hash, user_id, team_id, client_id, scopes, created_at, expires_at)
    select gen_random_uuid(), 'access', hash, bot_user_id, $1::uuid, made.id, '{api:public}', now(), now() + interval '1 day'
    from made join (
      select * from unnest($2::bytea[], $3::bytea[]) as pairs (secret_hash, hash)
    ) as pairs using (secret_hash)
  )
  select id, secret_hash from made`

/** Inserts this number of clients. */
export const add = Effect.fnUntraced(function* ({ query }: Session, team: string, count: number) {
  const made = Array.from({ length: count }, () => ({
    secret: Secret.make("client", randomBytes(32)),
    token: Secret.make("access", randomBytes(32))
  }))
  const rows = yield* query<{ id: string; secret_hash: Buffer }>(insert, [
    team,
    made.map(({ secret }) => Secret.hash(secret)),
    made.map(({ token }) => Secret.hash(token))
  ])
  const ids = new Map(rows.map(({ id, secret_hash }) => [secret_hash.toString("hex"), id]))
  return made.map(({ secret, token }): Client => ({
    id: Id.fromUuid("client", ids.get(Buffer.from(Secret.hash(secret)).toString("hex")) ?? ""),
    secret,
    token
  }))
})
