/**
 * The page of an invitation, for whoever has its link (docs/behaviour/identity.md#invitations): they join the team as the person who is
 * signed in, or with a new account.
 */
import { Effect, Redacted } from "effect"
import { type Invited, Invitations } from "../identity/invitations/Invitations.ts"
import { maxPasswordLength, minPasswordLength } from "../identity/signIn/rules.ts"
import { html, type Html } from "./Html.ts"
import { button, field, hidden, notice } from "./Parts.ts"
import { begin, home, passwordFault, paths as signInPaths, queryOf } from "./SignInPages.ts"
import { texts } from "./Texts.ts"
import { answerPage, formField, PageRefused, plainFrameOf, readOwnForm, seeOther, type Visit } from "./Visit.ts"

/** The path of the page and of its form. */
export const paths = { invitation: "/signin/invitation" } as const

const words = texts({
  title: [(team: string) => `Join ${team}`, (team: string) => `${team} beitreten`],
  invites: [
    (email: string, by: string | null) =>
      by === null ? `You are invited as ${email}.` : `${by} invites you as ${email}.`,
    (email: string, by: string | null) =>
      by === null ? `Sie sind als ${email} eingeladen.` : `${by} lädt Sie als ${email} ein.`
  ],
  asAdministrator: ["You will be an administrator.", "Sie werden Administrator."],
  asMember: ["You will be a member.", "Sie werden Mitglied."],
  join: ["Join the team", "Dem Team beitreten"],
  create: ["Create the account and join", "Konto erstellen und beitreten"],
  signIn: ["Sign in to join", "Zum Beitreten anmelden"],
  hasAccount: [
    "You have an account with this address. Sign in first: you come back here.",
    "Zu dieser Adresse gibt es ein Konto. Melden Sie sich zuerst an: Danach sind Sie wieder hier."
  ],
  other: [
    (email: string) => `You are signed in with another address. The invitation is for ${email} alone.`,
    (email: string) => `Sie sind mit einer anderen Adresse angemeldet. Die Einladung gilt nur für ${email}.`
  ],
  signOut: ["Sign out, then open the link again", "Abmelden, dann den Link noch einmal öffnen"],
  name: ["Your first and last name", "Ihr Vor- und Nachname"],
  password: ["Choose a password", "Wählen Sie ein Passwort"],
  rule: [
    `At least ${minPasswordLength} characters. A few words are easier to remember than one with symbols.`,
    `Mindestens ${minPasswordLength} Zeichen. Einige Wörter merkt man sich leichter als eines mit Sonderzeichen.`
  ],
  notJoined: ["You have not joined yet.", "Sie sind noch nicht beigetreten."],
  refused: ["This invitation is not valid", "Diese Einladung gilt nicht"],
  refusedDetail: [
    "It was used or taken back, or it is older than 7 days. Ask whoever gave it to you for a new one.",
    "Sie wurde verwendet oder zurückgenommen, oder sie ist älter als 7 Tage. Bitten Sie um eine neue."
  ],
  badName: ["Say your name, in at most 200 characters.", "Nennen Sie Ihren Namen, mit höchstens 200 Zeichen."]
})

const textsOf = (visit: Visit) => words[plainFrameOf(visit).reader.language]

const refusedOf = (visit: Visit) => {
  const t = textsOf(visit)
  return new PageRefused({ status: 410, title: t.refused, detail: t.refusedDetail })
}

/** What was typed, and what is wrong with it. */
interface Typed {
  readonly name: string
  readonly nameFault?: string
  readonly passwordFault?: string
}

const newAccountForm = (visit: Visit, link: string, email: string, typed: Typed | undefined): Html => {
  const t = textsOf(visit)
  return html`<form class="stack" method="post" action="${paths.invitation}">
    ${formField(visit)} ${hidden("link", link)}
    <input type="hidden" name="username" autocomplete="username" value="${email}" />
    ${field({ id: "name", name: "name", label: t.name, isRequired: true, maxLength: 200, autocomplete: "name", value: typed?.name, fault: typed?.nameFault })}
    ${field({ id: "password", name: "password", label: t.password, type: "password", autocomplete: "new-password", isRequired: true, maxLength: maxPasswordLength, hint: t.rule, fault: typed?.passwordFault })}
    <div class="row">${button(t.create, { kind: "main" })}</div>
  </form>`
}

