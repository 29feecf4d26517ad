/** Data rooms in the console: documents with their versions, who may read them and until when, questions and answers. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  listQuery,
  orShowAgain,
  type PageRequest,
  post,
  postFile,
  problemNotice,
  View
} from "../../console/Console.ts"
import { durationField } from "../../console/Durations.ts"
import { html, type Html } from "../../console/Html.ts"
import { confirmation, filterForm, pager, table } from "../../console/Lists.ts"
import {
  box,
  button,
  card,
  emptyState,
  facts,
  faultOf,
  field,
  head,
  hidden,
  pill,
  select,
  textarea,
  unbroken
} from "../../console/Parts.ts"
import { rehearsed, whatWouldHappen } from "../../console/Rehearsals.ts"
import { Related } from "../../market/related/Related.ts"
import { storeEach, uploadForm } from "../../console/Uploads.ts"
import { common, moment, number, texts } from "../../console/Texts.ts"
import { statePill } from "../../console/Vocabulary.ts"
import { formField } from "../../console/Visit.ts"
import { make } from "../../core/usecase/UseCaseRequest.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { AccessLifecycle } from "../lifecycle/AccessLifecycle.ts"
import { documentsList, questionCategoryWord } from "../offers/pages.ts"
import { nameOf } from "../prospects/drawer/pages.ts"
import { Prospects } from "../prospects/Prospects.ts"
import { questions as questionsContract, rooms as roomsContract } from "./api.ts"
import { Documents } from "./Documents.ts"
import { type Question, questionPriorities, questionStates } from "./questions/Question.ts"
import { Questions } from "./questions/Questions.ts"
import { questionCategories, type RoomSummary } from "./Room.ts"
import { Rooms } from "./Rooms.ts"
import { projectHead, projectPath } from "../projects/ProjectHead.ts"
import { Projects } from "../projects/Projects.ts"

const words = texts({
  rooms: ["Data rooms", "Datenräume"],
  project: ["Project", "Projekt"],
  open: ["Open a data room", "Datenraum öffnen"],
  opened: ["The data room was opened.", "Der Datenraum wurde geöffnet."],
  nda: ["Investors need a non-disclosure agreement", "Investoren brauchen eine Vertraulichkeitserklärung"],
  access: ["Access lasts", "Zugang gilt"],
  none: ["No data rooms yet", "Noch keine Datenräume"],
  members: ["Who has access", "Wer Zugang hat"],
  nobody: ["Nobody yet.", "Noch niemand."],
  until: ["until", "bis"],
  noEnd: ["without an end", "ohne Ende"],
  grant: ["Give access", "Zugang geben"],
  granted: ["Access was given.", "Der Zugang wurde gegeben."],
  revoke: ["Remove access", "Zugang entziehen"],
  revoked: ["Access was taken away.", "Der Zugang wurde entzogen."],
  documents: ["Documents", "Dokumente"],
  upload: ["Upload", "Hochladen"],
  uploaded: [
    (count: number) => (count === 1 ? "The document was added." : `${count} documents were added.`),
    (count: number) => (count === 1 ? "Das Dokument wurde eingestellt." : `${count} Dokumente wurden eingestellt.`)
  ],
  path: ["Folder or new name (optional)", "Ordner oder neuer Name (optional)"],
  pathHint: [
    "Fill in before choosing files: Leases puts them into this folder, Leases/rent-roll.pdf renames one, too. A file of a name that is there becomes its new version.",
    "Vor der Auswahl ausfüllen: „Mietverträge“ legt die Dateien in diesen Ordner, „Mietverträge/Mieterliste.pdf“ benennt eine auch um. Eine Datei mit vorhandenem Namen wird zu dessen neuer Version."
  ],
  questions: ["Questions", "Fragen"],
  question: ["Question", "Frage"],
  openQuestions: ["Open questions", "Offene Fragen"],
  noQuestions: ["No questions here", "Hier sind keine Fragen"],
  noQuestionsAdvice: [
    "Investors with access ask them with their offer.",
    "Investoren mit Zugang stellen sie bei ihrem Angebot."
  ],
  all: ["All questions", "Alle Fragen"],
  askedBy: ["Asked by", "Gefragt von"],
  asked: ["Asked", "Gefragt"],
  due: ["Due", "Fällig"],
  category: ["About", "Thema"],
  priority: ["Priority", "Priorität"],
  assignee: ["Assignee", "Zuständig"],
  me: ["Me", "Ich"],
  unassigned: ["Nobody", "Niemand"],
  draft: ["Draft", "Entwurf"],
  saveDraft: ["Save the draft", "Entwurf speichern"],
  drafted: ["The draft was saved. Only your team sees it.", "Der Entwurf wurde gespeichert. Nur Ihr Team sieht ihn."],
  answer: ["Answer", "Antwort"],
  publish: ["Publish the answer", "Antwort veröffentlichen"],
  published: ["The answer was published.", "Die Antwort wurde veröffentlicht."],
  audience: ["For", "Für"],
  asker: ["Who asked", "Wer gefragt hat"],
  readBy: [(whom: string) => `Read by: ${whom}`, (whom: string) => `Zu lesen für: ${whom}`],
  everybody: ["All who have access", "Alle mit Zugang"],
  close: ["Close", "Schließen"],
  closeQuestion: ["Close the question", "Frage schließen"],
  closeRoom: [(name: string) => `Close ${name}?`, (name: string) => `${name} schließen?`],
  closed: ["It was closed.", "Geschlossen."],
  teaser: ["Teaser", "Teaser"],
  takes: ["Takes questions", "Nimmt Fragen an"],
  state: ["State", "Zustand"],
  overdue: ["Overdue", "Überfällig"],
  low: ["Low", "Niedrig"],
  normal: ["Normal", "Normal"],
  high: ["High", "Hoch"],
  urgent: ["Urgent", "Dringend"],
  openState: ["Open", "Offen"],
  draftedState: ["Drafted", "Entworfen"],
  answered: ["Answered", "Beantwortet"],
  closedState: ["Closed", "Geschlossen"]
})

const priorityWord = ({ reader }: PageRequest, priority: string): string => {
  const known: { readonly [word: string]: unknown } = words[reader.language]
  const word = known[priority]
  return typeof word === "string" ? word : priority
}

const stateWord = ({ reader }: PageRequest, state: string): string => {
  const t = words[reader.language]
  const states: { readonly [state: string]: string } = {
    open: t.openState,
    drafted: t.draftedState,
    answered: t.answered,
    closed: t.closedState
  }
  return states[state] ?? state
}

const idOf = ({ params }: Pick<PageRequest, "params">) => params["id"] ?? ""

/** A room by its id alone, with who has access to it. */
const load = (id: string) => Effect.flatMap(Rooms, (rooms) => rooms.summary(id))

