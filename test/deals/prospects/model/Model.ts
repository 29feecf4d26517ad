/**
 * A model of a project and its prospects. Values that only the service knows are symbols: `@prospect:2` is an id, `@at:7` the
 * time of the seventh operation, `@day:-3` three days ago.
 */
import {
  investorNames,
  type Milestone,
  milestoneStages,
  kindOf,
  type Stage,
  stages,
  type InvestorName
} from "./operations.ts"

/** A change of the stage: a milestone, or an override. */
type Moment = { readonly reached: Stage } | { readonly set: Stage; readonly reason: string | null; readonly at: number }

export interface Note {
  readonly number: number
  archived: boolean
  superseded: boolean
}

export interface Task {
  readonly number: number
  readonly type: string
  readonly due: number
  state: "open" | "completed" | "canceled"
}

export interface Prospect {
  readonly number: number
  whom: InvestorName
  classification: string
  interest: string | null
  history: ReadonlyArray<Moment>
  isOwned: boolean
  projectTags: ReadonlyArray<string>
  accessExpiry: string | null
  teaserAt: number | null
  roomAt: number | null
  notes: Array<Note>
  tasks: Array<Task>
  refs: ReadonlyArray<string>
  removedAt: number | null
  /** One that was deleted with the project comes back when that is restored. */
  state: "living" | "deleted" | "deleted with project"
  readonly createdAt: number
  updatedAt: number
  deletedAt: number | null
  changeType: string
  changeOrigin: string
}

interface Investor {
  name: 0 | 1
  email: 0 | 1 | null
  domain: 0 | 1 | null
  country: string | null
  tags: ReadonlyArray<string>
  changedAt: number
  state: "living" | "deleted" | "merged"
}

export interface Model {
  /** The number of operations so far. */
  step: number
  readonly investors: { readonly [whom in InvestorName]: Investor }
  readonly prospects: Array<Prospect>
  readonly project: {
    deletedAt: number | null
    closedAt: number | null
    communicatedAt: number | null
    isRoomOpened: boolean
  }
  notes: number
  tasks: number
}

/** A project without prospects, and all investors in the network. */
export const make = (): Model => {
  const investor = (whom: InvestorName): Investor => ({
    name: 0,
    email: kindOf(whom) === "contact" ? 0 : null,
    domain: null,
    country: null,
    tags: [],
    changedAt: 0,
    state: "living"
  })
  return {
    step: 0,
    investors: Object.fromEntries(investorNames.map((whom) => [whom, investor(whom)])) as Record<
      InvestorName,
      Investor
    >,
    prospects: [],
    project: { deletedAt: null, closedAt: null, communicatedAt: null, isRoomOpened: false },
    notes: 0,
    tasks: 0
  }
}

/** The latest prospect of an investor, living ones first. */
export const prospectOf = ({ prospects }: Model, whom: InvestorName): Prospect | undefined =>
  prospects.findLast((one) => one.whom === whom && one.state !== "deleted") ??
  prospects.findLast((one) => one.whom === whom)

/** Whether a prospect can be read. */
export const isLiving = ({ project }: Model, { state }: Prospect): boolean =>
  project.deletedAt === null && state === "living"

/** Whether a prospect is on the list. */
export const isOnList = (model: Model, prospect: Prospect): boolean =>
  isLiving(model, prospect) && prospect.removedAt === null

const higher = (a: Stage, b: Stage) => (stages.indexOf(a) > stages.indexOf(b) ? a : b)

/** The stage: milestones raise it, an override sets it. */
export const stageOf = ({ history }: Pick<Prospect, "history">): Stage =>
  history.reduce<Stage>((now, moment) => ("set" in moment ? moment.set : higher(now, moment.reached)), "not_contacted")

/** The latest override. */
export const overrideOf = ({ history }: Prospect) =>
  history.flatMap((moment) => ("set" in moment ? [moment] : [])).at(-1)

/** Whether a note counts. */
export const isActive = ({ archived, superseded }: Note): boolean => !archived && !superseded

/** Records a milestone. */
export const reachMilestone = (prospect: Prospect, milestone: Milestone, step: number): void => {
  prospect.history = [...prospect.history, { reached: milestoneStages[milestone] }]
  if (milestone === "teaser_communicated") prospect.teaserAt ??= step
  if (milestone === "room_access_granted") prospect.roomAt ??= step
}

export const at = (step: number | null) => (step === null ? null : `@at:${step}`)

