/** Imports in the console: a file, its columns, a dry run, the run, and its receipts. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  postFile,
  problemNotice,
  stream,
  View
} from "../console/Console.ts"
import { html, type Html } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { answerChanges } from "../console/Live.ts"
import {
  box,
  button,
  card,
  emptyState,
  facts,
  field,
  head,
  hidden,
  notice,
  pill,
  select,
  sentence,
  skipTo
} from "../console/Parts.ts"
import { uploadForm } from "../console/Uploads.ts"
import { common, countryOptions, moment, number } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { sizeOf } from "../content/files/pages.ts"
import { causeText, withoutOptions } from "./CauseTexts.ts"
import { columnsWith, ignored, type ReadColumn } from "./Choices.ts"
import {
  type Cause,
  type Choices,
  type ConsoleImport,
  isRunning,
  kinds,
  type LinkCounts,
  type State
} from "./ConsoleImport.ts"
import { ConsoleImports } from "./ConsoleImports.ts"
import { labelOf, offeredMembers } from "./ColumnLabels.ts"
import { memberMeant, whyTexts } from "./ColumnTexts.ts"
import type { Kind } from "./Members.ts"
import { importWords as words, kindNames, stateNames } from "./texts.ts"
import * as toProject from "./ToProjectPages.ts"

const pathOf = ({ base }: Pick<PageRequest, "base">, id?: string) =>
  id === undefined ? `${base}/imports` : `${base}/imports/${id}`

const colours: { readonly [S in State]: "bad" | "good" | "plain" | "warn" } = {
  uploaded: "plain",
  checking: "plain",
  checked: "warn",
  importing: "plain",
  imported: "good",
  refused: "bad"
}

const statePill = ({ reader }: Pick<PageRequest, "reader">, state: State): Html =>
  pill(colours[state], stateNames[reader.language][state])

// The list, and the form of a new import.

const newImport = (page: PageRequest, key: string, attempt?: Attempt) => {
  const t = words[page.reader.language]
  const names = kindNames[page.reader.language]
  const asked = attempt?.form.text("kind") ?? page.search.get("kind")
  return card(
    "new-import",
    t.newImport,
    uploadForm(page, {
      id: "import-file",
      action: pathOf(page),
      label: t.upload,
      labelled: t.file,
      isSingle: true,
      accept: ".csv,.tsv,.txt,.ndjson,.jsonl,.vcf,.vcard,.gz",
      fields: html`${hidden("key", key)}
      ${select({
        id: "import-kind",
        name: "kind",
        label: t.kind,
        value: asked,
        options: kinds.map((kind) => [kind, names[kind]] as const)
      })}`
    })
  )
}

const listView = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const { list } = yield* ConsoleImports
  const random = yield* SecureRandom.SecureRandom
  const { reader } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  const rows = yield* list()
  const columns: ReadonlyArray<Column<ConsoleImport>> = [
    {
      key: "file",
      title: t.fileName,
      is: "name",
      cell: ({ fileName, id }) => html`<a href="${pathOf(page, id)}">${fileName}</a>`
    },
    { key: "kind", title: c.type, cell: ({ kind }) => kindNames[reader.language][kind] },
    { key: "state", title: c.status, cell: ({ state }) => statePill(page, state) },
    { key: "rows", title: t.rowsDone, isNumber: true, cell: ({ counts }) => number(reader, counts.rows) },
    { key: "failed", title: t.failed, isNumber: true, cell: ({ counts }) => number(reader, counts.failed) },
    { key: "who", title: c.who, is: "more", cell: ({ userName }) => userName },
    { key: "when", title: c.when, is: "more", cell: ({ createdUtc }) => moment(reader, createdUtc) }
  ]
  return new View({
    title: t.imports,
    body: html`${head({ title: t.imports, subtitle: t.subtitle })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, page.requestId)}
      <div class="stack">
        ${newImport(page, yield* random.uuidV7(), attempt)}
        <div class="card">
          ${
            rows.length === 0
              ? emptyState(t.none, t.noneAdvice)
              : table(page, { caption: t.recent, columns, rows, idOf: ({ id }) => `import-${id}` })
          }
        </div>
      </div>`
  })
})

const list = get("/console/:team/imports", (page) => listView(page))

const upload = postFile("/console/:team/imports", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    const kind = kinds.find((one) => one === page.form.text("kind")) ?? "contacts"
    const { idempotencyKey, operation, query } = formRequest(page)
    const id = yield* Effect.scoped(imports.upload(kind, { operation, query, idempotencyKey, file: page.file }))
    return new Goto({ path: pathOf(page, id) })
  }).pipe(orShowAgain(page, (attempt) => listView(page, attempt)))
)

// One import: its columns and options, what a run says, and what comes next.

const membersList = "import-members"

/** What a column sets, or why it sets nothing and what to do about it. */
const effectOf = ({ reader }: PageRequest, { members, why }: ReadColumn): Html => {
  if (members.length > 0) {
    return html`${members.map((member) => html`<span>${labelOf(reader, member)} <code class="below">${member}</code></span>`)}`
  }
  return html`${pill(why === "ignored" || why === "without" ? "plain" : "warn", words[reader.language].leftOut)}
  ${why !== undefined && html`<span class="below">${whyTexts[reader.language][why]}</span>`}`
}

