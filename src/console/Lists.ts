/**
 * Lists: filters that the address keeps, columns that one chooses, keyset pages, ticked rows with a bar, and all rows that match. The
 * address is the state, so that a link, a reload and the way back show the same.
 */
import type { Json } from "../core/usecase/Input.ts"
import { html, type Html, type Part } from "./Html.ts"
import type { PageRequest } from "./Console.ts"
import { box, field, head, hidden, select } from "./Parts.ts"
import { common } from "./Texts.ts"
import { formField } from "./Visit.ts"

/** The address of this page with other parameters; undefined leaves one out. A `section` is one of the row that is open, and goes with it. */
export const addressWith = (
  { path, search }: Pick<PageRequest, "path" | "search">,
  changed: { readonly [name: string]: string | undefined },
  at = path
): string => {
  const next = new URLSearchParams([...search].filter(([, value]) => value !== ""))
  if ("open" in changed) next.delete("section")
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === "" ? at : `${at}?${text}`
}

// The address of a list's rows but for their ids, by the parameters of its page: only the ids differ.
const opening = new WeakMap<URLSearchParams, string>()

/** The address that opens a row of this list in its drawer: relative, because a list has one for each row. */
export const openAddress = ({ path, search }: Pick<PageRequest, "path" | "search">, id: string): string => {
  const known = opening.get(search)
  const address = known ?? addressWith({ path, search }, { open: undefined, after: undefined }, "")
  if (known === undefined) opening.set(search, address)
  return `${address === "" ? "?" : `${address}&`}open=${encodeURIComponent(id)}`
}

/** A filter of a list. */
export interface Filter {
  readonly name: string
  readonly label: string
  /** A choice of these; without it, a text. */
  readonly options?: ReadonlyArray<readonly [value: string, name: string]>
  /** The name of no choice, where it does not mean any. */
  readonly any?: string
  readonly type?: "date" | "datetime-local" | "search" | "text"
  readonly placeholder?: string
  /** What it is, in a few words, where its name does not say it. */
  readonly hint?: string
  /** The type of record that it names. */
  readonly names?: "company" | "contact"
  /** What it shows instead of what the address has. */
  readonly value?: string
  readonly fault?: string
  /** What it may mean. */
  readonly choices?: ReadonlyArray<string>
}

/** The most filters of a row. */
const perRow = 7

/** Where saved filters are kept and deleted. */
export const filterPaths = { save: "/console/account/filters", remove: "/console/account/filters/delete" } as const

/** What of an address is kept as a filter: everything but the place in the list. */
const keptQuery = (search: URLSearchParams): string =>
  new URLSearchParams(
    [...search].filter(([name, value]) => value !== "" && !["cursor", "open", "section", "after"].includes(name))
  ).toString()

/** The filters that the person keeps for this list: each is a link, and what is set now can be kept under a name. */
const savedFiltersOf = ({ path, reader, savedFilters, search, visit }: PageRequest): Html | false => {
  const t = common[reader.language]
  const query = keptQuery(search)
  if (savedFilters.length === 0 && query === "") return false
  return html`<div class="row saved">
    ${savedFilters.map(
      (saved) =>
        html`<a
          class="button small"
          href="${path}?${saved.query}"
          ${saved.query === query && html` aria-current="true"`}
          >${saved.name}</a
        >`
    )}
    <details class="menu" id="saved-filters">
      <summary class="button small quiet">${t.savedFilters}</summary>
      <div class="card pad stack">
        ${
          query !== "" &&
          html`<form class="stack" method="post" action="${filterPaths.save}">
            ${formField(visit)} ${hidden("page", path)} ${hidden("query", query)}
            ${field({ id: "saved-name", name: "name", label: t.saveFilter, isRequired: true, maxLength: 80 })}
            <button class="small main" type="submit">${t.save}</button>
          </form>`
        }
        ${savedFilters.map(
          ({ id, name }) =>
            html`<form class="spread" method="post" action="${filterPaths.remove}">
              ${formField(visit)} ${hidden("id", id)}<span>${name}</span
              ><button class="small danger" type="submit">${t.delete}<span class="hidden"> ${name}</span></button>
            </form>`
        )}
      </div>
    </details>
  </div>`
}

