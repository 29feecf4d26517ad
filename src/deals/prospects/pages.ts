/** The prospects of a project: a table and a board with the same filters, a drawer for one, and those that were removed. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { formRequest, get, Goto, listQuery, type PageRequest, post, stream, View } from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import {
  addressWith,
  openAddress,
  backOf,
  columnChoice,
  drawer,
  filterForm,
  pager,
  table
} from "../../console/Lists.ts"
import { answerChanges } from "../../console/Live.ts"
import { button, emptyState, hidden, notice, tabs } from "../../console/Parts.ts"
import { common, moment, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { label } from "../../console/Vocabulary.ts"
import { Members } from "../../identity/teams/Teams.ts"
import type { Project } from "../projects/Project.ts"
import { projectHead, projectPath } from "../projects/ProjectHead.ts"
import { Projects } from "../projects/Projects.ts"
import { prospects as contract } from "./api.ts"
import { prospectBar } from "./bulk/pages.ts"
import * as bulk from "./bulk/pages.ts"
import * as one from "./drawer/pages.ts"
import { nameOf, prospectPanel } from "./drawer/pages.ts"
import { firstClassification, type Prospect, type Stage, stages } from "./Prospect.ts"
import { columnsOf, filtersOf, isFiltered } from "./TablePages.ts"
import { ProspectChanges } from "./ProspectChanges.ts"
import { Prospects } from "./Prospects.ts"
import { taskLine } from "./tasks/pages.ts"
import * as tasks from "./tasks/pages.ts"

const words = texts({
  add: ["Add investors", "Interessenten hinzufügen"],
  advice: [
    "Add contacts and companies of your network to the project.",
    "Fügen Sie dem Projekt Kontakte und Firmen Ihres Netzwerks hinzu."
  ],
  board: ["Board", "Board"],
  export: ["Export", "Exportieren"],
  investor: ["Investor", "Interessent"],
  leave: [(stage: string) => `Leave it at ${stage}`, (stage: string) => `Bei ${stage} lassen`],
  move: [(name: string) => `Move ${name} to…`, (name: string) => `${name} verschieben nach…`],
  moveAnyway: [(stage: string) => `Move to ${stage}`, (stage: string) => `Nach ${stage} verschieben`],
  moved: [
    (name: string, stage: string) => `${name} is at ${stage} now.`,
    (name: string, stage: string) => `${name} ist jetzt bei ${stage}.`
  ],
  movedMeanwhile: [
    (name: string) => `Somebody moved ${name} in the meantime.`,
    (name: string) => `Jemand hat ${name} inzwischen verschoben.`
  ],
  none: ["No investors yet", "Noch keine Interessenten"],
  noneRemoved: ["Nobody was removed", "Niemand wurde entfernt"],
  now: ["As it is now", "Jetziger Stand"],
  prospects: ["Prospects", "Interessenten"],
  putBack: ["Put back on the list", "Zurück auf die Liste"],
  removed: ["Removed", "Entfernt"],
  restored: ["The investor is on the list again.", "Der Interessent ist wieder auf der Liste."],
  showAll: ["Show all in the table", "Alle in der Tabelle zeigen"],
  tableView: ["Table", "Tabelle"],
  view: ["View", "Ansicht"],
  yours: ["As you moved it", "Ihr Stand"]
})

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const pathOf = (page: Pick<PageRequest, "base">, projectId: string) => `${projectPath(page, projectId)}/prospects`

/** The head of both views. The address keeps the filters from one to the other. */
const headOf = (page: PageRequest, project: Project, view: "board" | "table"): Html => {
  const t = words[page.reader.language]
  const path = pathOf(page, project.id)
  const at = (target: string) =>
    addressWith(page, { cursor: undefined, open: undefined, columns: undefined, stage: undefined }, target)
  return projectHead(page, project, {
    part: "prospects",
    actions: html`${tabs(t.view, [
        { href: at(path), name: t.tableView, isCurrent: view === "table" },
        { href: at(`${path}/board`), name: t.board, isCurrent: view === "board" }
      ])}
      <a
        class="button"
        href="${addressWith(page, { cursor: undefined, open: undefined }, `${page.base}/exports/prospects/${project.id}`)}"
        >${t.export}</a
      >
      <a class="button" href="${path}/removed">${t.removed}</a>
      <a class="button main" href="${path}/add">${t.add}</a>`
  })
}

