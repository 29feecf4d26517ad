/** What timelines are asked for, and the shelves that their rows stand on (specification, Network; decisions §4, §5). */
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
  include_superseded: Schema.optionalKey(
    Flag("Add notes that a later revision replaced. One that is archived too needs both parameters.")
  )
})
export type TimelineQuery = typeof TimelineQuery.Type

/** The part of a timeline that a row stands in: what its type is and, of a note, how it is marked. */
export type Shelf = "audit" | "chat" | "note" | "note_archived" | "note_superseded" | "note_archived_superseded"

/** The two marks of a note. */
export interface Marks {
  readonly archived: boolean
  readonly superseded: boolean
}

/** The shelf of a note with these marks. */
export const noteShelf = ({ archived, superseded }: Marks): Shelf =>
  archived
    ? superseded ? "note_archived_superseded" : "note_archived"
    : superseded ? "note_superseded" : "note"

const flags = [false, true]

/** The shelves that a query asks for. */
export const shelvesOf = (
  query: Pick<TimelineQuery, "type" | "include_archived" | "include_superseded">
): ReadonlyArray<Shelf> => {
  const type = query.type ?? "all"
  const notes = flags.filter((archived) => !archived || query.include_archived === true).flatMap((archived) =>
    flags.filter((superseded) => !superseded || query.include_superseded === true)
      .map((superseded) => noteShelf({ archived, superseded }))
  )
  if (type === "notes") return notes
  return type === "all" ? ["audit", "chat", ...notes] : [type]
}
