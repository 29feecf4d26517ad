/** Limits of attempts: of people who sign in, and of clients that ask for tokens. */
import { Context, Data, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { now } from "../../platform/Time.ts"
import { SignInAttemptsRepo } from "./SignInRepo.ts"
import { type AttemptKind, refusedFor } from "./rules.ts"

/** Too many attempts in this window. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{ readonly retryAfterSeconds: number }> {}

/** Who tries: an account by its e-mail address, a client by its id, a network address. */
export interface Attempt {
  readonly kind: AttemptKind
  readonly name: string
}

// Whoever reads the table learns no address.
const subjectOf = ({ kind, name }: Attempt) => `${kind}:${createHash("sha256").update(name).digest("base64url")}`

const make = Effect.gen(function* () {
  const repo = yield* SignInAttemptsRepo

  /** Counts an attempt, and refuses it beyond the limit of any of its subjects. Parallel ones do not pass it either. */
  const count = Effect.fn("SignInAttempts.count")(function* (attempts: ReadonlyArray<Attempt>) {
    if (attempts.length === 0) return
    const at = yield* now
    const windows = yield* repo.count(
      attempts.map((attempt) => ({ kind: attempt.kind, subject: subjectOf(attempt) })),
      at
    )
    const retryAfterSeconds = refusedFor(windows, at)
    if (retryAfterSeconds !== undefined) return yield* new TooManyAttempts({ retryAfterSeconds })
  })

  /** Forgets the attempts of a subject, because one succeeded. */
  const forget = (attempt: Attempt) => repo.forget(subjectOf(attempt))

  /** Deletes at most `limit` windows that are over; returns how many. */
  const purge = Effect.fn("SignInAttempts.purge")(function* (limit: number) {
    return yield* repo.purge(yield* now, limit)
  })

  return { count, forget, purge }
})

/** Counts and attemptLimits attempts. */
export class SignInAttempts extends Context.Service<SignInAttempts, Effect.Success<typeof make>>()(
  "identity/signIn/SignInAttempts"
) {
  static readonly layer = Layer.effect(SignInAttempts, make).pipe(Layer.provide(SignInAttemptsRepo.layer))
}
