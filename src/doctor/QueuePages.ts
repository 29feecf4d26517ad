/** The queue of jobs, the recurring ones, and the workers, for operators (docs/operations.md#jobs-fail). */
import { Effect } from "effect"
import { get, Goto, type LinksOf, type PageRequest, post, View } from "../console/Console.ts"
import { html, type Html } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { button, card, emptyState, facts, head, hidden, pill } from "../console/Parts.ts"
import { moment, number, texts } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { Overview } from "./Overview.ts"

const words = texts({
  title: ["Jobs and workers", "Aufträge und Worker"],
  subtitle: ["What waits, what failed, and who works.", "Was wartet, was fehlschlug und wer arbeitet."],
  jobs: ["Jobs", "Aufträge"],
  deliveries: ["Deliveries to webhooks", "Zustellungen an Webhooks"],
  due: ["Due", "Fällig"],
  waiting: ["Waiting for their time", "Warten auf ihre Zeit"],
  inFlight: ["Being sent", "Werden gesendet"],
  held: ["Held until the webhook is active", "Angehalten, bis der Webhook aktiv ist"],
  oldest: ["Oldest due for", "Älteste fällig seit"],
  failedJobs: ["Failed jobs", "Fehlgeschlagene Aufträge"],
  job: ["Job", "Auftrag"],
  error: ["Error", "Fehler"],
  attempts: ["Attempts", "Versuche"],
  created: ["Created", "Erstellt"],
  next: ["Next attempt", "Nächster Versuch"],
  givenUp: ["Given up", "Aufgegeben"],
  retry: ["Run again", "Erneut ausführen"],
  retryAll: ["Run all again", "Alle erneut ausführen"],
  queued: [(count: string) => `Queued again: ${count}.`, (count: string) => `Erneut eingereiht: ${count}.`],
  noneFailed: ["No job has failed", "Kein Auftrag ist fehlgeschlagen"],
  byName: ["Failed, by name", "Fehlgeschlagen, nach Namen"],
  runs: ["Recurring jobs", "Wiederkehrende Aufträge"],
  ran: ["Last run", "Letzter Lauf"],
  succeeded: ["Last success", "Letzter Erfolg"],
  backup: ["Last backup", "Letzte Sicherung"],
  never: ["Never", "Nie"],
  noRuns: ["No worker has run any of them yet", "Noch kein Worker hat einen davon ausgeführt"],
  workers: ["Workers", "Worker"],
  noWorkers: [
    "No worker is connected: nothing is sent, and no housekeeping is done. Start npm run worker.",
    "Kein Worker ist verbunden: Nichts wird gesendet, und nichts wird aufgeräumt. Starten Sie npm run worker."
  ],
  process: ["Database process", "Datenbankprozess"],
  from: ["From", "Von"],
  since: ["Since", "Seit"],
  local: ["this machine", "diese Maschine"]
})

type Shown = Effect.Success<ReturnType<Overview["Service"]["queues"]>>
type Failed = Shown["failed"][number]

const path = "/console/operation/jobs"
const wordsOf = ({ reader }: PageRequest) => words[reader.language]
const seconds = (page: PageRequest, value: number) => `${number(page.reader, Math.round(value))} s`

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, 200) ?? ""

const retryForm = (page: PageRequest, name: "id" | "name", value: string, label: string, of: string): Html =>
  html`<form method="post" action="${path}">
    ${formField(page.visit)} ${hidden(name, value)} ${button(label, { of })}
  </form>`

