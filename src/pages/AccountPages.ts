/** The account page: profile, personal access tokens and sessions of the person who is signed in (docs/behaviour/sign-in.md#account). */
import { Effect } from "effect"
import { publicScope } from "../auth/scopes.ts"
import { targetOf } from "../identity/apps/rules.ts"
import { Grants } from "../identity/oauth/Grants.ts"
import { Sessions } from "../identity/sessions/Sessions.ts"
import { personalLifetimeDays } from "../identity/tokens/Token.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import type { Me } from "../identity/users/User.ts"
import { Users } from "../identity/users/Users.ts"
import { html, type Html } from "./html.ts"
import { notice } from "./Layout.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import {
  answerPage,
  formField,
  type PageOptions,
  PageRefused,
  readOwnForm,
  seeOther,
  type SignedIn,
  type Visit
} from "./Visit.ts"

/** The paths of these pages. */
export const paths = {
  account: "/account",
  createToken: "/account/tokens",
  revokeToken: "/account/tokens/revoke",
  endSession: "/account/sessions/end",
  endOthers: "/account/sessions/end-others",
  disconnect: "/account/apps/disconnect"
} as const

const time = (utc: string): Html => html`<time datetime="${utc}">${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC</time>`

const teamsOf = ({ primaryTeam, secondaryTeams = [] }: Me) => [
  ...(primaryTeam === null ? [] : [primaryTeam]),
  ...secondaryTeams
]

const capabilityOf = (status: string | undefined) =>
  status === undefined ? "no" : status === "active" ? "yes" : "requested"

const profile = (me: Me): Html => {
  const teams = teamsOf(me).map(({ membership, name }) => (membership.status === "active" ? name : `${name} (invited)`))
  return html`<section aria-labelledby="profile">
    <h2 id="profile">Profile</h2>
    <dl>
      <dt>Name</dt>
      <dd>${me.name}</dd>
      <dt>E-mail address</dt>
      <dd>${me.email}</dd>
      <dt>Teams</dt>
      <dd>${teams.length === 0 ? "none" : teams.join(", ")}</dd>
      <dt>Broker</dt>
      <dd>${capabilityOf(me.capabilities.broker)}</dd>
      <dt>Investor</dt>
      <dd>${capabilityOf(me.capabilities.investor)}</dd>
    </dl>
  </section>`
}

const button = (visit: Visit, action: string, id: string, label: string, of: string): Html =>
  html`<form method="post" action="${action}">
    ${formField(visit)}<input type="hidden" name="id" value="${id}" /><button
      class="danger"
      type="submit"
      aria-label="${label} ${of}"
    >
      ${label}
    </button>
  </form>`

