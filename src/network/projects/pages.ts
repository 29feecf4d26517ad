/** How contacts and companies get on the list of a project: they are looked for, ticked, and added, up to all that match. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { get, Goto, listQuery, type PageRequest, post, type Problem, View } from "../../console/Console.ts"
import { html, type Part } from "../../console/Html.ts"
import {
  addressWith,
  backOf,
  bulkBar,
  confirmation,
  filterForm,
  pager,
  searchByWords,
  table
} from "../../console/Lists.ts"
import { memberLabel } from "../../console/memberNames.ts"
import { emptyState, field, head, hidden, notice, select, tabs } from "../../console/Parts.ts"
import { reason } from "../../console/problemTexts.ts"
import { common, number, texts } from "../../console/Texts.ts"
import { options } from "../../console/Vocabulary.ts"
import type { Json } from "../../core/usecase/Input.ts"
import { make as requestOf } from "../../core/usecase/UseCaseRequest.ts"
import { projectPath } from "../../deals/projects/ProjectHead.ts"
import { Projects } from "../../deals/projects/Projects.ts"
import { classifications } from "../../deals/prospects/drawer/pages.ts"
import { ProspectBatches } from "../../deals/prospects/ProspectBatches.ts"
import { Prospects } from "../../deals/prospects/Prospects.ts"
import { companies as companiesContract } from "../companies/api.ts"
import { Companies } from "../companies/Companies.ts"
import { contacts as contactsContract } from "../contacts/api.ts"
import { Contacts } from "../contacts/Contacts.ts"

const words = texts({
  add: ["Add to the project", "Zum Projekt hinzufügen"],
  added: [
    (count: string) => (count === "1" ? "1 investor was added." : `${count} investors were added.`),
    (count: string) =>
      count === "1" ? "1 Interessent wurde hinzugefügt." : `${count} Interessenten wurden hinzugefügt.`
  ],
  all: [(count: string) => `All ${count} that match.`, (count: string) => `Alle ${count} passenden.`],
  companies: ["Companies", "Firmen"],
  contacts: ["People", "Personen"],
  kinds: ["Kinds of investors", "Arten von Interessenten"],
  noneTicked: ["Tick at least one first.", "Markieren Sie zuerst mindestens einen."],
  nothing: ["Nothing found", "Nichts gefunden"],
  nothingAdvice: [
    "Look for another name, or add contacts and companies to your network first.",
    "Suchen Sie nach einem anderen Namen, oder nehmen Sie zuerst Kontakte und Firmen in Ihr Netzwerk auf."
  ],
  notAdded: ["Not added", "Nicht hinzugefügt"],
  on: ["on the list", "auf der Liste"],
  prospects: ["Prospects", "Interessenten"],
  tag: ["Tag on the project", "Tag am Projekt"],
  tags: ["Tags", "Tags"],
  title: ["Add investors", "Interessenten hinzufügen"],
  tooMany: [
    (count: string) => `More than ${count} match. Narrow the search, and add them part by part.`,
    (count: string) => `Mehr als ${count} passen. Grenzen Sie die Suche ein, und fügen Sie sie in Teilen hinzu.`
  ],
  why: ["Why", "Grund"]
})

/** How many of one page. */
export const pageSize = 100

/** How many at once. */
const maxAtOnce = 2_000

/** Those who can be added: contacts, or companies. */
export type Segment = "companies" | "contacts"

/** A contact or a company that one can add. */
export interface Candidate {
  readonly id: string
  readonly name: string | null
  readonly about: string | null
  readonly tags: ReadonlyArray<string>
}

const isOfCompanies = (search: URLSearchParams) => search.get("kind") === "companies"

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

/** A page of those whom the address looks for, after a cursor. */
const candidates = Effect.fnUntraced(function* (search: URLSearchParams, cursor: string | null) {
  const wanted = new URLSearchParams([...search].filter(([name]) => name === "tags" || name === "q"))
  if (cursor !== null && cursor !== "") wanted.set("cursor", cursor)
  const [contacts, companies] = [yield* Contacts, yield* Companies]
  const body = searchByWords({ search: wanted }, { tags: "in" })
  const searched = requestOf({
    operation: "search",
    query: {},
    body: { ...body, page_size: pageSize, ...(cursor === null || cursor === "" ? {} : { cursor }) }
  })
  const listed = { page_size: String(pageSize) }
  if (isOfCompanies(search)) {
    const found =
      body === undefined
        ? yield* companies.list({ query: listQuery(companiesContract.endpoints.list, { search: wanted }, listed) })
        : yield* companies.search(searched)
    return {
      page: found.page,
      data: found.data.map(({ domain, id, name, tags }): Candidate => ({ id, name, about: domain, tags }))
    }
  }
  const found =
    body === undefined
      ? yield* contacts.list({ query: listQuery(contactsContract.endpoints.list, { search: wanted }, listed) })
      : yield* contacts.search(searched)
  return {
    page: found.page,
    data: found.data.map(({ email, id, name, tags }): Candidate => ({ id, name, about: email, tags }))
  }
})

