/**
 * The account page: profile, personal access tokens, apps and sessions of the person who is signed in
 * (docs/behaviour/sign-in.md#account): its sections, then what its forms do.
 */
import { publicScope } from "../core/auth/CurrentActor.ts"
import { targetOf } from "../identity/apps/rules.ts"
import { type Grant, Grants } from "../identity/oauth/Grants.ts"
import { type Session, Sessions } from "../identity/signIn/Sessions.ts"
import { personalLifetimeDays, type Token } from "../identity/tokens/Token.ts"
import type { Me } from "../identity/users/User.ts"
import { get, Goto, type PageRequest, post, View } from "./Console.ts"
import { html, type Html, type Part } from "./Html.ts"
import { corrected, head, notice } from "./Parts.ts"
import { moment, type Reader } from "./Texts.ts"
import { browserOf, formField, PageRefused, type Visit } from "./Visit.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { Users } from "../identity/users/Users.ts"

/** The paths of the account page and its forms. */
export const paths = {
  account: "/console/account",
  createToken: "/console/account/tokens",
  revokeToken: "/console/account/tokens/revoke",
  endSession: "/console/account/sessions/end",
  endOthers: "/console/account/sessions/end-others",
  disconnect: "/console/account/apps/disconnect"
} as const

const teamsOf = ({ primaryTeam, secondaryTeams = [] }: Me) => [
  ...(primaryTeam === null ? [] : [primaryTeam]),
  ...secondaryTeams
]

const capabilityOf = (status: string | undefined) =>
  status === undefined ? "No" : status === "active" ? "Yes" : "Requested"

const section = (id: string, title: string, body: Html): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`

/** Something that a person can end: what it is, more about it, and the button. */
const item = (
  visit: Visit,
  { about, end, name }: { readonly name: Part; readonly about: Part; readonly end: EndButton | undefined }
): Html =>
  html`<li>
    <div>
      <div class="name">${name}</div>
      <div class="soft">${about}</div>
    </div>
    ${
      end !== undefined &&
      html`<form method="post" action="${end.action}">
        ${formField(visit)}<input type="hidden" name="id" value="${end.id}" /><button
          class="danger"
          type="submit"
          aria-label="${end.label} ${end.of}"
        >
          ${end.label}
        </button>
      </form>`
    }
  </li>`

interface EndButton {
  readonly action: string
  readonly id: string
  readonly label: string
  /** What it ends: screen readers read it after the label. */
  readonly of: string
}

const list = (items: ReadonlyArray<Html>, empty: string): Html =>
  items.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="items" role="list">
        ${items}
      </ul>`

/** Who the person is. */
const profileSection = (me: Me): Html => {
  const teams = teamsOf(me).map(({ membership, name }) => (membership.status === "active" ? name : `${name} (invited)`))
  return section(
    "profile",
    "Profile",
    html`<dl>
      <dt>Name</dt>
      <dd>${me.name}</dd>
      <dt>E-mail address</dt>
      <dd>${me.email}</dd>
      <dt>Teams</dt>
      <dd>${teams.length === 0 ? "None" : teams.join(", ")}</dd>
      <dt>Broker</dt>
      <dd>${capabilityOf(me.capabilities.broker)}</dd>
      <dt>Investor</dt>
      <dd>${capabilityOf(me.capabilities.investor)}</dd>
    </dl>`
  )
}

/** How the attempt to create a token ended, if there was one. */
interface Attempt {
  readonly token?: string
  /** Whether the form was sent before. */
  readonly isRepeated?: boolean
  readonly refusal?: string
  readonly isNameWrong?: boolean
  /** What the person had entered. */
  readonly entered?: { readonly name: string; readonly teamId: string }
}

const newToken = (token: string): Html =>
  html`${notice("good", "The token was created. Copy it now: it is not shown again.")}
    <label for="token">New token</label>
    <input id="token" class="secret" type="text" readonly autofocus autocomplete="off" value="${token}" />`

const repeated = notice(
  "good",
  "This form was sent before. Its token was created then, and is not shown again: if you have not copied it, revoke it, and create another one."
)

