/** What an operation answers and tells, and what the model is then. */
import { add, batch } from "./additions.ts"
import { classify } from "./changes.ts"
import { contentOf, isListed, isThere, type Model, prospectOf, stageOf } from "./Model.ts"
import { onProspect } from "./onProspect.ts"
import type { Of, Operation, Whom } from "./operations.ts"
import {
  deleted,
  done,
  type Event,
  missing,
  newNote,
  ofProject,
  type Outcome,
  refused,
  symbolOf,
  removeFromList,
  updated
} from "./Outcome.ts"

const classifyAll = (model: Model, { classification, note, whom }: Of<"classify">): Outcome => {
  const named = [...new Set(whom.flatMap((one) => prospectOf(model, one) ?? []))]
  const classified: Array<{ readonly id: string; readonly classification: string; readonly noteId: string | null }> = []
  const failed: Array<{ readonly id: string; readonly code: string }> = []
  const events: Array<Event> = []
  for (const prospect of named) {
    const id = symbolOf(prospect)
    if (prospect.fate !== "there") failed.push({ id, code: "not_found" })
    else if (prospect.removedAt !== null) failed.push({ id, code: "prospect_removed" })
    else {
      const noteId = note ? newNote(model, prospect) : null
      classified.push({ id, classification, noteId })
      events.push(...classify(prospect, classification, { note: noteId ?? undefined }))
    }
  }
  return done(200, events, { answer: { classified, failed }, made: classified.flatMap(({ noteId }) => noteId ?? []) })
}

/** The first moment of some, if any. */
const earliest = (moments: ReadonlyArray<number | null>) =>
  moments.flatMap((one) => one ?? []).sort((a, b) => a - b)[0] ?? null

/** Of several prospects one stays, with what the others had: one on the list first, then the survivor's, then the oldest. */
const merge = (model: Model, into: Whom, from: ReadonlyArray<Whom>): ReadonlyArray<Event> => {
  for (const one of from) model.investors[one].fate = "merged"
  const [kept, ...others] = model.prospects
    .filter(({ fate, whom }) => fate !== "gone" && [into, ...from].includes(whom))
    .sort(
      (a, b) =>
        Number(a.removedAt !== null) - Number(b.removedAt !== null) ||
        Number(a.whom !== into) - Number(b.whom !== into) ||
        a.number - b.number
    )
  if (kept === undefined) return []
  const all = [kept, ...others]
  const before = { stage: stageOf(kept), projectTags: kept.projectTags.length }
  const events = others.flatMap((one) =>
    one.fate === "there" ? [deleted(one, { action: { type: "merged", to: symbolOf(kept) } })] : []
  )
  kept.whom = into
  kept.projectTags = [...new Set(all.flatMap(({ projectTags }) => projectTags))]
  kept.refs = all.flatMap(({ refs }) => refs)
  kept.history = [...others.flatMap(({ history }) => history.filter((one) => "reached" in one)), ...kept.history]
  kept.accessExpiry = (all.find(({ roomAt }) => roomAt !== null) ?? kept).accessExpiry
  kept.teaserAt = earliest(all.map(({ teaserAt }) => teaserAt))
  kept.roomAt = earliest(all.map(({ roomAt }) => roomAt))
  kept.notes = all.flatMap(({ notes }) => notes)
  kept.tasks = all.flatMap(({ tasks }) => tasks)
  for (const one of others) {
    if (one.fate === "there") one.deletedAt = model.step
    one.fate = "gone"
  }
  const to = stageOf(kept)
  if (kept.fate === "there" && kept.removedAt === null) {
    if (to !== before.stage) events.push(updated(kept, { type: "stage_raised", from: before.stage, to }))
    if (kept.projectTags.length !== before.projectTags) events.push(updated(kept, undefined, ["project_tags"]))
  }
  return events
}

/** Those whose investor has left go from the list, unless the project is closed. */
const dropOrphans = (model: Model): ReadonlyArray<Event> =>
  model.project.closedAt !== null
    ? []
    : model.prospects.flatMap((one) =>
        isListed(model, one) && model.investors[one.whom].fate === "deleted" ? [removeFromList(one, model.step)] : []
      )

