/**
 * Exports and imports of teams, and restores of what somebody deleted, for operators (docs/behaviour/console.md#operation): each is shown
 * before it begins, and its page follows the job that does it.
 */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import {
  type Attempt,
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
import { html, type Html, type Part } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { answerChanges } from "../console/Live.ts"
import { box, button, card, emptyState, facts, faultOf, field, head, hidden, notice, pill } from "../console/Parts.ts"
import { common, localTime, moment, momentAt, number } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { sizeOf } from "../content/files/pages.ts"
import { parseTimestamp } from "../core/fields/Timestamp.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import { restorable } from "../network/restores/Restore.ts"
import { now } from "../platform/Time.ts"
import { runWords } from "./runTexts.ts"
import { TeamLifecycle } from "./TeamLifecycle.ts"
import {
  type ArchiveReport,
  isRunning,
  type RestoreOptions,
  type RestoreReport,
  type State,
  type TeamRun
} from "./TeamRun.ts"
import { TeamRuns } from "./TeamRuns.ts"

const root = "/console/operation/runs"
const teams = "/console/operation/teams"

const wordsOf = ({ reader }: PageRequest) => runWords[reader.language]

const pathOf = (id: string) => `${root}/${id}`

const idOf = ({ params }: PageRequest) => params["run"] ?? ""

const teamOf = ({ params }: PageRequest) => params["id"] ?? ""

const colours: { readonly [S in State]: "bad" | "good" | "plain" | "warn" } = {
  checking: "plain",
  checked: "warn",
  running: "plain",
  done: "good",
  refused: "bad"
}

const statePill = (page: PageRequest, { state }: TeamRun): Html => pill(colours[state], wordsOf(page)[state])

const titleOf = (page: PageRequest, { fileName, kind, teamName }: TeamRun): string =>
  `${wordsOf(page)[kind]}: ${teamName ?? fileName ?? ""}`

// The list.

const list = get(root, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    const [t, c] = [wordsOf(page), common[page.reader.language]]
    const rows = yield* runs.list
    const columns: ReadonlyArray<Column<TeamRun>> = [
      {
        key: "what",
        title: t.what,
        is: "name",
        cell: (run) => html`<a href="${pathOf(run.id)}">${titleOf(page, run)}</a>`
      },
      { key: "state", title: c.status, cell: (run) => statePill(page, run) },
      { key: "who", title: c.who, is: "more", cell: ({ userName }) => userName },
      { key: "when", title: c.when, is: "more", cell: ({ createdUtc }) => moment(page.reader, createdUtc) }
    ]
    return new View({
      title: t.title,
      body: html`${head({
          title: t.title,
          subtitle: t.about,
          actions: html`<a class="button" href="${teams}/import">${t.importTitle}</a>`
        })}
        <div class="card">
          ${
            rows.length === 0
              ? emptyState(t.none, t.noneAdvice)
              : table(page, { caption: t.title, columns, rows, idOf: ({ id }) => `run-${id}` })
          }
        </div>`
    })
  })
)

// One of them.

const archiveFacts = (page: PageRequest, { clientsToRotate, files, rows, users, webhooksToRotate }: ArchiveReport) => {
  const t = wordsOf(page)
  const amount = (value: number | undefined) => value !== undefined && number(page.reader, value)
  const ofUsers: ReadonlyArray<readonly [string, Part]> =
    typeof users === "object"
      ? [
          [t.usersCreated, amount(users.created)],
          [t.usersMatched, amount(users.matched)],
          [t.usersWithout, amount(users.withoutAccount)]
        ]
      : [[t.users, amount(users)]]
  return html`${facts([
    ...ofUsers,
    ...Object.entries(rows).map(([name, count]) => [name, amount(count)] as const),
    [t.files, `${number(page.reader, files.count)}, ${sizeOf(page, files.bytes)}`],
    [t.missing, files.missing.length > 0 && amount(files.missing.length)],
    [t.clientsToRotate, amount(clientsToRotate)],
    [t.webhooksToRotate, amount(webhooksToRotate)]
  ])}
  ${clientsToRotate !== undefined && notice("warn", t.toRotate)}`
}

