/** The tags of a team, as its records have them: docs/behaviour/network.md#tags-of-the-team. */
import { Schema } from "effect"
import { Tag as TagText } from "../../core/fields/Text.ts"

/** How many records are changed at once at most. */
export const maxTagged = 10_000

/** How many records of each kind have a tag. */
export interface TagCounts {
  readonly contacts: number
  readonly companies: number
  /** As a project tag. */
  readonly prospects: number
}

/** A tag with the numbers of records that have it. */
export interface Tag extends TagCounts {
  readonly tag: string
}

/** The input for a new name of a tag. If others have the new name, the two become one. */
export const TagRename = Schema.Struct({ from: TagText, to: TagText })
export type TagRename = typeof TagRename.Type
