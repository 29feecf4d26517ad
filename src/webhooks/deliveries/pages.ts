/** The pages of deliveries: the log of a webhook, one delivery byte for byte, what failed and why, and sending again. */
import { Effect } from "effect"
import { formRequest, get, Goto, listQuery, type PageRequest, post, View } from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { backOf, bulkBar, columnChoice, confirmation, filterForm, pager, table } from "../../console/Lists.ts"
import { button, card, emptyState, head, hidden, notice, pill } from "../../console/Parts.ts"
import { common, localTime, moment, momentAt, momentText, number, second } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { eventTypes, typesOf } from "../../core/mutation/Event.ts"
import { hourMillis } from "../rules.ts"
import { words as ofWebhooks } from "../texts.ts"
import type { Webhook } from "../Webhook.ts"
import {
  addressOf,
  headOfWebhook,
  healthChart,
  mayChange,
  receivedAnswer,
  sentRequest,
  titleOf
} from "../WebhookParts.ts"
import { Webhooks } from "../Webhooks.ts"
import { deliveries as contract } from "./api.ts"
import { Deliveries } from "./Deliveries.ts"
import {
  type DeliveryAttempt,
  maxCounted,
  statuses,
  type WebhookDelivery,
  type WebhookDeliveryDetails
} from "./Delivery.ts"
import { failureInFull, failureText, sentence } from "./FailureText.ts"
import { failureKindOf } from "./rules.ts"
import { words } from "./texts.ts"

const path = "/console/:team/webhooks/:webhook"

const idOf = ({ params }: PageRequest): string => params["webhook"] ?? ""

const filterNames = ["status", "event_type", "created_after", "created_before", "body_contains", "last_error"]

/** The query of the log from an address, whose times are those of the reader's clock. */
const logQuery = ({ reader }: Pick<PageRequest, "reader">, sent: URLSearchParams) => {
  const search = new URLSearchParams(sent)
  for (const name of ["created_after", "created_before"]) {
    const local = search.get(name)
    if (local !== null) search.set(name, momentAt(reader, local) ?? local)
  }
  return listQuery(contract.endpoints.list, { search }, { page_size: "50" })
}

const kinds: { readonly [Status in (typeof statuses)[number]]: "bad" | "good" | "warn" } = {
  pending: "warn",
  delivered: "good",
  failed: "bad",
  exhausted: "bad"
}

const isStatus = (status: string): status is keyof typeof kinds => status in kinds

/** The state of a delivery. */
export const statusPill = ({ reader }: PageRequest, { status }: Pick<WebhookDelivery, "status">): Html =>
  isStatus(status) ? pill(kinds[status], words[reader.language][status]) : pill("plain", status)

const milliseconds = ({ reader }: PageRequest, duration: number | null): Part =>
  duration !== null && `${number(reader, duration)} ms`

/** Where the list shows the deliveries of an hour. */
const hourOf = (page: PageRequest, hourUtc: string): string => {
  const end = new Date(Date.parse(hourUtc) + hourMillis).toISOString()
  const query = new URLSearchParams({
    created_after: localTime(page.reader, hourUtc),
    created_before: localTime(page.reader, end)
  })
  return `${addressOf(page, idOf(page))}?${query.toString()}`
}

const filtersOf = (page: PageRequest, { events }: Webhook) => {
  const t = words[page.reader.language]
  const chosen = page.search.get("event_type") ?? ""
  const types = typesOf(events)
  return filterForm(page, [
    { name: "status", label: t.outcome, options: statuses.map((status) => [status, t[status]]) },
    {
      name: "event_type",
      label: ofWebhooks[page.reader.language].event,
      options: eventTypes.filter((type) => types.includes(type) || type === chosen).map((type) => [type, type])
    },
    { name: "created_after", label: t.after, type: "datetime-local" },
    { name: "created_before", label: t.before, type: "datetime-local" },
    { name: "body_contains", label: t.text, type: "search" },
    ...(page.search.has("last_error") ? [{ name: "last_error", label: t.lastError }] : [])
  ])
}

