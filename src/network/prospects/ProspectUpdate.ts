/** What an update of a prospect and of its contact or company changes (docs/behaviour/mcp.md#tools-of-prospects). */
import { Schema } from "effect"
import { Tags } from "../../core/fields/Text.ts"

/** The members of an update that are not those of a patch. */
export const ProspectTags = Schema.Struct({
  /** Labels of the prospect on the project to add. */
  addProjectTags: Schema.optionalKey(Tags),
  /** Labels of the prospect on the project to remove, in any case. */
  removeProjectTags: Schema.optionalKey(Tags),
  /** The labels of its contact or company: the whole list. */
  tags: Schema.optionalKey(Tags)
})
