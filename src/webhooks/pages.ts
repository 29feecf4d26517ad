/** The pages of webhooks: which there are and how they fare, and how one is created, tested, changed and deleted. */
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
  problemNotice,
  View
} from "../console/Console.ts"
import { html, type Html, type Part } from "../console/Html.ts"
import { confirmation, table } from "../console/Lists.ts"
import {
  bars,
  box,
  button,
  card,
  copyable,
  emptyState,
  facts,
  faultOf,
  field,
  head,
  hidden,
  notice,
  pill,
  select,
  tabs,
  verbatim
} from "../console/Parts.ts"
import { common, moment, momentText, number } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { refusalOf } from "../core/auth/CurrentActor.ts"
import { writtenUrl } from "../core/fields/InternetAddress.ts"
import { ifMatch } from "../core/usecase/UseCaseRequest.ts"
import { eventResources, eventTypes, resourceOf, typesOf } from "../core/mutation/Event.ts"
import { webhooks as contract } from "./api.ts"
import type { Health, WebhookFields, WebhookHour } from "./rules.ts"
import { meaningOf, resourceName, words } from "./texts.ts"
import type { Webhook, WebhookTestResult } from "./Webhook.ts"
import { Webhooks } from "./Webhooks.ts"

const path = "/console/:team/webhooks"
const ofOne = `${path}/:webhook` as const

/** Where the page of a webhook is. */
export const addressOf = ({ base }: Pick<PageRequest, "base">, id: string): string => `${base}/webhooks/${id}`

const idOf = ({ params }: PageRequest): string => params["webhook"] ?? ""

/** What a webhook is called: its name, or the host of its URL. */
export const titleOf = ({ name, url }: Pick<Webhook, "name" | "url">): string =>
  name ?? (URL.canParse(url) ? new URL(url).host : url)

/** Whether the person may change webhooks, send tests, and send deliveries again. */
export const mayChange = ({ seat }: PageRequest): boolean =>
  seat !== undefined && refusalOf(seat.actor, "admin-or-broker") === undefined

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const kinds: { readonly [State in Health]: "bad" | "good" | "plain" | "warn" } = {
  healthy: "good",
  failing: "bad",
  late: "warn",
  paused: "plain",
  disabled: "bad"
}

/** How a webhook fares. */
export const healthPill = ({ reader }: PageRequest, { status }: Webhook["health"]): Html =>
  status in kinds ? pill(kinds[status as Health], words[reader.language][status as Health]) : pill("plain", status)

/** What became of the deliveries of the last 24 hours, as a chart and as a table. */
export const healthChart = (
  { reader }: PageRequest,
  hours: ReadonlyArray<WebhookHour>,
  hrefOf?: (hour: WebhookHour) => string
): Html => {
  const t = words[reader.language]
  const sum = (of: (hour: WebhookHour) => number) =>
    number(
      reader,
      hours.reduce((total, hour) => total + of(hour), 0)
    )
  const delivered = sum((hour) => hour.delivered)
  const failed = sum((hour) => hour.failed)
  const waiting = sum((hour) => hour.waiting)
  return card(
    "chart",
    t.chart,
    html`${bars(
        t.chartLabel(delivered, failed, waiting),
        hours.map((hour) => ({
          name: momentText(reader, hour.hourUtc),
          parts: [
            ["good", hour.delivered],
            ["bad", hour.failed],
            ["warn", hour.waiting]
          ]
        }))
      )}
      <details class="disclosure" id="hours">
        <summary>${t.chartTable}</summary>
        <div class="scroll" tabindex="0" role="region" aria-label="${t.chart}">
          <table>
            <thead>
              <tr>
                <th scope="col">${t.hour}</th>
                <th scope="col" class="num">${t.delivered}</th>
                <th scope="col" class="num">${t.failed}</th>
                <th scope="col" class="num">${t.waiting}</th>
              </tr>
            </thead>
            <tbody>
              ${hours.toReversed().map((hour) => {
                const name = moment(reader, hour.hourUtc)
                return html`<tr>
                  <th scope="row">${hrefOf === undefined ? name : html`<a href="${hrefOf(hour)}">${name}</a>`}</th>
                  <td class="num">${number(reader, hour.delivered)}</td>
                  <td class="num">${number(reader, hour.failed)}</td>
                  <td class="num">${number(reader, hour.waiting)}</td>
                </tr>`
              })}
            </tbody>
          </table>
        </div>
      </details>`,
    html`${pill("good", `${t.delivered} ${delivered}`)} ${pill("bad", `${t.failed} ${failed}`)}
    ${pill("warn", `${t.waiting} ${waiting}`)}`
  )
}