const failedCard = (page: PageRequest, { counts, failed }: Shown): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Failed>> = [
    { key: "job", title: t.job, is: "name", cell: ({ id, name }) => html`${name} <span class="below">${id}</span>` },
    {
      key: "error",
      title: t.error,
      cell: ({ error }) =>
        error === firstLine(error)
          ? html`<span lang="en">${error}</span>`
          : html`<details>
              <summary lang="en">${firstLine(error)}</summary>
              <pre lang="en">${error}</pre>
            </details>`
    },
    {
      key: "attempts",
      title: t.attempts,
      isNumber: true,
      cell: ({ attempts, maxAttempts }) => `${attempts}/${maxAttempts}`
    },
    { key: "created", title: t.created, is: "more", cell: ({ createdUtc }) => moment(page.reader, createdUtc) },
    {
      key: "next",
      title: t.next,
      is: "more",
      cell: ({ isGivenUp, runUtc }) => (isGivenUp ? pill("bad", t.givenUp) : moment(page.reader, runUtc))
    },
    { key: "retry", title: t.retry, cell: ({ id, name }) => retryForm(page, "id", id, t.retry, `${name} ${id}`) }
  ]
  return html`<section class="card" aria-labelledby="failed">
    <h2 class="pad" id="failed">${t.failedJobs}</h2>
    ${
      failed.length === 0
        ? emptyState(t.noneFailed)
        : html`<div class="pad row">
              ${counts.map(({ givenUp, name, waiting }) =>
                retryForm(page, "name", name, `${t.retryAll}: ${name} (${number(page.reader, givenUp + waiting)})`, "")
              )}
            </div>
            ${table(page, { caption: t.failedJobs, columns, rows: failed, idOf: ({ id }) => `job-${id}` })}`
    }
  </section>`
}

const runsCard = (page: PageRequest, { backupUtc, runs }: Shown): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Shown["runs"][number]>> = [
    { key: "job", title: t.job, is: "name", cell: ({ name }) => name },
    { key: "ran", title: t.ran, cell: ({ ranUtc }) => moment(page.reader, ranUtc) ?? t.never },
    { key: "succeeded", title: t.succeeded, cell: ({ succeededUtc }) => moment(page.reader, succeededUtc) ?? t.never }
  ]
  return card(
    "runs",
    t.runs,
    html`${facts([[t.backup, moment(page.reader, backupUtc) ?? t.never]])}
    ${runs.length === 0 ? html`<p class="soft">${t.noRuns}</p>` : table(page, { caption: t.runs, columns, rows: runs, idOf: ({ name }) => `run-${name.replaceAll("/", "-")}` })}`
  )
}

const workersCard = (page: PageRequest, { workers }: Shown): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Shown["workers"][number]>> = [
    { key: "pid", title: t.process, is: "name", cell: ({ pid }) => String(pid) },
    { key: "from", title: t.from, cell: ({ address }) => address ?? t.local },
    { key: "since", title: t.since, cell: ({ sinceUtc }) => moment(page.reader, sinceUtc) }
  ]
  return card(
    "workers",
    t.workers,
    workers.length === 0
      ? html`<p>${pill("bad", t.noWorkers)}</p>`
      : table(page, { caption: t.workers, columns, rows: workers, idOf: ({ pid }) => `worker-${pid}` })
  )
}

const show = get(path, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { queues } = yield* Overview
    const found = yield* queues()
    const { backlog, deliveries } = found
    const count = (value: number) => number(page.reader, value)
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.subtitle })}
        <div class="stack">
          <div class="grid-2">
            ${card(
              "jobs",
              t.jobs,
              facts([
                [t.due, count(backlog.due)],
                [t.waiting, count(backlog.waiting)],
                [t.oldest, backlog.due > 0 && seconds(page, backlog.oldestDueSeconds)]
              ])
            )}
            ${card(
              "deliveries",
              t.deliveries,
              facts([
                [t.due, count(deliveries.due)],
                [t.inFlight, count(deliveries.inFlight)],
                [t.waiting, count(deliveries.waiting)],
                [t.held, count(deliveries.held)],
                [t.oldest, deliveries.due > 0 && seconds(page, deliveries.oldestDueSeconds)]
              ])
            )}
          </div>
          ${failedCard(page, found)} ${workersCard(page, found)} ${runsCard(page, found)}
        </div>`
    })
  })
)

const retry = post(path, (page) =>
  Effect.gen(function* () {
    const overview = yield* Overview
    const [id, name] = [page.form.text("id"), page.form.text("name")]
    const count = yield* overview.retry(id === undefined ? { name: name ?? "" } : { id })
    return new Goto({ path, note: wordsOf(page).queued(number(page.reader, count)) })
  })
)

/** The jobs and the workers. */
export const pages = [show, retry]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: path, name: words[reader.language].title, icon: "M3 5h14M3 10h14M3 15h9" }] : []
