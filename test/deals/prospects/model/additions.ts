/** Additions to the list of a project, one or several. */
import { type Model, type Prospect, prospectOf } from "./Model.ts"
import { applyPatch } from "./changes.ts"
import type { Addition } from "./operations.ts"
import { succeeded, invalid, type Outcome, namesOf, refused, symbolOf, updated } from "./Outcome.ts"

/** Whether another living prospect holds one of these references. */
export const isTaken = ({ prospects }: Model, refs: ReadonlyArray<string> = [], own?: Prospect) =>
  prospects.some((one) => one !== own && one.state === "living" && one.refs.some((ref) => refs.includes(ref)))

/** Adds an investor; a removed prospect is restored, and patched with what is sent. */
export const add = (model: Model, item: Addition): Outcome => {
  const { classification = "not_contacted", projectTags = [], refs = [], whom } = item
  if (model.investors[whom].state !== "living") return invalid
  const latest = prospectOf(model, whom)
  const former = latest?.state === "living" ? latest : undefined
  if (former?.removedAt === null) return refused(409, "prospect_exists")
  if (isTaken(model, refs, former)) return refused(409, "external_reference_taken")
  if (former !== undefined) {
    former.removedAt = null
    const { whom: _, ...patch } = item
    const back = updated(former, { type: "restored" }, ["deleted_at"])
    return succeeded(201, [back, ...applyPatch(former, patch, model.step)], {
      prospect: former,
      created: [symbolOf(former)]
    })
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
    state: "living",
    createdAt: model.step,
    updatedAt: model.step,
    deletedAt: null,
    changeType: "created",
    changeOrigin: "api"
  }
  model.prospects.push(prospect)
  const event = {
    event: "prospect.created",
    resource_id: symbolOf(prospect),
    ...namesOf(prospect),
    action: { type: "added" }
  }
  return succeeded(201, [event], { prospect, created: [symbolOf(prospect)] })
}

/** Adds several, one after the other. */
export const batch = (model: Model, items: ReadonlyArray<Addition>): Outcome => {
  const countBefore = model.prospects.length
  const outcomes = items.map((item) => add(model, item))
  return succeeded(
    207,
    outcomes.flatMap(({ events }) => events),
    {
      answer: outcomes.map(({ code, prospect }) =>
        prospect === undefined
          ? { status: "failed", id: null, code }
          : { status: prospect.number < countBefore ? "restored" : "created", id: symbolOf(prospect) }
      ),
      created: outcomes.flatMap(({ created }) => created)
    }
  )
}

/** The references after an upsert: those of the namespaces that are sent are replaced. */
const replaced = (present: ReadonlyArray<string>, sent: ReadonlyArray<string>) => {
  const isNamed = (one: string) => sent.some((ref) => ref.split(":")[0] === one.split(":")[0])
  return [
    ...present.filter((one) => !isNamed(one) || sent.includes(one)),
    ...sent.filter((one) => !present.includes(one))
  ]
}

/** Updates, restores or adds an investor. */
const upsertOne = (model: Model, item: Addition) => {
  const { refs = [], whom, ...members } = item
  const living = model.prospects.filter(({ state }) => state === "living")
  const [holder, another] = living.filter((one) => one.refs.some((ref) => refs.includes(ref)))
  const failed = (code: string, prospect?: Prospect) => ({
    result: { status: "failed", id: prospect === undefined ? null : symbolOf(prospect), code },
    events: [],
    created: []
  })
  if (another !== undefined) return failed("invalid_request")
  const target = holder ?? living.find((one) => one.whom === whom)
  if (target === undefined) {
    const { code, created, events } = add(model, item)
    return code === undefined ? { result: { status: "created", id: created[0] ?? "" }, events, created } : failed(code)
  }
  if (target.whom !== whom) return failed("invalid_request", target)
  const isRemoved = target.removedAt !== null
  if (isRemoved && model.investors[whom].state !== "living") return failed("investor_deleted", target)
  target.removedAt = null
  const back = isRemoved ? [updated(target, { type: "restored" }, ["deleted_at"])] : []
  const changes = applyPatch(target, { ...members, refs: replaced(target.refs, refs) }, model.step)
  const status = isRemoved ? "restored" : changes.length > 0 ? "updated" : "unchanged"
  return { result: { status, id: symbolOf(target) }, events: [...back, ...changes], created: [] }
}

/** Upserts several, one after the other. */
export const upsert = (model: Model, items: ReadonlyArray<Addition>): Outcome => {
  const outcomes = items.map((item) => upsertOne(model, item))
  return succeeded(
    207,
    outcomes.flatMap(({ events }) => events),
    { answer: outcomes.map(({ result }) => result), created: outcomes.flatMap(({ created }) => created) }
  )
}
