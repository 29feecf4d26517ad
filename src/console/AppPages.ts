/** The apps that people let act for them, for operators (docs/behaviour/authorization.md#apps): find, create, look at one, end it. */
import * as Id from "../core/Id.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { publicScope } from "../core/auth/CurrentActor.ts"
import type { App } from "../identity/apps/App.ts"
import { Apps } from "../identity/apps/Apps.ts"
import { type Grant, Grants } from "../identity/oauth/Grants.ts"
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
import { html, type Html } from "./Html.ts"
import { type Column, filterForm, pager, table } from "./Lists.ts"
import {
  box,
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
  textarea,
  unbroken
} from "./Parts.ts"
import { common, day, moment, number, texts } from "./Texts.ts"
import { typed, typedConfirmation } from "./TypedConfirmation.ts"
import { formField } from "./Visit.ts"

const words = texts({
  apps: ["Apps", "Apps"],
  about: [
    "Programs that people let act for them, the newest first.",
    "Programme, die für Menschen handeln dürfen; die neuesten zuerst."
  ],
  noApps: ["No apps", "Keine Apps"],
  noAppsAdvice: [
    "Create one, or let apps register themselves (OAUTH_REGISTRATION).",
    "Legen Sie eine an, oder lassen Sie Apps sich selbst anmelden (OAUTH_REGISTRATION)."
  ],
  newApp: ["Create an app", "App anlegen"],
  nameHint: ["What people see when it asks for access.", "Was Menschen sehen, wenn sie um Zugriff bittet."],
  redirects: ["Where it takes people back", "Wohin sie Menschen zurückführt"],
  redirectsHint: [
    "One address a line: https, http to this machine, or a scheme of the app's own.",
    "Eine Adresse je Zeile: https, http auf diesem Rechner, oder ein eigenes Schema der App."
  ],
  isPublic: ["It cannot keep a secret", "Sie kann kein Geheimnis bewahren"],
  isPublicHint: [
    "It runs on the machines of people, or in their browsers.",
    "Sie läuft auf den Rechnern von Menschen, oder in ihren Browsern."
  ],
  create: ["Create", "Anlegen"],
  created: ["The app was created.", "Die App wurde angelegt."],
  appId: ["Client id", "Client-Id"],
  secret: ["Client secret", "Client-Geheimnis"],
  toApp: ["To the app", "Zur App"],
  kind: ["Kind", "Art"],
  confidential: ["With a secret", "Mit Geheimnis"],
  public: ["Without a secret", "Ohne Geheimnis"],
  document: ["Described by a document", "Von einem Dokument beschrieben"],
  registered: ["registered itself", "hat sich selbst angemeldet"],
  revoked: ["Revoked", "Widerrufen"],
  documentUrl: ["Document", "Dokument"],
  grants: ["For whom it acts", "Für wen sie handelt"],
  noGrants: ["For nobody.", "Für niemanden."],
  may: ["May", "Darf"],
  readsAndChanges: ["read and change", "lesen und ändern"],
  onlyReads: ["only read", "nur lesen"],
  disconnect: ["Disconnect", "Trennen"],
  disconnected: [
    "Disconnected: its tokens for this person are void.",
    "Getrennt: Ihre Tokens für diese Person gelten nicht mehr."
  ],
  revoke: ["Revoke the app", "App widerrufen"],
  revokeTitle: [(name: string) => `Revoke ${name}?`, (name: string) => `${name} widerrufen?`],
  revokeAbout: [
    "It is refused at once, and acts for nobody any more. This cannot be undone.",
    "Sie wird sofort abgelehnt und handelt für niemanden mehr. Das kann nicht rückgängig gemacht werden."
  ],
  wouldEnd: [
    (count: string) => `${count} connections of people would end:`,
    (count: string) => `${count} Verbindungen von Menschen würden enden:`
  ],
  revokedNow: ["The app is revoked.", "Die App ist widerrufen."],
  auditOf: ["Audit log of this app", "Audit-Protokoll dieser App"]
})

const root = "/console/operation/apps"
const pageSize = 50
/** How many of those for whom an app acts the pages name. */
const maxNamed = 50

const wordsOf = ({ reader }: PageRequest) => words[reader.language]

const idOf = ({ params }: PageRequest): string => params["app"] ?? ""

const statePill = (page: PageRequest, { revokedUtc }: App): Html =>
  revokedUtc === null ? pill("good", common[page.reader.language].active) : pill("plain", wordsOf(page).revoked)

const kindOf = (page: PageRequest, { isRegistered, kind }: App): string => {
  const t = wordsOf(page)
  return isRegistered ? `${t[kind]}, ${t.registered}` : t[kind]
}

