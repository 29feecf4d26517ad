/** The offers of an investor in the console: what was sent, the answer, and after it the broker, messages, documents and questions. */
import * as Id from "../../core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  type LinksOf,
  listQuery,
  orShowAgain,
  type PageRequest,
  post,
  postFile,
  type Problem,
  problemNotice,
  View
} from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { addressWith, confirmation, pager, table } from "../../console/Lists.ts"
import {
  button,
  card,
  emptyState,
  facts,
  head,
  hidden,
  notice,
  pill,
  select,
  tabs,
  textarea
} from "../../console/Parts.ts"
import { rehearsed } from "../../console/Rehearsals.ts"
import { common, moment, texts } from "../../console/Texts.ts"
import { storeEach, uploadForm } from "../../console/Uploads.ts"
import { formField } from "../../console/Visit.ts"
import { timelineSection } from "../../content/activities/pages.ts"
import { sizeOf } from "../../content/files/pages.ts"
import { Mandates } from "../../market/mandates/Mandates.ts"
import { make as requestOf } from "../../core/usecase/UseCaseRequest.ts"
import { OfferLifecycle } from "../lifecycle/OfferLifecycle.ts"
import { Messages } from "../messages/Messages.ts"
import { Documents } from "../rooms/Documents.ts"
import { questionCategories } from "../rooms/Room.ts"
import { Questions } from "../rooms/questions/Questions.ts"
import { projectionView } from "../teasers/pages.ts"
import { offers as contract } from "./api.ts"
import { type Offer, type OfferAnswer, offerFilters } from "./Offer.ts"
import { Offers, type PublishedAnswer } from "./Offers.ts"