/** A choice as the person reads it: other members, such as those of a system, by their names in the API. */
const chosenText = ({ reader }: PageRequest, kind: Kind, chosen: string | undefined): string => {
  if (chosen === undefined) return ""
  if (chosen === ignored) return words[reader.language].leaveOut
  return offeredMembers(kind).includes(chosen) ? labelOf(reader, chosen) : chosen
}

const columnRow = (page: PageRequest, kind: Kind, column: ReadColumn, index: number, chosen: string | undefined) => {
  const t = words[page.reader.language]
  return html`<tr id="column-${index}">
    <th scope="row" data-label="${t.column}">${column.name}</th>
    <td class="wide" data-label="${t.example}">${column.example}</td>
    <td class="wide" data-label="${t.sets}" id="effect-${index}">${effectOf(page, column)}</td>
    <td class="wide" data-label="${t.choose}">
      ${hidden("column", column.name)}
      <label class="hidden" for="member-${index}">${t.memberOf(column.name)}</label>
      <input
        id="member-${index}"
        name="member"
        list="${membersList}"
        value="${chosenText(page, kind, chosen)}"
        placeholder="${column.members.length > 0 ? t.automatic : t.choosePlaceholder}"
        aria-describedby="effect-${index}"
        autocomplete="off"
      />
    </td>
  </tr>`
}

interface ShownImport extends ConsoleImport {
  readonly columns: ReadonlyArray<ReadColumn>
  readonly refusal?: string
}

const optionFields = (page: PageRequest, { kind }: ConsoleImport, choices: Choices) => {
  const { reader } = page
  const t = words[reader.language]
  const isMeasured = kind === "properties" || kind === "mandates"
  return html`<div class="fields">
    ${field({ id: "namespace", name: "namespace", label: t.namespace, hint: t.namespaceHint, value: choices.namespace })}
    ${select({
      id: "on-duplicate",
      name: "onDuplicate",
      label: t.onDuplicate,
      value: choices.onDuplicate,
      options: [
        ["refuse", t.refuse],
        ["update", t.update],
        ["create", t.create]
      ]
    })}
    ${
      (isMeasured || kind === "companies") &&
      select({
        id: "country",
        name: "country",
        label: t.country,
        value: choices.country,
        any: common[reader.language].none,
        options: countryOptions(reader)
      })
    }
    ${isMeasured && field({ id: "currency", name: "currency", label: t.currency, hint: t.currencyHint, value: choices.currency })}
    ${
      isMeasured &&
      select({
        id: "decimal",
        name: "decimal",
        label: t.decimal,
        value: choices.decimal,
        any: common[reader.language].unknown,
        options: [
          ["comma", t.comma],
          ["point", t.point]
        ]
      })
    }
    ${kind === "contacts" && box({ id: "link-companies", name: "linkCompanies", label: t.linkCompanies, isTicked: choices.linkCompanies })}
    ${box({ id: "keep-rows", name: "keepRows", label: t.keepRows, hint: t.keepRowsHint, isTicked: choices.keepRows })}
  </div>`
}

