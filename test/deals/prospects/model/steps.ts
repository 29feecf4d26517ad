/** Applies operations to the model, and returns what the service must answer and emit. */
import { add, batch, upsert } from "./additions.ts"
import { classify } from "./changes.ts"
import { contentOf, isOnList, isLiving, type Model, prospectOf, stageOf } from "./Model.ts"
import { applyToProspect } from "./prospectSteps.ts"
import { type Of, type Operation, type InvestorName, kindOf } from "./operations.ts"
import {
  causedBy,
  deleted,
  succeeded,
  type Event,
  missing,
  newNote,
  ofProject,
  type Outcome,
  refused,
  symbolOf,
  symbolOfInvestor,
  removeFromList,
  updated
} from "./Outcome.ts"

const applyClassification = (model: Model, { classification, note, whom }: Of<"classify">): Outcome => {
  const named = [...new Set(whom.flatMap((one) => prospectOf(model, one) ?? []))]
  const classified: Array<{ readonly id: string; readonly classification: string; readonly noteId: string | null }> = []
  const failed: Array<{ readonly id: string; readonly code: string }> = []
  const events: Array<Event> = []
  for (const prospect of named) {
    const id = symbolOf(prospect)
    if (prospect.state !== "living") failed.push({ id, code: "not_found" })
    else if (prospect.removedAt !== null) failed.push({ id, code: "prospect_removed" })
    else {
      const noteId = note ? newNote(model, prospect) : null
      classified.push({ id, classification, noteId })
      events.push(...classify(prospect, classification, { note: noteId ?? undefined }))
    }
  }
  return succeeded(200, events, {
    answer: { classified, failed },
    created: classified.flatMap(({ noteId }) => noteId ?? [])
  })
}

/** The earliest step, if there is one. */
const earliest = (moments: ReadonlyArray<number | null>) =>
  moments.flatMap((one) => one ?? []).sort((a, b) => a - b)[0] ?? null

/** Merges investors. Of several prospects one survives: one on the list first, then the absorbing investor's, then the oldest. */
const merge = (model: Model, into: InvestorName, from: ReadonlyArray<InvestorName>): ReadonlyArray<Event> => {
  const survivor = model.investors[into]
  const tags = [...new Set([into, ...from].flatMap((one) => model.investors[one].tags))]
  if (tags.length > survivor.tags.length) Object.assign(survivor, { tags, changedAt: model.step })
  for (const one of from) model.investors[one].state = "merged"
  const [kept, ...others] = model.prospects
    .filter(({ state, whom }) => state !== "deleted" && [into, ...from].includes(whom))
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
    one.state === "living" ? [deleted(one, { action: { type: "merged", to: symbolOf(kept) } })] : []
  )
  kept.whom = into
  kept.projectTags = [...new Set(all.flatMap(({ projectTags }) => projectTags))]
  kept.refs = all.flatMap(({ refs }) => refs)
  kept.history = [...others.flatMap(({ history }) => history.filter((one) => "reached" in one)), ...kept.history]
  // These prospects have reached the milestone without access to a room: no active access decides.
  kept.accessExpiry = (all.find(({ roomAt }) => roomAt !== null) ?? kept).accessExpiry
  kept.teaserAt = earliest(all.map(({ teaserAt }) => teaserAt))
  kept.roomAt = earliest(all.map(({ roomAt }) => roomAt))
  kept.notes = all.flatMap(({ notes }) => notes)
  kept.tasks = all.flatMap(({ tasks }) => tasks)
  for (const one of others) {
    if (one.state === "living") one.deletedAt = model.step
    one.state = "deleted"
  }
  const to = stageOf(kept)
  if (kept.state === "living" && kept.removedAt === null) {
    if (to !== before.stage) events.push(updated(kept, { type: "stage_raised", from: before.stage, to }))
    if (kept.projectTags.length !== before.projectTags) events.push(updated(kept, undefined, ["project_tags"]))
  }
  return causedBy(`${kindOf(into)}.updated`, symbolOfInvestor(into), events)
}

/** Removes prospects whose investor was deleted, unless the project is closed. */
const removeOrphans = (model: Model): ReadonlyArray<Event> =>
  model.project.closedAt !== null
    ? []
    : model.prospects.flatMap((one) =>
        isOnList(model, one) && model.investors[one.whom].state === "deleted" ? [removeFromList(one, model.step)] : []
      )

