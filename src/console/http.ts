/** The routes of the pages. */
import * as StaticContent from "../http/StaticContent.ts"
import * as account from "./AccountPages.ts"
import * as consent from "./ConsentPages.ts"
import * as signIn from "./SignInPages.ts"
import { Effect, type Layer } from "effect"
import { HttpRouter } from "effect/http"
import { paths as accountPaths } from "./AccountPages.ts"
import { style, stylePath } from "./Layout.ts"
import { answered, type Handler, type Services } from "./Visit.ts"

const handlers: ReadonlyArray<readonly [method: "GET" | "POST", path: `/${string}`, handle: Handler]> = [
  ["GET", signIn.paths.signIn, signIn.showSignIn],
  ["POST", signIn.paths.signIn, signIn.signIn],
  ["GET", signIn.paths.password, signIn.showPassword],
  ["POST", signIn.paths.password, signIn.setPassword],
  ["POST", signIn.paths.signOut, signIn.signOut],
  ["GET", signIn.paths.upstream, signIn.beginUpstream],
  ["GET", signIn.paths.callback, signIn.finishUpstream],
  ["GET", consent.path, consent.showConsent],
  ["POST", consent.path, consent.decide],
  ["GET", accountPaths.account, account.showAccount],
  ["POST", accountPaths.createToken, account.createToken],
  ["POST", accountPaths.revokeToken, account.revokeToken],
  ["POST", accountPaths.disconnect, account.disconnect],
  ["POST", accountPaths.endSession, account.endSession],
  ["POST", accountPaths.endOthers, account.endOthers]
]

/** The methods and paths of all pages. */
export const methods = [...handlers.map(([method, path]) => ({ method, path })), { method: "GET", path: stylePath }]

/** The pages. They need a router and the use-cases of identity. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Services> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const services = yield* Effect.context<Services>()
    yield* router.add("GET", stylePath, StaticContent.make(style, { contentType: "text/css; charset=utf-8" }))
    for (const [method, path, handle] of handlers) {
      yield* router.add(method, path, Effect.provideContext(answered(handle), services))
    }
  })
)
