/** The accounts of all people and bots, for operators (docs/behaviour/identity.md#accounts). */
import * as Id from "../core/Id.ts"
import { typed, typedConfirmation } from "./TypedConfirmation.ts"
import { Effect } from "effect"
import { Grants } from "../identity/oauth/Grants.ts"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { Sessions } from "../identity/signIn/Sessions.ts"
import { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { type Account, type ShownAccount, Users } from "../identity/users/Users.ts"
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
} from "./Console.ts"
import { html, type Html, type Part } from "./Html.ts"
import { type Column, columnChoice, filterForm, pager, table } from "./Lists.ts"
import {
  button,
  card,
  copyable,
  emptyState,
  facts,
  faultOf,
  field,
  head,
  hidden,
  notice,
  pill,
  select,
  unbroken
} from "./Parts.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import { common, moment, texts } from "./Texts.ts"
import { formField, PageRefused } from "./Visit.ts"

const words = texts({
  users: ["Users", "Benutzer"],
  usersOfAll: [
    "People and bots of all teams, the newest first.",
    "Menschen und Bots aller Teams; die neuesten zuerst."
  ],
  newUser: ["Create a user", "Benutzer anlegen"],
  create: ["Create", "Anlegen"],
  createdUser: [
    "The user was created. A sign-in link lets them set a password.",
    "Der Benutzer wurde angelegt. Mit einem Anmeldelink setzt er ein Passwort."
  ],
  text: ["Name or e-mail address", "Name oder E-Mail-Adresse"],
  kind: ["Kind", "Art"],
  person: ["Person", "Mensch"],
  bot: ["Bot", "Bot"],
  operator: ["Operator", "Betreiber"],
  state: ["State", "Zustand"],
  active: ["Active", "Aktiv"],
  deactivated: ["Deactivated", "Deaktiviert"],
  deleted: ["Deleted", "Gelöscht"],
  teams: ["Teams", "Teams"],
  teamId: ["Team (id)", "Team (Id)"],
  capabilities: ["Capabilities", "Befugnisse"],
  broker: ["Broker", "Makler"],
  investor: ["Investor", "Investor"],
  pending: ["requested", "beantragt"],
  lastSignIn: ["Last sign-in", "Letzte Anmeldung"],
  noUsers: ["No users", "Keine Benutzer"],
  noUsersAdvice: [
    "Leave some filters out, or create a user.",
    "Lassen Sie Filter weg, oder legen Sie einen Benutzer an."
  ],
  invited: ["invited", "eingeladen"],
  admin: ["administrator", "Administrator"],
  member: ["member", "Mitglied"],
  none: ["None", "Keine"],
  noCapability: ["Not requested", "Nicht beantragt"],
  sessions: ["Sessions", "Sitzungen"],
  noSessions: ["Nobody is signed in with this account.", "Mit diesem Konto ist niemand angemeldet."],
  endAll: ["End all sessions", "Alle Sitzungen beenden"],
  end: ["End", "Beenden"],
  ended: ["Ended.", "Beendet."],
  from: ["from", "von"],
  tokens: ["Tokens", "Tokens"],
  noTokens: ["No personal access tokens.", "Keine persönlichen Zugriffstokens."],
  grants: ["Apps", "Apps"],
  noGrants: ["No app acts for this person.", "Keine App handelt für diese Person."],
  revoked: ["Revoked.", "Widerrufen."],
  password: ["Password", "Passwort"],
  isSet: ["Set", "Gesetzt"],
  notSet: ["Not set", "Nicht gesetzt"],
  providers: ["OpenID provider", "OpenID-Anbieter"],
  unbind: ["Forget the account there", "Dortiges Konto vergessen"],
  unbound: [
    "The next sign-in there decides by the e-mail address again.",
    "Die nächste Anmeldung dort entscheidet wieder nach der E-Mail-Adresse."
  ],
  link: ["Make a sign-in link", "Anmeldelink erstellen"],
  linkTitle: ["Sign-in link", "Anmeldelink"],
  linkMade: [
    "Hand it to the person. They set a password with it and are signed in, once and within 15 minutes. Earlier links are void.",
    "Geben Sie ihn der Person. Sie setzt damit ein Passwort und ist angemeldet, einmal und innerhalb von 15 Minuten. Frühere Links gelten nicht mehr."
  ],
  deactivate: ["Deactivate", "Deaktivieren"],
  deactivateHint: [
    "Nobody signs in, sessions end, tokens and apps are refused, until the account is activated again.",
    "Niemand meldet sich an, Sitzungen enden, Tokens und Apps werden abgelehnt, bis das Konto wieder aktiviert wird."
  ],
  activate: ["Activate", "Aktivieren"],
  deactivatedNow: ["The account is deactivated.", "Das Konto ist deaktiviert."],
  activatedNow: ["The account is active again.", "Das Konto ist wieder aktiv."],
  deleteUser: ["Delete the account", "Konto löschen"],
  deleteHint: [
    "For good: name, address, password, sessions, tokens, apps and memberships. What the person wrote stays, without a name.",
    "Endgültig: Name, Adresse, Passwort, Sitzungen, Tokens, Apps und Mitgliedschaften. Was die Person geschrieben hat, bleibt, ohne Namen."
  ],
  deletedNow: ["The account was deleted.", "Das Konto wurde gelöscht."],
  own: [
    "This is your own account. Another operator, or the command line, deactivates and deletes it.",
    "Das ist Ihr eigenes Konto. Ein anderer Betreiber oder die Befehlszeile deaktiviert und löscht es."
  ],
  ownTitle: ["Not your own account", "Nicht das eigene Konto"],
  setCapabilities: ["Set the capabilities", "Befugnisse setzen"],
  requested: ["Requested", "Beantragt"],
  auditOf: ["Audit log of this account", "Audit-Protokoll dieses Kontos"],
  actions: ["What one can do", "Was man tun kann"]
})