/** The head of the pages of one webhook. */
export const headOfWebhook = (
  page: PageRequest,
  webhook: Webhook,
  current: "deliveries" | "errors" | "settings"
): Html => {
  const t = words[page.reader.language]
  const at = addressOf(page, webhook.id)
  const views = [
    ["deliveries", at, t.deliveries],
    ["errors", `${at}/errors`, t.errors],
    ["settings", `${at}/settings`, t.edited]
  ] as const
  const { disabledReason: reason } = webhook
  return html`${head({
    crumbs: [{ href: `${page.base}/webhooks`, name: t.title }],
    title: titleOf(webhook),
    subtitle: html`<code>${webhook.url}</code>`,
    actions: html`${healthPill(page, webhook.health)}
    ${tabs(
      t.views,
      views.map(([view, href, name]) => ({ href, name, isCurrent: view === current }))
    )}`
  })}
  ${
    webhook.status === "disabled" &&
    notice(
      "warn",
      html`<strong>${t.disabledSince} ${moment(page.reader, webhook.disabledUtc)}.</strong> ${
          reason === "receiver_gone" ||
          reason === "deliveries_exhausted" ||
          reason === "team_deleted" ||
          reason === "team_imported"
            ? t[reason]
            : reason
        }`
    )
  }`
}

