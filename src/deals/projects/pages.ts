/** The pages of projects: the list, a project, its form, its properties and its timeline, and how it ends and comes back. */
import * as Id from "../../core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  type Problem,
  problemNotice,
  View
} from "../../console/Console.ts"
import { bodyOf, differingMembers, type Member, patchOf } from "../../console/FormMembers.ts"
import { bothVersions, memberFields } from "../../console/Forms.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { backOf, columnChoice, confirmation, filterForm, pager, table } from "../../console/Lists.ts"
import { memberLabel } from "../../console/memberNames.ts"
import { button, card, emptyState, facts, field, foldedId, head, hidden } from "../../console/Parts.ts"
import { makeReferences, naming } from "../../console/References.ts"
import { rehearsed, sumsOf, whatWouldHappen } from "../../console/Rehearsals.ts"
import { Related } from "../../market/related/Related.ts"
import { common, day, moment, number, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { label, options, statePill } from "../../console/Vocabulary.ts"
import { timelineSection } from "../../content/activities/pages.ts"
import type { Action } from "../../core/mutation/Timeline.ts"
import { make as requestOf } from "../../core/usecase/UseCaseRequest.ts"
import { refText } from "../../core/externalRefs/ExternalRef.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { ProjectLifecycle } from "../lifecycle/ProjectLifecycle.ts"
import { Prospects } from "../prospects/Prospects.ts"
import { Rooms } from "../rooms/Rooms.ts"
import { exclusivities, type Project, projectStates } from "./Project.ts"
import { projectHead, projectPath } from "./ProjectHead.ts"
import { Projects } from "./Projects.ts"

const words = texts({
  about: ["About", "Angaben"],
  addProperty: ["Add to the project", "Zum Projekt hinzufügen"],
  addPropertyOf: ["Add a property", "Immobilie hinzufügen"],
  advice: [
    "Create one for each mandate that you sell: its investors, its data room and its tasks belong to it.",
    "Legen Sie für jeden Verkaufsauftrag eines an: Interessenten, Datenraum und Aufgaben gehören dazu."
  ],
  closeOf: [(name: string) => `Close ${name}?`, (name: string) => `${name} schließen?`],
  closing: [
    "Its offers end and its data rooms can be read for 14 more days. Its history stays, and it can be reopened.",
    "Die Angebote enden, und die Datenräume sind noch 14 Tage lesbar. Die Geschichte bleibt, und es lässt sich wieder öffnen."
  ],
  closed: ["The project is closed.", "Das Projekt ist geschlossen."],
  created: ["The project was created.", "Das Projekt wurde angelegt."],
  deleteOf: [(name: string) => `Delete ${name}?`, (name: string) => `${name} löschen?`],
  deleted: [
    "The project was deleted. Within 30 days you can restore it from the list of deleted projects.",
    "Das Projekt wurde gelöscht. Innerhalb von 30 Tagen können Sie es in der Liste der gelöschten Projekte wiederherstellen."
  ],
  deletedOn: ["Deleted", "Gelöscht"],
  deleting: [
    "It is deleted with its investors and data rooms. Within 30 days, all of it can be restored.",
    "Es wird mit Interessenten und Datenräumen gelöscht. Innerhalb von 30 Tagen lässt sich alles wiederherstellen."
  ],
  edit: [(name: string) => `Edit ${name}`, (name: string) => `${name} bearbeiten`],
  everyState: ["Not closed", "Nicht geschlossen"],
  findProperty: ["Find a property by its name or place", "Immobilie nach Name oder Ort suchen"],
  newProject: ["New project", "Neues Projekt"],
  noOwner: ["Nobody", "Niemand"],
  noProject: ["No projects yet", "Noch keine Projekte"],
  noProperty: ["No properties yet", "Noch keine Immobilien"],
  noPropertyAdvice: ["Find one below, and add it.", "Suchen Sie unten eine, und fügen Sie sie hinzu."],
  owner: ["Owner", "Zuständig"],
  place: ["Place", "Ort"],
  projects: ["Projects", "Projekte"],
  properties: ["Properties", "Immobilien"],
  removeProperty: ["Remove", "Entfernen"],
  reopen: ["Reopen", "Wieder öffnen"],
  reopened: ["The project is open again.", "Das Projekt ist wieder offen."],
  reopenOf: [(name: string) => `Reopen ${name}?`, (name: string) => `${name} wieder öffnen?`],
  reopening: [
    "Its offers are what they were. Investors who were deleted in the meantime leave the list.",
    "Die Angebote sind wieder, was sie waren. Inzwischen gelöschte Interessenten verlassen die Liste."
  ],
  restore: ["Restore", "Wiederherstellen"],
  restored: ["The project was restored.", "Das Projekt wurde wiederhergestellt."],
  seller: ["Seller", "Verkäufer"],
  state: ["State", "Status"],
  tooManyProperties: [
    "The search found more. Type more of the name.",
    "Die Suche hat mehr gefunden. Geben Sie mehr vom Namen ein."
  ]
})

// The form of a project.

const membersOf = (page: PageRequest, owners: ReadonlyMap<string, string>): ReadonlyArray<Member> => {
  const { reader } = page
  const t = words[reader.language]
  return [
    { name: "name", label: memberLabel(reader, "name"), kind: "text", isRequired: true },
    {
      name: "ownerId",
      label: t.owner,
      kind: "choice",
      any: t.noOwner,
      options: [...owners].map(([id, name]) => [id, name] as const)
    },
    {
      name: "exclusivity",
      label: memberLabel(reader, "exclusivity"),
      kind: "choice",
      options: options(reader, exclusivities)
    },
    { name: "propertyCount", label: memberLabel(reader, "propertyCount"), kind: "number" },
    { name: "isPortfolio", label: memberLabel(reader, "isPortfolio"), kind: "flag" },
    { name: "description", label: memberLabel(reader, "description"), kind: "long" },
    // The address of the contact; the use-case gets the id.
    { name: "sellerContactId", label: t.seller, kind: "text", ...naming(reader, "contact") }
  ]
}

/** The members of the team among whom an owner is chosen, with the present one, who may have left it. */
const ownersOf = Effect.fnUntraced(function* (page: PageRequest, present: string | null = null) {
  const { choices, names } = yield* Members
  const owners = new Map(yield* choices(page.seat?.actor.teamId ?? ""))
  if (present !== null && !owners.has(present)) {
    owners.set(present, (yield* names([present])).get(present) ?? common[page.reader.language].unknown)
  }
  return owners
})

/** A project as its form has it: its seller is named by an address. */
const projectForm = (
  page: PageRequest,
  members: ReadonlyArray<Member>,
  project: Project | undefined,
  key: string,
  attempt?: Attempt
): Html => {
  const shared = common[page.reader.language]
  const isConflict = project !== undefined && attempt?.problem.status === 412
  return html`${
      isConflict
        ? bothVersions(page.reader, members, project, page.form)
        : attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)
    }
    <form
      class="card pad stack"
      method="post"
      action="${project === undefined ? `${page.base}/projects` : projectPath(page, project.id)}"
    >
      ${formField(page.visit)} ${hidden("key", key)} ${project !== undefined && hidden("etag", project.etag)}
      ${memberFields(page.reader, members, project ?? { ownerId: Id.fromUuid("user", page.userId) }, attempt)}
      <div class="row">
        ${button(shared.save, { kind: "main" })}
        <a class="button" href="${project === undefined ? `${page.base}/projects` : projectPath(page, project.id)}"
          >${shared.cancel}</a
        >
      </div>
    </form>`
}

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const references = makeReferences<Project, Related>({ members: { sellerContactId: "contact" }, useCases: Related })

const newProject = get("/console/:team/projects/new", (page) =>
  Effect.gen(function* () {
    const t = words[page.reader.language]
    const members = membersOf(page, yield* ownersOf(page))
    const key = yield* newKey
    return new View({
      title: t.newProject,
      body: html`${head({ title: t.newProject, crumbs: [{ href: `${page.base}/projects`, name: t.projects }] })}
      ${projectForm(page, members, undefined, key)}`
    })
  })
)

const create = post("/console/:team/projects", (page) =>
  Effect.gen(function* () {
    const t = words[page.reader.language]
    const projects = yield* Projects
    const members = membersOf(page, yield* ownersOf(page))
    return yield* references.resolved(page.form).pipe(
      Effect.flatMap((form) => projects.create(formRequest(page, bodyOf(form, members, { omitsBlank: true })))),
      Effect.map(({ value }) => new Goto({ path: projectPath(page, value.id), note: t.created })),
      orShowAgain(page, (attempt) =>
        Effect.succeed(
          new View({
            title: t.newProject,
            body: html`${head({ title: t.newProject, crumbs: [{ href: `${page.base}/projects`, name: t.projects }] })}
            ${projectForm(page, members, undefined, page.form.text("key") ?? "", attempt)}`
          })
        )
      )
    )
  })
)

const editView = (page: PageRequest, project: Project, members: ReadonlyArray<Member>, attempt?: Attempt) => {
  const title = words[page.reader.language].edit(project.name ?? "")
  return new View({
    title,
    body: html`${projectHead(page, project, { part: undefined, title })}
    ${projectForm(page, members, project, "", attempt)}`
  })
}

const loaded = Effect.fnUntraced(function* (page: PageRequest) {
  const projects = yield* Projects
  const project = yield* references.named(yield* projects.get(page.params["projectId"] ?? ""))
  return { project, members: membersOf(page, yield* ownersOf(page, project.ownerId)) }
})

const edit = get("/console/:team/projects/:projectId/edit", (page) =>
  Effect.map(loaded(page), ({ members, project }) => editView(page, project, members))
)

const save = post("/console/:team/projects/:projectId", (page) =>
  Effect.gen(function* () {
    const projects = yield* Projects
    const { members, project } = yield* loaded(page)
    const saved = new Goto({ path: projectPath(page, project.id), note: common[page.reader.language].saved })
    // A form that was sent twice has done its work the first time.
    if (differingMembers(members, project, page.form).length === 0) return saved
    return yield* references.resolved(page.form).pipe(
      Effect.flatMap((form) => projects.patch(project.id, formRequest(page, patchOf(form, members, project)))),
      Effect.as(saved),
      orShowAgain(page, (attempt) => Effect.succeed(editView(page, project, members, attempt)))
    )
  })
)

// The list.

const stateOf = (search: URLSearchParams) => projectStates.find((one) => one === search.get("state"))

const list = get("/console/:team/projects", (page) =>
  Effect.gen(function* () {
    const { reader, search } = page
    const t = words[reader.language]
    const shared = common[reader.language]
    const projects = yield* Projects
    const state = stateOf(search)
    const of = (name: string) => search.get(name)?.trim() || undefined
    const [found, owners] = yield* Effect.all([
      projects.search({ state, ownerId: of("owner"), name: of("name") }, { cursor: of("cursor"), pageSize: 50 }),
      ownersOf(page)
    ])
    const isDeleted = state === "deleted"
    const isFiltered = ["state", "owner", "name"].some((name) => of(name) !== undefined)
    type Line = (typeof found.data)[number]
    const columns = [
      {
        key: "name",
        title: shared.name,
        is: "name" as const,
        cell: ({ id, name }: Line) =>
          isDeleted ? name : html`<a href="${projectPath(page, id)}/prospects">${name}</a>`
      },
      { key: "state", title: t.state, cell: ({ status }: Line) => statePill(reader, status) },
      { key: "owner", title: t.owner, is: "more" as const, cell: ({ owner }: Line) => owner },
      {
        key: "exclusivity",
        title: memberLabel(reader, "exclusivity"),
        is: "more" as const,
        cell: ({ exclusivity }: Line) => exclusivity !== null && label(reader, exclusivity)
      },
      {
        key: "properties",
        title: t.properties,
        is: "more" as const,
        isNumber: true,
        cell: ({ propertyCount }: Line) => propertyCount !== null && number(reader, propertyCount)
      },
      {
        key: "created",
        title: shared.created,
        is: "more" as const,
        cell: ({ createdUtc }: Line) => day(reader, createdUtc)
      },
      ...(isDeleted
        ? [
            {
              key: "restore",
              title: t.deletedOn,
              cell: ({ deletedUtc, id, name }: Line) =>
                html`<form method="post" action="${projectPath(page, id)}/restore" class="row">
                  ${formField(page.visit)} ${moment(reader, deletedUtc)} ${button(t.restore, { of: name })}
                </form>`
            }
          ]
        : [])
    ]
    return new View({
      title: t.projects,
      body: html`${head({
          title: t.projects,
          actions: html`<a class="button main" href="${page.base}/projects/new">${t.newProject}</a>`
        })}
        ${filterForm(page, [
          {
            name: "state",
            label: t.state,
            any: t.everyState,
            options: projectStates.map((one) => [one, label(reader, one)] as const)
          },
          { name: "owner", label: t.owner, options: [...owners] },
          { name: "name", label: shared.name, type: "search" }
        ])}
        <div class="card">
          ${
            found.data.length === 0
              ? isFiltered
                ? emptyState(shared.noMatch)
                : emptyState(
                    t.noProject,
                    html`${t.advice}<br /><a class="button main" href="${page.base}/projects/new">${t.newProject}</a>`
                  )
              : html`${table(page, { caption: t.projects, columns, rows: found.data, idOf: ({ id }) => id, ...(isDeleted ? {} : { editAt: `${page.base}/projects` }) })}
                ${pager(page, found.page, found.data.length)}`
          }
        </div>
        ${found.data.length > 0 && columnChoice(page, columns)}`
    })
  })
)

// One project.

const movesOf = (page: PageRequest, { id, name, status }: Project): Html => {
  const t = words[page.reader.language]
  const shared = common[page.reader.language]
  const form = (move: string, title: string, kind: "danger" | "plain") =>
    html`<form method="post" action="${projectPath(page, id)}/${move}">
      ${formField(page.visit)} ${button(title, { kind, of: name ?? "" })}
    </form>`
  return html`<a class="button" data-edit href="${projectPath(page, id)}/edit">${shared.edit}</a>
    ${status === "closed" ? form("reopen", t.reopen, "plain") : form("close", shared.close, "plain")}
    ${form("delete", shared.delete, "danger")}`
}

const namesOnTimeline = (page: PageRequest, project: Project) => (rows: ReadonlyArray<Action>) =>
  Effect.gen(function* () {
    const idsOf = (kind: string) =>
      rows.flatMap(({ subject, subjectId }) => (subject === kind && subjectId !== undefined ? [subjectId] : []))
    const [prospects, rooms] = [yield* Prospects, yield* Rooms]
    const investors = yield* prospects.namesOf(idsOf("prospect"))
    const names = yield* rooms.namesOf(idsOf("room"))
    const path = projectPath(page, project.id)
    const others: ReadonlyArray<readonly [string, Part]> = [
      ...[...investors].map(
        ([id, { name }]) => [id, name !== null && html`<a href="${path}/prospects?open=${id}">${name}</a>`] as const
      ),
      ...[...names].map(([id, name]) => [id, html`<a href="${page.base}/rooms/${id}">${name}</a>`] as const)
    ]
    return { self: project.name, others: new Map(others.filter(([, name]) => name !== false)) }
  })

const overview = get("/console/:team/projects/:projectId", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const [projects, members] = [yield* Projects, yield* Members]
    const project = yield* projects.get(page.params["projectId"] ?? "")
    const { createdUtc, description, exclusivity, externalRefs, isPortfolio, ownerId, propertyCount, sellerContactId } =
      project
    const names = yield* members.names(ownerId === null ? [] : [ownerId])
    const sellers = yield* (yield* Related).names([sellerContactId ?? ""])
    const shared = common[reader.language]
    const timeline = yield* timelineSection(page, { type: "project", id: project.id }, namesOnTimeline(page, project))
    return new View({
      title: project.name ?? "",
      body: html`${projectHead(page, project, { part: "overview", actions: movesOf(page, project) })}
        <div class="grid-2">
          ${card(
            "about",
            t.about,
            html`${description !== null && html`<p class="text">${description}</p>`}
            ${facts([
              [t.owner, ownerId !== null && (names.get(ownerId) ?? shared.unknown)],
              [memberLabel(reader, "exclusivity"), exclusivity !== null && label(reader, exclusivity)],
              [memberLabel(reader, "propertyCount"), propertyCount !== null && number(reader, propertyCount)],
              [memberLabel(reader, "isPortfolio"), isPortfolio !== null && (isPortfolio ? shared.yes : shared.no)],
              [
                t.seller,
                sellerContactId !== null &&
                  html`<a href="${page.base}/contacts/${sellerContactId}"
                    >${sellers.get(sellerContactId) ?? sellerContactId}</a
                  >`
              ],
              [memberLabel(reader, "publishedUtc"), moment(reader, project.publishedUtc)],
              [memberLabel(reader, "communicatedUtc"), moment(reader, project.communicatedUtc)],
              [label(reader, "closed"), moment(reader, project.closedUtc)],
              [
                memberLabel(reader, "externalRefs"),
                externalRefs.length > 0 && externalRefs.map((ref) => html`<code>${refText(ref)}</code> `)
              ],
              [shared.created, moment(reader, createdUtc)]
            ])}
            ${foldedId(reader, project.id)}`
          )}
          ${timeline}
        </div>`
    })
  })
)

