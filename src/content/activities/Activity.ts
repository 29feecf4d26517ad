/** What people and the service did with a record, as agents read and log it: rows of timelines, and notes on them. */
import { HttpApiError } from "effect/http-api"
import type { Action } from "../../core/mutation/Action.ts"
import { declare, members } from "../../core/usecase/Problem.ts"

/** A row of a timeline. */
export type Activity = Action

/** The rows that a list has. `tasks` are those of prospects. */
export const activityTypes = ["all", "notes", "chat", "audit", "tasks"] as const

/** A record that has notes, by its public ids. */
export type NotedRecord =
  | { readonly type: "contact" | "company" | "property" | "project"; readonly id: string }
  | { readonly type: "prospect"; readonly id: string; readonly projectId: string }

/** A record that has a timeline, by its public ids. */
export type TimelineRecord = NotedRecord | { readonly type: "offer"; readonly id: string }

/** 409: nobody writes notes on what an investor received. Only tools answer it: REST has no such address. */
export class TimelineReadOnly extends HttpApiError.Problem<TimelineReadOnly>()(
  "TimelineReadOnly",
  declare("timeline_read_only", 409, "The timeline takes no notes."),
  members("timeline_read_only")
) {
  /** The refusal of a note on an offer. */
  static readonly ofOffer = () => new TimelineReadOnly({ detail: "The timeline of an offer can only be read." })
}
