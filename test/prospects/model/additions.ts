/** Additions to a project, one or several. */
import { type Model, type Prospect, prospectOf } from "./Model.ts"
import { change } from "./changes.ts"
import type { Addition } from "./operations.ts"
import { done, invalid, type Outcome, refused, symbolOf, updated } from "./Outcome.ts"

/** Whether a reference belongs to a prospect that is there, other than this one. */
export const isTaken = ({ prospects }: Model, refs: ReadonlyArray<string> = [], own?: Prospect) =>
  prospects.some((one) => one !== own && one.fate === "there" && one.refs.some((ref) => refs.includes(ref)))

/** Adds an investor; one that was removed comes back, and is changed by what is sent. */
export const add = (model: Model, item: Addition): Outcome => {
  const { classification = "not_contacted", projectTags = [], refs = [], whom } = item
  if (model.investors[whom].fate !== "there") return invalid
  const found = prospectOf(model, whom)
  const former = found?.fate === "there" ? found : undefined
  if (former?.removedAt === null) return refused(409, "prospect_exists")
  if (isTaken(model, refs, former)) return refused(409, "external_reference_taken")
  if (former !== undefined) {
    former.removedAt = null
    const { whom: _, ...wanted } = item
    const back = updated(former, { type: "restored" }, ["deleted_at"])
    return done(201, [back, ...change(former, wanted, model.step)], { prospect: former, made: [symbolOf(former)] })
  }
  const prospect: Prospect = {
    number: model.prospects.length,
    whom,
    classification,
    interest: classification === "bidder" ? "interested" : null,
    history: [],
    isOwned: false,
    projectTags,
    accessExpiry: null,
    teaserAt: null,
    roomAt: null,
    notes: [],
    tasks: [],
    refs,
    removedAt: null,
    fate: "there",
    createdAt: model.step,
    updatedAt: model.step,
    deletedAt: null,
    changeType: "created",
    changeOrigin: "api"
  }
  model.prospects.push(prospect)
  const event = { event: "prospect.created", resource_id: symbolOf(prospect), action: { type: "added" } }
  return done(201, [event], { prospect, made: [symbolOf(prospect)] })
}

/** Adds several, each on what the ones before it left. */
export const batch = (model: Model, items: ReadonlyArray<Addition>): Outcome => {
  const known = model.prospects.length
  const outcomes = items.map((item) => add(model, item))
  return done(
    207,
    outcomes.flatMap(({ events }) => events),
    {
      answer: outcomes.map(({ code, prospect }) =>
        prospect === undefined
          ? { status: "failed", id: null, code }
          : { status: prospect.number < known ? "restored" : "created", id: symbolOf(prospect) }
      ),
      made: outcomes.flatMap(({ made }) => made)
    }
  )
}
