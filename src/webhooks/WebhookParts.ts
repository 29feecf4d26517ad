/**
 * What the pages of webhooks are made of besides the parts of every page: how a webhook fares, which events it gets, a request as it was
 * sent, and an answer as it came.
 */
import type { PageRequest } from "../console/Console.ts"
import { html, type Html, type Part } from "../console/Html.ts"
import { bars, box, button, card, facts, head, hidden, notice, pill, tabs, verbatim } from "../console/Parts.ts"
import { common, moment, momentText, number } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { refusalOf } from "../core/auth/CurrentActor.ts"
import { eventResources, eventTypes, resourceOf } from "../core/mutation/Event.ts"
import { failureInFull } from "./deliveries/FailureText.ts"
import type { Health, WebhookFields, WebhookHour } from "./rules.ts"
import { meaningOf, resourceName, words } from "./texts.ts"
import type { Webhook, WebhookTestResult } from "./Webhook.ts"

/** Where the page of a webhook is. */
export const addressOf = ({ base }: Pick<PageRequest, "base">, id: string): string => `${base}/webhooks/${id}`

/** What a webhook is called: its name, or the host of its URL. */
export const titleOf = ({ name, url }: Pick<Webhook, "name" | "url">): string =>
  name ?? (URL.canParse(url) ? new URL(url).host : url)

/** Whether the person may change webhooks, send tests, and send deliveries again. */
export const mayChange = ({ seat }: PageRequest): boolean =>
  seat !== undefined && refusalOf(seat.actor, "admin-or-broker") === undefined

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
      <div class="spread small soft">
        <span>${moment(reader, hours[0]?.hourUtc)}</span><span>${moment(reader, hours.at(-1)?.hourUtc)}</span>
      </div>
      <details class="disclosure" id="hours">
        <summary>${t.chartTable}</summary>
        <div class="scroll" tabindex="0" role="group" aria-label="${t.chart}">
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

/** The boxes of all events, by resource. */
export const eventPicker = (
  { reader: { language } }: PageRequest,
  picked: ReadonlyArray<string>,
  fault: Part
): Html => {
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
  return html`<fieldset
    class="stack tight"
    id="events"
    aria-describedby="events-hint${fault !== undefined && html` events-fault`}"
  >
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
        <div class="boxes described">
          ${one(`${resource}.*`, html`${t.allOf(name)} <code>${resource}.*</code>`)}
          ${types.map((type) => one(type, html`<code>${type}</code>`, meaningOf(language, type)))}
        </div>
      </details>`
    })}
  </fieldset>`
}

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
  const size = t.answerBody(number(reader, bytesOf(body ?? "")))
  return html`${headers !== null && verbatim(label(t.answerHeaders), headerLines(headers))}
  ${
    body !== null &&
    body !== "" &&
    html`<h3>${size}</h3>
      ${verbatim(label(size), body)}`
  }`
}

/** What was sent in a test, and what came back. */
export const testResult = (page: PageRequest, webhook: Webhook, result: WebhookTestResult): Html => {
  const t = words[page.reader.language]
  const ms = number(page.reader, result.duration_ms)
  return html`${notice(
      result.success ? "good" : "bad",
      html`${result.success ? t.testAnswered(ms) : t.testFailed(ms)} ${failureInFull(page.reader, result.error)}`
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
        html`<p>${pill(result.success ? "good" : "bad", result.status_code ?? t.noAnswer)}</p>
          ${receivedAnswer(page, { headers: result.response_headers, body: result.response_body })}`
      )}
    </div>`
}

/** What the person saw when they began to edit: changes by the service, such as counts, are no other version of it. */
export const seenOf = ({ events, name, url }: WebhookFields): string => JSON.stringify([name, url, [...events].sort()])

/** Both versions of a webhook that two people changed, of which one is chosen. */
export const bothVersions = (page: PageRequest, mine: WebhookFields, present: Webhook): Html => {
  const t = words[page.reader.language]
  const at = addressOf(page, present.id)
  const versionOf = ({ events, name, url }: WebhookFields) =>
    facts([
      [common[page.reader.language].name, name ?? common[page.reader.language].none],
      [t.url, html`<code>${url}</code>`],
      [t.events, html`<code>${[...events].sort().join(", ")}</code>`]
    ])
  return html`${head({
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
}