const words = texts({
  title: ["Offers", "Angebote"],
  offer: ["Offer", "Angebot"],
  all: ["All", "Alle"],
  active: ["Open or accepted", "Offen oder angenommen"],
  ongoing: ["Accepted", "Angenommen"],
  inactive: ["Ended", "Beendet"],
  removed: ["Removed", "Entfernt"],
  unread: ["Unread", "Ungelesen"],
  unanswered: ["To answer", "Zu beantworten"],
  invitations: ["Invitations", "Einladungen"],
  selling: ["Selling", "Verkauf"],
  pending: ["To answer", "Zu beantworten"],
  accepted: ["Accepted", "Angenommen"],
  rejected: ["Declined", "Abgelehnt"],
  expired: ["Expired", "Abgelaufen"],
  closed: ["Closed by the broker", "Vom Makler geschlossen"],
  buying: ["Teaser", "Teaser"],
  invitation: ["Invitation to a data room", "Einladung in einen Datenraum"],
  sellingCategory: ["Your property", "Ihre Immobilie"],
  allAbout: ["All but those that were removed.", "Alle bis auf die entfernten."],
  activeAbout: [
    "What you can still answer, and what you have accepted.",
    "Was Sie noch beantworten können, und was Sie angenommen haben."
  ],
  ongoingAbout: ["What you have accepted, and goes on.", "Was Sie angenommen haben, und was weitergeht."],
  inactiveAbout: ["Declined, expired, or closed by the broker.", "Abgelehnt, abgelaufen oder vom Makler geschlossen."],
  removedAbout: [
    "Taken off the list by your team, or withdrawn by the broker.",
    "Von Ihrem Team von der Liste genommen oder vom Makler zurückgezogen."
  ],
  unreadAbout: ["What nobody has opened yet.", "Was noch niemand geöffnet hat."],
  unansweredAbout: [
    "The teaser that has waited longest for an answer.",
    "Der Teaser, der am längsten auf Antwort wartet."
  ],
  invitationsAbout: ["Invitations that wait for an answer.", "Einladungen, die auf Antwort warten."],
  sellingAbout: ["Of properties that your team sells.", "Zu Immobilien, die Ihr Team verkauft."],
  none: ["No offers here", "Hier sind keine Angebote"],
  noneAdvice: [
    "Brokers who know your address send them. Your mandates tell them what you look for.",
    "Makler, die Ihre Adresse kennen, senden sie. Ihre Suchprofile sagen ihnen, was Sie suchen."
  ],
  received: ["Received", "Erhalten"],
  answerBy: ["Answer by", "Antwort bis"],
  status: ["Status", "Status"],
  kind: ["Kind", "Art"],
  shown: ["What is offered", "Was angeboten wird"],
  invited: ["You are invited to a data room.", "Sie sind in einen Datenraum eingeladen."],
  answer: ["Your answer", "Ihre Antwort"],
  accept: ["Accept", "Annehmen"],
  acceptHint: [
    "After accepting, you learn who the broker is, and can write to each other. It binds you to nothing.",
    "Nach der Annahme erfahren Sie, wer der Makler ist, und können einander schreiben. Es verpflichtet zu nichts."
  ],
  reject: ["Decline", "Ablehnen"],
  reason: ["Reason for declining, which the broker reads", "Grund der Ablehnung, den der Makler liest"],
  remove: ["Remove from the list", "Von der Liste nehmen"],
  noReason: ["None", "Keiner"],
  acceptOf: [(name: string) => `Accept “${name}”?`, (name: string) => `„${name}“ annehmen?`],
  acceptFinal: [
    "This is final: it cannot be declined afterwards, only taken off the list.",
    "Das ist endgültig: Danach können Sie es nicht mehr ablehnen, nur noch von der Liste nehmen."
  ],
  rejectOf: [(name: string) => `Decline “${name}”?`, (name: string) => `„${name}“ ablehnen?`],
  rejectFinal: [
    "This is final: it cannot be accepted afterwards.",
    "Das ist endgültig: Danach können Sie es nicht mehr annehmen."
  ],
  removeOf: [(name: string) => `Take “${name}” off the list?`, (name: string) => `„${name}“ von der Liste nehmen?`],
  removeFinal: [
    "This is final: it is then only under “Removed”, and cannot be answered any more.",
    "Das ist endgültig: Es steht dann nur noch unter „Entfernt“ und lässt sich nicht mehr beantworten."
  ],
  acceptedNote: ["You accepted the offer.", "Sie haben das Angebot angenommen."],
  rejectedNote: ["You declined the offer.", "Sie haben das Angebot abgelehnt."],
  removedNote: ["The offer was removed.", "Das Angebot wurde entfernt."],
  broker: ["The broker", "Der Makler"],
  matches: ["Your mandates that it fits", "Ihre passenden Suchprofile"],
  newMandate: ["New mandate", "Neues Suchprofil"],
  noMatches: ["It fits none of your active mandates.", "Es passt zu keinem Ihrer aktiven Suchprofile."],
  recipient: ["Sent to", "Gesendet an"],
  onBehalf: [
    (name: string) => `This offer was sent to ${name}; you answer for them.`,
    (name: string) => `Dieses Angebot ging an ${name}. Sie antworten stellvertretend.`
  ],
  messages: ["Message to the broker", "Nachricht an den Makler"],
  message: ["Message", "Nachricht"],
  send: ["Send", "Senden"],
  sent: ["The message was sent.", "Die Nachricht wurde gesendet."],
  share: ["Share a file with the broker", "Eine Datei an den Makler weitergeben"],
  shared: [
    (count: number) => (count === 1 ? "The file was shared." : `${count} files were shared.`),
    (count: number) => (count === 1 ? "Die Datei wurde weitergegeben." : `${count} Dateien wurden weitergegeben.`)
  ],
  documents: ["Documents of the data room", "Dokumente des Datenraums"],
  noDocuments: ["No documents yet.", "Noch keine Dokumente."],
  view: ["View", "Ansehen"],
  version: [(number: number) => `version ${number}`, (number: number) => `Version ${number}`],
  questionHint: ["The answer will be in the timeline below.", "Die Antwort wird unten im Verlauf stehen."],
  question: ["Ask a question", "Eine Frage stellen"],
  text: ["Question", "Frage"],
  about: ["It is about", "Es geht um"],
  document: ["Document", "Dokument"],
  ask: ["Ask", "Fragen"],
  asked: [
    "The question was asked. The answer will be in the timeline below.",
    "Die Frage wurde gestellt. Die Antwort wird unten im Verlauf stehen."
  ],
  newAnswers: ["New answers in data rooms", "Neue Antworten in Datenräumen"],
  newAnswersAbout: ["Of the last seven days.", "Aus den letzten sieben Tagen."],
  newAnswerTo: [
    (question: string) => `New answer to “${question}”`,
    (question: string) => `Neue Antwort auf „${question}“`
  ],
  waits: ["Your questions that wait for an answer", "Ihre Fragen, die auf Antwort warten"],
  legal: ["Law", "Recht"],
  financial: ["Finance", "Finanzen"],
  technical: ["Technology", "Technik"],
  environmental: ["Environment", "Umwelt"],
  tax: ["Tax", "Steuern"],
  leases: ["Leases", "Mietverträge"],
  planning: ["Planning", "Planung"],
  other: ["Other", "Sonstiges"]
})

