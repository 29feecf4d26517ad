import { Schema } from "effect"
import { check, Text } from "./Text.ts"

/** The maximum number of tags of a resource. */
export const maxTags = 50

/** Tags: at most 50, each of at most 64 characters (decisions §1); duplicates are dropped. */
export const Tags = Schema.Array(Text(64))
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

/** Removes duplicate tags, keeping the first of each. */
export const distinctTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]
