/** The use-cases of sessions in browsers: docs/behaviour/sign-in.md#sessions. */
import * as Secret from "../../core/auth/Secret.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { Retention } from "../../platform/Retention.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { Users } from "../users/Users.ts"
import { sessionUseOf, userAgentOf } from "./rules.ts"
import { SessionsRepo, type StoredSession } from "./SignInRepo.ts"

/** How long sessions that are over are stored, in days. */
const retentionDays = 7

/** Where a session is used: the `User-Agent` of the browser and its network address. */
export interface Browser {
  readonly userAgent: string | undefined
  readonly address: string | null
  /** How the person signed in. */
  readonly by?: "password" | "link" | "invitation" | "openid"
}

/** A session for its owner and for the operator. `id` is a UUID: no API has it. */
export interface Session {
  readonly id: string
  readonly createdUtc: string
  readonly lastUsedUtc: string
  readonly expiresUtc: string
  readonly userAgent: string | null
  readonly address: string | null
}

/** A session as its owner sees it. */
export const toSession = (stored: StoredSession): Session => ({
  id: stored.id,
  createdUtc: stored.createdAt.toISOString(),
  lastUsedUtc: stored.lastUsedAt.toISOString(),
  expiresUtc: stored.expiresAt.toISOString(),
  userAgent: stored.userAgent,
  address: stored.address
})

const noSuchSession = new NotFound({ detail: "There is no session with this id." })

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  /** How long a session lasts in all, in milliseconds. */
  const totalMillis = 86_400_000 * (yield* Retention).sessions
  const repo = yield* SessionsRepo
  const users = yield* Users
  const random = yield* SecureRandom.SecureRandom

  /** Begins a session of a user (UUID), and returns its secret for the cookie. Nothing else ever shows it. */
  const begin = Effect.fn("Sessions.begin")(function* (
    userId: string,
    { address, by = "password", userAgent }: Browser
  ) {
    const secret = Secret.make("session", yield* random.randomBytes(Secret.byteLength))
    const at = yield* now
    const id = yield* random.uuidV7()
    yield* repo
      .insert({
        id,
        hash: Secret.hash(secret),
        userId,
        createdAt: at,
        lastUsedAt: at,
        expiresAt: new Date(at.getTime() + totalMillis),
        userAgent: userAgentOf(userAgent),
        address
      })
      .pipe(
        auditLog.recording(() => ({
          action: "session.started",
          userId,
          target: { type: "session", id },
          details: { by }
        }))
      )
    return secret
  })

  /** The session with this secret, and its user (UUID); undefined if it is over. It counts as used. */
  const find = Effect.fn("Sessions.find")(function* (secret: string) {
    if (!Secret.isWellFormed(secret)) return undefined
    const stored = yield* repo.findByHash(Secret.hash(secret))
    if (stored === undefined) return undefined
    const at = yield* now
    const use = sessionUseOf(stored, at)
    if (use === undefined) return undefined
    if (use.isWritten) yield* repo.touch(stored.id, at)
    return { userId: stored.userId, session: toSession(stored) }
  })

  /** The valid sessions of a user (UUID), the latest first. */
  const list = Effect.fn("Sessions.list")(function* (userId: string) {
    return (yield* repo.ofUser(userId, yield* now)).map(toSession)
  })

  /** Ends a session of a user (UUIDs), at once on every process, because they signed out or because it is revoked. */
  const end = Effect.fn("Sessions.end")(function* (
    userId: string,
    id: string,
    action: "session.ended" | "session.revoked" = "session.revoked"
  ) {
    const ended = Id.isUuid(id)
      ? yield* repo
          .revoke(userId, id, yield* now)
          .pipe(
            auditLog.recording((found) =>
              found?.isNew === true ? { action, target: { type: "session", id } } : undefined
            )
          )
      : undefined
    if (ended === undefined) return yield* noSuchSession
  })

  /** Ends all sessions of a user, but for the one to keep (UUIDs); returns how many were valid. */
  const endAll = Effect.fn("Sessions.endAll")(function* (userId: string, kept?: string) {
    return yield* repo.revokeAll(userId, yield* now, kept).pipe(
      auditLog.recording((count) =>
        count === 0
          ? undefined
          : {
              action: "session.revoked",
              target: { type: "user", id: Id.fromUuid("user", userId) },
              details: { count }
            }
      )
    )
  })

  /** The valid sessions of the person with an e-mail address. For the operator only. */
  const listOf = Effect.fn("Sessions.listOf")(function* (email: string) {
    yield* onlyOperator
    return yield* list(yield* users.resolve(email))
  })

  /** Ends a session, by its id. For the operator only. */
  const revoke = Effect.fn("Sessions.revoke")(function* (id: string) {
    yield* onlyOperator
    const owner = Id.isUuid(id) ? yield* repo.ownerOf(id) : undefined
    return owner === undefined ? yield* noSuchSession : yield* end(owner, id)
  })

  /** Ends all sessions of the person with an e-mail address. For the operator only. */
  const revokeAllOf = Effect.fn("Sessions.revokeAllOf")(function* (email: string) {
    yield* onlyOperator
    return { ended: yield* endAll(yield* users.resolve(email)) }
  })

  /** Deletes at most `limit` sessions that were over long ago; returns how many. */
  const purge = Effect.fn("Sessions.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(retentionDays), limit)
  })

  return { totalMillis, begin, find, list, end, endAll, listOf, revoke, revokeAllOf, purge }
})

/** Sessions of people in browsers. */
export class Sessions extends Context.Service<Sessions, Effect.Success<typeof make>>()("identity/signIn/Sessions") {
  static readonly layer = Layer.effect(Sessions, make).pipe(Layer.provide([SessionsRepo.layer, Users.layer]))
}
