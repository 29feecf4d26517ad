/** The page on which a person lets an app act for them (docs/behaviour/authorization.md#authorization). */
import { Effect } from "effect"
import { offlineScope, publicScope, readScope } from "../core/auth/CurrentActor.ts"
import { isLoopback, isPrivateScheme, policySourceOf, targetOf } from "../identity/apps/rules.ts"
import { Authorizations, type PendingAuthorization } from "../identity/oauth/Grants.ts"
import {
  answerAddress,
  type AuthorizationRefused,
  type AuthorizationRequest,
  namesDocument,
  type Parameters
} from "../identity/oauth/rules.ts"
import { Users } from "../identity/users/Users.ts"
import { html, type Html } from "./Html.ts"
import { notice } from "./Parts.ts"
import {
  answerPage,
  formField,
  PageRefused,
  readOwnForm,
  seeOther,
  shortened,
  type SignedIn,
  type Visit
} from "./Visit.ts"
import { paths as signInPaths } from "./SignInPages.ts"

/** The path of this page. */
export const path = "/openid/authorize"

const parametersOf = (search: string): Parameters => {
  const parameters = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(search))
    parameters.set(name, [...(parameters.get(name) ?? []), value])
  return parameters
}

const searchOf = (url: string): string => {
  const query = url.indexOf("?")
  return query < 0 ? "" : url.slice(query + 1)
}

/** The address of an app with an answer for it, its state and the issuer (RFC 9207). */
const answerFor = (
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  iss: string,
  answer: Readonly<Record<string, string>>
): string => answerAddress(redirectUri, { ...answer, ...(state === undefined ? {} : { state }), iss })

/** A page that leads on to an app. */
const leadingPage = (visit: Visit, address: string, detail: string) =>
  answerPage(
    visit,
    {
      title: "You return to the app",
      isNarrow: true,
      isRefusal: true,
      body: html`<section>
        <h1>You return to the app</h1>
        ${notice("bad", `It asked for what it cannot get. ${detail}`)}
        <p><a href="${address}">Return to ${targetOf(address)}</a></p>
      </section>`
    },
    { headers: { refresh: `0;url=${address}` } }
  )

/** Answers what the app may not ask: to the app if it is sure that it is the app, else to the person. */
const answerRefused = (visit: Visit, { description, error, redirectTo }: AuthorizationRefused) => {
  if (redirectTo === undefined) {
    return Effect.fail(
      new PageRefused({ status: 400, title: "This app asks in a way that cannot be answered", detail: description })
    )
  }
  const address = answerFor({ redirectUri: redirectTo.uri, state: redirectTo.state }, visit.baseUrl, {
    error,
    error_description: description
  })
  const { headers, method } = visit.request
  // Browsers hold redirects to the policy of the form that they began with, and that of the sign-in page lets none through.
  return Effect.succeed(
    method === "GET" && headers["sec-fetch-site"] === "same-origin"
      ? leadingPage(visit, address, description)
      : seeOther(address)
  )
}

const meanings: { readonly [scope: string]: string } = {
  [readScope]: "Read what you can read in the team: contacts, projects, prospects, offers and all else",
  [publicScope]:
    "Read and change what you can read and change in the team: contacts, projects, prospects, offers and all else",
  [offlineScope]: "Stay connected while you are away, until you disconnect it or it is not used for 30 days"
}

const appOf = ({ documentUrl, name }: PendingAuthorization["app"]): string =>
  documentUrl === null ? name : `${name} (${targetOf(documentUrl)})`

interface TeamChoice {
  readonly id: string
  readonly name: string
}

/** The choice of a team; of a single one, there is none. */
const teamField = (teams: ReadonlyArray<TeamChoice>): Html =>
  teams.length === 1
    ? html`<input type="hidden" name="team" value="${teams[0]?.id}" />`
    : html`<label for="team">In the team</label>
        <select id="team" name="team">
          ${teams.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
        </select>`

const cancel = html`<button class="plain" type="submit" name="decision" value="deny">Cancel</button>`

