/** People who sign in. */
import * as Browser from "./Browser.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Passwords } from "../../src/identity/signIn/Passwords.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { Users } from "../../src/identity/users/Users.ts"

/** The password of everybody. */
export const password = "correct horse battery staple"

/** A person in a new team. */
export const aPerson = Effect.gen(function* () {
  const [teams, users] = [yield* Teams, yield* Users]
  const random = yield* SecureRandom.SecureRandom
  const email = `eva.brandt.${yield* random.uuidV7()}@example.com`
  const team = yield* teams.create({ name: "Süd <Brokers> & Co", plan: "plus" })
  const user = yield* users.create({ email, name: "Eva Brandt", teamId: team.id, role: "admin", broker: "active" })
  return { email, team, user }
}).pipe(asOperator)

/** A new link by which a person sets a password: its path. */
export const linkOf = (email: string) =>
  Effect.flatMap(Passwords, ({ createLink }) => asOperator(createLink(email))).pipe(
    Effect.map(({ link }) => `/signin/password?link=${link}`)
  )

/** A person with a password, and the browser in which they set it and are signed in. */
export const signedIn = Effect.gen(function* () {
  const person = yield* aPerson
  const browser = yield* Browser.open
  const page = yield* browser.get(yield* linkOf(person.email))
  const reply = yield* browser.submit(page.text, "/signin/password", { password })
  return { ...person, browser, reply }
})

/** The address to which a person returns whom an app sends to `url`: in a new browser, they sign in and allow what it asks for. */
export const signInAndAllow = Effect.fnUntraced(function* (
  url: URL,
  { email, team }: { readonly email: string; readonly team: { readonly id: string } }
) {
  const browser = yield* Browser.open
  const sent = yield* browser.get(`${url.pathname}${url.search}`)
  const signIn = yield* browser.get(sent.headers.get("location") ?? "")
  const back = yield* browser.submit(signIn.text, "/signin", { email, password })
  const page = yield* browser.get(back.headers.get("location") ?? "")
  const allowed = yield* browser.submit(page.text, "/openid/authorize", {
    decision: "allow",
    team: team.id,
    only_reads: ""
  })
  return new URL(allowed.headers.get("location") ?? "")
})
