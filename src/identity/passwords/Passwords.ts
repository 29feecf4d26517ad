/** The use-cases of passwords: docs/behaviour/sign-in.md#passwords. */
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { onlyOperator } from "../../auth/Operator.ts"
import * as Secret from "../../auth/Secret.ts"
import { Database } from "../../db/Database.ts"
import * as Transaction from "../../db/Transaction.ts"
import { now } from "../../fields/Time.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { Users } from "../users/Users.ts"
import { hashOf, matches, saltLength, unmatchable } from "./PasswordHash.ts"
import { PasswordsRepo } from "./PasswordsRepo.ts"
import { faultOf, linkMillis, type PasswordFault, refusedFor } from "./rules.ts"

/** A link is unknown, was used, or is too old. */
export class LinkRefused extends Data.TaggedError("LinkRefused")<object> {}

/** A password cannot be set. */
export class PasswordRefused extends Data.TaggedError("PasswordRefused")<{ readonly fault: PasswordFault }> {}

/** No account has this address and password. It does not tell which of the two is wrong. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<object> {}

/** Too many attempts failed, for this account or from this network address. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{ readonly retryAfterSeconds: number }> {}

/** An attempt to sign in. */
export interface Attempt {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  /** The network address that it comes from. */
  readonly address: string | null
}

// Attempts are counted for unknown accounts, too, and whoever reads the table learns no address.
const accountSubject = (email: string) =>
  `account:${createHash("sha256").update(email.trim().toLowerCase()).digest("base64url")}`

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* PasswordsRepo
  const sessions = yield* Sessions
  const users = yield* Users
  const random = yield* SecureRandom.SecureRandom

  /**
   * Makes the link by which the person with an e-mail address sets a password; earlier links end. For the operator only. No other
   * answer contains its secret.
   */
  const createLink = Effect.fn("Passwords.createLink")(function* (email: string) {
    yield* onlyOperator
    const userId = yield* users.resolve(email)
    const link = Secret.make("link", yield* random.randomBytes(Secret.byteLength))
    const at = yield* now
    const expiresAt = new Date(at.getTime() + linkMillis)
    yield* repo.insertLink({ hash: Secret.hash(link), userId, now: at, expiresAt })
    return { link, expiresUtc: expiresAt.toISOString() }
  })

  /** The person whose password a link sets. */
  const ownerOf = Effect.fn("Passwords.ownerOf")(function* (link: string) {
    const owner = Secret.isWellFormed(link) ? yield* repo.findLink(Secret.hash(link), yield* now) : undefined
    return owner ?? (yield* new LinkRefused())
  })

  /** Sets the password of the person whom a link belongs to, and ends the link and all their sessions. Returns their UUID. */
  const set = Effect.fn("Passwords.set")(function* (link: string, password: Redacted.Redacted<string>) {
    const owner = yield* ownerOf(link)
    const text = Redacted.value(password)
    const fault = faultOf(text, owner)
    if (fault !== undefined) return yield* new PasswordRefused({ fault })
    const hash = yield* hashOf(text, yield* random.randomBytes(saltLength))
    yield* Transaction.run(
      Effect.gen(function* () {
        const at = yield* now
        if (!(yield* repo.useLink(Secret.hash(link), at))) return yield* new LinkRefused()
        yield* repo.set(owner.userId, hash, at)
        yield* repo.forget(accountSubject(owner.email))
        yield* sessions.endAll(owner.userId)
      })
    ).pipe(Effect.provideService(Database, sql))
    return owner.userId
  })

  /**
   * The user (UUID) who has this address and password. An unknown address takes as long as a wrong password. Attempts are counted
   * before they are checked, so that parallel ones do not pass the limit.
   */
  const verify = Effect.fn("Passwords.verify")(function* ({ address, email, password }: Attempt) {
    const at = yield* now
    const account = accountSubject(email)
    const windows = yield* repo.count(
      [
        { kind: "account", subject: account },
        ...(address === null ? [] : [{ kind: "address" as const, subject: `address:${address}` }])
      ],
      at
    )
    const retryAfterSeconds = refusedFor(windows, at)
    if (retryAfterSeconds !== undefined) return yield* new TooManyAttempts({ retryAfterSeconds })
    const found = yield* repo.find(email.trim())
    const isRight = yield* matches(Redacted.value(password), found?.hash ?? unmatchable)
    if (found === undefined || found.hash === null || !isRight) return yield* new SignInRefused()
    yield* repo.forget(account)
    return found.userId
  })

  /** Deletes at most `limit` links and windows of attempts that are over; returns how many. */
  const purge = Effect.fn("Passwords.purge")(function* (limit: number) {
    return yield* repo.purge(yield* now, limit)
  })

  return { createLink, ownerOf, set, verify, purge }
})

/** Passwords of people. Only the operator may call `createLink`; the pages of sign-in call the others. */
export class Passwords extends Context.Service<Passwords, Effect.Success<typeof make>>()(
  "identity/passwords/Passwords"
) {
  static readonly layer = Layer.effect(Passwords, make)
}