const restoreFacts = (page: PageRequest, { notRestored, records }: RestoreReport) => {
  const t = wordsOf(page)
  const missing = notRestored.map((one, index) => ({ ...one, index }))
  type Missing = (typeof missing)[number]
  const columns: ReadonlyArray<Column<Missing>> = [
    { key: "record", title: t.records, is: "name", cell: ({ id, type }) => html`${type} <code>${id}</code>` },
    { key: "code", title: common[page.reader.language].code, cell: ({ code }) => html`<code>${code}</code>` }
  ]
  return html`${
    records.length === 0
      ? html`<p>${t.nothing}</p>`
      : facts(
          records.map(({ deleted, restored, type }) => [
            t[type],
            t.restoredSoFar(number(page.reader, restored), number(page.reader, deleted))
          ])
        )
  }
  ${
    missing.length > 0 &&
    html`<h3>${t.notRestored}</h3>
      ${table(page, { caption: t.notRestored, columns, rows: missing, idOf: ({ index }) => `missing-${index}` })}`
  }`
}

const progressOf = (page: PageRequest, { progress, state }: TeamRun): Html => {
  const t = wordsOf(page)
  const { bytes, deleted, restored, type } = progress
  return card(
    "progress",
    t[state],
    html`<p role="status">${t.workerNote}</p>
      ${facts([
        [t.written, bytes !== undefined && sizeOf(page, bytes)],
        [
          type === undefined ? "" : t[type],
          restored !== undefined && t.restoredSoFar(number(page.reader, restored), number(page.reader, deleted ?? 0))
        ]
      ])}
      <p class="unscripted"><a class="button small" href="${page.path}">${t.reload}</a></p>`
  )
}

/** What became of it, and what comes next. */
const outcomeOf = (page: PageRequest, run: TeamRun, attempt?: Attempt): Html | false => {
  const t = wordsOf(page)
  const { kind, report, state, team, teamName } = run
  if (report === null && state !== "done") return false
  const shown =
    report === null ? undefined : kind === "restore" ? restoreFacts(page, report) : archiveFacts(page, report)
  const next =
    kind === "export"
      ? run.userId === page.userId
        ? html`<p>
              <a class="button main" href="${pathOf(run.id)}/file" download>${t.download}</a>
              <span class="soft small">${run.size !== null && sizeOf(page, run.size)}</span>
            </p>
            <p class="soft small">${t.downloadNote}</p>`
        : html`<p class="soft">${t.ofOther}</p>`
      : state === "checked"
        ? html`<form class="stack" method="post" action="${pathOf(run.id)}/start">
            ${formField(page.visit)} ${notice("warn", t.importNote)}
            ${field({ id: "confirm", name: "confirm", label: t.typeName(teamName ?? ""), isRequired: true, value: attempt?.form.text("confirm"), fault: faultOf(attempt?.problem.errors, "confirm") })}
            <div class="row">${button(t.importNow, { kind: "danger" })}</div>
          </form>`
        : team !== null && html`<p><a class="button" href="${teams}/${team}">${t.toTeam}</a></p>`
  return card(
    "outcome",
    state === "checked" ? t.wouldImport : kind === "export" ? t.contents : t.result,
    html`${shown} ${next}`
  )
}

/** What a page has seen of one. */
const seenOf = ({ changedUtc, state }: TeamRun) => `${state} ${changedUtc}`

const runView = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const runs = yield* TeamRuns
  const [t, c] = [wordsOf(page), common[page.reader.language]]
  const run = yield* runs.get(idOf(page))
  const path = pathOf(run.id)
  const title = titleOf(page, run)
  return new View({
    title,
    scripts: ["follow.js"],
    body: html`<div id="followed" ${isRunning(run) && html`data-follow="${path}/latest"`} data-seen="${seenOf(run)}">
      ${head({
        title,
        subtitle: html`${run.userName}, ${moment(page.reader, run.createdUtc)} ${statePill(page, run)}`,
        crumbs: [{ href: root, name: t.title }],
        actions:
          !isRunning(run) &&
          html`<form method="post" action="${path}/delete">
            ${formField(page.visit)} ${button(t.remove, { kind: "danger", of: title })}
          </form>`
      })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <div class="stack">
        ${run.detail !== null && notice("bad", html`<span lang="en">${run.detail}</span>`)}
        ${
          run.kind === "restore" &&
          card(
            "asked",
            t.restore,
            facts([
              [t.deletedBy, html`<code>${run.options.deletedBy}</code>`],
              [t.since, moment(page.reader, run.options.sinceUtc)],
              [c.until, moment(page.reader, run.options.untilUtc)],
              [t.types, run.options.types.length > 0 && run.options.types.map((type) => t[type]).join(", ")]
            ])
          )
        }
        ${isRunning(run) ? progressOf(page, run) : outcomeOf(page, run, attempt)}
      </div>
    </div>`
  })
})