const newTokenForm = (
  visit: Visit,
  me: Me,
  { entered, isNameWrong = false, refusal }: Attempt,
  formName: string
): Html =>
  html`<form class="new" method="post" action="${paths.createToken}">
    ${formField(visit)}<input type="hidden" name="form" value="${formName}" />
    ${refusal !== undefined && notice("bad", refusal)}
    <div class="fields">
      <div>
        <label for="name">What is a new token for?</label>
        <input
          id="name"
          name="name"
          required
          maxlength="200"
          autocomplete="off"
          value="${entered?.name}"
          ${corrected(isNameWrong)}
        />
      </div>
      <div>
        <label for="team">Team</label>
        <select id="team" name="team">
          ${teamsOf(me).map(
            ({ id, name }) => html`<option value="${id}" ${id === entered?.teamId && html` selected`}>${name}</option>`
          )}
        </select>
      </div>
    </div>
    <button type="submit">Create a token</button>
  </form>`

/** The personal access tokens, and the form for a new one, which has a name of its own: it is good once. */
const tokensSection = (
  { reader, visit }: PageRequest,
  me: Me,
  tokens: ReadonlyArray<Token>,
  attempt: Attempt,
  formName: string
): Html => {
  const nameOf = new Map(teamsOf(me).map(({ id, name }) => [id, name]))
  return section(
    "tokens",
    "Personal access tokens",
    html`<p class="soft">
        A token lets a program call the API in your name and in one team, for ${personalLifetimeDays} days.
      </p>
      ${attempt.token !== undefined && newToken(attempt.token)} ${attempt.isRepeated === true && repeated}
      ${list(
        tokens.map(({ expiresUtc, id, name, teamId }) =>
          item(visit, {
            name,
            about: html`${nameOf.get(teamId) ?? teamId}, until ${moment(reader, expiresUtc)}`,
            end: { action: paths.revokeToken, id, label: "Revoke", of: name ?? "the token" }
          })
        ),
        "You have no tokens."
      )}
      ${
        nameOf.size === 0
          ? html`<p class="hint">You can create one as soon as you belong to a team.</p>`
          : newTokenForm(visit, me, attempt, formName)
      }`
  )
}

const appName = ({ app }: Grant) => (app.url === null ? app.name : `${app.name} (${targetOf(app.url)})`)

/** What an app may do, in which team, and since when. */
const granted = (reader: Reader, { createdUtc, scopes, team }: Grant): Html =>
  html`${team.name}, ${scopes.includes(publicScope) ? "reads and changes" : "only reads"}, since
  ${moment(reader, createdUtc)}`

/** The apps that act for the person. */
const appsSection = ({ reader, visit }: PageRequest, grants: ReadonlyArray<Grant>): Html =>
  section(
    "apps",
    "Connected apps",
    html`<p class="soft">Apps that you let act in your name.</p>
      ${list(
        grants.map((grant) =>
          item(visit, {
            name: appName(grant),
            about: granted(reader, grant),
            end: {
              action: paths.disconnect,
              id: grant.id,
              label: "Disconnect",
              of: `${grant.app.name} from ${grant.team.name}`
            }
          })
        ),
        "No app acts in your name."
      )}`
  )

/** The apps that act for others in the teams that the person administers; nothing if there is no such team. */
const teamAppsSection = ({ reader, visit }: PageRequest, me: Me, grants: ReadonlyArray<Grant>): Html | undefined =>
  teamsOf(me).every(({ membership: { role, status } }) => role !== "admin" || status !== "active")
    ? undefined
    : section(
        "team-apps",
        "Apps of your teams",
        html`<p class="soft">
            Apps that other members let act in the teams that you administer. Their owners, and the operator of this
            service, can disconnect them.
          </p>
          ${list(
            grants.map((grant) =>
              item(visit, {
                name: appName(grant),
                about: html`${grant.user.name}${grant.user.email !== null && ` (${grant.user.email})`},
                ${granted(reader, grant)}`,
                end: undefined
              })
            ),
            "No app acts for other members."
          )}`
      )

/** The browsers in which the person is signed in; `current` is the session of this one. */
const sessionsSection = ({ reader, visit }: PageRequest, sessions: ReadonlyArray<Session>): Html =>
  section(
    "sessions",
    "Sessions",
    html`<p class="soft">
        The browsers in which you are signed in. A session ends after 12 hours without use, and after 14 days.
      </p>
      ${list(
        sessions.map(({ address, createdUtc, id, userAgent }) => {
          const browser = userAgent === null ? "Unknown browser" : browserOf(userAgent)
          return item(visit, {
            name: html`${browser}${id === visit.signedIn?.session.id && html` <span class="badge">this browser</span>`}`,
            about: html`${address !== null && `${address}, `}since ${moment(reader, createdUtc)}`,
            end:
              id === visit.signedIn?.session.id
                ? undefined
                : { action: paths.endSession, id, label: "End", of: `the session in ${browser}` }
          })
        }),
        "There are none."
      )}
      ${
        sessions.length > 1 &&
        html`<form method="post" action="${paths.endOthers}">
          ${formField(visit)}<button class="danger" type="submit">End all other sessions</button>
        </form>`
      }`
  )