const list = get(root, (page) =>
  Effect.gen(function* () {
    const { search } = yield* Apps
    const [t, c] = [wordsOf(page), common[page.reader.language]]
    const asked = (name: string) => page.search.get(name)?.trim() || undefined
    const found = yield* search(asked("text"), { after: asked("cursor"), limit: pageSize + 1 })
    const rows = found.slice(0, pageSize)
    const columns: ReadonlyArray<Column<App>> = [
      {
        key: "name",
        title: c.name,
        is: "name",
        cell: ({ id, name }) => html`<a href="${root}/${id}">${name}</a><span class="below"><code>${id}</code></span>`
      },
      { key: "status", title: c.status, cell: (app) => statePill(page, app) },
      { key: "kind", title: t.kind, is: "more", cell: (app) => kindOf(page, app) },
      { key: "created", title: c.created, is: "more", cell: ({ createdUtc }) => day(page.reader, createdUtc) }
    ]
    return new View({
      title: t.apps,
      body: html`${head({
          title: t.apps,
          subtitle: t.about,
          actions: html`<a class="button main" href="${root}/new">${t.newApp}</a>`
        })}
        ${filterForm(page, [{ name: "text", label: c.name, type: "search" }])}
        <div class="card">
          ${rows.length === 0 ? emptyState(t.noApps, t.noAppsAdvice) : table(page, { caption: t.apps, columns, rows, idOf: ({ id }) => id })}
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: rows.at(-1)?.id ?? null }, rows.length)}
        </div>`
    })
  })
)

// A new app.

const newForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const random = yield* SecureRandom.SecureRandom
  const [t, c] = [wordsOf(page), common[page.reader.language]]
  const { errors, code } = attempt?.problem ?? {}
  // A key that made an app makes no other.
  const sent = code === "conflict" || code === "idempotency_key_reused" ? undefined : attempt?.form.text("key")
  return new View({
    title: t.newApp,
    body: html`${head({ title: t.newApp, crumbs: [{ href: root, name: t.apps }] })}
      ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
      <form class="card pad stack" method="post" action="${root}/new">
        ${formField(page.visit)} ${hidden("key", sent ?? (yield* random.uuidV7()))}
        <div class="fields">
          ${field({ id: "name", name: "name", label: c.name, hint: t.nameHint, isRequired: true, maxLength: 200, value: attempt?.form.text("name"), fault: faultOf(errors, "name") })}
        </div>
        ${textarea({ id: "redirects", name: "redirects", label: t.redirects, hint: t.redirectsHint, rows: 3, isRequired: true, value: attempt?.form.text("redirects"), fault: faultOf(errors, "redirectUris") })}
        ${box({ id: "public", name: "public", label: t.isPublic, hint: t.isPublicHint, isTicked: attempt?.form.has("public") === true })}
        <div class="row">${button(t.create, { kind: "main" })} <a class="button" href="${root}">${c.cancel}</a></div>
      </form>`
  })
})

const showNew = get(`${root}/new`, (page) => newForm(page))

const create = post(`${root}/new`, (page) =>
  Effect.gen(function* () {
    const apps = yield* Apps
    const t = wordsOf(page)
    const { form, reader } = page
    const key = form.text("key") ?? ""
    const input = {
      name: form.text("name") ?? "",
      redirectUris: (form.text("redirects") ?? "").split(/\s+/).filter((uri) => uri !== ""),
      confidential: !form.has("public")
    }
    const made = yield* Id.isUuid(key) ? apps.createOnce(input, { key, userId: page.userId }) : apps.create(input)
    const { client_id: id, client_secret: secret } = made
    return new View({
      title: t.newApp,
      isSecret: true,
      body: html`${head({ title: t.newApp, crumbs: [{ href: root, name: t.apps }] })} ${notice("good", t.created)}
        <div class="card pad stack">
          ${copyable(reader, { id: "app-id", label: t.appId, text: id })}
          ${
            secret !== undefined &&
            html`${copyable(reader, { id: "app-secret", label: t.secret, text: secret })}
              <p class="soft">${common[reader.language].shownOnce}</p>`
          }
          <div class="row"><a class="button" href="${root}/${id}">${t.toApp}</a></div>
        </div>`
    })
  }).pipe(orShowAgain(page, (attempt) => newForm(page, attempt)))
)

// One app.

