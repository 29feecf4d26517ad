/**
 * The input of a use-case, whichever adapter it comes from. Each part is validated when the use-case reads it, so that refusals
 * have the order of docs/behaviour/http.md#order-of-refusals. At the end, the ETags that requests are conditional on.
 */
import * as UnvalidatedJson from "./UnvalidatedJson.ts"
import * as Id from "../Id.ts"
import { Effect, Result, type Scope, type Stream } from "effect"
import { bodyFault, type Input, type Json } from "./Input.ts"
import {
  type Fault,
  InvalidRequest,
  type MalformedJson,
  type MalformedMultipart,
  NotFound,
  type PayloadTooLarge,
  PreconditionFailed,
  PreconditionRequired,
  type RateLimited,
  type Unavailable,
  type UnsupportedMediaType
} from "./Problem.ts"
import { createHash } from "node:crypto"

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

/**
 * A request of rows of a file. Each row is read by itself (`UpsertMatching.rowOf`), and what an idempotency key stands for is the digest of
 * their text: sorting the members of thousands of rows takes longer than writing some of them, and so does quoting their text again.
 */
export const ofRows = (options: {
  readonly operation: string
  readonly items: ReadonlyArray<Json>
  readonly idempotencyKey?: string
}): UseCaseRequest<object> => {
  const { items, ...others } = options
  return {
    ...make({ ...others, query: {} }),
    body: Effect.sync(() => ({
      value: { items },
      sent: createHash("sha256").update(JSON.stringify(items)).digest("base64"),
      exhaustive: true,
      faults: []
    }))
  }
}

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

// ETags and conditional headers (RFC 9110 §13): docs/behaviour/http.md#preconditions.

/** The value of `If-Match` or `If-None-Match`: any resource (`*`), or these tags. Weak tags keep their `W/`. */
export type Tags = "*" | ReadonlyArray<string>

const tag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/

/** The tags of a conditional header; undefined if it is malformed. */
export const parseTags = (header: string): Tags | undefined => {
  // Recipients must ignore empty list elements (RFC 9110 §5.6.1).
  if (header.trim() === "*") return "*"
  let rest = header.replace(/^[\s,]+/, "").trimEnd()
  const tags: Array<string> = []
  while (rest !== "") {
    const match = tag.exec(rest)
    if (match === null) return undefined
    tags.push(match[0])
    rest = rest.slice(match[0].length).trimStart()
    if (rest !== "" && !rest.startsWith(",")) return undefined
    rest = rest.replace(/^[\s,]+/, "")
  }
  return tags.length === 0 ? undefined : tags
}

/** The tags of a precondition, undefined if it is blank; or the fault of a malformed one, in this place. */
const tagsOf = (text: string, place: Pick<Fault, "in" | "pointer">): Result.Result<Tags | undefined, Fault> => {
  if (text.trim() === "") return Result.succeed(undefined)
  const tags = parseTags(text)
  return tags === undefined
    ? Result.fail({
        ...place,
        code: "malformed_etag",
        detail: 'Must be `*` or a list of ETags with their quotes, such as "v4".'
      })
    : Result.succeed(tags)
}

/** The tags of `If-Match`; undefined if the header is absent or blank. A malformed header is rejected. */
export const ifMatch = (header: string | undefined): Input<Tags | undefined> =>
  Effect.fromResult(
    Result.mapError(tagsOf(header ?? "", { in: "header", pointer: "/If-Match" }), (fault) => InvalidRequest.of([fault]))
  )

/** The tags of the member `etag` of an item of a batch, which is that item's `If-Match`; null, too, counts as absent. */
export const itemTags = (etag: unknown): Result.Result<Tags | undefined, Fault> =>
  etag === undefined || etag === null || typeof etag === "string"
    ? tagsOf(etag ?? "", { in: "body", pointer: "/etag" })
    : Result.fail(bodyFault("/etag", "wrong_type", "Must be a string or null."))

/** The tags of `If-Match` where the header is required: fails with 428 without it. */
export const required = (tags: Input<Tags | undefined>): Effect.Effect<Tags, InvalidRequest | PreconditionRequired> =>
  Effect.flatMap(tags, (found) =>
    found === undefined
      ? Effect.fail(new PreconditionRequired({ detail: "Send If-Match with the ETag of the version that you read." }))
      : Effect.succeed(found)
  )

/** Strong comparison: a weak tag never matches. */
export const matches = (etag: string, tags: Tags): boolean => tags === "*" || tags.includes(etag)

/** Fails with 412 if no tag matches the ETag of the resource. */
export const check = (etag: string, tags: Tags | undefined): Effect.Effect<void, PreconditionFailed> =>
  tags === undefined || matches(etag, tags)
    ? Effect.void
    : Effect.fail(
        new PreconditionFailed({
          detail: "The resource has another ETag than If-Match requires. Fetch the latest version and retry.",
          currentEtag: etag
        })
      )

/** Whether the client already has this representation, by the weak comparison of `If-None-Match`. */
export const isUnchanged = (etag: string, ifNoneMatch: string | undefined): boolean => {
  if (ifNoneMatch === undefined) return false
  const tags = parseTags(ifNoneMatch)
  return (
    tags !== undefined && (tags === "*" || tags.some((candidate) => candidate === etag || candidate === `W/${etag}`))
  )
}

/** The ETag of a row's version. */
export const versionEtag = (version: number | bigint | string): string => `"v${version}"`

/**
 * The strong ETag of a response that is assembled from many rows, and therefore has no version: a hash of its JSON text.
 */
export const contentEtag = (json: string): string =>
  `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`
