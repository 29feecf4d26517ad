/** One prospect in the console: what the drawer beside a list and its own page show, and what their forms do. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  orShowAgain,
  type PageRequest,
  post,
  postFile,
  problemNotice,
  View
} from "../../../console/Console.ts"
import { bodyOf, differingMembers, type Member } from "../../../console/FormMembers.ts"
import { bothVersions, memberFields } from "../../../console/Forms.ts"
import { html, type Html, type Part } from "../../../console/Html.ts"
import { addressWith, backOf } from "../../../console/Lists.ts"
import { memberLabel } from "../../../console/memberNames.ts"
import { quantity } from "../../../console/Numbers.ts"
import {
  button,
  facts,
  faultOf,
  field,
  head,
  hidden,
  notice,
  numberField,
  pill,
  textarea
} from "../../../console/Parts.ts"
import { reasonText } from "../../../console/problemTexts.ts"
import { common, day, moment, texts } from "../../../console/Texts.ts"
import { storeEach, uploadForm } from "../../../console/Uploads.ts"
import { formField } from "../../../console/Visit.ts"
import { label, options } from "../../../console/Vocabulary.ts"
import { timelineSection } from "../../../content/activities/pages.ts"
import type { Action } from "../../../core/mutation/Timeline.ts"
import type { Json } from "../../../core/usecase/Input.ts"
import { Members } from "../../../identity/teams/Teams.ts"
import { AccessLifecycle } from "../../lifecycle/AccessLifecycle.ts"
import { Messages } from "../../messages/Messages.ts"
import type { Project } from "../../projects/Project.ts"
import { projectPath } from "../../projects/ProjectHead.ts"
import { Projects } from "../../projects/Projects.ts"
import { Rooms } from "../../rooms/Rooms.ts"
import { interests, type Prospect, stages } from "../Prospect.ts"
import { ProspectChanges } from "../ProspectChanges.ts"
import { Prospects } from "../Prospects.ts"
import { creation, type ProspectIds, taskForm, tasksOf } from "../tasks/pages.ts"
import { Tasks } from "../tasks/Tasks.ts"

/** The classifications that one can choose; a prospect keeps another one that it has. */
export const classifications = ["not_contacted", "contacted", "interested", "bidder"] as const

