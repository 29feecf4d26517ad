/** What the pages of exports have alike: what is exported, for whom, and the answer with the file. */
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { PageRequest } from "../console/Console.ts"
import { html, type Html } from "../console/Html.ts"
import type { Filter } from "../console/Lists.ts"
import { facts } from "../console/Parts.ts"
import type { Reader } from "../console/Texts.ts"
import { audienceOf } from "./audience.ts"
import type { Writing } from "./Export.ts"
import { exportWords as words } from "./texts.ts"

/** Whom a file is for, and its format. */
type Format = "csv" | "ndjson" | "spreadsheet"

/** The format that an address asks for: a spreadsheet for the person who reads the page, unless it names one for programs. */
export const formatAsked = ({
  reader,
  search
}: Pick<PageRequest, "reader" | "search">): Pick<Writing, "audience" | "bom" | "format"> => {
  const asked = search.get("format")
  return asked === "csv" || asked === "ndjson"
    ? { format: asked }
    : { format: "csv", bom: true, audience: audienceOf(reader) }
}

/** Links to a file in each format; `search` says what is in it, and `name` what that is called. */
export const downloadLinks = ({ language }: Reader, path: string, search: URLSearchParams, name: string): Html => {
  const t = words[language]
  const link = (label: string, format: Format) => {
    const asked = new URLSearchParams(search)
    asked.set("format", format)
    return html`<a class="button ${format === "spreadsheet" && "main"}" href="${path}?${asked.toString()}" download
      >${label}<span class="hidden"> ${name}</span></a
    >`
  }
  return html`<div class="row">
    ${link(t.spreadsheet, "spreadsheet")} ${link(t.csv, "csv")} ${link(t.ndjson, "ndjson")}
  </div>`
}

/** What is exported of a list: all, or what the filters that are set match. */
export const listCard = (
  { reader }: Pick<PageRequest, "reader">,
  {
    all,
    filters,
    links,
    set
  }: {
    readonly set: URLSearchParams
    readonly filters: ReadonlyArray<Filter>
    /** What is said where no filter is set. */
    readonly all: string
    readonly links: Html
  }
): Html => {
  const t = words[reader.language]
  const shown = [...set].map(([name, value]) => {
    const filter = filters.find((one) => one.name === name)
    const option = filter?.options?.find(([one]) => one === value)
    return [filter?.label ?? name, option?.[1] ?? value] as const
  })
  return html`<div class="card pad stack">
    ${
      shown.length === 0
        ? html`<p>${all}</p>`
        : html`<p>${t.filters}</p>
            ${facts(shown)}`
    }
    ${links}
    <p class="soft small">${t.forWhom} ${t.audited}</p>
  </div>`
}

/** The answer with a file. */
export const answerFile = (lines: Stream.Stream<string>, name: string, format: Writing["format"]) =>
  HttpServerResponse.stream(Stream.encodeText(lines), {
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
    headers: { "content-disposition": `attachment; filename="${name}.${format}"` }
  })
