/** The export of a project's prospects: what its table shows, as a file. No import reads it. */
import { Effect, Predicate } from "effect"
import { get, listQuery, type PageRequest, View } from "../console/Console.ts"
import { html } from "../console/Html.ts"
import { shownColumns } from "../console/Lists.ts"
import { projectHead } from "../deals/projects/ProjectHead.ts"
import { Projects } from "../deals/projects/Projects.ts"
import type { Page } from "../core/usecase/Page.ts"
import { prospects as contract } from "../deals/prospects/api.ts"
import { columnsOf, filtersOf } from "../deals/prospects/TablePages.ts"
import type { Prospect } from "../deals/prospects/Prospect.ts"
import { Prospects } from "../deals/prospects/Prospects.ts"
import * as Cells from "./cells.ts"
import { labelOf } from "./ColumnLabels.ts"
import { answerFile, downloadLinks, formatAsked, listCard } from "./DownloadPages.ts"
import { csvOf, exported, listCell, pageSize, type Writing } from "./Export.ts"
import * as PropertyItems from "./propertyItems.ts"
import { exportWords as words } from "./texts.ts"

/** The separator of the values of one cell. */
const separator = ";"

/** The filters of the table that are set. */
const filtersSet = (page: PageRequest): URLSearchParams => {
  const names = filtersOf(page, false).map(({ name }) => name)
  return new URLSearchParams([...page.search].filter(([name, value]) => names.includes(name) && value.trim() !== ""))
}

type Column = readonly [heading: string, text: (prospect: Prospect) => unknown]

const pathOf = (path: string): Column => [path, (prospect) => PropertyItems.valueAt(prospect, path.split("."))]

const forPrograms: ReadonlyArray<Column> = [
  "id",
  "contact.id",
  "contact.name",
  "contact.email",
  "company.id",
  "company.name",
  "company.domain",
  "company.country",
  "classification",
  "interest",
  "stage",
  "projectTags",
  "tags",
  "owner.id",
  "owner.name",
  "nextTask.type",
  "nextTask.dueDateUtc",
  "nextTask.assignee.id",
  "openTaskCount",
  "communicated",
  "accepted",
  "chat",
  "invitation",
  "noteCount",
  "accessExpiryUtc",
  "externalRefs",
  "createdUtc",
  "updatedUtc"
].map(pathOf)

/** The columns that the table shows, and then the ids. */
const forPeople = (page: PageRequest): ReadonlyArray<Column> => [
  ...shownColumns(page, columnsOf(page)).flatMap(({ file = [], title }) =>
    file.map((column): Column => [column.title ?? title, column.text])
  ),
  [labelOf(page.reader, "id"), ({ id }) => id],
  [labelOf(page.reader, "contactId"), ({ contact }) => contact?.id],
  [labelOf(page.reader, "companyId"), ({ company }) => company?.id]
]

const cellOf = (value: unknown): string => {
  if (Array.isArray(value)) return listCell(value, separator)
  return value === null || value === undefined || Predicate.isObject(value) ? "" : Cells.ofText(String(value))
}

const choose = get("/console/:team/exports/prospects/:projectId", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const project = yield* (yield* Projects).get(page.params["projectId"] ?? "")
    const asked = filtersSet(page)
    const columns = page.search.getAll("columns").filter((key) => key !== "")
    for (const key of columns) asked.append("columns", key)
    return new View({
      title: `${t.prospects}: ${project.name ?? ""}`,
      body: html`${projectHead(page, project, { part: undefined, title: t.prospects })}
      ${listCard(page, {
        set: filtersSet(page),
        filters: filtersOf(page, false),
        all: t.ofProject,
        links: downloadLinks(reader, `${page.path}/file`, asked, t.prospects)
      })}`
    })
  })
)

const file = get("/console/:team/exports/prospects/:projectId/file", (page) =>
  Effect.gen(function* () {
    const { list } = yield* Prospects
    const { projectId = "" } = page.params
    const { audience, bom = false, format }: Omit<Writing, "kind" | "separator"> = formatAsked(page)
    const columns = audience === undefined ? forPrograms : forPeople(page)
    const filters = filtersSet(page)
    const lines = yield* exported(
      {
        kind: "prospects",
        format,
        head: format === "csv" ? `${bom ? "\uFEFF" : ""}${csvOf([columns.map(([heading]) => heading)], audience)}` : "",
        linesOf: ({ data }: Page<Prospect>) =>
          format === "csv"
            ? csvOf(
                data.map((prospect) => columns.map(([, textOf]) => cellOf(textOf(prospect)))),
                audience
              )
            : data.map((prospect) => `${JSON.stringify(prospect)}\n`).join("")
      },
      (cursor) => {
        const search = new URLSearchParams(filters)
        search.set("page_size", String(pageSize))
        if (cursor !== null) search.set("cursor", cursor)
        return list(projectId, { query: listQuery(contract.endpoints.list, { search }) })
      }
    )
    return answerFile(lines, "prospects", format)
  })
)

/** The pages of the export of prospects. */
export const pages = [choose, file]
