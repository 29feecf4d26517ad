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
import { html, type Html } from "../console/Html.ts"
import { confirmation, table } from "../console/Lists.ts"
import {
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
  select,
  skipTo
} from "../console/Parts.ts"
import { common, moment, number } from "../console/Texts.ts"
import { tryIt } from "../console/TryIt.ts"
import { formField } from "../console/Visit.ts"
import { authorize } from "../core/auth/CurrentActor.ts"
import { writtenUrl } from "../core/fields/InternetAddress.ts"
import { eventTypes, typesOf } from "../core/mutation/Event.ts"
import { Outbound } from "../core/outbound/Outbound.ts"
import { ifMatch } from "../core/usecase/UseCaseRequest.ts"
import { failureText } from "./deliveries/FailureText.ts"
import { webhooks as contract } from "./api.ts"
import { words } from "./texts.ts"
import type { Webhook } from "./Webhook.ts"
import {
  addressOf,
  bothVersions,
  eventPicker,
  headOfWebhook,
  healthChart,
  healthPill,
  mayChange,
  seenOf,
  testResult,
  titleOf
} from "./WebhookParts.ts"
import { Webhooks } from "./Webhooks.ts"

const path = "/console/:team/webhooks"
const ofOne = `${path}/:webhook` as const

const idOf = ({ params }: PageRequest): string => params["webhook"] ?? ""

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

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
                          <span class="below breaks">${one.url}</span>`
                    },
                    { key: "health", title: t.health, cell: (one) => healthPill(page, one.health) },
                    {
                      key: "events",
                      title: t.events,
                      is: "more",
                      cell: ({ events }) => (events.includes("*") ? t.all : number(reader, typesOf(events).length))
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
                          <span class="below">${failureText(reader, lastFailure.error)}</span>`
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

/** Which addresses this installation takes. */
const urlHint = ({ reader }: PageRequest, { http, networks }: Outbound["Service"]["allowed"]): string => {
  const t = words[reader.language]
  const isLocal = networks.some((network) => network.startsWith("127."))
  return [
    http ? t.urlHintHttp : t.urlHint,
    ...(networks.length === 0 ? [] : [t.urlHintNetworks(networks.join(", "))]),
    ...(http && isLocal ? [t.urlHintLocal("http://127.0.0.1:3000")] : [])
  ].join(" ")
}

const fieldsOf = Effect.fnUntraced(function* (page: PageRequest, draft: Draft, attempt?: Attempt) {
  const t = words[page.reader.language]
  const { allowed } = yield* Outbound
  const errors = attempt?.problem.errors
  return html`<div class="fields">
      ${field({
        id: "url",
        name: "url",
        type: "url",
        label: t.url,
        value: draft.url,
        hint: urlHint(page, allowed),
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
})

const creation = (page: PageRequest, attempt?: Attempt) =>
  Effect.gen(function* () {
    const t = words[page.reader.language]
    // A key that made a webhook already makes no other: who changes the form after that means another one.
    const sent = attempt?.problem.code === "idempotency_key_reused" ? undefined : attempt?.form.text("key")
    const key = sent ?? (yield* newKey)
    const draft = attempt === undefined ? { name: undefined, url: undefined, events: [] } : draftOf(attempt)
    const fields = yield* fieldsOf(page, draft, attempt)
    return new View({
      title: t.addOne,
      body: html`${head({ title: t.addOne, crumbs: [{ href: `${page.base}/webhooks`, name: t.title }] })}
        ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
        <form class="card pad stack" method="post" action="${page.base}/webhooks">
          ${skipTo(page.reader, "save-webhook")} ${formField(page.visit)} ${hidden("key", key)} ${fields}
          <div class="row">
            ${button(t.create, { kind: "main", id: "save-webhook" })}
            <a class="button" href="${page.base}/webhooks">${common[page.reader.language].cancel}</a>
          </div>
        </form>
        ${tryIt(page, contract, contract.endpoints.create, {
          body: {
            url: draft.url ?? "https://hooks.example.com/property-network",
            events: draft.events.length === 0 ? ["contact.*"] : draft.events
          }
        })}`
    })
  })

const showCreation = get(`${path}/new`, (page) =>
  Effect.gen(function* () {
    yield* authorize("admin-or-broker")
    return yield* creation(page)
  })
)

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
      <p><a href="/docs/webhooks.md#a-receiver">${t.learn}</a></p>`
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
        <div class="stack">
          ${testResult(page, webhook, result)} ${card("test", t.firstTest, testForm(page, webhook, chosen))}
        </div>`
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
    const fields = yield* fieldsOf(page, draft, attempt)
    const isActive = webhook.status === "active"
    const about = facts([
      [common[page.reader.language].id, html`<code>${webhook.id}</code>`],
      [common[page.reader.language].created, moment(page.reader, webhook.createdUtc)],
      [t.arrived24h, number(page.reader, webhook.health.delivered24h)],
      [t.p95, webhook.health.p95Ms !== null && `${number(page.reader, webhook.health.p95Ms)} ms`],
      [t.previousUntil, moment(page.reader, webhook.previousSecretsExpireUtc)]
    ])
    const change = html`<form class="card pad stack" method="post" action="${at}/settings">
        ${skipTo(page.reader, "save-webhook")} ${formField(page.visit)}
        ${hidden("etag", attempt?.form.text("etag") ?? webhook.etag)}
        ${hidden("seen", attempt?.form.text("seen") ?? seenOf(webhook))} ${fields}
        <div class="row">${button(common[page.reader.language].save, { kind: "main", id: "save-webhook" })}</div>
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
        t.rotateTitle,
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

const change = post(`${ofOne}/settings`, (page) =>
  Effect.gen(function* () {
    const webhooks = yield* Webhooks
    const t = words[page.reader.language]
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
      seenOf(mine) === seenOf(now)
        ? saved
        : new View({ title: t.conflictTitle, status: 412, body: bothVersions(page, mine, now) })
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