const crumbsOf = Effect.fnUntraced(function* (
  page: PageRequest,
  room: Pick<RoomSummary, "id" | "name" | "projectId">,
  isAtRoom = true
) {
  const projects = yield* Projects
  const { name } = yield* projects.get(room.projectId)
  const t = words[page.reader.language]
  return [
    { href: projectPath(page, room.projectId), name: name ?? t.project },
    { href: `${projectPath(page, room.projectId)}/rooms`, name: t.rooms },
    ...(isAtRoom ? [] : [{ href: `${page.base}/rooms/${room.id}`, name: room.name }])
  ]
})

// The rooms of a project.

const openForm = (page: PageRequest, projectId: string, key: string, attempt?: Attempt): Html => {
  const t = words[page.reader.language]
  return html`<form class="stack" method="post" action="${page.base}/projects/${projectId}/rooms">
    ${formField(page.visit)} ${hidden("key", attempt?.form.text("key") ?? key)}
    <div class="fields">
      ${field({
        id: "room-name",
        name: "name",
        label: common[page.reader.language].name,
        isRequired: true,
        value: attempt?.form.text("name"),
        fault: faultOf(attempt?.problem.errors, "name")
      })}
      ${durationField(page.reader, {
        id: "room-access",
        name: "defaultAccess",
        label: t.access,
        any: t.noEnd,
        value: attempt === undefined ? "30d" : attempt.form.text("defaultAccess"),
        fault: faultOf(attempt?.problem.errors, "defaultAccess")
      })}
    </div>
    ${box({ id: "room-nda", name: "ndaRequired", label: t.nda, isTicked: attempt?.form.has("ndaRequired") ?? false })}
    <div class="row">${button(t.open, { kind: "main" })}</div>
  </form>`
}

