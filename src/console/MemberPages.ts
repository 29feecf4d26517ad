/** The members of a team, and who is invited to it: docs/behaviour/identity.md#administrators. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Invitations } from "../identity/invitations/Invitations.ts"
import { type OpenInvitation, validDays } from "../identity/invitations/Invitation.ts"
import { TeamAdministration } from "../identity/teams/TeamAdministration.ts"
import type { MemberOfTeam } from "../identity/teams/Team.ts"
import {
  type Attempt,
  formRequest,
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
import {
  addressWith,
  openAddress,
  backOf,
  type Column,
  columnChoice,
  confirmation,
  drawer,
  filterForm,
  pager,
  table
} from "./Lists.ts"
import {
  button,
  card,
  copyable,
  facts,
  faultOf,
  field,
  foldedId,
  head,
  hidden,
  notice,
  pill,
  select,
  unbroken
} from "./Parts.ts"
import { paths as invitationPaths } from "./InvitationPages.ts"
import { common, day, moment, type Reader, texts } from "./Texts.ts"
import { formField } from "./Visit.ts"

const words = texts({
  members: ["Members", "Mitglieder"],
  about: [
    "Everybody in this team, and who is invited to it.",
    "Alle, die zu diesem Team gehören oder dazu eingeladen sind."
  ],
  invite: ["Invite somebody", "Jemanden einladen"],
  inviteAbout: [
    `You get a link and hand it over yourself: nothing is sent. It is valid for ${validDays} days, once, and for this address alone.`,
    `Sie erhalten einen Link und geben ihn selbst weiter: Es wird nichts verschickt. Er gilt ${validDays} Tage, einmal und nur für diese Adresse.`
  ],
  capabilityAbout: [
    "A new member sees no contacts and no deals yet: they ask to become a broker or an investor in the profile of the team, and an operator of this service approves it.",
    "Ein neues Mitglied sieht noch keine Kontakte und Deals: Es beantragt im Profil des Teams, Makler oder Investor zu werden, und ein Betreiber dieses Dienstes genehmigt es."
  ],
  makeLink: ["Make the link", "Link erstellen"],
  link: ["Link to the invitation", "Link zur Einladung"],
  linkMade: [
    (email: string) => `Hand this link over to ${email}.`,
    (email: string) => `Geben Sie diesen Link an ${email} weiter.`
  ],
  linkOnce: [
    "It is shown once. Whoever opens it joins the team, so give it to nobody else.",
    "Er wird nur einmal angezeigt. Wer ihn öffnet, tritt dem Team bei: Geben Sie ihn sonst niemandem."
  ],
  validUntil: ["Valid until", "Gültig bis"],
  toMembers: ["Back to the members", "Zurück zu den Mitgliedern"],
  invitations: ["Open invitations", "Offene Einladungen"],
  noInvitations: ["No invitation is open.", "Keine Einladung ist offen."],
  invitedBy: ["Invited by", "Eingeladen von"],
  takeBack: ["Take back", "Zurücknehmen"],
  takenBack: ["The invitation was taken back.", "Die Einladung wurde zurückgenommen."],
  admin: ["Administrator", "Administrator"],
  member: ["Member", "Mitglied"],
  invited: ["Invited", "Eingeladen"],
  deactivated: ["Deactivated", "Deaktiviert"],
  bot: ["Bot", "Bot"],
  broker: ["Broker", "Makler"],
  investor: ["Investor", "Investor"],
  requested: ["Requested", "Beantragt"],
  joined: ["Joined", "Beigetreten"],
  lastSignIn: ["Last sign-in", "Letzte Anmeldung"],
  changeRole: ["Change the role", "Rolle ändern"],
  roleChanged: ["The role was changed.", "Die Rolle wurde geändert."],
  rolesAbout: [
    "Administrators change the team, its members, clients, webhooks and tags. Members work in it.",
    "Administratoren ändern das Team, seine Mitglieder, Clients, Webhooks und Tags. Mitglieder arbeiten darin."
  ],
  remove: ["Remove from the team", "Aus dem Team entfernen"],
  removeTitle: [(name: string) => `Remove ${name} from the team?`, (name: string) => `${name} aus dem Team entfernen?`],
  removeBody: [
    "Their tokens and connected apps in this team stop at once, and the invitations that they made are taken back. What they wrote and own stays.",
    "Tokens und verbundene Apps der Person in diesem Team enden sofort, und ihre Einladungen werden zurückgenommen. Was sie geschrieben hat und was ihr gehört, bleibt."
  ],
  removed: ["The membership has ended.", "Die Mitgliedschaft ist beendet."],
  botAbout: [
    "A bot acts for an OAuth client. It ends when its client is revoked.",
    "Ein Bot handelt für einen OAuth-Client. Er endet, wenn sein Client widerrufen wird."
  ]
})

/** The pages of members, below the base of a team. */
const paths = {
  members: "/members",
  role: "/members/role",
  remove: "/members/remove",
  invite: "/members/invite",
  takeBack: "/members/invitations/revoke"
} as const