const words = texts({
  access: ["Data rooms", "Datenräume"],
  accessEnd: ["Access until", "Zugang bis"],
  accessSaved: ["The end of the access was saved.", "Das Ende des Zugangs wurde gespeichert."],
  active: ["has access", "hat Zugang"],
  amount: ["Amount", "Betrag"],
  bid: ["Record the bid", "Gebot erfassen"],
  bidRecorded: ["The bid was recorded.", "Das Gebot wurde erfasst."],
  bids: ["Bids", "Gebote"],
  call: ["Log the call", "Anruf festhalten"],
  callLogged: ["The call was logged.", "Der Anruf wurde festgehalten."],
  callNote: ["What was said", "Was besprochen wurde"],
  calls: ["Log a call", "Anruf festhalten"],
  chatClosed: [
    "Messages can be exchanged once the investor has accepted the offer.",
    "Nachrichten sind möglich, sobald der Investor das Angebot angenommen hat."
  ],
  contact: ["In the network", "Im Netzwerk"],
  currency: ["Currency", "Währung"],
  edit: ["Stage and interest", "Phase und Interesse"],
  erased: ["The person was erased.", "Die Person wurde gelöscht."],
  expired: ["access ended", "Zugang abgelaufen"],
  give: ["Give access", "Zugang geben"],
  given: ["The investor has access.", "Der Investor hat Zugang."],
  im: ["Memorandum was shared", "Memorandum wurde übergeben"],
  imShared: ["The memorandum is recorded as shared.", "Die Übergabe des Memorandums ist erfasst."],
  message: ["Message", "Nachricht"],
  messages: ["Write to the investor", "An den Investor schreiben"],
  noOwner: ["Nobody", "Niemand"],
  noRoom: ["The project has no data room.", "Das Projekt hat keinen Datenraum."],
  none: ["no access", "kein Zugang"],
  override: [
    (by: string, reason: string) => `Set by ${by}${reason === "" ? "" : `: ${reason}`}`,
    (by: string, reason: string) => `Gesetzt von ${by}${reason === "" ? "" : `: ${reason}`}`
  ],
  overrideGone: ["The stage follows from the milestones again.", "Die Phase folgt wieder aus den Meilensteinen."],
  owner: ["Owner", "Zuständig"],
  prospects: ["Prospects", "Interessenten"],
  putBack: ["Put back on the list", "Zurück auf die Liste"],
  reason: ["Reason, if the stage changes", "Grund, falls sich die Phase ändert"],
  remove: ["Remove from the list", "Von der Liste nehmen"],
  removed: [
    "The investor was removed from the list, with everything kept. You can put them back.",
    "Der Interessent wurde von der Liste genommen; alles bleibt erhalten. Sie können ihn zurücksetzen."
  ],
  restored: ["The investor is on the list again.", "Der Interessent ist wieder auf der Liste."],
  revoke: ["Withdraw access", "Zugang entziehen"],
  revoked: ["access withdrawn", "Zugang entzogen"],
  send: ["Send", "Senden"],
  sent: ["The message was sent.", "Die Nachricht wurde gesendet."],
  share: ["Share the file", "Datei teilen"],
  shared: [
    (count: number) => (count === 1 ? "The file was shared." : `${count} files were shared.`),
    (count: number) => (count === 1 ? "Die Datei wurde geteilt." : `${count} Dateien wurden geteilt.`)
  ],
  tags: ["Tags on the project, by comma", "Tags am Projekt, mit Komma"],
  tasks: ["Tasks", "Aufgaben"],
  withdraw: ["Work out the stage from the milestones again", "Phase wieder aus den Meilensteinen ableiten"]
})

/** The name by which people know a prospect. */
export const nameOf = (page: Pick<PageRequest, "reader">, { company, contact }: Prospect): string =>
  contact?.name ??
  contact?.email ??
  company?.name ??
  company?.domain ??
  (contact?.erased === true ? words[page.reader.language].erased : common[page.reader.language].unknown)

/** Where the pages of a prospect are. */
export const prospectPath = (page: Pick<PageRequest, "base">, { projectId, prospectId }: ProspectIds): string =>
  `${projectPath(page, projectId)}/prospects/${prospectId}`

/** The stage of a prospect by its colour and its word. */
export const stagePill = (page: Pick<PageRequest, "reader">, stage: string): Html =>
  html`<span class="pill ${stage}">${label(page.reader, stage)}</span>`

const idsOf = ({ params }: PageRequest): ProspectIds => ({
  projectId: params["projectId"] ?? "",
  prospectId: params["prospectId"] ?? ""
})

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

// What of a prospect is edited in one form, as its answer has it.

const edited = (prospect: Prospect) => ({ ...prospect, owner: prospect.owner?.id ?? null })

const membersOf = (
  page: PageRequest,
  prospect: Prospect,
  owners: ReadonlyMap<string, string>
): ReadonlyArray<Member> => {
  const { reader } = page
  const t = words[reader.language]
  const { classification, owner } = prospect
  const known: ReadonlyArray<string> = classifications
  const own = classification === null || known.includes(classification) ? [] : [classification]
  return [
    {
      name: "stage",
      label: memberLabel(reader, "stage"),
      kind: "choice",
      options: options(reader, stages),
      isRequired: true
    },
    {
      name: "classification",
      label: memberLabel(reader, "classification"),
      kind: "choice",
      options: options(reader, [...known, ...own]),
      isRequired: true
    },
    {
      name: "interest",
      label: memberLabel(reader, "interest"),
      kind: "choice",
      options: options(reader, interests),
      any: label(reader, "none")
    },
    {
      name: "owner",
      label: t.owner,
      kind: "choice",
      any: t.noOwner,
      options: [...owners, ...(owner === undefined || owners.has(owner.id) ? [] : [[owner.id, owner.name] as const])]
    },
    { name: "projectTags", label: t.tags, kind: "tags" }
  ]
}

