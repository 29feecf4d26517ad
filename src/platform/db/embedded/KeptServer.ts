/** Keeps a server running: one that ends by itself, by a kill or a crash, is started again on the same port. */
import { Effect, Scope } from "effect"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { Server } from "./Server.ts"

/** After so many starts in a row that failed, the server counts as lost. */
const maxFailedStarts = 2

/** A server that ends by itself sooner after it was started again, in milliseconds, counts as one that failed to start. */
const settledMillis = 10_000

const pause = "1 second"

/** A server that is started again when it ends by itself. */
export interface KeptServer {
  /** Stops it for good. */
  readonly stop: Effect.Effect<void>
  /** Starts the server again whenever it ends by itself. Never succeeds; fails when that failed twice in a row. */
  readonly keepRunning: Effect.Effect<never, EmbeddedPostgresError>
}

const lastLines = (server: Server) => Effect.promise(() => server.lastLines().catch(() => ""))

/** Of `first`, in whose place `startAgain` starts others, which also stop with the scope. */
export const make = Effect.fnUntraced(function* (
  first: Server,
  startAgain: Effect.Effect<Server, EmbeddedPostgresError, Scope.Scope>
): Effect.fn.Return<KeptServer, never, Scope.Scope> {
  const scope = yield* Effect.scope
  let server = first
  let isStopping = false

  /** Starts a server in place of the one that ended, after `failed` starts in a row that failed, the last of them for `reason`. */
  const replace = (failed: number, reason: string): Effect.Effect<number, EmbeddedPostgresError> => {
    if (failed >= maxFailedStarts) {
      return Effect.fail(
        new EmbeddedPostgresError({
          message: `The embedded Postgres ended by itself and could not be started again: ${reason}`
        })
      )
    }
    return Effect.sleep(failed === 0 ? 0 : pause).pipe(
      Effect.andThen(Scope.provide(startAgain, scope)),
      Effect.map((started) => {
        server = started
        return failed
      }),
      Effect.catch(({ message }) =>
        Effect.andThen(
          Effect.logError(`The embedded Postgres could not be started again: ${message}`),
          replace(failed + 1, message)
        )
      )
    )
  }

  const keepRunning = Effect.gen(function* () {
    let failed = 0
    let startedAt = -Infinity
    for (;;) {
      const reason = yield* Effect.promise(() => server.ended)
      if (server.isStopping()) return yield* Effect.never
      const lines = yield* lastLines(server)
      yield* Effect.logError(
        `The embedded Postgres ended by itself (${reason}) and is started again. Its last lines:\n${lines}`
      )
      failed = yield* replace(performance.now() - startedAt < settledMillis ? failed + 1 : 0, reason)
      startedAt = performance.now()
      if (isStopping) yield* Effect.promise(server.stop)
      else yield* Effect.logWarning("The embedded Postgres runs again.")
    }
  })

  return {
    stop: Effect.suspend(() => {
      isStopping = true
      return Effect.promise(server.stop)
    }),
    keepRunning
  }
})
