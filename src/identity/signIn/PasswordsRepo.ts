/** The SQL of passwords, and of the links that set them. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

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

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The person with this e-mail address, ignoring case. */
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

  /** The owner of a link that is valid and was not used. */
  const findLink = Effect.fn("PasswordsRepo.findLink")(function* (hash: Uint8Array, now: Date) {
    const [owner] = yield* orDie(sql<LinkOwner>`
      select u.id as "userId", u.email, u.name from sign_in_links l join users u on u.id = l.user_id
      where l.hash = ${hash} and l.used_at is null and l.expires_at > ${now}`)
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

  return { find, set, insertLink, findLink, useLink, purge }
})

/** Stores passwords. */
export class PasswordsRepo extends Context.Service<PasswordsRepo, Effect.Success<typeof make>>()(
  "identity/signIn/PasswordsRepo"
) {
  static readonly layer = Layer.effect(PasswordsRepo, make)
}
