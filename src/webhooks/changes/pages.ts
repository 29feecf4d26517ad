/** The journal in the console: the events of a team, the latest first, and those that come while one looks. */
import { get, type LinksOf, type PageRequest, stream, View } from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import {
  addressWith,
  type Column,
  columnChoice,
  drawer,
  filterForm,
  openAddress,
  table,
  tableRows
} from "../../console/Lists.ts"
import { answerRows, lastSeen } from "../../console/Live.ts"
import { emptyState, facts, head, verbatim } from "../../console/Parts.ts"
import { common, dayBegins, second, texts } from "../../console/Texts.ts"
import { tryIt } from "../../console/TryIt.ts"
import { type EventPattern, eventTypes, typesOf, wildcards } from "../../core/mutation/Event.ts"
import { Members, type Names } from "../../identity/teams/Teams.ts"
import { Effect, Stream } from "effect"
import { changes as contract } from "./api.ts"
import type { JournalEntry } from "./Entry.ts"
import { Journal } from "./Journal.ts"
import type { JournalFilter } from "./rules.ts"

const words = texts({
  title: ["Journal", "Journal"],
  subtitle: [
    "What happened in this team, numbered without gaps. New events appear by themselves.",
    "Was in diesem Team geschah, lückenlos nummeriert. Neue Ereignisse erscheinen von selbst."
  ],
  caption: ["Events", "Ereignisse"],
  seq: ["No.", "Nr."],
  event: ["Event", "Ereignis"],
  resource: ["Resource", "Ressource"],
  resourceId: ["Resource id", "Id der Ressource"],
  changed: ["Changed", "Geändert"],
  by: ["By", "Von"],
  service: ["the service", "dem Dienst"],
  client: ["client", "Client"],
  since: ["Since", "Seit"],
  empty: ["Nothing has happened yet", "Noch ist nichts geschehen"],
  emptyAdvice: [
    "Create a contact or a project: its events appear here at once.",
    "Legen Sie einen Kontakt oder ein Projekt an: Die Ereignisse erscheinen hier sofort."
  ],
  noMatchAdvice: [
    "The last 20,000 events were looked through. Older events may match.",
    "Die letzten 20.000 Ereignisse wurden durchsucht. Ältere können passen."
  ],
  older: ["Older events", "Ältere Ereignisse"],
  newest: ["Newest events", "Neueste Ereignisse"],
  payload: ["The event, as a program reads it", "Das Ereignis, wie ein Programm es liest"],
  sameResource: ["All events of this resource", "Alle Ereignisse dieser Ressource"]
})

const patterns = [...wildcards, ...eventTypes]

const isPattern = (text: string): text is EventPattern => patterns.some((pattern) => pattern === text)

const filterOf = ({ search }: Pick<PageRequest, "search">): JournalFilter => {
  const types = search.getAll("types").filter(isPattern)
  const resourceId = (search.get("resource_id") ?? "").trim()
  return {
    types: types.length === 0 || types.includes("*") ? undefined : typesOf(types),
    resourceId: resourceId === "" ? undefined : resourceId
  }
}