const wordOf = ({ reader }: PageRequest, word: string): string => {
  const known: { readonly [word: string]: unknown } = words[reader.language]
  const found = known[word]
  return typeof found === "string" ? found : word.replaceAll("_", " ")
}

/** The filters that are offered: the others are parts of these, to which links may lead. */
const shownFilters: ReadonlySet<string> = new Set(["all", "active", "ongoing", "unread", "inactive", "removed"])

/** What a question may be about, as the reader reads it. */
export const questionCategoryWord = (page: PageRequest, category: string): string => wordOf(page, category)

const kinds: { readonly [status: string]: "bad" | "good" | "plain" | "warn" } = {
  accepted: "good",
  pending: "warn",
  unanswered: "warn",
  rejected: "bad"
}

const statusPill = (page: PageRequest, status: string) => pill(kinds[status] ?? "plain", wordOf(page, status))

/** What the team answered before the offer was closed or removed, by its id. */
type Earlier = ReadonlyMap<string, OfferAnswer>

/** The state of an offer: what the team itself decided comes first, whatever the broker did since. */
const statePills = (page: PageRequest, { id, status }: Offer, earlier: Earlier): Part => {
  const answer = earlier.get(id)
  return html`${answer !== undefined && html`${statusPill(page, answer)} `}${statusPill(page, status)}`
}

const titleOf = (page: PageRequest, offer: Offer): string =>
  offer.teaser?.title ?? wordOf(page, offer.category === "selling" ? "sellingCategory" : offer.category)

/** The mandates of the team with these ids, by their names. */
const mandatesNamed = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  if (ids.length === 0) return []
  const { batchGet } = yield* Mandates
  const { results } = yield* batchGet(requestOf({ operation: "names", query: {}, body: { ids: [...ids] } }))
  return results.flatMap((one) =>
    one.status === "found" ? [{ id: one.resource.id, name: one.resource.name ?? one.resource.id }] : []
  )
})

const beginning = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** The answers of the last days, each with the way to its place on the page of its offer. */
const newAnswersCard = (
  page: PageRequest,
  answers: ReadonlyArray<PublishedAnswer>,
  titles: ReadonlyMap<string, string>
): Html | false => {
  const t = words[page.reader.language]
  return (
    answers.length > 0 &&
    card(
      "new-answers",
      t.newAnswers,
      html`<p class="hint">${t.newAnswersAbout}</p>
        <ul class="items" role="list">
          ${answers.map(
            ({ offerId, publishedUtc, question, rowId }) =>
              html`<li>
                <div>
                  <a href="${page.base}/offers/${offerId}#${rowId}">${t.newAnswerTo(beginning(question))}</a>
                  <span class="below"
                    >${titles.has(offerId) && html`${titles.get(offerId)}, `}${moment(page.reader, publishedUtc)}</span
                  >
                </div>
              </li>`
          )}
        </ul>`
    )
  )
}

