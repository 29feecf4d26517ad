/**
 * The pages that records of a network or a market have alike: the list with its search, one record, its form, its deletion and its way
 * back, and what is done with many at once. A module says what is its own: columns, filters, fields, and what the page of a record shows.
 */
import * as Id from "../core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { CurrentActor } from "../core/auth/CurrentActor.ts"
import type { Input, Json } from "../core/usecase/Input.ts"
import type { Page } from "../core/usecase/Page.ts"
import { make, type UseCaseRequest } from "../core/usecase/UseCaseRequest.ts"
import type { Asset } from "./Assets.ts"
import {
  type Answer,
  type Attempt,
  attemptOf,
  formRequest,
  get,
  Goto,
  orShowAgain,
  type PageRequest,
  post,
  type Problem,
  problemNotice,
  View
} from "./Console.ts"
import { bodyOf, differingMembers, type Member, patchOf, withoutBlankRows } from "./FormMembers.ts"
import { bothVersions, memberFields } from "./Forms.ts"
import { html, type Html, type Part } from "./Html.ts"
import {
  addressWith,
  backOf,
  bulkBar,
  type Column,
  columnChoice,
  confirmation,
  type Filter,
  filterForm,
  pager,
  table
} from "./Lists.ts"
import { box, button, emptyState, head, hidden, notice, skipTo } from "./Parts.ts"
import { makeReferences, type References } from "./References.ts"
import { type NamingUseCases, nounOf, rehearsed, whatWouldHappen } from "./Rehearsals.ts"
import { common, moment, number, type Reader, texts } from "./Texts.ts"
import { formField } from "./Visit.ts"

const words = texts({
  new: ["New", "Neu"],
  create: ["Create", "Anlegen"],
  created: ["It was created.", "Angelegt."],
  alike: ["There is another one of this name.", "Es gibt schon einen Eintrag dieses Namens."],
  compare: ["Compare them", "Vergleichen"],
  deleted: [
    "It was deleted. For 30 days it can come back; later you find it under Deleted.",
    "Gelöscht. 30 Tage lang lässt sich das rückgängig machen; später steht es unter „Gelöscht“."
  ],
  deletedOnes: ["Deleted", "Gelöscht"],
  noneDeleted: ["Nothing was deleted in the last 30 days", "In den letzten 30 Tagen wurde nichts gelöscht"],
  deletedHint: [
    "For 30 days after its deletion, each can come back with what belonged to it.",
    "30 Tage nach der Löschung lässt sich jeder Eintrag zurückholen, mit allem, was dazugehörte."
  ],
  restoreAnyway: ["Bring it back anyway", "Trotzdem zurückholen"],
  restore: ["Bring it back", "Zurückholen"],
  restored: ["It is back, with what belongs to it.", "Wieder da, mit allem, was dazugehört."],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name: string) => `${name} löschen?`],
  deleteMany: [
    (count: string, noun: string) => `Delete ${count} ${noun}?`,
    (count: string, noun: string) => `${count} ${noun} löschen?`
  ],
  deletedMany: [
    (count: string, failed: number) => `${count} deleted${failed > 0 ? `, ${failed} not` : ""}.`,
    (count: string, failed: number) => `${count} gelöscht${failed > 0 ? `, ${failed} nicht` : ""}.`
  ],
  tagged: [
    (count: string, failed: number) => `${count} tagged${failed > 0 ? `, ${failed} not` : ""}.`,
    (count: string, failed: number) => `${count} mit dem Tag versehen${failed > 0 ? `, ${failed} nicht` : ""}.`
  ],
  tag: ["Tag", "Tag"],
  addTag: ["Add the tag", "Tag hinzufügen"],
  nothingTicked: ["Tick at least one row.", "Markieren Sie mindestens eine Zeile."],
  countChanged: [
    "The number of rows that match has changed since. Look again, and confirm.",
    "Inzwischen passen andere Zeilen. Sehen Sie noch einmal hin, und bestätigen Sie."
  ],
  tooMany: [
    (most: string) => `More than ${most} match. Narrow the filters.`,
    (most: string) => `Mehr als ${most} passen. Schränken Sie die Filter ein.`
  ],
  anyway: ["Save anyway, although there is a similar one", "Trotzdem speichern, obwohl es ein ähnliches gibt"],
  similar: ["Similar", "Ähnlich"],
  import: ["Import", "Importieren"],
  export: ["Export", "Exportieren"],
  emptyAdvice: ["Create the first one, or import a file.", "Legen Sie etwas an, oder importieren Sie eine Datei."]
})

