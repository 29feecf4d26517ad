/**
 * Who visits a page of the console: their session and the limit of its requests, how they read, their teams, and the filters that they
 * keep for the page (docs/behaviour/console.md). It is one statement, because every page waits for it.
 */
import * as Secret from "../../core/auth/Secret.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { type Rate, rateOf, RateLimits } from "../../core/auth/Authentication.ts"
import { skewSeconds, windowSeconds } from "../../core/auth/CallersRepo.ts"
import { type Actor, publicScope } from "../../core/auth/CurrentActor.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import { maxPerPage, type SavedFilter } from "../filters/SavedFilter.ts"
import { sessionUseOf } from "./rules.ts"
import { type Session, toSession } from "./Sessions.ts"
import { sessionColumns, SessionsRepo, type StoredSession } from "./SignInRepo.ts"

/** Someone who is signed in, on a page. */
export interface Visitor {
  /** UUID. */
  readonly userId: string
  readonly session: Session
  readonly name: string
  readonly culture: string
  readonly uiCulture: string
  readonly timeZone: string
  readonly isOperator: boolean
  /** Who they are in each team where they are an active member, the primary one first. */
  readonly seats: ReadonlyArray<{ readonly actor: Actor; readonly teamName: string }>
  /** Their filters for the list at this path, by name. */
  readonly savedFilters: ReadonlyArray<SavedFilter>
  /** The limit of the session after this request; undefined where it does not count. */
  readonly rate: Rate | undefined
}

/** A request of a page. */
export interface PageVisit {
  /** The path of the page. */
  readonly path: string
  /** Whether it counts towards the limit of the session. */
  readonly isCounted: boolean
  /** Whether it keeps the session alive: a stream that only asks what is new keeps nobody signed in. */
  readonly isUse: boolean
}

interface VisitRow extends StoredSession, Pick<Actor, "broker" | "investor"> {
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
  const sessions = yield* SessionsRepo
  const limits = yield* RateLimits

  const read = (hash: Uint8Array, { isCounted, path }: PageVisit, now: Date) =>
    // A visit beyond the limit does not add up. A window far ahead was opened by a wrong clock, and counts as over.
    orDie(sql<VisitRow>`
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
            1 + case when over then 0 else least(w.requests, ${limits.session}::int) end
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

  /** Who visits a page with the secret of a session; undefined if the session is over. */
  const find = Effect.fn("Visits.find")(function* (secret: string, page: PageVisit) {
    if (!Secret.isWellFormed(secret)) return undefined
    const millis = yield* Clock.currentTimeMillis
    const at = new Date(millis)
    const [row] = yield* read(Secret.hash(secret), page, at)
    const use = row === undefined ? undefined : sessionUseOf(row, at)
    if (row === undefined || use === undefined) return undefined
    if (use.isWritten && page.isUse) yield* sessions.touch(row.id, at)
    const { broker, culture, investor, isOperator, name, openedAt, requests, savedFilters, timeZone, uiCulture } = row
    const found: Visitor = {
      userId: row.userId,
      session: toSession(row),
      name,
      culture,
      uiCulture,
      timeZone,
      isOperator,
      seats: row.teams.map(({ name: teamName, role, teamId }) => ({
        teamName,
        actor: {
          userId: row.userId,
          teamId,
          role,
          membership: "active",
          broker,
          investor,
          clientId: null,
          scopes: [publicScope],
          origin: "app"
        }
      })),
      savedFilters,
      rate:
        openedAt === null || requests === null
          ? undefined
          : rateOf({ policy: "session", openedAt, requests }, limits, millis)
    }
    return found
  })

  return { find }
})

/** Who visits the pages of the console. */
export class Visits extends Context.Service<Visits, Effect.Success<typeof make>>()("identity/signIn/Visits") {
  static readonly layer = Layer.effect(Visits, make).pipe(Layer.provide(SessionsRepo.layer))
}