const editForm = (
  page: PageRequest,
  ids: ProspectIds,
  prospect: Prospect,
  members: ReadonlyArray<Member>,
  attempt?: Attempt
): Html => {
  const t = words[page.reader.language]
  return html`<form method="post" action="${prospectPath(page, ids)}" class="stack" aria-label="${t.edit}">
    ${formField(page.visit)} ${hidden("etag", prospect.etag)}
    ${hidden("back", page.form.text("back") ?? addressWith(page, {}))}
    ${memberFields(page.reader, members, edited(prospect), attempt)}
    ${field({
      id: "stage-reason",
      name: "stageReason",
      label: t.reason,
      value: attempt?.form.text("stageReason") ?? "",
      fault: faultOf(attempt?.problem.errors, "stageReason")
    })}
    <div class="row">${button(common[page.reader.language].save, { kind: "main" })}</div>
  </form>`
}

// Small forms, each of one thing that happened.

/** A form of one press. */
const press = (
  page: PageRequest,
  action: string,
  title: string,
  {
    fields,
    key,
    kind = "plain",
    of
  }: {
    readonly fields?: Part
    readonly key?: string
    readonly kind?: "danger" | "main" | "plain" | "quiet"
    readonly of?: string
  } = {}
): Html =>
  html`<form method="post" action="${action}">
    ${formField(page.visit)} ${key !== undefined && hidden("key", key)}
    ${hidden("back", page.form.text("back") ?? addressWith(page, {}))} ${fields}
    ${button(title, { kind, ...(of === undefined ? {} : { of }) })}
  </form>`

type Written = "bids" | "calls" | "messages"

const writtenForm = (page: PageRequest, ids: ProspectIds, what: Written, key: string, attempt?: Attempt): Html => {
  const t = words[page.reader.language]
  const typed = (name: string) => attempt?.form.text(name) ?? ""
  const faults = attempt?.problem.errors
  const fields =
    what === "bids"
      ? html`<div class="fields">
          ${numberField({ id: "bid-amount", name: "amount", label: t.amount, value: typed("amount"), isRequired: true, fault: faultOf(faults, "amount") })}
          ${field({ id: "bid-currency", name: "currency", label: t.currency, value: typed("currency") || "EUR", isRequired: true, maxLength: 3, fault: faultOf(faults, "currency") })}
        </div>`
      : what === "calls"
        ? textarea({
            id: "call-note",
            name: "note",
            label: t.callNote,
            value: typed("note"),
            isRequired: true,
            rows: 3,
            fault: faultOf(faults, "note")
          })
        : textarea({
            id: "message-text",
            name: "text",
            label: t.message,
            value: typed("text"),
            isRequired: true,
            rows: 3,
            fault: faultOf(faults, "text")
          })
  return html`<form method="post" action="${prospectPath(page, ids)}/${what}" class="stack">
    ${formField(page.visit)} ${hidden("key", key)} ${hidden("back", page.form.text("back") ?? addressWith(page, {}))}
    ${fields}
    <div class="row">${button(what === "bids" ? t.bid : what === "calls" ? t.call : t.send)}</div>
  </form>`
}

type Access = Effect.Success<ReturnType<Rooms["Service"]["accessOf"]>>[number]