/** What the app may do, and the choices of a person who can allow it. */
const choices = ({ scopes }: AuthorizationRequest, teams: ReadonlyArray<TeamChoice>): Html =>
  html`${teamField(teams)}
    <h2>It may</h2>
    <ul class="scopes">
      ${scopes.map((scope) => html`<li>${meanings[scope]}</li>`)}
      ${!scopes.includes(offlineScope) && html`<li>Stay connected for an hour; then it must ask you again</li>`}
    </ul>
    ${
      scopes.includes(publicScope) &&
      html`<label class="choice"><input type="checkbox" name="only_reads" value="yes" />Only let it read</label>`
    }
    <p class="row"><button type="submit" name="decision" value="allow">Allow</button>${cancel}</p>
    <p class="hint">You can end this at any time, on your account page.</p>`

const consentPage = Effect.fnUntraced(function* (visit: Visit, signedIn: SignedIn, pending: PendingAuthorization) {
  const { teamsOf } = yield* Authorizations
  const { app, request } = pending
  const me = yield* Effect.orDie((yield* Users).profileOf(signedIn.userId))
  const teams = (yield* teamsOf(signedIn.userId)).map(({ team }) => team)
  const title = `Let ${shortened(app.name)} act for you`
  return answerPage(
    visit,
    {
      title,
      isNarrow: true,
      isRefusal: teams.length === 0,
      body: html`<section>
        <h1>${title}?</h1>
        <dl>
          <dt>App</dt>
          <dd>${appOf(app)}</dd>
          <dt>You</dt>
          <dd>${me.name} (${me.email})</dd>
          ${
            teams.length === 1 &&
            html`<dt>In the team</dt>
              <dd>${teams[0]?.name}</dd>`
          }
          <dt>You return to</dt>
          <dd><strong>${targetOf(request.redirectUri)}</strong></dd>
        </dl>
        ${(isLoopback(request.redirectUri) || isPrivateScheme(request.redirectUri)) && notice("warn", "The app runs on your own machine, where every program can pretend to be it. Go on only if you have just started it.")}
        ${app.isRegistered && notice("warn", "The app gave itself this name, which nobody has checked. Go on only if you have just asked it to connect.")}
        ${teams.length === 0 && notice("bad", "You belong to no team in which an app could act.")}
        <form method="post" action="${path}">
          ${formField(visit)}
          <input type="hidden" name="request" value="${searchOf(visit.request.url)}" />
          ${teams.length === 0 ? html`<p class="row">${cancel}</p>` : choices(request, teams)}
        </form>
      </section>`
    },
    { formLeadsTo: policySourceOf(request.redirectUri) }
  )
})

/** To the sign-in page, which leads back to the request of an app. */
const toSignIn = (search: string) => seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(`${path}?${search}`)}`)

/** `GET /openid/authorize` */
export const showConsent = Effect.fn("ConsentPages.showConsent")(function* (visit: Visit) {
  const { read } = yield* Authorizations
  const search = searchOf(visit.request.url)
  const parameters = parametersOf(search)
  if (visit.signedIn === undefined && namesDocument(parameters)) return toSignIn(search)
  return yield* read(parameters, visit.baseUrl, visit.signedIn?.userId).pipe(
    Effect.matchEffect({
      onFailure: (refused) => answerRefused(visit, refused),
      onSuccess: (pending) =>
        visit.signedIn === undefined ? Effect.succeed(toSignIn(search)) : consentPage(visit, visit.signedIn, pending)
    })
  )
})

/** `POST /openid/authorize`: everything is checked again, as if the person came from the app. */
export const decide = Effect.fn("ConsentPages.decide")(function* (visit: Visit) {
  const { grant, read } = yield* Authorizations
  const form = yield* readOwnForm(visit)
  const { baseUrl, signedIn } = visit
  const search = form.get("request") ?? ""
  if (signedIn === undefined) return toSignIn(search)
  return yield* read(parametersOf(search), baseUrl, signedIn.userId).pipe(
    Effect.matchEffect({
      onFailure: (refused) => answerRefused(visit, refused),
      onSuccess: (pending) =>
        Effect.gen(function* () {
          const answer = (parameters: Readonly<Record<string, string>>) =>
            seeOther(answerFor(pending.request, baseUrl, parameters))
          if (form.get("decision") !== "allow") {
            return answer({ error: "access_denied", error_description: "The person declined." })
          }
          const code = yield* grant(signedIn.userId, pending, {
            teamId: form.get("team") ?? "",
            onlyReads: form.get("only_reads") === "yes"
          })
          return code === undefined
            ? answer({ error: "access_denied", error_description: "The person does not belong to this team." })
            : answer({ code })
        })
    })
  )
})
