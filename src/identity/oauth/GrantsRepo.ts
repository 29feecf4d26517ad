/** The SQL of grants, and of the codes and refresh tokens of apps. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { CodeState, RefreshState, Resource } from "./rules.ts"

/** A grant of a person to an app in a team. Ids are UUIDs. */
export interface GrantOf {
  readonly userId: string
  readonly appId: string
  readonly teamId: string
}

/** What a code or a refresh token belongs to. */
export interface Family extends GrantOf {
  readonly grantId: string
  readonly familyId: string
  readonly scopes: ReadonlyArray<string>
  readonly resource: Resource
}

/** A grant with the names of its parts. */
export interface ListedGrant extends GrantOf {
  readonly id: string
  readonly appName: string
  readonly appUrl: string | null
  readonly userName: string
  readonly userEmail: string | null
  readonly teamName: string
  readonly scopes: ReadonlyArray<string>
  readonly createdAt: Date
  readonly updatedAt: Date
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  // Who left the team and came back has a membership that is younger than what was granted before. A deactivated account and a deleted
  // team may come back: nothing is written for them.
  const family = sql`
    g.user_id as "userId", g.app_id as "appId", g.team_id as "teamId", g.id as "grantId", f.id as "familyId", f.scopes, f.resource,
    f.revoked_at is not null or g.revoked_at is not null or a.revoked_at is not null
      or m.status is distinct from 'active' or m.joined_at > f.created_at
      or u.deactivated_at is not null or t.deleted_at is not null as "hasEnded"`
  const familyTables = sql`
    join grant_families f on f.id = family_id
    join grants g on g.id = f.grant_id
    join apps a on a.id = g.app_id
    join users u on u.id = g.user_id
    join teams t on t.id = g.team_id
    left join memberships m on m.team_id = g.team_id and m.user_id = g.user_id`

  /** Saves a grant, and begins a family of it, with a code. */
  const begin = Effect.fn("GrantsRepo.begin")(function* (
    grant: GrantOf & {
      readonly grantId: string
      readonly familyId: string
      readonly scopes: ReadonlyArray<string>
      readonly resource: Resource
      readonly codeHash: Uint8Array
      readonly redirectUri: string
      readonly challenge: string
      readonly expiresAt: Date
      readonly now: Date
    }
  ) {
    yield* orDie(sql`
      with saved as (
        insert into grants (id, user_id, app_id, team_id, scopes, created_at, updated_at)
        values (${grant.grantId}, ${grant.userId}, ${grant.appId}, ${grant.teamId}, ${grant.scopes}::text[],
          ${grant.now}, ${grant.now})
        on conflict (user_id, app_id, team_id) where revoked_at is null do update
          set scopes = excluded.scopes, updated_at = excluded.updated_at
        returning id
      ), family as (
        insert into grant_families (id, grant_id, scopes, resource, created_at, ends_at)
        select ${grant.familyId}::uuid, id, ${grant.scopes}::text[], ${grant.resource}::text, ${grant.now}::timestamptz,
          ${grant.expiresAt}::timestamptz
        from saved
        returning id
      )
      insert into authorization_codes (hash, family_id, redirect_uri, challenge, expires_at)
      select ${grant.codeHash}::bytea, id, ${grant.redirectUri}::text, ${grant.challenge}::text,
        ${grant.expiresAt}::timestamptz
      from family`)
    return (yield* orDie(sql<{ readonly id: string }>`
      select grant_id as id from grant_families where id = ${grant.familyId}`))[0]?.id
  })

  /** Locks a code of an app. */
  const lockCode = Effect.fn("GrantsRepo.lockCode")(function* (appId: string, hash: Uint8Array) {
    const [row] = yield* orDie(sql<Family & CodeState & { readonly redirectUri: string; readonly challenge: string }>`
      select c.redirect_uri as "redirectUri", c.challenge, c.expires_at as "expiresAt", c.used_at as "usedAt", ${family}
      from authorization_codes c ${familyTables}
      where c.hash = ${hash} and g.app_id = ${appId}
      for update of c`)
    return row
  })

  const useCode = Effect.fn("GrantsRepo.useCode")(function* (hash: Uint8Array, now: Date) {
    yield* orDie(sql`update authorization_codes set used_at = ${now} where hash = ${hash}`)
  })

  /** Locks a refresh token of an app. */
  const lockRefresh = Effect.fn("GrantsRepo.lockRefresh")(function* (appId: string, hash: Uint8Array) {
    const [row] = yield* orDie(sql<Family & RefreshState>`
        select r.expires_at as "expiresAt", r.replaced_at as "replacedAt", ${family}
        from refresh_tokens r ${familyTables}
        where r.hash = ${hash} and g.app_id = ${appId}
        for update of r`)
    return row
  })

  const insertRefresh = Effect.fn("GrantsRepo.insertRefresh")(function* ({
    expiresAt,
    familyId,
    hash,
    now
  }: {
    readonly hash: Uint8Array
    readonly familyId: string
    readonly now: Date
    readonly expiresAt: Date
  }) {
    // The end of the family is written once a day at most: it is kept for a week after it.
    yield* orDie(sql`
        with lasting as (
          update grant_families set ends_at = ${expiresAt}
          where id = ${familyId} and ends_at < ${expiresAt}::timestamptz - interval '1 day'
        )
        insert into refresh_tokens (hash, family_id, created_at, expires_at)
        values (${hash}, ${familyId}, ${now}, ${expiresAt})`)
  })

  /** Marks a refresh token as replaced, unless it was before. */
  const replaceRefresh = Effect.fn("GrantsRepo.replaceRefresh")(function* (hash: Uint8Array, now: Date) {
    yield* orDie(sql`
      update refresh_tokens set replaced_at = ${now} where hash = ${hash} and replaced_at is null`)
  })