const accessLine = (page: PageRequest, ids: ProspectIds, { expiresUtc, name, roomId, state, status }: Access): Html => {
  const t = words[page.reader.language]
  const path = `${prospectPath(page, ids)}/access`
  return html`<li class="spread">
    <div>
      <a href="${page.base}/rooms/${roomId}">${name}</a>
      <span class="below"
        >${t[state]}${state === "active" && expiresUtc !== null && html`, ${common[page.reader.language].until} ${moment(page.reader, expiresUtc)}`}</span
      >
    </div>
    ${
      state === "active"
        ? press(page, path, t.revoke, { fields: hidden("revoke", roomId), kind: "quiet", of: name })
        : status === "open" && press(page, path, t.give, { fields: hidden("grant", roomId), of: name })
    }
  </li>`
}

/** A form of a prospect that was refused, and which. */
interface Refused extends Attempt {
  readonly what: Written | "edit" | "expiry" | "task"
}

/** A section that is closed at first, but after a form in it was sent. */
const fold = ({ search }: PageRequest, id: string, title: string, body: Part, isOpen = false): Html =>
  html`<details class="section" id="${id}" ${(isOpen || search.get("section") === id) && html`open`}>
    <summary>${title}</summary>
    <div class="stack">${body}</div>
  </details>`

/** The names of rooms as links to them, by id. */
const roomLinks = ({ base }: PageRequest, names: ReadonlyMap<string, string>) =>
  [...names].map(([id, name]): readonly [string, Part] => [id, html`<a href="${base}/rooms/${id}">${name}</a>`])

/** The names of what the timeline of a prospect speaks of, and the texts of its messages. */
const namesOf = (page: PageRequest, prospect: Prospect) => (rows: ReadonlyArray<Action>) =>
  Effect.gen(function* () {
    const [rooms, messages] = [yield* Rooms, yield* Messages]
    const names = yield* rooms.namesOf(
      rows.flatMap(({ subject, subjectId }) => (subject === "room" && subjectId !== undefined ? [subjectId] : []))
    )
    const self = nameOf(page, prospect)
    const investor = prospect.contact?.id ?? prospect.company?.id ?? ""
    return {
      self,
      others: new Map<string, Part>([...roomLinks(page, names), [investor, self]]),
      messages: yield* messages.textsOf(rows)
    }
  })