const show = get(`${root}/:run`, (page) => runView(page))

const latest = stream(`${root}/:run/latest`, (page) =>
  Effect.gen(function* () {
    const { get: find } = yield* TeamRuns
    return yield* answerChanges(page, Effect.map(find(idOf(page)), seenOf), "2 seconds")
  })
)

const start = post(`${root}/:run/start`, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    yield* runs.startImport(idOf(page), page.form.text("confirm"))
    return new Goto({ path: pathOf(idOf(page)) })
  }).pipe(orShowAgain(page, (attempt) => runView(page, attempt)))
)

const download = get(`${root}/:run/file`, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    const { content, run } = yield* runs.archive(page.userId, idOf(page))
    const name = `${(run.teamName ?? "team").replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.zip`
    return HttpServerResponse.stream(content, {
      contentType: "application/zip",
      headers: {
        "cache-control": "no-store",
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
      }
    })
  })
)

const remove = post(`${root}/:run/delete`, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    yield* runs.remove(idOf(page))
    return new Goto({ path: root, note: wordsOf(page).removed })
  })
)

// A new export or import.

const teamCrumbs = Effect.fnUntraced(function* (page: PageRequest) {
  const { show: showTeam } = yield* TeamLifecycle
  const { id, name } = yield* showTeam(teamOf(page))
  return { name, crumbs: [{ href: `${teams}/${id}`, name }] }
})

const showExport = get(`${teams}/:id/export`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { crumbs, name } = yield* teamCrumbs(page)
    const title = t.exportTitle(name)
    return new View({
      title,
      body: html`${head({ title, crumbs })}
        <form class="card pad stack" method="post" action="${teams}/${teamOf(page)}/export">
          ${formField(page.visit)}
          <p>${t.exportAbout}</p>
          <div class="row">${button(t.exportNow, { kind: "main" })}</div>
        </form>`
    })
  })
)

const beginExport = post(`${teams}/:id/export`, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    return new Goto({ path: pathOf(yield* runs.startExport(page.userId, teamOf(page))) })
  })
)

const importForm = (page: PageRequest, attempt?: Attempt): View => {
  const t = wordsOf(page)
  return new View({
    title: t.importTitle,
    body: html`${head({ title: t.importTitle, crumbs: [{ href: root, name: t.title }] })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" enctype="multipart/form-data" action="${teams}/import">
        ${formField(page.visit)}
        <p>${t.importAbout}</p>
        <div class="field">
          <label for="archive">${t.archive}</label>
          <input id="archive" type="file" name="file" required accept=".zip" />
        </div>
        <div class="row">${button(t.upload, { kind: "main" })}</div>
      </form>`
  })
}

const showImport = get(`${teams}/import`, (page) => Effect.succeed(importForm(page)))

const beginImport = postFile(`${teams}/import`, (page) =>
  Effect.gen(function* () {
    const runs = yield* TeamRuns
    return new Goto({ path: pathOf(yield* runs.upload(page.userId, page.file)) })
  }).pipe(orShowAgain(page, (attempt) => Effect.succeed(importForm(page, attempt))))
)

// A restore.

/** What a form asks for. */
const askedBy = Effect.fnUntraced(function* ({ form, reader }: PageRequest) {
  const malformed = (pointer: string) => InvalidRequest.of([bodyFault(pointer, "malformed", "Is not valid.")])
  const since = momentAt(reader, form.text("since") ?? "")
  if (since === undefined) return yield* malformed("/since")
  const typed = form.text("until")
  // A rehearsal until now says until when that was.
  const shown = parseTimestamp(form.text("untilUtc") ?? "")
  const until = shown?.toISOString() ?? (typed === undefined ? (yield* now).toISOString() : momentAt(reader, typed))
  if (until === undefined) return yield* malformed("/until")
  const options: RestoreOptions = {
    deletedBy: form.text("deletedBy") ?? "",
    sinceUtc: since,
    untilUtc: until,
    types: restorable.filter((type) => form.all("types").includes(type)),
    force: form.has("force")
  }
  return options
})

const restoreForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const t = wordsOf(page)
  const { crumbs, name } = yield* teamCrumbs(page)
  const typed = (of: string) => attempt?.form.text(of)
  const fault = (of: string) => faultOf(attempt?.problem.errors, of)
  const yesterday = new Date((yield* now).getTime() - 86_400_000).toISOString()
  return new View({
    title: t.restoreTitle,
    body: html`${head({ title: t.restoreTitle, subtitle: name, crumbs })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" action="${page.path}">
        ${formField(page.visit)}
        <p class="soft">${t.restoreAbout}</p>
        <div class="fields">
          ${field({ id: "deleted-by", name: "deletedBy", label: t.deletedBy, hint: t.deletedByHint, isRequired: true, value: typed("deletedBy"), fault: fault("deletedBy") })}
          ${field({ id: "since", name: "since", type: "datetime-local", label: t.since, isRequired: true, value: typed("since") ?? localTime(page.reader, yesterday), fault: fault("since") })}
          ${field({ id: "until", name: "until", type: "datetime-local", label: t.until, value: typed("until"), fault: fault("until") })}
        </div>
        <fieldset class="stack">
          <legend>${t.types}</legend>
          <p class="hint">${t.typesHint}</p>
          ${restorable.map((type) => box({ id: `type-${type}`, name: "types", value: type, label: t[type], isTicked: attempt?.form.all("types").includes(type) === true }))}
        </fieldset>
        ${box({ id: "force", name: "force", label: t.force, isTicked: attempt?.form.has("force") === true })}
        <div class="row">${button(t.rehearse)}</div>
      </form>`
  })
})

/** What would be restored, and the form that restores it. */
const restoreRehearsal = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const runs = yield* TeamRuns
  const t = wordsOf(page)
  const { crumbs, name } = yield* teamCrumbs(page)
  const options = yield* askedBy(page)
  const counts = yield* runs.rehearseRestore(teamOf(page), options)
  const found = counts.filter(({ deleted }) => deleted > 0)
  return new View({
    title: t.restoreTitle,
    body: html`${head({ title: t.restoreTitle, subtitle: name, crumbs })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" action="${page.path}">
        ${formField(page.visit)} ${["deletedBy", "since"].map((of) => hidden(of, page.form.text(of)))}
        ${hidden("untilUtc", options.untilUtc)} ${options.types.map((type) => hidden("types", type))}
        ${options.force && hidden("force", "on")}
        <h2>${t.wouldRestore}</h2>
        ${
          found.length === 0
            ? html`<p>${t.nothing}</p>`
            : html`${facts(found.map(({ deleted, type }) => [t[type], number(page.reader, deleted)] as const))}
              ${field({ id: "confirm", name: "confirm", label: t.typeName(name), isRequired: true, value: attempt?.form.text("confirm"), fault: faultOf(attempt?.problem.errors, "confirm") })}`
        }
        <div class="row">
          ${found.length > 0 && button(t.restoreNow, { kind: "main" })}
          <a class="button" href="${page.path}">${common[page.reader.language].back}</a>
        </div>
      </form>`
  })
})

const showRestore = get(`${teams}/:id/restore-records`, (page) => restoreForm(page))

const beginRestore = post(`${teams}/:id/restore-records`, (page) =>
  Effect.gen(function* () {
    if (!page.form.has("confirm")) return yield* restoreRehearsal(page)
    const runs = yield* TeamRuns
    const options = yield* askedBy(page)
    const id = yield* runs.startRestore(page.userId, teamOf(page), options, page.form.text("confirm"))
    return new Goto({ path: pathOf(id) })
  }).pipe(
    orShowAgain(page, (attempt) =>
      attempt.form.has("confirm") ? restoreRehearsal(page, attempt) : restoreForm(page, attempt)
    )
  )
)

/** Exports, imports and restores. */
export const pages = [
  list,
  show,
  latest,
  start,
  download,
  remove,
  showExport,
  beginExport,
  showImport,
  beginImport,
  showRestore,
  beginRestore
]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator
    ? [{ href: root, name: runWords[reader.language].title, icon: "M6 3v11M3 11l3 3 3-3M14 17V6M11 9l3-3 3 3" }]
    : []