const isAdministrator = ({ seat }: Pick<PageRequest, "seat">) => seat?.actor.role === "admin"

const roleOf = (reader: Reader, role: string) => words[reader.language][role === "admin" ? "admin" : "member"]

/** A capability of a person in a team: what it is of, and how far it is. */
export const capabilityPill = (reader: Reader, state: "active" | "pending" | null): Html | undefined =>
  state === null
    ? undefined
    : state === "active"
      ? pill("good", common[reader.language].active)
      : pill("warn", words[reader.language].requested)

const statusOf = (reader: Reader, { isDeactivated, status }: MemberOfTeam): Html => {
  const t = words[reader.language]
  if (isDeactivated) return pill("bad", t.deactivated)
  return status === "pending" ? pill("warn", t.invited) : pill("good", common[reader.language].active)
}

const columnsOf = (page: PageRequest): ReadonlyArray<Column<MemberOfTeam>> => {
  const { reader } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  return [
    {
      key: "name",
      title: c.name,
      is: "name",
      cell: (one) =>
        html`<a href="${openAddress(page, one.id)}">${one.name === "" ? one.id : one.name}</a
          ><span class="below">${one.isBot ? t.bot : unbroken(one.email)}</span>`
    },
    { key: "role", title: c.role, cell: ({ role }) => roleOf(reader, role) },
    { key: "status", title: c.status, cell: (one) => statusOf(reader, one) },
    { key: "broker", title: t.broker, is: "more", cell: ({ broker }) => capabilityPill(reader, broker) },
    { key: "investor", title: t.investor, is: "more", cell: ({ investor }) => capabilityPill(reader, investor) },
    { key: "joined", title: t.joined, is: "more", cell: ({ joinedUtc }) => day(reader, joinedUtc) },
    ...(isAdministrator(page)
      ? [
          {
            key: "lastSignIn",
            title: t.lastSignIn,
            is: "more" as const,
            cell: ({ isBot, lastSignInUtc }: MemberOfTeam) =>
              isBot ? undefined : (moment(reader, lastSignInUtc) ?? c.never)
          }
        ]
      : [])
  ]
}

/** A member, and what administrators do with one. */
const memberDrawer = (page: PageRequest, one: MemberOfTeam): Html => {
  const { base, reader, visit } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  const back = hidden("back", addressWith(page, { open: undefined }))
  return drawer(
    page,
    one.name,
    html`${facts([
      [c.email, one.email],
      [c.role, roleOf(reader, one.role)],
      [c.status, statusOf(reader, one)],
      [t.broker, capabilityPill(reader, one.broker) ?? c.no],
      [t.investor, capabilityPill(reader, one.investor) ?? c.no],
      [t.joined, day(reader, one.joinedUtc)],
      [t.lastSignIn, isAdministrator(page) && !one.isBot && (moment(reader, one.lastSignInUtc) ?? c.never)]
    ])}
    ${foldedId(reader, one.id)} ${one.isBot && html`<p class="soft small">${t.botAbout}</p>`}
    ${
      isAdministrator(page) &&
      !one.isBot &&
      html`<form class="stack" method="post" action="${base}${paths.role}">
          ${formField(visit)} ${hidden("id", one.id)} ${back}
          ${select({
            id: "member-role",
            name: "role",
            label: c.role,
            value: one.role,
            options: [
              ["member", t.member],
              ["admin", t.admin]
            ],
            hint: t.rolesAbout
          })}
          <div class="row">${button(t.changeRole, { of: one.name })}</div>
        </form>
        <form method="post" action="${base}${paths.remove}">
          ${formField(visit)} ${hidden("id", one.id)} ${hidden("name", one.name)} ${back}
          ${button(t.remove, { kind: "danger", of: one.name })}
        </form>`
    }`
  )
}

