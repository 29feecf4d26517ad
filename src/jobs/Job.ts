import { Effect, Schema } from "effect"

/** A typed promise of later work: what is asked, not who does it or how. */
export interface Job<
  Name extends string = string,
  S extends Schema.Codec<unknown, unknown> = Schema.Codec<unknown, unknown>
> {
  /** The path of the file in workers/ that does it, such as `webhooks/fanout`. */
  readonly name: Name
  readonly payload: S
  /** Lower goes first; default 0. */
  readonly priority?: number
  /** How often a job that dies is tried, with e^attempt seconds in between; default 25. */
  readonly maxAttempts?: number
}

/** Declares a job. */
export const make = <const Name extends string, S extends Schema.Codec<unknown, unknown>>(
  name: Name,
  options: { readonly payload: S; readonly priority?: number; readonly maxAttempts?: number }
): Job<Name, S> => ({ name, ...options })

/** A payload as it is stored: JSON. Dies when it does not fit the job's schema. */
export const encode = <J extends Job>(job: J, payload: J["payload"]["Type"]): Effect.Effect<Schema.Json> =>
  Effect.orDie(Schema.encodeUnknownEffect(Schema.toCodecJson(job.payload))(payload))

/** The payload that was stored. Fails when it does not fit the job's schema: another version may have written it. */
export const decode = <J extends Job>(job: J, json: unknown): Effect.Effect<J["payload"]["Type"], Schema.SchemaError> =>
  Schema.decodeUnknownEffect(Schema.toCodecJson(job.payload))(json)
