import { Effect, Schema } from "effect"

/** The embedded Postgres cannot be made, started or reached. The message is meant for whoever runs the service. */
export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()("EmbeddedPostgresError", {
  message: Schema.String
}) {}

/** A promise whose rejection becomes an `EmbeddedPostgresError`: `EACCES` and its kind already name the file. */
export const attempt = <A>(run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ message: cause instanceof Error ? cause.message : String(cause) })
  })
