/** The tools of activities: rows of timelines, and notes on them. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { reference, References, referenceToAny } from "../../mcp/References.ts"
import { excerpt } from "../../mcp/text.ts"
import { NoteCreate, NoteMove } from "../notes/Note.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { Activities, type Activity, activityTypes, type TimelineRecord } from "./Activities.ts"

/** The arguments that name the record. */
const naming = {
  networkRef: Schema.optionalKey(referenceToAny(["contact", "company"])),
  projectRef: Schema.optionalKey(reference("project")),
  prospectRef: Schema.optionalKey(reference("prospect", "With projectRef")),
  propertyRef: Schema.optionalKey(reference("property")),
  offerRef: Schema.optionalKey(reference("offer"))
}

type Naming = Schema.Struct<typeof naming>["Type"]

const oneRecord = "Name one record: by networkRef, projectRef, projectRef with prospectRef, propertyRef, or offerRef."

/** What is wrong with how arguments name the record. */
const faultsOf = ({ prospectRef, ...named }: Naming) => {
  const [first, ...others] = Object.keys(named)
  if (first === undefined) {
    return [bodyFault(prospectRef === undefined ? "/networkRef" : "/projectRef", "required", oneRecord)]
  }
  if (others.length > 0) return others.map((name) => bodyFault(`/${name}`, "not_allowed", oneRecord))
  return prospectRef === undefined || first === "projectRef"
    ? []
    : [bodyFault("/prospectRef", "not_allowed", oneRecord)]
}

const message = NoteCreate.fields.message.annotate({ description: "Text." })

const contentFormat = Schema.optionalKey(
  Schema.Literals(["plaintext", "markdown"]).annotate({ description: "Of message." })
)

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

const line = {
  id: Schema.String,
  type: Schema.String,
  event: Schema.NullOr(Schema.String),
  occurredUtc: Schema.String
}

const written = { id: Schema.String, etag: Schema.String }

/** The details without long texts. */
const shortDetails = (details: Activity["details"]) => {
  if (details.kind === "note") return { message: excerpt(details.message) }
  if (details.kind === "chat") return Struct.omit(details, ["kind"])
  const { kind: _, message, question, ...others } = details
  return {
    ...others,
    ...(message === undefined ? {} : { message: excerpt(message) }),
    ...(question === undefined
      ? {}
      : { question: { ...question, text: excerpt(question.text), answer: excerpt(question.answer) } })
  }
}

const lineOf = ({ actor, archivedAt, contentFormat: _, details, ...row }: Activity) => ({
  ...row,
  actor: { name: actor.name },
  details: shortDetails(details),
  ...(archivedAt === null || archivedAt === undefined ? {} : { archivedAt })
})

const hints = {
  timeline_read_only:
    "Tell the person. A broker logs notes on contacts, companies, properties, projects and prospects; list_activities reads the offer.",
  prospect_removed: "add_prospects puts the investor back on the list. Or name the contact or company by networkRef."
}

/** The tools of activities. */
export const tools = Effect.gen(function* () {
  const activities = yield* Activities
  const { resolve, resolveAny } = yield* References

  const recordOf = Effect.fnUntraced(function* (named: Naming) {
    const faults = faultsOf(named)
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    const { networkRef, offerRef, projectRef, propertyRef, prospectRef } = named
    if (networkRef !== undefined) return yield* resolveAny(["contact", "company"], "networkRef", networkRef)
    if (propertyRef !== undefined) {
      return { type: "property" as const, id: yield* resolve("property", "propertyRef", propertyRef) }
    }
    if (projectRef !== undefined) {
      const project = { type: "project" as const, id: yield* resolve("project", "projectRef", projectRef) }
      if (prospectRef === undefined) return project
      const id = yield* resolve("prospect", "prospectRef", prospectRef)
      return { type: "prospect" as const, id, projectId: project.id }
    }
    return { type: "offer" as const, id: yield* resolve("offer", "offerRef", offerRef ?? "") }
  })

  const idsOf = (record: TimelineRecord) => (record.type === "prospect" ? [record.projectId, record.id] : [record.id])

  return [
    Tool.list({
      name: "list_activities",
      title: "List activities",
      description:
        "The timeline of one record, newest first: what was done, notes, and chat without its texts. A row with subject belongs to that record.",
      toolset: "activities",
      input: {
        ...naming,
        type: Schema.optionalKey(
          Schema.Literals(activityTypes).annotate({ description: "all by default; tasks: of prospects." })
        ),
        includeArchived: flag("Also archived notes."),
        includeSuperseded: flag("Also notes that a later one replaced."),
        includeRollups: flag("false: only the record's own rows.")
      },
      items: "activities",
      item: line,
      rows: ({ includeArchived, includeRollups, includeSuperseded, type, ...named }, page) => {
        const request = page.request({
          type,
          include_archived: includeArchived,
          include_superseded: includeSuperseded,
          include_rollups: includeRollups
        })
        return Effect.flatMap(recordOf(named), (record: TimelineRecord) =>
          Tool.followingMerge((id) => activities.list({ ...record, id }, request))(record.id)
        )
      },
      concise: lineOf,
      detailed: (row) => row
    }),
    Tool.create({
      name: "log_activity",
      title: "Log an activity",
      description: "Writes a note about what happened, such as a call, on the timeline of one record. Not on offers.",
      toolset: "activities",
      input: { ...naming, message, contentFormat },
      hints,
      output: written,
      write: ({ contentFormat, message, ...named }, given) =>
        Effect.flatMap(recordOf(named), (record) =>
          Effect.map(
            activities.log(
              record,
              given.request({
                about: idsOf(record),
                body: { message, ...(contentFormat === undefined ? {} : { contentFormat }) }
              })
            ),
            ({ value }) => Struct.pick(value, ["id", "etag", "type", "occurredUtc", "contentFormat"])
          )
        )
    }),
    Tool.update({
      name: "update_activity",
      title: "Update an activity",
      description:
        "Archives, unarchives or supersedes a note: supersede replaces it by a new one with its own id, and inherits what is omitted. Name the record whose note it is.",
      toolset: "activities",
      needsEtag: true,
      input: {
        ...naming,
        activity: reference("act"),
        action: NoteMove.annotate({ description: "supersede changes the text." }),
        message: Schema.optionalKey(message),
        contentFormat
      },
      hints: {
        ...hints,
        not_found:
          "Check the reference: list_contacts, list_companies, list_projects, list_prospects and list_properties find it. A note is found on its own record only: where list_activities shows subject, name the record subjectId. Other rows than notes cannot be changed.",
        note_move_refused:
          "Unarchive an archived note first. Instead of a superseded note, change the one in its supersededByActivityId: list_activities with includeSuperseded.",
        precondition_required: "Send the etag of the note, from list_activities."
      },
      renamed: { supersede: "message" },
      output: written,
      write: ({ action, activity, contentFormat, message, ...named }, given) =>
        Effect.gen(function* () {
          const record = yield* recordOf(named)
          const id = yield* resolve("act", "activity", activity)
          const replacement = {
            ...(message === undefined ? {} : { message }),
            ...(contentFormat === undefined ? {} : { contentFormat })
          }
          const isReplaced = action === "supersede" || Object.keys(replacement).length > 0
          const { etag, successorId } = yield* activities.revise(
            record,
            id,
            given.request({
              about: [...idsOf(record), id],
              body: { action, ...(isReplaced ? { supersede: replacement } : {}) }
            })
          )
          return successorId === undefined ? { id, etag } : { id: successorId, etag, supersedesActivityId: id }
        })
    })
  ]
})
