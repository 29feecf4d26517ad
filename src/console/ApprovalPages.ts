/** The capabilities that people have requested: operators approve or refuse them (docs/behaviour/identity.md#capabilities). */
import { Effect } from "effect"
import { type Account, Users } from "../identity/users/Users.ts"
import { get, Goto, type LinksOf, type PageRequest, post, View } from "./Console.ts"
import { html } from "./Html.ts"
import { type Column, pager, table } from "./Lists.ts"
import { button, emptyState, head, hidden } from "./Parts.ts"
import { common, texts } from "./Texts.ts"
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
  approved: ["Approved.", "Genehmigt."],
  refused: ["Refused: the request is taken away.", "Abgelehnt: Der Antrag ist gelöscht."],
  noneWaits: ["Nothing waits for approval", "Nichts wartet auf Freigabe"],
  noneWaitsAdvice: [
    "Requests appear here as soon as people make them.",
    "Anträge erscheinen hier, sobald sie gestellt sind."
  ]
})

const approvals = "/console/operation/approvals"
const pageSize = 50
const wordsOf = ({ reader }: PageRequest) => words[reader.language]

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
          html`<a href="${addressOf(user.id)}">${nameOf(page, user)}</a> <span class="below">${user.email}</span>`
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
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noneWaits, t.noneWaitsAdvice) : table(page, { caption: t.approvals, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
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
    yield* users.decide(page.form.text("user") ?? "", kind, decision)
    return new Goto({ path: approvals, note: decision === "approve" ? t.approved : t.refused })
  })
)

/** The capabilities to approve. */
export const pages = [showApprovals, decide]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: approvals, name: words[reader.language].approvals, icon: "M4 10l4 4 8-8" }] : []
