/** Follow-up tasks in the console: those of a prospect with the form of a new one, and what their buttons do. */
import { Effect } from "effect"
import {
  type Attempt,
  formRequest,
  Goto,
  orShowAgain,
  type PageRequest,
  post,
  type Problem,
  type View
} from "../../../console/Console.ts"
import { html, type Html, type Part } from "../../../console/Html.ts"
import { addressWith, backOf } from "../../../console/Lists.ts"
import { memberLabel } from "../../../console/memberNames.ts"
import { button, faultOf, field, hidden, pill, select } from "../../../console/Parts.ts"
import { day, texts } from "../../../console/Texts.ts"
import { formField } from "../../../console/Visit.ts"
import { label, options, statePill } from "../../../console/Vocabulary.ts"
import { type Task, type TaskMove, taskMoves, taskTypes } from "./Task.ts"
import { Tasks } from "./Tasks.ts"

const words = texts({
  add: ["Add the task", "Aufgabe anlegen"],
  added: ["The task was added.", "Die Aufgabe wurde angelegt."],
  cancel: ["Cancel the task", "Aufgabe streichen"],
  canceled: ["The task was canceled.", "Die Aufgabe wurde gestrichen."],
  complete: ["Done", "Erledigt"],
  completed: ["The task is done.", "Die Aufgabe ist erledigt."],
  kind: ["Kind", "Art"],
  newTask: ["New task", "Neue Aufgabe"],
  none: ["No tasks yet.", "Noch keine Aufgaben."],
  reopen: ["Reopen", "Wieder öffnen"],
  reopened: ["The task is open again.", "Die Aufgabe ist wieder offen."]
})

/** A prospect by the ids of addresses. */
export interface ProspectIds {
  readonly projectId: string
  readonly prospectId: string
}

/** The members of the team among whom the assignee of a task is chosen, by id. */
export type Assignees = ReadonlyMap<string, string>

const pathOf = ({ base }: PageRequest, { projectId, prospectId }: ProspectIds) =>
  `${base}/projects/${projectId}/prospects/${prospectId}/tasks`

/** The form of a new task. */
export const taskForm = (
  page: PageRequest,
  of: ProspectIds,
  assignees: Assignees,
  key: string,
  attempt?: Attempt
): Html => {
  const { form, reader } = page
  const t = words[reader.language]
  const typed = (name: string, value: string) => attempt?.form.text(name) ?? value
  return html`<form method="post" action="${pathOf(page, of)}" class="stack" aria-label="${t.newTask}">
    ${formField(page.visit)} ${hidden("key", key)} ${hidden("back", form.text("back") ?? addressWith(page, {}))}
    <div class="fields">
      ${select({
        id: "task-type",
        name: "type",
        label: t.kind,
        value: typed("type", "call"),
        options: options(reader, taskTypes),
        fault: faultOf(attempt?.problem.errors, "type")
      })}
      ${field({
        id: "task-due",
        name: "dueDate",
        label: memberLabel(reader, "dueDate"),
        type: "date",
        isRequired: true,
        value: typed("dueDate", ""),
        fault: faultOf(attempt?.problem.errors, "dueDate")
      })}
      ${select({
        id: "task-assignee",
        name: "assignee",
        label: memberLabel(reader, "assignee"),
        value: typed("assignee", ""),
        options: [...assignees],
        any: page.userName,
        fault: faultOf(attempt?.problem.errors, "assignee")
      })}
      ${field({
        id: "task-note",
        name: "note",
        label: memberLabel(reader, "note"),
        value: typed("note", ""),
        fault: faultOf(attempt?.problem.errors, "note")
      })}
    </div>
    <div class="row">${button(t.add)}</div>
  </form>`
}