/** What the drawer shows of a prospect, and its own page. */
export const prospectPanel = Effect.fnUntraced(function* (page: PageRequest, prospect: Prospect, refused?: Refused) {
  const { reader } = page
  const t = words[reader.language]
  const ids = { projectId: prospect.projectId ?? "", prospectId: prospect.id }
  const [{ choices }, tasks, rooms, prospects] = [yield* Members, yield* Tasks, yield* Rooms, yield* Prospects]
  const owners = yield* choices(page.seat?.actor.teamId ?? "")
  const present = yield* tasks.list(ids.projectId, ids.prospectId, { query: Effect.succeed({ page_size: 50 }) })
  const access = yield* rooms.accessOf(ids.projectId, ids.prospectId)
  const bids = yield* prospects.bids(ids.prospectId)
  const isOn = prospect.removedUtc === null && prospect.contact?.erased !== true
  const key = yield* newKey
  const attemptOf = (what: Refused["what"]) => (refused?.what === what ? refused : undefined)
  const written = (what: Written) => {
    const attempt = attemptOf(what)
    return writtenForm(page, ids, what, attempt?.form.text("key") ?? key, attempt)
  }
  const members = membersOf(page, prospect, owners)
  const path = prospectPath(page, ids)
  const { accessExpiryUtc, chat, company, contact, stageOverride, tags } = prospect
  const record =
    contact !== null
      ? `${page.base}/contacts/${contact.id}`
      : company !== null && `${page.base}/companies/${company.id}`
  const timeline = yield* timelineSection(
    page,
    { type: "prospect", id: ids.prospectId, projectId: ids.projectId },
    namesOf(page, prospect),
    {
      takesNotes: isOn
    }
  )
  const name = nameOf(page, prospect)
  return html`<div class="row">
      ${prospect.stage !== null && stagePill(page, prospect.stage)}
      ${tags.map((tag) => html`<span class="tag">${tag}</span>`)}
      ${prospect.accepted === true && pill("good", label(reader, "accepted"))}
      ${prospect.invitation === true && pill("warn", label(reader, "invitation"))}
    </div>
    ${facts([
      [memberLabel(reader, "email"), contact?.email],
      [memberLabel(reader, "domain"), company?.domain],
      [t.contact, record !== false && html`<a href="${record}">${name}</a>`]
    ])}
    ${
      prospect.removedUtc !== null &&
      html`${notice("warn", t.removed)} ${press(page, `${path}/restore`, t.putBack, { kind: "main", of: name })}`
    }
    ${isOn && editForm(page, ids, prospect, members, attemptOf("edit"))}
    ${
      stageOverride !== undefined &&
      html`<div class="spread">
        <p class="soft small">
          ${t.override(stageOverride.setBy?.name ?? common[reader.language].unknown, (stageOverride.reason ?? "").replace(/\.$/, ""))},
          ${moment(reader, stageOverride.setAtUtc)}
        </p>
        ${isOn && press(page, `${path}/override`, t.withdraw, { kind: "quiet" })}
      </div>`
    }
    ${fold(page, "tasks", t.tasks, tasksOf(page, ids, present.data, isOn && taskForm(page, ids, owners, attemptOf("task")?.form.text("key") ?? key, attemptOf("task"))), true)}
    ${
      isOn &&
      html`${fold(page, "calls", t.calls, written("calls"), refused?.what === "calls")}
        ${fold(
          page,
          "messages",
          t.messages,
          chat === true
            ? html`${written("messages")}
              ${uploadForm(page, {
                id: "share-file",
                action: `${path}/files`,
                label: t.share,
                fields: hidden("back", addressWith(page, {})),
                shows: "timeline-rows"
              })}`
            : html`<p class="soft small">${t.chatClosed}</p>`,
          refused?.what === "messages"
        )}
        ${fold(
          page,
          "access",
          t.access,
          html`${
            access.length === 0
              ? html`<p class="soft small">${t.noRoom}</p>`
              : html`<ul class="stack" role="list">
                  ${access.map((one) => accessLine(page, ids, one))}
                </ul>`
          }
          ${
            access.some(({ state }) => state === "active") &&
            html`<form method="post" action="${path}/expiry" class="row">
              ${formField(page.visit)} ${hidden("back", addressWith(page, {}))}
              ${field({ id: "access-expiry", name: "accessExpiry", label: t.accessEnd, type: "date", value: attemptOf("expiry")?.form.text("accessExpiry") ?? accessExpiryUtc?.slice(0, 10) ?? "", fault: faultOf(attemptOf("expiry")?.problem.errors, "accessExpiry") })}
              ${button(common[reader.language].save, { of: t.accessEnd })}
            </form>`
          }`,
          refused?.what === "expiry"
        )}
        ${fold(
          page,
          "bids",
          t.bids,
          html`${
            bids.length > 0 &&
            html`<ul role="list">
              ${bids.map(({ amount, created_at, currency }) => html`<li>${quantity(reader, { value: Number(amount), currency })} <span class="soft small">${day(reader, created_at.toISOString())}</span></li>`)}
            </ul>`
          }
          ${written("bids")}`,
          refused?.what === "bids"
        )}
        <div class="row">
          ${press(page, `${path}/im`, t.im, { key })}
          ${press(page, `${path}/remove`, t.remove, { kind: "danger", of: name })}
        </div>`
    }
    ${timeline}`
})

const loaded = Effect.fnUntraced(function* ({ projectId, prospectId }: ProspectIds) {
  const [projects, prospects] = [yield* Projects, yield* Prospects]
  return { project: yield* projects.get(projectId), prospect: yield* prospects.get(projectId, prospectId) }
})