const root = "/console/operation/users"
/** Where the page of an account is. */
export const addressOf = (id: string) => `${root}/${id}`
const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const statePill = (page: PageRequest, { state }: Pick<Account, "state">): Html =>
  pill(state === "active" ? "good" : state === "deactivated" ? "warn" : "bad", wordsOf(page)[state])

/** The name of an account; one that was deleted has none. */
export const nameOf = (page: PageRequest, { id, name }: Pick<Account, "id" | "name">): string =>
  name ?? `${wordsOf(page).deleted} (${id})`

/** The capabilities. */
export const capabilityKinds = ["broker", "investor"] as const

const capabilitiesOf = (page: PageRequest, { capabilities }: Pick<Account, "capabilities">): ReadonlyArray<Html> => {
  const t = wordsOf(page)
  return capabilityKinds.flatMap((kind) => {
    const status = capabilities[kind]
    if (status === undefined) return []
    return [status === "active" ? pill("good", t[kind]) : pill("warn", `${t[kind]}, ${t.pending}`)]
  })
}

/** The teams of an account. */
export const teamsOf = (page: PageRequest, { teams }: Pick<Account, "teams">): Part => {
  const t = wordsOf(page)
  return teams.map(
    ({ id, name, role, status }, index) =>
      html`${index > 0 && html`<br />`}<a href="/console/operation/teams/${id}">${name}</a>
        <span class="soft small">${status === "active" ? t[role] : t.invited}</span>`
  )
}

const pageSize = 50

// The list.