const timelinePage = get("/console/:team/projects/:projectId/timeline", (page) =>
  Effect.gen(function* () {
    const projects = yield* Projects
    const project = yield* projects.get(page.params["projectId"] ?? "")
    const section = yield* timelineSection(page, { type: "project", id: project.id }, namesOnTimeline(page, project))
    return new View({
      title: project.name ?? "",
      body: html`${projectHead(page, project, { part: "timeline" })} ${section}`
    })
  })
)

// Its properties.

const properties = get("/console/:team/projects/:projectId/properties", (page) =>
  Effect.gen(function* () {
    const { reader, search } = page
    const t = words[reader.language]
    const shared = common[reader.language]
    const [projects, market] = [yield* Projects, yield* Properties]
    const project = yield* projects.get(page.params["projectId"] ?? "")
    const cursor = search.get("cursor") ?? ""
    const linked = yield* projects.properties(project.id, {
      query: Effect.succeed({ page_size: 50, ...(cursor === "" ? {} : { cursor }) })
    })
    const wanted = search.get("q")?.trim() ?? ""
    const found =
      wanted === ""
        ? undefined
        : yield* market.search(
            requestOf({ operation: page.path, query: {}, body: { query: wanted.slice(0, 200), page_size: 20 } })
          )
    const path = `${projectPath(page, project.id)}/properties`
    type Line = (typeof linked.data)[number]
    const form = (id: string, name: string | null, move: "add" | "remove") =>
      html`<form method="post" action="${path}/links">
        ${formField(page.visit)} ${hidden("etag", project.etag)} ${hidden(move, id)}
        ${button(move === "add" ? t.addProperty : t.removeProperty, { kind: move === "add" ? "main" : "quiet", of: name ?? "" })}
      </form>`
    const columnsOf = (move: "add" | "remove") => [
      {
        key: "name",
        title: shared.name,
        is: "name" as const,
        cell: ({ id, name }: Line) => html`<a href="${page.base}/properties/${id}">${name}</a>`
      },
      {
        key: "place",
        title: t.place,
        is: "more" as const,
        cell: ({ country, locality }: Line) => [locality, country].filter((part) => part !== null).join(", ")
      },
      {
        key: "move",
        title: shared.actions,
        cell: ({ id, name }: Line) => project.propertyIds.includes(id) === (move === "remove") && form(id, name, move)
      }
    ]
    const rowsOf = (rows: ReadonlyArray<Line>, move: "add" | "remove", caption: string) =>
      table(page, { caption, columns: columnsOf(move), rows, idOf: ({ id }) => `${move}-${id}` })
    return new View({
      title: `${t.properties}: ${project.name ?? ""}`,
      body: html`${projectHead(page, project, { part: "properties" })}
        <div class="stack">
          <div class="card">
            ${
              linked.data.length === 0
                ? emptyState(t.noProperty, t.noPropertyAdvice)
                : html`${rowsOf(linked.data, "remove", t.properties)} ${pager(page, linked.page, linked.data.length)}`
            }
          </div>
          ${card(
            "add-property",
            t.addPropertyOf,
            html`<form method="get" action="${path}" class="row" role="search">
                ${field({ id: "q", name: "q", label: t.findProperty, type: "search", value: wanted })}
                ${button(shared.search)}
              </form>
              ${
                found !== undefined &&
                (found.data.length === 0
                  ? emptyState(shared.noMatch)
                  : html`${rowsOf(found.data, "add", t.addPropertyOf)}
                    ${found.page.hasMore && html`<p class="soft">${t.tooManyProperties}</p>`}`)
              }`
          )}
        </div>`
    })
  })
)

