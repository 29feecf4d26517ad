/** The timeline of a record in the console, and the notes that people write on it. Pages of records show them by `timelineSection`. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Action, AnyTimelineQuery } from "../../core/mutation/Timeline.ts"
import type { Input } from "../../core/usecase/Input.ts"
import type { Page } from "../../core/usecase/Page.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { formRequest, Goto, orShowAgain, type PageRequest, post, problemNotice, View } from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import { addressWith, backOf } from "../../console/Lists.ts"
import { button, card, head, hidden, select, tabs, textarea } from "../../console/Parts.ts"
import { timeline, type TimelineNames } from "../../console/Timeline.ts"
import { common, momentText, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { Activities, type NotedRecord, type TimelineRecord } from "./Activities.ts"

const words = texts({
  timeline: ["Timeline", "Verlauf"],
  all: ["All", "Alles"],
  notes: ["Notes", "Notizen"],
  chat: ["Messages", "Nachrichten"],
  audit: ["Changes", "Änderungen"],
  tasks: ["Tasks", "Aufgaben"],
  showOld: ["Show archived and replaced notes", "Archivierte und ersetzte Notizen zeigen"],
  hideOld: ["Hide archived and replaced notes", "Archivierte und ersetzte Notizen verbergen"],
  hideOthers: ["Only its own rows", "Nur eigene Zeilen"],
  showOthers: ["Also rows of what belongs to it", "Auch Zeilen des Zugehörigen"],
  newNote: ["New note", "Neue Notiz"],
  format: ["Format", "Format"],
  plaintext: ["Plain text", "Reiner Text"],
  write: ["Add the note", "Notiz hinzufügen"],
  written: ["The note was added.", "Die Notiz wurde hinzugefügt."],
  revise: ["Revise", "Überarbeiten"],
  saveRevision: ["Save the revision", "Fassung speichern"],
  archive: ["Archive", "Archivieren"],
  unarchive: ["Bring back", "Zurückholen"],
  earlier: ["Earlier", "Früher"],
  latest: ["Latest", "Neueste"]
})

/** The parameters of an address that choose the rows of a timeline. */
const typeName = "timeline"
const oldName = "old_notes"
const cursorName = "before"
const ownName = "own"

const timelineTypes = ["notes", "chat", "audit", "tasks"] as const

/** The query of the timeline that the address of a page asks for. */
export const timelineQuery = ({ search }: Pick<PageRequest, "search">): Input<AnyTimelineQuery> => {
  const type = timelineTypes.find((one) => one === search.get(typeName))
  const cursor = search.get(cursorName) ?? ""
  return Effect.succeed({
    page_size: 25,
    ...(type === undefined ? {} : { type }),
    ...(cursor === "" ? {} : { cursor }),
    ...(search.get(ownName) === "true" ? { include_rollups: false } : {}),
    ...(search.get(oldName) === "true" ? { include_archived: true, include_superseded: true } : {})
  })
}

const recordFields = (record: TimelineRecord): Html =>
  html`${hidden("type", record.type)} ${hidden("id", record.id)}
  ${record.type === "prospect" && hidden("projectId", record.projectId)}`

const noteForms = (page: PageRequest, record: NotedRecord, row: Action): Html => {
  const t = words[page.reader.language]
  const isArchived = row.archivedAt !== null && row.archivedAt !== undefined
  const shared = html`${formField(page.visit)} ${recordFields(record)} ${hidden("note", row.id)}
  ${hidden("etag", row.etag)} ${hidden("back", addressWith(page, {}))}`
  return html`<div class="row">
    <form method="post" action="${page.base}/notes/${isArchived ? "unarchive" : "archive"}">
      ${shared}
      ${button(isArchived ? t.unarchive : t.archive, { kind: "quiet", of: momentText(page.reader, row.occurredUtc) })}
    </form>
    <details class="menu">
      <summary class="button quiet">${t.revise}</summary>
      <form class="card pad stack" method="post" action="${page.base}/notes/supersede">
        ${shared}
        ${textarea({ id: `revise-${row.id}`, name: "message", label: t.newNote, value: row.details.kind === "note" ? row.details.message : "", rows: 5 })}
        ${button(t.saveRevision, { kind: "main" })}
      </form>
    </details>
  </div>`
}

const isRevisable = ({ details, supersededByActivityId, type }: Action) =>
  type === "note" && supersededByActivityId === undefined && !("erased" in details && details.erased === true)

/** The form of a new note on a record. `key` is a new UUID: a form that is sent twice writes one note. */
const newNote = (page: PageRequest, record: NotedRecord, key: string, typed = ""): Html => {
  const t = words[page.reader.language]
  return html`<form class="stack" method="post" action="${page.base}/notes">
    ${formField(page.visit)} ${recordFields(record)} ${hidden("key", key)}
    ${hidden("back", page.form.text("back") ?? addressWith(page, {}))}
    ${textarea({ id: "new-note", name: "message", label: t.newNote, value: typed, isRequired: true, rows: 3 })}
    <div class="row">
      ${select({
        id: "new-note-format",
        name: "contentFormat",
        label: t.format,
        value: "plaintext",
        options: [
          ["plaintext", t.plaintext],
          ["markdown", "Markdown"]
        ]
      })}
      ${button(t.write, { kind: "main" })}
    </div>
  </form>`
}

