/** The webhooks of all teams by their health, and their deliveries, for operators (docs/operations.md#deliveries-of-all-teams). */
import { Effect } from "effect"
import { formRequest, get, Goto, type LinksOf, type PageRequest, post, View } from "../../console/Console.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { addressWith, type Column, columnChoice, confirmation, filterForm, pager, table } from "../../console/Lists.ts"
import { button, card, emptyState, facts, head, hidden, notice } from "../../console/Parts.ts"
import { common, moment, number, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { parseTimestamp } from "../../core/fields/Timestamp.ts"
import { DryRun, emptyOutcome } from "../../core/mutation/ChangeRecord.ts"
import { eventTypes } from "../../core/mutation/Event.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { daysAgo } from "../../platform/Time.ts"
import { type ReportedWebhook, WebhookHealth } from "../WebhookHealth.ts"
import { healthPill, sentRequest } from "../WebhookParts.ts"
import { Deliveries } from "./Deliveries.ts"
import { type ReportedDelivery, statuses } from "./Delivery.ts"
import { failureText } from "./FailureText.ts"
import { attemptsCard, statusPill } from "./pages.ts"
import { words as ofDeliveries } from "./texts.ts"

const words = texts({
  webhooks: ["Webhooks' health", "Zustand der Webhooks"],
  webhooksOfAll: [
    "The webhooks of all teams, the least healthy first.",
    "Die Webhooks aller Teams; die schlechtesten zuerst."
  ],
  webhook: ["Webhook", "Webhook"],
  webhookId: ["Webhook (id)", "Webhook (Id)"],
  health: ["Health", "Zustand"],
  teamId: ["Team (id)", "Team (Id)"],
  pending: ["Waiting", "Wartend"],
  oldest: ["Oldest due for", "Älteste fällig seit"],
  arrived: ["Arrived in 24 hours", "Angekommen in 24 Stunden"],
  p95: ["95 % answered within", "95 % beantwortet binnen"],
  disabled: ["Disabled", "Abgeschaltet"],
  receiver: ["Receiver", "Empfänger"],
  noWebhooks: ["No webhooks", "Keine Webhooks"],
  noWebhooksAdvice: ["A team adds them under Integration.", "Ein Team legt sie unter Integration an."],
  deliveries: ["Deliveries", "Zustellungen"],
  deliveriesOfAll: [
    "What was sent to webhooks of all teams, the newest first.",
    "Was an Webhooks aller Teams gesendet wurde; das Neueste zuerst."
  ],
  noDeliveries: ["No deliveries", "Keine Zustellungen"],
  noDeliveriesAdvice: ["Leave some filters out, or begin earlier.", "Lassen Sie Filter weg, oder beginnen Sie früher."],
  event: ["Event", "Ereignis"],
  since: ["Since", "Seit"],
  next: ["Next attempt", "Nächster Versuch"],
  replay: ["Send all failed again", "Alle fehlgeschlagenen erneut senden"],
  replayAsked: [
    (count: string) => (count === "1" ? "Send 1 failed delivery again?" : `Send ${count} failed deliveries again?`),
    (count: string) =>
      count === "1"
        ? "1 fehlgeschlagene Zustellung erneut senden?"
        : `${count} fehlgeschlagene Zustellungen erneut senden?`
  ],
  replayTerms: [
    (since: Html) =>
      html`Those of this webhook that were created since ${since}: the same messages with the same webhook-id, with nine
      new attempts each.`,
    (since: Html) =>
      html`Die dieses Webhooks, die seit ${since} entstanden sind: dieselben Nachrichten mit derselben webhook-id und je
      neun neuen Versuchen.`
  ],
  changed: [
    "Meanwhile it is another number than you confirmed. Nothing has been sent again yet.",
    "Es sind inzwischen andere als bestätigt. Noch wurde nichts erneut gesendet."
  ],
  notActive: [
    "The webhook is not active: its team has to resume it first.",
    "Der Webhook ist nicht aktiv: Erst muss ihn sein Team fortsetzen."
  ]
})

const paths = { webhooks: "/console/operation/webhooks", deliveries: "/console/operation/deliveries" } as const
const pageSize = 50
const wordsOf = ({ reader }: PageRequest) => words[reader.language]
const teamLink = (teamId: string): Html => html`<a href="/console/operation/teams/${teamId}"><code>${teamId}</code></a>`

const healths = ["failing", "late", "disabled", "paused", "healthy"] as const

const healthOf = (page: PageRequest, { health }: Pick<ReportedWebhook, "health">): Html =>
  healthPill(page, { status: health, delivered24h: 0, p95Ms: null, lastFailure: null })

// Webhooks.

const webhookColumns = (page: PageRequest): ReadonlyArray<Column<ReportedWebhook>> => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  return [
    {
      key: "webhook",
      title: t.webhook,
      is: "name",
      cell: ({ id, name, url }) =>
        html`<a href="${paths.deliveries}?webhook=${id}">${name ?? id}</a> <span class="below">${url}</span>`
    },
    { key: "health", title: t.health, cell: (one) => healthOf(page, one) },
    { key: "team", title: c.team, is: "more", cell: ({ teamId }) => teamLink(teamId) },
    {
      key: "pending",
      title: t.pending,
      is: "more",
      isNumber: true,
      cell: ({ pending }) => number(page.reader, pending)
    },
    {
      key: "oldest",
      title: t.oldest,
      is: "more",
      isNumber: true,
      cell: ({ oldestDueSeconds }) =>
        oldestDueSeconds !== null && `${number(page.reader, Math.round(oldestDueSeconds))} s`
    },
    {
      key: "arrived",
      title: t.arrived,
      is: "more",
      isNumber: true,
      // Rounded down, so that it never shows 100 % when a delivery failed.
      cell: ({ attempted, delivered, successRate }) =>
        successRate !== null &&
        `${number(page.reader, Math.floor(successRate * 1000) / 10)} % (${number(page.reader, delivered)}/${number(page.reader, attempted)})`
    },
    {
      key: "p95",
      title: t.p95,
      is: "more",
      isNumber: true,
      cell: ({ p95Ms }) => p95Ms !== null && `${number(page.reader, p95Ms)} ms`
    },
    {
      key: "disabled",
      title: t.disabled,
      is: "more",
      isExtra: true,
      cell: ({ disabledReason, disabledUtc }) => html`${moment(page.reader, disabledUtc)} ${disabledReason}`
    },
    { key: "id", title: c.id, is: "more", isExtra: true, cell: ({ id }) => html`<code>${id}</code>` }
  ]
}

