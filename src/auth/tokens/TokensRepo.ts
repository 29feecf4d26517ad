/** All SQL of tokens: finding and counting at every request, issuing, revoking. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import type { Actor } from "../CurrentActor.ts"

/** The two rate limits, in requests per window: of a personal token, and of an OAuth client. */
export interface Limits {
  readonly pat: number
  readonly client: number
}

/** How long a window of a rate limit is, in seconds. */
export const windowSeconds = 60

/** A token that is good now, whose it is, and how much of its budget is used. */
export interface Authenticated {
  readonly actor: Omit<Actor, "origin">
  /** The stored hash, for a comparison that takes the same time whatever differs. */
  readonly hash: Uint8Array
  readonly policy: keyof Limits
  /** In this window, this one included. What is refused counts for no longer than the moment. */
  readonly requests: number
  readonly openedAt: Date
}

/** A token as it is stored. Ids are UUIDs. */
export interface StoredToken {
  readonly id: string
  readonly kind: "personal" | "access"
  readonly userId: string
  readonly teamId: string
  readonly clientId: string | null
  readonly name: string | null
  readonly scopes: ReadonlyArray<string>
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

interface AuthenticatedRow {
  readonly hash: Uint8Array
  readonly user_id: string
  readonly team_id: string
  readonly client_id: string | null
  readonly role: Actor["role"]
  readonly membership: Actor["membership"]
  readonly broker: Actor["broker"]
  readonly investor: Actor["investor"]
  readonly scopes: ReadonlyArray<string>
  readonly policy: keyof Limits
  readonly opened_at: Date
  readonly subject: string
  readonly before: number
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

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("base64")

/** What was found for each of these hashes; of the requests of one caller, each counts one more than the one before it. */
const inTheirOrder = (hashes: ReadonlyArray<Uint8Array>, rows: ReadonlyArray<AuthenticatedRow>) => {
  const found = new Map(rows.map((row) => [keyOf(row.hash), row]))
  const counted = new Map(rows.map(({ before, subject }) => [subject, before]))
  return hashes.map((hash): Authenticated | undefined => {
    const row = found.get(keyOf(hash))
    if (row === undefined) return undefined
    const requests = (counted.get(row.subject) ?? 0) + 1
    counted.set(row.subject, requests)
    return {
      actor: {
        userId: row.user_id,
        teamId: row.team_id,
        clientId: row.client_id,
        role: row.role,
        membership: row.membership,
        broker: row.broker,
        investor: row.investor,
        scopes: row.scopes
      },
      hash: row.hash,
      policy: row.policy,
      requests,
      openedAt: row.opened_at
    }
  })
}

// Requests that run side by side, and hosts whose clocks differ a little, open windows slightly in each other's
// future. A window farther ahead than this was opened by a clock that was wrong, and is over.
const skewSeconds = 5

/** The tokens of everybody. */
export class TokensRepo extends Context.Service<
  TokensRepo,
  {
    /**
     * Finds the tokens of these hashes and counts a request of the caller for each, in one statement; answers in their order.
     * `undefined`, and nothing counted, for a token that is unknown, revoked or expired, whose client is revoked, or whose
     * person left the team.
     */
    readonly authenticate: (
      hashes: ReadonlyArray<Uint8Array>,
      now: Date,
      limits: Limits
    ) => Effect.Effect<ReadonlyArray<Authenticated | undefined>>
    readonly insert: (token: Omit<StoredToken, "revokedAt"> & { readonly hash: Uint8Array }) => Effect.Effect<void>
    /** The access token of a hash that is good now and was issued to this client. */
    readonly findAccess: (clientId: string, hash: Uint8Array, now: Date) => Effect.Effect<StoredToken | undefined>
    /** The personal tokens of a user that are neither revoked nor expired, the oldest first. */
    readonly listPersonal: (userId: string, now: Date) => Effect.Effect<ReadonlyArray<StoredToken>>
    /** Revokes a personal token; answers whether there was one to revoke. */
    readonly revokePersonal: (id: string, now: Date) => Effect.Effect<boolean>
    /** Revokes the access token of a hash if it is this client's. */
    readonly revokeAccess: (clientId: string, hash: Uint8Array, now: Date) => Effect.Effect<void>
    /** Removes tokens that expired before `until` for good, with their windows, at most `limit`; answers how many. */
    readonly purge: (until: Date, limit: number) => Effect.Effect<number>
    /** Removes the counts of windows that opened before `until`, at most `limit`; answers how many. */
    readonly purgeWindows: (until: Date, limit: number) => Effect.Effect<number>
  }
>()("auth/tokens/TokensRepo") {
  static readonly layer = Layer.effect(
    TokensRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`t.id, t.kind, t.user_id, t.team_id, t.client_id, t.name, t.scopes, t.created_at, t.expires_at,
        t.revoked_at`

      // In one order: whoever counts for the same callers at this moment waits, and nobody waits for each other.
      const authenticate: TokensRepo["Service"]["authenticate"] = Effect.fn("TokensRepo.authenticate")(
        function* (hashes, now, limits) {
          const rows = yield* orDie(sql<AuthenticatedRow>`
          with asked as (
            select hash, count(*)::int as requests from unnest(${hashes}::bytea[]) as one (hash)
            group by hash
          ), caller as (
            select t.hash, t.user_id, t.team_id, t.client_id, t.scopes, m.role, m.status as membership, u.broker,
              u.investor, coalesce(t.client_id, t.id) as subject, asked.requests,
              case when t.client_id is null then 'pat' else 'client' end as policy,
              case when t.client_id is null then ${limits.pat}::int else ${limits.client}::int end as allowed
            from asked
            join tokens t using (hash)
            join users u on u.id = t.user_id
            join memberships m on m.user_id = t.user_id and m.team_id = t.team_id
            left join clients c on c.id = t.client_id
            where t.revoked_at is null and t.expires_at > ${now}::timestamptz and c.revoked_at is null
          ), budget as (
            select subject, sum(requests)::int as requests, min(allowed) as allowed from caller group by subject
          ), counted as (
            insert into rate_windows as w (subject, opened_at, requests)
            select subject, ${now}::timestamptz, requests from budget order by subject
            on conflict (subject) do update set (opened_at, requests) = (
              select
                case when over then excluded.opened_at else w.opened_at end,
                excluded.requests + case when over then 0 else least(w.requests, allowed) end
              from budget, (
                select w.opened_at <= excluded.opened_at - make_interval(secs => ${windowSeconds}::int)
                  or w.opened_at > excluded.opened_at + make_interval(secs => ${skewSeconds}::int) as over
              ) as present
              where budget.subject = excluded.subject
            )
            returning subject, opened_at, requests
          )
          select hash, subject, user_id, team_id, client_id, scopes, role, membership, broker, investor, policy, opened_at,
            counted.requests - budget.requests as before
          from caller join counted using (subject) join budget using (subject)`)
          return inTheirOrder(hashes, rows)
        }
      )

      const insert: TokensRepo["Service"]["insert"] = Effect.fn("TokensRepo.insert")(function* (token) {
        yield* orDie(sql`
          insert into tokens (id, kind, hash, user_id, team_id, client_id, name, scopes, created_at, expires_at)
          values (${token.id}, ${token.kind}, ${token.hash}, ${token.userId}, ${token.teamId}, ${token.clientId},
            ${token.name}, ${token.scopes}::text[], ${token.createdAt}, ${token.expiresAt})`)
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

      const revokePersonal = Effect.fn("TokensRepo.revokePersonal")(function* (id: string, now: Date) {
        const revoked = yield* orDie(sql`
          update tokens set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} and kind = 'personal'
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

      // A caller who is back opens a new window in the row: it is looked at again when it is removed.
      const purgeWindows = Effect.fn("TokensRepo.purgeWindows")(function* (until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from rate_windows where subject in (
            select subject from rate_windows where opened_at < ${until} limit ${limit}
          ) and opened_at < ${until}
          returning subject`)
        return purged.length
      })

      return TokensRepo.of({
        authenticate,
        insert,
        findAccess,
        listPersonal,
        revokePersonal,
        revokeAccess,
        purge,
        purgeWindows
      })
    })
  )
}
