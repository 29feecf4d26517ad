/**
 * What is new for a broker, across the projects of their team (docs/behaviour/console.md#today): tasks that are due, answers of investors,
 * questions that wait, and what others changed since the last visit. The number of statements does not grow with any of them.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import type { Action } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { Prospects } from "../prospects/Prospects.ts"
import type { ListedTask } from "../prospects/tasks/Task.ts"
import { Tasks } from "../prospects/tasks/Tasks.ts"
import { Projects } from "../projects/Projects.ts"
import { TodayRepo } from "./TodayRepo.ts"

/** How many tasks, questions and open projects are looked at, and how many rows of timelines. */
const most = { tasks: 50, questions: 20, projects: 100, rows: 500 } as const

/** After how many minutes a new visit begins. */
const pauseMinutes = 30

/** The events by which an investor answers. */
const answers: ReadonlySet<string> = new Set(["prospect.accepted", "prospect.rejected"])

/** Something that happened on a project. */
export interface ProjectRow {
  readonly projectId: string
  readonly action: Action
}

const isAnswer = ({ action }: ProjectRow): boolean => answers.has(action.event ?? "")

/** A task of a prospect, with the names by which people know them. */
export interface DueTask {
  readonly task: ListedTask
  readonly projectName: string | undefined
  readonly prospectName: string | null | undefined
}

const make = Effect.gen(function* () {
  const repo = yield* TodayRepo
  const tasks = yield* Tasks
  const projects = yield* Projects
  const prospects = yield* Prospects
  const timelines = yield* Timelines

  const due = (when: "overdue" | "today", whose: "all" | "mine") =>
    tasks.listAll({
      query: Effect.succeed({ due: when, page_size: most.tasks, ...(whose === "mine" ? { assignee: "me" } : {}) })
    })

  /** Since when it is new to the caller; `isVisit` records that they look. */
  const newSince = Effect.fnUntraced(function* ({ teamId, userId }: Actor, { isVisit }: { readonly isVisit: boolean }) {
    const first = yield* daysAgo(7)
    if (userId === null) return first
    const at = yield* now
    const times = { at, first, pause: new Date(at.getTime() - pauseMinutes * 60_000) }
    const member = { teamId, userId }
    return yield* isVisit ? repo.visit(member, times) : repo.since(member, times)
  })

  /** What happened on these projects since, the newest first. */
  const rowsSince = Effect.fnUntraced(function* (
    teamId: string,
    open: ReadonlyArray<{ readonly id: string }>,
    since: Date
  ) {
    const found = yield* timelines.latest(
      open.map(({ id }) => ({ teamId, type: "project", id })),
      { since, limit: most.rows, rollUps: ["prospect", "room"] }
    )
    return found.map(({ action, subject }): ProjectRow => ({ projectId: Id.fromUuid("project", subject.id), action }))
  })

  /** How many answers of investors are new to the caller, who does not look at them yet. */
  const newAnswers = Effect.fn("Today.newAnswers")(function* () {
    const actor = yield* authorize("broker")
    const since = yield* newSince(actor, { isVisit: false })
    const rows = yield* rowsSince(actor.teamId, yield* repo.openProjects(actor.teamId, most.projects), since)
    return rows.filter(isAnswer).length
  })

  /** What is new: `whose` are the tasks that are listed. */
  const read = Effect.fn("Today.read")(function* (whose: "all" | "mine") {
    const actor = yield* authorize("broker")
    const { teamId, userId } = actor
    const since = yield* newSince(actor, { isVisit: true })
    const overdue = yield* due("overdue", whose)
    const today = yield* due("today", whose)
    const open = yield* repo.openProjects(teamId, most.projects)
    const waiting = yield* repo.questions(
      teamId,
      open.map(({ id }) => id),
      most.questions
    )
    const rows = yield* rowsSince(teamId, open, since)
    const listed = [...overdue.data, ...today.data]
    const names = yield* prospects.namesOf([
      ...listed.flatMap(({ prospectId }) => prospectId ?? []),
      ...rows.flatMap(({ action: { subject, subjectId } }) => (subject === "prospect" ? (subjectId ?? []) : []))
    ])
    const projectNames = new Map([
      ...open.map(({ id, name }) => [Id.fromUuid("project", id) as string, name] as const),
      ...(yield* projects.namesOf(listed.flatMap(({ projectId }) => projectId ?? [])))
    ])
    const named = (task: ListedTask): DueTask => ({
      task,
      projectName: projectNames.get(task.projectId ?? ""),
      prospectName: names.get(task.prospectId ?? "")?.name
    })
    const me = Id.fromUuidOrNull("user", userId)
    return {
      since: since.toISOString(),
      overdue: { tasks: overdue.data.map(named), hasMore: overdue.page.hasMore },
      today: { tasks: today.data.map(named), hasMore: today.page.hasMore },
      questions: waiting,
      answers: rows.filter(isAnswer),
      changes: rows.filter((row) => !isAnswer(row) && (row.action.actor.id === null || row.action.actor.id !== me)),
      names,
      projectNames
    }
  })

  return { read, newAnswers }
})

/** What is new for a broker. It needs the `broker` capability. */
export class Today extends Context.Service<Today, Effect.Success<typeof make>>()("deals/today/Today") {
  static readonly layer = Layer.effect(Today, make).pipe(
    Layer.provide([TodayRepo.layer, Tasks.layer, Projects.layer, Prospects.layer])
  )
}