/** What the rows of a timeline speak of: known before, or found for the rows that are shown. */
type NamesOf<E, R> = TimelineNames | ((rows: ReadonlyArray<Action>) => Effect.Effect<TimelineNames, E, R>)

/** The timeline of a record with its filters, and the form of a new note where it takes notes. */
export const timelineSection = Effect.fnUntraced(function* <E = never, R = never>(
  page: PageRequest,
  record: TimelineRecord,
  names: NamesOf<E, R>,
  { takesNotes = true }: { readonly takesNotes?: boolean } = {}
) {
  const { list } = yield* Activities
  const random = yield* SecureRandom.SecureRandom
  const t = words[page.reader.language]
  const rows: Page<Action> = yield* list(record, { query: timelineQuery(page) })
  const isOwn = page.search.get(ownName) === "true"
  const named = typeof names === "function" ? yield* names(rows.data) : names
  const isFurther = page.search.has(cursorName)
  const isOld = page.search.get(oldName) === "true"
  const present = page.search.get(typeName) ?? "all"
  const types = ["all", "notes", "chat", "audit", ...(record.type === "prospect" ? (["tasks"] as const) : [])] as const
  const to = (changed: { readonly [name: string]: string | undefined }) =>
    `${addressWith(page, { [cursorName]: undefined, ...changed })}#timeline`
  return card(
    "timeline",
    t.timeline,
    html`${takesNotes && record.type !== "offer" && newNote(page, record, yield* random.uuidV7())}
      <div class="spread">
        ${tabs(
          t.timeline,
          types.map((type) => ({
            href: to({ [typeName]: type === "all" ? undefined : type }),
            name: t[type],
            isCurrent: type === present
          }))
        )}
        <span class="row">
          ${(record.type === "project" || record.type === "prospect") && html`<a class="small" href="${to({ [ownName]: isOwn ? undefined : "true" })}">${isOwn ? t.showOthers : t.hideOthers}</a>`}
          <a class="small" href="${to({ [oldName]: isOld ? undefined : "true" })}">${isOld ? t.hideOld : t.showOld}</a>
        </span>
      </div>
      <div id="timeline-rows">
        ${timeline(page.reader, rows.data, named, {
          fileHref: (id) => `${page.base}/files/${id}`,
          actionsOf: (row) => isRevisable(row) && record.type !== "offer" && noteForms(page, record, row)
        })}
      </div>
      <div class="row">
        ${isFurther && html`<a class="button small" href="${to({})}">${t.latest}</a>`}
        ${rows.page.hasMore && html`<a class="button small" href="${to({ [cursorName]: rows.page.nextCursor ?? "" })}">${t.earlier}</a>`}
      </div>`
  )
})

const noSuchRecord = new NotFound({ detail: "There is no such record." })

const recordOf = ({ form }: PageRequest): Effect.Effect<NotedRecord, NotFound> => {
  const [type, id = "", projectId = ""] = [form.text("type"), form.text("id"), form.text("projectId")]
  if (type === "contact" || type === "company" || type === "property" || type === "project") {
    return Effect.succeed({ type, id })
  }
  return type === "prospect" ? Effect.succeed({ type, id, projectId }) : Effect.fail(noSuchRecord)
}

const write = post("/console/:team/notes", (page) =>
  Effect.gen(function* () {
    const { log } = yield* Activities
    const t = words[page.reader.language]
    const record = yield* recordOf(page)
    const { form } = page
    const body = { message: form.text("message") ?? "", contentFormat: form.text("contentFormat") ?? "plaintext" }
    return yield* log(record, formRequest(page, body)).pipe(
      Effect.as(new Goto({ path: `${backOf(page, page.base)}#timeline`, note: t.written })),
      orShowAgain(page, ({ problem }) =>
        Effect.succeed(
          new View({
            title: t.newNote,
            body: html`${head({ title: t.newNote })} ${problemNotice(page.reader, problem, page.requestId)}
              <div class="card pad">${newNote(page, record, form.text("key") ?? "", form.text("message"))}</div>
              <p><a href="${backOf(page, page.base)}">${common[page.reader.language].back}</a></p>`
          })
        )
      )
    )
  })
)

const move = (action: "archive" | "supersede" | "unarchive") =>
  post(`/console/:team/notes/${action}`, (page) =>
    Effect.gen(function* () {
      const { revise } = yield* Activities
      const record = yield* recordOf(page)
      const body =
        action === "supersede" ? { action, supersede: { message: page.form.text("message") ?? "" } } : { action }
      yield* revise(record, page.form.text("note") ?? "", formRequest(page, body))
      return new Goto({ path: `${backOf(page, page.base)}#timeline`, note: common[page.reader.language].saved })
    })
  )

/** What the forms of notes do. */
export const pages = [write, move("archive"), move("unarchive"), move("supersede")]
