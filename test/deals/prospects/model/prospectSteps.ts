/** Operations on one prospect that can be read. */
import { isTaken } from "./additions.ts"
import { applyPatch } from "./changes.ts"
import { overrideOf, reachMilestone, type Model, projectOf, type Prospect, prospectOf, stageOf } from "./Model.ts"
import type { Milestone, Named, Of } from "./operations.ts"
import {
  causedBy,
  deleted,
  succeeded,
  invalid,
  missing,
  newNote,
  prospectRemoved,
  ofProject,
  type Outcome,
  refused,
  removeFromList,
  symbolOf,
  updated
} from "./Outcome.ts"

const patch = (model: Model, prospect: Prospect, { change, match }: Of<"patch">): Outcome => {
  if (match === "stale") return refused(412, "precondition_failed")
  if (change.stageReason !== undefined && change.stage === undefined) return invalid
  if (typeof change.accessExpiry === "string" && prospect.roomAt === null) return invalid
  if (prospect.removedAt !== null) return prospectRemoved
  if (isTaken(model, change.refs, prospect)) return refused(409, "external_reference_taken")
  return succeeded(200, applyPatch(prospect, change, model.step), { prospect })
}

const revise = (model: Model, prospect: Prospect, number: number, action: string): Outcome => {
  const note = prospect.notes.at(-1 - number)
  if (note === undefined) return missing
  const isRefused = action !== "archive" && (note.superseded || (action === "supersede" && note.archived))
  if (isRefused) return refused(400, "note_move_refused")
  if (prospect.removedAt !== null) return prospectRemoved
  if (action !== "supersede") {
    note.archived = action === "archive"
    return succeeded(204)
  }
  note.superseded = true
  return succeeded(204, [], { created: [newNote(model, prospect)] })
}

const moveTask = (prospect: Prospect, { move, task: number }: Of<"move">): Outcome => {
  const task = prospect.tasks.at(-1 - number)
  if (task === undefined) return missing
  const { state } = task
  const to = move === "complete" ? "completed" : move === "cancel" ? "canceled" : "open"
  const isAllowed = move === "reopen" ? state === "completed" : state === "open" || state === to
  if (!isAllowed) return refused(400, "task_move_refused")
  if (prospect.removedAt !== null) return prospectRemoved
  task.state = to
  return succeeded(204)
}

const record = (model: Model, prospect: Prospect, milestone: Milestone): Outcome => {
  if (prospect.removedAt !== null) return prospectRemoved
  const { project, step } = model
  const from = stageOf(prospect)
  const isFirst = milestone === "teaser_communicated" && project.communicatedAt === null
  const opens = milestone === "room_access_granted" && projectOf(model).status === "draft"
  if (isFirst) project.communicatedAt = step
  if (milestone === "room_access_granted") project.isRoomOpened = true
  reachMilestone(prospect, milestone, step)
  const to = stageOf(prospect)
  return succeeded(
    200,
    [
      ...causedBy(`prospect.${milestone}`, symbolOf(prospect), [
        ...(isFirst ? [ofProject("project.updated", { changed_fields: ["communicated_at"] })] : []),
        ...(opens ? [ofProject("project.updated", { changed_fields: ["status"] })] : [])
      ]),
      ...(from === to ? [] : [updated(prospect, { type: "stage_raised", from, to })])
    ],
    { prospect }
  )
}

/** Applies an operation to the prospect that it names. */
export const applyToProspect = (model: Model, prospect: Prospect, operation: Named): Outcome => {
  const { step } = model
  switch (operation.do) {
    case "patch":
      return patch(model, prospect, operation)
    case "remove":
      return succeeded(204, prospect.removedAt === null ? [removeFromList(prospect, step)] : [])
    case "restore": {
      if (prospect.removedAt === null) return refused(409, "prospect_not_removed")
      if (model.investors[prospect.whom].state !== "living") return refused(409, "investor_deleted")
      prospect.removedAt = null
      return succeeded(200, [updated(prospect, { type: "restored" }, ["deleted_at"])], { prospect })
    }
    case "delete": {
      prospect.state = "deleted"
      prospect.deletedAt = step
      return succeeded(204, [deleted(prospect)])
    }
    case "withdraw": {
      if (prospect.removedAt !== null) return prospectRemoved
      if (overrideOf(prospect) === undefined) return succeeded(204)
      const from = stageOf(prospect)
      prospect.history = prospect.history.filter((moment) => "reached" in moment)
      return succeeded(204, [updated(prospect, { type: "stage_overridden", from, to: stageOf(prospect) })])
    }
    case "milestone":
      return record(model, prospect, operation.milestone)
    case "note":
      return prospect.removedAt !== null ? prospectRemoved : succeeded(201, [], { created: [newNote(model, prospect)] })
    case "revise":
      return revise(model, prospect, operation.note, operation.action)
    case "task": {
      if (prospect.removedAt !== null) return prospectRemoved
      const number = model.tasks++
      prospect.tasks.push({ number, type: operation.type, due: operation.due, state: "open" })
      return succeeded(201, [], { created: [`@task:${number}`, `@activity:${number}`] })
    }
    case "move": {
      const found = prospectOf(model, operation.at ?? operation.whom)
      return found === prospect ? moveTask(prospect, operation) : missing
    }
  }
}
