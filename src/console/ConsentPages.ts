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
import { box, button, facts, hidden, notice, select } from "./Parts.ts"
import { common, type Reader, texts } from "./Texts.ts"
import {
  answerPage,
  formField,
  PageRefused,
  plainFrameOf,
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

const words = texts({
  allow: ["Allow", "Erlauben"],
  app: ["App", "App"],
  askedWrong: ["It asked for what it cannot get.", "Sie hat um etwas gebeten, das sie nicht bekommen kann."],
  inTeam: ["In the team", "Im Team"],
  itMay: ["It may", "Sie darf"],
  letAct: [(app: string) => `Let ${app} act for you`, (app: string) => `${app} für Sie handeln lassen`],
  noTeam: [
    "You belong to no team in which an app could act.",
    "Sie gehören zu keinem Team, in dem eine App handeln könnte."
  ],
  onlyReads: ["Only let it read", "Nur lesen lassen"],
  onThisMachine: [
    "The app runs on your own machine, where every program can pretend to be it. Go on only if you have just started it.",
    "Die App läuft auf Ihrem eigenen Rechner, wo sich jedes Programm für sie ausgeben kann. Fahren Sie nur fort, wenn Sie sie gerade gestartet haben."
  ],
  return: ["You return to the app", "Sie kehren zur App zurück"],
  returnTo: [(host: string) => `Return to ${host}`, (host: string) => `Zurück zu ${host}`],
  revocable: [
    "You can end this at any time, on your account page.",
    "Sie können das jederzeit beenden, auf der Seite Ihres Kontos."
  ],
  scopeOffline: [
    "Stay connected while you are away, until you disconnect it or it is not used for 30 days",
    "Verbunden bleiben, während Sie nicht da sind, bis Sie sie trennen oder sie 30 Tage lang nicht genutzt wird"
  ],
  scopeOnline: [
    "Stay connected for an hour; then it must ask you again",
    "Eine Stunde lang verbunden bleiben; dann muss sie Sie wieder fragen"
  ],
  scopePublic: [
    "Read and change what you can read and change in the team: contacts, projects, prospects, offers and all else",
    "Lesen und ändern, was Sie im Team lesen und ändern können: Kontakte, Projekte, Interessenten, Angebote und alles andere"
  ],
  scopeRead: [
    "Read what you can read in the team: contacts, projects, prospects, offers and all else",
    "Lesen, was Sie im Team lesen können: Kontakte, Projekte, Interessenten, Angebote und alles andere"
  ],
  selfNamed: [
    "The app gave itself this name, which nobody has checked. Go on only if you have just asked it to connect.",
    "Die App hat sich diesen Namen selbst gegeben, und niemand hat ihn geprüft. Fahren Sie nur fort, wenn Sie sie gerade verbinden wollten."
  ],
  you: ["You", "Sie"],
  youReturnTo: ["You return to", "Sie kehren zurück zu"]
})

type Words = (typeof words)["en"]

/** A page that leads on to an app. */
const leadingPage = (visit: Visit, address: string, detail: string) => {
  const t = words[plainFrameOf(visit).reader.language]
  return answerPage(
    visit,
    {
      title: t.return,
      isNarrow: true,
      isRefusal: true,
      body: html`<div class="card pad stack">
        <h1>${t.return}</h1>
        ${notice("bad", `${t.askedWrong} ${detail}`)}
        <p><a href="${address}">${t.returnTo(targetOf(address))}</a></p>
      </div>`
    },
    { headers: { refresh: `0;url=${address}` } }
  )
}

/** Answers what the app may not ask: to the app if it is sure that it is the app, else to the person. */
const answerRefused = (visit: Visit, { description, error, redirectTo }: AuthorizationRefused) => {
  if (redirectTo === undefined) {
    return Effect.fail(
      new PageRefused({
        status: 400,
        title: [
          "This app asks in a way that cannot be answered",
          "Diese App fragt so, dass man ihr nicht antworten kann"
        ],
        // It is for those who make the app.
        detail: description
      })
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

const meaningOf = (t: Words, scope: string): string =>
  scope === readScope
    ? t.scopeRead
    : scope === publicScope
      ? t.scopePublic
      : scope === offlineScope
        ? t.scopeOffline
        : scope

const appOf = ({ documentUrl, name }: PendingAuthorization["app"]): string =>
  documentUrl === null ? name : `${name} (${targetOf(documentUrl)})`

interface TeamChoice {
  readonly id: string
  readonly name: string
}

/** The choice of a team; of a single one, there is none. */
const teamField = (t: Words, teams: ReadonlyArray<TeamChoice>): Html =>
  teams.length === 1
    ? hidden("team", teams[0]?.id)
    : select({ id: "team", name: "team", label: t.inTeam, options: teams.map(({ id, name }) => [id, name]) })

const cancel = (reader: Reader): Html => button(common[reader.language].cancel, { name: "decision", value: "deny" })

/** What the app may do, and the choices of a person who can allow it. */
const choices = (reader: Reader, { scopes }: AuthorizationRequest, teams: ReadonlyArray<TeamChoice>): Html => {
  const t = words[reader.language]
  return html`${teamField(t, teams)}
    <h2>${t.itMay}</h2>
    <ul class="scopes">
      ${scopes.map((scope) => html`<li>${meaningOf(t, scope)}</li>`)}
      ${!scopes.includes(offlineScope) && html`<li>${t.scopeOnline}</li>`}
    </ul>
    ${scopes.includes(publicScope) && box({ id: "only_reads", name: "only_reads", value: "yes", label: t.onlyReads })}
    <div class="row">${button(t.allow, { kind: "main", name: "decision", value: "allow" })}${cancel(reader)}</div>
    <p class="soft small">${t.revocable}</p>`
}

const consentPage = Effect.fnUntraced(function* (visit: Visit, signedIn: SignedIn, pending: PendingAuthorization) {
  const { teamsOf } = yield* Authorizations
  const { app, request } = pending
  const me = yield* Effect.orDie((yield* Users).profileOf(signedIn.userId))
  const teams = (yield* teamsOf(signedIn.userId)).map(({ team }) => team)
  const { reader } = plainFrameOf(visit)
  const t = words[reader.language]
  const title = t.letAct(shortened(app.name))
  return answerPage(
    visit,
    {
      title,
      isNarrow: true,
      isRefusal: teams.length === 0,
      body: html`<div class="card pad stack">
        <h1>${title}?</h1>
        ${facts([
          [t.app, appOf(app)],
          [t.you, `${me.name} (${me.email})`],
          [t.inTeam, teams.length === 1 && teams[0]?.name],
          [t.youReturnTo, html`<strong>${targetOf(request.redirectUri)}</strong>`]
        ])}
        ${(isLoopback(request.redirectUri) || isPrivateScheme(request.redirectUri)) && notice("warn", t.onThisMachine)}
        ${app.isRegistered && notice("warn", t.selfNamed)} ${teams.length === 0 && notice("bad", t.noTeam)}
        <form class="stack" method="post" action="${path}">
          ${formField(visit)} ${hidden("request", searchOf(visit.request.url))}
          ${teams.length === 0 ? html`<div class="row">${cancel(reader)}</div>` : choices(reader, request, teams)}
        </form>
      </div>`
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