const crumbsOf = (page: PageRequest, { id, name }: Project) => [
  { href: `${projectPath(page, id)}`, name: name ?? "" },
  { href: `${projectPath(page, id)}/prospects`, name: words[page.reader.language].prospects }
]

const ownPage = Effect.fnUntraced(function* (sent: PageRequest, refused?: Refused) {
  // The page around a form that was refused is the same, whatever address the form has.
  const page = { ...sent, path: prospectPath(sent, idsOf(sent)) }
  const { project, prospect } = yield* loaded(idsOf(page))
  const owners =
    refused === undefined ? new Map<string, string>() : yield* (yield* Members).choices(page.seat?.actor.teamId ?? "")
  const name = nameOf(page, prospect)
  const said =
    refused === undefined
      ? undefined
      : refused.what === "edit" && refused.problem.status === 412
        ? bothVersions(page.reader, membersOf(page, prospect, owners), edited(prospect), page.form)
        : problemNotice(page.reader, refused.problem, page.requestId)
  return new View({
    title: name,
    body: html`${head({ title: name, crumbs: crumbsOf(page, project) })} ${said}
      <div class="card pad stack">${yield* prospectPanel(page, prospect, refused)}</div>`
  })
})

const show = get("/console/:team/projects/:projectId/prospects/:prospectId", (page) => ownPage(page))

/** Where a form leads back to: the section that it is in stays open. */
const back = (page: PageRequest, section?: Written | "access") => {
  const [path = "", query = ""] = backOf(page, prospectPath(page, idsOf(page))).split("?")
  return addressWith({ path, search: new URLSearchParams(query) }, section === undefined ? {} : { section })
}

const save = post("/console/:team/projects/:projectId/prospects/:prospectId", (page) =>
  Effect.gen(function* () {
    const { patch } = yield* ProspectChanges
    const { choices } = yield* Members
    const ids = idsOf(page)
    const { prospect } = yield* loaded(ids)
    const members = membersOf(page, prospect, yield* choices(page.seat?.actor.teamId ?? ""))
    const reason = page.form.text("stageReason")
    // Only what the form changes: to send the rest would record an interest or override a stage that nobody meant.
    const differing = differingMembers(members, edited(prospect), page.form)
    const saved = new Goto({ path: back(page), note: common[page.reader.language].saved })
    if (differing.length === 0 && reason === undefined) return saved
    const body: { readonly [member: string]: Json } = {
      ...bodyOf(page.form, differing),
      ...(reason === undefined ? {} : { stage: page.form.text("stage") ?? "", stageReason: reason })
    }
    return yield* patch(ids.projectId, ids.prospectId, formRequest(page, body)).pipe(
      Effect.as(saved),
      orShowAgain(page, (attempt) => ownPage(page, { ...attempt, what: "edit" }))
    )
  })
)

/** A form of something that happened to a prospect. */
const recorded = <R>(
  what: Written,
  record: (page: PageRequest) => Effect.Effect<string, Parameters<typeof problemNotice>[1], R>
) =>
  post(`/console/:team/projects/:projectId/prospects/:prospectId/${what}`, (page) =>
    record(page).pipe(
      Effect.map((note) => new Goto({ path: back(page, what), note })),
      orShowAgain(page, (attempt) => ownPage(page, { ...attempt, what }))
    )
  )

const task = creation((page, attempt) => ownPage(page, { ...attempt, what: "task" }))

const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const message = recorded("messages", (page) =>
  Effect.gen(function* () {
    const { send } = yield* Messages
    yield* send(idsOf(page).prospectId, formRequest(page, { text: page.form.text("text") ?? "" }))
    return wordsOf(page).sent
  })
)

const call = recorded("calls", (page) =>
  Effect.gen(function* () {
    const { logCall } = yield* Messages
    yield* logCall(idsOf(page).prospectId, formRequest(page, { note: page.form.text("note") ?? "" }))
    return wordsOf(page).callLogged
  })
)

