/** ETags and conditional headers (RFC 9110 §13): docs/behaviour/http.md#preconditions. */
import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { bodyFault, type Input } from "./Input.ts"
import { type Fault, InvalidRequest, PreconditionFailed, PreconditionRequired } from "./Problem.ts"

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
