/** Clients and apps that ask for tokens, without pages, so that tests move their clock. */
import * as Id from "../../../src/core/Id.ts"
import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { asOperator } from "../../../src/core/auth/CurrentActor.ts"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { Apps } from "../../../src/identity/apps/Apps.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { Authorizations } from "../../../src/identity/oauth/Grants.ts"
import { OAuth } from "../../../src/identity/oauth/OAuth.ts"
import { aPerson } from "../../console/people.ts"

const baseUrl = "https://api.example.com"
const redirectUri = "https://radar.example.com/callback"
const verifier = "v".repeat(43)

interface PersonInTeam {
  readonly user: { readonly id: string }
  readonly team: { readonly id: string }
}

type Members = Readonly<Record<string, string>>

const ask = (members: Members) =>
  Effect.flatMap(OAuth, ({ issue }) =>
    issue({ authorization: undefined, form: new Map(Object.entries(members)), baseUrl, address: null })
  )

/** Whether the API accepts a token. */
export const isAccepted = (token: string) =>
  Effect.flatMap(Authentication, ({ authenticate }) => Effect.map(Effect.result(authenticate(token)), Result.isSuccess))

/** A client of a new team. `id` is a UUID. */
export const aClient = Effect.gen(function* () {
  const { team } = yield* aPerson
  const clients = yield* Clients
  const made = yield* asOperator(clients.create({ teamId: team.id, name: "CRM sync", botName: "Sync Bot" }))
  return { id: Id.toUuid("client", made.client_id) ?? "", issue: ask({ grant_type: "client_credentials", ...made }) }
})

/** An app that a person lets act for them. `appId` is a UUID. */
export const anAppOf = Effect.fnUntraced(function* <Person extends PersonInTeam>(person: Person) {
  const [apps, authorizations] = [yield* Apps, yield* Authorizations]
  const userId = Id.toUuid("user", person.user.id) ?? ""
  const { client_id } = yield* asOperator(
    apps.create({ name: "Radar", redirectUris: [redirectUri], confidential: false })
  )
  const asked = {
    response_type: "code",
    client_id,
    redirect_uri: redirectUri,
    scope: "api:public offline_access",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  }
  const parameters = new Map(Object.entries(asked).map(([name, value]) => [name, [value]]))
  /** The code of a new sign-in. */
  const allow = Effect.gen(function* () {
    const pending = yield* authorizations.read(parameters, baseUrl, userId)
    return (yield* authorizations.grant(userId, pending, { teamId: person.team.id, onlyReads: false })) ?? ""
  })
  const exchange = (code: string) =>
    ask({ grant_type: "authorization_code", client_id, code, redirect_uri: redirectUri, code_verifier: verifier })
  const refresh = (token: string) => ask({ grant_type: "refresh_token", client_id, refresh_token: token })
  const revoke = (token: string) =>
    Effect.flatMap(OAuth, (oauth) =>
      oauth.revoke({
        authorization: undefined,
        form: new Map(Object.entries({ client_id, token })),
        baseUrl,
        address: null
      })
    )
  return { ...person, appId: Id.toUuid("client", client_id) ?? "", allow, exchange, refresh, revoke }
})

/** A person in a new team, and an app that they let act for them. `appId` is a UUID. */
export const anApp = Effect.flatMap(aPerson, anAppOf)
