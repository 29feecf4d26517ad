/** The routes of the pages: of sign-in and consent, of the console, and their assets. */
import * as consent from "./ConsentPages.ts"
import * as invitation from "./InvitationPages.ts"
import * as signIn from "./SignInPages.ts"
import { Effect, type Layer } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { assetRoutes } from "./Assets.ts"
import { answeredInConsole, type AreasOf, type PageServices, type Route, type UseCases } from "./Console.ts"
import { html } from "./Html.ts"
import { notice } from "./Parts.ts"
import { plainDocument } from "./Layout.ts"
import { problemDetail, problemTitle } from "./problemTexts.ts"
import { common, type Reader, readerOf, say } from "./Texts.ts"
import type { ProblemPage, ProblemPages } from "../http/Edge.ts"
import { answered, type Handler, headersOf, seeOther, type Services } from "./Visit.ts"

const handlers: ReadonlyArray<readonly [method: "GET" | "POST", path: `/${string}`, handle: Handler]> = [
  ["GET", signIn.paths.signIn, signIn.showSignIn],
  ["POST", signIn.paths.signIn, signIn.signIn],
  ["GET", signIn.paths.password, signIn.showPassword],
  ["POST", signIn.paths.password, signIn.setPassword],
  ["POST", signIn.paths.signOut, signIn.signOut],
  ["GET", signIn.paths.upstream, signIn.beginUpstream],
  ["GET", signIn.paths.callback, signIn.finishUpstream],
  ["GET", invitation.paths.invitation, invitation.showInvitation],
  ["POST", invitation.paths.invitation, invitation.acceptInvitation],
  ["GET", consent.path, consent.showConsent],
  ["POST", consent.path, consent.decide],
  // The former place of the account page, to which links of apps and documents lead.
  ["GET", "/account", () => Effect.succeed(seeOther("/console/account"))]
]

/** The methods and paths of the pages besides those of the console. */
export const methods = [
  ...handlers.map(([method, path]) => ({ method, path })),
  ...assetRoutes.map(({ path }) => ({ method: "GET", path }))
]

/** The use-cases that the handlers of routes need. */
type NeedsOf<All> = All extends Route<infer R> ? R : never

/** The pages of these routes. They need a router and the use-cases. */
export const layer = <All extends Route<unknown>>(
  routes: ReadonlyArray<All>,
  areasOf: AreasOf
): Layer.Layer<never, never, HttpRouter.HttpRouter | PageServices | UseCases<NeedsOf<All>>> =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const services = yield* Effect.context<Services>()
      const useCases = yield* Effect.context<PageServices | UseCases<NeedsOf<All>>>()
      for (const { handler, path } of assetRoutes) yield* router.add("GET", path, handler)
      for (const [method, path, handle] of handlers) {
        yield* router.add(method, path, Effect.provideContext(answered(handle), services))
      }
      const patterns = routes
        .filter(({ isStream, method }) => method === "GET" && isStream !== true)
        .map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`))
      const isPage = (path: string) => patterns.some((pattern) => pattern.test(path))
      for (const route of routes) {
        // What the use-cases of pages need is a parameter here, of which TypeScript does not see that it was provided.
        const handler = Effect.provideContext(answeredInConsole(route, areasOf, isPage), useCases) as Effect.Effect<
          HttpServerResponse.HttpServerResponse,
          never,
          HttpRouter.Provided
        >
        yield* router.add(route.method, route.path, handler)
      }
    })
  )

const problemPage =
  (reader: Reader): ProblemPage =>
  ({ code, detail, requestId, title: english }) => {
    const title = problemTitle(reader, { code, title: english })
    const t = common[reader.language]
    return {
      headers: headersOf({ isStored: false }),
      body: plainDocument(
        {
          title,
          isNarrow: true,
          isRefusal: true,
          body: html`<div class="card pad stack">
            <h1>${title}</h1>
            ${notice("bad", problemDetail(reader, { code, detail }))}
            <p class="soft small">${t.code} <code>${code}</code>, ${t.requestId} <code>${requestId}</code></p>
            <p><a href="/console">${say(reader, ["Go to the start page", "Zur Startseite"])}</a></p>
          </div>`
        },
        { reader, theme: undefined }
      )
    }
  }

/** Below `/console`, what no page answers is a page, too: an unknown address, or a fault. */
export const problemPages: ProblemPages = (path, acceptLanguage) =>
  path === "/console" || path.startsWith("/console/") ? problemPage(readerOf(acceptLanguage)) : undefined
