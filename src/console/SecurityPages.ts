/** The password of the person who is signed in, and the browsers in which they are (docs/behaviour/console.md#account). */
import { Effect, Redacted } from "effect"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { maxPasswordLength, minPasswordLength } from "../identity/signIn/rules.ts"
import { type Session, Sessions } from "../identity/signIn/Sessions.ts"
import { accountBody, paths, words } from "./AccountParts.ts"
import { get, Goto, type PageRequest, post, View } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { table } from "./Lists.ts"
import { button, card, field, hidden, notice, pill } from "./Parts.ts"
import { passwordFault, signedOut, tooManyAttempts } from "./SignInPages.ts"
import { common, moment } from "./Texts.ts"
import { browserOf, formField, nothingFound } from "./Visit.ts"

/** Why a password was not changed: what is wrong with the present or the new one, or something else. */
interface Refusal {
  readonly present?: string
  readonly next?: string
  readonly other?: string
}

const passwordForm = ({ reader, visit }: PageRequest, { next, present }: Refusal): Html => {
  const t = words[reader.language]
  return html`<form class="stack" method="post" action="${paths.security}">
    ${formField(visit)}
    <div class="fields">
      ${field({ id: "present", name: "present", label: t.presentPassword, type: "password", autocomplete: "current-password", isRequired: true, maxLength: maxPasswordLength, fault: present })}
      ${field({ id: "next", name: "next", label: t.newPassword, type: "password", autocomplete: "new-password", isRequired: true, maxLength: maxPasswordLength, hint: t.passwordHint(minPasswordLength), fault: next })}
    </div>
    <div class="row">${button(t.passwordChange, { kind: "main" })}</div>
  </form>`
}

const sessionsTable = (page: PageRequest, sessions: ReadonlyArray<Session>): Html => {
  const { reader, visit } = page
  const t = words[reader.language]
  const nameOf = ({ userAgent }: Session) => (userAgent === null ? t.unknownBrowser : browserOf(userAgent, t.on))
  const isThis = ({ id }: Session) => id === visit.signedIn?.session.id
  return table(page, {
    caption: t.sessions,
    rows: sessions,
    idOf: ({ id }) => `session-${id}`,
    columns: [
      {
        key: "browser",
        title: t.browser,
        is: "name",
        cell: (session) => html`${nameOf(session)} ${isThis(session) && pill("good", t.thisBrowser)}`
      },
      { key: "address", title: t.address, cell: ({ address }) => address ?? common[reader.language].unknown },
      { key: "since", title: t.since, is: "more", cell: ({ createdUtc }) => moment(reader, createdUtc) },
      {
        key: "used",
        title: common[reader.language].lastUsed,
        is: "more",
        cell: ({ lastUsedUtc }) => moment(reader, lastUsedUtc)
      },
      {
        key: "end",
        title: common[reader.language].actions,
        cell: (session) =>
          !isThis(session) &&
          html`<form method="post" action="${paths.endSession}">
            ${formField(visit)}${hidden("id", session.id)}
            ${button(t.end, { kind: "danger", of: t.sessionIn(nameOf(session)) })}
          </form>`
      }
    ]
  })
}

const sessionsCard = (page: PageRequest, sessions: ReadonlyArray<Session>): Html => {
  const t = words[page.reader.language]
  const form = (action: string, label: string) =>
    html`<form method="post" action="${action}">${formField(page.visit)}${button(label, { kind: "danger" })}</form>`
  return card(
    "sessions",
    t.sessions,
    html`<p class="soft">${t.sessionsAbout}</p>
      ${sessionsTable(page, sessions)}
      <div class="row">
        ${sessions.length > 1 && form(paths.endOthers, t.endOthers)} ${form(paths.endAll, t.endAll)}
      </div>`
  )
}

const securityPage = Effect.fnUntraced(function* (page: PageRequest, refusal?: Refusal) {
  const [passwords, sessions] = [yield* Passwords, yield* Sessions]
  const t = words[page.reader.language]
  const hasPassword = yield* passwords.has(page.userId)
  const open = yield* sessions.list(page.userId)
  return new View({
    title: t.security,
    ...(refusal === undefined ? {} : { status: 422 }),
    body: accountBody(
      page,
      paths.security,
      html`${refusal !== undefined && notice("bad", refusal.other ?? t.passwordRefused)}
      ${card(
        "password",
        t.password,
        hasPassword
          ? html`<p class="soft">${t.passwordAbout}</p>
              ${passwordForm(page, refusal ?? {})}`
          : html`<p class="soft">${t.noPassword}</p>`
      )}
      ${sessionsCard(page, open)}`
    )
  })
})

const showSecurity = get(paths.security, (page) => securityPage(page))

const changePassword = post(paths.security, (page) =>
  Effect.gen(function* () {
    const { change } = yield* Passwords
    const { form, reader, userId, visit } = page
    const t = words[reader.language]
    const sent = (name: string) => Redacted.make(form.values.get(name) ?? "")
    return yield* change(userId, visit.signedIn?.session.id ?? "", {
      present: sent("present"),
      next: sent("next")
    }).pipe(
      Effect.as(new Goto({ path: paths.security, note: t.passwordChanged })),
      Effect.catchTags({
        PresentPasswordRefused: () => securityPage(page, { present: t.presentWrong }),
        PasswordRefused: ({ fault }) => securityPage(page, { next: passwordFault(reader, fault) }),
        TooManyAttempts: ({ retryAfterSeconds }) =>
          securityPage(page, { other: tooManyAttempts(reader, retryAfterSeconds) })
      })
    )
  })
)

const endSession = post(paths.endSession, ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const { end } = yield* Sessions
    yield* Effect.mapError(end(userId, form.text("id") ?? ""), () => nothingFound)
    return new Goto({ path: paths.security, note: words[reader.language].ended })
  })
)

const endOthers = post(paths.endOthers, ({ reader, userId, visit }) =>
  Effect.gen(function* () {
    const { endAll } = yield* Sessions
    const count = yield* endAll(userId, visit.signedIn?.session.id)
    return new Goto({ path: paths.security, note: words[reader.language].endedOthers(count) })
  })
)

const signOutEverywhere = post(paths.endAll, ({ reader, userId, visit }) =>
  Effect.gen(function* () {
    const { endAll } = yield* Sessions
    yield* endAll(userId)
    return signedOut(visit, words[reader.language].signedOutEverywhere)
  })
)

/** The pages of the password and the sessions. */
export const pages = [showSecurity, changePassword, endSession, endOthers, signOutEverywhere]