/** The living ones of these, at most a page of them. */
export const candidatesNamed = Effect.fnUntraced(function* (segment: Segment, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return []
  const request = requestOf({ operation: "names", query: {}, body: { ids: [...ids] } })
  if (segment === "companies") {
    const { results } = yield* (yield* Companies).batchGet(request)
    return results.flatMap((one): ReadonlyArray<Candidate> =>
      one.status === "found" ? [{ ...one.resource, about: one.resource.domain }] : []
    )
  }
  const { results } = yield* (yield* Contacts).batchGet(request)
  return results.flatMap((one): ReadonlyArray<Candidate> =>
    one.status === "found" ? [{ ...one.resource, about: one.resource.email }] : []
  )
})

/** Those who can be added, with boxes to tick them. */
export const candidateTable = (
  page: PageRequest,
  {
    isTicked,
    on,
    rows,
    segment
  }: {
    readonly rows: ReadonlyArray<Candidate>
    readonly segment: Segment
    /** Who is on the list. */
    readonly on: ReadonlySet<string>
    /** Whether they are ticked at first. */
    readonly isTicked: boolean
  }
) => {
  const { reader } = page
  const t = words[reader.language]
  return table(page, {
    caption: t.title,
    rows,
    idOf: ({ id }) => id,
    picks: { valueOf: ({ id }) => id, nameOf: ({ id, name }) => name ?? id, areTicked: isTicked },
    columns: [
      {
        key: "name",
        title: common[reader.language].name,
        is: "name",
        cell: ({ about, id, name }) =>
          html`<a href="${page.base}/${segment}/${id}">${name ?? about ?? id}</a><span class="below">${about}</span>`
      },
      {
        key: "tags",
        title: t.tags,
        is: "more",
        cell: ({ tags }) => tags.map((tag) => html`<span class="tag">${tag}</span> `)
      },
      {
        key: "state",
        title: common[reader.language].status,
        cell: ({ id }) => on.has(id) && html`<span class="pill good">${t.on}</span>`
      }
    ]
  })
}

/** The bar that adds those who are ticked. */
export const additionBar = (
  page: PageRequest,
  {
    isFurther = false,
    isGiven = false,
    key,
    projectId
  }: {
    readonly projectId: string
    readonly key: string
    /** Whether they are given, and not what a search found: then it cannot add all that match. */
    readonly isGiven?: boolean
    /** Whether one comes back to the page, which then has others. */
    readonly isFurther?: boolean
  }
) => {
  const { reader } = page
  const t = words[reader.language]
  return bulkBar(page, {
    action: `${projectPath(page, projectId)}/prospects/additions`,
    canAll: !isGiven,
    buttons: html`${hidden("key", key)} ${isFurther && hidden("further", "yes")}
      ${select({
        id: "add-classification",
        name: "classification",
        label: memberLabel(reader, "classification"),
        options: options(reader, classifications),
        form: "bulk"
      })}
      ${field({ id: "add-tag", name: "tag", label: t.tag, form: "bulk" })}
      <button class="main" type="submit" form="bulk">${t.add}</button>`
  })
}

const show = get("/console/:team/projects/:projectId/prospects/add", (page) =>
  Effect.gen(function* () {
    const { reader, search } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const [projects, prospects] = [yield* Projects, yield* Prospects]
    const project = yield* projects.get(projectId)
    const found = yield* candidates(search, search.get("cursor"))
    const on = yield* prospects.investorsOn(
      projectId,
      found.data.map(({ id }) => id)
    )
    const path = projectPath(page, projectId)
    const segment: Segment = isOfCompanies(search) ? "companies" : "contacts"
    return new View({
      title: `${t.title}: ${project.name ?? ""}`,
      body: html`${head({
          title: t.title,
          crumbs: [
            { href: path, name: project.name ?? "" },
            { href: `${path}/prospects`, name: t.prospects }
          ],
          actions: tabs(t.kinds, [
            {
              href: addressWith(page, { kind: undefined, cursor: undefined }),
              name: t.contacts,
              isCurrent: segment === "contacts"
            },
            {
              href: addressWith(page, { kind: "companies", cursor: undefined }),
              name: t.companies,
              isCurrent: segment === "companies"
            }
          ])
        })}
        ${filterForm(
          page,
          [
            { name: "q", label: common[reader.language].search, type: "search" },
            { name: "tags", label: t.tags }
          ],
          { kept: ["kind"] }
        )}
        <div class="card">
          ${
            found.data.length === 0
              ? emptyState(t.nothing, t.nothingAdvice)
              : html`${candidateTable(page, { rows: found.data, segment, on, isTicked: false })}
                ${pager(page, found.page, found.data.length)}`
          }
        </div>
        ${additionBar(page, { projectId, key: yield* newKey })}`
    })
  })
)