const columnsForm = (page: PageRequest, shown: ShownImport, choices: Choices) => {
  const t = words[page.reader.language]
  return card(
    "columns",
    t.columns,
    html`<form class="stack" method="post" action="${pathOf(page, shown.id)}/check">
      ${formField(page.visit)} ${hidden("kind", shown.kind)}
      ${
        shown.columns.length === 0
          ? html`<p class="soft">${t.noColumns}</p>`
          : html`${skipTo(page.reader, "check-import")}
              <p class="soft">${t.columnsAdvice}</p>
              <datalist id="${membersList}">
                <option value="${t.leaveOut}"></option>
                ${offeredMembers(shown.kind).map((member) => html`<option value="${labelOf(page.reader, member)}">${member}</option>`)}
              </datalist>
              <div class="scroll" tabindex="0" role="group" aria-label="${t.columns}">
                <table class="cards">
                  <caption class="hidden">
                    ${t.columns}
                  </caption>
                  <thead>
                    <tr>
                      <th scope="col">${t.column}</th>
                      <th scope="col">${t.example}</th>
                      <th scope="col">${t.sets}</th>
                      <th scope="col">${t.choose}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${shown.columns.map((column, index) => columnRow(page, shown.kind, column, index, choices.columns[column.name]))}
                  </tbody>
                </table>
              </div>`
      }
      <h3>${t.options}</h3>
      ${optionFields(page, shown, choices)}
      <div class="row">
        ${button(shown.state === "checked" ? t.checkAgain : t.check, { kind: shown.state === "checked" ? "plain" : "main", id: "check-import" })}
        <span class="soft small">${t.checkNote}</span>
      </div>
    </form>`
  )
}

const causesTable = (page: PageRequest, id: string, title: string, causes: ReadonlyArray<Cause>) => {
  const { reader } = page
  const t = words[reader.language]
  const columns: ReadonlyArray<Column<Cause & { readonly index: number }>> = [
    {
      key: "says",
      title: t.says,
      is: "name",
      cell: ({ code, column = "", detail }) =>
        html`${column !== "" && html`${column}: `}${sentence(reader, causeText(reader, { code, detail }), [detail])}`
    },
    { key: "count", title: t.count, isNumber: true, cell: ({ count }) => number(reader, count) },
    {
      key: "line",
      title: t.line,
      isLabelled: true,
      cell: ({ line, row }) =>
        html`${number(reader, line)}${row !== undefined && html` <span class="below">${row}</span>`}`
    },
    { key: "value", title: t.value, cell: ({ value }) => value }
  ]
  const rows = causes.map((cause, index) => ({ ...cause, index }))
  return (
    causes.length > 0 &&
    html`<h3>${title}</h3>
      ${table(page, { caption: title, columns, rows, idOf: ({ index }) => `${id}-${index}` })}`
  )
}

/** The numbers of companies and links; of those that are rare, only if there are any. */
const linkFacts = (reader: PageRequest["reader"], links: LinkCounts | undefined) => {
  if (links === undefined) return []
  const t = words[reader.language]
  const rare = (name: string, value: number) => (value === 0 ? [] : [[name, number(reader, value)] as const])
  return [
    [t.newCompanies, number(reader, links.newCompanies)] as const,
    [t.newLinks, number(reader, links.created)] as const,
    ...rare(t.updatedLinks, links.updated),
    ...rare(t.unchangedLinks, links.unchanged),
    ...rare(t.notLinked, links.failed)
  ]
}

