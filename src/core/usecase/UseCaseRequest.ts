/**
 * The input of a use-case, whichever adapter it comes from. Each part is validated when the use-case reads it, so that refusals
 * have the order of docs/behaviour/http.md#order-of-refusals.
 */
import { Effect } from "effect"
import * as UnvalidatedJson from "./UnvalidatedJson.ts"
import type { Input, Json } from "./Input.ts"
import type { Tags } from "./Precondition.ts"
import type { MalformedJson, PayloadTooLarge, RateLimited, Unavailable, UnsupportedMediaType } from "./Problem.ts"

/** Why a body cannot be read, before its content is validated. */
export type BodyError = MalformedJson | PayloadTooLarge | RateLimited | Unavailable | UnsupportedMediaType

/** A request of a use-case. */
export interface UseCaseRequest<Query = unknown> {
  /** Method and path. Together with the caller, they are the scope of an idempotency key. */
  readonly operation: string
  readonly query: Input<Query>
  readonly body: Effect.Effect<UnvalidatedJson.UnvalidatedJson, BodyError>
  readonly ifMatch: Input<Tags | undefined>
  readonly idempotencyKey: Input<string | undefined>
}

/** A request of valid values, for commands and other use-cases. */
export const make = <Query>(options: {
  readonly operation: string
  readonly query: Query
  readonly body?: Json
  readonly ifMatch?: Tags
  readonly idempotencyKey?: string
}): UseCaseRequest<Query> => ({
  operation: options.operation,
  query: Effect.succeed(options.query),
  body: Effect.succeed(UnvalidatedJson.of(options.body ?? null)),
  ifMatch: Effect.succeed(options.ifMatch),
  idempotencyKey: Effect.succeed(options.idempotencyKey)
})