/** The prospect whose drawer is open: that of the address, if it is on this project. */
const openOne = Effect.fnUntraced(function* (page: PageRequest, projectId: string) {
  const prospects = yield* Prospects
  const id = page.search.get("open") ?? ""
  if (id === "") return undefined
  const found = yield* Effect.catchTag(prospects.get(projectId, id), "NotFound", () => Effect.undefined)
  return found === undefined ? undefined : { prospect: found, panel: yield* prospectPanel(page, found) }
})

const drawerOf = (page: PageRequest, opened: Effect.Success<ReturnType<typeof openOne>>) =>
  opened !== undefined && drawer(page, nameOf(page, opened.prospect), html`<div class="stack">${opened.panel}</div>`)

/** What follows the changes of others: the script hears of them from the stream `data-follow`, and shows this part again. */
const followed = (page: PageRequest, projectId: string, seen: string, body: Html): Html =>
  html`<div id="followed" data-follow="${pathOf(page, projectId)}/latest" data-seen="${seen}">${body}</div>`

const list = get("/console/:team/projects/:projectId/prospects", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const [prospects, { choices }] = [yield* Prospects, yield* Members]
    const [owners, found] = yield* Effect.all(
      [
        choices(page.seat?.actor.teamId ?? ""),
        prospects.look(projectId, { query: listQuery(contract.endpoints.list, page, { page_size: "100" }) })
      ],
      { concurrency: 2 }
    )
    const { project, seen } = found
    const opened = yield* openOne(page, projectId)
    const columns = columnsOf(page)
    return new View({
      title: opened === undefined ? `${t.prospects}: ${project.name ?? ""}` : nameOf(page, opened.prospect),
      scripts: ["follow.js"],
      body: html`${headOf(page, project, "table")} ${filterForm(page, filtersOf(page, false))}
        <div class="with-drawer">
          <div>
            ${followed(
              page,
              projectId,
              seen,
              html`<div class="card">
                ${
                  found.data.length === 0
                    ? isFiltered(page)
                      ? emptyState(common[reader.language].noMatch)
                      : emptyState(
                          t.none,
                          html`${t.advice}<br /><a class="button main" href="${pathOf(page, projectId)}/add"
                              >${t.add}</a
                            >`
                        )
                    : html`${table(page, {
                        caption: t.prospects,
                        columns,
                        rows: found.data,
                        idOf: ({ id }) => id,
                        isCurrent: ({ id }) => id === opened?.prospect.id,
                        picks: { valueOf: ({ id }) => id, nameOf: (prospect) => nameOf(page, prospect) }
                      })}
                      ${pager(page, found.page, found.data.length)}`
                }
              </div>`
            )}
            ${found.data.length > 0 && prospectBar(page, projectId, owners, yield* newKey)}
            ${found.data.length > 0 && columnChoice(page, columns)}
          </div>
          ${drawerOf(page, opened)}
        </div>`
    })
  })
)

// The board. A card is moved by a button of its menu; dragging presses that button.

const dots = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <circle cx="4" cy="10" r="1.6" />
  <circle cx="10" cy="10" r="1.6" />
  <circle cx="16" cy="10" r="1.6" />
