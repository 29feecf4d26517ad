/** ETags and conditional headers (RFC 9110 §13): docs/behaviour/http.md#preconditions. */
import { Effect } from "effect"
import type { Input } from "./Input.ts"
import { InvalidRequest, PreconditionFailed, PreconditionRequired } from "./Problem.ts"

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

/** The tags of `If-Match`; undefined if the header is absent or blank. A malformed header is rejected. */
export const ifMatch = (header: string | undefined): Input<Tags | undefined> => {
  if (header === undefined || header.trim() === "") return Effect.succeed(undefined)
  const tags = parseTags(header)
  return tags === undefined
    ? Effect.fail(
        InvalidRequest.of([
          {
            in: "header",
            pointer: "/If-Match",
            code: "malformed_etag",
            detail: 'Must be `*` or a list of ETags with their quotes, such as "v4".'
          }
        ])
      )
    : Effect.succeed(tags)
}

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
