/** The SQL of visits of pages. It is one statement, because every page of the console waits for it. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { skewSeconds, windowSeconds } from "../../core/auth/rules.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { maxPerPage, type SavedFilter } from "../filters/SavedFilter.ts"
import { sessionColumns, type StoredSession } from "./SignInRepo.ts"

/** Who visits a page. Ids are UUIDs. */
export interface Visit extends StoredSession, Pick<Actor, "broker" | "investor"> {
  readonly name: string
  readonly culture: string
  readonly uiCulture: string
  readonly timeZone: string
  readonly isOperator: boolean
  readonly teams: ReadonlyArray<Pick<Actor, "role" | "teamId"> & { readonly name: string }>
  readonly savedFilters: ReadonlyArray<SavedFilter>
  readonly openedAt: Date | null
  readonly requests: number | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The session with a hash, and what a page needs to know of its user; its visit counts towards the limit of `allowed` requests. */
  const read = Effect.fn("VisitsRepo.read")(function* (
    hash: Uint8Array,
    { isCounted, path }: { readonly isCounted: boolean; readonly path: string },
    { allowed, now }: { readonly allowed: number; readonly now: Date }
  ) {
    // A visit beyond the limit does not add up. A window far ahead was opened by a wrong clock, and counts as over.
    const [visit] = yield* orDie(sql<Visit>`
      with session as (
        select ${sessionColumns(sql)}, u.name, u.culture, u.ui_culture as "uiCulture", u.time_zone as "timeZone",
          u.is_operator as "isOperator", u.broker, u.investor
        from sessions s join users u on u.id = s.user_id
        where s.hash = ${hash} and u.deactivated_at is null and not u.is_bot
      ), counted as (
        insert into rate_windows as w (subject, opened_at, requests)
        select id, ${now}::timestamptz, 1 from session where ${isCounted} and "revokedAt" is null
        on conflict (subject) do update set (opened_at, requests) = (
          select
            case when over then excluded.opened_at else w.opened_at end,
            1 + case when over then 0 else least(w.requests, ${allowed}::int) end
          from (
            select w.opened_at <= excluded.opened_at - make_interval(secs => ${windowSeconds}::int)
              or w.opened_at > excluded.opened_at + make_interval(secs => ${skewSeconds}::int) as over
          ) as present
        )
        returning opened_at, requests
      )
      select session.*, counted.opened_at as "openedAt", counted.requests,
        array(
          select jsonb_build_object('teamId', m.team_id, 'role', m.role, 'name', t.name)
          from memberships m join teams t on t.id = m.team_id
          where m.user_id = session."userId" and m.status = 'active'
          order by m.is_primary desc, t.name, m.team_id
        ) as teams,
        array(
          select jsonb_build_object('id', id, 'name', name, 'query', query)
          from saved_filters where user_id = session."userId" and page = ${path}
          order by name limit ${maxPerPage}
        ) as "savedFilters"
      from session left join counted on true`)
    return visit
  })

  return { read }
})

/** Reads who visits a page. */
export class VisitsRepo extends Context.Service<VisitsRepo, Effect.Success<typeof make>>()(
  "identity/signIn/VisitsRepo"
) {
  static readonly layer = Layer.effect(VisitsRepo, make)
}