const columnsOf = (page: PageRequest, webhookId: string) => {
  const { reader } = page
  const t = words[reader.language]
  return [
    {
      key: "event",
      title: ofWebhooks[reader.language].event,
      is: "name",
      cell: (one: WebhookDelivery) =>
        html`<a href="${addressOf(page, webhookId)}/deliveries/${one.id}">${one.eventType}</a>
          <span class="below mono">${one.eventId}</span>`
    },
    { key: "outcome", title: t.outcome, cell: (one: WebhookDelivery) => statusPill(page, one) },
    {
      key: "answer",
      title: ofWebhooks[reader.language].answer,
      cell: (one: WebhookDelivery) => (one.lastError === null ? one.lastStatusCode : failureText(reader, one.lastError))
    },
    {
      key: "attempts",
      title: t.attempts,
      is: "more",
      isNumber: true,
      cell: (one: WebhookDelivery) => number(reader, one.attemptCount)
    },
    {
      key: "duration",
      title: t.duration,
      is: "more",
      isNumber: true,
      cell: (one: WebhookDelivery) => milliseconds(page, one.lastDurationMs)
    },
    { key: "created", title: t.created, is: "more", cell: (one: WebhookDelivery) => second(reader, one.createdUtc) },
    {
      key: "last",
      title: t.last,
      is: "more",
      isExtra: true,
      cell: (one: WebhookDelivery) => one.lastAttemptUtc !== null && second(reader, one.lastAttemptUtc)
    },
    {
      key: "id",
      title: common[reader.language].id,
      is: "more",
      isExtra: true,
      cell: (one: WebhookDelivery) => html`<code>${one.id}</code>`
    }
  ] as const
}

const showLog = get(path, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    const { language } = page.reader
    const t = words[language]
    const webhook = yield* webhooks.get(idOf(page))
    const isFiltered = filterNames.some((name) => (page.search.get(name) ?? "") !== "")
    const isFirst = !isFiltered && !page.search.has("cursor")
    const { data, page: position } = yield* deliveries.list(webhook.id, { query: logQuery(page, page.search) })
    const hours = isFirst ? yield* webhooks.hours(webhook.id) : []
    const columns = columnsOf(page, webhook.id)
    const maySend = mayChange(page) && webhook.status === "active"
    const picks = { valueOf: (one: WebhookDelivery) => one.id, nameOf: (one: WebhookDelivery) => one.eventId }
    const nothing = position.hasMore
      ? emptyState(common[language].noMatch, t.maySearchOn)
      : isFirst
        ? emptyState(t.empty, t.emptyAdvice)
        : emptyState(common[language].noMatch)
    return new View({
      title: titleOf(webhook),
      body: html`${headOfWebhook(page, webhook, "deliveries")}
        ${isFirst && html`<div class="spaced">${healthChart(page, hours, ({ hourUtc }) => hourOf(page, hourUtc))}</div>`}
        ${filtersOf(page, webhook)}
        <div class="card">
          ${
            data.length === 0
              ? nothing
              : html`<div class="spread pad">
                    <h2>${ofWebhooks[language].deliveries}</h2>
                    ${columnChoice(page, columns)}
                  </div>
                  ${table(page, {
                    caption: t.caption,
                    columns,
                    rows: data,
                    idOf: ({ id }) => id,
                    ...(maySend ? { picks } : {})
                  })}`
          }
          ${pager(page, position, data.length)}
        </div>
        ${
          maySend && data.length > 0
            ? bulkBar(page, {
                action: `${addressOf(page, webhook.id)}/deliveries`,
                canAll: true,
                buttons: button(t.sendAgain, { kind: "main", form: "bulk" })
              })
            : mayChange(page) && data.length > 0 && html`<p class="soft small">${t.notActive}</p>`
        }`
    })
  })
)