const invitationsCard = ({ base, reader, visit }: PageRequest, open: ReadonlyArray<OpenInvitation>): Html => {
  const [t, c] = [words[reader.language], common[reader.language]]
  return card(
    "invitations",
    t.invitations,
    open.length === 0
      ? html`<p class="soft">${t.noInvitations}</p>`
      : html`<ul class="items" role="list">
          ${open.map(
            ({ email, expiresUtc, id, invitedBy, role }) =>
              html`<li id="invitation-${id}">
                <div>
                  <div class="name">${email}</div>
                  <div class="soft small">
                    ${roleOf(reader, role)}${invitedBy !== null && html`, ${t.invitedBy} ${invitedBy}`}, ${c.until}
                    ${moment(reader, expiresUtc)}
                  </div>
                </div>
                <form method="post" action="${base}${paths.takeBack}">
                  ${formField(visit)} ${hidden("id", id)} ${button(t.takeBack, { kind: "danger", of: email })}
                </form>
              </li>`
          )}
        </ul>`
  )
}

/** The list, with what was refused of it if something was. */
const listPage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const administration = yield* TeamAdministration
  const invitations = yield* Invitations
  const { base, reader, search } = page
  const t = words[reader.language]
  const role = (["admin", "member"] as const).find((one) => one === search.get("role"))
  const cursor = search.get("cursor") ?? undefined
  const found = yield* administration.members({
    ...(role === undefined ? {} : { role }),
    ...(cursor === undefined ? {} : { cursor })
  })
  const open = isAdministrator(page) ? yield* invitations.list() : undefined
  const columns = columnsOf(page)
  const shown = found.data.find(({ id }) => id === search.get("open"))
  return new View({
    title: t.members,
    body: html`${head({
        title: t.members,
        subtitle: t.about,
        actions: html`${columnChoice(page, columns)}
        ${open !== undefined && html`<a class="button main" href="${base}${paths.invite}">${t.invite}</a>`}`
      })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, page.requestId)}
      ${filterForm(page, [
        {
          name: "role",
          label: common[reader.language].role,
          options: [
            ["admin", t.admin],
            ["member", t.member]
          ]
        }
      ])}
      <div class="stack">
        <div class="with-drawer">
          <div class="card">
            ${table(page, {
              caption: t.members,
              columns,
              rows: found.data,
              idOf: ({ id }) => id,
              isCurrent: ({ id }) => id === shown?.id
            })}
            ${pager(page, found.page, found.data.length)}
          </div>
          ${shown !== undefined && memberDrawer(page, shown)}
        </div>
        ${open !== undefined && invitationsCard(page, open)}
      </div>`
  })
})

const list = get(`/console/:team${paths.members}`, (page) => listPage(page))

const setRole = post(`/console/:team${paths.role}`, (page) =>
  Effect.gen(function* () {
    const administration = yield* TeamAdministration
    const { base, form, reader } = page
    yield* administration.setRole(form.text("id") ?? "", formRequest(page, { role: form.textOrNull("role") }))
    return new Goto({ path: backOf(page, `${base}${paths.members}`), note: words[reader.language].roleChanged })
  }).pipe(orShowAgain(page, (attempt) => listPage(page, attempt)))
)

