/** The SQL of tokens: issuing, finding, revoking. Authentication by a token is in `src/auth/CallersRepo.ts`. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"

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

/** Stores tokens. */
export class TokensRepo extends Context.Service<
  TokensRepo,
  {
    /** Adds a token; `familyId` (UUID) is for one of a grant. */
    readonly insert: (
      token: Omit<StoredToken, "revokedAt"> & { readonly hash: Uint8Array; readonly familyId?: string }
    ) => Effect.Effect<void>
    /** Ends the oldest valid tokens of a client that acts for itself, beyond the `newest`. */
    readonly endOldestOfClient: (clientId: string, newest: number, now: Date) => Effect.Effect<void>
    /** As `endOldestOfClient`, of the grant that a family belongs to. */
    readonly endOldestOfGrant: (familyId: string, newest: number, now: Date) => Effect.Effect<void>
    /** The token with this hash of a grant to an app, while it is valid. */
    readonly findGranted: (appId: string, hash: Uint8Array, now: Date) => Effect.Effect<StoredToken | undefined>
    /** The valid access token with this hash that was issued to this client. */
    readonly findAccess: (clientId: string, hash: Uint8Array, now: Date) => Effect.Effect<StoredToken | undefined>
    /** The valid personal tokens of a user, oldest first. */
    readonly listPersonal: (userId: string, now: Date) => Effect.Effect<ReadonlyArray<StoredToken>>
    /** Revokes a personal token, of this user if one is named; returns false if there is none with this id. */
    readonly revokePersonal: (id: string, now: Date, userId?: string) => Effect.Effect<boolean>
    /** Revokes the access token with this hash if it was issued to this client. */
    readonly revokeAccess: (clientId: string, hash: Uint8Array, now: Date) => Effect.Effect<void>
    /** Deletes tokens that expired before `until`, and their rate-limit windows, at most `limit`; returns how many. */
    readonly purge: (until: Date, limit: number) => Effect.Effect<number>
  }
>()("identity/tokens/TokensRepo") {
  static readonly layer = Layer.effect(
    TokensRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`t.id, t.kind, t.user_id, t.team_id, t.client_id, t.name, t.scopes, t.created_at, t.expires_at,
        t.revoked_at`

      const insert: TokensRepo["Service"]["insert"] = Effect.fn("TokensRepo.insert")(function* (token) {
        yield* orDie(sql`
          insert into tokens (id, kind, hash, user_id, team_id, client_id, family_id, name, scopes, created_at, expires_at)
          values (${token.id}, ${token.kind}, ${token.hash}, ${token.userId}, ${token.teamId}, ${token.clientId},
            ${token.familyId ?? null}::uuid, ${token.name}, ${token.scopes}::text[], ${token.createdAt},
            ${token.expiresAt})`)
      })

      const endOldestOfClient = Effect.fn("TokensRepo.endOldestOfClient")(function* (
        clientId: string,
        newest: number,
        now: Date
      ) {
        yield* orDie(sql`
          update tokens set revoked_at = ${now} where id in (
            select id from tokens
            where client_id = ${clientId} and revoked_at is null and expires_at > ${now}
            order by created_at desc, id desc offset ${newest}
          )`)
      })

      const endOldestOfGrant = Effect.fn("TokensRepo.endOldestOfGrant")(function* (
        familyId: string,
        newest: number,
        now: Date
      ) {
        yield* orDie(sql`
          update tokens set revoked_at = ${now} where id in (
            select t.id from tokens t
            where t.revoked_at is null and t.expires_at > ${now} and t.family_id in (
              select f.id from grant_families f
              where f.grant_id = (select grant_id from grant_families where id = ${familyId})
            )
            order by t.created_at desc, t.id desc offset ${newest}
          )`)
      })

      const findGranted = Effect.fn("TokensRepo.findGranted")(function* (appId: string, hash: Uint8Array, now: Date) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from tokens t
          join grant_families f on f.id = t.family_id
          join grants g on g.id = f.grant_id
          join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
          where t.hash = ${hash} and g.app_id = ${appId} and t.revoked_at is null and t.expires_at > ${now}
            and f.revoked_at is null and g.revoked_at is null and m.joined_at <= f.created_at`)
        return row === undefined ? undefined : toStored(row)
      })

      const findAccess = Effect.fn("TokensRepo.findAccess")(function* (clientId: string, hash: Uint8Array, now: Date) {
        const [row] = yield* orDie(sql<Row>`
          select ${columns} from tokens t
          join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
          where t.hash = ${hash} and t.client_id = ${clientId} and t.revoked_at is null and t.expires_at > ${now}`)
        return row === undefined ? undefined : toStored(row)
      })

      const listPersonal = Effect.fn("TokensRepo.listPersonal")(function* (userId: string, now: Date) {
        const rows = yield* orDie(sql<Row>`
          select ${columns} from tokens t
          where t.user_id = ${userId} and t.kind = 'personal' and t.revoked_at is null and t.expires_at > ${now}
          order by t.created_at, t.id`)
        return rows.map(toStored)
      })

      const revokePersonal = Effect.fn("TokensRepo.revokePersonal")(function* (id: string, now: Date, userId?: string) {
        const revoked = yield* orDie(sql`
          update tokens set revoked_at = coalesce(revoked_at, ${now})
          where id = ${id} and kind = 'personal' and (${userId === undefined} or user_id = ${userId ?? null}::uuid)
          returning id`)
        return revoked.length > 0
      })

      const revokeAccess = Effect.fn("TokensRepo.revokeAccess")(function* (
        clientId: string,
        hash: Uint8Array,
        now: Date
      ) {
        yield* orDie(sql`
          update tokens set revoked_at = ${now}
          where hash = ${hash} and client_id = ${clientId} and revoked_at is null`)
      })

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

      return TokensRepo.of({
        insert,
        endOldestOfClient,
        endOldestOfGrant,
        findGranted,
        findAccess,
        listPersonal,
        revokePersonal,
        revokeAccess,
        purge
      })
    })
  )
}
