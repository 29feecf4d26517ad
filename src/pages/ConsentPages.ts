/** The page on which a person lets an app act for them (docs/behaviour/authorization.md#authorization). */
import { Effect } from "effect"
import { offlineScope, publicScope, readScope } from "../auth/scopes.ts"
import { isLoopback, policySourceOf, targetOf } from "../identity/apps/rules.ts"
import { Authorizations, type PendingAuthorization } from "../identity/oauth/Authorizations.ts"
import type { AuthorizationRefused, AuthorizationRequest, Parameters } from "../identity/oauth/rules.ts"
import { Users } from "../identity/users/Users.ts"
import { html, type Html } from "./html.ts"
import { notice } from "./Layout.ts"
import { paths as signInPaths } from "./SignInPages.ts"
import { answerPage, formField, PageRefused, readOwnForm, seeOther, type SignedIn, type Visit } from "./Visit.ts"

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

/** The address of an app with an answer for it (RFC 6749 §4.1.2 and RFC 9207). */
const returnTo = (
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  iss: string,
  answer: Readonly<Record<string, string>>
) => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }), iss })) {
    url.searchParams.set(name, value)
  }
  return seeOther(url.href)
}

/** Answers what the app may not ask: to the app if it is sure that it is the app, else to the person. */
const answerRefused = (visit: Visit, { description, error, redirectTo }: AuthorizationRefused) =>
  redirectTo === undefined
    ? Effect.fail(
        new PageRefused({ status: 400, title: "This app asks in a way that cannot be answered", detail: description })
      )
    : Effect.succeed(
        returnTo({ redirectUri: redirectTo.uri, state: redirectTo.state }, visit.baseUrl, {
          error,
          error_description: description
        })
      )

const meanings: { readonly [scope: string]: string } = {
  [readScope]: "Read what you can read in the team: contacts, projects, prospects, offers and all else",
  [publicScope]:
    "Read and change what you can read and change in the team: contacts, projects, prospects, offers and all else",
  [offlineScope]: "Stay connected while you are away, until you disconnect it or it is not used for 30 days"
}

const appOf = ({ documentUrl, name }: PendingAuthorization["app"]): Html =>
  documentUrl === null ? html`<strong>${name}</strong>` : html`<strong>${name}</strong> (${targetOf(documentUrl)})`

const consentPage = Effect.fnUntraced(function* (visit: Visit, signedIn: SignedIn, pending: PendingAuthorization) {
  const { teamsOf } = yield* Authorizations
  const { app, request } = pending
  const me = yield* Effect.orDie((yield* Users).profileOf(signedIn.userId))
  const teams = yield* teamsOf(signedIn.userId)
  const target = targetOf(request.redirectUri)
  return answerPage(
    visit,
    {
      title: `Let ${app.name} act for you`,
      isNarrow: true,
      body: html`<section>
        <h1>Let ${app.name} act for you?</h1>
        <p>
          ${appOf(app)} asks for access in your name, ${me.name} (${me.email}). Then you return to
          <strong>${target}</strong>.
        </p>
        ${isLoopback(request.redirectUri) && notice("bad", "The app runs on your own machine, where every program can pretend to be it. Go on only if you have just started it.")}
        ${
          teams.length === 0
            ? notice("bad", "You belong to no team in which an app could act.")
            : html`<form method="post" action="${path}">
                  ${formField(visit)}
                  <input type="hidden" name="request" value="${searchOf(visit.request.url)}" />
                  <label for="team">In the team</label>
                  <select id="team" name="team">
                    ${teams.map(({ team }) => html`<option value="${team.id}">${team.name}</option>`)}
                  </select>
                  <h2>It may</h2>
                  <ul>
                    ${request.scopes.map((scope) => html`<li>${meanings[scope]}</li>`)}
                  </ul>
                  ${
                    request.scopes.includes(publicScope) &&
                    html`<p class="choice">
                      <label class="choice"
                        ><input type="checkbox" name="only_reads" value="yes" />Only let it read</label
                      >
                    </p>`
                  }
                  <p class="row">
                    <button type="submit" name="decision" value="allow">Allow</button
                    ><button class="plain" type="submit" name="decision" value="deny">Cancel</button>
                  </p>
                </form>
                <p class="hint">You can end this at any time, on your account page.</p>`
        }
      </section>`
    },
    { formLeadsTo: policySourceOf(request.redirectUri) }
  )
})

/** `GET /openid/authorize` */
export const showConsent = Effect.fn("ConsentPages.showConsent")(function* (visit: Visit) {
  const { read } = yield* Authorizations
  const search = searchOf(visit.request.url)
  return yield* read(parametersOf(search), visit.baseUrl).pipe(
    Effect.matchEffect({
      onFailure: (refused) => answerRefused(visit, refused),
      onSuccess: (pending) =>
        visit.signedIn === undefined
          ? Effect.succeed(seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(`${path}?${search}`)}`))
          : consentPage(visit, visit.signedIn, pending)
    })
  )
})

/** `POST /openid/authorize`: everything is checked again, as if the person came from the app. */
export const decide = Effect.fn("ConsentPages.decide")(function* (visit: Visit) {
  const { grant, read } = yield* Authorizations
  const form = yield* readOwnForm(visit)
  const { baseUrl, signedIn } = visit
  const search = form.get("request") ?? ""
  if (signedIn === undefined) return seeOther(`${signInPaths.signIn}?next=${encodeURIComponent(`${path}?${search}`)}`)
  return yield* read(parametersOf(search), baseUrl).pipe(
    Effect.matchEffect({
      onFailure: (refused) => answerRefused(visit, refused),
      onSuccess: (pending) =>
        Effect.gen(function* () {
          const { request } = pending
          if (form.get("decision") !== "allow") {
            return returnTo(request, baseUrl, { error: "access_denied", error_description: "The person declined." })
          }
          const code = yield* grant(signedIn.userId, pending, {
            teamId: form.get("team") ?? "",
            onlyReads: form.get("only_reads") === "yes"
          })
          return code === undefined
            ? returnTo(request, baseUrl, {
                error: "access_denied",
                error_description: "The person does not belong to this team."
              })
            : returnTo(request, baseUrl, { code })
        })
    })
  )
})
