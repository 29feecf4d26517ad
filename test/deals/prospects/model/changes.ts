/** Writes of a prospect in the model; each returns the events that it emits. */
import { overrideOf, type Prospect, stageOf } from "./Model.ts"
import type { Change } from "./operations.ts"
import { causedBy, type Event, symbolOf, updated } from "./Outcome.ts"

const fromTo = (from: string | null, to: string | null) => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to })
})

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const setInterest = (prospect: Prospect, to: string | null): ReadonlyArray<Event> => {
  const from = prospect.interest
  prospect.interest = to
  return from === to ? [] : [updated(prospect, { type: "interest_changed", ...fromTo(from, to) })]
}

/** `note` is the symbol of a comment; `interest` is sent in the same request. */
export const classify = (
  prospect: Prospect,
  to: string,
  { interest, note }: { readonly interest?: string | null | undefined; readonly note?: string | undefined } = {}
): ReadonlyArray<Event> => {
  const from = prospect.classification
  prospect.classification = to
  const followed = to === "bidder" && interest === undefined ? setInterest(prospect, "interested") : []
  if (from === to) {
    return note === undefined ? followed : causedBy("prospect.classified", symbolOf(prospect), followed)
  }
  return [
    updated(prospect, { type: "classified", from, to, ...(note === undefined ? {} : { note_id: note }) }),
    ...causedBy("prospect.updated", symbolOf(prospect), followed)
  ]
}

const overrideStage = (prospect: Prospect, { stage, stageReason }: Change, step: number): ReadonlyArray<Event> => {
  const from = stageOf(prospect)
  if (stage === undefined) return []
  if (stageReason === undefined && (stage === from || stage === overrideOf(prospect)?.set)) return []
  prospect.history = [...prospect.history, { set: stage, reason: stageReason ?? null, at: step }]
  return [updated(prospect, { type: "stage_overridden", from, to: stage })]
}

/** Writes a list whose name is in `changed_fields`. */
const write = (prospect: Prospect, member: "projectTags" | "refs", value: ReadonlyArray<string> | undefined) => {
  if (value === undefined || same(value, prospect[member])) return []
  prospect[member] = value
  return [updated(prospect, undefined, [member === "refs" ? "external_refs" : "project_tags"])]
}

/** Applies a patch: interest and stage win over the classification. */
export const applyPatch = (prospect: Prospect, patch: Change, step: number): ReadonlyArray<Event> => {
  const events = [
    ...(patch.classification === undefined ? [] : classify(prospect, patch.classification, patch)),
    ...(patch.interest === undefined ? [] : setInterest(prospect, patch.interest)),
    ...overrideStage(prospect, patch, step),
    ...write(prospect, "projectTags", patch.projectTags),
    ...write(prospect, "refs", patch.refs)
  ]
  if (patch.owner !== undefined) prospect.isOwned = patch.owner === "me"
  if (patch.accessExpiry !== undefined) prospect.accessExpiry = patch.accessExpiry
  return events
}