const showWebhooks = get(paths.webhooks, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { status } = yield* WebhookHealth
    const asked = (name: string) => page.search.get(name)?.trim() || undefined
    const health = asked("health")
    const all = (yield* status(asked("team"))).filter((one) => health === undefined || one.health === health)
    // The order follows from what happens: where the last one of the page before is gone, the list begins again.
    const from = all.findIndex(({ id }) => id === asked("cursor")) + 1
    const rows = all.slice(from, from + pageSize)
    const columns = webhookColumns(page)
    return new View({
      title: t.webhooks,
      body: html`${head({ title: t.webhooks, subtitle: t.webhooksOfAll, actions: columnChoice(page, columns) })}
        ${filterForm(page, [
          { name: "health", label: t.health, options: healths.map((one) => [one, healthName(page, one)] as const) },
          { name: "team", label: t.teamId }
        ])}
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noWebhooks, t.noWebhooksAdvice) : table(page, { caption: t.webhooks, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: all.length > from + pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
        </div>`
    })
  })
)

// The words of the health are those of the pages of a team.
const healthName = (page: PageRequest, health: (typeof healths)[number]): string =>
  healthOf(page, { health })
    .text.replaceAll(/<[^>]*>/g, "")
    .trim()

// Deliveries.

const openAddress = (id: string) => `${paths.deliveries}/${id}`

