/** The use-cases of passwords, and how they are hashed: docs/behaviour/sign-in.md#passwords. */
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Data, Effect, Layer, Redacted, Semaphore } from "effect"
import { argon2, type Argon2Parameters, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { signInRefused } from "../../core/auth/Refusals.ts"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { Database } from "../../platform/db/Database.ts"
import { canonicalEmail } from "../../core/fields/InternetAddress.ts"
import { now } from "../../platform/Time.ts"
import { SignInAttempts } from "./SignInAttempts.ts"
import { Sessions } from "./Sessions.ts"
import { Users } from "../users/Users.ts"
import { PasswordsRepo } from "./SignInRepo.ts"
import { type PasswordFault, passwordFaultOf, passwordLinkMillis } from "./rules.ts"

/** The number of random bytes that a hash is made with. */
const saltLength = 16

// argon2id of Node, with the parameters that OWASP recommends.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

const derive = promisify((parameters: Argon2Parameters, callback: (error: Error | null, tag: Buffer) => void) =>
  argon2("argon2id", parameters, callback)
)

// Each takes 19 MiB and a thread of the pool for some 20 ms.
const permits = Semaphore.makeUnsafe(2)

const tagOf = (password: string, nonce: Uint8Array, { memory, parallelism, passes, tagLength }: typeof cost) =>
  permits.withPermits(1)(
    // One spelling of composed characters: keyboards differ.
    Effect.promise(() => derive({ message: password.normalize("NFC"), nonce, memory, parallelism, passes, tagLength }))
  )

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** The hash of a password, as a PHC string, with a salt of {@link saltLength} random bytes. */
export const hashOf = Effect.fnUntraced(function* (password: string, salt: Uint8Array) {
  const { memory, parallelism, passes } = cost
  const tag = yield* tagOf(password, salt, cost)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
})

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether a password has this hash, compared in constant time; false for what is no hash. */
export const matches = Effect.fnUntraced(function* (password: string, hash: string) {
  const [, memory, passes, parallelism, salt = "", tag = ""] = form.exec(hash) ?? []
  const expected = Buffer.from(tag, "base64")
  if (expected.length === 0) return false
  const found = yield* tagOf(password, Buffer.from(salt, "base64"), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length
  })
  return timingSafeEqual(found, expected)
})