const shownRooms = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const rooms = yield* Rooms
  const random = yield* SecureRandom.SecureRandom
  const t = words[page.reader.language]
  const id = idOf(page)
  const project = yield* (yield* Projects).get(id)
  const found = yield* rooms.list(id, { query: Effect.succeed({ page_size: 100 }) })
  return new View({
    title: `${t.rooms}: ${project.name ?? ""}`,
    body: html`${projectHead(page, project, { part: "rooms" })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <div class="card">
        ${
          found.data.length === 0
            ? emptyState(t.none)
            : table(page, {
                caption: t.rooms,
                rows: found.data,
                idOf: (room) => room.id,
                columns: [
                  {
                    key: "name",
                    title: common[page.reader.language].name,
                    is: "name",
                    cell: (room) => html`<a href="${page.base}/rooms/${room.id}">${room.name}</a>`
                  },
                  { key: "state", title: t.state, cell: ({ status }) => statePill(page.reader, status) },
                  { key: "members", title: t.members, isNumber: true, cell: (room) => room.memberCount },
                  {
                    key: "documents",
                    title: t.documents,
                    isNumber: true,
                    cell: (room) => room.documentCount
                  },
                  {
                    key: "questions",
                    title: t.openQuestions,
                    isNumber: true,
                    cell: (room) => room.openQuestionCount
                  }
                ]
              })
        }
      </div>
      ${card("open", t.open, openForm(page, id, yield* random.uuidV7(), attempt))}`
  })
})

const list = get("/console/:team/projects/:id/rooms", (page) => shownRooms(page))

const open = post("/console/:team/projects/:id/rooms", (page) =>
  Effect.gen(function* () {
    const rooms = yield* Rooms
    const { form } = page
    const body = {
      name: form.text("name") ?? "",
      ndaRequired: form.has("ndaRequired"),
      defaultAccess: form.textOrNull("defaultAccess")
    }
    return yield* rooms.open(idOf(page), formRequest(page, body)).pipe(
      Effect.map(
        ({ value }) => new Goto({ path: `${page.base}/rooms/${value.id}`, note: words[page.reader.language].opened })
      ),
      orShowAgain(page, (attempt) => shownRooms(page, attempt))
    )
  })
)

// One room.

const memberList = (page: PageRequest, room: RoomSummary): Html => {
  const t = words[page.reader.language]
  return html`${room.members.length === 0 && html`<p class="soft">${t.nobody}</p>`}
    <ul class="items" role="list">
      ${room.members.map(
        ({ accessExpiryUtc, name, prospectId }) =>
          html`<li id="${prospectId}">
            <div>
              <a href="${page.base}/projects/${room.projectId}?open=${prospectId}">${name ?? prospectId}</a>
              <span class="below"
                >${accessExpiryUtc === null ? t.noEnd : html`${t.until} ${moment(page.reader, accessExpiryUtc)}`}</span
              >
            </div>
            <form method="post" action="${page.base}/rooms/${room.id}/revoke">
              ${formField(page.visit)} ${hidden("pick", prospectId)}
              ${button(t.revoke, { kind: "quiet", of: name ?? "" })}
            </form>
          </li>`
      )}
    </ul>`
}

/** How many prospects the form of a grant lists. */
const maxShown = 500

const grantForm = Effect.fnUntraced(function* (page: PageRequest, room: RoomSummary) {
  const prospects = yield* Prospects
  const t = words[page.reader.language]
  const found = yield* prospects.list(room.projectId, { query: Effect.succeed({ page_size: maxShown }) })
  const members = new Set(room.members.map(({ prospectId }) => prospectId))
  const others = found.data.filter(({ id }) => !members.has(id))
  if (others.length === 0) return undefined
  return html`<details>
    <summary class="button">${t.grant}</summary>
    <form class="stack" method="post" action="${page.base}/rooms/${room.id}/grant">
      ${formField(page.visit)}
      <div class="boxes">
        ${others.map((prospect) =>
          box({
            id: `grant-${prospect.id}`,
            name: "pick",
            value: prospect.id,
            label: html`${nameOf(page, prospect)}<span class="below"
                >${unbroken(prospect.contact?.email ?? prospect.company?.domain)}</span
              >`
          })
        )}
      </div>
      ${durationField(page.reader, { id: "grant-until", name: "until", label: t.access, any: t.noEnd, value: room.defaultAccess })}
      <div class="row">${button(t.grant, { kind: "main" })}</div>
    </form>
  </details>`
})