</svg>`

const cardOf = (page: PageRequest, prospect: Prospect, isOpen: boolean): Html => {
  const { reader } = page
  const t = words[reader.language]
  const { classification, id, nextTask, owner, stage } = prospect
  const name = nameOf(page, prospect)
  // Beside the column of a later stage, "Not contacted" would contradict it.
  const isClassified = classification !== null && classification !== firstClassification
  return html`<li>
    <article id="${id}" ${isOpen && html`aria-current="true"`}>
      <input
        type="checkbox"
        form="bulk"
        name="pick"
        value="${id}"
        aria-label="${common[reader.language].selectRow(name)}"
      />
      <h3><a href="${openAddress(page, id)}">${name}</a></h3>
      <button
        type="button"
        class="small quiet"
        id="menu-${id}"
        popovertarget="moves-${id}"
        aria-label="${t.move(name)}"
      >
        ${dots}
      </button>
      <p class="soft small">
        ${[isClassified && label(reader, classification), owner?.name].filter((part) => typeof part === "string").join(" · ")}
        ${nextTask !== undefined && html`<br />${taskLine(page, nextTask)}`}
      </p>
      <div popover class="moves" id="moves-${id}">
        <h3>${t.move(name)}</h3>
        ${stages.map(
          (to) =>
            to !== stage &&
            html`<button
              class="small"
              type="submit"
              form="move"
              name="to"
              value="${id} ${to} ${stage}"
              data-stage="${to}"
            >
              ${label(reader, to)}
            </button>`
        )}
      </div>
    </article>
  </li>`
}

const board = get("/console/:team/projects/:projectId/prospects/board", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const [projects, prospects, { choices }] = [yield* Projects, yield* Prospects, yield* Members]
    const [seen, project, owners] = yield* Effect.all(
      [prospects.latestChange(projectId), projects.get(projectId), choices(page.seat?.actor.teamId ?? "")],
      { concurrency: 3 }
    )
    const search = new URLSearchParams([...page.search].filter(([name]) => name !== "stage" && name !== "cursor"))
    const columns = yield* Effect.forEach(
      stages,
      (stage) =>
        Effect.map(
          prospects.list(projectId, {
            query: listQuery(contract.endpoints.list, { search }, { page_size: "25", stage })
          }),
          (found) => ({ stage, found })
        ),
      { concurrency: stages.length }
    )
    const opened = yield* openOne(page, projectId)
    return new View({
      title: `${t.board}: ${project.name ?? ""}`,
      scripts: ["follow.js", "board.js"],
      body: html`${headOf(page, project, "board")} ${filterForm(page, filtersOf(page, true))}
        <form id="move" method="post" action="${pathOf(page, projectId)}/move">
          ${formField(page.visit)} ${hidden("back", addressWith(page, {}))}
        </form>
        <div class="with-drawer">
          <div>
            ${followed(
              page,
              projectId,
              seen,
              html`<div class="board" tabindex="0" role="region" aria-label="${t.board}">
                ${columns.map(
                  ({ found, stage }) =>
                    html`<div data-stage="${stage}" role="group" aria-labelledby="stage-${stage}">
                      <div class="top">
                        <h2 class="pill ${stage}" id="stage-${stage}">${label(reader, stage)}</h2>
                        <span class="num">${found.data.length}${found.page.hasMore && "+"}</span>
                      </div>
                      <ol role="list">
                        ${found.data.map((prospect) => cardOf(page, prospect, prospect.id === opened?.prospect.id))}
                        ${
                          found.page.hasMore &&
                          html`<li>
                            <a
                              class="button small quiet"
                              href="${addressWith(page, { stage, open: undefined }, pathOf(page, projectId))}"
                              >${t.showAll}</a
                            >
                          </li>`
                        }
                      </ol>
                    </div>`
                )}
              </div>`
            )}
            ${prospectBar(page, projectId, owners, yield* newKey)}
          </div>
          ${drawerOf(page, opened)}
        </div>`
    })
  })
)

const conflictView = (
  page: PageRequest,
  prospect: Prospect,
  { back, to }: { readonly to: Stage; readonly back: string }
): View => {
  const { reader } = page
  const t = words[reader.language]
  const name = nameOf(page, prospect)
  const stage = prospect.stage ?? ""
  return new View({
    title: t.movedMeanwhile(name),
    status: 412,
    body: html`<h1>${name}</h1>
      ${notice("bad", t.movedMeanwhile(name))}
      <div class="versions">
        <div>
          <h2>${t.now}</h2>
          <mark>${label(reader, stage)}</mark>
        </div>
        <div>
          <h2>${t.yours}</h2>
          <mark>${label(reader, to)}</mark>
        </div>
      </div>
      <form method="post" action="${page.path}" class="row">
        ${formField(page.visit)} ${hidden("back", back)} ${hidden("to", `${prospect.id} ${to} ${stage}`)}
        ${button(t.moveAnyway(label(reader, to)), { kind: "main" })}
        <a class="button" href="${back}">${t.leave(label(reader, stage))}</a>
      </form>`
  })
}

const move = post("/console/:team/projects/:projectId/prospects/move", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const { projectId = "" } = page.params
    const [prospects, { patch }] = [yield* Prospects, yield* ProspectChanges]
    const [id = "", wanted = "", seen = ""] = (page.form.text("to") ?? "").split(" ")
    const back = backOf(page, `${pathOf(page, projectId)}/board`)
    const prospect = yield* prospects.get(projectId, id)
    const to = stages.find((stage) => stage === wanted)
    if (to === undefined) return new Goto({ path: back })
    const done = new Goto({
      path: back,
      note: words[reader.language].moved(nameOf(page, prospect), label(reader, to))
    })
    // What else somebody changed does not matter to a move, so the stage that one saw is its precondition, and no ETag.
    if (prospect.stage === to) return done
    if (prospect.stage !== seen) return conflictView(page, prospect, { to, back })
    yield* patch(projectId, id, formRequest(page, { stage: to }))
    return done
  })
)

const latest = stream("/console/:team/projects/:projectId/prospects/latest", (page) =>
  Effect.gen(function* () {
    const { latestChange } = yield* Prospects
    return yield* answerChanges(page, latestChange(page.params["projectId"] ?? ""), "3 seconds")
  })
)

// Those that were removed, and how they come back.

const removed = get("/console/:team/projects/:projectId/prospects/removed", (page) =>
  Effect.gen(function* () {
    const { reader, search } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const [projects, prospects] = [yield* Projects, yield* Prospects]
    const project = yield* projects.get(projectId)
    const found = yield* prospects.removed(projectId, search.get("cursor") ?? undefined)
    const path = pathOf(page, projectId)
    type Line = (typeof found.data)[number]
    return new View({
      title: `${t.removed}: ${project.name ?? ""}`,
      body: html`${projectHead(page, project, { part: "prospects" })}
        <div class="card">
          ${
            found.data.length === 0
              ? emptyState(t.noneRemoved, html`<a href="${path}">${t.prospects}</a>`)
              : html`${table(page, {
                  caption: t.removed,
                  rows: found.data,
                  idOf: ({ id }) => id,
                  columns: [
                    {
                      key: "investor",
                      title: t.investor,
                      is: "name",
                      cell: ({ id, name }: Line) =>
                        html`<a href="${path}/${id}">${name ?? common[reader.language].unknown}</a>`
                    },
                    { key: "removed", title: t.removed, cell: ({ removedUtc }: Line) => moment(reader, removedUtc) },
                    {
                      key: "back",
                      title: common[reader.language].actions,
                      cell: ({ id, name }: Line) =>
                        html`<form method="post" action="${path}/${id}/restore">
                          ${formField(page.visit)} ${hidden("back", `${path}/removed`)}
                          ${button(t.putBack, { of: name ?? "" })}
                        </form>`
                    }
                  ]
                })}
                ${pager(page, found.page, found.data.length)}`
          }
        </div>`
    })
  })
)

/** The pages of prospects: those with a name of their own come before that of one prospect. */
export const pages = [list, board, move, latest, removed, ...bulk.pages, ...tasks.pages, ...one.pages]