/** How whoever opened the link joins: it depends on whether the address has an account, and on who is signed in. */
const wayOf = (visit: Visit, link: string, { account, email }: Invited, typed: Typed | undefined): Html => {
  const t = textsOf(visit)
  const { signedIn } = visit
  if (signedIn !== undefined && signedIn.userId === account?.id) {
    return html`<form method="post" action="${paths.invitation}">
      ${formField(visit)} ${hidden("link", link)}
      <div class="row">${button(t.join, { kind: "main" })}</div>
    </form>`
  }
  if (signedIn !== undefined) {
    return html`${notice("warn", t.other(email))}
      <form method="post" action="${signInPaths.signOut}">
        ${formField(visit)}
        <div class="row">${button(t.signOut)}</div>
      </form>`
  }
  if (account === null) return newAccountForm(visit, link, email, typed)
  const next = encodeURIComponent(`${paths.invitation}?link=${link}`)
  return html`<p>${t.hasAccount}</p>
    <p class="row"><a class="button main" href="${signInPaths.signIn}?next=${next}">${t.signIn}</a></p>`
}

const invitationPage = (visit: Visit, link: string, invited: Invited, typed?: Typed) => {
  const t = textsOf(visit)
  const title = t.title(invited.teamName)
  return answerPage(
    visit,
    {
      title,
      isNarrow: true,
      isRefusal: typed !== undefined,
      body: html`<div class="card pad stack">
        <h1>${title}</h1>
        <p class="soft">
          ${t.invites(invited.email, invited.invitedBy)} ${invited.role === "admin" ? t.asAdministrator : t.asMember}
        </p>
        ${typed !== undefined && notice("bad", t.notJoined)} ${wayOf(visit, link, invited, typed)}
      </div>`
    },
    { status: typed === undefined ? 200 : 422 }
  )
}

/** `GET /signin/invitation?link=…` */
export const showInvitation = Effect.fn("InvitationPages.showInvitation")(function* (visit: Visit) {
  const { find } = yield* Invitations
  const link = (yield* queryOf)("link") ?? ""
  const invited = yield* Effect.mapError(find(link), () => refusedOf(visit))
  return invitationPage(visit, link, invited)
})

/** `POST /signin/invitation` */
export const acceptInvitation = Effect.fn("InvitationPages.acceptInvitation")(function* (visit: Visit) {
  const { accept, find, join } = yield* Invitations
  const form = yield* readOwnForm(visit)
  const link = form.get("link") ?? ""
  const invited = yield* Effect.mapError(find(link), () => refusedOf(visit))
  const { signedIn } = visit
  if (signedIn !== undefined) {
    const joined = yield* Effect.result(accept(link, signedIn.userId))
    return joined._tag === "Success"
      ? seeOther(`${home}/${joined.success.teamId}`)
      : joined.failure._tag === "InvitationOfAnother"
        ? invitationPage(visit, link, invited)
        : yield* refusedOf(visit)
  }
  const name = form.get("name") ?? ""
  const t = textsOf(visit)
  const again = (faults: Omit<Typed, "name">) =>
    Effect.succeed(invitationPage(visit, link, invited, { name, ...faults }))
  const { culture } = plainFrameOf(visit).reader
  return yield* join(link, { name, culture, password: Redacted.make(form.get("password") ?? "") }).pipe(
    Effect.flatMap(({ teamId, userId }) => begin(visit, userId, `${home}/${teamId}`, "invitation")),
    Effect.catchTags({
      InvalidRequest: () => again({ nameFault: t.badName }),
      PasswordRefused: ({ fault }) => again({ passwordFault: passwordFault(plainFrameOf(visit).reader, fault) }),
      InvitationOfAnother: () => Effect.succeed(invitationPage(visit, link, invited)),
      InvitationRefused: () => Effect.fail(refusedOf(visit))
    })
  )
})