const list = get("/console/:team/offers", (page) =>
  Effect.gen(function* () {
    const offers = yield* Offers
    const t = words[page.reader.language]
    const chosen = page.search.get("offers") ?? "all"
    const search = new URLSearchParams(page.search)
    search.delete("offers")
    const query = listQuery(
      contract.endpoints.list,
      { search },
      offerFilters.some((one) => one === chosen) && chosen !== "all" ? { filter: chosen } : {}
    )
    const found = yield* offers.list({ query })
    const earlier = yield* offers.earlierAnswers(found.data)
    const answers = yield* offers.newAnswers()
    const titles = new Map<string, string>(found.data.map((offer) => [offer.id, titleOf(page, offer)]))
    const about = offerFilters.some((one) => one === chosen) ? wordOf(page, `${chosen}About`) : undefined
    return new View({
      title: t.title,
      body: html`${head({ title: t.title })}
        ${tabs(
          t.title,
          offerFilters
            .filter((filter) => shownFilters.has(filter) || filter === chosen)
            .map((filter) => ({
              href: addressWith(page, { offers: filter === "all" ? undefined : filter, cursor: undefined }),
              name: wordOf(page, filter),
              isCurrent: filter === chosen
            }))
        )}
        ${about !== undefined && html`<p class="hint after-head">${about}</p>`}
        <div class="stack">
          ${newAnswersCard(page, answers, titles)}
          <div class="card">
            ${
              found.data.length === 0
                ? emptyState(t.none, t.noneAdvice)
                : table(page, {
                    caption: t.title,
                    rows: found.data,
                    idOf: ({ id }) => id,
                    columns: [
                      {
                        key: "title",
                        title: t.offer,
                        is: "name",
                        cell: (offer) => html`<a href="${page.base}/offers/${offer.id}">${titleOf(page, offer)}</a>`
                      },
                      { key: "status", title: t.status, cell: (offer) => statePills(page, offer, earlier) },
                      {
                        key: "recipient",
                        title: t.recipient,
                        isLabelled: true,
                        cell: ({ recipient }) => recipient.name
                      },
                      {
                        key: "received",
                        title: t.received,
                        is: "more",
                        cell: (offer) => moment(page.reader, offer.receivedUtc)
                      },
                      {
                        key: "until",
                        title: t.answerBy,
                        isLabelled: true,
                        cell: (offer) => (isAnswerable(offer) ? moment(page.reader, offer.expiresUtc) : undefined)
                      }
                    ]
                  })
            }
            ${pager(page, found.page, found.data.length)}
          </div>
        </div>`
    })
  })
)

const isAnswerable = ({ status }: Pick<Offer, "status">) => status === "unanswered" || status === "pending"

/** Whether the room of an offer can take questions: not once the broker closed the project, or the offer is off the list. */
const takesQuestions = ({ status }: Pick<Offer, "status">) => status !== "closed" && status !== "removed"

/** Whether one answers for a colleague. */
const isOfColleague = ({ userId }: PageRequest, { recipient }: Offer) => recipient.id !== Id.fromUuid("user", userId)

