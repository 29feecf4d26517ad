/** The requests of programs to the API in the last 24 hours: by hour, by problem, by client and by operation, and each of them. */
import * as Id from "../core/Id.ts"
import {
  type CallerGroup,
  type ListedRequest,
  type ProblemGroup,
  type RequestFilter,
  type RequestPosition,
  type RouteGroup,
  statusClasses
} from "../core/requests/RequestRecord.ts"
import { RequestRecords } from "../core/requests/RequestRecords.ts"
import { get, type LinksOf, type PageRequest, View } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { addressWith, type Column, columnChoice, filterForm, pager, table } from "./Lists.ts"
import { bars, card, emptyState, head, pill } from "./Parts.ts"
import { common, moment, number, second, texts } from "./Texts.ts"
import { Effect } from "effect"

const words = texts({
  title: ["API requests", "API-Anfragen"],
  subtitle: [
    "What programs of this team asked of the API in the last 24 hours. Nothing of what they sent or were answered is kept.",
    "Was Programme dieses Teams in den letzten 24 Stunden von der API verlangten. Was sie sendeten und als Antwort erhielten, wird nicht gespeichert."
  ],
  chart: ["Requests by hour: succeeded, refused, failed", "Anfragen je Stunde: erfolgreich, abgelehnt, fehlgeschlagen"],
  hour: ["Hour", "Stunde"],
  succeeded: ["Succeeded", "Erfolgreich"],
  refused: ["Refused", "Abgelehnt"],
  failed: ["Failed", "Fehlgeschlagen"],
  asTable: ["As a table", "Als Tabelle"],
  problems: ["By problem", "Nach Problem"],
  noProblems: ["No request was refused", "Keine Anfrage wurde abgelehnt"],
  clients: ["By client", "Nach Client"],
  operations: ["By operation", "Nach Operation"],
  operation: ["Operation", "Operation"],
  client: ["Client", "Client"],
  token: ["Personal token", "Persönliches Token"],
  gone: ["deleted", "gelöscht"],
  requests: ["Requests", "Anfragen"],
  lastAt: ["Last", "Zuletzt"],
  longest: ["Longest", "Längste"],
  duration: ["Duration", "Dauer"],
  ms: [(value: string) => `${value} ms`, (value: string) => `${value} ms`],
  alike: [(count: string) => `and ${count} more like it`, (count: string) => `und ${count} weitere gleiche`],
  sampled: [
    "Of many requests that were alike within five seconds, five are listed; the counts are of all.",
    "Von vielen gleichen Anfragen innerhalb von fünf Sekunden sind fünf aufgeführt; gezählt sind alle."
  ],
  empty: [
    "No program has called the API in the last 24 hours",
    "Kein Programm hat in den letzten 24 Stunden die API aufgerufen"
  ],
  emptyAdvice: [
    (href: string) =>
      html`Create a token under <a href="${href}">Account</a>, and send a first request with <code>curl</code>: the
        <a href="/docs">documentation</a> has one for each operation.`,
    (href: string) =>
      html`Erstellen Sie unter <a href="${href}">Konto</a> ein Token, und senden Sie eine erste Anfrage mit
        <code>curl</code>: Die <a href="/docs">Dokumentation</a> hat eine für jede Operation.`
  ]
})

const callerPrefixes = ["client", "token"] as const

const filterOf = ({ search }: Pick<PageRequest, "search">): RequestFilter => {
  const value = (name: string) => {
    const text = (search.get(name) ?? "").trim()
    return text === "" ? undefined : text
  }
  const caller = value("client")
  const status = value("status")
  return {
    caller: caller === undefined ? undefined : callerPrefixes.flatMap((prefix) => Id.toUuid(prefix, caller) ?? [])[0],
    statusClass: statusClasses.find((one) => one === status),
    code: value("code"),
    route: value("route")
  }
}

const positionOf = (cursor: string): RequestPosition | undefined => {
  const [at = "", id = ""] = cursor.split("_")
  const time = new Date(at)
  return Number.isNaN(time.getTime()) || !Id.isUuid(id) ? undefined : { at: time, id }
}

const cursorOf = ({ at, id }: RequestPosition) => `${at.toISOString()}_${id}`

const kindOfStatus = (status: number) =>
  status < 300 ? "good" : status < 400 ? "plain" : status < 500 ? "warn" : "bad"

/** A link that adds a filter to those of the page. */
const filtered = (page: PageRequest, name: string, value: string, text: Html | string) =>
  html`<a href="${addressWith(page, { [name]: value, cursor: undefined })}">${text}</a>`

