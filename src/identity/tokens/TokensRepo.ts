/** The SQL of tokens: issuing, finding, revoking. Authentication by a token is in `src/core/auth/CallersRepo.ts`. */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

// So that a token never waits for a large cleanup. Each deletes more than it adds.
const maxDeleted = 1000

/** A token as it is stored. Ids are UUIDs. */
export interface StoredToken {
  readonly id: string
  readonly kind: "personal" | "access" | "granted"
  readonly userId: string
  readonly teamId: string
  readonly clientId: string | null
  readonly name: string | null
  readonly scopes: ReadonlyArray<string>
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

interface Row {
  readonly id: string
  readonly kind: StoredToken["kind"]
  readonly user_id: string
  readonly team_id: string
  readonly client_id: string | null
  readonly name: string | null
  readonly scopes: ReadonlyArray<string>
  readonly created_at: Date
  readonly expires_at: Date
  readonly revoked_at: Date | null
}

const toStored = (row: Row): StoredToken => ({
  id: row.id,
  kind: row.kind,
  userId: row.user_id,
  teamId: row.team_id,
  clientId: row.client_id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`t.id, t.kind, t.user_id, t.team_id, t.client_id, t.name, t.scopes, t.created_at, t.expires_at,
    t.revoked_at`

  // Of an account that is not deactivated, and a team that is not deleted.
  const openTables = sql`join users u on u.id = t.user_id join teams team on team.id = t.team_id`
  const isOpen = sql`u.deactivated_at is null and team.deleted_at is null`

  /** Adds a token; `familyId` (UUID) is for one of a grant. */
  const insert = Effect.fn("TokensRepo.insert")(function* (
    token: Omit<StoredToken, "revokedAt"> & { readonly hash: Uint8Array; readonly familyId?: string }
  ) {
    yield* orDie(sql`
      insert into tokens (
        id, kind, hash, user_id, team_id, client_id, family_id, name, scopes, created_at, expires_at
      ) values (
        ${token.id}, ${token.kind}, ${token.hash}, ${token.userId}, ${token.teamId}, ${token.clientId},
        ${token.familyId ?? null}::uuid, ${token.name}, ${token.scopes}::text[], ${token.createdAt}, ${token.expiresAt}
      )`)
  })

  // Another process may be deleting the same ones: nobody waits, and the next token deletes what is left.
  const deleteTokens = (oldest: Fragment) =>
    orDie(sql`
      delete from tokens where id in (
        select id from tokens where id in (${oldest}) for update skip locked
      )`)

  /** Deletes the oldest tokens of a client that acts for itself, beyond the `newest`. */
  const deleteOldestOfClient = Effect.fn("TokensRepo.deleteOldestOfClient")(function* (
    clientId: string,
    newest: number
  ) {
    yield* deleteTokens(sql`
      select id from tokens where client_id = ${clientId}
      order by created_at desc, id desc offset ${newest} limit ${maxDeleted}`)
  })

  /** As `deleteOldestOfClient`, of the grant that a family belongs to. */
  const deleteOldestOfGrant = Effect.fn("TokensRepo.deleteOldestOfGrant")(function* (familyId: string, newest: number) {
    yield* deleteTokens(sql`
      select t.id from tokens t
      where t.family_id in (
        select f.id from grant_families f
        where f.grant_id = (select grant_id from grant_families where id = ${familyId})
      )
      order by t.created_at desc, t.id desc offset ${newest} limit ${maxDeleted}`)
  })

  /** The token with this hash of a grant to an app, while it is valid. */
  const findGranted = Effect.fn("TokensRepo.findGranted")(function* (appId: string, hash: Uint8Array, now: Date) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from tokens t
      join grant_families f on f.id = t.family_id
      join grants g on g.id = f.grant_id
      join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
      ${openTables}
      where t.hash = ${hash} and g.app_id = ${appId} and t.revoked_at is null and t.expires_at > ${now} and ${isOpen}
        and f.revoked_at is null and g.revoked_at is null and m.joined_at <= f.created_at`)
    return row === undefined ? undefined : toStored(row)
  })

  /** The valid access token with this hash that was issued to this client. */
  const findAccess = Effect.fn("TokensRepo.findAccess")(function* (clientId: string, hash: Uint8Array, now: Date) {
    const [row] = yield* orDie(sql<Row>`
      select ${columns} from tokens t
      join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
      ${openTables}
      where t.hash = ${hash} and t.client_id = ${clientId} and t.revoked_at is null and t.expires_at > ${now}
        and ${isOpen}`)
    return row === undefined ? undefined : toStored(row)
  })

  /** The valid personal tokens of a user, oldest first, and when each was last used: to the minute. */
  const listPersonal = Effect.fn("TokensRepo.listPersonal")(function* (userId: string, now: Date) {
    const rows = yield* orDie(sql<Row & { readonly last_used_at: Date | null }>`
      select ${columns}, greatest(
        (select opened_at from rate_windows where subject = t.id),
        (select max(last_at) from request_days where subject = t.id)
      ) as last_used_at from tokens t
      where t.user_id = ${userId} and t.kind = 'personal' and t.revoked_at is null and t.expires_at > ${now}
      order by t.created_at, t.id`)
    return rows.map((row) => ({ ...toStored(row), lastUsedAt: row.last_used_at }))
  })

  /**
   * Revokes a personal token, of this user if one is named; says its team, and whether it was not revoked before. Undefined if there is none
   * with this id.
   */
  const revokePersonal = Effect.fn("TokensRepo.revokePersonal")(function* (id: string, now: Date, userId?: string) {
    const [revoked] = yield* orDie(sql<{ readonly teamId: string; readonly isNew: boolean }>`
      with found as (
        select id, team_id, revoked_at from tokens
        where id = ${id} and kind = 'personal' and (${userId === undefined} or user_id = ${userId ?? null}::uuid)
        for update
      ), revoked as (
        update tokens set revoked_at = ${now} where id in (select id from found where revoked_at is null)
      )
      select team_id as "teamId", revoked_at is null as "isNew" from found`)
    return revoked
  })

  /** Deletes the access token with this hash if it was issued to this client. */
  const deleteAccess = Effect.fn("TokensRepo.deleteAccess")(function* (clientId: string, hash: Uint8Array) {
    yield* orDie(sql`delete from tokens where hash = ${hash} and client_id = ${clientId}`)
  })

  /** Deletes tokens that expired before `until`, and their rate-limit windows, at most `limit`; returns how many. */
  const purge = Effect.fn("TokensRepo.purge")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      with purged as (
        delete from tokens where id in (
          select id from tokens where expires_at < ${until} order by expires_at limit ${limit}
        ) returning id
      ), closed as (
        delete from rate_windows where subject in (select id from purged)
      )
      select id from purged`)
    return purged.length
  })

  return {
    insert,
    deleteOldestOfClient,
    deleteOldestOfGrant,
    findGranted,
    findAccess,
    listPersonal,
    revokePersonal,
    deleteAccess,
    purge
  }
})

/** Stores tokens. */
export class TokensRepo extends Context.Service<TokensRepo, Effect.Success<typeof make>>()(
  "identity/tokens/TokensRepo"
) {
  static readonly layer = Layer.effect(TokensRepo, make)
}
