import { Schema } from "effect"
import { check, inNfc, rewritten, Text } from "./Text.ts"

/** The maximum number of tags of a resource. */
export const maxTags = 50

/** A tag: docs/behaviour/http.md#tags. */
export const Tag = rewritten(Text(64), inNfc, Text(64))

/** At most 50 distinct tags of at most 64 characters each: docs/behaviour/http.md#tags. */
export const Tags = Schema.Array(Tag)
  .check(
    check(
      "too_many",
      `Must have at most ${maxTags} tags.`,
      (value: ReadonlyArray<string>) => new Set(value).size <= maxTags,
      {
        maxItems: maxTags
      }
    )
  )
  .annotate({ examples: [["logistics", "core-plus"]] })

/** The parameter `tags` of lists, which may be repeated. */
export const TagsQuery = Tags.annotate({
  description: "Lists only those that have all of these tags, compared exactly; may be repeated.",
  examples: [["logistics"]]
})

/** Removes duplicates and keeps the order. */
export const distinctTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]
