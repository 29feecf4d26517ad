/**
 * Who visits a page of the console: their session and the limit of its requests, how they read, their teams, and the filters that they
 * keep for the page (docs/behaviour/console.md).
 */
import * as Secret from "../../core/auth/Secret.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { RateLimits } from "../../core/auth/Authentication.ts"
import { type Rate, rateOf } from "../../core/auth/rules.ts"
import { type Actor, publicScope } from "../../core/auth/CurrentActor.ts"
import type { SavedFilter } from "../filters/SavedFilter.ts"
import { sessionUseOf } from "./rules.ts"
import { type Session, toSession } from "./Sessions.ts"
import { SessionsRepo } from "./SignInRepo.ts"
import { VisitsRepo } from "./VisitsRepo.ts"

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

const make = Effect.gen(function* () {
  const repo = yield* VisitsRepo
  const sessions = yield* SessionsRepo
  const limits = yield* RateLimits

  /** Who visits a page with the secret of a session; undefined if the session is over. */
  const find = Effect.fn("Visits.find")(function* (secret: string, page: PageVisit) {
    if (!Secret.isWellFormed(secret)) return undefined
    const millis = yield* Clock.currentTimeMillis
    const at = new Date(millis)
    const row = yield* repo.read(Secret.hash(secret), page, { now: at, allowed: limits.session })
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
  static readonly layer = Layer.effect(Visits, make).pipe(Layer.provide([SessionsRepo.layer, VisitsRepo.layer]))
}