/** The page of the person who is signed in. */
const accountPage = Effect.fnUntraced(function* (request: PageRequest, attempt: Attempt = {}) {
  const { userId } = request
  const [users, tokens, sessions, grants] = [yield* Users, yield* Tokens, yield* Sessions, yield* Grants]
  const random = yield* SecureRandom.SecureRandom
  const me = yield* Effect.orDie(users.profileOf(userId))
  const listed = yield* tokens.listOwn(userId)
  const open = yield* sessions.list(userId)
  const apps = yield* grants.list(userId)
  const teamApps = yield* grants.listAdministered(userId)
  const formName = yield* random.uuidV7()
  return new View({
    title: "Your account",
    status: attempt.refusal === undefined ? 200 : 422,
    isSecret: attempt.token !== undefined,
    body: html`${head({ title: "Your account" })} ${profileSection(me)}
    ${tokensSection(request, me, listed, attempt, formName)} ${appsSection(request, apps)}
    ${teamAppsSection(request, me, teamApps)} ${sessionsSection(request, open)}`
  })
})

const showAccount = get(paths.account, (request) => accountPage(request))

/**
 * The answer shows the token, and nothing shows it again. So it does not redirect, as others do: what is shown once belongs in no
 * address. A reload sends the form again, which makes no other token.
 */
const createToken = post(paths.createToken, (request) =>
  Effect.gen(function* () {
    const { createOwn } = yield* Tokens
    const { form, userId } = request
    const input = { name: form.values.get("name") ?? "", teamId: form.text("team") ?? "" }
    const refused = (refusal: string, isNameWrong = false) =>
      accountPage(request, { refusal, isNameWrong, entered: input })
    return yield* createOwn(userId, input, form.text("form") ?? "").pipe(
      Effect.flatMap((created) =>
        accountPage(request, created === undefined ? { isRepeated: true } : { token: created.token })
      ),
      Effect.catchTags({
        InvalidRequest: ({ errors }) =>
          errors.some(({ pointer }) => pointer === "/name")
            ? refused("Say what the token is for, in at most 200 characters.", true)
            : refused(errors.map(({ detail }) => detail).join(" ")),
        Conflict: ({ detail }) => refused(detail)
      })
    )
  })
)

const gone = new PageRefused({
  status: 404,
  title: "Nothing found",
  detail: "There is nothing with this id any more, or it is not yours."
})

/** A form with the `id` of something that it ends: leads back to its section of the page. */
const ending = <E, R>(
  path: `/${string}`,
  section: string,
  end: (userId: string, id: string) => Effect.Effect<void, E, R>
) =>
  post(path, ({ form, userId }) =>
    end(userId, form.text("id") ?? "").pipe(
      Effect.mapError(() => gone),
      Effect.as(new Goto({ path: `${paths.account}#${section}` }))
    )
  )

const revokeToken = ending(paths.revokeToken, "tokens", (userId, id) =>
  Effect.flatMap(Tokens, (tokens) => tokens.revokeOwn(userId, id))
)

const disconnect = ending(paths.disconnect, "apps", (userId, id) =>
  Effect.flatMap(Grants, (grants) => grants.end(userId, id))
)

const endSession = ending(paths.endSession, "sessions", (userId, id) =>
  Effect.flatMap(Sessions, (sessions) => sessions.end(userId, id))
)

const endOthers = post(paths.endOthers, ({ userId, visit }) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const others = (yield* sessions.list(userId)).filter(({ id }) => id !== visit.signedIn?.session.id)
    yield* Effect.forEach(others, ({ id }) => Effect.ignore(sessions.end(userId, id)), { discard: true })
    return new Goto({ path: `${paths.account}#sessions` })
  })
)

/** The account page and what its forms do. */
export const pages = [showAccount, createToken, revokeToken, disconnect, endSession, endOthers]