const answerForms = (page: PageRequest, offer: Offer, earlier: OfferAnswer | undefined): Html => {
  const t = words[page.reader.language]
  const { answeredUtc, id, recipient, rejectionReason, status } = offer
  const at = `${page.base}/offers/${id}`
  return html`${
    answeredUtc !== null &&
    html`<p>${statusPill(page, earlier ?? status)} ${moment(page.reader, answeredUtc)}</p>
      ${rejectionReason !== null && html`<p class="text">${rejectionReason}</p>`}`
  }
  ${
    isAnswerable(offer) &&
    html`${isOfColleague(page, offer) && notice("warn", t.onBehalf(recipient.name))}
      <form class="stack" method="post" action="${at}/accept">
        ${formField(page.visit)}
        <div class="row">${button(t.accept, { kind: "main" })}</div>
        <p class="hint">${t.acceptHint}</p>
      </form>
      <form class="stack" method="post" action="${at}/reject">
        ${formField(page.visit)} ${textarea({ id: "reason", name: "reason", label: t.reason, rows: 2, value: "" })}
        <div class="row">${button(t.reject)}</div>
      </form>`
  }
  ${
    status !== "removed" &&
    html`<form method="post" action="${at}/remove">
      ${formField(page.visit)} ${button(t.remove, { kind: "quiet" })}
    </form>`
  }`
}

const talk = (page: PageRequest, { id }: Offer, keys: readonly [string, string], attempt?: Attempt): Html => {
  const t = words[page.reader.language]
  const at = `${page.base}/offers/${id}`
  return card(
    "talk",
    t.messages,
    html`<form class="stack" method="post" action="${at}/messages">
        ${formField(page.visit)} ${hidden("key", attempt?.form.text("key") ?? keys[0])}
        ${textarea({ id: "message", name: "text", label: t.message, isRequired: true, rows: 3, value: attempt?.form.text("text") })}
        <div class="row">${button(t.send, { kind: "main" })}</div>
      </form>
      ${uploadForm(page, {
        id: "share-file",
        action: `${at}/files`,
        label: t.share,
        fields: hidden("key", keys[1]),
        shows: "timeline-rows"
      })}`
  )
}

/** The documents of a data room that a person may read, as links to view and to download. */
export const documentsList = (
  page: PageRequest,
  documents: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly path: string
    readonly version: number
    readonly contentType: string
    readonly size: number
    readonly uploadedUtc: string
  }>
): Html => {
  const t = words[page.reader.language]
  const folders = new Map<string, Array<(typeof documents)[number]>>()
  for (const document of documents) {
    const folder = document.path.includes("/") ? document.path.slice(0, document.path.lastIndexOf("/")) : ""
    const inside = folders.get(folder)
    if (inside === undefined) folders.set(folder, [document])
    else inside.push(document)
  }
  if (documents.length === 0) return html`<div id="documents-list"><p class="soft">${t.noDocuments}</p></div>`
  return html`<div id="documents-list">
    ${[...folders].map(
      ([folder, inside]) =>
        html`${folder !== "" && html`<h3>${folder}</h3>`}
          <ul class="items" role="list">
            ${inside.map(
              ({ contentType, id, name, size, uploadedUtc, version }) =>
                html`<li id="${id}">
                  <div>
                    <a href="${page.base}/files/${id}" download>${name}</a>
                    <span class="below"
                      >${sizeOf(page, size)}, ${t.version(version)}, ${moment(page.reader, uploadedUtc)}</span
                    >
                  </div>
                  ${/^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/.test(contentType) && html`<a class="button quiet small" href="${page.base}/files/${id}/view">${t.view}</a>`}
                </li>`
            )}
          </ul>`
    )}
  </div>`
}

