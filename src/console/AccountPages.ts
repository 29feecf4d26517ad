/** The account page: profile, personal access tokens and sessions of the person who is signed in (docs/behaviour/sign-in.md#account). */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Grants } from "../identity/oauth/Grants.ts"
import { Sessions } from "../identity/sessions/Sessions.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { Users } from "../identity/users/Users.ts"
import {
  appsSection,
  type Attempt,
  paths,
  profileSection,
  sessionsSection,
  teamAppsSection,
  tokensSection
} from "./AccountSections.ts"
import { html } from "./Layout.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import { answerPage, formField, PageRefused, readOwnForm, seeOther, type SignedIn, type Visit } from "./Visit.ts"

/** The page of the person who is signed in. */
const accountPage = Effect.fnUntraced(function* (visit: Visit, signedIn: SignedIn, attempt: Attempt = {}) {
  const [users, tokens, sessions] = [yield* Users, yield* Tokens, yield* Sessions]
  const me = yield* Effect.orDie(users.profileOf(signedIn.userId))
  const listed = yield* tokens.listOwn(signedIn.userId)
  const open = yield* sessions.list(signedIn.userId)
  const grants = yield* Grants
  const apps = yield* grants.list(signedIn.userId)
  const teamApps = yield* grants.listAdministered(signedIn.userId)
  const random = yield* SecureRandom.SecureRandom
  const formName = yield* random.uuidV7()
  return answerPage(
    visit,
    {
      title: "Your account",
      isRefusal: attempt.refusal !== undefined,
      aside: html`<form method="post" action="${signInPaths.signOut}">
        ${formField(visit)}<button class="plain" type="submit">Sign out</button>
      </form>`,
      body: html`<h1>Your account</h1>
        ${profileSection(me)} ${tokensSection(visit, me, listed, attempt, formName)} ${appsSection(visit, apps)}
        ${teamAppsSection(visit, me, teamApps)} ${sessionsSection(visit, open, signedIn.session.id)}`
    },
    { status: attempt.refusal === undefined ? 200 : 422 }
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

/**
 * `POST /account/tokens`: the answer shows the token, and nothing shows it again. So it does not redirect, as others do: what is shown
 * once belongs in no address. A reload sends the form again, which makes no other token.
 */
export const createToken = Effect.fn("AccountPages.createToken")(function* (visit: Visit) {
  const { createOwn } = yield* Tokens
  return yield* requireSignedIn(visit, (signedIn) =>
    Effect.gen(function* () {
      const form = yield* readOwnForm(visit)
      const input = { name: form.get("name") ?? "", teamId: form.get("team") ?? "" }
      const refused = (refusal: string, isNameWrong = false) =>
        accountPage(visit, signedIn, { refusal, isNameWrong, entered: input })
      return yield* createOwn(signedIn.userId, input, form.get("form") ?? "").pipe(
        Effect.flatMap((created) =>
          accountPage(visit, signedIn, created === undefined ? { isRepeated: true } : { token: created.token })
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
})

const gone = new PageRefused({
  status: 404,
  title: "Nothing found",
  detail: "There is nothing with this id any more, or it is not yours."
})

/** A handler of a form with the `id` of something that it ends: leads back to its section of the page. */
const ending =
  <E, R>(section: string, end: (userId: string, id: string) => Effect.Effect<void, E, R>) =>
  (visit: Visit) =>
    requireSignedIn(visit, ({ userId }) =>
      Effect.gen(function* () {
        const form = yield* readOwnForm(visit)
        yield* Effect.mapError(end(userId, form.get("id") ?? ""), () => gone)
        return seeOther(`${paths.account}#${section}`)
      })
    )

/** `POST /account/tokens/revoke` */
export const revokeToken = ending("tokens", (userId, id) =>
  Effect.flatMap(Tokens, (tokens) => tokens.revokeOwn(userId, id))
)

/** `POST /account/apps/disconnect` */
export const disconnect = ending("apps", (userId, id) => Effect.flatMap(Grants, (grants) => grants.end(userId, id)))

/** `POST /account/sessions/end` */
export const endSession = ending("sessions", (userId, id) =>
  Effect.flatMap(Sessions, (sessions) => sessions.end(userId, id))
)

/** `POST /account/sessions/end-others` */
export const endOthers = Effect.fn("AccountPages.endOthers")(function* (visit: Visit) {
  const sessions = yield* Sessions
  return yield* requireSignedIn(visit, ({ session, userId }) =>
    Effect.gen(function* () {
      yield* readOwnForm(visit)
      const others = (yield* sessions.list(userId)).filter(({ id }) => id !== session.id)
      yield* Effect.forEach(others, ({ id }) => Effect.ignore(sessions.end(userId, id)), { discard: true })
      return seeOther(`${paths.account}#sessions`)
    })
  )
})