/** References as in an answer. */
export const refsOf = (refs: ReadonlyArray<string>) =>
  refs.map((ref) => ({ namespace: ref.split(":")[0] ?? "", externalId: ref.split(":")[1] ?? "" }))

/** Names and addresses of investors: there are two of each. */
export const nameOf = (whom: InvestorName, which: 0 | 1) =>
  `${whom[0]?.toUpperCase()}${whom.slice(1)}${which === 0 ? "" : "tta"}`
export const emailOf = (whom: InvestorName, which: 0 | 1 | null) =>
  which === null ? null : `${whom}${which}@example.com`
export const domainOf = (whom: InvestorName, which: 0 | 1 | null) => (which === null ? null : `${whom}${which}.example`)

const me = { id: "@user:0", name: "Anna Berg" }

/** The answer for a prospect, without its audit members. */
export const contentOf = (model: Model, prospect: Prospect): Record<string, unknown> => {
  const { classification, interest, notes, number, projectTags, refs, removedAt, tasks, teaserAt, whom } = prospect
  const { country, domain, email, name, tags } = model.investors[whom]
  const isContact = kindOf(whom) === "contact"
  const identity = { id: `@${kindOf(whom)}:${whom}`, name: nameOf(whom, name) }
  const correction = overrideOf(prospect)
  const open = tasks.filter(({ state }) => state === "open").sort((a, b) => a.due - b.due || a.number - b.number)
  const [next] = open
  return {
    id: `@prospect:${number}`,
    projectId: "@project:0",
    contact: isContact ? { ...identity, email: emailOf(whom, email) } : null,
    company: isContact ? null : { ...identity, domain: domainOf(whom, domain), country },
    classification,
    interest,
    stage: stageOf(prospect),
    ...(correction === undefined
      ? {}
      : {
          stageOverride: { stage: correction.set, setBy: me, setAtUtc: at(correction.at), reason: correction.reason }
        }),
    ...(next === undefined
      ? {}
      : {
          nextTask: {
            id: `@task:${next.number}`,
            type: next.type,
            dueDateUtc: `@day:${next.due}`,
            assignee: me,
            overdue: next.due < 0
          }
        }),
    openTaskCount: open.length,
    projectTags,
    tags,
    ...(prospect.isOwned ? { owner: me } : {}),
    communicated: teaserAt !== null,
    accepted: false,
    chat: false,
    invitation: false,
    noteCount: notes.filter(isActive).length,
    accessExpiryUtc: prospect.accessExpiry === null ? null : `${prospect.accessExpiry}T00:00:00.000Z`,
    teaser: teaserAt === null ? null : { stage: "communicated", communicatedUtc: at(teaserAt) },
    removedUtc: at(removedAt),
    externalRefs: refsOf(refs)
  }
}

const auditOf = ({ changeOrigin, changeType, createdAt, deletedAt, updatedAt }: Prospect) => ({
  createdUtc: at(createdAt),
  updatedUtc: at(updatedAt),
  changeType,
  changeOrigin,
  deletedUtc: at(deletedAt)
})

/** The answer for a prospect, without its ETag. */
export const answerOf = (model: Model, prospect: Prospect): Record<string, unknown> => ({
  ...contentOf(model, prospect),
  ...auditOf(prospect)
})

/** The tombstone of a prospect in a delta, without its ETag. */
export const tombstoneOf = (prospect: Prospect) => ({
  id: `@prospect:${prospect.number}`,
  projectId: null,
  contact: null,
  company: null,
  classification: null,
  interest: null,
  stage: null,
  openTaskCount: null,
  projectTags: [],
  tags: [],
  communicated: null,
  accepted: null,
  chat: null,
  invitation: null,
  noteCount: null,
  accessExpiryUtc: null,
  teaser: null,
  removedUtc: at(prospect.state === "living" ? prospect.removedAt : null),
  externalRefs: refsOf(prospect.refs),
  ...auditOf(prospect),
  changeType: "deleted",
  deletedUtc: at(prospect.deletedAt ?? prospect.removedAt)
})

/** The members of a project that operations change. */
export const projectOf = ({ project: { closedAt, communicatedAt, isRoomOpened } }: Model) => ({
  status: closedAt !== null ? "closed" : communicatedAt !== null || isRoomOpened ? "open" : "draft",
  closedUtc: at(closedAt),
  communicatedUtc: at(communicatedAt)
})
