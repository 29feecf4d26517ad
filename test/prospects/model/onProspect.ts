/** What is done with one prospect that can be read. */
import { isTaken } from "./additions.ts"
import { change } from "./changes.ts"
import { correctionOf, happen, type Model, projectOf, type Prospect, prospectOf, stageOf } from "./Model.ts"
import type { ChangeRecord, Named, Of } from "./operations.ts"
import {
  deleted,
  done,
  invalid,
  missing,
  newNote,
  offList,
  ofProject,
  type Outcome,
  refused,
  removeFromList,
  updated
} from "./Outcome.ts"

const patch = (model: Model, prospect: Prospect, { change: wanted, match }: Of<"patch">): Outcome => {
  if (match === "stale") return refused(412, "precondition_failed")
  if (wanted.stageReason !== undefined && wanted.stage === undefined) return invalid
  if (typeof wanted.accessExpiry === "string" && prospect.roomAt === null) return invalid
  if (prospect.removedAt !== null) return offList
  if (isTaken(model, wanted.refs, prospect)) return refused(409, "external_reference_taken")
  return done(200, change(prospect, wanted, model.step), { prospect })
}

const revise = (model: Model, prospect: Prospect, number: number, action: string): Outcome => {
  const note = prospect.notes.at(-1 - number)
  if (note === undefined) return missing
  const isRefused = action !== "archive" && (note.superseded || (action === "supersede" && note.archived))
  if (isRefused) return refused(400, "note_move_refused")
  if (prospect.removedAt !== null) return offList
  if (action !== "supersede") {
    note.archived = action === "archive"
    return done(204)
  }
  note.superseded = true
  return done(204, [], { made: [newNote(model, prospect)] })
}

const moveTask = (prospect: Prospect, { move, task: number }: Of<"move">): Outcome => {
  const task = prospect.tasks.at(-1 - number)
  if (task === undefined) return missing
  const { state } = task
  const to = move === "complete" ? "completed" : move === "cancel" ? "canceled" : "open"
  const isAllowed = move === "reopen" ? state === "completed" : state === "open" || state === to
  if (!isAllowed) return refused(400, "task_move_refused")
  if (prospect.removedAt !== null) return offList
  task.state = to
  return done(204)
}

const record = (model: Model, prospect: Prospect, what: ChangeRecord): Outcome => {
  if (prospect.removedAt !== null) return offList
  const { project, step } = model
  const from = stageOf(prospect)
  const isFirst = what === "teaser_communicated" && project.communicatedAt === null
  const opens = what === "room_access_granted" && projectOf(model).status === "draft"
  if (isFirst) project.communicatedAt = step
  if (what === "room_access_granted") project.wasInRoom = true
  happen(prospect, what, step)
  const to = stageOf(prospect)
  return done(
    200,
    [
      ...(isFirst ? [ofProject("project.updated", { changed_fields: ["communicated_at"] })] : []),
      ...(opens ? [ofProject("project.updated", { changed_fields: null })] : []),
      ...(from === to ? [] : [updated(prospect, { type: "stage_raised", from, to })])
    ],
    { prospect }
  )
}

/** Does what names a prospect. */
export const onProspect = (model: Model, prospect: Prospect, operation: Named): Outcome => {
  const { step } = model
  switch (operation.do) {
    case "patch":
      return patch(model, prospect, operation)
    case "remove":
      return done(204, prospect.removedAt === null ? [removeFromList(prospect, step)] : [])
    case "restore": {
      if (prospect.removedAt === null) return refused(409, "prospect_not_removed")
      if (model.investors[prospect.whom].fate !== "there") return refused(409, "investor_deleted")
      prospect.removedAt = null
      return done(200, [updated(prospect, { type: "restored" }, ["deleted_at"])], { prospect })
    }
    case "delete": {
      prospect.fate = "gone"
      prospect.deletedAt = step
      return done(204, [deleted(prospect)])
    }
    case "withdraw": {
      if (prospect.removedAt !== null) return offList
      if (correctionOf(prospect) === undefined) return done(204)
      const from = stageOf(prospect)
      prospect.history = prospect.history.filter((moment) => "reached" in moment)
      return done(204, [updated(prospect, { type: "stage_overridden", from, to: stageOf(prospect) })])
    }
    case "happen":
      return record(model, prospect, operation.what)
    case "note":
      return prospect.removedAt !== null ? offList : done(201, [], { made: [newNote(model, prospect)] })
    case "revise":
      return revise(model, prospect, operation.note, operation.action)
    case "task": {
      if (prospect.removedAt !== null) return offList
      const number = model.tasks++
      prospect.tasks.push({ number, type: operation.type, due: operation.due, state: "open" })
      return done(201, [], { made: [`@task:${number}`, `@activity:${number}`] })
    }
    case "move": {
      const found = prospectOf(model, operation.at ?? operation.whom)
      return found === prospect ? moveTask(prospect, operation) : missing
    }
  }
}
