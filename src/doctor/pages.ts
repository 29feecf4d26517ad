/** How the installation is, for operators: its version, the doctor's checks, its keys, standbys and cells (docs/operations.md#doctor). */
import { Effect } from "effect"
import { get, Goto, type LinksOf, type PageRequest, post, View } from "../console/Console.ts"
import { html, type Html } from "../console/Html.ts"
import { type Column, table } from "../console/Lists.ts"
import { button, card, emptyState, facts, head, pill } from "../console/Parts.ts"
import { common, moment, number, texts } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { checkName, checkQuestion } from "./CheckTexts.ts"
import type { Check, Standby } from "./rules.ts"
import { Overview } from "./Overview.ts"

const words = texts({
  title: ["Installation", "Installation"],
  subtitle: ["How it is, by the checks of the doctor.", "Wie es ihr geht, nach den Prüfungen des Doctors."],
  again: ["Check again", "Erneut prüfen"],
  checks: ["Checks", "Prüfungen"],
  check: ["Check", "Prüfung"],
  finding: ["Finding", "Befund"],
  ok: ["OK", "In Ordnung"],
  warning: ["Warning", "Warnung"],
  failed: ["Failed", "Fehler"],
  noChecks: ["No checks", "Keine Prüfungen"],
  noChecksAdvice: [
    "This process was not started with the settings of a service. Run the command admin doctor.",
    "Dieser Prozess wurde nicht mit den Einstellungen eines Dienstes gestartet. Führen Sie den Befehl admin doctor aus."
  ],
  process: ["Version", "Version"],
  version: ["Property Network", "Property Network"],
  node: ["Node", "Node"],
  postgres: ["Postgres", "Postgres"],
  connections: ["Connections", "Verbindungen"],
  of: ["of", "von"],
  started: ["This process since", "Dieser Prozess seit"],
  migrations: ["Migrations", "Migrationen"],
  latest: ["Latest migration", "Letzte Migration"],
  applied: ["Applied", "Angewandt"],
  pendingMigrations: [
    "Not all are applied: run npm run migrate.",
    "Nicht alle sind angewandt: npm run migrate ausführen."
  ],
  key: ["Secret key", "Geheimschlüssel"],
  keyDone: ["The previous key is not needed.", "Der vorige Schlüssel wird nicht gebraucht."],
  keyUnderWay: ["The previous key is still needed.", "Der vorige Schlüssel wird noch gebraucht."],
  keyUnknown: [
    "Some values are sealed under a key that is not set.",
    "Einige Werte sind mit einem Schlüssel versiegelt, der nicht gesetzt ist."
  ],
  reencrypt: ["Re-encrypt now", "Jetzt neu verschlüsseln"],
  reencrypted: [
    (count: string) => `Re-encrypted under the present key: ${count}.`,
    (count: string) => `Mit dem aktuellen Schlüssel neu verschlüsselt: ${count}.`
  ],
  secrets: ["Webhook secrets", "Webhook-Geheimnisse"],
  answers: ["Stored answers", "Gespeicherte Antworten"],
  sealed: [
    (current: string, previous: string, unknown: string) =>
      `${current} current, ${previous} previous, ${unknown} unknown`,
    (current: string, previous: string, unknown: string) =>
      `${current} aktuell, ${previous} vorig, ${unknown} unbekannt`
  ],
  standbys: ["Standbys", "Standbys"],
  server: ["Server", "Server"],
  lag: ["Behind by", "Rückstand"],
  follows: ["Follows", "Folgt"],
  late: ["Late", "Verspätet"],
  away: ["No answer", "Keine Antwort"],
  promoted: ["No standby", "Kein Standby"],
  noStandbys: [
    "None are set: the primary answers all reads.",
    "Keine sind gesetzt: Der Primärserver beantwortet alles."
  ],
  cells: ["Cells", "Zellen"],
  cell: ["Cell", "Zelle"],
  teams: ["Teams", "Teams"],
  size: ["Size", "Größe"],
  noCells: ["This database has no cells: it is not Citus.", "Diese Datenbank hat keine Zellen: Sie ist kein Citus."]
})

type Shown = Effect.Success<ReturnType<Overview["Service"]["show"]>>

const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const kinds = { ok: "good", warning: "warn", failed: "bad" } as const

// The findings are technical English, as on the command line.
const english = (text: string): Html => html`<span lang="en">${text}</span>`

const checksTable = (page: PageRequest, checks: ReadonlyArray<Check>): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Check>> = [
    {
      key: "check",
      title: t.check,
      is: "name",
      cell: ({ name }) =>
        html`${checkName(page.reader, name)} <span class="below">${checkQuestion(page.reader, name)}</span>`
    },
    { key: "status", title: common[page.reader.language].status, cell: ({ status }) => pill(kinds[status], t[status]) },
    {
      key: "detail",
      title: t.finding,
      cell: ({ detail, fix }) =>
        html`${english(detail)} ${fix !== null && html`<strong class="below">${english(fix)}</strong>`}`
    }
  ]
  const ranks = { failed: 0, warning: 1, ok: 2 }
  const rows = checks.toSorted((a, b) => ranks[a.status] - ranks[b.status])
  return table(page, { caption: t.checks, columns, rows, idOf: ({ name }) => `check-${name}` })
}