const applyProjectMove = (model: Model, move: "close" | "reopen" | "delete" | "restore"): Outcome => {
  const { project, prospects, step } = model
  if (move === "restore") {
    if (project.deletedAt === null) return refused(409, "project_not_deleted")
    project.deletedAt = null
    for (const one of prospects) {
      if (one.state === "deleted with project") {
        one.state = "living"
        one.deletedAt = null
      }
    }
    return succeeded(200, [
      ofProject("project.restored"),
      ...causedBy("project.restored", "@project:0", removeOrphans(model))
    ])
  }
  if (project.deletedAt !== null) return missing
  if (move === "delete") {
    if (project.communicatedAt !== null) return refused(409, "project_shared")
    const events = prospects.flatMap((one) => {
      if (one.state !== "living") return []
      one.state = "deleted with project"
      one.deletedAt = step
      return [deleted(one)]
    })
    project.deletedAt = step
    return succeeded(204, [
      ...causedBy("project.deleted", "@project:0", events),
      ofProject("project.deleted", { external_refs: [] })
    ])
  }
  if ((move === "close") === (project.closedAt !== null)) return succeeded(200)
  project.closedAt = move === "close" ? step : null
  const type = move === "close" ? "closed" : "reopened"
  const event = ofProject("project.updated", { changed_fields: ["closed_at"], action: { type } })
  return succeeded(200, [event, ...causedBy("project.updated", "@project:0", removeOrphans(model))])
}

const applyOperation = (model: Model, operation: Operation): Outcome => {
  switch (operation.do) {
    case "project":
      return applyProjectMove(model, operation.move)
    case "patchInvestor": {
      const investor = model.investors[operation.whom]
      const { other: _, ...patch } = operation.change
      Object.assign(investor, patch, { changedAt: model.step })
      return succeeded(200)
    }
    case "deleteInvestor": {
      model.investors[operation.whom].state = "deleted"
      return succeeded(
        204,
        causedBy(`${kindOf(operation.whom)}.deleted`, symbolOfInvestor(operation.whom), removeOrphans(model))
      )
    }
    case "merge":
      return succeeded(200, merge(model, operation.whom, operation.from))
    case "add":
      return model.project.deletedAt !== null ? missing : add(model, operation.item)
    case "batch":
      return model.project.deletedAt !== null ? missing : batch(model, operation.items)
    case "upsert":
      return model.project.deletedAt !== null ? missing : upsert(model, operation.items)
    case "classify":
      return model.project.deletedAt !== null ? missing : applyClassification(model, operation)
    default: {
      const prospect = prospectOf(model, operation.whom)
      return prospect === undefined || !isLiving(model, prospect)
        ? missing
        : applyToProspect(model, prospect, operation)
    }
  }
}

/** Whether an operation is worth a request: mostly, whether the things that it names exist. */
export const isPossible = (model: Model, operation: Operation): boolean => {
  switch (operation.do) {
    case "project":
      return true
    case "add":
    case "batch":
    case "upsert":
      return model.project.deletedAt === null
    case "merge":
      return [operation.whom, ...operation.from].every((one) => model.investors[one].state === "living")
    case "patchInvestor":
      return model.investors[operation.whom].state === "living"
    case "deleteInvestor": {
      // Not specified: what a prospect answers whose investor changed, and was deleted, while the project was deleted.
      const { changedAt, state } = model.investors[operation.whom]
      return state === "living" && changedAt <= (model.project.deletedAt ?? Infinity)
    }
    case "classify":
      return model.project.deletedAt === null && operation.whom.every((one) => prospectOf(model, one) !== undefined)
    default: {
      const prospect = prospectOf(model, operation.whom)
      if (prospect === undefined) return false
      if (!isLiving(model, prospect)) return operation.do === "patch" && operation.match !== "none"
      if (operation.do === "revise") return prospect.notes.length > operation.note
      if (operation.do !== "move") return true
      return prospect.tasks.length > operation.task && prospectOf(model, operation.at ?? operation.whom) !== undefined
    }
  }
}

/** Applies an operation. A prospect has changed exactly when its answer has. */
export const apply = (model: Model, operation: Operation): Outcome => {
  model.step++
  const before = new Map(
    model.prospects.map((one) => [
      one.number,
      {
        content: JSON.stringify(contentOf(model, one)),
        isLiving: isLiving(model, one),
        isRemoved: one.removedAt !== null
      }
    ])
  )
  const outcome = applyOperation(model, operation)
  for (const prospect of model.prospects) {
    const former = before.get(prospect.number)
    if (former === undefined) continue
    const isNow = isLiving(model, prospect)
    const isChanged =
      former.isLiving !== isNow || (isNow && former.content !== JSON.stringify(contentOf(model, prospect)))
    if (!isChanged) continue
    prospect.updatedAt = model.step
    prospect.changeOrigin = operation.do === "milestone" ? "app" : "api"
    const isBack = !former.isLiving || (former.isRemoved && prospect.removedAt === null)
    prospect.changeType = isBack ? "restored" : "updated"
  }
  return outcome
}