const show = get("/console/:team/rooms/:id", (page) =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const room = yield* load(idOf(page))
    const t = words[page.reader.language]
    const at = `${page.base}/rooms/${room.id}`
    const isOpen = room.status === "open"
    const documents = yield* Documents
    const found = yield* documents.page(
      { projectId: room.projectId, roomId: room.id },
      { query: listQuery(roomsContract.endpoints.listDocuments, page) }
    )
    return new View({
      title: room.name,
      body: html`${head({
          title: room.name,
          crumbs: yield* crumbsOf(page, room),
          subtitle: statePill(page.reader, room.status),
          actions: html`<a class="button" href="${at}/questions"
              >${t.questions} (${number(page.reader, room.openQuestionCount)})</a
            >
            <a class="button" href="${page.base}/teasers/${room.id}">${t.teaser}</a>
            ${isOpen && html`<form method="post" action="${at}/close">${formField(page.visit)} ${button(t.close, { kind: "danger" })}</form>`}`
        })}
        <div class="grid-2">
          ${card(
            "documents",
            t.documents,
            html`${documentsList(page, found.data)}
            ${found.data.length < room.documentCount && pager(page, found.page, found.data.length)}
            ${
              isOpen &&
              uploadForm(page, {
                id: "document-file",
                action: `${at}/documents`,
                label: t.upload,
                fields: html`${hidden("key", yield* random.uuidV7())}
                ${field({ id: "document-path", name: "path", label: t.path, hint: t.pathHint })}`,
                shows: "documents-list"
              })
            }`
          )}
          ${card("members", t.members, html`${memberList(page, room)} ${isOpen && (yield* grantForm(page, room))}`)}
        </div>`
    })
  })
)

/**
 * Where a document goes: into the folder that was typed, or to the path that ends with its name, of which the next ones that were chosen with
 * it share the folder. Undefined is the name of the file.
 */
const pathFor = (typed: string | undefined, filename: string, index: number): string | undefined => {
  if (typed === undefined) return undefined
  const path = typed.replaceAll("\\", "/")
  const end = path.lastIndexOf("/") + 1
  const hasName = path.slice(end).includes(".")
  if (hasName && index === 0) return path
  const folder = hasName ? path.slice(0, end) : `${path}/`
  return `${folder}${filename}`
}

const upload = postFile("/console/:team/rooms/:id/documents", (page) =>
  Effect.gen(function* () {
    const documents = yield* Documents
    const to = { path: `${page.base}/rooms/${idOf(page)}#documents`, note: words[page.reader.language].uploaded }
    return yield* storeEach(page, to, ({ file, filename, index, request }) => {
      const path = pathFor(page.form.text("path"), filename, index)
      const operation = `${request.operation} ${path ?? ""}`
      return Effect.scoped(
        documents.upload(idOf(page), { ...request, operation, file, ...(path === undefined ? {} : { path }) })
      )
    })
  })
)

const changeAccess = (to: "grant" | "revoke") =>
  post(`/console/:team/rooms/:id/${to}`, (page) =>
    Effect.gen(function* () {
      const access = yield* AccessLifecycle
      const t = words[page.reader.language]
      const prospectIds = [...page.form.all("pick")]
      const body = to === "grant" ? { prospectIds, until: page.form.textOrNull("until") } : { prospectIds }
      const request = make({ operation: page.path, query: {}, body })
      yield* to === "grant" ? access.grant(idOf(page), request) : access.revoke(idOf(page), request)
      return new Goto({
        path: `${page.base}/rooms/${idOf(page)}#members`,
        note: to === "grant" ? t.granted : t.revoked
      })
    })
  )

const close = post("/console/:team/rooms/:id/close", (page) =>
  Effect.gen(function* () {
    const rooms = yield* Rooms
    const t = words[page.reader.language]
    const id = idOf(page)
    const closing = rooms.close(id, { query: Effect.succeed({}) })
    if (page.form.has("confirmed")) {
      yield* closing
      return new Goto({ path: `${page.base}/rooms/${id}`, note: t.closed })
    }
    const room = yield* load(id)
    const { outcome } = yield* rehearsed(closing)
    const title = t.closeRoom(room.name)
    return new View({
      title,
      body: confirmation(page, {
        title,
        body: yield* whatWouldHappen(page, outcome, Related),
        label: t.close,
        confirmed: "yes",
        back: `${page.base}/rooms/${id}`
      })
    })
  })
)

