import { Schema } from "effect"
import { check, Text } from "./Text.ts"

/** How many labels a resource may have. */
export const maxTags = 50

/** Labels: at most 50, each of at most 64 characters (decisions §1); doubles are dropped. */
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

/** The tags in their order, each once. */
export const distinctTags = (tags: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(tags)]