const grantsCard = (page: PageRequest, app: App, grants: ReadonlyArray<Grant>): Html => {
  const [t, c] = [wordsOf(page), common[page.reader.language]]
  const columns: ReadonlyArray<Column<Grant>> = [
    {
      key: "user",
      title: c.user,
      is: "name",
      cell: ({ user }) =>
        html`<a href="/console/operation/users/${user.id}">${user.name}</a
          ><span class="below">${unbroken(user.email)}</span>`
    },
    {
      key: "team",
      title: c.team,
      cell: ({ team }) => html`<a href="/console/operation/teams/${team.id}">${team.name}</a>`
    },
    {
      key: "may",
      title: t.may,
      is: "more",
      cell: ({ scopes }) => (scopes.includes(publicScope) ? t.readsAndChanges : t.onlyReads)
    },
    { key: "since", title: c.created, is: "more", cell: ({ createdUtc }) => day(page.reader, createdUtc) },
    {
      key: "end",
      title: c.actions,
      cell: ({ id, user }) =>
        html`<form method="post" action="${root}/${app.id}/grants">
          ${formField(page.visit)} ${hidden("grant", id)} ${button(t.disconnect, { kind: "danger", of: user.name })}
        </form>`
    }
  ]
  return card(
    "grants",
    t.grants,
    grants.length === 0
      ? html`<p class="soft">${t.noGrants}</p>`
      : table(page, { caption: t.grants, columns, rows: grants, idOf: ({ id }) => `grant-${id}` })
  )
}

const show = get(`${root}/:app`, (page) =>
  Effect.gen(function* () {
    const [apps, { listOfApp }] = [yield* Apps, yield* Grants]
    const [t, c] = [wordsOf(page), common[page.reader.language]]
    const app = yield* apps.show(idOf(page))
    const grants = yield* listOfApp(app.id)
    return new View({
      title: app.name,
      body: html`${head({
          title: app.name,
          subtitle: statePill(page, app),
          crumbs: [{ href: root, name: t.apps }],
          actions: html`<a class="button" href="/console/operation/audit?client=${app.id}">${t.auditOf}</a>
            ${app.revokedUtc === null && html`<a class="button danger" href="${root}/${app.id}/revoke">${t.revoke}</a>`}`
        })}
        <div class="stack">
          ${card(
            "about",
            c.status,
            facts([
              [t.appId, html`<code>${app.id}</code>`],
              [t.kind, kindOf(page, app)],
              [t.documentUrl, app.documentUrl],
              [t.redirects, app.redirectUris.map((uri) => html`<div><code>${uri}</code></div>`)],
              [c.created, moment(page.reader, app.createdUtc)],
              [t.revoked, moment(page.reader, app.revokedUtc)]
            ])
          )}
          ${grantsCard(page, app, grants)}
        </div>`
    })
  })
)

const disconnect = post(`${root}/:app/grants`, (page) =>
  Effect.gen(function* () {
    const grants = yield* Grants
    yield* grants.revoke(page.form.text("grant") ?? "")
    return new Goto({ path: `${root}/${idOf(page)}`, note: wordsOf(page).disconnected })
  })
)

/** What would end with the app, and the form that ends it. */
const revokeForm = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const [apps, { listOfApp }] = [yield* Apps, yield* Grants]
  const t = wordsOf(page)
  const app = yield* apps.show(idOf(page))
  const grants = yield* listOfApp(app.id)
  const title = t.revokeTitle(app.name)
  return new View({
    title,
    body: html`${head({ title, crumbs: [{ href: `${root}/${app.id}`, name: app.name }] })}
    ${attempt !== undefined && problemNotice(page.reader, attempt.problem, page.requestId)}
    ${typedConfirmation(page, {
      action: `${root}/${app.id}/revoke`,
      attempt,
      back: `${root}/${app.id}`,
      hint: t.revokeAbout,
      label: t.revoke,
      name: app.name,
      body: html`<p>${grants.length === 0 ? t.noGrants : t.wouldEnd(number(page.reader, grants.length))}</p>
        ${
          grants.length > 0 &&
          html`<ul class="bullets">
            ${grants.slice(0, maxNamed).map(({ team, user }) => html`<li>${user.name}, ${team.name}</li>`)}
            ${grants.length > maxNamed && html`<li>…</li>`}
          </ul>`
        }`
    })}`
  })
})

const showRevoke = get(`${root}/:app/revoke`, (page) => revokeForm(page))

const revoke = post(`${root}/:app/revoke`, (page) =>
  Effect.gen(function* () {
    const apps = yield* Apps
    const t = wordsOf(page)
    const { id, name } = yield* apps.show(idOf(page))
    yield* typed(page, name)
    yield* apps.revoke(id)
    return new Goto({ path: `${root}/${id}`, note: t.revokedNow })
  }).pipe(orShowAgain(page, (attempt) => revokeForm(page, attempt)))
)

/** The apps. */
export const pages = [list, showNew, create, show, disconnect, showRevoke, revoke]

/** Their link. */
export const links: LinksOf = ({ isOperator, reader }) =>
  isOperator
    ? [
        {
          href: root,
          name: words[reader.language].apps,
          icon: "M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 14.5h5M14.500 12v5"
        }
      ]
    : []