/** The form of a list's filters, and those that the person keeps. It keeps the columns, and begins at the first page. */
export const filterForm = (
  page: PageRequest,
  filters: ReadonlyArray<Filter>,
  { kept = ["columns", "view"] }: { readonly kept?: ReadonlyArray<string> } = {}
): Html => {
  const { path, reader, search } = page
  const t = common[reader.language]
  return html`<details
    class="fold card"
    id="filters"
    ${filters.some(({ name }) => (search.get(name) ?? "") !== "") && html`open`}
  >
    <summary>${t.filters}</summary>
    <form
      class="filters per-${Math.ceil(filters.length / Math.ceil(filters.length / perRow))}"
      method="get"
      action="${path}"
      role="search"
      aria-label="${t.filters}"
    >
      ${kept.map((name) => search.has(name) && hidden(name, search.get(name)))}
      ${filters.map(({ any = t.any, options, type, ...of }) => {
        const about = { value: search.get(of.name) ?? "", ...of, id: `filter-${of.name}` }
        return options === undefined ? field({ ...about, type: type ?? "text" }) : select({ ...about, options, any })
      })}
      <div class="row"><button class="small main" type="submit">${t.apply}</button></div>
    </form>
    ${savedFiltersOf(page)}
  </details>`
}

/** A column of a table. */
export interface Column<Row> {
  /** Its name in the address. */
  readonly key: string
  readonly title: string
  /** What it is, in a few words, where its title does not say it. */
  readonly hint?: string
  readonly cell: (row: Row) => Part
  /** `name`: the heading of its row. `more`: left out on a phone. */
  readonly is?: "name" | "more"
  readonly isNumber?: boolean
  /** Whether a phone, which has no headings of columns, shows its title with each value, as it does with numbers. */
  readonly isLabelled?: boolean
  /** Whether it is shown only where one has chosen it. */
  readonly isExtra?: boolean
  /** What a file has of it, in one column or in several; the title is that of the column, unless there is another. */
  readonly file?: ReadonlyArray<FileColumn<Row>>
}

/** A column of a file for people. */
export interface FileColumn<Row> {
  readonly title?: string
  readonly text: (row: Row) => ReadonlyArray<string> | string | null | undefined
}

/** The columns that a list shows: those that one has chosen. */
export const shownColumns = <Row, C extends Column<Row>>(
  { search }: Pick<PageRequest, "search">,
  columns: ReadonlyArray<C & Column<Row>>
): ReadonlyArray<C> => {
  const chosen = search
    .getAll("columns")
    .flatMap((value) => value.split(","))
    .filter((key) => key !== "")
  return columns.filter(
    ({ is, isExtra, key }) => is === "name" || (chosen.length === 0 ? isExtra !== true : chosen.includes(key))
  )
}

/** The choice of columns of a list. */
export const columnChoice = <Row>(page: PageRequest, columns: ReadonlyArray<Column<Row>>): Html => {
  const t = common[page.reader.language]
  const shown = new Set(shownColumns(page, columns))
  return html`<details class="menu" id="columns">
    <summary class="button small">${t.columns}</summary>
    <form class="card pad stack" method="get" action="${page.path}">
      ${[...page.search].filter(([name, value]) => name !== "columns" && name !== "cursor" && value !== "").map(([name, value]) => hidden(name, value))}
      ${columns.map(
        (column) =>
          column.is !== "name" &&
          box({
            id: `column-${column.key}`,
            name: "columns",
            value: column.key,
            label: column.title,
            isTicked: shown.has(column)
          })
      )}
      <button class="small main" type="submit">${t.apply}</button>
    </form>
  </details>`
}

