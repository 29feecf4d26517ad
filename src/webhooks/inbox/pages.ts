/** The inbox of a team in the console: messages as they come, each with its headers and its body, and a webhook to it in one click. */
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  formRequest,
  get,
  Goto,
  type LinksOf,
  listQuery,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  stream,
  View
} from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import { addressWith, type Column, drawer, table, tableRows } from "../../console/Lists.ts"
import { answerRows, lastSeen } from "../../console/Live.ts"
import {
  button,
  card,
  copyable,
  emptyState,
  facts,
  head,
  hidden,
  notice,
  pill,
  select,
  verbatim
} from "../../console/Parts.ts"
import { common, number, second, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { recordEventTypes } from "../../core/mutation/Event.ts"
import { webhooks as contract } from "../api.ts"
import { maxPerTeam } from "../Webhook.ts"
import { mayChange } from "../WebhookParts.ts"
import { Webhooks } from "../Webhooks.ts"
import { answers, eventOf, Inbox, type InboxMessage, keptHours, maxMessages } from "./Inbox.ts"

const words = texts({
  title: ["Inbox", "Posteingang"],
  subtitle: [
    "A receiver of webhooks, to try them with. Only trials have it.",
    "Ein Empfänger dieses Dienstes, um Webhooks auszuprobieren. Es gibt ihn nur im Probebetrieb."
  ],
  address: ["Address", "Adresse"],
  addressHint: [
    `Whoever knows it can post messages of at most 64 KiB to it. The last ${maxMessages} are kept for ${keptHours} hours, in memory.`,
    `Wer sie kennt, kann Nachrichten bis 64 KiB dorthin senden. Die letzten ${maxMessages} bleiben ${keptHours} Stunden im Arbeitsspeicher.`
  ],
  create: ["Create a webhook to this inbox", "Webhook zu diesem Posteingang anlegen"],
  created: [
    "The webhook was created. What happens now arrives here.",
    "Der Webhook wurde angelegt. Was nun geschieht, kommt hier an."
  ],
  leadsHere: ["Open its webhook", "Seinen Webhook öffnen"],
  test: ["Send a test message", "Testnachricht senden"],
  tested: ["A test message was sent.", "Eine Testnachricht wurde gesendet."],
  answer: ["It answers", "Er antwortet"],
  accepted: ["204: accepted", "204: angenommen"],
  failing: ["500: fails, so that it is sent again", "500: Fehler, es wird erneut gesendet"],
  gone: ["410: gone, which disables the webhook", "410: nicht mehr da, der Webhook wird abgeschaltet"],
  set: ["Apply", "Anwenden"],
  clear: ["Forget all messages", "Alle Nachrichten vergessen"],
  messages: ["Messages", "Nachrichten"],
  empty: ["No message yet", "Noch keine Nachricht"],
  emptyAdvice: [
    "Create a webhook to this inbox, then change something, or send a test message.",
    "Legen Sie einen Webhook hierher an und ändern Sie dann etwas, oder senden Sie eine Testnachricht."
  ],
  waitAdvice: [
    "Change something in this team, or send a test message.",
    "Ändern Sie etwas in diesem Team, oder senden Sie eine Testnachricht."
  ],
  noEvent: ["(no event)", "(kein Ereignis)"],
  event: ["Event", "Ereignis"],
  signature: ["Signature", "Signatur"],
  valid: ["Verified", "Geprüft"],
  wrong: ["Wrong", "Falsch"],
  none: ["None", "Keine"],
  size: ["Size", "Größe"],
  bytes: [(count: string) => `${count} bytes`, (count: string) => `${count} Byte`],
  answered: ["Answered", "Antwort"],
  headers: ["Headers", "Kopfzeilen"],
  body: ["Body", "Inhalt"]
})

const path = "/console/:team/inbox"

const signaturePill = ({ reader }: PageRequest, { signature }: InboxMessage): Html => {
  const t = words[reader.language]
  if (signature === "none") return pill("plain", t.none)
  return signature === "valid" ? pill("good", t.valid) : pill("bad", t.wrong)
}

const columnsOf = (page: PageRequest): ReadonlyArray<Column<InboxMessage>> => {
  const { reader } = page
  const t = words[reader.language]
  return [
    {
      key: "event",
      title: t.event,
      is: "name",
      cell: (message) =>
        html`<a href="${page.base}/inbox?open=${message.seq}"
          >${eventOf(message) === "" ? t.noEvent : eventOf(message)}</a
        >`
    },
    { key: "signature", title: t.signature, cell: (message) => signaturePill(page, message) },
    { key: "answered", title: t.answered, is: "more", cell: ({ answered }) => answered },
    { key: "size", title: t.size, is: "more", isNumber: true, cell: ({ bytes }) => t.bytes(number(reader, bytes)) },
    { key: "when", title: common[reader.language].when, cell: ({ at }) => second(reader, at.toISOString()) }
  ]
}

const idOf = ({ seq }: InboxMessage) => `message-${seq}`

const openOf = (page: PageRequest, message: InboxMessage): Html => {
  const t = words[page.reader.language]
  const event = eventOf(message)
  return drawer(
    page,
    event === "" ? t.noEvent : event,
    html`${facts([
        [t.signature, signaturePill(page, message)],
        [t.answered, message.answered],
        [common[page.reader.language].when, second(page.reader, message.at.toISOString())]
      ])}
      <h3>${t.headers}</h3>
      ${verbatim(t.headers, message.headers.map(([name, value]) => `${name}: ${value}`).join("\n"))}
      <h3>${t.body}</h3>
      ${verbatim(t.body, message.body)}`
  )
}

const inboxOf = ({ visit }: PageRequest) => Effect.flatMap(Inbox, ({ open }) => open(visit.baseUrl))

/** The webhook of the team that leads to an address. */
const webhookTo = (url: string) =>
  Effect.map(
    Effect.flatMap(Webhooks, ({ list }) =>
      list({
        query: listQuery(contract.endpoints.list, { search: new URLSearchParams() }, { page_size: String(maxPerTeam) })
      })
    ),
    ({ data }) => data.find((webhook) => webhook.url === url)
  )

const view = Effect.fnUntraced(function* (page: PageRequest, refused?: Html) {
  const { reader } = page
  const t = words[reader.language]
  const { answer, messages, url } = yield* inboxOf(page)
  const webhook = yield* webhookTo(url)
  const open = Number(page.search.get("open") ?? "")
  const opened = messages.find(({ seq }) => seq === open)
  const key = yield* Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())
  const names: Readonly<Record<(typeof answers)[number], string>> = { 204: t.accepted, 410: t.gone, 500: t.failing }
  const action = (name: string, label: string, isMain = false) =>
    html`<form method="post" action="${page.base}/inbox/${name}">
      ${formField(page.visit)} ${hidden("key", key)} ${button(label, { kind: isMain ? "main" : "plain" })}
    </form>`
  return new View({
    title: t.title,
    scripts: ["live.js"],
    body: html`${head({ title: t.title, subtitle: t.subtitle })} ${refused}
      <div class="stack">
        ${card(
          "address",
          t.address,
          html`${copyable(reader, { id: "inbox-url", label: t.address, text: url })}
            <p class="hint">${t.addressHint}</p>
            <div class="row">
              ${
                webhook === undefined
                  ? mayChange(page) && action("webhook", t.create, true)
                  : html`<a class="button" href="${page.base}/webhooks/${webhook.id}">${t.leadsHere}</a>
                      ${mayChange(page) && action("test", t.test, true)}`
              }
              ${messages.length > 0 && action("clear", t.clear)}
            </div>
            <form method="post" action="${page.base}/inbox/answer" class="row">
              ${formField(page.visit)}
              ${select({ id: "answer", name: "answer", label: t.answer, value: String(answer), options: answers.map((one) => [String(one), names[one]]) })}
              ${button(t.set)}
            </form>`
        )}
        <div class="with-drawer">
          <div class="card">
            ${table(page, {
              caption: t.messages,
              columns: columnsOf(page),
              rows: messages,
              idOf,
              isCurrent: ({ seq }) => seq === open,
              live: {
                path: addressWith(page, { open: undefined }, `${page.base}/inbox/live`),
                after: messages[0]?.seq ?? 0
              }
            })}
            ${messages.length === 0 && emptyState(t.empty, webhook === undefined ? t.emptyAdvice : t.waitAdvice)}
          </div>
          ${opened !== undefined && openOf(page, opened)}
        </div>
      </div>`
  })
})

