import { Effect, Schema } from "effect"

/** The contract of a kind of job: its name and payload. A `JobHandler` implements it. */
export interface Job<
  Name extends string = string,
  S extends Schema.Codec<unknown, unknown> = Schema.Codec<unknown, unknown>
> {
  /** The path below workers/ of the file that implements it, such as `webhooks/fanOut`. */
  readonly name: Name
  readonly payload: S
  /** A job with a lower number runs first; default 0. */
  readonly priority?: number
  /** How often a job is attempted that dies, with e^attempt seconds in between; default 25. */
  readonly maxAttempts?: number
}

/** Declares a job. */
export const make = <const Name extends string, S extends Schema.Codec<unknown, unknown>>(
  name: Name,
  options: { readonly payload: S; readonly priority?: number; readonly maxAttempts?: number }
): Job<Name, S> => ({ name, ...options })

/** Encodes a payload as the JSON that is stored. Dies when it does not fit the job's schema. */
export const encode = <J extends Job>(job: J, payload: J["payload"]["Type"]): Effect.Effect<Schema.Json> =>
  Effect.orDie(Schema.encodeUnknownEffect(Schema.toCodecJson(job.payload))(payload))

/**
 * Decodes a stored payload. Fails when it does not fit the job's schema: another version of the service may have stored
 * it.
 */
export const decode = <J extends Job>(job: J, json: unknown): Effect.Effect<J["payload"]["Type"], Schema.SchemaError> =>
  Schema.decodeUnknownEffect(Schema.toCodecJson(job.payload))(json)