  /** Deletes the refresh tokens of a family that were replaced until `replacedUntil`, and the oldest others beyond the `newest`. */
  // Others may be in use at this moment: the next refresh deletes them.
  const deleteRefreshes = Effect.fn("GrantsRepo.deleteRefreshes")(function* (
    familyId: string,
    replacedUntil: Date,
    newest: number
  ) {
    yield* orDie(sql`
      delete from refresh_tokens where hash in (
        select hash from refresh_tokens
        where family_id = ${familyId} and (replaced_at <= ${replacedUntil} or hash in (
          select hash from refresh_tokens where family_id = ${familyId} and replaced_at is null
          order by created_at desc, hash offset ${newest}
        ))
        for update skip locked
      )`)
  })

  /** A family (UUID) of an app. */
  const findFamily = Effect.fn("GrantsRepo.findFamily")(function* (appId: string, familyId: string) {
    const [row] = yield* orDie(sql<Family & { readonly hasEnded: boolean }>`
        select ${family} from (select ${familyId}::uuid as family_id) as named ${familyTables}
        where g.app_id = ${appId}`)
    return row
  })

  /** The family of an access or refresh token of an app, whether it is valid or not, or that it names. */
  const familyOf = Effect.fn("GrantsRepo.familyOf")(function* (
    appId: string,
    hash: Uint8Array,
    named: string | undefined
  ) {
    const [row] = yield* orDie(sql<{ id: string }>`
        select f.id from (
          select family_id from refresh_tokens where hash = ${hash}
          union
          select family_id from tokens where hash = ${hash}
          union
          select ${named ?? null}::uuid
        ) as found
        join grant_families f on f.id = found.family_id join grants g on g.id = f.grant_id
        where g.app_id = ${appId}`)
    return row?.id
  })

  const endFamily = Effect.fn("GrantsRepo.endFamily")(function* (familyId: string, now: Date) {
    yield* orDie(sql`
      update grant_families set revoked_at = coalesce(revoked_at, ${now}) where id = ${familyId}`)
  })

  /** The valid grants of a person or of a team, the oldest first; at most 1,000. */
  const list = Effect.fn("GrantsRepo.list")(function* ({
    appId,
    teamId,
    userId
  }: {
    readonly appId?: string
    readonly userId?: string
    readonly teamId?: string
  }) {
    return yield* orDie(sql<ListedGrant>`
      select g.id, g.user_id as "userId", g.app_id as "appId", g.team_id as "teamId", g.scopes,
        g.created_at as "createdAt", g.updated_at as "updatedAt", a.name as "appName", a.document_url as "appUrl",
        u.name as "userName", u.email as "userEmail", t.name as "teamName"
      from grants g
      join apps a on a.id = g.app_id
      join users u on u.id = g.user_id
      join teams t on t.id = g.team_id
      join memberships m on m.team_id = g.team_id and m.user_id = g.user_id
      where ${sql.and([
        sql`g.revoked_at is null and a.revoked_at is null and m.status = 'active' and m.joined_at <= g.updated_at`,
        ...(appId === undefined ? [] : [sql`g.app_id = ${appId}`]),
        ...(userId === undefined ? [] : [sql`g.user_id = ${userId}`]),
        ...(teamId === undefined ? [] : [sql`g.team_id = ${teamId}`])
      ])}
      order by g.created_at, g.id limit 1000`)
  })

  /**
   * Ends a grant, of this person if one is named; says whose it was, and whether it had not ended before. Undefined if there is none with
   * this id.
   */
  const end = Effect.fn("GrantsRepo.end")(function* (
    id: string,
    now: Date,
    { teamId, userId }: { readonly userId?: string | undefined; readonly teamId?: string | undefined } = {}
  ) {
    const [ended] = yield* orDie(sql<GrantOf & { readonly isNew: boolean }>`
      with found as (
        select id, user_id, app_id, team_id, revoked_at from grants
        where id = ${id} and (${userId === undefined} or user_id = ${userId ?? null}::uuid)
          and (${teamId === undefined} or team_id = ${teamId ?? null}::uuid)
        for update
      ), ended as (
        update grants set revoked_at = ${now} where id in (select id from found where revoked_at is null)
      )
      select user_id as "userId", app_id as "appId", team_id as "teamId", revoked_at is null as "isNew" from found`)
    return ended
  })

  /**
   * Deletes grants that were revoked before `until`, and families of which nothing has been valid since, with their codes and tokens, at
   * most `limit` of each; returns how many.
   */
  const purge = Effect.fn("GrantsRepo.purge")(function* (until: Date, limit: number) {
    const purged = yield* orDie(sql`
      with ended as (
        delete from grants where id in (select id from grants where revoked_at < ${until} limit ${limit})
        returning id
      ), families as (
        delete from grant_families where id in (
          select id from grant_families where ends_at < ${until} limit ${limit} for update skip locked
        ) and grant_id not in (select id from ended)
        returning id
      )
      select from ended union all select from families`)
    return purged.length
  })

  return {
    begin,
    lockCode,
    useCode,
    lockRefresh,
    insertRefresh,
    replaceRefresh,
    deleteRefreshes,
    findFamily,
    familyOf,
    endFamily,
    list,
    end,
    purge
  }
})

/** Stores grants. */
export class GrantsRepo extends Context.Service<GrantsRepo, Effect.Success<typeof make>>()(
  "identity/oauth/GrantsRepo"
) {
  static readonly layer = Layer.effect(GrantsRepo, make)
}