const columnsOf = (page: PageRequest): ReadonlyArray<Column<Account>> => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  return [
    {
      key: "name",
      title: c.name,
      is: "name",
      cell: (user) =>
        html`<a href="${addressOf(user.id)}">${nameOf(page, user)}</a>
          <span class="below">${user.isBot === true ? t.bot : unbroken(user.email)}</span>`
    },
    {
      key: "state",
      title: t.state,
      cell: (user) => html`${statePill(page, user)} ${user.isOperator === true && pill("plain", t.operator)}`
    },
    {
      key: "capabilities",
      title: t.capabilities,
      is: "more",
      cell: (user) => html`<div class="row">${capabilitiesOf(page, user)}</div>`
    },
    { key: "teams", title: t.teams, is: "more", cell: (user) => teamsOf(page, user) },
    {
      key: "signIn",
      title: t.lastSignIn,
      is: "more",
      cell: ({ lastSignInUtc }) => moment(page.reader, lastSignInUtc) ?? c.never
    },
    {
      key: "created",
      title: c.created,
      is: "more",
      isExtra: true,
      cell: ({ createdUtc }) => moment(page.reader, createdUtc)
    },
    { key: "id", title: c.id, is: "more", isExtra: true, cell: ({ id }) => html`<code>${id}</code>` }
  ]
}

const oneOf = <const A extends string>(values: ReadonlyArray<A>, text: string | null) =>
  values.find((one) => one === text)

const states = ["active", "deactivated", "deleted"] as const
const kinds = ["person", "bot", "operator"] as const

const list = get(root, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const { search } = yield* Users
    const asked = (name: string) => page.search.get(name)?.trim() || undefined
    const found = yield* search(
      {
        text: asked("text"),
        teamId: asked("team"),
        state: oneOf(states, page.search.get("state")),
        kind: oneOf(kinds, page.search.get("kind"))
      },
      { after: asked("cursor"), limit: pageSize + 1 }
    )
    const rows = found.slice(0, pageSize)
    const columns = columnsOf(page)
    return new View({
      title: t.users,
      body: html`${head({
          title: t.users,
          subtitle: t.usersOfAll,
          actions: html`${columnChoice(page, columns)} <a class="button main" href="${root}/new">${t.newUser}</a>`
        })}
        ${filterForm(page, [
          { name: "text", label: t.text, type: "search" },
          { name: "state", label: t.state, options: states.map((state) => [state, t[state]] as const) },
          { name: "kind", label: t.kind, options: kinds.map((kind) => [kind, t[kind]] as const) },
          { name: "team", label: t.teamId }
        ])}
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noUsers, t.noUsersAdvice) : table(page, { caption: t.users, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
        </div>`
    })
  })
)

// A new user.

const newForm = (page: PageRequest, attempt?: Attempt): View => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const typed = (name: string) => attempt?.form.text(name)
  const fault = (name: string) => faultOf(attempt?.problem.errors, name)
  const status = (kind: "broker" | "investor") =>
    select({
      id: kind,
      name: kind,
      label: t[kind],
      value: typed(kind),
      any: t.noCapability,
      options: [
        ["active", t.active],
        ["pending", t.requested]
      ]
    })
  return new View({
    title: t.newUser,
    body: html`${head({ title: t.newUser, crumbs: [{ href: root, name: t.users }] })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" action="${root}/new">
        ${formField(page.visit)}
        <div class="fields">
          ${field({ id: "email", name: "email", label: c.email, type: "email", isRequired: true, value: typed("email"), fault: fault("email") })}
          ${field({ id: "name", name: "name", label: c.name, isRequired: true, value: typed("name"), fault: fault("name") })}
          ${field({ id: "team", name: "teamId", label: t.teamId, isRequired: true, value: typed("teamId") ?? page.search.get("team"), fault: fault("teamId") })}
          ${select({
            id: "role",
            name: "role",
            label: c.role,
            value: typed("role"),
            options: [
              ["member", t.member],
              ["admin", t.admin]
            ]
          })}
          ${status("broker")} ${status("investor")}
        </div>
        <div class="row">
          <button class="main" type="submit">${t.create}</button><a class="button" href="${root}">${c.cancel}</a>
        </div>
      </form>`
  })
}