const shown = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const [offers, documents] = [yield* Offers, yield* Documents]
  const random = yield* SecureRandom.SecureRandom
  const t = words[page.reader.language]
  const id = page.params["id"] ?? ""
  const offer = yield* offers.get(id)
  const earlier = yield* offers.earlierAnswers([offer])
  const { brokerContact, roomId } = offer
  const inRoom = roomId === null ? [] : yield* documents.list(roomId)
  const waiting = roomId === null ? [] : yield* (yield* Questions).waitingOfOwn(roomId)
  const keys = [yield* random.uuidV7(), yield* random.uuidV7()] as const
  const questionKey = yield* random.uuidV7()
  const fitting = yield* mandatesNamed(offer.matchedMandateIds)
  const title = titleOf(page, offer)
  return new View({
    title,
    body: html`${head({
        title,
        crumbs: [{ href: `${page.base}/offers`, name: t.title }],
        subtitle: html`${statePills(page, offer, earlier)} ${t.recipient} ${offer.recipient.name}, ${t.received}
        ${moment(page.reader, offer.receivedUtc)}
        ${isAnswerable(offer) && offer.expiresUtc !== null && html`· ${t.answerBy} ${moment(page.reader, offer.expiresUtc)}`}`
      })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <div class="stack">
        <div class="grid-2">
          ${card("shown", t.shown, offer.teaser === null ? html`<p>${t.invited}</p>` : projectionView(page.reader, offer.teaser))}
          <div class="stack">
            ${card("answer", t.answer, answerForms(page, offer, earlier.get(id)))}
            ${
              brokerContact !== null &&
              card(
                "broker",
                t.broker,
                facts([
                  [common[page.reader.language].name, brokerContact.name],
                  [
                    common[page.reader.language].email,
                    brokerContact.email !== null &&
                      html`<a href="mailto:${brokerContact.email}">${brokerContact.email}</a>`
                  ]
                ])
              )
            }
            ${
              offer.teaser !== null &&
              card(
                "mandates",
                t.matches,
                fitting.length === 0
                  ? html`<p>${t.noMatches}</p>
                      <p><a class="button" href="${page.base}/mandates/new">${t.newMandate}</a></p>`
                  : html`<ul class="bullets">
                      ${fitting.map(({ id, name }) => html`<li><a href="${page.base}/mandates/${id}">${name}</a></li>`)}
                    </ul>`
              )
            }
          </div>
        </div>
        ${
          roomId !== null &&
          html`<div class="grid-2">
            ${card("documents", t.documents, documentsList(page, inRoom))}
            ${
              takesQuestions(offer) &&
              card(
                "question",
                t.question,
                html`<form class="stack" method="post" action="${page.base}/offers/${id}/questions">
                  ${formField(page.visit)} ${hidden("key", questionKey)} ${hidden("room", roomId)}
                  ${textarea({ id: "question-text", name: "text", label: t.text, hint: t.questionHint, isRequired: true, rows: 3 })}
                  ${select({
                    id: "question-category",
                    name: "category",
                    label: t.about,
                    value: "other",
                    isRequired: true,
                    options: questionCategories.map((category) => [category, wordOf(page, category)])
                  })}
                  ${select({
                    id: "question-document",
                    name: "documentId",
                    label: t.document,
                    value: "",
                    any: "–",
                    options: inRoom.map((document) => [document.id, document.path])
                  })}
                  <div class="row">${button(t.ask, { kind: "main" })}</div>
                </form>`
              )
            }
          </div>`
        }
        ${
          waiting.length > 0 &&
          card(
            "questions",
            t.waits,
            html`<ul class="items" role="list">
              ${waiting.map(
                ({ askedUtc, id, text }) =>
                  html`<li id="${id}">
                    <div class="said">${text}<span class="below">${moment(page.reader, askedUtc)}</span></div>
                  </li>`
              )}
            </ul>`
          )
        }
        ${offer.capabilities.includes("chat") && talk(page, offer, keys, attempt)}
        ${yield* timelineSection(page, { type: "offer", id }, { self: title, nobody: t.broker }, { takesNotes: false })}
      </div>`
  })
})

const show = get("/console/:team/offers/:id", (page) => shown(page))

const at = (page: PageRequest) => `${page.base}/offers/${page.params["id"] ?? ""}`

type Answering = "accept" | "reject" | "remove"

