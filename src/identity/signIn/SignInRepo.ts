/** The SQL of sign-in: passwords and the links that set them, windows of attempts, sessions, and who people are at OpenID providers. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { type AttemptKind, attemptLimits, maxWindowMillis, type SessionTimes } from "./rules.ts"
import { sessionIdleMillis } from "../users/rules.ts"

/** A person whom a link belongs to. */
export interface LinkOwner {
  /** UUID. */
  readonly userId: string
  readonly email: string
  readonly name: string
}

const makePasswordsRepo = Effect.gen(function* () {
  const sql = yield* Database

  /** The person with this e-mail address, ignoring case. */
  const find = Effect.fn("PasswordsRepo.find")(function* (email: string) {
    const [row] = yield* orDie(sql<{ user_id: string; hash: string | null; is_deactivated: boolean }>`
      select u.id as user_id, p.hash, u.deactivated_at is not null as is_deactivated from users u left join passwords p on p.user_id = u.id
      where lower(u.email) = lower(${email}) and not u.is_bot`)
    return row === undefined ? undefined : { userId: row.user_id, hash: row.hash, isDeactivated: row.is_deactivated }
  })

  /** What a person (UUID) signs in with; the hash is null without a password. */
  const findOf = Effect.fn("PasswordsRepo.findOf")(function* (userId: string) {
    const [row] = yield* orDie(sql<Omit<LinkOwner, "userId"> & { readonly hash: string | null }>`
      select u.email, u.name, p.hash from users u left join passwords p on p.user_id = u.id
      where u.id = ${userId} and not u.is_bot`)
    return row
  })

  const set = Effect.fn("PasswordsRepo.set")(function* (userId: string, hash: string, now: Date) {
    yield* orDie(sql`
      insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})
      on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)
  })

  /** Adds a link for a person; earlier ones end. */
  const insertLink = Effect.fn("PasswordsRepo.insertLink")(function* ({
    expiresAt,
    hash,
    now,
    userId
  }: {
    readonly hash: Uint8Array
    readonly userId: string
    readonly now: Date
    readonly expiresAt: Date
  }) {
    yield* orDie(sql`
        with ended as (
          update sign_in_links set used_at = ${now}::timestamptz where user_id = ${userId} and used_at is null
        )
        insert into sign_in_links (hash, user_id, created_at, expires_at)
        values (${hash}, ${userId}, ${now}, ${expiresAt})`)
  })

  /** The owner of a link that is valid and was not used, and whether they have a session besides the one (UUID) that asks. */
  const findLink = Effect.fn("PasswordsRepo.findLink")(function* (hash: Uint8Array, now: Date, sessionId?: string) {
    const [owner] = yield* orDie(sql<LinkOwner & { readonly isSignedInElsewhere: boolean }>`
      select u.id as "userId", u.email, u.name, exists (
        select from sessions s
        where s.user_id = u.id and s.revoked_at is null and s.expires_at > ${now}
          and s.last_used_at > ${new Date(now.getTime() - sessionIdleMillis)}
          and s.id is distinct from ${sessionId ?? null}::uuid
      ) as "isSignedInElsewhere"
      from sign_in_links l join users u on u.id = l.user_id
      where l.hash = ${hash} and l.used_at is null and l.expires_at > ${now} and u.deactivated_at is null`)
    return owner
  })

  /** Uses a link up; false if it is not valid, or was used before. */
  const useLink = Effect.fn("PasswordsRepo.useLink")(function* (hash: Uint8Array, now: Date) {
    const used = yield* orDie(sql`
      update sign_in_links set used_at = ${now} where hash = ${hash} and used_at is null and expires_at > ${now}
      returning user_id`)
    return used.length > 0
  })

  /** Deletes links that have expired, at most `limit`; returns how many. */
  const purge = Effect.fn("PasswordsRepo.purge")(function* (now: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from sign_in_links where hash in (
        select hash from sign_in_links where expires_at < ${now} limit ${limit}
      ) returning user_id`)
    return purged.length
  })

  return { find, findOf, set, insertLink, findLink, useLink, purge }
})