/** Sends the ticked deliveries again, or all that the filters of the list let through: then it asks first, with their number. */
const sendMany = post(`${path}/deliveries`, (page) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const { form, reader } = page
    const t = words[reader.language]
    const back = backOf(page, addressOf(page, idOf(page)))
    if (!form.has("all")) {
      const count = yield* deliveries.retrySome(idOf(page), form.all("pick"))
      return new Goto({ path: back, note: count === 0 ? t.nothing : t.sentAgain(number(reader, count)) })
    }
    const confirmed = form.text("confirmed")
    const query = logQuery(page, new URLSearchParams(form.text("filter") ?? ""))
    const { delivered, matching, retried } = yield* deliveries.retryAll(
      idOf(page),
      { query },
      confirmed === undefined ? undefined : Number(confirmed)
    )
    if (matching === 0) return new Goto({ path: back, note: t.nothing })
    if (retried !== null) return new Goto({ path: back, note: t.sentAgain(number(reader, retried)) })
    const title = t.allAsked(number(reader, matching), matching)
    return new View({
      title,
      body: confirmation(page, {
        title,
        body: html`${confirmed !== undefined && html`<p><strong>${t.allChanged}</strong></p>`}
          ${delivered > 0 && html`<p>${t.allDelivered(number(reader, delivered))}</p>`}
          ${matching >= maxCounted && html`<p>${t.allMost}</p>`}
          <p>${t.allTerms}</p>`,
        label: t.sendAgain,
        confirmed: String(matching),
        back,
        isDangerous: delivered > 0
      })
    })
  })
)

// One delivery.

const attemptView = (page: PageRequest, attempt: DeliveryAttempt): Html => {
  const t = words[page.reader.language]
  const name = t.attempt(attempt.number)
  const isGood = attempt.error === null
  const code = attempt.statusCode === null ? ofWebhooks[page.reader.language].noAnswer : String(attempt.statusCode)
  return html`<li class="stack" id="attempt-${attempt.number}">
    <div class="row">
      <h3>${name}</h3>
      ${pill(isGood ? "good" : "bad", code)}
      <span class="soft small"
        >${second(page.reader, attempt.startedUtc)}, ${milliseconds(page, attempt.durationMs)}</span
      >
    </div>
    ${!isGood && html`<p>${failureInFull(page.reader, attempt.error)}</p>`}
    ${receivedAnswer(
      page,
      { headers: attempt.responseHeaders, body: attempt.responseBody },
      (label) => `${name}: ${label}`
    )}
  </li>`
}

/** The attempts of a delivery, the latest first. */
export const attemptsCard = (page: PageRequest, delivery: WebhookDeliveryDetails): Html => {
  const t = words[page.reader.language]
  const { attempts, nextAttemptUtc } = delivery
  return card(
    "attempts",
    t.attempts,
    html`${nextAttemptUtc !== null && html`<p class="soft">${t.due(momentText(page.reader, nextAttemptUtc))}</p>`}
    ${
      attempts.length === 0
        ? html`<p class="soft">${t.noAttempts} ${failureInFull(page.reader, delivery.lastError)}</p>`
        : html`<ol class="stack attempts" role="list">
            ${attempts.toReversed().map((attempt) => attemptView(page, attempt))}
          </ol>`
    }`
  )
}