/** All that match, up to one more than can be added at once. */
const allMatching = Effect.fnUntraced(function* (search: URLSearchParams) {
  const ids: Array<string> = []
  let cursor: string | null = null
  do {
    const found: Effect.Success<ReturnType<typeof candidates>> = yield* candidates(search, cursor)
    ids.push(...found.data.map(({ id }) => id))
    cursor = found.page.nextCursor
  } while (cursor !== null && ids.length <= maxAtOnce)
  return ids
})

const refused = (page: PageRequest, back: string, detail: string) =>
  new View({
    title: words[page.reader.language].title,
    status: 400,
    body: html`${head({ title: words[page.reader.language].title })} ${notice("bad", detail)}
      <p><a class="button" href="${back}">${common[page.reader.language].back}</a></p>`
  })

interface Refusal {
  readonly id: string
  readonly detail: Part
}

/** Adds investors in parts; answers those that were refused. */
const addAll = Effect.fnUntraced(function* (page: PageRequest, projectId: string, ids: ReadonlyArray<string>) {
  const { addBatch } = yield* ProspectBatches
  const { form } = page
  const [classification, tag, key] = [form.text("classification"), form.text("tag"), form.text("key") ?? ""]
  const itemOf = (id: string): Json => ({
    [id.startsWith("company_") ? "companyId" : "contactId"]: id,
    ...(classification === undefined ? {} : { classification }),
    ...(tag === undefined ? {} : { projectTags: [tag] })
  })
  const refusals: Array<Refusal> = []
  for (let from = 0; from < ids.length; from += pageSize) {
    const part = ids.slice(from, from + pageSize)
    const { value } = yield* addBatch(
      projectId,
      requestOf({
        operation: `POST ${page.path}`,
        query: {},
        body: { items: part.map(itemOf) },
        ...(key === "" ? {} : { idempotencyKey: `${key}.${from}` })
      })
    )
    refusals.push(
      ...value.results.flatMap((result) =>
        "problem" in result ? [{ id: part[result.index] ?? "", detail: reason(page.reader, result.problem) }] : []
      )
    )
  }
  return refusals
})

const add = post("/console/:team/projects/:projectId/prospects/additions", (page) =>
  Effect.gen(function* () {
    const { form, reader } = page
    const t = words[reader.language]
    const { projectId = "" } = page.params
    const prospects = `${projectPath(page, projectId)}/prospects`
    const back = backOf(page, `${prospects}/add`)
    const isAll = form.has("all")
    const filter = form.text("filter") ?? ""
    const ids = isAll ? yield* allMatching(new URLSearchParams(filter)) : [...new Set(form.all("pick"))]
    if (ids.length === 0) return refused(page, back, t.noneTicked)
    if (ids.length > maxAtOnce) return refused(page, back, t.tooMany(number(reader, maxAtOnce)))
    const confirmed = `${ids.length} ${filter}`.trim()
    if (isAll && form.text("confirmed") !== confirmed) {
      return new View({
        title: t.title,
        body: confirmation(page, {
          title: t.title,
          body: html`<p>${t.all(number(reader, ids.length))}</p>`,
          label: t.add,
          confirmed,
          back,
          isDangerous: false
        })
      })
    }
    const work: Effect.Effect<ReadonlyArray<Refusal>, Problem, Effect.Services<ReturnType<typeof addAll>>> = addAll(
      page,
      projectId,
      ids
    )
    const refusals = yield* work
    const note = t.added(number(reader, ids.length - refusals.length))
    const next = form.has("further") ? back : prospects
    if (refusals.length === 0) return new Goto({ path: next, note })
    return new View({
      title: t.notAdded,
      body: html`${head({ title: t.notAdded })} ${notice("bad", note)}
        <div class="card">
          ${table(page, {
            caption: t.notAdded,
            rows: refusals,
            idOf: ({ id }) => `refused-${id}`,
            columns: [
              {
                key: "name",
                title: common[reader.language].name,
                is: "name",
                cell: ({ id }) =>
                  html`<a href="${page.base}/${id.startsWith("company_") ? "companies" : "contacts"}/${id}"
                    ><code>${id}</code></a
                  >`
              },
              { key: "why", title: t.why, cell: ({ detail }) => detail }
            ]
          })}
        </div>
        <p><a class="button" href="${prospects}">${t.prospects}</a></p>`
    })
  })
)

/** How investors get on the list of a project. */
export const pages = [show, add]
