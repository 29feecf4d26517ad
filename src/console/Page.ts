/** What all handlers of pages have in common. */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { BaseUrl } from "../platform/Config.ts"
import { Tenant } from "../platform/db/TransactionPermits.ts"
import type { Authorizations, Grants } from "../identity/oauth/Grants.ts"
import type { Passwords } from "../identity/signIn/Passwords.ts"
import type { Sessions } from "../identity/signIn/Sessions.ts"
import type { Tokens } from "../identity/tokens/Tokens.ts"
import type { UpstreamSignIn } from "../identity/signIn/UpstreamSignIn.ts"
import type { Users } from "../identity/users/Users.ts"
import { answerRefused, type PageRefused, type Visit, visit } from "./Visit.ts"

/** What pages are made of. */
export type Services =
  | Authorizations
  | BaseUrl
  | Grants
  | Passwords
  | SecureRandom.SecureRandom
  | Sessions
  | Tokens
  | UpstreamSignIn
  | Users

type Needs = Services | HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams

/** Answers a visit with a page, or refuses it. */
export type Handler = (visit: Visit) => Effect.Effect<HttpServerResponse.HttpServerResponse, PageRefused, Needs>

/** Answers with the page of `handle`, or with one that says why it refused. */
export const answered = (handle: Handler) =>
  Effect.flatMap(visit, (found) =>
    handle(found).pipe(
      Effect.catchTag("PageRefused", (refused) => Effect.succeed(answerRefused(found, refused))),
      Effect.provideService(Tenant, found.signedIn?.userId ?? found.address ?? "pages")
    )
  )