const showNew = get(`${root}/new`, (page) => Effect.succeed(newForm(page)))

const create = post(`${root}/new`, (page) =>
  Effect.gen(function* () {
    const users = yield* Users
    const names = ["email", "name", "teamId", "role", "broker", "investor"]
    const body = names.flatMap((name) => {
      const value = page.form.text(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    const { id } = yield* users.create(Object.fromEntries(body))
    return new Goto({ path: addressOf(id), note: wordsOf(page).createdUser })
  }).pipe(orShowAgain(page, (attempt) => Effect.succeed(newForm(page, attempt))))
)

// One account.

const isOwn = (page: PageRequest, id: string) => Id.toUuid("user", id) === page.userId

/** A form that is little more than its button. */
export const smallForm = (page: PageRequest, action: string, body: Part): Html =>
  html`<form method="post" action="${action}">${formField(page.visit)} ${body}</form>`

const rowsOf = (
  caption: string,
  rows: ReadonlyArray<{ readonly id: string; readonly name: Part; readonly about: Part; readonly end: Part }>,
  empty: string
): Html =>
  rows.length === 0
    ? html`<p class="soft">${empty}</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">
        <table>
          <caption class="hidden">
            ${caption}
          </caption>
          <tbody>
            ${rows.map(
              ({ about, end, id, name }) =>
                html`<tr id="row-${id}">
                  <th scope="row">${name}<span class="below">${about}</span></th>
                  <td class="num">${end}</td>
                </tr>`
            )}
          </tbody>
        </table>
      </div>`

const accessOf = (page: PageRequest, user: ShownAccount): Html => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const at = addressOf(user.id)
  const endOf = (kind: string, id: string, label: string, of: string) =>
    smallForm(page, `${at}/${kind}`, html`${hidden("id", id)} ${button(label, { kind: "danger", of })}`)
  return html`${card(
    "sessions",
    t.sessions,
    rowsOf(
      t.sessions,
      user.sessions.map(({ address, createdUtc, id, lastUsedUtc }) => ({
        id,
        name: html`${moment(page.reader, createdUtc)}`,
        about: html`${c.lastUsed} ${moment(page.reader, lastUsedUtc)}${address !== null && html`, ${t.from} ${address}`}`,
        end: endOf("sessions", id, t.end, createdUtc)
      })),
      t.noSessions
    ),
    user.sessions.length > 1 &&
      user.email !== null &&
      smallForm(page, `${at}/sessions`, button(t.endAll, { kind: "danger" }))
  )}
  ${card(
    "tokens",
    t.tokens,
    rowsOf(
      t.tokens,
      user.tokens.map(({ expiresUtc, id, name }) => ({
        id,
        name: name ?? id,
        about: html`${c.expires} ${moment(page.reader, expiresUtc)}`,
        end: endOf("tokens", id, c.revoke, name ?? id)
      })),
      t.noTokens
    )
  )}
  ${card(
    "grants",
    t.grants,
    rowsOf(
      t.grants,
      user.grants.map(({ app, createdUtc, id, scopes }) => ({
        id,
        name: app,
        about: html`${scopes.join(", ")}, ${moment(page.reader, createdUtc)}`,
        end: endOf("grants", id, c.revoke, app)
      })),
      t.noGrants
    )
  )}`
}

const actionsOf = (page: PageRequest, user: ShownAccount): Html => {
  const t = wordsOf(page)
  const at = addressOf(user.id)
  if (isOwn(page, user.id)) return html`<p class="soft">${t.own}</p>`
  return html`<div class="stack">
    ${
      user.state === "active"
        ? html`<div>${smallForm(page, `${at}/link`, button(t.link))}</div>
            <div>
              ${smallForm(page, `${at}/state`, html`${hidden("move", "deactivate")} ${button(t.deactivate, { kind: "danger" })}`)}
              <p class="hint">${t.deactivateHint}</p>
            </div>`
        : smallForm(page, `${at}/state`, html`${hidden("move", "activate")} ${button(t.activate, { kind: "main" })}`)
    }
    <div>
      <a class="button danger" href="${at}/delete">${t.deleteUser}</a>
      <p class="hint">${t.deleteHint}</p>
    </div>
  </div>`
}

const capabilityForm = (page: PageRequest, user: ShownAccount): Html => {
  const t = wordsOf(page)
  return html`<form class="stack" method="post" action="${addressOf(user.id)}/capabilities">
    ${formField(page.visit)}
    <div class="fields">
      ${capabilityKinds.map((kind) =>
        select({
          id: kind,
          name: kind,
          label: t[kind],
          value: user.capabilities[kind],
          any: t.noCapability,
          options: [
            ["active", t.active],
            ["pending", t.requested]
          ]
        })
      )}
    </div>
    <div class="row">${button(t.setCapabilities)}</div>
  </form>`
}

const shown = (page: PageRequest, user: ShownAccount): View => {
  const t = wordsOf(page)
  const c = common[page.reader.language]
  const name = nameOf(page, user)
  const isPerson = user.isBot !== true && user.state !== "deleted"
  return new View({
    title: name,
    body: html`${head({
        title: name,
        crumbs: [{ href: root, name: t.users }],
        subtitle: user.email,
        actions: html`<a class="button" href="/console/operation/audit?user=${user.id}">${t.auditOf}</a>`
      })}
      <div class="grid-2">
        ${card(
          "profile",
          c.status,
          facts([
            [t.state, html`${statePill(page, user)} ${user.isOperator === true && pill("plain", t.operator)}`],
            [t.kind, user.isBot === true ? t.bot : t.person],
            [t.teams, user.teams.length === 0 ? t.none : teamsOf(page, user)],
            [c.created, moment(page.reader, user.createdUtc)],
            [t.lastSignIn, moment(page.reader, user.lastSignInUtc) ?? c.never],
            [t.deactivated, moment(page.reader, user.deactivatedUtc)],
            [t.deleted, moment(page.reader, user.deletedUtc)],
            [t.password, isPerson && (user.password ? t.isSet : t.notSet)],
            [
              t.providers,
              user.openIdProviders.length > 0 &&
                html`${user.openIdProviders.join(", ")}
                ${smallForm(page, `${addressOf(user.id)}/unbind`, button(t.unbind))}`
            ],
            [c.id, html`<code>${user.id}</code>`]
          ])
        )}
        ${isPerson && card("capabilities", t.capabilities, capabilityForm(page, user))}
        ${isPerson && card("actions", t.actions, actionsOf(page, user))} ${accessOf(page, user)}
      </div>`
  })
}

const userOf = ({ params }: PageRequest) => params["user"] ?? ""

const show = get(`${root}/:user`, (page) =>
  Effect.flatMap(Users, (users) => Effect.map(users.show(userOf(page)), (user) => shown(page, user)))
)

const refuseOwn = (page: PageRequest) =>
  isOwn(page, userOf(page))
    ? Effect.fail(new PageRefused({ status: 409, title: wordsOf(page).ownTitle, detail: wordsOf(page).own }))
    : Effect.void

const back = (page: PageRequest, note: string) => new Goto({ path: addressOf(userOf(page)), note })

const move = post(`${root}/:user/state`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    yield* refuseOwn(page)
    const users = yield* Users
    if (page.form.text("move") === "activate") {
      yield* users.activate(userOf(page))
      return back(page, t.activatedNow)
    }
    yield* users.deactivate(userOf(page))
    return back(page, t.deactivatedNow)
  })
)

