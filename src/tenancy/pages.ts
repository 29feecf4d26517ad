/** All teams, for operators: found, made, changed, closed and restored (docs/behaviour/identity.md#teams). */
import * as Id from "../core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { DryRun, emptyOutcome } from "../core/mutation/ChangeRecord.ts"
import { kinds, type QuotaUsage } from "../core/quotas/Quota.ts"
import {
  type Attempt,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../console/Console.ts"
import { html, type Html, type Part } from "../console/Html.ts"
import { type Column, columnChoice, confirmation, filterForm, pager, table } from "../console/Lists.ts"
import {
  box,
  button,
  card,
  emptyState,
  facts,
  faultOf,
  field,
  head,
  hidden,
  numberField,
  pill,
  select,
  unbroken
} from "../console/Parts.ts"
import { common, moment, number, texts } from "../console/Texts.ts"
import { typed, typedConfirmation } from "../console/TypedConfirmation.ts"
import { formField } from "../console/Visit.ts"
import { TeamQuotas, Teams } from "../identity/teams/Teams.ts"
import { healthPill } from "../webhooks/WebhookParts.ts"
import { TeamLifecycle } from "./TeamLifecycle.ts"

const words = texts({
  teams: ["Teams", "Teams"],
  teamsOfAll: [
    "All teams of this installation, the newest first.",
    "Alle Teams dieser Installation; die neuesten zuerst."
  ],
  newTeam: ["Create a team", "Team anlegen"],
  create: ["Create", "Anlegen"],
  created: [
    "The team was created. Now it needs an administrator.",
    "Das Team wurde angelegt. Jetzt braucht es einen Administrator."
  ],
  noTeams: ["No teams", "Keine Teams"],
  noTeamsAdvice: ["Leave some filters out, or create a team.", "Lassen Sie Filter weg, oder legen Sie ein Team an."],
  state: ["State", "Zustand"],
  active: ["Active", "Aktiv"],
  deleted: ["Deleted", "Gelöscht"],
  purging: ["Being purged", "Wird entfernt"],
  plan: ["Plan", "Tarif"],
  free: ["Free", "Free"],
  professional: ["Professional", "Professional"],
  plus: ["Plus", "Plus"],
  setPlan: ["Set the plan", "Tarif setzen"],
  members: ["Members", "Mitglieder"],
  noMembers: ["This team has no members.", "Dieses Team hat keine Mitglieder."],
  importTeam: ["Import a team", "Team importieren"],
  exportTeam: ["Export", "Exportieren"],
  restoreRecords: ["Restore records", "Einträge wiederherstellen"],
  newClient: ["Create a client", "Client erstellen"],
  newUser: ["Create a user in this team", "Benutzer in diesem Team anlegen"],
  invite: ["Add an existing user", "Vorhandenen Benutzer hinzufügen"],
  invited: ["Invited", "Eingeladen"],
  invitedNow: ["The user is invited.", "Der Benutzer ist eingeladen."],
  accept: ["Accept for them", "Für sie annehmen"],
  accepted: ["The user is a member now.", "Der Benutzer ist jetzt Mitglied."],
  removeMember: ["Remove", "Entfernen"],
  removed: ["The user does not belong to the team any more.", "Der Benutzer gehört nicht mehr zum Team."],
  confirmRemove: [
    (email: string) => `${email} leaves the team. Their tokens and apps for this team end at once.`,
    (email: string) => `${email} verlässt das Team. Tokens und Apps für dieses Team enden sofort.`
  ],
  makeAdmin: ["Make administrator", "Zum Administrator machen"],
  makeMember: ["Make member", "Zum Mitglied machen"],
  roleSet: ["The role is set.", "Die Rolle ist gesetzt."],
  admin: ["Administrator", "Administrator"],
  member: ["Member", "Mitglied"],
  bot: ["Bot", "Bot"],
  deactivated: ["Deactivated", "Deaktiviert"],
  clients: ["OAuth clients", "OAuth-Clients"],
  noClients: ["This team has no OAuth clients.", "Dieses Team hat keine OAuth-Clients."],
  revokedOn: ["Revoked", "Widerrufen"],
  webhooks: ["Webhooks", "Webhooks"],
  noWebhooks: ["This team has no webhooks.", "Dieses Team hat keine Webhooks."],
  quotas: ["Quotas and use", "Kontingente und Verbrauch"],
  kind: ["Kind", "Art"],
  used: ["Used", "Verbraucht"],
  quota: ["Quota", "Kontingent"],
  percent: ["Percent", "Prozent"],
  isDefault: ["default", "Vorgabe"],
  setQuota: ["Set a quota", "Kontingent setzen"],
  quotaHint: ["Rows or bytes; blank for the default.", "Zeilen oder Bytes; leer für die Vorgabe."],
  quotaSet: ["The quota holds from now on.", "Das Kontingent gilt ab jetzt."],
  delete: ["Delete the team", "Team löschen"],
  deleteHint: [
    "Members, clients and tokens are refused at once, webhooks stop, projects close. It can be restored for 30 days.",
    "Mitglieder, Clients und Tokens werden sofort abgelehnt, Webhooks enden, Projekte schließen. 30 Tage lang kann es wiederhergestellt werden."
  ],
  now: ["Remove all that it has at once, for good", "Alles sofort und endgültig entfernen"],
  has: ["It has", "Es hat"],
  deletedNow: ["The team is deleted.", "Das Team ist gelöscht."],
  purgedNow: ["The team and all that it had are removed.", "Das Team und alles, was es hatte, ist entfernt."],
  restore: ["Restore the team", "Team wiederherstellen"],
  restoredNow: [
    "The team is restored, with its projects and webhooks.",
    "Das Team ist wiederhergestellt, mit Projekten und Webhooks."
  ],
  purge: ["Is removed for good", "Wird endgültig entfernt"],
  auditOf: ["Audit log of this team", "Audit-Protokoll dieses Teams"],
  openProjects: ["Projects that close", "Projekte, die schließen"]
})

const root = "/console/operation/teams"
const addressOf = (id: string) => `${root}/${id}`
const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const plans = ["free", "professional", "plus"] as const
const states = ["active", "deleted"] as const

const statePill = (page: PageRequest, state: "active" | "deleted" | "purging"): Html =>
  pill(state === "active" ? "good" : "bad", wordsOf(page)[state])

const pageSize = 50

const oneOf = <const A extends string>(values: ReadonlyArray<A>, text: string | null | undefined) =>
  values.find((one) => one === text)

// The list.

type Listed = Effect.Success<ReturnType<Teams["Service"]["search"]>>[number]

const columnsOf = (page: PageRequest): ReadonlyArray<Column<Listed>> => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  return [
    { key: "name", title: c.name, is: "name", cell: ({ id, name }) => html`<a href="${addressOf(id)}">${name}</a>` },
    { key: "state", title: t.state, cell: ({ state }) => statePill(page, state) },
    { key: "plan", title: t.plan, is: "more", cell: ({ plan }) => t[plan] },
    {
      key: "members",
      title: t.members,
      is: "more",
      isNumber: true,
      cell: ({ members }) => number(page.reader, members)
    },
    { key: "created", title: c.created, is: "more", cell: ({ createdUtc }) => moment(page.reader, createdUtc) },
    {
      key: "deleted",
      title: t.deleted,
      is: "more",
      isExtra: true,
      cell: ({ deletedUtc }) => moment(page.reader, deletedUtc)
    },
    { key: "id", title: c.id, is: "more", isExtra: true, cell: ({ id }) => html`<code>${id}</code>` }
  ]
}

