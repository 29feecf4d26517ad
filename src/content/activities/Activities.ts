/**
 * What people and the service did with a record, as agents read and log it: the rows of its timeline, and the notes on it. Each is the
 * use-case of the record's own type, with its authorization and its refusals.
 */
import { Context, Effect, Layer } from "effect"
import type { Action, AnyTimelineQuery, ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Subjects } from "../Subjects.ts"
import { Notes } from "../notes/Notes.ts"
import type { Input } from "../../core/usecase/Input.ts"
import { declare, InvalidRequest, members } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { HttpApiError } from "effect/http-api"

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

/** The query of a timeline that does not list task rows by themselves. */
const withoutTasks = (query: Input<AnyTimelineQuery>): Input<ProjectTimelineQuery> =>
  Effect.flatMap(query, ({ type, ...others }) => {
    if (type === undefined) return Effect.succeed(others)
    if (type !== "tasks") return Effect.succeed({ ...others, type })
    const detail = "Only the timeline of a prospect lists tasks. Others have their rows among audit."
    return Effect.fail(InvalidRequest.of([{ in: "query", pointer: "/type", code: "not_allowed", detail }]))
  })

const make = Effect.gen(function* () {
  const notes = yield* Notes
  const subjects = yield* Subjects

  /** A page of the timeline of a record, newest first. */
  const list = Effect.fn("Activities.list")(function* (
    record: TimelineRecord,
    { query }: Pick<UseCaseRequest<AnyTimelineQuery>, "query">
  ) {
    return record.type === "prospect"
      ? yield* subjects.prospect.timeline(record, { query })
      : yield* subjects[record.type].timeline(record, { query: withoutTasks(query) })
  })

  /** Adds a note to a record. */
  const log = Effect.fn("Activities.log")(function* (record: TimelineRecord, request: UseCaseRequest) {
    if (record.type === "offer") return yield* TimelineReadOnly.ofOffer()
    return record.type === "prospect"
      ? yield* notes.prospect.create(record, request)
      : yield* notes[record.type].create(record, request)
  })

  /** Archives, unarchives or supersedes a note of this very record. */
  const revise = Effect.fn("Activities.revise")(function* (
    record: TimelineRecord,
    noteId: string,
    request: UseCaseRequest
  ) {
    if (record.type === "offer") return yield* TimelineReadOnly.ofOffer()
    return record.type === "prospect"
      ? yield* notes.prospect.revise(record, noteId, request)
      : yield* notes[record.type].revise(record, noteId, request)
  })

  return { list, log, revise }
})

/** Reads timelines and writes notes. All need the `broker` capability, but for the timelines of offers, which need `investor`. */
export class Activities extends Context.Service<Activities, Effect.Success<typeof make>>()(
  "content/activities/Activities"
) {
  static readonly layer = Layer.effect(Activities, make).pipe(Layer.provide(Notes.layer))
}
