/** The SQL of apps. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { App, AppState } from "./App.ts"

interface Row extends AppState {
  readonly freshUntil: Date | null
  readonly createdAt: Date
  readonly revokedAt: Date | null
}

const toApp = (row: Row): App => ({
  id: Id.fromUuid("client", row.id),
  name: row.name,
  kind: row.kind,
  redirectUris: row.redirectUris,
  documentUrl: row.documentUrl,
  isRegistered: row.isRegistered,
  createdUtc: row.createdAt.toISOString(),
  revokedUtc: row.revokedAt?.toISOString() ?? null
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  const columns = sql`id, name, kind, secret_hash as "secretHash", redirect_uris as "redirectUris",
    document_url as "documentUrl", created_at as "createdAt", revoked_at as "revokedAt", fresh_until as "freshUntil",
    is_registered as "isRegistered"`

  /** Stores a new app; false if there is one with this id. `form` is that of a person (UUID), with the sealed secret. */
  const insert = Effect.fn("AppsRepo.insert")(function* (
    app: AppState & {
      readonly now: Date
      readonly form: { readonly userId: string; readonly sealedSecret: Uint8Array | null } | undefined
    }
  ) {
    const inserted = yield* orDie(sql`
      insert into apps (
        id, name, kind, secret_hash, redirect_uris, document_url, is_registered, created_at, created_by, sealed_secret
      )
      values (${app.id}, ${app.name}, ${app.kind}, ${app.secretHash}, ${app.redirectUris}::text[], ${app.documentUrl},
        ${app.isRegistered}, ${app.now}, ${app.form?.userId ?? null}, ${app.form?.sealedSecret ?? null})
      on conflict (id) do nothing returning id`)
    return inserted.length > 0
  })

  /** The app that a person (UUID) made by a form after `since`, with its sealed secret; undefined if it is revoked. */
  const findMade = Effect.fn("AppsRepo.findMade")(function* (id: string, userId: string, since: Date) {
    const [row] = yield* orDie(sql<Row & { readonly sealedSecret: Uint8Array | null }>`
      select ${columns}, sealed_secret as "sealedSecret" from apps
      where id = ${id} and created_by = ${userId} and created_at > ${since} and revoked_at is null`)
    return row
  })

  /** Forgets the secrets of apps that were made until a moment, at most `limit`; returns how many. */
  const forgetSecrets = Effect.fn("AppsRepo.forgetSecrets")(function* (until: Date, limit: number) {
    const forgotten = yield* orDie(sql`
      update apps set sealed_secret = null where id in (
        select id from apps where sealed_secret is not null and created_at <= ${until}
        limit ${limit} for update skip locked
      )
      returning id`)
    return forgotten.length
  })

  const find = Effect.fn("AppsRepo.find")(function* (id: string) {
    const [row] = yield* orDie(sql<Row>`select ${columns} from apps where id = ${id} and revoked_at is null`)
    return row
  })

  /** The app that a document at this URL describes, also if it is revoked, and until when the document is used as it is. */
  const findDocument = Effect.fn("AppsRepo.findDocument")(function* (url: string) {
    const [app] = yield* orDie(sql<Row>`select ${columns} from apps where document_url = ${url}`)
    return app === undefined
      ? undefined
      : { app, freshUntil: app.freshUntil ?? new Date(0), isRevoked: app.revokedAt !== null }
  })

  /** Saves the app that a document describes; undefined if it is revoked. */
  const saveDocument = Effect.fn("AppsRepo.saveDocument")(function* (document: {
    readonly id: string
    readonly name: string
    readonly redirectUris: ReadonlyArray<string>
    readonly documentUrl: string
    readonly now: Date
    readonly freshUntil: Date
  }) {
    const [row] = yield* orDie(sql<Row>`
      insert into apps (id, name, kind, redirect_uris, document_url, created_at, fetched_at, fresh_until)
      values (${document.id}, ${document.name}, 'document', ${document.redirectUris}::text[], ${document.documentUrl},
        ${document.now}, ${document.now}, ${document.freshUntil})
      on conflict (document_url) do update
        set name = excluded.name, redirect_uris = excluded.redirect_uris, fetched_at = excluded.fetched_at,
          fresh_until = excluded.fresh_until
        where apps.revoked_at is null
      returning ${columns}`)
    return row
  })

  const isUnused = sql`not exists (select from grants g where g.app_id = apps.id)`

  /** Deletes the oldest apps that registered themselves and that nobody used, but for the newest `kept`. */
  // Rows that a grant refers to in this moment are locked by it, and stay.
  const endUnused = Effect.fn("AppsRepo.endUnused")(function* (kept: number) {
    yield* orDie(sql`
      delete from apps where id in (
        select id from apps where is_registered and ${isUnused}
        order by created_at desc, id desc offset ${kept} for update skip locked
      )`)
  })

  /**
   * Deletes apps that registered themselves before `until`, or whose document was loaded before, and that nobody used, at most `limit`;
   * returns how many.
   */
  const purge = Effect.fn("AppsRepo.purge")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      delete from apps where id in (
        select id from apps
        where (is_registered and created_at < ${until} or fetched_at < ${until}) and revoked_at is null and ${isUnused}
        limit ${limit} for update skip locked
      )
      returning id`)
    return purged.length
  })

  /** All apps, revoked ones too, the oldest first; at most 1,000. */
  const list = orDie(sql<Row>`select ${columns} from apps order by created_at, id limit 1000`).pipe(
    Effect.map((rows) => rows.map(toApp)),
    Effect.withSpan("AppsRepo.list")
  )

  /** The newest apps, revoked ones too, from the one after `after` (UUID) on; with `text`, those whose name has it. */
  const search = Effect.fn("AppsRepo.search")(function* (
    text: string | undefined,
    { after, limit }: { readonly after: string | undefined; readonly limit: number }
  ) {
    const rows = yield* orDie(sql<Row>`
      select ${columns} from apps
      where ${sql.and([
        ...(after === undefined ? [] : [sql`id < ${after}`]),
        ...(text === undefined ? [] : [sql`position(lower(${text}) in lower(name)) > 0`]),
        sql`true`
      ])}
      order by id desc limit ${limit}`)
    return rows.map(toApp)
  })

  /** An app, also one that is revoked. */
  const show = Effect.fn("AppsRepo.show")(function* (id: string) {
    const [row] = yield* orDie(sql<Row>`select ${columns} from apps where id = ${id}`)
    return row === undefined ? undefined : toApp(row)
  })

  /** Revokes an app and its grants; false if there is none with this id. */
  const revoke = Effect.fn("AppsRepo.revoke")(function* (id: string, now: Date) {
    const [revoked] = yield* orDie(sql<{ readonly isNew: boolean; readonly grants: number }>`
      with found as (
        select id, revoked_at from apps where id = ${id} for update
      ), ended as (
        update grants set revoked_at = ${now} where app_id = ${id} and revoked_at is null returning id
      ), revoked as (
        update apps set revoked_at = ${now}, sealed_secret = null
        where id in (select id from found where revoked_at is null)
      )
      select revoked_at is null as "isNew", (select count(*)::int from ended) as grants from found`)
    return revoked
  })

  return {
    insert,
    findMade,
    forgetSecrets,
    find,
    findDocument,
    saveDocument,
    endUnused,
    purge,
    list,
    search,
    show,
    revoke
  }
})

/** Stores apps. */
export class AppsRepo extends Context.Service<AppsRepo, Effect.Success<typeof make>>()("identity/apps/AppsRepo") {
  static readonly layer = Layer.effect(AppsRepo, make)
}
