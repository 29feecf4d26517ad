/** Which statements take the time of the database, and which run now, for operators. Values in them are left out. */
import { Effect } from "effect"
import { get, type LinksOf, type PageRequest, View } from "../console/Console.ts"
import { html } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { emptyState, head, pill } from "../console/Parts.ts"
import { number, texts } from "../console/Texts.ts"
import { Overview } from "./Overview.ts"

const words = texts({
  title: ["Statements", "Datenbankabfragen"],
  subtitle: [
    "What takes the time of the database. Values are left out.",
    "Was die Zeit der Datenbank braucht. Werte sind weggelassen."
  ],
  measured: ["Most time in all", "Meiste Zeit insgesamt"],
  running: ["Running now", "Laufen jetzt"],
  noStatistics: ["Postgres counts no statements", "Postgres zählt keine Abfragen"],
  noStatisticsAdvice: [
    "Load pg_stat_statements (shared_preload_libraries), and create the extension, to see which take the most time.",
    "Laden Sie pg_stat_statements (shared_preload_libraries) und legen Sie die Erweiterung an, um zu sehen, welche die meiste Zeit brauchen."
  ],
  none: ["Nothing runs", "Nichts läuft"],
  statement: ["Statement", "Abfrage"],
  calls: ["Calls", "Aufrufe"],
  total: ["In all", "Insgesamt"],
  mean: ["Mean", "Mittel"],
  max: ["Longest", "Längste"],
  rows: ["Rows", "Zeilen"],
  program: ["Program", "Programm"],
  state: ["State", "Zustand"],
  waits: ["Waits for", "Wartet auf"],
  since: ["For", "Seit"]
})

type Shown = Effect.Success<ReturnType<Overview["Service"]["statements"]>>
type Measured = NonNullable<Shown["measured"]>[number]
type Running = Shown["running"][number]

const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const textOf = (text: string) =>
  text.length <= 200
    ? html`<code lang="en">${text}</code>`
    : html`<details>
        <summary><code lang="en">${text.slice(0, 200)}…</code></summary>
        <code lang="en">${text}</code>
      </details>`

const show = get("/console/operation/statements", (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { statements } = yield* Overview
    const { measured, running } = yield* statements()
    const millis = (value: number) => `${number(page.reader, Math.round(value * 10) / 10)} ms`
    const ofMeasured: ReadonlyArray<Column<Measured>> = [
      { key: "statement", title: t.statement, cell: ({ text }) => textOf(text) },
      { key: "total", title: t.total, isNumber: true, cell: ({ totalMs }) => millis(totalMs) },
      { key: "calls", title: t.calls, is: "more", isNumber: true, cell: ({ calls }) => number(page.reader, calls) },
      { key: "mean", title: t.mean, is: "more", isNumber: true, cell: ({ meanMs }) => millis(meanMs) },
      { key: "max", title: t.max, is: "more", isNumber: true, cell: ({ maxMs }) => millis(maxMs) },
      { key: "rows", title: t.rows, is: "more", isNumber: true, cell: ({ rows }) => number(page.reader, rows) }
    ]
    const ofRunning: ReadonlyArray<Column<Running>> = [
      { key: "statement", title: t.statement, cell: ({ text }) => textOf(text) },
      {
        key: "since",
        title: t.since,
        isNumber: true,
        cell: ({ seconds }) => pill(seconds > 60 ? "bad" : seconds > 5 ? "warn" : "plain", millis(seconds * 1000))
      },
      { key: "program", title: t.program, is: "more", cell: ({ pid, program }) => `${program} (${pid})` },
      { key: "state", title: t.state, is: "more", cell: ({ state }) => html`<span lang="en">${state}</span>` },
      { key: "waits", title: t.waits, is: "more", cell: ({ waits }) => html`<span lang="en">${waits}</span>` }
    ]
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.subtitle })}
        <div class="stack">
          <section class="card" aria-labelledby="running">
            <h2 class="pad" id="running">${t.running}</h2>
            ${
              running.length === 0
                ? emptyState(t.none)
                : table(page, {
                    caption: t.running,
                    columns: ofRunning,
                    rows: running,
                    idOf: ({ pid }) => `running-${pid}`
                  })
            }
          </section>
          <section class="card" aria-labelledby="measured">
            <h2 class="pad" id="measured">${t.measured}</h2>
            ${
              measured === null
                ? emptyState(t.noStatistics, t.noStatisticsAdvice)
                : table(page, {
                    caption: t.measured,
                    columns: ofMeasured,
                    rows: measured,
                    idOf: ({ id }) => `statement-${id}`
                  })
            }
          </section>
        </div>`
    })
  })
)

/** The statements. */
export const pages = [show]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator
    ? [{ href: "/console/operation/statements", name: words[reader.language].title, icon: "M4 15V9M10 15V4M16 15v-4" }]
    : []