/** At most so many records at once. */
const maxAtOnce = 10_000

/** How many similar records are named. */
const maxSimilar = 20

const batchSize = 100

interface AnyRecord {
  readonly id: string
  readonly etag: string
  readonly tags?: ReadonlyArray<string>
}

/** A deleted record, as its list has it. */
interface DeletedRecord {
  readonly id: string
  readonly name: string | null
  readonly deletedUtc: string
}

interface Receipts {
  readonly results: ReadonlyArray<{ readonly status: string }>
}

type Refusable<A> = Effect.Effect<A, Problem, CurrentActor>

/** The use-cases of a kind of record. */
export interface RecordUseCases<Resource, Query> {
  readonly list: (request: { readonly query: Input<Query> }) => Refusable<Page<Resource>>
  readonly search: (request: Pick<UseCaseRequest<unknown>, "body" | "query">) => Refusable<Page<Resource>>
  readonly get: (id: string) => Refusable<Resource>
  readonly create: (request: UseCaseRequest<{ readonly force?: boolean }>) => Refusable<{ readonly value: Resource }>
  readonly patch: (id: string, request: UseCaseRequest<{ readonly force?: boolean }>) => Refusable<Resource>
  readonly delete: (id: string, request: UseCaseRequest<object>) => Refusable<unknown>
  readonly batchGet: (request: UseCaseRequest<object>) => Refusable<{
    readonly results: ReadonlyArray<{ readonly status: string; readonly resource?: Resource }>
  }>
  readonly batchDelete: (request: UseCaseRequest<object>) => Refusable<Receipts>
  readonly batchUpsert: (request: UseCaseRequest<object>) => Refusable<{ readonly value: Receipts }>
  readonly deleted: (cursor: string | undefined) => Refusable<Page<DeletedRecord>>
  readonly restore: (id: string, request: UseCaseRequest<{ readonly force?: boolean }>) => Refusable<unknown>
}

/** What a kind of record has of its own. */
export interface RecordPages<Resource, Query, R, R2, R3, R4> {
  /** The segment of its addresses, such as `contacts`. */
  readonly segment: string
  /** The type, such as `contact`. */
  readonly type: "company" | "contact" | "mandate" | "property"
  readonly title: (reader: Reader) => string
  readonly useCases: Effect.Effect<RecordUseCases<Resource, Query>, never, R>
  /** The query of the list for the address of its page. */
  readonly query: (page: Pick<PageRequest, "search">) => Input<Query>
  /** The body of the search that the filters of the address ask for; undefined where the list answers them. */
  readonly searchBody: (page: Pick<PageRequest, "search">) => { readonly [member: string]: Json } | undefined
  /** Whether teams choose its tags, so that one can be added to many at once. */
  readonly isTagged: boolean
  readonly filters: (page: PageRequest) => ReadonlyArray<Filter>
  /** The columns; they may read names that the rows refer to, for all rows at once. */
  readonly columns: (
    page: PageRequest,
    rows: ReadonlyArray<Resource>
  ) => Effect.Effect<ReadonlyArray<Column<Resource>>, Problem, R2 | CurrentActor>
  readonly members: (reader: Reader) => ReadonlyArray<Member>
  /** The fields of its form, where they are more than one below the other; `formScripts` make them quicker. */
  readonly fields?: (
    page: PageRequest,
    record: Resource | undefined,
    attempt: Attempt | undefined
  ) => Effect.Effect<Html, never, R3>
  readonly formScripts?: ReadonlyArray<Asset>
  /** The members that hold the id of a contact or company, which its form takes by name. */
  readonly references?: References<R4>
  /** What names the records that a deletion changes. */
  readonly naming: Effect.Effect<NamingUseCases, never, R4>
  /** The id of another record of the same name, of which one hears after creating this one; undefined if there is none. */
  readonly alike?: (record: Resource) => Effect.Effect<string | undefined, Problem, R | CurrentActor>
  readonly nameOf: (record: Resource) => string
  /** What the page of a record shows. */
  readonly shown: (page: PageRequest, record: Resource) => Effect.Effect<Html, Problem, R3 | CurrentActor>
  /** More that one can do with a record. */
  readonly actions?: (page: PageRequest, record: Resource) => Part
  /** More that one can do with the list. */
  readonly listActions?: (page: PageRequest) => Part
}

