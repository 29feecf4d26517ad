/** The SQL of sessions. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { idleMillis, type SessionTimes } from "./rules.ts"

/** A session as it is stored. Ids are UUIDs. */
export interface StoredSession extends SessionTimes {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly userAgent: string | null
  readonly address: string | null
}

/** Stores sessions. */
export class SessionsRepo extends Context.Service<
  SessionsRepo,
  {
    readonly insert: (session: Omit<StoredSession, "revokedAt"> & { readonly hash: Uint8Array }) => Effect.Effect<void>
    readonly findByHash: (hash: Uint8Array) => Effect.Effect<StoredSession | undefined>
    /** Writes that a session is used. */
    readonly touch: (id: string, now: Date) => Effect.Effect<void>
    /** The valid sessions of a user, the latest first; at most 200. */
    readonly ofUser: (userId: string, now: Date) => Effect.Effect<ReadonlyArray<StoredSession>>
    /** Ends a session of a user; false if there is none with this id. */
    readonly revoke: (userId: string, id: string, now: Date) => Effect.Effect<boolean>
    /** Ends all sessions of a user; returns how many were valid. */
    readonly revokeAll: (userId: string, now: Date) => Effect.Effect<number>
    /** The user (UUID) of a session. */
    readonly ownerOf: (id: string) => Effect.Effect<string | undefined>
    /** Deletes sessions that ended before `until`, at most `limit`; returns how many. */
    readonly purge: (until: Date, limit: number) => Effect.Effect<number>
  }
>()("identity/sessions/SessionsRepo") {
  static readonly layer = Layer.effect(
    SessionsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`id, user_id as "userId", created_at as "createdAt", last_used_at as "lastUsedAt",
        expires_at as "expiresAt", revoked_at as "revokedAt", user_agent as "userAgent", address`

      const insert: SessionsRepo["Service"]["insert"] = Effect.fn("SessionsRepo.insert")(function* (session) {
        yield* orDie(sql`
          insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at, user_agent, address)
          values (${session.id}, ${session.hash}, ${session.userId}, ${session.createdAt}, ${session.lastUsedAt},
            ${session.expiresAt}, ${session.userAgent}, ${session.address})`)
      })

      const findByHash = Effect.fn("SessionsRepo.findByHash")(function* (hash: Uint8Array) {
        const [session] = yield* orDie(sql<StoredSession>`select ${columns} from sessions where hash = ${hash}`)
        return session
      })

      const touch = Effect.fn("SessionsRepo.touch")(function* (id: string, now: Date) {
        yield* orDie(sql`update sessions set last_used_at = greatest(last_used_at, ${now}) where id = ${id}`)
      })

      const ofUser = Effect.fn("SessionsRepo.ofUser")(function* (userId: string, now: Date) {
        return yield* orDie(sql<StoredSession>`
          select ${columns} from sessions
          where user_id = ${userId} and revoked_at is null and expires_at > ${now}
            and last_used_at > ${new Date(now.getTime() - idleMillis)}
          order by created_at desc, id desc limit 200`)
      })

      const revoke = Effect.fn("SessionsRepo.revoke")(function* (userId: string, id: string, now: Date) {
        const revoked = yield* orDie(sql`
          update sessions set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} and user_id = ${userId}
          returning id`)
        return revoked.length > 0
      })

      const revokeAll = Effect.fn("SessionsRepo.revokeAll")(function* (userId: string, now: Date) {
        const revoked = yield* orDie(sql`
          update sessions set revoked_at = ${now} where user_id = ${userId} and revoked_at is null and expires_at > ${now}
          returning id`)
        return revoked.length
      })

      const ownerOf = Effect.fn("SessionsRepo.ownerOf")(function* (id: string) {
        const [row] = yield* orDie(sql<{ user_id: string }>`select user_id from sessions where id = ${id}`)
        return row?.user_id
      })

      const purge = Effect.fn("SessionsRepo.purge")(function* (until: Date, limit: number) {
        const purged = yield* orDie(sql`
          delete from sessions where id in (select id from sessions where expires_at < ${until} limit ${limit})
          returning id`)
        return purged.length
      })

      return SessionsRepo.of({ insert, findByHash, touch, ofUser, revoke, revokeAll, ownerOf, purge })
    })
  )
}
