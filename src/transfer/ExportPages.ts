/** Exports in the console: the records of a kind, or those that the filters of a list match, as a file. */
import { Effect } from "effect"
import { get, type LinksOf, listQuery, type PageRequest, type Problem, View } from "../console/Console.ts"
import { html } from "../console/Html.ts"
import type { Filter } from "../console/Lists.ts"
import { card, head } from "../console/Parts.ts"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import type { Page } from "../core/usecase/Page.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { Members } from "../identity/teams/Teams.ts"
import type { Mandates } from "../market/mandates/Mandates.ts"
import { Related } from "../market/related/Related.ts"
import { mandateRecords, propertyRecords } from "../market/pages.ts"
import type { Properties } from "../market/properties/Properties.ts"
import type { Companies } from "../network/companies/Companies.ts"
import type { Contacts } from "../network/contacts/Contacts.ts"
import { links as linksContract } from "../network/links/api.ts"
import { Links } from "../network/links/Links.ts"
import { companyRecords, contactRecords } from "../network/pages.ts"
import { answerFile, downloadLinks, formatAsked, listCard } from "./DownloadPages.ts"
import {
  exported,
  exportHeadOf,
  exportLinesOf,
  idsIn,
  type Names,
  pageSize,
  type Read,
  type Writing
} from "./Export.ts"
import type { Kind } from "./Members.ts"
import * as prospects from "./ProspectExportPages.ts"
import { kinds } from "./ConsoleImport.ts"
import { exportWords as words, kindNames } from "./texts.ts"

/** The parameters of an address that are no filters. */
const ownNames = ["kind", "cursor", "page_size", "format", "columns", "open", "deleted", "view"]

const filtersOf = ({ search }: Pick<PageRequest, "search">): URLSearchParams =>
  new URLSearchParams([...search].filter(([name, value]) => !ownNames.includes(name) && value.trim() !== ""))

const linkRows = ({ search }: Pick<PageRequest, "search">, size: number) => {
  const query = new URLSearchParams(search)
  query.set("page_size", String(size))
  return Effect.flatMap(Links, ({ list }) =>
    list({ query: listQuery(linksContract.endpoints.list, { search: query }) })
  )
}

type Records = Companies | Contacts | Links | Mandates | Properties

/** The names of the contacts, companies and users whose ids records of a kind have. */
const namesIn = Effect.fnUntraced(function* (kind: Kind, records: ReadonlyArray<object>) {
  const ids = idsIn(kind, records)
  if (ids.length === 0) return new Map<string, string>()
  const [related, members] = [yield* Related, yield* Members]
  return new Map([...(yield* related.names(ids)), ...(yield* members.names(ids))])
})

/** What a list shows, and what it is filtered by. */
interface List {
  readonly rows: (
    page: Pick<PageRequest, "search">,
    pageSize: number
  ) => Effect.Effect<Page<object>, Problem, CurrentActor | Records>
  readonly filters: (page: PageRequest) => ReadonlyArray<Filter>
}

/** The lists of the console. Links have none of their own. */
const lists: { readonly [K in Kind]: List } = {
  contacts: contactRecords.list,
  companies: companyRecords.list,
  links: { rows: linkRows, filters: () => [] },
  properties: propertyRecords.list,
  mandates: mandateRecords.list
}

/** Reads what a list shows with the filters of the address, page by page. */
const readerOf =
  (
    page: PageRequest,
    { audience, kind }: Writing
  ): Read<Page<object> & { readonly names?: Names }, Members | Records | Related> =>
  (cursor) =>
    Effect.gen(function* () {
      const search = filtersOf(page)
      if (cursor !== null) search.set("cursor", cursor)
      const found = yield* lists[kind].rows({ search }, pageSize)
      return audience === undefined ? found : { ...found, names: yield* namesIn(kind, found.data) }
    })

const kindOf = ({ search }: Pick<PageRequest, "search">): Kind | undefined =>
  kinds.find((one) => one === search.get("kind"))

const downloads = (page: PageRequest, kind: Kind) => {
  const search = filtersOf(page)
  search.set("kind", kind)
  return downloadLinks(page.reader, `${page.base}/exports/file`, search, kindNames[page.reader.language][kind])
}

/** The export of all records of each kind. */
const ofAll = (page: PageRequest) => {
  const t = words[page.reader.language]
  const names = kindNames[page.reader.language]
  return new View({
    title: t.exports,
    body: html`${head({ title: t.exports, subtitle: t.subtitle })}
      <div class="stack">
        ${kinds.map((kind) => card(kind, names[kind], downloads({ ...page, search: new URLSearchParams() }, kind)))}
        <p class="soft small">${t.forWhom} ${t.audited}</p>
      </div>`
  })
}

/** The export of what the filters of a list match. */
const ofList = (page: PageRequest, kind: Kind) => {
  const t = words[page.reader.language]
  const title = kindNames[page.reader.language][kind]
  return new View({
    title,
    body: html`${head({ title, crumbs: [{ href: `${page.base}/exports`, name: t.exports }] })}
    ${listCard(page, {
      set: filtersOf(page),
      filters: lists[kind].filters(page),
      all: t.ofTeam,
      links: downloads(page, kind)
    })}`
  })
}

const choose = get("/console/:team/exports", (page) => {
  const kind = kindOf(page)
  return Effect.succeed(kind === undefined ? ofAll(page) : ofList(page, kind))
})

const file = get("/console/:team/exports/file", (page) =>
  Effect.gen(function* () {
    const kind = kindOf(page)
    if (kind === undefined) return yield* new NotFound({ detail: "There is no such kind of records." })
    const writing: Writing = { kind, separator: ";", ...formatAsked(page) }
    const { format } = writing
    const lines = yield* exported(
      {
        kind,
        format,
        head: exportHeadOf(writing),
        linesOf: ({ data, names }) => exportLinesOf(writing, data, names)
      },
      readerOf(page, writing)
    )
    return answerFile(lines, kind, format)
  })
)

/** The pages of exports. */
export const pages = [choose, file, ...prospects.pages]

/** Exports, for brokers. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [{ href: `${base}/exports`, name: words[reader.language].exports, icon: "M10 13V3M6 7l4-4 4 4M3.5 17h13" }]
    : []
