/** The SQL of who people are at OpenID providers. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The user that a subject of a provider is. */
  const find = Effect.fn("SubjectsRepo.find")(function* (issuer: string, subject: string) {
    const [row] = yield* orDie(sql<{ userId: string }>`
      select user_id as "userId" from upstream_subjects where issuer = ${issuer} and subject = ${subject}`)
    return row?.userId
  })

  /** Binds a subject to a user; false if the user is another subject of the provider already. */
  const bind = Effect.fn("SubjectsRepo.bind")(function* (issuer: string, subject: string, userId: string, now: Date) {
    const bound = yield* orDie(sql`
        insert into upstream_subjects (issuer, subject, user_id, created_at)
        values (${issuer}, ${subject}, ${userId}, ${now})
        on conflict do nothing returning user_id`)
    return bound.length > 0 || (yield* find(issuer, subject)) === userId
  })

  /** Forgets who a user is at all providers; returns at how many they were known. */
  const unbind = Effect.fn("SubjectsRepo.unbind")(function* (userId: string) {
    const unbound = yield* orDie(sql`delete from upstream_subjects where user_id = ${userId} returning issuer`)
    return unbound.length
  })

  return { find, bind, unbind }
})

/** Stores who people are at OpenID providers. Ids are UUIDs. */
export class SubjectsRepo extends Context.Service<SubjectsRepo, Effect.Success<typeof make>>()(
  "identity/signIn/SubjectsRepo"
) {
  static readonly layer = Layer.effect(SubjectsRepo, make)
}
