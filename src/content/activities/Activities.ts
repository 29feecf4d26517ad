/**
 * The timelines of records of any type, and the notes on them, as one set of use-cases: each is the use-case of the record's own type,
 * with its authorization and its refusals.
 */
import { Context, Effect, Layer } from "effect"
import type { AnyTimelineQuery, ProjectTimelineQuery } from "../../core/mutation/Timeline.ts"
import { Companies } from "../../network/companies/Companies.ts"
import { Contacts } from "../../network/contacts/Contacts.ts"
import { Notes } from "../notes/Notes.ts"
import { Offers } from "../../deals/offers/Offers.ts"
import { Projects } from "../../deals/projects/Projects.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { Prospects } from "../../deals/prospects/Prospects.ts"
import type { Input } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { TimelineReadOnly, type TimelineRecord } from "./Activity.ts"

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
  const prospects = yield* Prospects
  const timelines = {
    contact: yield* Contacts,
    company: yield* Companies,
    property: yield* Properties,
    project: yield* Projects,
    offer: yield* Offers
  }

  /** A page of the timeline of a record, newest first. */
  const list = Effect.fn("Activities.list")(function* (
    record: TimelineRecord,
    { query }: Pick<UseCaseRequest<AnyTimelineQuery>, "query">
  ) {
    return record.type === "prospect"
      ? yield* prospects.actions(record.projectId, record.id, { query })
      : yield* timelines[record.type].actions(record.id, { query: withoutTasks(query) })
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
  static readonly layer = Layer.effect(Activities, make)
}