/** What a run says, or has done so far; and what comes next. */
const outcome = (page: PageRequest, shown: ShownImport) => {
  const { reader } = page
  const { counts, report, state } = shown
  const t = words[reader.language]
  if (state === "uploaded" || state === "refused") return false
  const amount = (value: number) => number(reader, value)
  const title = isRunning(shown) ? t.progress : state === "imported" ? t.result : t.expected
  const good = counts.rows - counts.failed
  const body = html`${
    isRunning(shown) &&
    html`<p role="status">${state === "checking" ? t.checking : t.importing}</p>
      <p class="unscripted"><a class="button small" href="${page.path}">${t.reload}</a></p>`
  }
  ${facts([
    [isRunning(shown) ? t.rowsDone : t.rows, amount(counts.rows)],
    [t.created, amount(counts.created)],
    [t.updated, amount(counts.updated)],
    [t.unchanged, amount(counts.unchanged)],
    [t.failed, amount(counts.failed)],
    ...linkFacts(reader, isRunning(shown) ? undefined : report?.links)
  ])}
  ${report !== null && !isRunning(shown) && html`${causesTable(page, "cause", t.causes, report.refused)} ${report.refused.length > 0 && html`<p class="soft">${t.correct}</p>`} ${causesTable(page, "reported", t.reported, report.reported)} ${report.others > 0 && html`<p class="soft">${t.moreCauses(amount(report.others))}</p>`}`}
  ${
    shown.hasReceipts &&
    !isRunning(shown) &&
    html`<p>
      <a class="button small" href="${pathOf(page, shown.id)}/receipts" download>${t.receipts}</a>
      <span class="soft small">${t.receiptsNote}</span>
    </p>`
  }
  ${
    state === "imported" &&
    shown.kind !== "links" &&
    html`<p class="row">
      <a class="button main" href="${page.base}/${shown.kind}">${t.showAll}</a>
      ${(shown.kind === "contacts" || shown.kind === "companies") && good > 0 && html`<a class="button" href="${pathOf(page, shown.id)}/projects">${t.toProject}</a>`}
    </p>`
  }
  ${
    state === "checked" &&
    (good === 0
      ? notice("warn", t.nothing)
      : html`<form class="row" method="post" action="${pathOf(page, shown.id)}/start">
          ${formField(page.visit)} ${hidden("rows", counts.rows)} ${button(t.start(amount(good)), { kind: "main" })}
          <span class="soft small">${t.startNote}</span>
        </form>`)
  }`
  return card("outcome", title, body)
}

/** What a page has seen of an import. */
const seenOf = ({ changedUtc, state }: ConsoleImport) => `${state} ${changedUtc}`

const importView = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const imports = yield* ConsoleImports
  const { reader } = page
  const t = words[reader.language]
  const stored = yield* imports.get(page.params["import"] ?? "")
  const sent = attempt?.form.has("onDuplicate") === true ? choicesOf(page, attempt.form) : undefined
  const choices = sent ?? stored.choices
  const shown: ShownImport = sent === undefined ? stored : { ...stored, ...columnsWith(stored, sent) }
  const path = pathOf(page, shown.id)
  const canChoose = shown.state === "uploaded" || shown.state === "checked" || shown.state === "refused"
  const isReadable = shown.format !== "csv" || shown.columns.length > 0
  const unreadable = (detail: string) =>
    notice("warn", html`${t.unreadable}<span lang="en">${withoutOptions(detail)}</span>`)
  const body = html`${shown.detail !== null && unreadable(shown.detail)}
    ${shown.refusal !== undefined && attempt === undefined && unreadable(shown.refusal)}
    <div class="stack">${outcome(page, shown)} ${canChoose && isReadable && columnsForm(page, shown, choices)}</div>`
  return new View({
    title: shown.fileName,
    scripts: ["follow.js"],
    body: html`<div
      id="followed"
      ${isRunning(shown) && html`data-follow="${path}/latest"`}
      data-seen="${seenOf(shown)}"
    >
      ${head({
        title: shown.fileName,
        crumbs: [{ href: pathOf(page), name: t.imports }],
        subtitle: html`${t.by(shown.userName ?? "", kindNames[reader.language][shown.kind])},
        ${moment(reader, shown.createdUtc)}, ${sizeOf(page, shown.size)} ${statePill(page, shown.state)}`,
        actions: html`<form method="post" action="${path}/delete">
          ${formField(page.visit)}
          ${button(isRunning(shown) ? t.stop : common[reader.language].delete, { kind: "danger", of: shown.fileName })}
        </form>`
      })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, page.requestId)} ${body}
    </div>`
  })
})