const deliveryColumns = (page: PageRequest): ReadonlyArray<Column<ReportedDelivery>> => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const d = ofDeliveries[page.reader.language]
  return [
    {
      key: "event",
      title: t.event,
      is: "name",
      cell: ({ eventType, id }) => html`<a href="${openAddress(id)}">${eventType}</a>`
    },
    { key: "outcome", title: d.outcome, cell: (one) => statusPill(page, one) },
    { key: "created", title: c.created, cell: ({ createdUtc }) => moment(page.reader, createdUtc) },
    {
      key: "last",
      title: d.cause,
      is: "more",
      cell: ({ lastError, lastStatusCode }) =>
        lastError === null ? lastStatusCode : failureText(page.reader, lastError)
    },
    {
      key: "attempts",
      title: d.attempts,
      is: "more",
      isNumber: true,
      cell: ({ attemptCount }) => number(page.reader, attemptCount)
    },
    {
      key: "webhook",
      title: t.webhook,
      is: "more",
      cell: ({ webhookId, webhookName }) =>
        html`<a href="${addressWith(page, { webhook: webhookId, cursor: undefined })}">${webhookName ?? webhookId}</a>`
    },
    { key: "team", title: c.team, is: "more", isExtra: true, cell: ({ teamId }) => teamLink(teamId) },
    {
      key: "next",
      title: t.next,
      is: "more",
      isExtra: true,
      cell: ({ nextAttemptUtc }) => moment(page.reader, nextAttemptUtc)
    }
  ]
}

const noDate = InvalidRequest.of([bodyFault("/since", "invalid_timestamp", "Must be a date such as 2026-11-20.")])

const sinceOf = (text: string | undefined) => {
  const time = text === undefined ? undefined : parseTimestamp(text)
  return text !== undefined && time === undefined ? Effect.fail(noDate) : Effect.succeed(time)
}

const cursorOf = ({ createdUtc, id }: ReportedDelivery) => `${createdUtc}~${id}`

const positionOf = (cursor: string | undefined) => {
  const [createdUtc = "", id = ""] = cursor?.split("~") ?? []
  return parseTimestamp(createdUtc) === undefined ? undefined : { createdUtc, id }
}

const replayForm = (page: PageRequest, webhook: string, since: Date): Html =>
  html`<form method="post" action="${paths.deliveries}/replay">
    ${formField(page.visit)} ${hidden("webhook", webhook)} ${hidden("since", since.toISOString())}
    ${hidden("back", addressWith(page, {}))} ${button(wordsOf(page).replay)}
  </form>`

const showDeliveries = get(paths.deliveries, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { report } = yield* Deliveries
    const asked = (name: string) => page.search.get(name)?.trim() || undefined
    const since = yield* sinceOf(asked("since"))
    const webhookId = asked("webhook")
    const found = yield* report(
      {
        teamId: asked("team"),
        webhookId,
        status: statuses.find((status) => status === asked("status")),
        eventType: eventTypes.find((type) => type === asked("event")),
        since
      },
      { after: positionOf(asked("cursor")), limit: pageSize + 1 }
    )
    const rows = found.slice(0, pageSize)
    const last = rows.at(-1)
    const columns = deliveryColumns(page)
    const d = ofDeliveries[page.reader.language]
    return new View({
      title: t.deliveries,
      body: html`${head({
          title: t.deliveries,
          subtitle: t.deliveriesOfAll,
          actions: html`${webhookId !== undefined && replayForm(page, webhookId, since ?? (yield* daysAgo(1)))}
          ${columnChoice(page, columns)}`
        })}
        ${filterForm(page, [
          { name: "status", label: d.outcome, options: statuses.map((status) => [status, d[status]] as const) },
          { name: "event", label: t.event, options: eventTypes.map((type) => [type, type] as const) },
          { name: "webhook", label: t.webhookId },
          { name: "team", label: t.teamId },
          { name: "since", label: t.since, type: "date" }
        ])}
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noDeliveries, t.noDeliveriesAdvice) : table(page, { caption: t.deliveries, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: last === undefined ? null : cursorOf(last) }, rows.length)}
        </div>`
    })
  })
)

