import { Effect, Schema } from "effect"

/** The embedded Postgres cannot be created, started or reached. The message is for the operator. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String
}) {}

/**
 * Runs a promise whose rejection becomes an `EmbeddedPostgresError`. Messages of system errors already name the file.
 */
export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ message: cause instanceof Error ? cause.message : String(cause) })
  })