const list = get(root, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { search } = yield* Teams
    const asked = (name: string) => page.search.get(name)?.trim() || undefined
    const found = yield* search(
      { text: asked("text"), state: oneOf(states, asked("state")) },
      { after: asked("cursor"), limit: pageSize + 1 }
    )
    const rows = found.slice(0, pageSize)
    const columns = columnsOf(page)
    return new View({
      title: t.teams,
      body: html`${head({
          title: t.teams,
          subtitle: t.teamsOfAll,
          actions: html`${columnChoice(page, columns)} <a class="button" href="${root}/import">${t.importTeam}</a>
            <a class="button main" href="${root}/new">${t.newTeam}</a>`
        })}
        ${filterForm(page, [
          { name: "text", label: common[page.reader.language].name, type: "search" },
          { name: "state", label: t.state, options: states.map((state) => [state, t[state]] as const) }
        ])}
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noTeams, t.noTeamsAdvice) : table(page, { caption: t.teams, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
        </div>`
    })
  })
)

// A new team.

const newForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const t = wordsOf(page)
  const random = yield* SecureRandom.SecureRandom
  const key = attempt?.form.text("key") ?? (yield* random.uuidV7())
  return new View({
    title: t.newTeam,
    body: html`${head({ title: t.newTeam, crumbs: [{ href: root, name: t.teams }] })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" action="${root}/new">
        ${formField(page.visit)} ${hidden("key", key)}
        <div class="fields">
          ${field({ id: "name", name: "name", label: common[page.reader.language].name, isRequired: true, value: attempt?.form.text("name"), fault: faultOf(attempt?.problem.errors, "name") })}
          ${select({ id: "plan", name: "plan", label: t.plan, value: attempt?.form.text("plan") ?? "professional", options: plans.map((plan) => [plan, t[plan]] as const) })}
        </div>
        <div class="row">
          <button class="main" type="submit">${t.create}</button>
          <a class="button" href="${root}">${common[page.reader.language].cancel}</a>
        </div>
      </form>`
  })
})

