/** The SQL of apps. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../db/Database.ts"
import { orDie } from "../../db/DatabaseUnavailable.ts"
import * as Id from "../../Id.ts"
import type { App } from "./App.ts"
import type { AppState } from "./AppState.ts"

interface Row extends AppState {
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

const toApp = (row: Row): App => ({
  id: Id.fromUuid("client", row.id),
  name: row.name,
  kind: row.kind,
  redirectUris: row.redirectUris,
  documentUrl: row.documentUrl,
  createdUtc: row.createdAt.toISOString(),
  revokedUtc: row.revokedAt?.toISOString() ?? null
})

/** Stores apps. */
export class AppsRepo extends Context.Service<
  AppsRepo,
  {
    readonly insert: (app: AppState & { readonly now: Date }) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<AppState | undefined>
    /** All apps, revoked ones too, the oldest first; at most 1,000. */
    readonly list: Effect.Effect<ReadonlyArray<App>>
    /** Revokes an app; false if there is none with this id. */
    readonly revoke: (id: string, now: Date) => Effect.Effect<boolean>
  }
>()("identity/apps/AppsRepo") {
  static readonly layer = Layer.effect(
    AppsRepo,
    Effect.gen(function* () {
      const sql = yield* Database

      const columns = sql`id, name, kind, secret_hash as "secretHash", redirect_uris as "redirectUris",
        document_url as "documentUrl", created_at as "createdAt", revoked_at as "revokedAt"`

      const insert: AppsRepo["Service"]["insert"] = Effect.fn("AppsRepo.insert")(function* (app) {
        yield* orDie(sql`
          insert into apps (id, name, kind, secret_hash, redirect_uris, document_url, created_at)
          values (${app.id}, ${app.name}, ${app.kind}, ${app.secretHash}, ${app.redirectUris}::text[], ${app.documentUrl},
            ${app.now})`)
      })

      const find = Effect.fn("AppsRepo.find")(function* (id: string) {
        const [row] = yield* orDie(sql<Row>`select ${columns} from apps where id = ${id} and revoked_at is null`)
        return row
      })

      const list = orDie(sql<Row>`select ${columns} from apps order by created_at, id limit 1000`).pipe(
        Effect.map((rows) => rows.map(toApp)),
        Effect.withSpan("AppsRepo.list")
      )

      const revoke = Effect.fn("AppsRepo.revoke")(function* (id: string, now: Date) {
        const revoked = yield* orDie(sql`
          update apps set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} returning id`)
        return revoked.length > 0
      })

      return AppsRepo.of({ insert, find, list, revoke })
    })
  )
}
