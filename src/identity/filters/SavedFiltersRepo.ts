/** The SQL of saved filters, each of one person. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A filter to keep. Ids are UUIDs. */
export interface NewFilter {
  readonly id: string
  readonly userId: string
  readonly page: string
  readonly name: string
  readonly query: string
  readonly at: Date
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Keeps a filter in place of the one with its name; false if there is none and the user has `most` for the page. */
  const save = Effect.fn("SavedFiltersRepo.save")(function* (
    { at, id, name, page, query, userId }: NewFilter,
    most: number
  ) {
    const saved = yield* orDie(sql`
      insert into saved_filters (id, user_id, page, name, query, created_at)
      select ${id}::uuid, ${userId}::uuid, ${page}, ${name}, ${query}, ${at}::timestamptz
      where (select count(*) from saved_filters where user_id = ${userId} and page = ${page} and name <> ${name}) < ${most}
      on conflict (user_id, page, name) do update set query = excluded.query
      returning id`)
    return saved.length > 0
  })

  /** Deletes a filter of a user (UUIDs); returns its page, undefined if they have none with this id. */
  const remove = Effect.fn("SavedFiltersRepo.remove")(function* (userId: string, id: string) {
    const [removed] = yield* orDie(sql<{ readonly page: string; readonly query: string }>`
      delete from saved_filters where user_id = ${userId} and id = ${id} returning page, query`)
    return removed
  })

  return { save, remove }
})

/** Stores the filters that people keep. */
export class SavedFiltersRepo extends Context.Service<SavedFiltersRepo, Effect.Success<typeof make>>()(
  "identity/filters/SavedFiltersRepo"
) {
  static readonly layer = Layer.effect(SavedFiltersRepo, make)
}