/** A hash of no password: checking against it takes as long as against any other. */
export const unmatchable = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(
  new Uint8Array(saltLength)
)}$${base64(new Uint8Array(cost.tagLength))}`

/** A link is unknown, was used, or is too old. */
export class LinkRefused extends Data.TaggedError("LinkRefused")<object> {}

/** A password cannot be set. */
export class PasswordRefused extends Data.TaggedError("PasswordRefused")<{ readonly fault: PasswordFault }> {}

/** The password that a person gave as their present one is not theirs. */
export class PresentPasswordRefused extends Data.TaggedError("PresentPasswordRefused")<object> {}

/** No account has this address and password. It does not tell which of the two is wrong. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{ readonly userId?: string }> {}

/** The account with this address and password is deactivated. */
export class AccountDeactivated extends Data.TaggedError("AccountDeactivated")<{ readonly userId: string }> {}

/** An attempt to sign in. */
export interface SignIn {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  /** The network address that it comes from. */
  readonly address: string | null
}

/** An address as people type it, in the form in which it is stored. */
const storedForm = (email: string) => canonicalEmail(email.trim()) ?? email.trim()

const ofAccount = (email: string) => ({ kind: "account" as const, name: storedForm(email).toLowerCase() })

const accountOf = (userId: string) => ({ type: "user", id: Id.fromUuid("user", userId) })

const refusals = { AccountDeactivated: "deactivated", SignInRefused: "password", TooManyAttempts: "throttled" } as const

const make = Effect.gen(function* () {
  const sql = yield* Database
  const auditLog = yield* AuditLog
  const repo = yield* PasswordsRepo
  const attempts = yield* SignInAttempts
  const sessions = yield* Sessions
  const users = yield* Users
  const random = yield* SecureRandom.SecureRandom

  /**
   * Makes the link by which the person with an e-mail address sets a password; earlier links end. For the operator only. No other
   * answer contains its secret.
   */
  const createLink = Effect.fn("Passwords.createLink")(function* (email: string) {
    yield* onlyOperator
    const userId = yield* users.resolveActive(email)
    const link = Secret.make("link", yield* random.randomBytes(Secret.byteLength))
    const at = yield* now
    const expiresAt = new Date(at.getTime() + passwordLinkMillis)
    yield* repo
      .insertLink({ hash: Secret.hash(link), userId, now: at, expiresAt })
      .pipe(auditLog.recording(() => ({ action: "sign_in_link.created", target: accountOf(userId) })))
    return { link, expiresUtc: expiresAt.toISOString() }
  })

  /** The person whose password a link sets, and whether they are signed in elsewhere than in the session (UUID) that asks. */
  const ownerOf = Effect.fn("Passwords.ownerOf")(function* (link: string, sessionId?: string) {
    const owner = Secret.isWellFormed(link) ? yield* repo.findLink(Secret.hash(link), yield* now, sessionId) : undefined
    return owner ?? (yield* new LinkRefused())
  })

  /** The hash of a password that a person may have. */
  const hashFor = Effect.fn("Passwords.hashFor")(function* (
    password: Redacted.Redacted<string>,
    owner: { readonly email: string; readonly name: string }
  ) {
    const text = Redacted.value(password)
    const fault = passwordFaultOf(text, owner)
    if (fault !== undefined) return yield* new PasswordRefused({ fault })
    return yield* hashOf(text, yield* random.randomBytes(saltLength))
  })

  /** Gives a person (UUID) the password with this hash. Call it in a transaction. */
  const store = Effect.fn("Passwords.store")(function* (
    userId: string,
    hash: string,
    by: "invitation" | "link" | "password"
  ) {
    yield* repo.set(userId, hash, yield* now)
    yield* auditLog.record({ action: "password.set", userId, target: accountOf(userId), details: { by } })
  })

  /** Sets the password of the person whom a link belongs to, and ends the link and all their sessions. Returns their UUID. */
  const set = Effect.fn("Passwords.set")(function* (link: string, password: Redacted.Redacted<string>) {
    const owner = yield* ownerOf(link)
    const hash = yield* hashFor(password, owner)
    yield* Transaction.run(
      Effect.gen(function* () {
        const at = yield* now
        if (!(yield* repo.useLink(Secret.hash(link), at))) return yield* new LinkRefused()
        yield* attempts.forget(ofAccount(owner.email))
        yield* sessions.endAll(owner.userId)
        yield* store(owner.userId, hash, "link")
      })
    ).pipe(Effect.provideService(Database, sql))
    return owner.userId
  })

  /** Whether a person (UUID) has a password; others sign in with an OpenID provider. */
  const has = Effect.fn("Passwords.has")(function* (userId: string) {
    return ((yield* repo.findOf(userId))?.hash ?? null) !== null
  })

  /** Sets another password of a person who is signed in and knows the present one; ends all their sessions but this one (UUIDs). */
  const change = Effect.fn("Passwords.change")(function* (
    userId: string,
    sessionId: string,
    { next, present }: { readonly present: Redacted.Redacted<string>; readonly next: Redacted.Redacted<string> }
  ) {
    const owner = yield* repo.findOf(userId)
    if (owner === undefined) return yield* new PresentPasswordRefused()
    yield* attempts.count([ofAccount(owner.email)])
    if (!(yield* matches(Redacted.value(present), owner.hash ?? unmatchable))) {
      return yield* new PresentPasswordRefused()
    }
    const hash = yield* hashFor(next, owner)
    yield* Transaction.run(
      Effect.gen(function* () {
        yield* attempts.forget(ofAccount(owner.email))
        yield* sessions.endAll(userId, sessionId)
        yield* store(userId, hash, "password")
      })
    ).pipe(Effect.provideService(Database, sql))
  })

  /**
   * The user (UUID) who has this address and password. An unknown address takes as long as a wrong password, and its attempts are
   * counted, too.
   */
  const verify = Effect.fn("Passwords.verify")(function* ({ address, email, password }: SignIn) {
    yield* attempts.count([
      ofAccount(email),
      ...(address === null ? [] : [{ kind: "address" as const, name: address }])
    ])
    const found = yield* repo.find(storedForm(email))
    const isRight = yield* matches(Redacted.value(password), found?.hash ?? unmatchable)
    if (found === undefined || found.hash === null || !isRight) {
      return yield* new SignInRefused(found === undefined ? {} : { userId: found.userId })
    }
    yield* attempts.forget(ofAccount(email))
    return found.isDeactivated ? yield* new AccountDeactivated({ userId: found.userId }) : found.userId
  })

  /** Deletes at most `limit` links that have expired; returns how many. */
  const purge = Effect.fn("Passwords.purge")(function* (limit: number) {
    return yield* repo.purge(yield* now, limit)
  })

  /** {@link verify}, whose refusals the metrics and the audit log count. */
  const verifyCounted = (attempt: SignIn) =>
    Effect.tapError(verify(attempt), (refused) => {
      const code = refusals[refused._tag]
      const userId = "userId" in refused ? refused.userId : undefined
      return Effect.andThen(
        signInRefused(code),
        auditLog.count({
          action: "session.refused",
          outcome: "refused",
          target: userId === undefined ? null : accountOf(userId),
          details: { by: "password", code }
        })
      )
    })

  return { createLink, ownerOf, hashFor, store, set, has, change, verify: verifyCounted, purge }
})

/** Passwords of people. Only the operator may call `createLink`; the pages of sign-in call the others. */
export class Passwords extends Context.Service<Passwords, Effect.Success<typeof make>>()("identity/signIn/Passwords") {
  static readonly layer = Layer.effect(Passwords, make).pipe(
    Layer.provide([PasswordsRepo.layer, Sessions.layer, SignInAttempts.layer, Users.layer])
  )
}
