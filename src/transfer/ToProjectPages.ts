/** From an import of contacts or companies to the list of a project: which project, and then who, a page at a time. */
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { get, Goto, type PageRequest, View } from "../console/Console.ts"
import { html } from "../console/Html.ts"
import { filterForm, pager, table } from "../console/Lists.ts"
import { emptyState, head } from "../console/Parts.ts"
import { common, number } from "../console/Texts.ts"
import { statePill } from "../console/Vocabulary.ts"
import { projectPath } from "../deals/projects/ProjectHead.ts"
import { Projects } from "../deals/projects/Projects.ts"
import { Prospects } from "../deals/prospects/Prospects.ts"
import {
  additionBar,
  type Candidate,
  candidatesNamed,
  candidateTable,
  pageSize,
  type Segment
} from "../network/projects/pages.ts"
import type { ConsoleImport } from "./ConsoleImport.ts"
import { ConsoleImports } from "./ConsoleImports.ts"
import { toProjectWords as words } from "./texts.ts"

const importPath = ({ base, params }: PageRequest): string => `${base}/imports/${params["import"] ?? ""}`

/** The kind of an import whose records can be put on lists; undefined if they cannot, or not yet. */
const segmentOf = ({ kind, state }: ConsoleImport): Segment | undefined =>
  state === "imported" && (kind === "contacts" || kind === "companies") ? kind : undefined

/** How many rows of an import have records. */
export const importedRows = ({ counts }: ConsoleImport): number => counts.rows - counts.failed

const crumbsOf = (page: PageRequest, { fileName }: ConsoleImport) => [
  { href: `${page.base}/imports`, name: words[page.reader.language].imports },
  { href: importPath(page), name: fileName }
]

const choose = get("/console/:team/imports/:import/projects", (page) =>
  Effect.gen(function* () {
    const { reader, search } = page
    const t = words[reader.language]
    const shared = common[reader.language]
    const [imports, projects] = [yield* ConsoleImports, yield* Projects]
    const stored = yield* imports.get(page.params["import"] ?? "")
    const segment = segmentOf(stored)
    if (segment === undefined) return new Goto({ path: importPath(page) })
    const of = (name: string) => search.get(name)?.trim() || undefined
    const found = yield* projects.search(
      { state: undefined, ownerId: undefined, name: of("name") },
      { cursor: of("cursor"), pageSize: 50 }
    )
    const count = number(reader, importedRows(stored))
    const title = segment === "contacts" ? t.addContacts(count) : t.addCompanies(count)
    const newProject = html`<a class="button" href="${page.base}/projects/new">${t.newProject}</a>`
    return new View({
      title,
      body: html`${head({ title, crumbs: crumbsOf(page, stored), subtitle: t.kept })}
        ${filterForm(page, [{ name: "name", label: shared.name, type: "search" }])}
        <div class="card">
          ${
            found.data.length === 0
              ? of("name") === undefined
                ? emptyState(t.noProject, html`${t.noProjectAdvice}<br />${newProject}`)
                : emptyState(shared.noMatch)
              : html`${table(page, {
                  caption: title,
                  rows: found.data,
                  idOf: ({ id }) => id,
                  columns: [
                    {
                      key: "name",
                      title: shared.name,
                      is: "name",
                      cell: ({ id, name }) => html`<a href="${importPath(page)}/projects/${id}">${name}</a>`
                    },
                    { key: "state", title: shared.status, cell: ({ status }) => statePill(reader, status) }
                  ]
                })}
                ${pager(page, found.page, found.data.length)}`
          }
        </div>`
    })
  })
)

/** The first records of an import that are not on the list of a project, with how many were before and are after them. */
const unlisted = Effect.fnUntraced(function* (stored: ConsoleImport, segment: Segment, projectId: string) {
  const [imports, prospects] = [yield* ConsoleImports, yield* Prospects]
  const seen = new Set<string>()
  const found: Array<Candidate> = []
  let [rows, listed] = [0, 0]
  yield* Stream.runForEachWhile(yield* imports.recordsOf(stored.id, pageSize), (ids) =>
    Effect.gen(function* () {
      rows += ids.length
      const fresh = [...new Set(ids)].filter((id) => !seen.has(id))
      for (const id of fresh) seen.add(id)
      const on = yield* prospects.investorsOn(projectId, fresh)
      listed += on.size
      found.push(
        ...(yield* candidatesNamed(
          segment,
          fresh.filter((id) => !on.has(id))
        ))
      )
      return found.length < pageSize
    })
  )
  // What is beyond a page comes again on the next one.
  const shown = found.slice(0, pageSize)
  return { shown, listed, further: importedRows(stored) - rows + found.length - shown.length }
})

const add = get("/console/:team/imports/:import/projects/:projectId", (page) =>
  Effect.gen(function* () {
    const { reader } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const [imports, projects, random] = [yield* ConsoleImports, yield* Projects, yield* SecureRandom.SecureRandom]
    const stored = yield* imports.get(page.params["import"] ?? "")
    const segment = segmentOf(stored)
    if (segment === undefined) return new Goto({ path: importPath(page) })
    const project = yield* projects.get(projectId)
    const { further, listed, shown } = yield* unlisted(stored, segment, projectId)
    const path = projectPath(page, projectId)
    const counted = (count: number) => number(reader, count)
    return new View({
      title: `${t.title}: ${project.name ?? ""}`,
      body: html`${head({
          title: t.title,
          crumbs: [
            { href: path, name: project.name ?? "" },
            { href: `${path}/prospects`, name: t.prospects }
          ],
          subtitle: html`${t.from} <a href="${importPath(page)}">${stored.fileName}</a>.
            ${listed > 0 && `${t.listed(counted(listed))} `}${further > 0 && t.further(counted(further))}`
        })}
        <div class="card">
          ${
            shown.length === 0
              ? emptyState(t.allListed, html`<a class="button" href="${path}/prospects">${t.prospects}</a>`)
              : candidateTable(page, { rows: shown, segment, on: new Set(), isTicked: true })
          }
        </div>
        ${shown.length > 0 && additionBar(page, { projectId, key: yield* random.uuidV7(), isGiven: true, isFurther: further > 0 })}`
    })
  })
)

/** How what was imported gets on the list of a project. */
export const pages = [choose, add]