const showAll = get(path, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const { reader } = page
    const t = words[reader.language]
    const { data } = yield* webhooks.list({ query: listQuery(contract.endpoints.list, page) })
    const hours = yield* webhooks.hours()
    const addOne = mayChange(page) && html`<a class="button main" href="${page.base}/webhooks/new">${t.addOne}</a>`
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.subtitle, actions: addOne })}
      ${
        data.length === 0
          ? html`<div class="card">
              ${emptyState(
                t.empty,
                html`<p>${t.emptyAdvice}</p>
                  ${mayChange(page) ? html`<p><a href="${page.base}/webhooks/new">${t.addOne}</a></p>` : html`<p>${t.mayNot}</p>`}`
              )}
            </div>`
          : html`<div class="stack">
              ${healthChart(page, hours)}
              <div class="card">
                ${table(page, {
                  caption: t.title,
                  rows: data,
                  idOf: ({ id }) => id,
                  columns: [
                    {
                      key: "name",
                      title: t.webhook,
                      is: "name",
                      cell: (one) =>
                        html`<a href="${addressOf(page, one.id)}">${titleOf(one)}</a>
                          <span class="below">${one.url}</span>`
                    },
                    { key: "health", title: t.health, cell: (one) => healthPill(page, one.health) },
                    {
                      key: "events",
                      title: t.events,
                      is: "more",
                      cell: ({ events }) =>
                        events.includes("*")
                          ? t.all
                          : t.countOfEvents(typesOf(events).length, number(reader, typesOf(events).length))
                    },
                    {
                      key: "arrived",
                      title: t.arrived24h,
                      is: "more",
                      isNumber: true,
                      cell: ({ health }) => number(reader, health.delivered24h)
                    },
                    {
                      key: "p95",
                      title: t.p95,
                      is: "more",
                      isNumber: true,
                      cell: ({ health: { p95Ms } }) => p95Ms !== null && `${number(reader, p95Ms)} ms`
                    },
                    {
                      key: "failure",
                      title: t.lastFailure,
                      is: "more",
                      cell: ({ health: { lastFailure } }) =>
                        lastFailure !== null &&
                        html`${moment(reader, lastFailure.utc)}
                          <span class="below" lang="en">${lastFailure.error}</span>`
                    }
                  ]
                })}
              </div>
            </div>`
      }`
    })
  })
)

// The form of a new webhook and of the settings: name, URL and events.

interface Draft {
  readonly name: string | null | undefined
  readonly url: string | undefined
  readonly events: ReadonlyArray<string>
}

const draftOf = ({ form }: Pick<PageRequest, "form">): Draft => ({
  name: form.text("name") ?? null,
  url: form.text("url"),
  events: form.all("events")
})

const eventPicker = ({ reader: { language } }: PageRequest, picked: ReadonlyArray<string>, fault: Part): Html => {
  const t = words[language]
  const ticked = new Set(picked)
  const one = (pattern: string, label: Part, hint?: Part) =>
    box({
      id: `event-${pattern.replaceAll("*", "all").replaceAll(".", "-")}`,
      name: "events",
      value: pattern,
      label,
      isTicked: ticked.has(pattern),
      ...(hint === undefined ? {} : { hint })
    })
  return html`<fieldset class="stack" id="events" aria-describedby="events-hint">
    <legend>${t.events}</legend>
    <p class="hint" id="events-hint">${t.eventsHint}</p>
    ${fault !== undefined && html`<p class="fault" id="events-fault">${fault}</p>`}
    ${one("*", html`${t.all} <code>*</code>`, t.allHint)}
    ${eventResources.map((resource) => {
      const types = eventTypes.filter((type) => resourceOf(type) === resource)
      const patterns: ReadonlyArray<string> = [`${resource}.*`, ...types]
      const count = patterns.filter((pattern) => ticked.has(pattern)).length
      const name = resourceName(language, resource)
      return html`<details class="disclosure" id="events-${resource}" ${count > 0 && html`open`}>
        <summary>${name} <code>${resource}.*</code> ${count > 0 && pill("good", String(count))}</summary>
        <div class="boxes">
          ${one(`${resource}.*`, html`${t.allOf(name)} <code>${resource}.*</code>`)}
          ${types.map((type) => one(type, html`<code>${type}</code>`, meaningOf(language, type)))}
        </div>
      </details>`
    })}
  </fieldset>`
}

const fieldsOf = (page: PageRequest, draft: Draft, attempt?: Attempt): Html => {
  const t = words[page.reader.language]
  const errors = attempt?.problem.errors
  return html`<div class="fields">
      ${field({
        id: "url",
        name: "url",
        type: "url",
        label: t.url,
        value: draft.url,
        hint: t.urlHint,
        isRequired: true,
        placeholder: "https://hooks.example.com/property-network",
        fault: faultOf(errors, "url")
      })}
      ${field({
        id: "name",
        name: "name",
        label: `${common[page.reader.language].name} (${common[page.reader.language].optional})`,
        value: draft.name,
        hint: t.nameHint,
        fault: faultOf(errors, "name")
      })}
    </div>
    ${eventPicker(page, draft.events, faultOf(errors, "events") === undefined ? undefined : t.eventsFault)}`
}

const creation = (page: PageRequest, attempt?: Attempt) =>
  Effect.gen(function* () {
    const t = words[page.reader.language]
    const key = attempt?.form.text("key") ?? (yield* newKey)
    const draft = attempt === undefined ? { name: undefined, url: undefined, events: [] } : draftOf(attempt)
    return new View({
      title: t.addOne,
      body: html`${head({ title: t.addOne, crumbs: [{ href: `${page.base}/webhooks`, name: t.title }] })}
        ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
        <form class="card pad stack" method="post" action="${page.base}/webhooks">
          ${formField(page.visit)} ${hidden("key", key)} ${fieldsOf(page, draft, attempt)}
          <div class="row">
            ${button(t.create, { kind: "main" })}
            <a class="button" href="${page.base}/webhooks">${common[page.reader.language].cancel}</a>
          </div>
        </form>`
    })
  })

const showCreation = get(`${path}/new`, (page) => creation(page))

const testForm = (page: PageRequest, { events, id }: Pick<Webhook, "events" | "id">, chosen?: string): Html => {
  const t = words[page.reader.language]
  return html`<form class="row" method="post" action="${addressOf(page, id)}/test">
    ${formField(page.visit)}
    ${select({
      id: "event_type",
      name: "event_type",
      label: t.testType,
      value: chosen ?? typesOf(events)[0] ?? "",
      options: eventTypes.map((type) => [type, type])
    })}
    ${button(t.firstTest, { kind: "main" })}
  </form>`
}

const secretCard = (page: PageRequest, secret: string): Html => {
  const t = words[page.reader.language]
  return card(
    "secret-title",
    t.secret,
    html`<p>${common[page.reader.language].shownOnce}</p>
      ${copyable(page.reader, { id: "secret", label: t.secret, text: secret })}
      <p><a href="/docs/webhooks.md">${t.learn}</a></p>`
  )
}

const create = post(path, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const { name, url, events } = draftOf(page)
    const { value } = yield* webhooks.create(
      formRequest(page, { url: url ?? "", name: name ?? null, events: [...events] })
    )
    return new View({
      title: t.created,
      isSecret: true,
      body: html`${head({ title: titleOf(value), crumbs: [{ href: `${page.base}/webhooks`, name: t.title }] })}
        ${notice("good", t.created)}
        <div class="stack">
          ${secretCard(page, value.secret)}
          ${card(
            "test",
            t.testTitle,
            html`<p class="soft">${t.firstTestHint}</p>
              ${testForm(page, value)}`
          )}
          <p><a class="button" href="${addressOf(page, value.id)}">${t.toDeliveries}</a></p>
        </div>`
    })
  }).pipe(orShowAgain(page, (attempt) => creation(page, attempt)))
)

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")

const bytesOf = (text: string) => Buffer.byteLength(text)

/** A request as it was sent: its headers and its body. */
export const sentRequest = (
  { reader }: PageRequest,
  {
    body,
    headers,
    url
  }: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
): Html => {
  const t = words[reader.language]
  return html`<p class="mono">POST ${url}</p>
    ${verbatim(t.requestHeaders, headerLines(headers))}
    <h3>${t.requestBody(number(reader, bytesOf(body)))}</h3>
    ${verbatim(t.requestBody(number(reader, bytesOf(body))), body)}`
}

/** An answer as it came, which is somebody else's text. */
export const receivedAnswer = (
  { reader }: PageRequest,
  { body, headers }: { readonly headers: Readonly<Record<string, string>> | null; readonly body: string | null },
  label: (text: string) => string = (text) => text
): Html => {
  const t = words[reader.language]
  if (headers === null && body === null) return html`<p class="soft">${t.noAnswer}</p>`
  const size = t.answerBody(number(reader, bytesOf(body ?? "")))
  return html`${headers !== null && verbatim(label(t.answerHeaders), headerLines(headers))}
  ${
    body !== null &&
    body !== "" &&
    html`<h3>${size}</h3>
      ${verbatim(label(size), body)}`
  }`
}

const testResult = (page: PageRequest, webhook: Webhook, result: WebhookTestResult): Html => {
  const t = words[page.reader.language]
  const ms = number(page.reader, result.duration_ms)
  return html`${notice(
      result.success ? "good" : "bad",
      html`${result.success ? t.testAnswered(ms) : t.testFailed(ms)} <span lang="en">${result.error}</span>`
    )}
    <div class="grid-2">
      ${card(
        "request-title",
        common[page.reader.language].request,
        sentRequest(page, { url: webhook.url, headers: result.request_headers, body: result.request_body })
      )}
      ${card(
        "answer-title",
        t.answer,
        html`${
          result.status_code !== null &&
          html`<p>${pill(result.success ? "good" : "bad", String(result.status_code))}</p>`
        }
        ${receivedAnswer(page, { headers: result.response_headers, body: result.response_body })}`
      )}
    </div>`
}

const test = post(`${ofOne}/test`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const chosen = page.form.text("event_type")
    const webhook = yield* webhooks.get(idOf(page))
    const result = yield* webhooks.test(
      webhook.id,
      formRequest(page, chosen === undefined ? {} : { event_type: chosen })
    )
    return new View({
      title: t.testTitle,
      body: html`${head({
        title: t.testTitle,
        crumbs: [
          { href: `${page.base}/webhooks`, name: t.title },
          { href: addressOf(page, webhook.id), name: titleOf(webhook) }
        ]
      })}
      ${testResult(page, webhook, result)} ${card("test", t.firstTest, testForm(page, webhook, chosen))}`
    })
  })
)

// Settings.

const settings = (page: PageRequest, attempt?: Attempt) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const webhook = yield* webhooks.get(idOf(page))
    const at = addressOf(page, webhook.id)
    const draft = attempt === undefined ? webhook : draftOf(attempt)
    const isActive = webhook.status === "active"
    const about = facts([
      [common[page.reader.language].id, html`<code>${webhook.id}</code>`],
      [common[page.reader.language].created, moment(page.reader, webhook.createdUtc)],
      [t.arrived24h, number(page.reader, webhook.health.delivered24h)],
      [t.p95, webhook.health.p95Ms !== null && `${number(page.reader, webhook.health.p95Ms)} ms`],
      [t.previousUntil, moment(page.reader, webhook.previousSecretsExpireUtc)]
    ])
    const change = html`<form class="card pad stack" method="post" action="${at}/settings">
        ${formField(page.visit)} ${hidden("etag", attempt?.form.text("etag") ?? webhook.etag)}
        ${hidden("seen", attempt?.form.text("seen") ?? seenOf(webhook))} ${fieldsOf(page, draft, attempt)}
        <div class="row">${button(common[page.reader.language].save, { kind: "main" })}</div>
      </form>
      ${
        isActive &&
        card(
          "test",
          t.testTitle,
          html`<p class="soft">${t.firstTestHint}</p>
            ${testForm(page, webhook)}`
        )
      }
      ${card(
        "status",
        t.status,
        html`<p class="soft">${t.pauseHint}</p>
          <form method="post" action="${at}/status">
            ${formField(page.visit)}
            ${
              isActive
                ? button(t.pause, { name: "status", value: "paused" })
                : button(t.activate, { name: "status", value: "active", kind: "main" })
            }
          </form>`
      )}
      ${card(
        "secret-title",
        t.secret,
        html`<p class="soft">${t.rotateHint}</p>
          <form class="stack" method="post" action="${at}/secret">
            ${formField(page.visit)} ${hidden("key", yield* newKey)}
            ${select({
              id: "overlap",
              name: "overlap",
              label: t.overlap,
              value: "24h",
              any: t.overlapNone,
              options: [
                ["1h", t.overlapHours(1)],
                ["24h", t.overlapHours(24)],
                ["7d", t.overlapDays(7)]
              ]
            })}
            <div class="row">${button(t.rotate)}</div>
          </form>`
      )}
      ${card(
        "delete",
        t.consequences,
        html`<p class="soft">${t.deleteHint}</p>
          <form method="post" action="${at}/delete">
            ${formField(page.visit)}
            ${button(common[page.reader.language].delete, { kind: "danger", of: titleOf(webhook) })}
          </form>`
      )}`
    return new View({
      title: titleOf(webhook),
      body: html`${headOfWebhook(page, webhook, "settings")}
        ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
        <div class="stack">
          <div class="card pad">${about}</div>
          ${mayChange(page) ? change : notice("warn", t.mayNot)}
        </div>`
    })
  })

const showSettings = get(`${ofOne}/settings`, (page) => settings(page))

/** What the person saw when they began to edit: changes by the service, such as counts, are no other version of it. */
const seenOf = ({ events, name, url }: WebhookFields): string => JSON.stringify([name, url, [...events].sort()])

const showConflict = (page: PageRequest, mine: WebhookFields, present: Webhook): View => {
  const t = words[page.reader.language]
  const at = addressOf(page, present.id)
  const versionOf = ({ events, name, url }: WebhookFields) =>
    facts([
      [common[page.reader.language].name, name ?? common[page.reader.language].none],
      [t.url, html`<code>${url}</code>`],
      [t.events, html`<code>${[...events].sort().join(", ")}</code>`]
    ])
  return new View({
    title: t.conflictTitle,
    status: 412,
    body: html`${head({
        title: t.conflictTitle,
        crumbs: [
          { href: `${page.base}/webhooks`, name: t.title },
          { href: at, name: titleOf(present) }
        ]
      })}
      ${notice("bad", t.conflict)}
      <div class="grid-2">
        ${card(
          "present",
          t.now,
          html`${versionOf(present)}
            <div class="row"><a class="button" href="${at}/settings">${t.keep}</a></div>`
        )}
        ${card(
          "mine",
          t.mine,
          html`${versionOf(mine)}
            <form method="post" action="${at}/settings">
              ${formField(page.visit)} ${hidden("etag", present.etag)} ${hidden("seen", seenOf(present))}
              ${hidden("name", mine.name ?? "")} ${hidden("url", mine.url)}
              ${mine.events.map((pattern) => hidden("events", pattern))} ${button(t.overwrite, { kind: "main" })}
            </form>`
        )}
      </div>`
  })
}

const change = post(`${ofOne}/settings`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const { name = null, url = "", events } = draftOf(page)
    const mine = { name, url: writtenUrl(url), events }
    const saved = new Goto({
      path: `${addressOf(page, idOf(page))}/settings`,
      note: common[page.reader.language].saved
    })
    const present = yield* webhooks.get(idOf(page))
    // Boxes have the order of the vocabulary, which says nothing.
    const isSameEvents = seenOf({ ...mine, name: null, url: "" }) === seenOf({ ...present, name: null, url: "" })
    const body = { name, url, events: isSameEvents ? present.events : [...events] }
    const etag = page.form.text("seen") === seenOf(present) ? present.etag : page.form.text("etag")
    const showBoth = Effect.map(webhooks.get(present.id), (now) =>
      seenOf(mine) === seenOf(now) ? saved : showConflict(page, mine, now)
    )
    return yield* webhooks
      .patch(present.id, { ...formRequest(page, body), ifMatch: ifMatch(etag) })
      .pipe(
        Effect.as<Goto | View>(saved),
        Effect.catchTags({ PreconditionFailed: () => showBoth, ConcurrencyConflict: () => showBoth })
      )
  }).pipe(orShowAgain(page, (attempt) => settings(page, attempt)))
)

const setStatus = post(`${ofOne}/status`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const status = page.form.text("status") === "active" ? "active" : "paused"
    yield* webhooks.patch(idOf(page), formRequest(page, { status }))
    return new Goto({
      path: `${addressOf(page, idOf(page))}/settings`,
      note: status === "active" ? t.activated : t.pausedNow
    })
  })
)

const rotate = post(`${ofOne}/secret`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const overlap = page.form.text("overlap")
    const { value } = yield* webhooks.rotate(idOf(page), formRequest(page, overlap === undefined ? {} : { overlap }))
    return new View({
      title: t.rotated,
      isSecret: true,
      body: html`${headOfWebhook(page, value, "settings")} ${notice("good", t.rotated)}
        <div class="stack">
          ${secretCard(page, value.secret)}
          ${
            value.previousSecretsExpireUtc !== null &&
            html`<p class="soft">${t.previousUntil} ${moment(page.reader, value.previousSecretsExpireUtc)}.</p>`
          }
          ${card("test", t.testTitle, testForm(page, value))}
        </div>`
    })
  })
)

const remove = post(`${ofOne}/delete`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
    const webhook = yield* webhooks.get(idOf(page))
    if (!page.form.has("confirmed")) {
      const title = t.deleteAsk(titleOf(webhook))
      return new View({
        title,
        body: confirmation(page, {
          title,
          body: html`<p><code>${webhook.url}</code></p>
            <p>${t.deleteHint}</p>`,
          label: common[page.reader.language].delete,
          confirmed: webhook.id,
          back: `${addressOf(page, webhook.id)}/settings`
        })
      })
    }
    yield* webhooks.delete(webhook.id, formRequest(page))
    return new Goto({ path: `${page.base}/webhooks`, note: t.deleted })
  })
)

/** The pages of webhooks. */
export const pages = [showAll, showCreation, create, test, showSettings, change, setStatus, rotate, remove]

/** Their link in the navigation. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat === undefined
    ? []
    : [
        {
          href: `${base}/webhooks`,
          name: words[reader.language].title,
          icon: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2L8.6 14M12.5 12.5a2.5 2.5 0 1 1-1.6 4.4H6.5M5 10.5a2.5 2.5 0 1 0 2.5 3"
        }
      ]