const changeProperties = post("/console/:team/projects/:projectId/properties/links", (page) =>
  Effect.gen(function* () {
    const projects = yield* Projects
    const { form } = page
    const project = yield* projects.get(page.params["projectId"] ?? "")
    const [added, removed] = [form.text("add"), form.text("remove")]
    const propertyIds = [
      ...project.propertyIds.filter((id) => id !== removed && id !== added),
      ...(added === undefined ? [] : [added])
    ]
    yield* projects.patch(project.id, formRequest(page, { propertyIds }))
    return new Goto({
      path: `${projectPath(page, project.id)}/properties`,
      note: common[page.reader.language].saved
    })
  })
)

// How it ends and comes back. What would happen is said first.

type Move = "close" | "delete" | "reopen"

const askAndMove = (move: Move) =>
  post(`/console/:team/projects/:projectId/${move}`, (page) =>
    Effect.gen(function* () {
      const { reader } = page
      const t = words[reader.language]
      const [projects, lifecycle] = [yield* Projects, yield* ProjectLifecycle]
      const { projectId = "" } = page.params
      const request = formRequest(page)
      const back = projectPath(page, projectId)
      const run = (): Effect.Effect<unknown, Problem, Effect.Services<ReturnType<typeof lifecycle.close>>> =>
        lifecycle[move](projectId, request)
      const { outcome } = yield* rehearsed(run())
      const size = sumsOf(outcome)
        .map(({ change, ids, later, type }) => `${type} ${change} ${ids.length + later}`)
        .join(", ")
      if (page.form.text("confirmed") !== size) {
        const { name } = yield* projects.get(projectId)
        const texts = {
          close: [t.closeOf, t.closing, common[reader.language].close],
          delete: [t.deleteOf, t.deleting, common[reader.language].delete],
          reopen: [t.reopenOf, t.reopening, t.reopen]
        } as const
        const [title, about, doIt] = texts[move]
        return new View({
          title: title(name ?? ""),
          body: confirmation(page, {
            title: title(name ?? ""),
            body: html`<p>${about}</p>
              ${yield* whatWouldHappen(page, outcome, Related)}`,
            label: doIt,
            confirmed: size,
            back,
            isDangerous: move === "delete"
          })
        })
      }
      yield* run()
      return move === "delete"
        ? new Goto({ path: `${page.base}/projects`, note: t.deleted })
        : new Goto({ path: back, note: move === "close" ? t.closed : t.reopened })
    })
  )

const restore = post("/console/:team/projects/:projectId/restore", (page) =>
  Effect.gen(function* () {
    const { restore: restoreProject } = yield* ProjectLifecycle
    const { id } = yield* restoreProject(page.params["projectId"] ?? "", formRequest(page))
    return new Goto({ path: backOf(page, projectPath(page, id)), note: words[page.reader.language].restored })
  })
)

/** The pages of projects. */
export const pages = [
  list,
  newProject,
  create,
  overview,
  edit,
  save,
  properties,
  changeProperties,
  timelinePage,
  askAndMove("close"),
  askAndMove("reopen"),
  askAndMove("delete"),
  restore
]

/** Brokers have projects. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [{ href: `${base}/projects`, name: words[reader.language].projects, icon: "M3 8l7-5 7 5v9H3zM8 17v-5h4v5" }]
    : []