const numberOf = (text: string | null | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined

const byOf = (
  { reader }: PageRequest,
  { actor_user_id: user, change_initiator: initiator }: JournalEntry,
  names: Names
) => {
  const t = words[reader.language]
  if (initiator !== null)
    return html`${names.get(user ?? "") ?? t.client} <code class="below">${initiator.client_id}</code>`
  return user === null ? t.service : (names.get(user) ?? html`<code>${user}</code>`)
}

const columnsOf = (page: PageRequest, names: Names): ReadonlyArray<Column<JournalEntry>> => {
  const t = words[page.reader.language]
  return [
    { key: "seq", title: t.seq, cell: ({ seq }) => seq, is: "more", isNumber: true },
    {
      key: "event",
      title: t.event,
      is: "name",
      cell: ({ event, seq }) => html`<a href="${openAddress(page, String(seq))}">${event}</a>`
    },
    { key: "resource", title: t.resource, cell: ({ resource_id: id }) => html`<code>${id}</code>` },
    {
      key: "changed",
      title: t.changed,
      is: "more",
      cell: ({ action, changed_fields: fields }) =>
        fields?.join(", ") ?? [action?.type, action?.to].filter(Boolean).join(" → ")
    },
    { key: "by", title: t.by, is: "more", cell: (entry) => byOf(page, entry, names) },
    { key: "when", title: common[page.reader.language].when, cell: ({ timestamp }) => second(page.reader, timestamp) }
  ]
}

const namesOf = (entries: ReadonlyArray<JournalEntry>) =>
  Effect.flatMap(Members, ({ names }) => names(entries.flatMap(({ actor_user_id: user }) => user ?? [])))

const idOf = ({ seq }: JournalEntry) => `event-${seq}`

/** The event that the address has opened, in a drawer. */
const openOf = (page: PageRequest, entry: JournalEntry, names: Names): Html => {
  const t = words[page.reader.language]
  const { event, resource_id: resource, seq, timestamp } = entry
  return drawer(
    page,
    event,
    html`${facts([
        [t.seq, seq],
        [t.resource, html`<code>${resource}</code>`],
        [t.by, byOf(page, entry, names)],
        [common[page.reader.language].when, second(page.reader, timestamp)]
      ])}
      <p>
        <a href="${page.path}?resource_id=${encodeURIComponent(resource)}">${t.sameResource}</a>
      </p>
      ${verbatim(t.payload, JSON.stringify(entry, null, 2))}
      ${tryIt(page, contract, contract.endpoints.list, { query: { after: seq - 1, page_size: 1, types: event } })}`
  )
}

const show = get("/console/:team/journal", (page) =>
  Effect.gen(function* () {
    const { lookBack } = yield* Journal
    const t = words[page.reader.language]
    const all = common[page.reader.language]
    const filter = filterOf(page)
    const before = numberOf(page.search.get("before"))
    const since = dayBegins(page.reader, page.search.get("since") ?? "")
    const { entries, last, nextBefore } = yield* lookBack({ ...filter, before, since })
    const open = numberOf(page.search.get("open"))
    const opened =
      open === undefined || open === 0
        ? undefined
        : (entries.find(({ seq }) => seq === open) ??
          (yield* lookBack({ types: undefined, resourceId: undefined, since: undefined, before: open + 1 }, 1))
            .entries[0])
    const names = yield* namesOf([...entries, ...(opened === undefined ? [] : [opened])])
    const columns = columnsOf(page, names)
    const isFiltered = [...page.search].some(
      ([name, value]) => ["types", "resource_id", "since"].includes(name) && value !== ""
    )
    const types = page.search.get("types") ?? undefined
    return new View({
      title: t.title,
      scripts: ["live.js"],
      body: html`${head({ title: t.title, subtitle: t.subtitle, actions: columnChoice(page, columns) })}
        ${filterForm(page, [
          { name: "types", label: t.event, options: patterns.filter((one) => one !== "*").map((one) => [one, one]) },
          { name: "resource_id", label: t.resourceId, placeholder: "contact_…" },
          { name: "since", label: t.since, type: "date" }
        ])}
        <div class="with-drawer">
          <div class="card">
            ${table(page, {
              caption: t.caption,
              columns,
              rows: entries,
              idOf,
              isCurrent: ({ seq }) => seq === open,
              ...(before === undefined
                ? { live: { path: addressWith(page, { open: undefined }, `${page.path}/live`), after: last } }
                : {})
            })}
            ${
              entries.length === 0 &&
              (isFiltered || before !== undefined
                ? emptyState(all.noMatch, nextBefore === null ? undefined : t.noMatchAdvice)
                : emptyState(t.empty, t.emptyAdvice))
            }
            <div class="pager">
              <span class="soft small">${all.rows(entries.length)}</span>
              <span class="row">
                ${before !== undefined && html`<a class="button small" href="${addressWith(page, { before: undefined, open: undefined })}">${t.newest}</a>`}
                ${nextBefore !== null && html`<a class="button small" rel="next" href="${addressWith(page, { before: String(nextBefore), open: undefined })}">${t.older}</a>`}
              </span>
            </div>
          </div>
          ${opened !== undefined && openOf(page, opened, names)}
        </div>
        ${tryIt(page, contract, contract.endpoints.list, { query: { after: last, types } })}`
    })
  })
)

const live = stream("/console/:team/journal/live", (page) =>
  Effect.gen(function* () {
    const { watch } = yield* Journal
    const { missed, polls } = yield* watch(filterOf(page), numberOf(lastSeen(page)))
    const rowsOf = (entries: ReadonlyArray<JournalEntry>) =>
      Effect.map(namesOf(entries), (names) => {
        const columns = columnsOf(page, names)
        return entries.map((entry) => ({
          id: entry.seq,
          row: html`${tableRows(page, { columns, rows: [entry], idOf })}`
        }))
      })
    return yield* answerRows(page, { missed: yield* rowsOf(missed), polls: Stream.mapEffect(polls, rowsOf) })
  })
)

/** The pages of the journal. */
export const pages = [show, live]

/** The journal is of everyone in a team. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat === undefined || seat.actor.membership !== "active"
    ? []
    : [{ href: `${base}/journal`, name: words[reader.language].title, icon: "M4 4h12M4 8h12M4 12h8M4 16h5" }]