const bid = recorded("bids", (page) =>
  Effect.gen(function* () {
    const { receiveBid } = yield* ProspectChanges
    const amount = page.form.number("amount")
    const currency = (page.form.text("currency") ?? "").toUpperCase()
    yield* receiveBid(idsOf(page).prospectId, formRequest(page, { amount, currency }))
    return wordsOf(page).bidRecorded
  })
)

const shareFile = postFile("/console/:team/projects/:projectId/prospects/:prospectId/files", (page) =>
  Effect.gen(function* () {
    const { share } = yield* Messages
    const to = { path: back(page, "messages"), note: wordsOf(page).shared }
    return yield* storeEach(page, to, ({ file, request }) =>
      Effect.scoped(share(idsOf(page).prospectId, { ...request, file }))
    )
  })
)

const memorandum = post("/console/:team/projects/:projectId/prospects/:prospectId/im", (page) =>
  Effect.gen(function* () {
    const { shareMemorandum } = yield* ProspectChanges
    yield* shareMemorandum(idsOf(page).prospectId, formRequest(page))
    return new Goto({ path: back(page), note: wordsOf(page).imShared })
  })
)

const access = post("/console/:team/projects/:projectId/prospects/:prospectId/access", (page) =>
  Effect.gen(function* () {
    const { grant, revoke } = yield* AccessLifecycle
    const t = wordsOf(page)
    const [granted, revoked] = [page.form.text("grant"), page.form.text("revoke")]
    const request = formRequest(page, { prospectIds: [idsOf(page).prospectId] })
    const { failed } = granted !== undefined ? yield* grant(granted, request) : yield* revoke(revoked ?? "", request)
    return new Goto({
      path: back(page, "access"),
      note: failed[0] !== undefined ? reasonText(page.reader, failed[0]) : granted !== undefined ? t.given : t.revoked
    })
  })
)

const expiry = post("/console/:team/projects/:projectId/prospects/:prospectId/expiry", (page) =>
  Effect.gen(function* () {
    const { patch } = yield* ProspectChanges
    const ids = idsOf(page)
    yield* patch(
      ids.projectId,
      ids.prospectId,
      formRequest(page, { accessExpiry: page.form.textOrNull("accessExpiry") })
    )
    return new Goto({ path: back(page, "access"), note: wordsOf(page).accessSaved })
  }).pipe(orShowAgain(page, (attempt) => ownPage(page, { ...attempt, what: "expiry" })))
)

const withdraw = post("/console/:team/projects/:projectId/prospects/:prospectId/override", (page) =>
  Effect.gen(function* () {
    const { withdrawOverride } = yield* ProspectChanges
    const ids = idsOf(page)
    yield* withdrawOverride(ids.projectId, ids.prospectId, formRequest(page))
    return new Goto({ path: back(page), note: wordsOf(page).overrideGone })
  })
)

const remove = post("/console/:team/projects/:projectId/prospects/:prospectId/remove", (page) =>
  Effect.gen(function* () {
    const { removeFromList } = yield* ProspectChanges
    const ids = idsOf(page)
    yield* removeFromList(ids.projectId, ids.prospectId, formRequest(page))
    // The drawer stays open, with the button that puts the investor back.
    return new Goto({ path: back(page), note: wordsOf(page).removed })
  })
)

const restore = post("/console/:team/projects/:projectId/prospects/:prospectId/restore", (page) =>
  Effect.gen(function* () {
    const changes = yield* ProspectChanges
    const ids = idsOf(page)
    yield* changes.restore(ids.projectId, ids.prospectId, formRequest(page))
    return new Goto({ path: back(page), note: wordsOf(page).restored })
  })
)

/** One prospect, and what its forms do. */
export const pages = [
  show,
  save,
  task,
  message,
  shareFile,
  call,
  bid,
  memorandum,
  access,
  expiry,
  withdraw,
  remove,
  restore
]
