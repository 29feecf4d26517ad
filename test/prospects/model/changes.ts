/** What is written of a prospect: each answers the events of it. */
import { correctionOf, type Prospect, stageOf } from "./Model.ts"
import type { Change } from "./operations.ts"
import { type Event, updated } from "./Outcome.ts"

const between = (from: string | null, to: string | null) => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to })
})

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const setInterest = (prospect: Prospect, to: string | null): ReadonlyArray<Event> => {
  const from = prospect.interest
  prospect.interest = to
  return from === to ? [] : [updated(prospect, { type: "interest_changed", ...between(from, to) })]
}

/** `note` is the symbol of a comment; `interest` is what is sent besides. */
export const classify = (
  prospect: Prospect,
  to: string,
  { interest, note }: { readonly interest?: string | null | undefined; readonly note?: string | undefined } = {}
): ReadonlyArray<Event> => {
  const from = prospect.classification
  prospect.classification = to
  return [
    ...(from === to
      ? []
      : [updated(prospect, { type: "classified", from, to, ...(note === undefined ? {} : { note_id: note }) })]),
    ...(to === "bidder" && interest === undefined ? setInterest(prospect, "interested") : [])
  ]
}

const correct = (prospect: Prospect, { stage, stageReason }: Change, step: number): ReadonlyArray<Event> => {
  const from = stageOf(prospect)
  if (stage === undefined) return []
  if (stageReason === undefined && (stage === from || stage === correctionOf(prospect)?.set)) return []
  prospect.history = [...prospect.history, { set: stage, reason: stageReason ?? null, at: step }]
  return [updated(prospect, { type: "stage_overridden", from, to: stage })]
}

/** Writes a list whose change is told by its name. */
const write = (prospect: Prospect, member: "projectTags" | "refs", value: ReadonlyArray<string> | undefined) => {
  if (value === undefined || same(value, prospect[member])) return []
  prospect[member] = value
  return [updated(prospect, undefined, [member === "refs" ? "external_refs" : "project_tags"])]
}

/** Changes members, of which classification counts less than interest and stage. */
export const change = (prospect: Prospect, wanted: Change, step: number): ReadonlyArray<Event> => {
  const events = [
    ...(wanted.classification === undefined ? [] : classify(prospect, wanted.classification, wanted)),
    ...(wanted.interest === undefined ? [] : setInterest(prospect, wanted.interest)),
    ...correct(prospect, wanted, step),
    ...write(prospect, "projectTags", wanted.projectTags),
    ...write(prospect, "refs", wanted.refs)
  ]
  if (wanted.owner !== undefined) prospect.isOwned = wanted.owner === "me"
  if (wanted.accessExpiry !== undefined) prospect.accessExpiry = wanted.accessExpiry
  return events
}
