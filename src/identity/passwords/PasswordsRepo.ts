/** The SQL of passwords, of the links that set them, and of attempts to sign in. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import { type AttemptWindow, windowMillis } from "./rules.ts"

/** A person with a password, if they have one. */
export interface StoredPassword {
  /** UUID. */
  readonly userId: string
  readonly hash: string | null
}

/** A person whom a link belongs to. */
export interface LinkOwner {
  /** UUID. */
  readonly userId: string
  readonly email: string
  readonly name: string
}

/** A subject whose attempts are counted. */
export interface AttemptSubject {
  readonly kind: AttemptWindow["kind"]
  readonly subject: string
}

/** Stores passwords. */
export class PasswordsRepo extends Context.Service<
  PasswordsRepo,
  {
    /** The person with this e-mail address, ignoring case. */
    readonly find: (email: string) => Effect.Effect<StoredPassword | undefined>
    readonly set: (userId: string, hash: string, now: Date) => Effect.Effect<void>
    /** Adds a link for a person; earlier ones end. */
    readonly insertLink: (link: {
      readonly hash: Uint8Array
      readonly userId: string
      readonly now: Date
      readonly expiresAt: Date
    }) => Effect.Effect<void>
    /** The owner of a link that is valid and was not used. */
    readonly findLink: (hash: Uint8Array, now: Date) => Effect.Effect<LinkOwner | undefined>
    /** Uses a link up; false if it is not valid, or was used before. */
    readonly useLink: (hash: Uint8Array, now: Date) => Effect.Effect<boolean>
    /** Counts an attempt of each subject; returns their windows. */
    readonly count: (subjects: ReadonlyArray<AttemptSubject>, now: Date) => Effect.Effect<ReadonlyArray<AttemptWindow>>
    /** Forgets the attempts of a subject. */
    readonly forget: (subject: string) => Effect.Effect<void>
    /** Deletes windows that are over and links that have expired, at most `limit` of each; returns how many. */
    readonly purge: (now: Date, limit: number) => Effect.Effect<number>
  }
>()("identity/passwords/PasswordsRepo") {
  static readonly layer = Layer.effect(
    PasswordsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const find = Effect.fn("PasswordsRepo.find")(function* (email: string) {
        const [row] = yield* orDie(sql<{ user_id: string; hash: string | null }>`
          select u.id as user_id, p.hash from users u left join passwords p on p.user_id = u.id
          where lower(u.email) = lower(${email}) and not u.is_bot`)
        return row === undefined ? undefined : { userId: row.user_id, hash: row.hash }
      })

      const set = Effect.fn("PasswordsRepo.set")(function* (userId: string, hash: string, now: Date) {
        yield* orDie(sql`
          insert into passwords (user_id, hash, changed_at) values (${userId}, ${hash}, ${now})
          on conflict (user_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`)
      })

      const insertLink: PasswordsRepo["Service"]["insertLink"] = Effect.fn("PasswordsRepo.insertLink")(function* ({
        expiresAt,
        hash,
        now,
        userId
      }) {
        yield* orDie(sql`
            with ended as (
              update sign_in_links set used_at = ${now}::timestamptz where user_id = ${userId} and used_at is null
            )
            insert into sign_in_links (hash, user_id, created_at, expires_at)
            values (${hash}, ${userId}, ${now}, ${expiresAt})`)
      })

      const findLink = Effect.fn("PasswordsRepo.findLink")(function* (hash: Uint8Array, now: Date) {
        const [owner] = yield* orDie(sql<LinkOwner>`
          select u.id as "userId", u.email, u.name from sign_in_links l join users u on u.id = l.user_id
          where l.hash = ${hash} and l.used_at is null and l.expires_at > ${now}`)
        return owner
      })

      const useLink = Effect.fn("PasswordsRepo.useLink")(function* (hash: Uint8Array, now: Date) {
        const used = yield* orDie(sql`
          update sign_in_links set used_at = ${now} where hash = ${hash} and used_at is null and expires_at > ${now}
          returning user_id`)
        return used.length > 0
      })

      // The order of subjects is the same in all processes, so that their statements cannot deadlock.
      const count: PasswordsRepo["Service"]["count"] = Effect.fn("PasswordsRepo.count")(function* (subjects, now) {
        const rows = yield* orDie(sql<{ subject: string; opened_at: Date; attempts: number }>`
          insert into sign_in_attempts as w (subject, opened_at, attempts)
          select subject, ${now}::timestamptz, 1 from unnest(${subjects.map(({ subject }) => subject)}::text[]) as one (subject)
          order by subject
          on conflict (subject) do update set
            opened_at = case when w.opened_at > ${new Date(now.getTime() - windowMillis)}::timestamptz then w.opened_at
              else excluded.opened_at end,
            attempts = case when w.opened_at > ${new Date(now.getTime() - windowMillis)}::timestamptz
              then least(w.attempts, 1000000) + 1 else 1 end
          returning subject, opened_at, attempts`)
        const windows = new Map(rows.map((row) => [row.subject, row]))
        return subjects.flatMap(({ kind, subject }) => {
          const window = windows.get(subject)
          return window === undefined ? [] : [{ kind, openedAt: window.opened_at, attempts: window.attempts }]
        })
      })

      const forget = Effect.fn("PasswordsRepo.forget")(function* (subject: string) {
        yield* orDie(sql`delete from sign_in_attempts where subject = ${subject}`)
      })

      const purge = Effect.fn("PasswordsRepo.purge")(function* (now: Date, limit: number) {
        const purged = yield* orDie(sql`
          with windows as (
            delete from sign_in_attempts where subject in (
              select subject from sign_in_attempts
              where opened_at < ${new Date(now.getTime() - windowMillis)} limit ${limit}
            ) returning 1
          ), links as (
            delete from sign_in_links where hash in (
              select hash from sign_in_links where expires_at < ${now} limit ${limit}
            ) returning 1
          )
          select from windows union all select from links`)
        return purged.length
      })

      return PasswordsRepo.of({ find, set, insertLink, findLink, useLink, count, forget, purge })
    })
  )
}
