/**
 * One call of a use-case, whatever door it came through: REST, a tool, the command line. Each part is validated when
 * the use-case asks for it, so that refusals come in the order of decisions §2.
 */
import { Effect } from "effect"
import * as UnvalidatedJson from "./UnvalidatedJson.ts"
import type { Input, Json } from "./Input.ts"
import type { Tags } from "./Precondition.ts"
import type { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from "./Problem.ts"

/** Why a body cannot be read, before anybody looks at what it says. */
export type BodyError = MalformedJson | PayloadTooLarge | UnsupportedMediaType

/** What a use-case is called with. */
export interface UseCaseRequest<Query = unknown> {
  /** What method and path say: with the caller, the scope of an idempotency key. */
  readonly operation: string
  readonly query: Input<Query>
  readonly body: Effect.Effect<UnvalidatedJson.UnvalidatedJson, BodyError>
  readonly ifMatch: Input<Tags | undefined>
  readonly idempotencyKey: Input<string | undefined>
}

/** A call made by the program itself, of values that are at hand. */
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