// Questions.

const stateKinds = { open: "warn", drafted: "warn", answered: "good", closed: "plain" } as const

const questionPill = (page: PageRequest, status: string): Html =>
  pill(
    status === "open" || status === "drafted" || status === "answered" ? stateKinds[status] : "plain",
    stateWord(page, status)
  )

/** The members of the team who may answer, with the present assignee of a question, who may have left it. */
const assigneesOf = Effect.fnUntraced(function* (page: PageRequest, question?: Question) {
  const { choices } = yield* Members
  const present = question?.assignee
  const members = new Map(yield* choices(page.seat?.actor.teamId ?? ""))
  if (present && !members.has(present.id)) members.set(present.id, present.name)
  return [...members]
})

const listQuestions = get("/console/:team/rooms/:id/questions", (page) =>
  Effect.gen(function* () {
    const questions = yield* Questions
    const room = yield* load(idOf(page))
    const t = words[page.reader.language]
    const query = listQuery(questionsContract.endpoints.list, page)
    const found = yield* questions.list({ projectId: room.projectId, roomId: room.id }, { query })
    return new View({
      title: t.questions,
      body: html`${head({ title: t.questions, crumbs: yield* crumbsOf(page, room, false) })}
        ${filterForm(page, [
          { name: "status", label: t.state, options: questionStates.map((state) => [state, stateWord(page, state)]) },
          {
            name: "category",
            label: t.category,
            options: questionCategories.map((category) => [category, questionCategoryWord(page, category)])
          },
          {
            name: "priority",
            label: t.priority,
            options: questionPriorities.map((one) => [one, priorityWord(page, one)])
          },
          {
            name: "assignee",
            label: t.assignee,
            options: [["me", t.me], ["none", t.unassigned], ...(yield* assigneesOf(page))]
          },
          { name: "overdue", label: t.overdue, options: [["true", common[page.reader.language].yes]] }
        ])}
        <div class="card">
          ${
            found.data.length === 0
              ? emptyState(t.noQuestions, t.noQuestionsAdvice)
              : table(page, {
                  caption: t.questions,
                  rows: found.data,
                  idOf: ({ id }) => id,
                  columns: [
                    {
                      key: "question",
                      title: t.question,
                      is: "name",
                      cell: (one: Question) =>
                        html`<a href="${page.base}/questions/${one.id}">${one.number}. ${one.text.slice(0, 120)}</a>`
                    },
                    { key: "state", title: t.state, cell: (one) => questionPill(page, one.status) },
                    { key: "priority", title: t.priority, is: "more", cell: (one) => priorityWord(page, one.priority) },
                    { key: "asker", title: t.askedBy, is: "more", cell: (one) => one.askedBy?.name },
                    { key: "due", title: t.due, is: "more", cell: (one) => moment(page.reader, one.dueUtc) }
                  ]
                })
          }
          ${pager(page, found.page, found.data.length)}
        </div>`
    })
  })
)