const sealedOf = (page: PageRequest, counts: Shown["key"]["webhookSecrets"]): string => {
  const count = (value: number) => number(page.reader, value)
  return wordsOf(page).sealed(count(counts.current), count(counts.previous), count(counts.unknown))
}

const reencryptForm = (page: PageRequest): Html =>
  html`<form method="post" action="/console/operation/key">
    ${formField(page.visit)} ${button(wordsOf(page).reencrypt)}
  </form>`

const keyCard = (page: PageRequest, { key }: Shown): Html => {
  const t = wordsOf(page)
  const unknown = key.webhookSecrets.unknown + key.idempotencyAnswers.unknown
  return card(
    "key",
    t.key,
    html`<div>
        ${unknown > 0 ? pill("bad", t.keyUnknown) : key.previousKeyNeeded ? pill("warn", t.keyUnderWay) : pill("good", t.keyDone)}
      </div>
      ${facts([
        [t.secrets, sealedOf(page, key.webhookSecrets)],
        [t.answers, sealedOf(page, key.idempotencyAnswers)]
      ])}
      ${key.webhookSecrets.previous > 0 && reencryptForm(page)}`
  )
}

const standbysCard = (page: PageRequest, { maxLagSeconds, standbys }: Shown): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Standby>> = [
    { key: "server", title: t.server, is: "name", cell: ({ host }) => host },
    {
      key: "state",
      title: t.finding,
      cell: ({ answer }) =>
        answer === null
          ? pill("bad", t.away)
          : !answer.isStandby
            ? pill("bad", t.promoted)
            : answer.lagSeconds > maxLagSeconds
              ? pill("warn", t.late)
              : pill("good", t.follows)
    },
    {
      key: "lag",
      title: t.lag,
      isNumber: true,
      cell: ({ answer }) => answer !== null && `${number(page.reader, Math.round(answer.lagSeconds * 10) / 10)} s`
    }
  ]
  return card(
    "standbys",
    t.standbys,
    standbys.length === 0
      ? html`<p class="soft">${t.noStandbys}</p>`
      : table(page, { caption: t.standbys, columns, rows: standbys, idOf: ({ host }) => `standby-${host}` })
  )
}

const cellsCard = (page: PageRequest, { cells }: Shown): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<Shown["cells"][number]>> = [
    { key: "cell", title: t.cell, is: "name", cell: ({ name }) => name },
    { key: "server", title: t.server, cell: ({ server }) => server },
    { key: "teams", title: t.teams, isNumber: true, cell: ({ teams }) => number(page.reader, teams) },
    {
      key: "size",
      title: t.size,
      is: "more",
      isNumber: true,
      cell: ({ bytes }) => `${number(page.reader, Math.round(bytes / 2 ** 20))} MiB`
    }
  ]
  return card(
    "cells",
    t.cells,
    cells.length === 0
      ? html`<p class="soft">${t.noCells}</p>`
      : table(page, { caption: t.cells, columns, rows: cells, idOf: ({ name }) => `cell-${name}` })
  )
}

const overview = get("/console/operation", (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { show } = yield* Overview
    const found = yield* show()
    const { migrations } = found
    return new View({
      title: t.title,
      body: html`${head({
          title: t.title,
          subtitle: t.subtitle,
          actions: html`<a class="button" href="/console/operation">${t.again}</a>`
        })}
        <div class="stack">
          <div class="card">
            ${found.checks.length === 0 ? emptyState(t.noChecks, t.noChecksAdvice) : checksTable(page, found.checks)}
          </div>
          <div class="grid-2">
            ${card(
              "version",
              t.process,
              facts([
                [t.version, found.version],
                [t.node, found.node],
                [t.postgres, found.postgres],
                [
                  t.connections,
                  `${number(page.reader, found.connections)} ${t.of} ${number(page.reader, found.maxConnections)}`
                ],
                [t.started, moment(page.reader, found.startedUtc)]
              ])
            )}
            ${card(
              "migrations",
              t.migrations,
              html`${migrations.isPending && html`<div>${pill("bad", t.pendingMigrations)}</div>`}
              ${facts([
                [t.migrations, number(page.reader, migrations.count)],
                [t.latest, html`<code>${migrations.latest}</code>`],
                [t.applied, moment(page.reader, migrations.appliedUtc)]
              ])}`
            )}
            ${keyCard(page, found)} ${standbysCard(page, found)} ${cellsCard(page, found)}
          </div>
        </div>`
    })
  })
)

const reencrypt = post("/console/operation/key", (page) =>
  Effect.gen(function* () {
    const overview = yield* Overview
    const { webhooks } = yield* overview.reencrypt()
    return new Goto({ path: "/console/operation", note: wordsOf(page).reencrypted(number(page.reader, webhooks)) })
  })
)

/** The overview. */
export const pages = [overview, reencrypt]

/** Its link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: "/console/operation", name: words[reader.language].title, icon: "M2 10h4l2-5 4 10 2-5h4" }] : []
