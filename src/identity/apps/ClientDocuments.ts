/** Apps that a document at a URL describes: docs/behaviour/authorization.md#documents. */
import { Context, Data, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../platform/Time.ts"
import { Outbound } from "../../core/outbound/Outbound.ts"
import { Attempts } from "../signIn/Attempts.ts"
import { AppsRepo } from "./AppsRepo.ts"
import { describedBy, documentUrlFaultOf, freshUntil, isAcceptedHost, maxDocumentBytes } from "./rules.ts"

/** What the operator says of documents. */
export interface DocumentOptions {
  /** `OAUTH_CLIENT_HOSTS`: where documents may be, as `isAcceptedHost` reads it. */
  readonly hosts: ReadonlyArray<string>
  /** For the whole request of a document. */
  readonly deadlineMillis: number
}

/** How long a document may take to arrive, in milliseconds. */
export const documentDeadlineMillis = 5000

/** What the operator says of documents. By default they may be on any public host. */
export const AcceptedDocuments = Context.Reference<DocumentOptions>("identity/apps/ClientDocuments/AcceptedDocuments", {
  defaultValue: () => ({ hosts: ["*"], deadlineMillis: documentDeadlineMillis })
})

/** A document cannot be used. `detail` is a sentence for people. */
export class DocumentRefused extends Data.TaggedError("DocumentRefused")<{ readonly detail: string }> {}

const refuse = (detail: string) => new DocumentRefused({ detail })

const make = Effect.gen(function* () {
  const repo = yield* AppsRepo
  const attempts = yield* Attempts
  const outbound = yield* Outbound
  const options = yield* AcceptedDocuments
  const random = yield* SecureRandom.SecureRandom

  const load = Effect.fnUntraced(function* (url: string) {
    const exchange = yield* outbound.get({
      url,
      headers: { accept: "application/json" },
      maxBytes: maxDocumentBytes,
      deadlineMillis: options.deadlineMillis
    })
    if (exchange.outcome === "answered") return exchange
    // The operator learns why. People do not: else they could ask what the service reaches.
    yield* Effect.logInfo("The document of an app could not be loaded").pipe(
      Effect.annotateLogs({ url, reason: exchange.error })
    )
    return yield* refuse("The document that describes the app could not be loaded.")
  })

  /**
   * The app that the document at a URL describes; loads it for a person (UUID) who is signed in, unless it was loaded lately.
   * Undefined if the operator revoked the app.
   */
  const find = Effect.fn("ClientDocuments.find")(function* (url: string, userId: string) {
    const fault = documentUrlFaultOf(url)
    if (fault !== undefined) return yield* refuse(fault)
    if (!isAcceptedHost(options.hosts, url)) {
      return yield* refuse("The operator of this service does not accept apps of this host.")
    }
    const known = yield* repo.findDocument(url)
    const at = yield* now
    if (known?.isRevoked === true) return undefined
    if (known !== undefined && at < known.freshUntil) return known.app
    yield* Effect.mapError(attempts.count([{ kind: "document", name: userId }]), ({ retryAfterSeconds }) =>
      refuse(`Too many apps were looked up. Try again in ${retryAfterSeconds} s.`)
    )
    const { responseBody, responseHeaders, statusCode } = yield* load(url)
    const described = describedBy(url, {
      statusCode,
      contentType: responseHeaders["content-type"],
      body: responseBody
    })
    if (Result.isFailure(described)) return yield* refuse(described.failure)
    return yield* repo.saveDocument({
      id: yield* random.uuidV7(),
      ...described.success,
      documentUrl: url,
      now: at,
      freshUntil: freshUntil(responseHeaders["cache-control"], at)
    })
  })

  return { find }
})

/** Apps that a document describes. */
export class ClientDocuments extends Context.Service<ClientDocuments, Effect.Success<typeof make>>()(
  "identity/apps/ClientDocuments"
) {
  static readonly layer = Layer.effect(ClientDocuments, make)
}