const showNew = get(`${root}/new`, (page) => newForm(page))

const create = post(`${root}/new`, (page) =>
  Effect.gen(function* () {
    const teams = yield* Teams
    const key = page.form.text("key") ?? ""
    const { id } = yield* teams.create(
      { name: page.form.text("name") ?? "", plan: page.form.text("plan") ?? "" },
      Id.isUuid(key) ? key : undefined
    )
    return new Goto({ path: addressOf(id), note: wordsOf(page).created })
  }).pipe(orShowAgain(page, (attempt) => newForm(page, attempt)))
)

// One team.

type Shown = Effect.Success<ReturnType<TeamLifecycle["Service"]["show"]>>
type Member = Shown["members"][number]

const teamOf = ({ params }: PageRequest) => params["id"] ?? ""

const smallForm = (page: PageRequest, action: string, body: Part): Html =>
  html`<form method="post" action="${action}">${formField(page.visit)} ${body}</form>`

const memberActions = (page: PageRequest, team: Shown, { email, isBot, name, role, status }: Member): Part => {
  const t = wordsOf(page)
  if (isBot === true || email === null || team.state !== "active") return undefined
  const move = (value: string, label: string, kind: "danger" | "plain" = "plain") =>
    button(label, { name: "move", value, of: name, kind })
  return smallForm(
    page,
    `${addressOf(team.id)}/members`,
    html`<div class="row">
      ${hidden("email", email)} ${status === "pending" && move("accept", t.accept)}
      ${role === "admin" ? move("member", t.makeMember) : move("admin", t.makeAdmin)}
      ${move("remove", t.removeMember, "danger")}
    </div>`
  )
}

const membersCard = (page: PageRequest, team: Shown): Html => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const columns: ReadonlyArray<Column<Member>> = [
    {
      key: "name",
      title: c.name,
      is: "name",
      cell: ({ email, id, isBot, name }) =>
        html`<a href="/console/operation/users/${id}">${name}</a>
          <span class="below">${isBot === true ? t.bot : unbroken(email)}</span>`
    },
    {
      key: "role",
      title: c.role,
      cell: ({ deactivated, role, status }) =>
        deactivated === true ? pill("bad", t.deactivated) : status === "active" ? t[role] : pill("warn", t.invited)
    },
    { key: "actions", title: c.actions, cell: (member) => memberActions(page, team, member) }
  ]
  return card(
    "members",
    t.members,
    html`${
      team.members.length === 0
        ? html`<p class="soft">${t.noMembers}</p>`
        : table(page, { caption: t.members, columns, rows: team.members, idOf: ({ id }) => id })
    }
    ${
      team.state === "active" &&
      html`<form class="fields" method="post" action="${addressOf(team.id)}/members">
        ${formField(page.visit)} ${hidden("move", "invite")}
        ${field({ id: "invite", name: "email", label: c.email, type: "email", isRequired: true })}
        ${select({
          id: "invite-role",
          name: "role",
          label: c.role,
          options: [
            ["member", t.member],
            ["admin", t.admin]
          ]
        })}
        <div class="row">${button(t.invite)}</div>
      </form>`
    }`,
    team.state === "active" &&
      html`<a class="button" href="/console/operation/users/new?team=${team.id}">${t.newUser}</a>`
  )
}

const amount = (page: PageRequest, value: number | null): Part => (value === null ? "–" : number(page.reader, value))