const showOne = get(`${path}/deliveries/:delivery`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    const t = words[page.reader.language]
    const webhook = yield* webhooks.get(idOf(page))
    const delivery = yield* deliveries.get(webhook.id, page.params["delivery"] ?? "")
    const at = addressOf(page, webhook.id)
    const maySend = mayChange(page) && webhook.status === "active" && delivery.status !== "pending"
    return new View({
      title: delivery.eventType,
      body: html`${head({
          title: delivery.eventType,
          subtitle: html`<span class="mono">${delivery.eventId}</span>, ${moment(page.reader, delivery.createdUtc)}`,
          crumbs: [
            { href: `${page.base}/webhooks`, name: ofWebhooks[page.reader.language].title },
            { href: at, name: titleOf(webhook) }
          ],
          actions: html`${statusPill(page, delivery)}
          ${delivery.status === "pending" && html`<a class="button" href="${at}/deliveries/${delivery.id}">${t.reload}</a>`}
          ${
            maySend &&
            html`<form method="post" action="${at}/deliveries/${delivery.id}/retry">
              ${formField(page.visit)} ${button(t.sendAgain, { kind: "main" })}
            </form>`
          }`
        })}
        ${mayChange(page) && webhook.status !== "active" && notice("warn", t.notActive)}
        <div class="grid-2">
          ${card(
            "request",
            common[page.reader.language].request,
            sentRequest(page, { url: webhook.url, ...delivery.request })
          )}
          ${attemptsCard(page, delivery)}
        </div>`
    })
  })
)

const sendOne = post(`${path}/deliveries/:delivery/retry`, (page) =>
  Effect.gen(function* () {
    const deliveries = yield* Deliveries
    const delivery = yield* deliveries.retry(idOf(page), page.params["delivery"] ?? "", formRequest(page))
    return new Goto({
      path: `${addressOf(page, idOf(page))}/deliveries/${delivery.id}`,
      note: words[page.reader.language].sentOneAgain
    })
  })
)

// What failed, and why.

const showErrors = get(`${path}/errors`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const deliveries = yield* Deliveries
    const { reader } = page
    const t = words[reader.language]
    const webhook = yield* webhooks.get(idOf(page))
    const causes = yield* deliveries.causes(webhook.id)
    const at = addressOf(page, webhook.id)
    const filterOf = (error: string) => new URLSearchParams({ last_error: error }).toString()
    const maySend = mayChange(page) && webhook.status === "active"
    return new View({
      title: titleOf(webhook),
      body: html`${headOfWebhook(page, webhook, "errors")}
        <div class="card">
          ${
            causes.length === 0
              ? emptyState(t.noErrors, t.noErrorsAdvice)
              : html`<p class="soft pad">${t.causesAbout}</p>
                  ${table(page, {
                    caption: ofWebhooks[reader.language].errors,
                    rows: causes,
                    idOf: ({ exampleId }) => `cause-${exampleId}`,
                    columns: [
                      {
                        key: "cause",
                        title: t.cause,
                        is: "name",
                        cell: ({ error, statusCode }) =>
                          html`<a href="${at}?${filterOf(error)}"
                              >${t[failureKindOf(error)]}${statusCode !== null && html` (${statusCode})`}</a
                            >
                            <span class="below">${sentence(error)}</span>`
                      },
                      { key: "count", title: t.count, isNumber: true, cell: ({ count }) => number(reader, count) },
                      { key: "first", title: t.first, is: "more", cell: ({ firstUtc }) => moment(reader, firstUtc) },
                      { key: "last", title: t.last, is: "more", cell: ({ lastUtc }) => moment(reader, lastUtc) },
                      {
                        key: "example",
                        title: t.example,
                        is: "more",
                        cell: ({ exampleId }) =>
                          html`<a href="${at}/deliveries/${exampleId}"
                            >${common[reader.language].show}<span class="hidden"> ${exampleId}</span></a
                          >`
                      },
                      {
                        key: "again",
                        title: common[reader.language].actions,
                        cell: ({ error }) =>
                          maySend &&
                          html`<form method="post" action="${at}/deliveries">
                            ${formField(page.visit)} ${hidden("all", "on")} ${hidden("filter", filterOf(error))}
                            ${hidden("back", `${at}/errors`)} ${button(t.sendAgain, { of: t[failureKindOf(error)] })}
                          </form>`
                      }
                    ]
                  })}`
          }
        </div>`
    })
  })
)

/** The pages of deliveries. */
export const pages = [showLog, sendMany, showOne, sendOne, showErrors]
