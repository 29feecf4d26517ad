/**
 * A project and its prospects as the specification and the decisions have them. What stands for something that only the
 * service knows is a symbol: `@prospect:2` its id, `@at:7` the time of the seventh operation, `@day:-3` three days ago.
 */
import { everybody, type ChangeRecord, changeRecords, kindOf, type Stage, stages, type Whom } from "./operations.ts"

/** What befell a stage: what happened in the process, and corrections by hand. */
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
  whom: Whom
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
  /** Gone with the project: its restore brings it back. */
  fate: "there" | "gone" | "gone with project"
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
  fate: "there" | "deleted" | "merged"
}

export interface Model {
  /** How many operations there were. */
  step: number
  readonly investors: { readonly [whom in Whom]: Investor }
  readonly prospects: Array<Prospect>
  readonly project: {
    deletedAt: number | null
    closedAt: number | null
    communicatedAt: number | null
    wasInRoom: boolean
  }
  notes: number
  tasks: number
}

/** A project without prospects, and everybody in the network. */
export const make = (): Model => {
  const investor = (whom: Whom): Investor => ({
    name: 0,
    email: kindOf(whom) === "contact" ? 0 : null,
    domain: null,
    country: null,
    tags: [],
    changedAt: 0,
    fate: "there"
  })
  return {
    step: 0,
    investors: Object.fromEntries(everybody.map((whom) => [whom, investor(whom)])) as Record<Whom, Investor>,
    prospects: [],
    project: { deletedAt: null, closedAt: null, communicatedAt: null, wasInRoom: false },
    notes: 0,
    tasks: 0
  }
}

/** The prospect of an investor: the one that there is, or was last. */
export const prospectOf = ({ prospects }: Model, whom: Whom): Prospect | undefined =>
  prospects.findLast((one) => one.whom === whom && one.fate !== "gone") ??
  prospects.findLast((one) => one.whom === whom)

/** Whether it can be read. */
export const isThere = ({ project }: Model, { fate }: Prospect): boolean =>
  project.deletedAt === null && fate === "there"

/** Whether it is on the list. */
export const isListed = (model: Model, prospect: Prospect): boolean =>
  isThere(model, prospect) && prospect.removedAt === null

const higher = (a: Stage, b: Stage) => (stages.indexOf(a) > stages.indexOf(b) ? a : b)

/** What happens raises the stage, a correction sets it. */
export const stageOf = ({ history }: Pick<Prospect, "history">): Stage =>
  history.reduce<Stage>((now, moment) => ("set" in moment ? moment.set : higher(now, moment.reached)), "not_contacted")

/** The latest correction. */
export const correctionOf = ({ history }: Prospect) =>
  history.flatMap((moment) => ("set" in moment ? [moment] : [])).at(-1)

/** Whether a note counts. */
export const isActive = ({ archived, superseded }: Note): boolean => !archived && !superseded

/** Something happens to a prospect. */
export const happen = (prospect: Prospect, what: ChangeRecord, step: number): void => {
  prospect.history = [...prospect.history, { reached: changeRecords[what] }]
  if (what === "teaser_communicated") prospect.teaserAt ??= step
  if (what === "room_access_granted") prospect.roomAt ??= step
}

export const at = (step: number | null) => (step === null ? null : `@at:${step}`)

/** References as they are answered. */
export const refsOf = (refs: ReadonlyArray<string>) =>
  refs.map((ref) => ({ namespace: ref.split(":")[0] ?? "", externalId: ref.split(":")[1] ?? "" }))

/** What an investor is called, and where it is reached: there are two of each. */
export const nameOf = (whom: Whom, which: 0 | 1) =>
  `${whom[0]?.toUpperCase()}${whom.slice(1)}${which === 0 ? "" : "tta"}`
export const emailOf = (whom: Whom, which: 0 | 1 | null) => (which === null ? null : `${whom}${which}@example.com`)
export const domainOf = (whom: Whom, which: 0 | 1 | null) => (which === null ? null : `${whom}${which}.example`)

const me = { id: "@user:0", name: "Anna Berg" }

/** What a prospect answers, but for its audit members. */
export const contentOf = (model: Model, prospect: Prospect): Record<string, unknown> => {
  const { classification, interest, notes, number, projectTags, refs, removedAt, tasks, teaserAt, whom } = prospect
  const { country, domain, email, name, tags } = model.investors[whom]
  const isContact = kindOf(whom) === "contact"
  const identity = { id: `@${kindOf(whom)}:${whom}`, name: nameOf(whom, name) }
  const correction = correctionOf(prospect)
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

/** What a prospect answers, but for its ETag. */
export const answerOf = (model: Model, prospect: Prospect): Record<string, unknown> => ({
  ...contentOf(model, prospect),
  ...auditOf(prospect)
})

/** What a delta shows of one that is not on the list, but for its ETag. */
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
  removedUtc: at(prospect.fate === "there" ? prospect.removedAt : null),
  externalRefs: refsOf(prospect.refs),
  ...auditOf(prospect),
  changeType: "deleted",
  deletedUtc: at(prospect.deletedAt ?? prospect.removedAt)
})

/** What a project answers, as far as what is done here changes it. */
export const projectOf = ({ project: { closedAt, communicatedAt, wasInRoom } }: Model) => ({
  status: closedAt !== null ? "closed" : communicatedAt !== null || wasInRoom ? "open" : "draft",
  closedUtc: at(closedAt),
  communicatedUtc: at(communicatedAt)
})
