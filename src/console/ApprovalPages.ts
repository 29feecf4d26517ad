/** The capabilities that people have requested: operators approve or refuse them (docs/behaviour/identity.md#capabilities). */
import { Effect, Stream } from "effect"
import type { AuditEntry } from "../core/audit/AuditEntry.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { type Account, Users } from "../identity/users/Users.ts"
import { now } from "../platform/Time.ts"
import { actorAddress, targetAddress } from "./auditTargets.ts"
import { get, Goto, type LinksOf, type PageRequest, post, View } from "./Console.ts"
import { html } from "./Html.ts"
import { type Column, pager, table } from "./Lists.ts"
import { button, card, emptyState, head, hidden, pill, unbroken } from "./Parts.ts"
import { common, moment, momentText, texts } from "./Texts.ts"
import { addressOf, capabilityKinds, nameOf, smallForm, teamsOf } from "./UserPages.ts"

const words = texts({
  teams: ["Teams", "Teams"],
  broker: ["Broker", "Makler"],
  investor: ["Investor", "Investor"],
  approvals: ["Approvals", "Freigaben"],
  approvalsOf: ["Capabilities that people have requested.", "Befugnisse, die beantragt wurden."],
  requested: ["Requested", "Beantragt"],
  approve: ["Approve", "Genehmigen"],
  refuse: ["Refuse", "Ablehnen"],
  approved: [
    (kind: string, name: string, by: string, at: string) => `Approved: ${kind} for ${name}, by ${by}, ${at}.`,
    (kind: string, name: string, by: string, at: string) => `Genehmigt: ${kind} für ${name}, durch ${by}, ${at}.`
  ],
  refused: [
    (kind: string, name: string, by: string, at: string) =>
      `Refused: ${kind} for ${name}, by ${by}, ${at}. The request is taken away.`,
    (kind: string, name: string, by: string, at: string) =>
      `Abgelehnt: ${kind} für ${name}, durch ${by}, ${at}. Der Antrag ist gelöscht.`
  ],
  lately: ["Decided lately", "Zuletzt entschieden"],
  noneLately: ["Nothing was decided yet.", "Noch wurde nichts entschieden."],
  wasApproved: ["Approved", "Genehmigt"],
  wasRemoved: ["Refused or taken away", "Abgelehnt oder entzogen"],
  decision: ["Decision", "Entscheidung"],
  operator: ["The operator, by the command line", "Der Betreiber, mit der Befehlszeile"],
  auditLog: ["All decisions in the audit log", "Alle Entscheidungen im Audit-Protokoll"],
  noneWaits: ["Nothing waits for approval", "Nichts wartet auf Freigabe"],
  noneWaitsAdvice: [
    "Requests appear here as soon as people make them.",
    "Anträge erscheinen hier, sobald sie gestellt sind."
  ]
})

const approvals = "/console/operation/approvals"
const pageSize = 50
const wordsOf = ({ reader }: PageRequest) => words[reader.language]

/** How many decisions the page shows; the audit log has all. */
const maxLately = 10

const decisions = ["capability.approved", "capability.removed"]

const kindOf = (page: PageRequest, { details }: AuditEntry): string => {
  const t = wordsOf(page)
  const named = [details["kind"], ...capabilityKinds.filter((kind) => typeof details[kind] === "string")]
  return capabilityKinds
    .filter((kind) => named.includes(kind))
    .map((kind) => t[kind])
    .join(", ")
}

/** Who decided what, and when. */
const latelyCard = Effect.fnUntraced(function* (page: PageRequest) {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const { listAll } = yield* AuditLog
  const found = yield* Effect.forEach(decisions, (action) =>
    Effect.flatMap(listAll({ action, outcome: "success" }, maxLately), Stream.runCollect)
  )
  // Ids begin with the time.
  const rows = found
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, maxLately)
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    {
      key: "whom",
      title: c.name,
      is: "name",
      cell: (entry) => html`<a href="${targetAddress(page, entry)}">${entry.target?.name ?? entry.target?.id}</a>`
    },
    {
      key: "what",
      title: t.decision,
      cell: (entry) =>
        html`${entry.action === "capability.approved" ? pill("good", t.wasApproved) : pill("plain", t.wasRemoved)}
          <span class="below">${kindOf(page, entry)}</span>`
    },
    {
      key: "who",
      title: c.who,
      cell: (entry) =>
        entry.actor.kind === "operator"
          ? t.operator
          : html`<a href="${actorAddress(page, entry)}">${entry.actor.name ?? entry.actor.id}</a>`
    },
    { key: "when", title: c.when, cell: ({ at }) => moment(page.reader, at) }
  ]
  return card(
    "lately",
    t.lately,
    rows.length === 0
      ? html`<p class="soft">${t.noneLately}</p>`
      : table(page, { caption: t.lately, columns, rows, idOf: ({ id }) => id }),
    html`<a class="button small" href="/console/operation/audit?action=capability.*">${t.auditLog}</a>`
  )
})

const showApprovals = get(approvals, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { search } = yield* Users
    const found = yield* search(
      { isPending: true, state: "active" },
      { after: page.search.get("cursor") ?? undefined, limit: pageSize + 1 }
    )
    const rows = found.slice(0, pageSize)
    const columns: ReadonlyArray<Column<Account>> = [
      {
        key: "name",
        title: common[page.reader.language].name,
        is: "name",
        cell: (user) =>
          html`<a href="${addressOf(user.id)}">${nameOf(page, user)}</a>
            <span class="below">${unbroken(user.email)}</span>`
      },
      { key: "teams", title: t.teams, is: "more", cell: (user) => teamsOf(page, user) },
      {
        key: "decide",
        title: t.requested,
        cell: (user) =>
          html`<div class="stack">
            ${capabilityKinds
              .filter((kind) => user.capabilities[kind] === "pending")
              .map((kind) =>
                smallForm(
                  page,
                  approvals,
                  html`<div class="row">
                    ${hidden("user", user.id)} ${hidden("kind", kind)} <span>${t[kind]}</span>
                    ${button(t.approve, { kind: "main", name: "decision", value: "approve", of: `${t[kind]}, ${nameOf(page, user)}` })}
                    ${button(t.refuse, { kind: "danger", name: "decision", value: "refuse", of: `${t[kind]}, ${nameOf(page, user)}` })}
                  </div>`
                )
              )}
          </div>`
      }
    ]
    return new View({
      title: t.approvals,
      body: html`${head({ title: t.approvals, subtitle: t.approvalsOf })}
        <div class="stack">
          <div class="card">
            ${rows.length === 0 ? emptyState(t.noneWaits, t.noneWaitsAdvice) : table(page, { caption: t.approvals, columns, rows, idOf: ({ id }) => id })}
            ${pager(page, { hasMore: found.length > pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
          </div>
          ${yield* latelyCard(page)}
        </div>`
    })
  })
)

const decide = post(approvals, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const users = yield* Users
    const kind = page.form.text("kind") === "investor" ? "investor" : "broker"
    const decision = page.form.text("decision") === "approve" ? "approve" : "refuse"
    const user = yield* users.decide(page.form.text("user") ?? "", kind, decision)
    const at = momentText(page.reader, (yield* now).toISOString())
    const said = decision === "approve" ? t.approved : t.refused
    return new Goto({ path: approvals, note: said(t[kind], nameOf(page, user), page.userName, at) })
  })
)

/** The capabilities to approve. */
export const pages = [showApprovals, decide]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: approvals, name: words[reader.language].approvals, icon: "M4 10l4 4 8-8" }] : []