/** The buttons of a task, by its state. `about` names it to those who hear the page. */
export const taskButtons = (
  page: PageRequest,
  of: ProspectIds,
  { id, status }: Pick<Task, "id" | "status">,
  about: string
): Html => {
  const t = words[page.reader.language]
  const form = (move: TaskMove, title: string, kind: "plain" | "quiet") =>
    html`<form method="post" action="${pathOf(page, of)}/${id}/${move}">
      ${formField(page.visit)} ${hidden("back", addressWith(page, {}))}
      <button type="submit" class="small ${kind}" id="${move}-${id}">
        ${title}<span class="hidden"> ${about}</span>
      </button>
    </form>`
  return status === "open"
    ? html`<div class="row">${form("complete", t.complete, "plain")} ${form("cancel", t.cancel, "quiet")}</div>`
    : form("reopen", t.reopen, "quiet")
}

/** What a task is and when it is due. */
export const taskLine = (
  { reader }: PageRequest,
  { dueDateUtc, overdue, type }: Pick<Task, "dueDateUtc" | "overdue" | "type">
): Part => html`${label(reader, type)}, ${day(reader, dueDateUtc)} ${overdue && pill("bad", label(reader, "overdue"))}`

/** The tasks of a prospect, the open ones first, and the form of a new one unless it is off the list. */
export const tasksOf = (page: PageRequest, of: ProspectIds, tasks: ReadonlyArray<Task>, form: Part): Html => {
  const t = words[page.reader.language]
  const rank = ({ status }: Task) => (status === "open" ? 0 : 1)
  return html`${
    tasks.length === 0
      ? html`<p class="soft small">${t.none}</p>`
      : html`<ul class="stack" role="list">
          ${tasks
            .toSorted((a, b) => rank(a) - rank(b) || a.dueDateUtc.localeCompare(b.dueDateUtc))
            .map(
              (task) =>
                html`<li class="spread" id="${task.id}">
                  <div>
                    ${taskLine(page, task)} ${task.status !== "open" && statePill(page.reader, task.status)}
                    <span class="below">${task.assignee.name}${task.note !== null && html`: ${task.note}`}</span>
                  </div>
                  ${taskButtons(page, of, task, label(page.reader, task.type))}
                </li>`
            )}
        </ul>`
  }
  ${form}`
}

const idsOf = ({ params }: PageRequest): ProspectIds => ({
  projectId: params["projectId"] ?? "",
  prospectId: params["prospectId"] ?? ""
})

const back = (page: PageRequest, { projectId, prospectId }: ProspectIds) =>
  backOf(page, `${page.base}/projects/${projectId}/prospects/${prospectId}`)

/** What the form of a new task does; `show` is the page of the prospect with the form, where it was refused. */
export const creation = <R>(show: (page: PageRequest, attempt: Attempt) => Effect.Effect<View, Problem, R>) =>
  post("/console/:team/projects/:projectId/prospects/:prospectId/tasks", (page) =>
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const { form, reader } = page
      const t = words[reader.language]
      const ids = idsOf(page)
      const body = {
        type: form.text("type") ?? "",
        dueDate: form.text("dueDate") ?? "",
        assignee: form.text("assignee") ?? "me",
        note: form.textOrNull("note")
      }
      return yield* tasks.create(ids.projectId, ids.prospectId, formRequest(page, body)).pipe(
        Effect.as(new Goto({ path: back(page, ids), note: t.added })),
        orShowAgain(page, (attempt) => show(page, attempt))
      )
    })
  )

const move = (to: TaskMove) =>
  post(`/console/:team/projects/:projectId/prospects/:prospectId/tasks/:taskId/${to}`, (page) =>
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const t = words[page.reader.language]
      const ids = idsOf(page)
      yield* tasks.move(ids.projectId, ids.prospectId, page.params["taskId"] ?? "", to, formRequest(page))
      const notes = { complete: t.completed, cancel: t.canceled, reopen: t.reopened } as const
      return new Goto({ path: back(page, ids), note: notes[to] })
    })
  )

/** What the buttons of tasks do. */
export const pages = taskMoves.map(move)
