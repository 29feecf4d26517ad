/**
 * The input of a use-case, whichever adapter it comes from. Each part is validated when the use-case reads it, so that refusals
 * have the order of docs/behaviour/http.md#order-of-refusals.
 */
import * as UnvalidatedJson from "./UnvalidatedJson.ts"
import * as Id from "../Id.ts"
import { Effect, type Scope, type Stream } from "effect"
import type { Input, Json } from "./Input.ts"
import type { Tags } from "./Precondition.ts"
import {
  type InvalidRequest,
  type MalformedJson,
  type MalformedMultipart,
  NotFound,
  type PayloadTooLarge,
  type RateLimited,
  type Unavailable,
  type UnsupportedMediaType
} from "./Problem.ts"

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

// The uploaded file of a request, streamed to a use-case while it arrives.

/** The maximum size of a file, in bytes. */
export const maxFileBytes = 104_857_600

/** Why a file cannot be read. */
export type UploadError = InvalidRequest | MalformedMultipart | PayloadTooLarge | UnsupportedMediaType

/** A file that is arriving. */
export interface Upload {
  /** As the client sent it, before the use-case cleans it. */
  readonly filename: string
  readonly contentType: string
  /** The size in bytes that it has at least, as far as the client announced it. */
  readonly minSize?: number
  /** Can be read once. Fails if the file is too large, if the form has another part, or if the body ends early. */
  readonly content: Stream.Stream<Uint8Array, UploadError>
}

/** Waits for the header of the file. The content must be read within the scope. */
export type PendingUpload = Effect.Effect<Upload, UploadError, Scope.Scope>

// Loads resources by the id in a request.

/**
 * The resource that `find` returns for the UUID of `id`. A malformed id, or an id of another type, fails like an unknown one:
 * docs/behaviour/http.md#ids.
 */
export const byId = <A, E, R>(
  prefix: Id.Prefix,
  id: string,
  find: (uuid: string) => Effect.Effect<A | undefined, E, R>
): Effect.Effect<A, E | NotFound, R> => {
  const notFound = () => Effect.fail(new NotFound({ detail: `There is no ${Id.nounOf(prefix)} with this id.` }))
  const uuid = Id.toUuid(prefix, id)
  return uuid === undefined
    ? notFound()
    : Effect.flatMap(find(uuid), (found) => (found === undefined ? notFound() : Effect.succeed(found)))
}