const emailOf = (page: PageRequest) =>
  Effect.flatMap(Users, (users) => Effect.map(users.show(userOf(page)), ({ email }) => email ?? ""))

const setCapabilities = post(`${root}/:user/capabilities`, (page) =>
  Effect.gen(function* () {
    const users = yield* Users
    yield* users.setCapabilities({
      email: yield* emailOf(page),
      broker: page.form.textOrNull("broker"),
      investor: page.form.textOrNull("investor")
    })
    return back(page, common[page.reader.language].saved)
  })
)

const link = post(`${root}/:user/link`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    const email = yield* emailOf(page)
    const { createLink } = yield* Passwords
    const made = yield* createLink(email)
    return new View({
      title: t.linkTitle,
      isSecret: true,
      body: html`${head({
          title: t.linkTitle,
          subtitle: email,
          crumbs: [
            { href: root, name: t.users },
            { href: addressOf(userOf(page)), name: email }
          ]
        })}
        <div class="card pad stack">
          ${notice("warn", t.linkMade)}
          ${copyable(page.reader, { id: "link", label: t.linkTitle, text: `${page.visit.baseUrl}${signInPaths.password}?link=${made.link}` })}
          ${facts([[common[page.reader.language].expires, moment(page.reader, made.expiresUtc)]])}
        </div>`
    })
  })
)