/** The page of the person who is signed in, with a message. */
const accountPage = Effect.fnUntraced(function* (
  visit: Visit,
  signedIn: SignedIn,
  message?: Html,
  options?: PageOptions
) {
  const [users, tokens, sessions] = [yield* Users, yield* Tokens, yield* Sessions]
  const me = yield* Effect.orDie(users.profileOf(signedIn.userId))
  const teams = teamsOf(me)
  const nameOf = new Map(teams.map(({ id, name }) => [id, name]))
  const listed = yield* tokens.listOwn(signedIn.userId)
  const open = yield* sessions.list(signedIn.userId)
  const apps = yield* (yield* Grants).list(signedIn.userId)
  const others = open.filter(({ id }) => id !== signedIn.session.id)
  return answerPage(
    visit,
    {
      title: "Your account",
      aside: html`<form method="post" action="${signInPaths.signOut}">
        ${formField(visit)}<button class="plain" type="submit">Sign out</button>
      </form>`,
      body: html`<h1>Your account</h1>
        ${message} ${profile(me)}
        <section aria-labelledby="tokens">
          <h2 id="tokens">Personal access tokens</h2>
          <p class="soft">
            A token lets a program call the API in your name and in one team, for ${personalLifetimeDays} days.
          </p>
          ${
            listed.length === 0
              ? html`<p>You have none.</p>`
              : html`<ul class="items">
                  ${listed.map(
                    (token) =>
                      html`<li>
                        <div>
                          <strong>${token.name}</strong><br /><span class="soft"
                            >${nameOf.get(token.teamId) ?? token.teamId}, until ${time(token.expiresUtc)}</span
                          >
                        </div>
                        ${button(visit, paths.revokeToken, token.id, "Revoke", token.name ?? "the token")}
                      </li>`
                  )}
                </ul>`
          }
          ${
            teams.length > 0 &&
            html`<form method="post" action="${paths.createToken}">
              ${formField(visit)}
              <label for="name">What is a new token for?</label>
              <input id="name" name="name" required maxlength="200" autocomplete="off" />
              <label for="team">Team</label>
              <select id="team" name="team">
                ${teams.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
              </select>
              <p class="row"><button type="submit">Create a token</button></p>
            </form>`
          }
        </section>
        <section aria-labelledby="apps">
          <h2 id="apps">Connected apps</h2>
          <p class="soft">Apps that act in your name.</p>
          ${
            apps.length === 0
              ? html`<p>There are none.</p>`
              : html`<ul class="items">
                  ${apps.map(
                    ({ app, createdUtc, id, scopes, team }) =>
                      html`<li>
                        <div>
                          <strong>${app.name}</strong>${app.url !== null && html` (${targetOf(app.url)})`}<br /><span
                            class="soft"
                            >${team.name}, ${scopes.includes(publicScope) ? "reads and changes" : "only reads"}, since
                            ${time(createdUtc)}</span
                          >
                        </div>
                        ${button(visit, paths.disconnect, id, "Disconnect", app.name)}
                      </li>`
                  )}
                </ul>`
          }
        </section>
        <section aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <p class="soft">
            The browsers in which you are signed in. A session ends after 12 hours without use, and after 14 days.
          </p>
          <ul class="items">
            ${open.map(
              (session) =>
                html`<li>
                  <div>
                    <strong>${session.userAgent ?? "Unknown browser"}</strong><br /><span class="soft"
                      >${session.address !== null && html`${session.address}, `}since
                      ${time(session.createdUtc)}${session.id === signedIn.session.id && ", this browser"}</span
                    >
                  </div>
                  ${session.id !== signedIn.session.id && button(visit, paths.endSession, session.id, "End", "the session")}
                </li>`
            )}
          </ul>
          ${
            others.length > 0 &&
            html`<form class="row" method="post" action="${paths.endOthers}">
              ${formField(visit)}<button class="danger" type="submit">End all other sessions</button>
            </form>`
          }
        </section>`
    },
    options
  )
})

/** The person who is signed in; others are sent to the sign-in page, and come back. */
const requireSignedIn = <A, E, R>(visit: Visit, use: (signedIn: SignedIn) => Effect.Effect<A, E, R>) =>
  visit.signedIn === undefined
    ? Effect.succeed(seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(paths.account)}`))
    : use(visit.signedIn)

/** `GET /account` */
export const showAccount = Effect.fn("AccountPages.showAccount")(function* (visit: Visit) {
  return yield* requireSignedIn(visit, (signedIn) => accountPage(visit, signedIn))
})

/** `POST /account/tokens`: the answer shows the token, and nothing shows it again. */
export const createToken = Effect.fn("AccountPages.createToken")(function* (visit: Visit) {
  const { createOwn } = yield* Tokens
  return yield* requireSignedIn(visit, (signedIn) =>
    Effect.gen(function* () {
      const form = yield* readOwnForm(visit)
      const input = { name: form.get("name") ?? "", teamId: form.get("team") ?? "" }
      const refused = (detail: string) => accountPage(visit, signedIn, notice("bad", detail), { status: 422 })
      return yield* createOwn(signedIn.userId, input).pipe(
        Effect.flatMap(({ token }) =>
          accountPage(
            visit,
            signedIn,
            notice("good", html`Copy the new token now. It is not shown again.<code class="secret">${token}</code>`)
          )
        ),
        Effect.catchTags({
          InvalidRequest: ({ errors }) => refused(errors.map(({ detail }) => detail).join(" ")),
          Conflict: ({ detail }) => refused(detail)
        })
      )
    })
  )
})

const gone = new PageRefused({
  status: 404,
  title: "Nothing found",
  detail: "There is nothing with this id any more, or it is not yours."
})

/** A handler of a form with the `id` of something that it ends. */
const ending =
  <E, R>(end: (userId: string, id: string) => Effect.Effect<void, E, R>) =>
  (visit: Visit) =>
    requireSignedIn(visit, ({ userId }) =>
      Effect.gen(function* () {
        const form = yield* readOwnForm(visit)
        yield* Effect.mapError(end(userId, form.get("id") ?? ""), () => gone)
        return seeOther(paths.account)
      })
    )

/** `POST /account/tokens/revoke` */
export const revokeToken = ending((userId, id) => Effect.flatMap(Tokens, (tokens) => tokens.revokeOwn(userId, id)))

/** `POST /account/apps/disconnect` */
export const disconnect = ending((userId, id) => Effect.flatMap(Grants, (grants) => grants.end(userId, id)))

/** `POST /account/sessions/end` */
export const endSession = ending((userId, id) => Effect.flatMap(Sessions, (sessions) => sessions.end(userId, id)))

/** `POST /account/sessions/end-others` */
export const endOthers = Effect.fn("AccountPages.endOthers")(function* (visit: Visit) {
  const sessions = yield* Sessions
  return yield* requireSignedIn(visit, ({ session, userId }) =>
    Effect.gen(function* () {
      yield* readOwnForm(visit)
      const others = (yield* sessions.list(userId)).filter(({ id }) => id !== session.id)
      yield* Effect.forEach(others, ({ id }) => Effect.ignore(sessions.end(userId, id)), { discard: true })
      return seeOther(paths.account)
    })
  )
})