const show = get(path, (page) => view(page))

const live = stream(`${path}/live`, (page) =>
  Effect.gen(function* () {
    const { watch } = yield* Inbox
    const { missed, polls } = yield* watch(Number(lastSeen(page) ?? 0))
    const columns = columnsOf(page)
    const rowsOf = (messages: ReadonlyArray<InboxMessage>) =>
      messages.map((message) => ({
        id: message.seq,
        row: html`${tableRows(page, { columns, rows: [message], idOf })}`
      }))
    return yield* answerRows(page, { missed: rowsOf(missed), polls: Stream.map(polls, rowsOf) })
  })
)

const createWebhook = post(`${path}/webhook`, (page) =>
  Effect.gen(function* () {
    const { create } = yield* Webhooks
    const { url } = yield* inboxOf(page)
    const t = words[page.reader.language]
    yield* create(formRequest(page, { url, name: t.title, events: recordEventTypes }))
    return new Goto({ path: `${page.base}/inbox`, note: t.created })
  }).pipe(orShowAgain(page, ({ problem }) => view(page, problemNotice(page.reader, problem, page.requestId))))
)

const test = post(`${path}/test`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const { url } = yield* inboxOf(page)
    const webhook = yield* webhookTo(url)
    const t = words[page.reader.language]
    if (webhook === undefined) return yield* view(page, notice("bad", t.emptyAdvice))
    yield* webhooks.test(webhook.id, formRequest(page))
    return new Goto({ path: `${page.base}/inbox`, note: t.tested })
  }).pipe(orShowAgain(page, ({ problem }) => view(page, problemNotice(page.reader, problem, page.requestId))))
)

const setAnswer = post(`${path}/answer`, (page) =>
  Effect.gen(function* () {
    const { answerWith } = yield* Inbox
    const chosen = answers.find((one) => String(one) === page.form.text("answer"))
    if (chosen !== undefined) yield* answerWith(chosen)
    return new Goto({ path: `${page.base}/inbox`, note: common[page.reader.language].saved })
  })
)

const clear = post(`${path}/clear`, (page) =>
  Effect.gen(function* () {
    const inbox = yield* Inbox
    yield* inbox.clear()
    return new Goto({ path: `${page.base}/inbox` })
  })
)

/** The pages of the inbox. */
export const pages = [show, live, createWebhook, test, setAnswer, clear]

/** The inbox is of everyone in a team, in a trial. */
export const links: LinksOf = ({ base, isTrial, reader, seat }) =>
  !isTrial || seat === undefined || seat.actor.membership !== "active"
    ? []
    : [
        {
          href: `${base}/inbox`,
          name: words[reader.language].title,
          icon: "M3 11l2.5-6h9L17 11v5H3zM3 11h4l1 2h4l1-2h4"
        }
      ]