const problemColumns = (page: PageRequest): ReadonlyArray<Column<ProblemGroup>> => {
  const { reader } = page
  const t = words[reader.language]
  return [
    {
      key: "code",
      title: common[reader.language].code,
      is: "name",
      cell: ({ code }) => filtered(page, "code", code, html`<code>${code}</code>`)
    },
    { key: "status", title: common[reader.language].status, cell: ({ status }) => pill(kindOfStatus(status), status) },
    { key: "requests", title: t.requests, isNumber: true, cell: ({ requests }) => number(reader, requests) },
    { key: "last", title: t.lastAt, is: "more", cell: ({ lastAt }) => moment(reader, lastAt.toISOString()) }
  ]
}

const callerName = ({ kind, name }: Pick<CallerGroup, "kind" | "name">, { reader }: PageRequest): Html => {
  const t = words[reader.language]
  const text = kind === "client" ? t.client : t.token
  return html`${name ?? t.gone}<span class="below">${text}</span>`
}

const callerColumns = (page: PageRequest): ReadonlyArray<Column<CallerGroup>> => {
  const { reader } = page
  const t = words[reader.language]
  return [
    {
      key: "client",
      title: t.client,
      is: "name",
      cell: (group) => filtered(page, "client", Id.fromUuid(group.kind, group.caller), callerName(group, page))
    },
    { key: "requests", title: t.requests, isNumber: true, cell: ({ requests }) => number(reader, requests) },
    { key: "refused", title: t.refused, isNumber: true, cell: ({ refused }) => number(reader, refused) },
    { key: "last", title: t.lastAt, is: "more", cell: ({ lastAt }) => moment(reader, lastAt.toISOString()) }
  ]
}

const routeColumns = (page: PageRequest): ReadonlyArray<Column<RouteGroup>> => {
  const { reader } = page
  const t = words[reader.language]
  return [
    {
      key: "route",
      title: t.operation,
      is: "name",
      cell: ({ route }) => filtered(page, "route", route, html`<code>${route}</code>`)
    },
    { key: "requests", title: t.requests, isNumber: true, cell: ({ requests }) => number(reader, requests) },
    { key: "refused", title: t.refused, isNumber: true, cell: ({ refused }) => number(reader, refused) },
    {
      key: "longest",
      title: t.longest,
      is: "more",
      isNumber: true,
      cell: ({ maxMs }) => t.ms(number(reader, Math.round(maxMs)))
    }
  ]
}

const operationOf = ({ method, route, tool }: Pick<ListedRequest, "method" | "route" | "tool">) =>
  `${method} ${route ?? ""}${tool === null ? "" : ` ${tool}`}`

const listColumns = (page: PageRequest, names: ReadonlyMap<string, string>): ReadonlyArray<Column<ListedRequest>> => {
  const { reader } = page
  const t = words[reader.language]
  const all = common[reader.language]
  return [
    { key: "operation", title: t.operation, is: "name", cell: (request) => html`<code>${operationOf(request)}</code>` },
    {
      key: "status",
      title: all.status,
      cell: ({ code, status }) =>
        html`${pill(kindOfStatus(status), status)}${code !== null && html` <a href="/help/${code.replaceAll("_", "-")}"><code>${code}</code></a>`}`
    },
    {
      key: "client",
      title: t.client,
      is: "more",
      cell: ({ clientId, tokenId }) =>
        (clientId ?? tokenId) !== null &&
        callerName(
          { kind: clientId === null ? "token" : "client", name: names.get(clientId ?? tokenId ?? "") ?? null },
          page
        )
    },
    {
      key: "duration",
      title: t.duration,
      is: "more",
      isNumber: true,
      cell: ({ durationMs }) => t.ms(number(reader, Math.round(durationMs * 10) / 10))
    },
    {
      key: "when",
      title: all.when,
      cell: ({ at, requests }) =>
        html`${second(reader, at.toISOString())}${requests > 1 && html`<span class="below">${t.alike(number(reader, requests - 1))}</span>`}`
    },
    {
      key: "request",
      title: all.requestId,
      is: "more",
      isExtra: true,
      cell: ({ requestId }) => requestId !== null && html`<code>${requestId}</code>`
    }
  ]
}

/** The page without its choice of columns, which is that of the list below. */
const plain = (page: PageRequest): PageRequest => ({ ...page, search: new URLSearchParams() })

interface Hour {
  readonly hour: Date
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
}