/** Stores passwords. */
export class PasswordsRepo extends Context.Service<PasswordsRepo, Effect.Success<typeof makePasswordsRepo>>()(
  "identity/signIn/PasswordsRepo"
) {
  static readonly layer = Layer.effect(PasswordsRepo, makePasswordsRepo)
}

// The SQL of windows of attempts.

/** What an attempt is counted for: an account, an address, a client. */
export interface AttemptSubject {
  readonly kind: AttemptKind
  /** Unique among all kinds. */
  readonly subject: string
}

const makeAttemptsRepo = Effect.gen(function* () {
  const sql = yield* Database

  /** Counts an attempt of each subject; returns their windows. */
  // The order of subjects is the same in all processes, so that their statements cannot deadlock.
  const count = Effect.fn("SignInAttemptsRepo.count")(function* (subjects: ReadonlyArray<AttemptSubject>, now: Date) {
    const rows = yield* orDie(sql<{ subject: string; opened_at: Date; attempts: number }>`
      with counted as (
        select subject, since from unnest(
          ${subjects.map(({ subject }) => subject)}::text[],
          ${subjects.map(({ kind }) => new Date(now.getTime() - attemptLimits[kind].windowMillis))}::timestamptz[]
        ) as one (subject, since)
      )
      insert into attempts as w (subject, opened_at, attempts)
      select subject, ${now}::timestamptz, 1 from counted order by subject
      on conflict (subject) do update set (opened_at, attempts) = (
        select
          case when w.opened_at > since then w.opened_at else excluded.opened_at end,
          case when w.opened_at > since then least(w.attempts, 1000000) + 1 else 1 end
        from counted where counted.subject = excluded.subject
      )
      returning subject, opened_at, attempts`)
    const windows = new Map(rows.map((row) => [row.subject, row]))
    return subjects.flatMap(({ kind, subject }) => {
      const window = windows.get(subject)
      return window === undefined ? [] : [{ kind, openedAt: window.opened_at, attempts: window.attempts }]
    })
  })

  /** Forgets the attempts of a subject. */
  const forget = Effect.fn("SignInAttemptsRepo.forget")(function* (subject: string) {
    yield* orDie(sql`delete from attempts where subject = ${subject}`)
  })

  /** Deletes windows that are over, at most `limit`; returns how many. */
  const purge = Effect.fn("SignInAttemptsRepo.purge")(function* (now: Date, limit: number) {
    const until = new Date(now.getTime() - maxWindowMillis)
    const purged = yield* orDie(sql`
      delete from attempts where subject in (
        select subject from attempts where opened_at < ${until} limit ${limit}
      ) and opened_at < ${until}
      returning subject`)
    return purged.length
  })

  return { count, forget, purge }
})

/** Counts attempts. */
export class SignInAttemptsRepo extends Context.Service<SignInAttemptsRepo, Effect.Success<typeof makeAttemptsRepo>>()(
  "identity/signIn/SignInAttemptsRepo"
) {
  static readonly layer = Layer.effect(SignInAttemptsRepo, makeAttemptsRepo)
}

// The SQL of sessions.

/** A session as it is stored. Ids are UUIDs. */
export interface StoredSession extends SessionTimes {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly userAgent: string | null
  readonly address: string | null
}

/** The columns of a `StoredSession` of the table `sessions s`. */
export const sessionColumns = (sql: Database["Service"]) =>
  sql`s.id, s.user_id as "userId", s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
    s.expires_at as "expiresAt", s.revoked_at as "revokedAt", s.user_agent as "userAgent", s.address`

