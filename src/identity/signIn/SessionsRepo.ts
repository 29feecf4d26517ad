/** The SQL of sessions. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { sessionIdleMillis, type SessionTimes } from "./rules.ts"

/** A session as it is stored. Ids are UUIDs. */
export interface StoredSession extends SessionTimes {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly userAgent: string | null
  readonly address: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`id, user_id as "userId", created_at as "createdAt", last_used_at as "lastUsedAt",
    expires_at as "expiresAt", revoked_at as "revokedAt", user_agent as "userAgent", address`

  const insert = Effect.fn("SessionsRepo.insert")(function* (
    session: Omit<StoredSession, "revokedAt"> & { readonly hash: Uint8Array }
  ) {
    yield* orDie(sql`
      insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at, user_agent, address)
      values (${session.id}, ${session.hash}, ${session.userId}, ${session.createdAt}, ${session.lastUsedAt},
        ${session.expiresAt}, ${session.userAgent}, ${session.address})`)
  })

  const findByHash = Effect.fn("SessionsRepo.findByHash")(function* (hash: Uint8Array) {
    const [session] = yield* orDie(sql<StoredSession>`select ${columns} from sessions where hash = ${hash}`)
    return session
  })

  /** Writes that a session is used. */
  const touch = Effect.fn("SessionsRepo.touch")(function* (id: string, now: Date) {
    yield* orDie(sql`update sessions set last_used_at = greatest(last_used_at, ${now}) where id = ${id}`)
  })

  /** The valid sessions of a user, the latest first; at most 200. */
  const ofUser = Effect.fn("SessionsRepo.ofUser")(function* (userId: string, now: Date) {
    return yield* orDie(sql<StoredSession>`
      select ${columns} from sessions
      where user_id = ${userId} and revoked_at is null and expires_at > ${now}
        and last_used_at > ${new Date(now.getTime() - sessionIdleMillis)}
      order by created_at desc, id desc limit 200`)
  })

  /** Ends a session of a user; false if there is none with this id. */
  const revoke = Effect.fn("SessionsRepo.revoke")(function* (userId: string, id: string, now: Date) {
    const revoked = yield* orDie(sql`
      update sessions set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} and user_id = ${userId}
      returning id`)
    return revoked.length > 0
  })

  /** Ends all sessions of a user; returns how many were valid. */
  const revokeAll = Effect.fn("SessionsRepo.revokeAll")(function* (userId: string, now: Date) {
    const revoked = yield* orDie(sql`
      update sessions set revoked_at = ${now} where user_id = ${userId} and revoked_at is null and expires_at > ${now}
      returning id`)
    return revoked.length
  })

  /** The user (UUID) of a session. */
  const ownerOf = Effect.fn("SessionsRepo.ownerOf")(function* (id: string) {
    const [row] = yield* orDie(sql<{ user_id: string }>`select user_id from sessions where id = ${id}`)
    return row?.user_id
  })

  /** Deletes sessions that ended before `until`, at most `limit`; returns how many. */
  const purge = Effect.fn("SessionsRepo.purge")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from sessions where id in (select id from sessions where expires_at < ${until} limit ${limit})
      returning id`)
    return purged.length
  })

  return { insert, findByHash, touch, ofUser, revoke, revokeAll, ownerOf, purge }
})

/** Stores sessions. */
export class SessionsRepo extends Context.Service<SessionsRepo, Effect.Success<typeof make>>()(
  "identity/signIn/SessionsRepo"
) {
  static readonly layer = Layer.effect(SessionsRepo, make)
}
