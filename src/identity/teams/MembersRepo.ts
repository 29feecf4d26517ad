/** The SQL of users by UUID. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"

interface Named {
  readonly id: string
  readonly name: string
}

/** Finds users. */
export class MembersRepo extends Context.Service<
  MembersRepo,
  {
    readonly active: (teamId: string, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Named>>
    readonly names: (uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Named>>
    readonly languageOf: (uuid: string) => Effect.Effect<string | undefined>
  }
>()("identity/teams/MembersRepo") {
  static readonly layer = Layer.effect(
    MembersRepo,
    Effect.map(Database, (sql) =>
      MembersRepo.of({
        active: (teamId, uuids) =>
          orDie(sql<Named>`
            select users.id, users.name from memberships join users on users.id = memberships.user_id
            where memberships.team_id = ${teamId} and memberships.user_id = any(${uuids}::uuid[])
              and memberships.status = 'active'`),
        names: (uuids) => orDie(sql<Named>`select id, name from users where id = any(${uuids}::uuid[])`),
        languageOf: (uuid) =>
          Effect.map(
            orDie(sql<{ readonly language: string }>`select ui_culture as language from users where id = ${uuid}`),
            ([row]) => row?.language
          )
      })
    )
  )
}