/** The records that a problem says are alike, by their ids. */
const candidatesOf = (problem: Problem): ReadonlyArray<string> => {
  const { candidates } = problem as Problem & { readonly candidates?: ReadonlyArray<{ readonly id: string }> }
  return (candidates ?? []).map(({ id }) => id)
}

/** The ways from a list to files: an import of its kind, and an export of what it lists. */
export const fileActions = (page: PageRequest, kind: string): Html | false => {
  const t = words[page.reader.language]
  return (
    page.seat?.actor.broker === "active" &&
    html`<a class="button" href="${page.base}/imports?kind=${kind}">${t.import}</a>
      <a class="button" href="${addressWith(page, { cursor: undefined, kind }, `${page.base}/exports`)}"
        >${t.export}</a
      >`
  )
}

const noRows: Page<never> = { data: [], page: { nextCursor: null, pageSize: 0, hasMore: false } }

/** A kind of record: its pages, and what its list shows. */
export const recordPages = <Resource extends AnyRecord, Query, R, R2, R3, R4>(
  kind: RecordPages<Resource, Query, R, R2, R3, R4>
) => {
  const { segment, type } = kind
  const at = ({ base }: Pick<PageRequest, "base">, id?: string) =>
    id === undefined ? `${base}/${segment}` : `${base}/${segment}/${id}`
  const crumb = (page: PageRequest) => ({ href: at(page), name: kind.title(page.reader) })

  // An address may ask for another number of rows than 50, and no more than twice as many.
  const rowsOfAddress = ({ search }: Pick<PageRequest, "search">) =>
    Math.max(1, Math.min(100, Math.trunc(Number(search.get("page_size") ?? 50)) || 50))

  /** The rows of a list: of a search where there are words, else of the list. */
  const rowsOf = (page: Pick<PageRequest, "search">, pageSize: number) =>
    Effect.gen(function* () {
      const useCases = yield* kind.useCases
      const asked = kind.searchBody(page)
      if (asked === undefined) {
        const search = new URLSearchParams(page.search)
        search.set("page_size", String(pageSize))
        return yield* useCases.list({ query: kind.query({ search }) })
      }
      const cursor = page.search.get("cursor") ?? ""
      const body = { ...asked, page_size: pageSize, ...(cursor === "" ? {} : { cursor }) }
      return yield* useCases.search(make({ operation: "search", query: {}, body }))
    })

  const { addressMeant, named, namedFilters, resolved } = makeReferences<Resource, R4>(kind.references)

  /** The list; no rows of it where a filter means nothing, or several. */
  const listed = (page: PageRequest, attempt?: Attempt) =>
    Effect.gen(function* () {
      const t = words[page.reader.language]
      const c = common[page.reader.language]
      const filters = yield* namedFilters(page, kind.filters(page), attempt)
      const found = attempt === undefined ? yield* rowsOf(page, rowsOfAddress(page)) : noRows
      const columns = yield* kind.columns(page, found.data)
      const isFiltered = filters.some(({ name }) => (page.search.get(name) ?? "") !== "")
      const deleted = page.search.get("deleted")
      const title = kind.title(page.reader)
      return new View({
        title,
        body: html`${head({
            title,
            actions: html`${kind.listActions?.(page)} ${columnChoice(page, columns)}
              <a class="button" href="${at(page)}/deleted">${t.deletedOnes}</a>
              <a class="button main" href="${at(page)}/new">${t.new}</a>`
          })}
          ${
            deleted !== null &&
            notice(
              "good",
              html`${t.deleted}
                <form method="post" action="${at(page, deleted)}/restore">
                  ${formField(page.visit)} ${button(t.restore, { kind: "plain" })}
                </form>`
            )
          }
          ${filterForm(page, filters)}
          <div class="card">
            ${
              found.data.length === 0
                ? // A search by place may end a page before it has found any.
                  html`${emptyState(isFiltered ? c.noMatch : c.noRows, isFiltered ? undefined : t.emptyAdvice)}
                  ${found.page.hasMore && pager(page, found.page, 0)}`
                : html`${table(page, {
                    caption: title,
                    columns,
                    rows: found.data,
                    idOf: ({ id }) => id,
                    editAt: at(page),
                    picks: { valueOf: ({ id }) => id, nameOf: kind.nameOf }
                  })}
                  ${bulkBar(page, {
                    action: `${at(page)}/bulk`,
                    canAll: true,
                    buttons: html`${
                      kind.isTagged &&
                      html`<label class="hidden" for="bulk-tag">${t.tag}</label>
                        <input id="bulk-tag" name="tag" form="bulk" placeholder="${t.tag}" autocomplete="off" />
                        ${button(t.addTag, { form: "bulk", name: "do", value: "tag" })}`
                    }
                    ${button(c.delete, { form: "bulk", name: "do", value: "delete", kind: "danger" })}`
                  })}
                  ${pager(page, found.page, found.data.length)}`
            }
          </div>`
      })
    })

  const list = get(`/console/:team/${segment}`, (page) =>
    addressMeant(page).pipe(
      Effect.map((path) => (path === undefined ? undefined : new Goto({ path }))),
      orShowAgain(page, (attempt) => listed(page, attempt)),
      Effect.flatMap((answer) => (answer === undefined ? listed(page) : Effect.succeed(answer)))
    )
  )

  /** The records that a problem says are similar, by their names. */
  const similarTo = Effect.fnUntraced(function* (page: PageRequest, ids: ReadonlyArray<string>) {
    const useCases = yield* kind.useCases
    const request = make({ operation: "names", query: {}, body: { ids: ids.slice(0, maxSimilar) } })
    const { results } = yield* useCases.batchGet(request)
    const similar = results.flatMap(({ resource }) => resource ?? [])
    return html`<p>
      ${words[page.reader.language].similar}:
      ${similar.map((one, index) => html`${index > 0 && ", "}<a href="${at(page, one.id)}">${kind.nameOf(one)}</a>`)}
    </p>`
  })

  /** The form of a record; `above` stands instead of what the problem says, and then the form is of the present version. */
  const form = Effect.fnUntraced(function* (
    page: PageRequest,
    record: Resource | undefined,
    attempt?: Attempt,
    above?: Html
  ) {
    const random = yield* SecureRandom.SecureRandom
    const t = words[page.reader.language]
    const c = common[page.reader.language]
    const title = record === undefined ? `${t.new}: ${nounOf(page.reader, type, 1)}` : kind.nameOf(record)
    const alike = attempt === undefined ? [] : candidatesOf(attempt.problem)
    const similar = alike.length > 0 && (yield* similarTo(page, alike))
    const key = attempt?.form.text("key") ?? (yield* random.uuidV7())
    const shown = record === undefined ? undefined : yield* named(record)
    const fields =
      kind.fields === undefined
        ? memberFields(page.reader, kind.members(page.reader), shown, attempt)
        : html`${skipTo(page.reader, "save-record")} ${yield* kind.fields(page, shown, attempt)}`
    return new View({
      title,
      scripts: kind.formScripts ?? [],
      body: html`${head({
          title,
          crumbs: [
            crumb(page),
            ...(record === undefined ? [] : [{ href: at(page, record.id), name: kind.nameOf(record) }])
          ]
        })}
        ${above ?? (attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId))}
        <form
          class="card pad stack"
          method="post"
          action="${record === undefined ? `${at(page)}/new` : `${at(page, record.id)}/edit`}"
        >
          ${formField(page.visit)} ${hidden("key", key)}
          ${record !== undefined && hidden("etag", (above === undefined ? attempt?.form.text("etag") : undefined) ?? record.etag)}
          ${fields} ${similar !== false && html`${similar} ${box({ id: "force", name: "force", label: t.anyway })}`}
          <div class="row">
            ${button(record === undefined ? t.create : c.save, { kind: "main", id: "save-record" })}
            <a class="button" href="${record === undefined ? at(page) : at(page, record.id)}">${c.cancel}</a>
          </div>
        </form>`
    })
  })

  const forceOf = (page: PageRequest) => (page.form.has("force") ? { force: true } : {})

  const showNew = get(`/console/:team/${segment}/new`, (page) => form(page, undefined))

  /** A page to which the form of a record was sent, with the rows of its lists as the use-case gets them. */
  const withRows = (page: PageRequest): PageRequest => ({
    ...page,
    form: withoutBlankRows(page.form, kind.members(page.reader))
  })

  const create = post(`/console/:team/${segment}/new`, (sent) =>
    Effect.gen(function* () {
      const page = withRows(sent)
      const useCases = yield* kind.useCases
      const members = kind.members(page.reader)
      return yield* Effect.flatMap(resolved(page.form), (meant) =>
        useCases.create(formRequest(page, bodyOf(meant, members, { omitsBlank: true }), forceOf(page)))
      ).pipe(
        Effect.flatMap(({ value }) =>
          // It is created: that a name cannot be looked for, such as one of marks alone, is no refusal.
          Effect.map(
            Effect.orElseSucceed(kind.alike?.(value) ?? Effect.undefined, () => undefined),
            (other) => {
              const path = at(page, value.id)
              const note = words[page.reader.language].created
              return new Goto({ path: other === undefined ? path : `${path}?alike=${other}`, note })
            }
          )
        ),
        orShowAgain(page, (attempt) => form(page, undefined, attempt))
      )
    })
  )

  const idOf = ({ params }: Pick<PageRequest, "params">) => params["id"] ?? ""

  const show = get(`/console/:team/${segment}/:id`, (page) =>
    Effect.gen(function* () {
      const useCases = yield* kind.useCases
      const c = common[page.reader.language]
      const read: Effect.Effect<Resource | Goto, Problem, CurrentActor> = Effect.catchIf(
        useCases.get(idOf(page)),
        (error) => error.code === "merged",
        (error) => {
          const { mergedInto } = error as Problem & { readonly mergedInto?: string }
          return Effect.succeed(new Goto({ path: at(page, mergedInto) }))
        }
      )
      const record = yield* read
      if (record instanceof Goto) return record
      const title = kind.nameOf(record)
      const t = words[page.reader.language]
      const other = page.search.get("alike") ?? ""
      return new View({
        title,
        body: html`${head({
          title,
          crumbs: [crumb(page)],
          actions: html`${kind.actions?.(page, record)}
            <a class="button" data-edit href="${at(page, record.id)}/edit">${c.edit}</a>
            <form method="post" action="${at(page, record.id)}/delete">
              ${formField(page.visit)} ${hidden("etag", record.etag)} ${button(c.delete, { kind: "danger" })}
            </form>`
        })}
        ${
          Id.toUuid(type, other) !== undefined &&
          notice(
            "warn",
            html`${t.alike}
              <a href="${page.base}/duplicates/${segment}/${record.id}/merge?from=${other}">${t.compare}</a>`
          )
        }
        ${yield* kind.shown(page, record)}`
      })
    })
  )

  const showEdit = get(`/console/:team/${segment}/:id/edit`, (page) =>
    Effect.flatMap(kind.useCases, (useCases) =>
      Effect.flatMap(useCases.get(idOf(page)), (record) => form(page, record))
    )
  )

  /**
   * Both versions of a record that was changed meanwhile, above the form with what was typed. Where nothing differs, the form was sent
   * twice, or two people did the same: it is saved.
   */
  const conflict = Effect.fnUntraced(function* (page: PageRequest, attempt: Attempt) {
    const useCases = yield* kind.useCases
    const record = yield* useCases.get(idOf(page))
    const members = kind.members(page.reader)
    if (differingMembers(members, record, attempt.form).length === 0) {
      return new Goto({ path: at(page, record.id), note: common[page.reader.language].saved })
    }
    const view = yield* form(page, record, attempt, bothVersions(page.reader, members, record, attempt.form))
    return new View({ ...view, status: attempt.problem.status })
  })

  const edit = post(`/console/:team/${segment}/:id/edit`, (sent) =>
    Effect.gen(function* () {
      const page = withRows(sent)
      const useCases = yield* kind.useCases
      const members = kind.members(page.reader)
      const saving = Effect.gen(function* () {
        const meant = yield* resolved(page.form)
        const body = patchOf(meant, members, yield* useCases.get(idOf(page)))
        return yield* useCases.patch(idOf(page), formRequest(page, body, forceOf(page)))
      })
      const saved = new Goto({ path: at(page, idOf(page)), note: common[page.reader.language].saved })
      const refused = (
        problem: Problem
      ): Effect.Effect<Answer, Problem, R | R3 | R4 | CurrentActor | SecureRandom.SecureRandom> => {
        const attempt = attemptOf(page, problem)
        if (problem.status === 404) return Effect.fail(problem)
        if (problem.code === "precondition_failed" || problem.code === "concurrency_conflict") {
          return Effect.flatMap(resolved(page.form), (meant) => conflict(page, { form: meant, problem }))
        }
        return Effect.map(
          Effect.flatMap(useCases.get(idOf(page)), (record) => form(page, record, attempt)),
          (view) => new View({ ...view, status: problem.status })
        )
      }
      return yield* Effect.catch(Effect.as(saving, saved), refused)
    })
  )

  const remove = post(`/console/:team/${segment}/:id/delete`, (page) =>
    Effect.gen(function* () {
      const useCases = yield* kind.useCases
      const t = words[page.reader.language]
      const id = idOf(page)
      if (page.form.has("confirmed")) {
        yield* useCases.delete(id, formRequest(page))
        return new Goto({ path: `${at(page)}?deleted=${id}` })
      }
      const record = yield* useCases.get(id)
      const { outcome } = yield* rehearsed(useCases.delete(id, formRequest(page)))
      return new View({
        title: t.deleteTitle(kind.nameOf(record)),
        body: confirmation(page, {
          title: t.deleteTitle(kind.nameOf(record)),
          body: yield* whatWouldHappen(page, outcome, kind.naming),
          label: common[page.reader.language].delete,
          confirmed: "yes",
          back: at(page, id)
        })
      })
    })
  )

  const deleted = get(`/console/:team/${segment}/deleted`, (page) =>
    Effect.gen(function* () {
      const { reader, visit } = page
      const t = words[reader.language]
      const useCases = yield* kind.useCases
      const found = yield* useCases.deleted(page.search.get("cursor") ?? undefined)
      const title = `${kind.title(reader)}: ${t.deletedOnes}`
      return new View({
        title,
        body: html`${head({ title: t.deletedOnes, crumbs: [crumb(page)], subtitle: t.deletedHint })}
          <div class="card">
            ${
              found.data.length === 0
                ? emptyState(t.noneDeleted)
                : html`${table(page, {
                    caption: title,
                    rows: found.data,
                    idOf: ({ id }) => id,
                    columns: [
                      {
                        key: "name",
                        title: common[reader.language].name,
                        is: "name",
                        cell: ({ id, name }: DeletedRecord) => name ?? id
                      },
                      {
                        key: "deleted",
                        title: t.deletedOnes,
                        cell: ({ deletedUtc }: DeletedRecord) => moment(reader, deletedUtc)
                      },
                      {
                        key: "back",
                        title: common[reader.language].actions,
                        cell: ({ id, name }: DeletedRecord) =>
                          html`<form method="post" action="${at(page, id)}/restore">
                            ${formField(visit)} ${button(t.restore, { of: name ?? id })}
                          </form>`
                      }
                    ]
                  })}
                  ${pager(page, found.page, found.data.length)}`
            }
          </div>`
      })
    })
  )

  const restore = post(`/console/:team/${segment}/:id/restore`, (page) =>
    Effect.gen(function* () {
      const { reader, visit } = page
      const t = words[reader.language]
      const id = idOf(page)
      const useCases = yield* kind.useCases
      return yield* useCases.restore(id, formRequest(page, {}, forceOf(page))).pipe(
        Effect.as(new Goto({ path: at(page, id), note: t.restored })),
        // Somebody else has its address by now: one looks at them first.
        Effect.catchIf(
          (problem) => candidatesOf(problem).length > 0,
          (problem) =>
            Effect.map(
              similarTo(page, candidatesOf(problem)),
              (similar) =>
                new View({
                  title: t.restore,
                  status: problem.status,
                  body: html`${head({ title: t.restore, crumbs: [crumb(page)] })}
                    ${problemNotice(reader, problem, page.requestId)}
                    <form class="card pad stack" method="post" action="${at(page, id)}/restore">
                      ${formField(visit)} ${hidden("force", "on")} ${similar}
                      <div class="row">
                        ${button(t.restoreAnyway, { kind: "main" })}
                        <a class="button" href="${at(page)}/deleted">${common[reader.language].cancel}</a>
                      </div>
                    </form>`
                })
            )
        )
      )
    })
  )

  /** The ids of all records that match the filters of a list, at most `maxAtOnce` and one more. */
  const allThatMatch = Effect.fnUntraced(function* (page: PageRequest) {
    const search = new URLSearchParams(page.form.text("filter") ?? "")
    const ids: Array<string> = []
    for (let cursor: string | null = ""; cursor !== null && ids.length <= maxAtOnce;) {
      if (cursor !== "") search.set("cursor", cursor)
      const found: Page<Resource> = yield* rowsOf({ search }, 500)
      ids.push(...found.data.map(({ id }) => id))
      cursor = found.page.hasMore ? found.page.nextCursor : null
    }
    return ids
  })

  /** Does something with records, a batch after the other: how many of them it was done to. */
  const inBatches = <E, R2>(
    ids: ReadonlyArray<string>,
    run: (batch: ReadonlyArray<string>) => Effect.Effect<Receipts, E, R2>
  ) =>
    Effect.gen(function* () {
      let [done, failed] = [0, 0]
      for (let start = 0; start < ids.length; start += batchSize) {
        const { results } = yield* run(ids.slice(start, start + batchSize))
        failed += results.filter(({ status }) => status === "failed").length
        done += results.length
      }
      return { done: done - failed, failed }
    })

  const bulk = post(`/console/:team/${segment}/bulk`, (page) =>
    Effect.gen(function* () {
      const useCases = yield* kind.useCases
      const [t, c] = [words[page.reader.language], common[page.reader.language]]
      const back = backOf(page, at(page))
      const isAll = page.form.has("all")
      const ids = isAll ? yield* allThatMatch(page) : page.form.all("pick")
      const refused = (text: string) =>
        new View({
          title: kind.title(page.reader),
          status: 422,
          body: html`${head({ title: kind.title(page.reader), crumbs: [crumb(page)] })} ${notice("bad", text)}
            <p><a class="button" href="${back}">${c.back}</a></p>`
        })
      if (ids.length === 0) return refused(t.nothingTicked)
      if (ids.length > maxAtOnce) return refused(t.tooMany(number(page.reader, maxAtOnce)))
      const tag = page.form.text("do") === "tag" ? page.form.text("tag") : undefined
      if (page.form.text("do") === "tag" && tag === undefined) return refused(`${t.tag}: ${t.addTag}`)
      const count = number(page.reader, ids.length)
      const confirmed = page.form.text("confirmed")
      if ((isAll || tag === undefined) && confirmed !== String(ids.length)) {
        const noun = nounOf(page.reader, type, ids.length)
        const title = tag === undefined ? t.deleteMany(count, noun) : `${t.addTag} „${tag}“: ${count} ${noun}`
        return new View({
          title,
          body: confirmation(page, {
            title,
            body: confirmed === undefined ? html`<p>${count} ${noun}</p>` : notice("warn", t.countChanged),
            label: tag === undefined ? c.delete : t.addTag,
            confirmed: String(ids.length),
            back,
            isDangerous: tag === undefined
          })
        })
      }
      if (tag === undefined) {
        const { done, failed } = yield* inBatches(ids, (batch) =>
          useCases.batchDelete(make({ operation: page.path, query: {}, body: { ids: [...batch] } }))
        )
        return new Goto({ path: at(page), note: t.deletedMany(number(page.reader, done), failed) })
      }
      const { done, failed } = yield* inBatches(ids, (batch) =>
        Effect.gen(function* () {
          const request = make({ operation: page.path, query: {}, body: { ids: [...batch] } })
          const { results } = yield* useCases.batchGet(request)
          const items = results.flatMap(({ resource }) =>
            resource === undefined
              ? []
              : [{ id: resource.id, etag: resource.etag, tags: [...new Set([...(resource.tags ?? []), tag])] }]
          )
          const saved = yield* useCases.batchUpsert(make({ operation: page.path, query: {}, body: { items } }))
          return saved.value
        })
      )
      return new Goto({ path: back, note: t.tagged(number(page.reader, done), failed) })
    })
  )

  return {
    pages: [list, showNew, create, bulk, deleted, show, showEdit, edit, remove, restore],
    /** What its form writes. */
    members: kind.members,
    /** What the list shows, for those who export it. */
    list: { rows: rowsOf, filters: kind.filters }
  }
}