interface RowsOf<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  /** The element id of a row, by which a change of the page finds it again. */
  readonly idOf: (row: Row) => string
  readonly isCurrent?: (row: Row) => boolean
  /** Boxes to tick rows with, which the form `bulk` of `bulkBar` sends as `pick`. */
  readonly picks?: {
    readonly valueOf: (row: Row) => string
    readonly nameOf: (row: Row) => string
    /** Whether all are ticked at first. */
    readonly areTicked?: boolean
  }
}

/** Makes the cells of a column. What no row changes is written once: a page has hundreds of cells. */
const cellOf = <Row>({ cell, is, isLabelled, isNumber, title }: Column<Row>): ((row: Row) => Html) => {
  if (is === "name") return (row) => html`<th scope="row">${cell(row)}</th>`
  const kind = `${is === "more" ? "more" : "wide"}${isNumber === true ? " num" : ""}`
  const plain = html`class="${kind}"`
  const named = html`class="${kind}" data-label="${title}"`
  return (row) => {
    const value = cell(row)
    const isNamed = isNumber === true || (isLabelled === true && value !== undefined && value !== null)
    return html`<td ${isNamed ? named : plain}>${value}</td>`
  }
}

/** The rows of a table, as it shows them; those of a stream of events (`Live.ts`), too. */
export const tableRows = <Row>(
  page: PageRequest,
  { columns, idOf, isCurrent, picks, rows }: RowsOf<Row>
): ReadonlyArray<Html> => {
  const t = common[page.reader.language]
  const cells = shownColumns(page, columns).map(cellOf)
  return rows.map(
    (row) =>
      html`<tr id="${idOf(row)}" ${isCurrent?.(row) === true && html` aria-current="true"`}>
        ${picks !== undefined && html`<td class="pick"><input type="checkbox" name="pick" form="bulk" value="${picks.valueOf(row)}" aria-label="${t.selectRow(picks.nameOf(row))}" ${picks.areTicked === true && html`checked`} /></td>`}
        ${cells.map((cell) => cell(row))}
      </tr>`
  )
}