const remove = post(`/console/:team${paths.remove}`, (page) =>
  Effect.gen(function* () {
    const administration = yield* TeamAdministration
    const { base, form, reader } = page
    const t = words[reader.language]
    const back = backOf(page, `${base}${paths.members}`)
    const id = form.text("id") ?? ""
    if (form.text("confirmed") !== id) {
      const title = t.removeTitle(form.text("name") ?? id)
      return new View({
        title,
        body: confirmation(page, { title, body: t.removeBody, label: t.remove, confirmed: id, back })
      })
    }
    yield* administration.remove(id)
    return new Goto({ path: back, note: t.removed })
  }).pipe(orShowAgain(page, (attempt) => listPage(page, attempt)))
)

// Invitations.

const invitePage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  // Refuses who may not invite before they have filled in a form.
  yield* Effect.flatMap(Invitations, (invitations) => invitations.list())
  const random = yield* SecureRandom.SecureRandom
  const { base, reader, requestId, visit } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  const faults = attempt?.problem.errors
  return new View({
    title: t.invite,
    body: html`${head({
        title: t.invite,
        subtitle: t.inviteAbout,
        crumbs: [{ href: `${base}${paths.members}`, name: t.members }]
      })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
      <form class="card pad stack" method="post" action="${base}${paths.invite}">
        ${formField(visit)} ${hidden("key", yield* random.uuidV7())}
        <p class="soft">${t.capabilityAbout}</p>
        <div class="fields">
          ${field({
            id: "email",
            name: "email",
            type: "email",
            label: c.email,
            value: attempt?.form.text("email"),
            isRequired: true,
            maxLength: 320,
            fault: faultOf(faults, "email")
          })}
          ${select({
            id: "role",
            name: "role",
            label: c.role,
            value: attempt?.form.text("role") ?? "member",
            options: [
              ["member", t.member],
              ["admin", t.admin]
            ],
            hint: t.rolesAbout,
            fault: faultOf(faults, "role")
          })}
        </div>
        <div class="row">${button(t.makeLink, { kind: "main" })}</div>
      </form>`
  })
})

const showInvite = get(`/console/:team${paths.invite}`, (page) => invitePage(page))

const invite = post(`/console/:team${paths.invite}`, (page) =>
  Effect.gen(function* () {
    const invitations = yield* Invitations
    const { base, form, reader, visit } = page
    const t = words[reader.language]
    const made = yield* invitations.create(
      formRequest(page, { email: form.textOrNull("email"), role: form.textOrNull("role") })
    )
    const link = `${visit.baseUrl}${invitationPaths.invitation}?link=${made.secret}`
    return new View({
      title: t.invite,
      isSecret: true,
      body: html`${head({ title: t.invite, crumbs: [{ href: `${base}${paths.members}`, name: t.members }] })}
        ${notice("good", t.linkMade(made.email))}
        <p class="soft">${t.capabilityAbout}</p>
        <div class="card pad stack">
          ${copyable(reader, { id: "link", label: t.link, text: link })}
          <p class="soft">${t.linkOnce}</p>
          ${facts([
            [common[reader.language].role, roleOf(reader, made.role)],
            [t.validUntil, moment(reader, made.expiresUtc)]
          ])}
          <div class="row"><a class="button" href="${base}${paths.members}">${t.toMembers}</a></div>
        </div>`
    })
  }).pipe(orShowAgain(page, (attempt) => invitePage(page, attempt)))
)

const takeBack = post(`/console/:team${paths.takeBack}`, ({ base, form, reader }) =>
  Effect.gen(function* () {
    const invitations = yield* Invitations
    yield* invitations.revoke(form.text("id") ?? "")
    return new Goto({ path: `${base}${paths.members}`, note: words[reader.language].takenBack })
  })
)

/** The pages of members. */
export const pages = [list, setRole, remove, showInvite, invite, takeBack]

/** For every member. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat === undefined
    ? []
    : [
        {
          href: `${base}${paths.members}`,
          name: words[reader.language].members,
          icon: "M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM1.5 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 4a3 3 0 0 1 0 5M15 12.5c2 .6 3.5 2.2 3.5 4.5"
        }
      ]