/** Answers an offer, or takes it off the list, once one has seen what that means: none of it can be undone. */
const askAndAnswer = (answering: Answering) =>
  post(`/console/:team/offers/:id/${answering}`, (page) =>
    Effect.gen(function* () {
      const [lifecycle, offers] = [yield* OfferLifecycle, yield* Offers]
      const t = words[page.reader.language]
      const id = page.params["id"] ?? ""
      const reason = page.form.text("reason")
      const request = formRequest(page, answering === "reject" && reason !== undefined ? { reason } : {})
      const run = (): Effect.Effect<unknown, Problem, Effect.Services<ReturnType<typeof lifecycle.accept>>> =>
        lifecycle[answering](id, request)
      if (page.form.has("confirmed")) {
        yield* run()
        return answering === "remove"
          ? new Goto({ path: `${page.base}/offers`, note: t.removedNote })
          : new Goto({ path: at(page), note: answering === "accept" ? t.acceptedNote : t.rejectedNote })
      }
      yield* rehearsed(run())
      const offer = yield* offers.get(id)
      const asked = {
        accept: [t.acceptOf, t.acceptFinal, t.accept],
        reject: [t.rejectOf, t.rejectFinal, t.reject],
        remove: [t.removeOf, t.removeFinal, t.remove]
      } as const
      const [titled, meaning, doIt] = asked[answering]
      const title = titled(titleOf(page, offer))
      return new View({
        title,
        body: confirmation(page, {
          title,
          body: html`${isOfColleague(page, offer) && notice("warn", t.onBehalf(offer.recipient.name))}
            ${answering === "accept" && html`<p>${t.acceptHint}</p>`}
            <p>${meaning}</p>
            ${
              answering === "reject" &&
              facts([
                [
                  t.reason,
                  reason === undefined
                    ? html`<span class="soft">${t.noReason}</span>`
                    : html`<span class="text">${reason}</span>`
                ]
              ])
            }`,
          label: doIt,
          confirmed: "yes",
          back: at(page),
          isDangerous: answering !== "accept"
        })
      })
    }).pipe(orShowAgain(page, (attempt) => shown(page, attempt)))
  )

const message = post("/console/:team/offers/:id/messages", (page) =>
  Effect.gen(function* () {
    const { send } = yield* Messages
    const request = formRequest(page, { text: page.form.text("text") ?? "" })
    return yield* send(page.params["id"] ?? "", request).pipe(
      Effect.as(new Goto({ path: `${at(page)}#timeline`, note: words[page.reader.language].sent })),
      orShowAgain(page, (attempt) => shown(page, attempt))
    )
  })
)

const shareFile = postFile("/console/:team/offers/:id/files", (page) =>
  Effect.gen(function* () {
    const { share } = yield* Messages
    const to = { path: `${at(page)}#timeline`, note: words[page.reader.language].shared }
    return yield* storeEach(page, to, ({ file, request }) =>
      Effect.scoped(share(page.params["id"] ?? "", { ...request, file }))
    )
  })
)

const question = post("/console/:team/offers/:id/questions", (page) =>
  Effect.gen(function* () {
    const { ask } = yield* Questions
    const { form } = page
    const documentId = form.text("documentId")
    const body = {
      text: form.text("text") ?? "",
      category: form.text("category") ?? "other",
      ...(documentId === undefined ? {} : { documentId })
    }
    return yield* ask(form.text("room") ?? "", formRequest(page, body)).pipe(
      Effect.as(new Goto({ path: `${at(page)}#questions`, note: words[page.reader.language].asked })),
      orShowAgain(page, (attempt) => shown(page, attempt))
    )
  })
)

/** The pages of offers. */
export const pages = [
  list,
  show,
  askAndAnswer("accept"),
  askAndAnswer("reject"),
  askAndAnswer("remove"),
  message,
  shareFile,
  question
]

/** The offers, for investors. */
export const links: LinksOf = ({ base, reader, seat }) =>
  (seat?.actor.investor ?? null) === null
    ? []
    : [{ href: `${base}/offers`, name: words[reader.language].title, icon: "M3 6h14v9H3zM3 6l7 5 7-5" }]