const deliveryOf = ({ params }: PageRequest) => params["delivery"] ?? ""

const showDelivery = get(`${paths.deliveries}/:delivery`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const c = common[page.reader.language]
    const { show } = yield* Deliveries
    const delivery = yield* show(deliveryOf(page))
    const isActive = delivery.webhookStatus === "active"
    const again: Part =
      isActive &&
      delivery.status !== "pending" &&
      html`<form method="post" action="${openAddress(delivery.id)}/retry">
        ${formField(page.visit)} ${button(ofDeliveries[page.reader.language].sendAgain, { kind: "main" })}
      </form>`
    return new View({
      title: delivery.eventType,
      body: html`${head({
          title: delivery.eventType,
          subtitle: html`<span class="mono">${delivery.eventId}</span>, ${moment(page.reader, delivery.createdUtc)}`,
          crumbs: [{ href: paths.deliveries, name: t.deliveries }],
          actions: html`${statusPill(page, delivery)} ${again}`
        })}
        ${!isActive && notice("warn", t.notActive)}
        <div class="grid-2">
          ${card(
            "receiver",
            t.receiver,
            facts([
              [
                t.webhook,
                html`<a href="${paths.deliveries}?webhook=${delivery.webhookId}"
                  >${delivery.webhookName ?? delivery.webhookId}</a
                >`
              ],
              [c.status, html`<span lang="en">${delivery.webhookStatus}</span>`],
              [c.team, teamLink(delivery.teamId)],
              [c.id, html`<code>${delivery.id}</code>`]
            ])
          )}
          ${attemptsCard(page, delivery)}
          ${card("request", c.request, sentRequest(page, { url: delivery.url, ...delivery.request }))}
        </div>`
    })
  })
)

const retry = post(`${paths.deliveries}/:delivery/retry`, (page) =>
  Effect.gen(function* () {
    const { retryOfAny } = yield* Deliveries
    yield* retryOfAny(deliveryOf(page), formRequest(page))
    return new Goto({ path: openAddress(deliveryOf(page)), note: ofDeliveries[page.reader.language].sentOneAgain })
  })
)

const replay = post(`${paths.deliveries}/replay`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { replayAllOfAny } = yield* Deliveries
    const webhook = page.form.text("webhook") ?? ""
    const since = (yield* sinceOf(page.form.text("since"))) ?? (yield* daysAgo(1))
    const back = `${paths.deliveries}?webhook=${encodeURIComponent(webhook)}`
    const count = yield* Effect.provideService(replayAllOfAny(webhook, since), DryRun, emptyOutcome())
    const confirmed = page.form.text("confirmed")
    if (confirmed === String(count)) {
      const queued = yield* replayAllOfAny(webhook, since)
      return new Goto({ path: back, note: ofDeliveries[page.reader.language].sentAgain(number(page.reader, queued)) })
    }
    if (count === 0) return new Goto({ path: back, note: ofDeliveries[page.reader.language].nothing })
    const title = t.replayAsked(number(page.reader, count))
    return new View({
      title,
      body: html`${confirmed !== undefined && notice("warn", t.changed)}
      ${confirmation(page, {
        title,
        body: t.replayTerms(html`${moment(page.reader, since.toISOString())}`),
        label: t.replay,
        confirmed: String(count),
        back,
        isDangerous: false
      })}`
    })
  })
)

/** The webhooks and the deliveries of all teams. */
export const pages = [showWebhooks, showDeliveries, showDelivery, retry, replay]

/** Their links. */
export const links: LinksOf = ({ isOperator, reader }) => {
  const t = words[reader.language]
  return isOperator
    ? [
        { href: paths.webhooks, name: t.webhooks, icon: "M3 10h3l2-4 4 8 2-4h3" },
        { href: paths.deliveries, name: t.deliveries, icon: "M3 10h12M11 6l4 4-4 4" }
      ]
    : []
}