const show = get("/console/:team/imports/:import", (page) => importView(page))

const latest = stream("/console/:team/imports/:import/latest", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    return yield* answerChanges(page, Effect.map(imports.get(page.params["import"] ?? ""), seenOf), "2 seconds")
  })
)

const onDuplicates = ["refuse", "update", "create"] as const

/** The choices that a form sent: members by their labels, or by their names in the API. */
const choicesOf = ({ reader }: Pick<PageRequest, "reader">, form: PageRequest["form"]): Choices => {
  const kind = kinds.find((one) => one === form.text("kind"))
  const members = form.all("member")
  const columns = form.all("column").flatMap((name, index) => {
    const member = members[index]?.trim() ?? ""
    return member === "" ? [] : [[name, kind === undefined ? member : memberMeant(reader, kind, member)] as const]
  })
  const optional = <N extends string>(name: N) => {
    const value = form.text(name)
    return (value === undefined ? {} : { [name]: value }) as { readonly [_ in N]?: string }
  }
  const decimal = (["comma", "point"] as const).find((one) => one === form.text("decimal"))
  return {
    columns: Object.fromEntries(columns),
    onDuplicate: onDuplicates.find((one) => one === form.text("onDuplicate")) ?? "refuse",
    linkCompanies: form.has("linkCompanies"),
    keepRows: form.has("keepRows"),
    ...optional("namespace"),
    ...optional("country"),
    ...optional("currency"),
    ...(decimal === undefined ? {} : { decimal })
  }
}

const check = post("/console/:team/imports/:import/check", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    const id = page.params["import"] ?? ""
    yield* imports.check(id, choicesOf(page, page.form))
    return new Goto({ path: pathOf(page, id) })
  }).pipe(orShowAgain(page, (attempt) => importView(page, attempt)))
)

const start = post("/console/:team/imports/:import/start", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    const id = page.params["import"] ?? ""
    yield* imports.start(id, Number(page.form.text("rows")))
    return new Goto({ path: pathOf(page, id) })
  }).pipe(orShowAgain(page, (attempt) => importView(page, attempt)))
)

const receipts = get("/console/:team/imports/:import/receipts", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    const { content, stored } = yield* imports.receipts(page.params["import"] ?? "")
    const name = `${stored.fileName}.${stored.state === "imported" ? "receipts" : "dry-run"}.ndjson`
    return HttpServerResponse.stream(content, {
      contentType: "application/x-ndjson",
      headers: { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }
    })
  })
)

const remove = post("/console/:team/imports/:import/delete", (page) =>
  Effect.gen(function* () {
    const imports = yield* ConsoleImports
    yield* imports.remove(page.params["import"] ?? "")
    return new Goto({ path: pathOf(page), note: words[page.reader.language].deleted })
  }).pipe(orShowAgain(page, (attempt) => importView(page, attempt)))
)

/** The pages of imports. */
export const pages = [list, upload, show, latest, check, start, receipts, remove, ...toProject.pages]

/** Imports, for brokers. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [{ href: `${base}/imports`, name: words[reader.language].imports, icon: "M10 3v10M6 9l4 4 4-4M3.5 17h13" }]
    : []
