/** The SQL of OAuth clients. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import * as Id from "../../core/Id.ts"
import type { Client } from "./Client.ts"

/** A client that can authenticate. Ids are UUIDs. */
export interface StoredClient {
  readonly id: string
  readonly teamId: string
  readonly botUserId: string
  readonly secretHash: Uint8Array
  readonly scopes: ReadonlyArray<string>
}

/** A client that can authenticate, with the secret that a rotation replaced. */
export interface StoredSecrets extends StoredClient {
  readonly previous: { readonly hash: Uint8Array; readonly until: Date } | undefined
}

interface Row {
  readonly id: string
  readonly name: string
  readonly bot_user_id: string
  readonly bot_name: string
  readonly scopes: ReadonlyArray<string>
  readonly created_at: Date
  readonly revoked_at: Date | null
}

const toClient = (row: Row): Client => ({
  id: Id.fromUuid("client", row.id),
  name: row.name,
  bot: { id: Id.fromUuid("user", row.bot_user_id), name: row.bot_name },
  scopes: row.scopes,
  createdUtc: row.created_at.toISOString(),
  revokedUtc: row.revoked_at?.toISOString() ?? null
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** A client that is not revoked, whose bot belongs to the team and is not deactivated, and whose team is not deleted. */
  const find = Effect.fn("ClientsRepo.find")(function* (id: string) {
    const [row] = yield* orDie(sql<{
      id: string
      team_id: string
      bot_user_id: string
      secret_hash: Uint8Array
      scopes: ReadonlyArray<string>
      previous_secret_hash: Uint8Array | null
      previous_secret_until: Date | null
    }>`
      select c.id, c.team_id, c.bot_user_id, c.secret_hash, c.scopes, c.previous_secret_hash, c.previous_secret_until
      from clients c
      join memberships m on m.team_id = c.team_id and m.user_id = c.bot_user_id
      join users u on u.id = c.bot_user_id
      join teams t on t.id = c.team_id
      where c.id = ${id} and c.revoked_at is null and u.deactivated_at is null and t.deleted_at is null`)
    if (row === undefined) return undefined
    const { previous_secret_hash: hash, previous_secret_until: until } = row
    const stored: StoredSecrets = {
      id: row.id,
      teamId: row.team_id,
      botUserId: row.bot_user_id,
      secretHash: row.secret_hash,
      scopes: row.scopes,
      previous: hash === null || until === null ? undefined : { hash, until }
    }
    return stored
  })

  const insert = Effect.fn("ClientsRepo.insert")(function* (
    client: StoredClient & { readonly name: string; readonly now: Date }
  ) {
    yield* orDie(sql`
      insert into clients (id, team_id, bot_user_id, name, secret_hash, scopes, created_at)
      values (${client.id}, ${client.teamId}, ${client.botUserId}, ${client.name}, ${client.secretHash},
        ${client.scopes}::text[], ${client.now})`)
  })

  /** All clients of a team, including revoked ones, the oldest first. */
  const list = Effect.fn("ClientsRepo.list")(function* (teamId: string) {
    const rows = yield* orDie(sql<Row>`
      select c.id, c.name, c.bot_user_id, u.name as bot_name, c.scopes, c.created_at, c.revoked_at
      from clients c join users u on u.id = c.bot_user_id
      where c.team_id = ${teamId} order by c.created_at, c.id`)
    return rows.map(toClient)
  })

  /** When each client of a team that was used was last used. */
  const lastUses = Effect.fn("ClientsRepo.lastUses")(function* (teamId: string) {
    return yield* orDie(sql<{ readonly clientId: string; readonly lastAt: Date }>`
      select c.id as "clientId", u.last_at as "lastAt"
      from clients c cross join lateral (
        select greatest(
          (select max(last_at) from request_days where subject = c.id),
          (select max(opened_at) from rate_windows where subject = c.id)
        ) as last_at
      ) as u
      where c.team_id = ${teamId} and u.last_at is not null`)
  })

  /** Revokes a client; says its team, and whether it was not revoked before. Undefined if there is none with this id. */
  const revoke = Effect.fn("ClientsRepo.revoke")(function* (id: string, now: Date) {
    const [revoked] = yield* orDie(sql<{ readonly teamId: string; readonly isNew: boolean }>`
      with found as (
        select id, team_id, revoked_at from clients where id = ${id} for update
      ), revoked as (
        update clients set revoked_at = ${now} where id in (select id from found where revoked_at is null)
      )
      select team_id as "teamId", revoked_at is null as "isNew" from found`)
    return revoked
  })

  /** A client of any state with the name of its team, and until when a replaced secret is good. */
  const show = Effect.fn("ClientsRepo.show")(function* (id: string) {
    const [row] = yield* orDie(sql<
      Row & { readonly team_id: string; readonly team_name: string; readonly previous_secret_until: Date | null }
    >`
      select c.id, c.name, c.bot_user_id, u.name as bot_name, c.scopes, c.created_at, c.revoked_at, c.team_id,
        t.name as team_name, c.previous_secret_until
      from clients c join users u on u.id = c.bot_user_id join teams t on t.id = c.team_id where c.id = ${id}`)
    return row === undefined
      ? undefined
      : {
          ...toClient(row),
          team: { id: Id.fromUuid("team", row.team_id), name: row.team_name },
          previousSecretUntil: row.previous_secret_until
        }
  })

  /** How a client was used since a day: its requests by day, and the addresses that it called from, the latest first. */
  const use = Effect.fn("ClientsRepo.use")(function* (id: string, since: Date) {
    const days = yield* orDie(sql<{ readonly day: string; readonly requests: number; readonly lastAt: Date }>`
      select day::text, sum(requests)::float8 as requests, max(last_at) as "lastAt" from (
        select day, requests, last_at from request_days where subject = ${id}
        union all
        select (opened_at at time zone 'utc')::date, requests, opened_at from rate_windows where subject = ${id}
      ) as counted
      where day >= (${since}::timestamptz at time zone 'utc')::date
      group by day order by day`)
    const addresses = yield* orDie(sql<{ readonly address: string; readonly firstAt: Date; readonly lastAt: Date }>`
      select address, first_at as "firstAt", last_at as "lastAt" from client_addresses
      where client_id = ${id} order by last_at desc, address limit 100`)
    return { days, addresses }
  })

  /**
   * Gives a client another secret; the present one is good until a time, if there is one. Says the team of the client; undefined if there
   * is none, or if it is revoked.
   */
  const rotate = Effect.fn("ClientsRepo.rotate")(function* (id: string, secretHash: Uint8Array, until: Date | null) {
    const [row] = yield* orDie(sql<{ readonly teamId: string }>`
      update clients set
        previous_secret_hash = case when ${until}::timestamptz is null then null else secret_hash end,
        previous_secret_until = ${until}::timestamptz,
        secret_hash = ${secretHash}
      where id = ${id} and revoked_at is null
      returning team_id as "teamId"`)
    return row?.teamId
  })

  /** The team of a client, which may be revoked. */
  const teamOf = Effect.fn("ClientsRepo.teamOf")(function* (id: string) {
    const [row] = yield* orDie(sql<{ readonly teamId: string }>`
      select team_id as "teamId" from clients where id = ${id}`)
    return row?.teamId
  })

  return { find, show, lastUses, use, rotate, teamOf, insert, list, revoke }
})

/** Stores OAuth clients. */
export class ClientsRepo extends Context.Service<ClientsRepo, Effect.Success<typeof make>>()(
  "identity/clients/ClientsRepo"
) {
  static readonly layer = Layer.effect(ClientsRepo, make)
}