const shownQuestion = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const questions = yield* Questions
  const t = words[page.reader.language]
  const params = yield* questions.locate(idOf(page))
  const question = yield* questions.get(params)
  const room = yield* load(params.roomId)
  const at = `${page.base}/questions/${question.id}`
  const isOpen = question.status === "open" || question.status === "drafted"
  const assignees = isOpen ? yield* assigneesOf(page, question) : []
  const text = attempt?.form.text("text") ?? question.draftAnswer?.text
  return new View({
    title: `${t.question} ${question.number}`,
    body: html`${head({
        title: `${t.question} ${question.number}`,
        crumbs: [
          ...(yield* crumbsOf(page, room, false)),
          { href: `${page.base}/rooms/${room.id}/questions`, name: t.questions }
        ],
        subtitle: questionPill(page, question.status)
      })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <div class="grid-2">
        ${card(
          "question",
          t.question,
          html`<p class="said">${question.text}</p>
            ${facts([
              [t.askedBy, question.askedBy?.name],
              [t.asked, moment(page.reader, question.askedUtc)],
              [t.due, moment(page.reader, question.dueUtc)],
              [
                t.documents,
                question.document !== null &&
                  html`<a href="${page.base}/files/${question.document.fileId}" download>${question.document.name}</a>`
              ]
            ])}
            ${
              isOpen &&
              html`<form class="fields" method="post" action="${at}">
                ${formField(page.visit)} ${hidden("etag", question.etag)}
                ${select({ id: "priority", name: "priority", label: t.priority, value: question.priority, isRequired: true, options: questionPriorities.map((one) => [one, priorityWord(page, one)]) })}
                ${select({ id: "category", name: "category", label: t.category, value: question.category, isRequired: true, options: questionCategories.map((one) => [one, questionCategoryWord(page, one)]) })}
                ${select({ id: "assignee", name: "assignee", label: t.assignee, value: attempt === undefined ? (question.assignee?.id ?? "") : (attempt.form.text("assignee") ?? ""), any: t.unassigned, options: assignees, fault: faultOf(attempt?.problem.errors, "assignee") })}
                <div class="row">${button(common[page.reader.language].save)}</div>
              </form>`
            }`
        )}
        ${card(
          "answer",
          t.answer,
          question.answer !== null
            ? html`<p class="said">${question.answer.text}</p>
                <p class="soft small">
                  ${t.readBy(question.answer.audience === "all" ? t.everybody : t.asker)},
                  ${moment(page.reader, question.answer.publishedUtc)}
                </p>`
            : html`<form class="stack" method="post" action="${at}/answer">
                  ${formField(page.visit)} ${hidden("etag", question.etag)}
                  ${textarea({ id: "answer-text", name: "text", label: t.answer, rows: 6, isRequired: true, value: text, fault: faultOf(attempt?.problem.errors, "text") })}
                  ${select({
                    id: "audience",
                    name: "audience",
                    label: t.audience,
                    value: attempt?.form.text("audience") ?? "asker",
                    isRequired: true,
                    options: [
                      ["asker", t.asker],
                      ["all", t.everybody]
                    ]
                  })}
                  <div class="row">
                    ${button(t.publish, { kind: "main" })} ${button(t.saveDraft, { name: "do", value: "draft" })}
                  </div>
                </form>
                ${isOpen && html`<form method="post" action="${at}/close">${formField(page.visit)} ${button(t.closeQuestion, { kind: "quiet" })}</form>`}`
        )}
      </div>`
  })
})

const showQuestion = get("/console/:team/questions/:id", (page) => shownQuestion(page))

const saveQuestion = post("/console/:team/questions/:id", (page) =>
  Effect.gen(function* () {
    const questions = yield* Questions
    const params = yield* questions.locate(idOf(page))
    const { form } = page
    const body = {
      priority: form.text("priority") ?? "normal",
      category: form.text("category") ?? "other",
      assignee: form.textOrNull("assignee")
    }
    return yield* questions.patch(params, formRequest(page, body)).pipe(
      Effect.as(new Goto({ path: `${page.base}/questions/${idOf(page)}`, note: common[page.reader.language].saved })),
      orShowAgain(page, (attempt) => shownQuestion(page, attempt))
    )
  })
)

const answer = post("/console/:team/questions/:id/answer", (page) =>
  Effect.gen(function* () {
    const questions = yield* Questions
    const t = words[page.reader.language]
    const { form } = page
    const text = form.text("text") ?? ""
    const isDraft = form.text("do") === "draft"
    const params = yield* questions.locate(idOf(page))
    const sending = Effect.gen(function* () {
      if (isDraft) yield* questions.draft(params, formRequest(page, { text }))
      else yield* questions.answer(idOf(page), formRequest(page, { text, audience: form.text("audience") ?? "asker" }))
      return new Goto({ path: `${page.base}/questions/${idOf(page)}`, note: isDraft ? t.drafted : t.published })
    })
    return yield* orShowAgain(page, (attempt) => shownQuestion(page, attempt))(sending)
  })
)

const closeQuestion = post("/console/:team/questions/:id/close", (page) =>
  Effect.gen(function* () {
    const questions = yield* Questions
    yield* questions.close(idOf(page), { query: Effect.succeed({}) })
    return new Goto({ path: `${page.base}/questions/${idOf(page)}`, note: words[page.reader.language].closed })
  })
)

/** The pages of data rooms and of the questions in them. */
export const pages = [
  list,
  open,
  show,
  upload,
  changeAccess("grant"),
  changeAccess("revoke"),
  close,
  listQuestions,
  showQuestion,
  saveQuestion,
  answer,
  closeQuestion
]