/** The hours since a time, those without requests too. */
const allHours = (from: Date, known: ReadonlyArray<Hour>): ReadonlyArray<Hour> => {
  const first = Math.floor(from.getTime() / 3_600_000)
  const byHour = new Map(known.map((one) => [Math.floor(one.hour.getTime() / 3_600_000), one]))
  return Array.from(
    { length: 25 },
    (_, index) =>
      byHour.get(first + index) ?? { hour: new Date((first + index) * 3_600_000), succeeded: 0, refused: 0, failed: 0 }
  )
}

const show = get("/console/:team/requests", (page) =>
  Effect.gen(function* () {
    const { overview } = yield* RequestRecords
    const { reader } = page
    const t = words[reader.language]
    const all = common[reader.language]
    const filter = filterOf(page)
    const found = yield* overview(filter, positionOf(page.search.get("cursor") ?? ""))
    const { callers, hasMore, hours, names, problems, requests, routes } = found
    const last = requests.at(-1)
    const columns = listColumns(page, names)
    const isEmpty = hours.length === 0
    const isFiltered = Object.values(filter).some((value) => value !== undefined)
    const hourColumns: ReadonlyArray<Column<(typeof hours)[number]>> = [
      { key: "hour", title: t.hour, is: "name", cell: ({ hour }) => moment(reader, hour.toISOString()) },
      { key: "succeeded", title: t.succeeded, isNumber: true, cell: ({ succeeded }) => number(reader, succeeded) },
      { key: "refused", title: t.refused, isNumber: true, cell: ({ refused }) => number(reader, refused) },
      { key: "failed", title: t.failed, isNumber: true, cell: ({ failed }) => number(reader, failed) }
    ]
    const groups = html`<section class="card pad stack" aria-label="${t.chart}">
        <h2>${t.chart}</h2>
        ${bars(
          t.chart,
          allHours(found.from, hours).map(({ failed, hour, refused, succeeded }) => ({
            name: hour.toISOString().slice(0, 16).replace("T", " "),
            parts: [
              ["good", succeeded],
              ["warn", refused],
              ["bad", failed]
            ]
          }))
        )}
        <details>
          <summary>${t.asTable}</summary>
          ${table(plain(page), { caption: t.chart, columns: hourColumns, rows: hours, idOf: ({ hour }) => `hour-${hour.getTime()}` })}
        </details>
      </section>
      <div class="grid-2">
        ${card(
          "problems",
          t.problems,
          problems.length === 0
            ? html`<p class="soft">${t.noProblems}</p>`
            : table(plain(page), {
                caption: t.problems,
                columns: problemColumns(page),
                rows: problems,
                idOf: ({ code, status }) => `problem-${status}-${code}`
              })
        )}
        ${card(
          "clients",
          t.clients,
          table(plain(page), {
            caption: t.clients,
            columns: callerColumns(page),
            rows: callers,
            idOf: ({ caller }) => `caller-${caller}`
          })
        )}
      </div>
      ${card(
        "operations",
        t.operations,
        table(plain(page), {
          caption: t.operations,
          columns: routeColumns(page),
          rows: routes,
          idOf: ({ route }) => `route-${route.replaceAll(/[^\w]+/g, "-")}`
        })
      )}`
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.subtitle, ...(isEmpty ? {} : { actions: columnChoice(page, columns) }) })}
        ${filterForm(page, [
          {
            name: "client",
            label: t.client,
            options: callers.map(({ caller, kind, name }) => [
              Id.fromUuid(kind, caller),
              name ?? Id.fromUuid(kind, caller)
            ])
          },
          { name: "status", label: all.status, options: statusClasses.map((one) => [one, one]) },
          { name: "code", label: all.code, placeholder: "invalid_request" },
          { name: "route", label: t.operation, placeholder: "POST /api/v1/network/contacts" }
        ])}
        <div class="stack">
          ${!isEmpty && groups}
          <div class="card">
            ${!isEmpty && table(page, { caption: t.title, columns, rows: requests, idOf: ({ id }) => `request-${id}` })}
            ${isEmpty && (isFiltered ? emptyState(all.noMatch) : emptyState(t.empty, t.emptyAdvice("/console/account")))}
            ${
              !isEmpty &&
              pager(
                page,
                { hasMore, nextCursor: hasMore && last !== undefined ? cursorOf(last) : null },
                requests.length
              )
            }
          </div>
          ${!isEmpty && html`<p class="hint">${t.sampled}</p>`}
        </div>`
    })
  })
)

/** The page of the requests. */
export const pages = [show]

/** The requests are of everyone in a team. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat === undefined || seat.actor.membership !== "active"
    ? []
    : [
        {
          href: `${base}/requests`,
          name: words[reader.language].title,
          icon: "M3 16h14M5 13V9M9 13V5M13 13v-6M16 13v-2"
        }
      ]
