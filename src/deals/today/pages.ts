/** The page of a broker's day: what is due, who answered, what is asked, and what others did since the last visit. */
import { Effect } from "effect"
import { get, type LinksOf, type PageRequest, View } from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { addressWith } from "../../console/Lists.ts"
import { card, emptyState, head, pill, tabs } from "../../console/Parts.ts"
import { sentenceOf, tellingRows, textOf } from "../../console/Timeline.ts"
import { moment, texts } from "../../console/Texts.ts"
import { label } from "../../console/Vocabulary.ts"
import { projectPath } from "../projects/ProjectHead.ts"
import { taskButtons, taskLine } from "../prospects/tasks/pages.ts"
import { type DueTask, type ProjectRow, Today } from "./Today.ts"

const words = texts({
  all: ["Of the team", "Des Teams"],
  answerBy: ["answer by", "Antwort bis"],
  asked: ["asked", "gefragt am"],
  answers: ["New answers", "Neue Antworten"],
  changes: ["What others did", "Was andere getan haben"],
  due: ["Due today", "Heute fällig"],
  earlier: [
    (count: string) => `and ${count} more on the timelines`,
    (count: string) => `und ${count} weitere in den Verläufen`
  ],
  mine: ["Mine", "Meine"],
  more: ["There are more.", "Es gibt noch mehr."],
  noAnswers: ["Nobody answered since.", "Seitdem hat niemand geantwortet."],
  noChanges: ["Nothing happened since.", "Seitdem ist nichts geschehen."],
  noQuestions: ["No question waits.", "Keine Frage wartet."],
  noTasks: ["Nothing is due", "Nichts ist fällig"],
  noTasksAdvice: [
    "Tasks that are overdue or due today appear here, from all projects.",
    "Hier erscheinen überfällige und heute fällige Aufgaben aller Projekte."
  ],
  overdue: ["Overdue", "Überfällig"],
  questions: ["Questions that wait", "Wartende Fragen"],
  since: ["What is due, and what is new since", "Was ansteht, und was neu ist seit"],
  tasks: ["Tasks", "Aufgaben"],
  title: ["Today", "Heute"]
})

/** How many changes are shown; the timelines of the projects have all. */
const shownChanges = 30

const beginning = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

const taskItem = (page: PageRequest, { projectName, prospectName, task }: DueTask): Part => {
  const { dueDateUtc, id, note, projectId, prospectId, status, type } = task
  if (projectId === null || prospectId === null || dueDateUtc === null || type === null || status === null) return false
  const path = projectPath(page, projectId)
  const who = prospectName ?? ""
  return html`<li class="spread" id="${id}">
    <div>
      <a href="${path}/prospects?open=${prospectId}">${who}</a>:
      ${taskLine(page, { dueDateUtc, type, overdue: task.overdue ?? false })}
      <span class="below"
        ><a href="${path}">${projectName}</a>, ${task.assignee?.name}${note !== null && html`: ${note}`}</span
      >
    </div>
    ${taskButtons(page, { projectId, prospectId }, { id, status }, `${label(page.reader, type)}, ${who}`)}
  </li>`
}

const tasksCard = (
  page: PageRequest,
  found: Effect.Success<ReturnType<Today["Service"]["read"]>>,
  whose: string
): Html => {
  const t = words[page.reader.language]
  const list = (
    id: string,
    title: string,
    { hasMore, tasks }: { readonly tasks: ReadonlyArray<DueTask>; readonly hasMore: boolean }
  ) =>
    tasks.length > 0 &&
    html`<h3 id="${id}">${title}</h3>
      <ul class="stack" role="list" aria-labelledby="${id}">
        ${tasks.map((task) => taskItem(page, task))}
      </ul>
      ${hasMore && html`<p class="soft small">${t.more}</p>`}`
  return card(
    "tasks",
    t.tasks,
    found.overdue.tasks.length + found.today.tasks.length === 0
      ? emptyState(t.noTasks, t.noTasksAdvice)
      : html`${list("overdue", t.overdue, found.overdue)} ${list("due-today", t.due, found.today)}`,
    tabs(t.tasks, [
      { href: addressWith(page, { tasks: undefined }), name: t.mine, isCurrent: whose === "mine" },
      { href: addressWith(page, { tasks: "all" }), name: t.all, isCurrent: whose === "all" }
    ])
  )
}

const today = get("/console/:team/today", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const { read } = yield* Today
    const whose = page.search.get("tasks") === "all" ? "all" : "mine"
    const found = yield* read(whose)
    const whatOf = ({ action: { subject, subjectId }, projectId }: ProjectRow): Part => {
      const name = subject === "prospect" ? found.names.get(subjectId ?? "")?.name : undefined
      return (
        name !== undefined &&
        name !== null &&
        html`<a href="${projectPath(page, projectId)}/prospects?open=${subjectId}">${name}</a>`
      )
    }
    const line = (row: ProjectRow): Html => {
      const { action, projectId } = row
      const project = found.projectNames.get(projectId) ?? ""
      const what = whatOf(row)
      const text = textOf(reader, action)
      const others = new Map<string, Part>(what === false ? [] : [[action.subjectId ?? "", what]])
      return html`<li id="${action.id}" class="${action.type !== "audit" && "said"}">
        <p>${sentenceOf(reader, action, { self: project, others })}</p>
        ${text !== undefined && text !== null && html`<div class="text">${typeof text === "string" ? beginning(text) : text}</div>`}
        <p class="soft small">
          <a href="${projectPath(page, projectId)}">${project}</a>, ${moment(reader, action.occurredUtc)}
        </p>
      </li>`
    }
    const rows = (some: ReadonlyArray<ProjectRow>, none: string) =>
      some.length === 0
        ? html`<p class="soft">${none}</p>`
        : html`<ol class="timeline" role="list">
            ${some.map(line)}
          </ol>`
    const changes = tellingRows(found.changes, ({ action }) => action)
    const more = changes.length - shownChanges
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: html`${t.since} ${moment(reader, found.since)}` })}
        <div class="grid-2">
          ${tasksCard(page, found, whose)}
          <div class="stack">
            ${card("answers", t.answers, rows(found.answers, t.noAnswers))}
            ${card(
              "questions",
              t.questions,
              found.questions.length === 0
                ? html`<p class="soft">${t.noQuestions}</p>`
                : html`<ul class="stack" role="list">
                    ${found.questions.map(
                      ({ askedUtc, dueUtc, id, number, priority, projectId, roomId, roomName, text }) =>
                        html`<li id="${id}">
                          <div>
                            <a href="${page.base}/questions/${id}"><strong>${number}.</strong> ${beginning(text)}</a>
                            ${priority === "high" && pill("bad", label(reader, priority))}
                          </div>
                          <span class="below"
                            ><a href="${projectPath(page, projectId)}">${found.projectNames.get(projectId)}</a>,
                            <a href="${page.base}/rooms/${roomId}">${roomName}</a>,
                            ${dueUtc === null ? t.asked : t.answerBy} ${moment(reader, dueUtc ?? askedUtc)}</span
                          >
                        </li>`
                    )}
                  </ul>`
            )}
            ${card(
              "changes",
              t.changes,
              html`${rows(changes.slice(0, shownChanges), t.noChanges)}
              ${more > 0 && html`<p class="soft small">${t.earlier(String(more))}</p>`}`
            )}
          </div>
        </div>`
    })
  })
)

/** The page of a broker's day. */
export const pages = [today]

/** Brokers have one. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [{ href: `${base}/today`, name: words[reader.language].title, icon: "M4 4h12v13H4zM4 8h12M7 2v4M13 2v4" }]
    : []