/** A table of rows, which is a list of cards on a phone. */
export const table = <Row>(
  page: PageRequest,
  {
    caption,
    editAt,
    live,
    ...of
  }: RowsOf<Row> & {
    /** Where rows are edited: at `{editAt}/{id of the row}/edit`. */
    readonly editAt?: string
    /** What it lists, for those who hear it. */
    readonly caption: string
    /** Where new rows come from by themselves: the path of a stream of events, and the id of the latest that the page knows. */
    readonly live?: { readonly path: string; readonly after: string | number }
  }
): Html => {
  const t = common[page.reader.language]
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">
    <table class="cards">
      <caption class="hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${of.picks !== undefined && html`<td class="pick"><input type="checkbox" class="scripted" data-all aria-label="${t.selectAll}" /></td>`}
          ${shownColumns(page, of.columns).map(({ hint, is, isNumber, title }) => html`<th scope="col" class="${is === "more" && "more"} ${isNumber === true && "num"}" ${hint !== undefined && html`abbr="${title}"`}>${title}${hint !== undefined && html`<span class="below">${hint}</span>`}</th>`)}
        </tr>
      </thead>
      <tbody
        ${editAt !== undefined && html`data-edit="${editAt}"`}
        ${live !== undefined && html`data-live="${live.path}" data-after="${live.after}"`}
      >
        ${tableRows(page, of)}
      </tbody>
    </table>
  </div>`
}

/** The bar of ticked rows: what is done with them, or with all rows that match the filters. */
export const bulkBar = (
  page: PageRequest,
  {
    action,
    buttons,
    canAll
  }: {
    /** Where the form is sent. */
    readonly action: string
    /** Buttons and fields, which carry `form="bulk"`. */
    readonly buttons: Part
    /** Whether it can be done with all that match: then `all` is sent, and the filters as `filter`. */
    readonly canAll: boolean
  }
): Html => {
  const t = common[page.reader.language]
  const filter = new URLSearchParams(
    [...page.search].filter(([name, value]) => value !== "" && !["columns", "cursor", "open", "section"].includes(name))
  )
  return html`<form id="bulk" class="bulk card" method="post" action="${action}">
    ${formField(page.visit)} ${hidden("filter", filter.toString())}
    ${hidden("back", addressWith(page, { open: undefined }))}
    ${canAll && box({ id: "bulk-all", name: "all", label: t.allThatMatch })}
    <div class="row">${buttons}</div>
  </form>`
}

/** The end of a page of a list: how many rows it has, and the ways on. */
export const pager = (
  page: PageRequest,
  { hasMore, nextCursor }: { readonly hasMore: boolean; readonly nextCursor: string | null },
  shown: number
): Html => {
  const t = common[page.reader.language]
  const isFurther = page.search.has("cursor")
  return html`<div class="pager">
    <span class="soft small">${t.rows(shown)}${isFurther && `, ${t.furtherOn}`}</span>
    <span class="row">
      ${isFurther && html`<a class="button small" href="${addressWith(page, { cursor: undefined })}">${t.firstPage}</a>`}
      ${hasMore && html`<a class="button small" rel="next" href="${addressWith(page, { cursor: nextCursor ?? "" })}">${t.nextPage}</a>`}
    </span>
  </div>`
}

/** A panel beside a list that shows one of its rows: its address is that of the list with `open`. */
export const drawer = (page: PageRequest, title: string, body: Part): Html =>
  html`<aside class="drawer" id="drawer" aria-labelledby="drawer-title">
    <div class="spread">
      <h2 id="drawer-title">${title}</h2>
      <a class="button quiet small" data-close href="${addressWith(page, { open: undefined })}"
        >${common[page.reader.language].close}</a
      >
    </div>
    ${body}
  </aside>`

/** A path of the console to which a form leads back; anything else is the page `or`. */
export const backOf = ({ form }: Pick<PageRequest, "form">, or: string): string => {
  const sent = form.text("back") ?? ""
  return /^\/console(?:\/[\w/.-]*)?(?:\?[^\\#]*)?$/.test(sent) ? sent : or
}

/** The page that asks before something is done: it says what, and sends the same form again with `confirmed`. */
export const confirmation = (
  page: PageRequest,
  {
    action = page.path,
    back,
    body,
    confirmed,
    isDangerous = true,
    label,
    title
  }: {
    readonly title: string
    readonly body: Part
    /** The button. */
    readonly label: string
    /** What is confirmed, such as a count: it is sent as `confirmed`. */
    readonly confirmed: string
    readonly back: string
    readonly action?: string
    readonly isDangerous?: boolean
  }
): Html =>
  html`${head({ title })}
    <div class="card pad stack">
      <div>${body}</div>
      <form method="post" action="${action}" class="row">
        ${formField(page.visit)}
        ${[...page.form.values].filter(([name]) => name !== "form_token" && name !== "confirmed").map(([name, value]) => hidden(name, value))}
        ${hidden("confirmed", confirmed)}
        <button class="${isDangerous ? "danger" : "main"}" type="submit" autofocus>${label}</button>
        <a class="button" href="${back}">${common[page.reader.language].cancel}</a>
      </form>
    </div>`

/**
 * The body of a search by the words `q` of an address, and by its filters: `eq` compares with the value, `in` with the values between
 * commas. A filter that the search names otherwise has that name before. Undefined without words: then the list answers the filters.
 */
export const searchByWords = (
  { search }: Pick<PageRequest, "search">,
  filters: { readonly [name: string]: string }
): { readonly [member: string]: Json } | undefined => {
  const query = search.get("q")?.trim() ?? ""
  if (query === "") return undefined
  const conditions = Object.entries(filters).flatMap(([name, how]) => {
    const value = search.get(name)?.trim() ?? ""
    const [operator = "eq", member = name] = how.split(" ").toReversed()
    if (value === "") return []
    const values = value.split(",").map((one) => one.trim())
    return [[member, { [operator]: operator === "in" ? values : value }] as const]
  })
  return { query, ...(conditions.length === 0 ? {} : { filter: Object.fromEntries(conditions) }) }
}