const quotasCard = (page: PageRequest, team: Shown, attempt: Attempt | undefined): Html => {
  const t = wordsOf(page)
  const columns: ReadonlyArray<Column<QuotaUsage>> = [
    { key: "kind", title: t.kind, is: "name", cell: ({ kind }) => html`<code>${kind}</code>` },
    { key: "used", title: t.used, isNumber: true, cell: ({ used }) => amount(page, used) },
    {
      key: "quota",
      title: t.quota,
      is: "more",
      isNumber: true,
      cell: ({ isDefault, quota }) =>
        html`${amount(page, quota)} ${isDefault && html`<span class="soft small">${t.isDefault}</span>`}`
    },
    {
      key: "percent",
      title: t.percent,
      isNumber: true,
      cell: ({ percent }) =>
        percent !== null && pill(percent >= 100 ? "bad" : percent >= 80 ? "warn" : "plain", `${percent} %`)
    }
  ]
  return card(
    "quotas",
    t.quotas,
    html`${table(page, { caption: t.quotas, columns, rows: team.quotas, idOf: ({ kind }) => `quota-${kind}` })}
    ${
      team.state === "active" &&
      html`<form class="fields" method="post" action="${addressOf(team.id)}/quotas">
        ${formField(page.visit)}
        ${select({ id: "kind", name: "kind", label: t.kind, options: kinds.map((kind) => [kind, kind] as const), value: attempt?.form.text("kind") })}
        ${numberField({ id: "quota", name: "quota", label: t.quota, hint: t.quotaHint, value: attempt?.form.text("quota"), fault: faultOf(attempt?.problem.errors, "quota") })}
        <div class="row">${button(t.setQuota)}</div>
      </form>`
    }`
  )
}

const programsOf = (page: PageRequest, team: Shown): Html => {
  const t = wordsOf(page)
  return html`${card(
    "clients",
    t.clients,
    team.clients.length === 0
      ? html`<p class="soft">${t.noClients}</p>`
      : facts(
          team.clients.map(({ bot, createdUtc, id, name, revokedUtc }) => [
            name,
            html`${bot.name}, ${moment(page.reader, createdUtc)} ${revokedUtc !== null && pill("bad", t.revokedOn)}
              <a class="small" href="/console/operation/clients/${id}"><code>${id}</code></a>`
          ])
        ),
    team.state === "active" && html`<a class="button" href="${addressOf(team.id)}/clients/new">${t.newClient}</a>`
  )}
  ${card(
    "webhooks",
    t.webhooks,
    team.webhooks.length === 0
      ? html`<p class="soft">${t.noWebhooks}</p>`
      : html`<ul class="stack" role="list">
          ${team.webhooks.map(
            ({ health, id, name, url }) =>
              html`<li>
                <a href="/console/operation/deliveries?webhook=${id}">${name ?? url}</a>
                ${healthPill(page, { status: health, delivered24h: 0, p95Ms: null, lastFailure: null })}
              </li>`
          )}
        </ul>`
  )}`
}

const shown = (page: PageRequest, team: Shown, attempt?: Attempt): View => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const at = addressOf(team.id)
  return new View({
    title: team.name,
    body: html`${head({
        title: team.name,
        crumbs: [{ href: root, name: t.teams }],
        actions: html`<a class="button" href="/console/operation/audit?team=${team.id}">${t.auditOf}</a>
          <a class="button" href="${at}/export">${t.exportTeam}</a>
          ${team.state === "active" && html`<a class="button" href="${at}/restore-records">${t.restoreRecords}</a>`}
          ${
            team.state === "active"
              ? html`<a class="button danger" href="${at}/delete">${t.delete}</a>`
              : team.state === "deleted" && smallForm(page, `${at}/restore`, button(t.restore, { kind: "main" }))
          }`
      })}
      <div class="stack">
        <div class="grid-2">
          ${card(
            "profile",
            c.status,
            html`${facts([
              [t.state, statePill(page, team.state)],
              [t.plan, t[team.plan]],
              [c.created, moment(page.reader, team.createdUtc)],
              [t.deleted, moment(page.reader, team.deletedUtc)],
              [t.purge, moment(page.reader, team.purgeUtc)],
              [c.id, html`<code>${team.id}</code>`]
            ])}
            ${
              team.state === "active" &&
              html`<form class="fields" method="post" action="${at}/plan">
                ${formField(page.visit)}
                ${select({ id: "plan", name: "plan", label: t.plan, value: team.plan, options: plans.map((plan) => [plan, t[plan]] as const) })}
                <div class="row">${button(t.setPlan)}</div>
              </form>`
            }`
          )}
          ${programsOf(page, team)}
        </div>
        ${membersCard(page, team)} ${quotasCard(page, team, attempt)}
      </div>`
  })
}

const show = get(`${root}/:id`, (page) =>
  Effect.flatMap(TeamLifecycle, (teams) => Effect.map(teams.show(teamOf(page)), (team) => shown(page, team)))
)

const back = (page: PageRequest, note: string) => new Goto({ path: addressOf(teamOf(page)), note })

