/** The parameters of timelines (specification, Network; decisions §4). */
import { Schema } from "effect"
import { Flag, pageQuery } from "../http/Page.ts"

/** What `type` selects. */
const TimelineType = Schema.Literals(["all", "notes", "chat", "audit"]).annotate({
  description: "Which rows: `notes`, `chat`, `audit`, or `all` (the default)."
})

/** The query of an actions list. */
export const TimelineQuery = Schema.Struct({
  ...pageQuery,
  type: Schema.optionalKey(TimelineType),
  include_archived: Schema.optionalKey(Flag("Add archived notes.")),
  include_superseded: Schema.optionalKey(Flag("Add notes that a later revision replaced."))
})
export type TimelineQuery = typeof TimelineQuery.Type