const unbind = post(`${root}/:user/unbind`, (page) =>
  Effect.gen(function* () {
    const { unbind } = yield* UpstreamSignIn
    yield* unbind(yield* emailOf(page))
    return back(page, wordsOf(page).unbound)
  })
)

const endSessions = post(`${root}/:user/sessions`, (page) =>
  Effect.gen(function* () {
    const { revoke, revokeAllOf } = yield* Sessions
    const id = page.form.text("id")
    if (id === undefined) yield* revokeAllOf(yield* emailOf(page))
    else yield* revoke(id)
    return back(page, wordsOf(page).ended)
  })
)

const revokeToken = post(`${root}/:user/tokens`, (page) =>
  Effect.gen(function* () {
    const { revoke } = yield* Tokens
    yield* revoke(page.form.text("id") ?? "")
    return back(page, wordsOf(page).revoked)
  })
)

const revokeGrant = post(`${root}/:user/grants`, (page) =>
  Effect.gen(function* () {
    const { revoke } = yield* Grants
    yield* revoke(page.form.text("id") ?? "")
    return back(page, wordsOf(page).revoked)
  })
)

// The end of an account.

const deleteForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const t = wordsOf(page)
  const users = yield* Users
  const user = yield* users.show(userOf(page))
  const name = nameOf(page, user)
  return new View({
    title: t.deleteUser,
    body: html`${head({
      title: t.deleteUser,
      subtitle: name,
      crumbs: [
        { href: root, name: t.users },
        { href: addressOf(user.id), name }
      ]
    })}
    ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
    ${typedConfirmation(page, {
      action: `${addressOf(user.id)}/delete`,
      attempt,
      back: addressOf(user.id),
      hint: t.deleteHint,
      label: t.deleteUser,
      name: user.email ?? ""
    })}`
  })
})

const showDelete = get(`${root}/:user/delete`, (page) => deleteForm(page))

const remove = post(`${root}/:user/delete`, (page) =>
  Effect.gen(function* () {
    const t = wordsOf(page)
    yield* refuseOwn(page)
    const users = yield* Users
    yield* typed(page, yield* emailOf(page))
    yield* users.removeNamed(userOf(page))
    return new Goto({ path: root, note: t.deletedNow })
  }).pipe(orShowAgain(page, (attempt) => deleteForm(page, attempt)))
)

/** The accounts. */
export const pages = [
  list,
  showNew,
  create,
  show,
  move,
  setCapabilities,
  link,
  unbind,
  endSessions,
  revokeToken,
  revokeGrant,
  showDelete,
  remove
]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator
    ? [
        {
          href: root,
          name: words[reader.language].users,
          icon: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 17a6 6 0 0 1 12 0"
        }
      ]
    : []