const moveProject = (model: Model, move: "close" | "reopen" | "delete" | "restore"): Outcome => {
  const { project, prospects, step } = model
  if (move === "restore") {
    if (project.deletedAt === null) return refused(409, "project_not_deleted")
    project.deletedAt = null
    for (const one of prospects) {
      if (one.fate === "gone with project") {
        one.fate = "there"
        one.deletedAt = null
      }
    }
    return done(200, [ofProject("project.restored"), ...dropOrphans(model)])
  }
  if (project.deletedAt !== null) return missing
  if (move === "delete") {
    const isShared =
      project.communicatedAt !== null || prospects.some((one) => one.fate === "there" && one.roomAt !== null)
    if (isShared) return refused(409, "project_shared")
    const events = prospects.flatMap((one) => {
      if (one.fate !== "there") return []
      one.fate = "gone with project"
      one.deletedAt = step
      return [deleted(one)]
    })
    project.deletedAt = step
    return done(204, [...events, ofProject("project.deleted", { external_refs: [] })])
  }
  if ((move === "close") === (project.closedAt !== null)) return done(200)
  project.closedAt = move === "close" ? step : null
  const type = move === "close" ? "closed" : "reopened"
  const event = ofProject("project.updated", { changed_fields: ["closed_at"], action: { type } })
  return done(200, [event, ...dropOrphans(model)])
}

const doing = (model: Model, operation: Operation): Outcome => {
  switch (operation.do) {
    case "project":
      return moveProject(model, operation.move)
    case "change": {
      const investor = model.investors[operation.whom]
      const { other: _, ...wanted } = operation.change
      Object.assign(investor, wanted, { changedAt: model.step })
      return done(200)
    }
    case "leave": {
      model.investors[operation.whom].fate = "deleted"
      return done(204, dropOrphans(model))
    }
    case "merge":
      return done(200, merge(model, operation.whom, operation.from))
    case "add":
      return model.project.deletedAt !== null ? missing : add(model, operation.item)
    case "batch":
      return model.project.deletedAt !== null ? missing : batch(model, operation.items)
    case "classify":
      return model.project.deletedAt !== null ? missing : classifyAll(model, operation)
    default: {
      const prospect = prospectOf(model, operation.whom)
      return prospect === undefined || !isThere(model, prospect) ? missing : onProspect(model, prospect, operation)
    }
  }
}

/** Whether an operation is worth asking for: mostly, whether there is what it names. */
export const isPossible = (model: Model, operation: Operation): boolean => {
  switch (operation.do) {
    case "project":
      return true
    case "add":
    case "batch":
      return model.project.deletedAt === null
    case "merge":
      return [operation.whom, ...operation.from].every((one) => model.investors[one].fate === "there")
    case "change":
      return model.investors[operation.whom].fate === "there"
    case "leave": {
      // Whoever changes and then goes while the project is deleted: what its prospect answers afterwards is not decided.
      const { changedAt, fate } = model.investors[operation.whom]
      return fate === "there" && changedAt <= (model.project.deletedAt ?? Infinity)
    }
    case "classify":
      return model.project.deletedAt === null && operation.whom.every((one) => prospectOf(model, one) !== undefined)
    default: {
      const prospect = prospectOf(model, operation.whom)
      if (prospect === undefined) return false
      if (!isThere(model, prospect)) return operation.do === "patch" && operation.match !== "none"
      if (operation.do === "revise") return prospect.notes.length > operation.note
      if (operation.do !== "move") return true
      return prospect.tasks.length > operation.task && prospectOf(model, operation.at ?? operation.whom) !== undefined
    }
  }
}

/** Does an operation. What of a prospect answers anew is a change of it, and nothing else is. */
export const doIt = (model: Model, operation: Operation): Outcome => {
  model.step++
  const before = new Map(
    model.prospects.map((one) => [
      one.number,
      {
        content: JSON.stringify(contentOf(model, one)),
        isThere: isThere(model, one),
        isRemoved: one.removedAt !== null
      }
    ])
  )
  const outcome = doing(model, operation)
  for (const prospect of model.prospects) {
    const former = before.get(prospect.number)
    if (former === undefined) continue
    const isNow = isThere(model, prospect)
    const isChanged =
      former.isThere !== isNow || (isNow && former.content !== JSON.stringify(contentOf(model, prospect)))
    if (!isChanged) continue
    prospect.updatedAt = model.step
    prospect.changeOrigin = operation.do === "happen" ? "app" : "api"
    const isBack = !former.isThere || (former.isRemoved && prospect.removedAt === null)
    prospect.changeType = isBack ? "restored" : "updated"
  }
  return outcome
}