/** Where a form of the page of a team was refused: the page again, with the refusal above it. */
const orOnTeam = (page: PageRequest) =>
  orShowAgain(page, (attempt) =>
    Effect.flatMap(TeamLifecycle, (teams) =>
      Effect.map(teams.show(teamOf(page)), (team) => {
        const view = shown(page, team, attempt)
        return new View({
          ...view,
          body: html`${problemNotice(page.reader, attempt.problem, page.requestId)}${view.body}`
        })
      })
    )
  )

const setPlan = post(`${root}/:id/plan`, (page) =>
  Effect.gen(function* () {
    const teams = yield* Teams
    yield* teams.setPlan(teamOf(page), oneOf(plans, page.form.text("plan")) ?? "free")
    return back(page, common[page.reader.language].saved)
  }).pipe(orOnTeam(page))
)

const setQuota = post(`${root}/:id/quotas`, (page) =>
  Effect.gen(function* () {
    const { set } = yield* TeamQuotas
    yield* set(teamOf(page), { kind: page.form.text("kind") ?? "", quota: page.form.number("quota") })
    return back(page, wordsOf(page).quotaSet)
  }).pipe(orOnTeam(page))
)

const changeMember = post(`${root}/:id/members`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const teams = yield* Teams
    const [email, move] = [page.form.text("email") ?? "", page.form.text("move")]
    const of = { email, teamId: teamOf(page) }
    if (move === "invite") {
      yield* teams.invite({ ...of, role: page.form.text("role") ?? "" })
      return back(page, t.invitedNow)
    }
    if (move === "accept") {
      yield* teams.accept(of)
      return back(page, t.accepted)
    }
    if (move === "remove") {
      if (page.form.text("confirmed") !== email) {
        return new View({
          title: t.removeMember,
          body: confirmation(page, {
            title: t.removeMember,
            body: t.confirmRemove(email),
            label: t.removeMember,
            confirmed: email,
            back: addressOf(teamOf(page))
          })
        })
      }
      yield* teams.remove(of)
      return back(page, t.removed)
    }
    yield* teams.setRole({ ...of, role: move ?? "" })
    return back(page, t.roleSet)
  }).pipe(orOnTeam(page))
)

// The end of a team, and its return.

const deleteForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const t = wordsOf(page)
  const teams = yield* TeamLifecycle
  const { clients, closedProjects, has, id, members, name } = yield* teams
    .delete(teamOf(page), { now: false, confirm: undefined })
    .pipe(Effect.provideService(DryRun, emptyOutcome()))
  return new View({
    title: t.delete,
    body: html`${head({
      title: t.delete,
      subtitle: name,
      crumbs: [
        { href: root, name: t.teams },
        { href: addressOf(id), name }
      ]
    })}
    ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
    ${typedConfirmation(page, {
      action: `${addressOf(id)}/delete`,
      attempt,
      back: addressOf(id),
      hint: t.deleteHint,
      label: t.delete,
      name,
      body: html`<div>
          <h2>${t.has}</h2>
          ${facts([
            [t.members, number(page.reader, members)],
            [t.clients, number(page.reader, clients)],
            [t.openProjects, number(page.reader, closedProjects)],
            ...Object.entries(has).map(([kind, used]) => [kind, number(page.reader, used)] as const)
          ])}
        </div>
        ${box({ id: "now", name: "now", label: t.now, isTicked: attempt?.form.has("now") === true })}`
    })}`
  })
})

const showDelete = get(`${root}/:id/delete`, (page) => deleteForm(page))

const remove = post(`${root}/:id/delete`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const teams = yield* TeamLifecycle
    const { name } = yield* teams.show(teamOf(page))
    yield* typed(page, name)
    const now = page.form.has("now")
    yield* teams.delete(teamOf(page), { now, confirm: name })
    return now ? new Goto({ path: root, note: t.purgedNow }) : back(page, t.deletedNow)
  }).pipe(orShowAgain(page, (attempt) => deleteForm(page, attempt)))
)

const restore = post(`${root}/:id/restore`, (page) =>
  Effect.gen(function* () {
    const teams = yield* TeamLifecycle
    yield* teams.restore(teamOf(page))
    return back(page, wordsOf(page).restoredNow)
  })
)

/** All teams, one of them, and what an operator does with it. */
export const pages = [list, showNew, create, show, setPlan, setQuota, changeMember, showDelete, remove, restore]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: root, name: words[reader.language].teams, icon: "M3 17V7l7-4 7 4v10M8 17v-5h4v5" }] : []