const makeSessionsRepo = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sessionColumns(sql)

  const insert = Effect.fn("SessionsRepo.insert")(function* (
    session: Omit<StoredSession, "revokedAt"> & { readonly hash: Uint8Array }
  ) {
    yield* orDie(sql`
      with signed_in as (
        update users set signed_in_at = ${session.createdAt} where id = ${session.userId}
      )
      insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at, user_agent, address)
      values (${session.id}, ${session.hash}, ${session.userId}, ${session.createdAt}, ${session.lastUsedAt},
        ${session.expiresAt}, ${session.userAgent}, ${session.address})`)
  })

  /** The session with this hash of a user who is not deactivated. */
  const findByHash = Effect.fn("SessionsRepo.findByHash")(function* (hash: Uint8Array) {
    const [session] = yield* orDie(sql<StoredSession>`
      select ${columns} from sessions s join users u on u.id = s.user_id
      where s.hash = ${hash} and u.deactivated_at is null`)
    return session
  })

  /** Writes that a session is used. */
  const touch = Effect.fn("SessionsRepo.touch")(function* (id: string, now: Date) {
    yield* orDie(sql`update sessions set last_used_at = greatest(last_used_at, ${now}) where id = ${id}`)
  })

  /** The valid sessions of a user, the latest first; at most 200. */
  const ofUser = Effect.fn("SessionsRepo.ofUser")(function* (userId: string, now: Date) {
    return yield* orDie(sql<StoredSession>`
      select ${columns} from sessions s
      where user_id = ${userId} and revoked_at is null and expires_at > ${now}
        and last_used_at > ${new Date(now.getTime() - sessionIdleMillis)}
      order by created_at desc, id desc limit 200`)
  })

  /** Ends a session of a user; says whether it had not ended before. Undefined if there is none with this id. */
  const revoke = Effect.fn("SessionsRepo.revoke")(function* (userId: string, id: string, now: Date) {
    const [revoked] = yield* orDie(sql<{ readonly isNew: boolean }>`
      with found as (
        select id, revoked_at from sessions where id = ${id} and user_id = ${userId} for update
      ), revoked as (
        update sessions set revoked_at = ${now} where id in (select id from found where revoked_at is null)
      )
      select revoked_at is null as "isNew" from found`)
    return revoked
  })

  /** Ends all sessions of a user, but for the one to keep; returns how many were valid. */
  const revokeAll = Effect.fn("SessionsRepo.revokeAll")(function* (userId: string, now: Date, kept?: string) {
    const revoked = yield* orDie(sql`
      update sessions set revoked_at = ${now}
      where user_id = ${userId} and revoked_at is null and expires_at > ${now}
        and id is distinct from ${kept ?? null}::uuid
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
export class SessionsRepo extends Context.Service<SessionsRepo, Effect.Success<typeof makeSessionsRepo>>()(
  "identity/signIn/SessionsRepo"
) {
  static readonly layer = Layer.effect(SessionsRepo, makeSessionsRepo)
}

// The SQL of who people are at OpenID providers.

const makeUpstreamSubjectsRepo = Effect.gen(function* () {
  const sql = yield* Database

  /** The user that a subject of a provider is. */
  const find = Effect.fn("UpstreamSubjectsRepo.find")(function* (issuer: string, subject: string) {
    const [row] = yield* orDie(sql<{ userId: string }>`
      select user_id as "userId" from upstream_subjects where issuer = ${issuer} and subject = ${subject}`)
    return row?.userId
  })

  /** Binds a subject to a user; false if the user is another subject of the provider already. */
  const bind = Effect.fn("UpstreamSubjectsRepo.bind")(function* (
    issuer: string,
    subject: string,
    userId: string,
    now: Date
  ) {
    const bound = yield* orDie(sql`
        insert into upstream_subjects (issuer, subject, user_id, created_at)
        values (${issuer}, ${subject}, ${userId}, ${now})
        on conflict do nothing returning user_id`)
    return bound.length > 0 || (yield* find(issuer, subject)) === userId
  })

  /** Forgets who a user is at all providers; returns at how many they were known. */
  const unbind = Effect.fn("UpstreamSubjectsRepo.unbind")(function* (userId: string) {
    const unbound = yield* orDie(sql`delete from upstream_subjects where user_id = ${userId} returning issuer`)
    return unbound.length
  })

  return { find, bind, unbind }
})

/** Stores who people are at OpenID providers. Ids are UUIDs. */
export class UpstreamSubjectsRepo extends Context.Service<
  UpstreamSubjectsRepo,
  Effect.Success<typeof makeUpstreamSubjectsRepo>
>()("identity/signIn/UpstreamSubjectsRepo") {
  static readonly layer = Layer.effect(UpstreamSubjectsRepo, makeUpstreamSubjectsRepo)
}
