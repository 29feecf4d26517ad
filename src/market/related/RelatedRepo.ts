/** The SQL of the names of records that properties and mandates name. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

/** A record (UUID) by its name. */
interface Named {
  readonly id: string
  readonly type: "company" | "contact" | "project"
  readonly name: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Those of these contacts, companies and projects (UUIDs) of a team that live, by their primary keys. */
  const named = Effect.fn("RelatedRepo.named")(function* (teamId: string, uuids: ReadonlyArray<string>) {
    const of = sql`team_id = ${teamId} and id = any(${uuids}::uuid[]) and deleted_at is null`
    return yield* orDie(sql<Named>`
      select id, 'contact' as type, contact_name(first_name, last_name, email) as name from contacts where ${of}
      union all select id, 'company', coalesce(name, domain) from companies where ${of}
      union all select id, 'project', name from projects where ${of}`)
  })

  return { named }
})

/** Stores nothing: it reads what other modules store. */
export class RelatedRepo extends Context.Service<RelatedRepo, Effect.Success<typeof make>>()(
  "market/related/RelatedRepo"
) {
  static readonly layer = Layer.effect(RelatedRepo, make)
}
