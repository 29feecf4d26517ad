/** The use-cases of apps, registered ones and those that a document at a URL describes: docs/behaviour/authorization.md#apps. */
import * as Secret from "../../core/auth/Secret.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Data, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { Retention } from "../../platform/Retention.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { daysAgo, hoursAgo, now } from "../../platform/Time.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { Conflict, type Fault, IdempotencyKeyReused, InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { type App, AppCreate, maxRedirectUris } from "./App.ts"
import { AppsRepo } from "./AppsRepo.ts"
import {
  describedBy,
  documentUrlFaultOf,
  freshUntil,
  isAcceptedHost,
  isDocumentUrl,
  maxDocumentBytes,
  type RedirectFault,
  redirectFaultOf,
  registrationOf
} from "./rules.ts"
import { SignInAttempts } from "../signIn/SignInAttempts.ts"
import { Outbound } from "../../core/outbound/Outbound.ts"

/** `OAUTH_REGISTRATION=open`: whether apps may register themselves. */
export const OpenRegistration = Context.Reference<boolean>("identity/apps/Apps/OpenRegistration", {
  defaultValue: () => false
})

/** How many apps that registered and that nobody used there are at most; the oldest end first. */
const maxUnused = 1000

/** For how many days an app is kept that nobody uses. */
const unusedDays = 7

const decodeCreate = UnvalidatedJson.decoder(AppCreate)

const notFound = new NotFound({ detail: "There is no app with this id." })

const sentBefore = Conflict.of(
  "app_created",
  "The form was sent before, and its app is there: the secret was shown then. If it is lost, revoke that app."
)

/** Of the key that seals secrets of forms: they are answers that are kept. */
const purpose = "idempotency answers"

const sentWithOthers = new IdempotencyKeyReused({
  detail: "The form was sent before with other contents, and that app is there. Open the form again for another app."
})

const details: { readonly [Fault in RedirectFault]: string } = {
  not_absolute: "Must be an absolute URL.",
  has_fragment: "Must not have a fragment.",
  has_credentials: "Must not contain a user name or password.",
  not_secure:
    "Must be https, or http to 127.0.0.1, [::1] or localhost, or a scheme of the app's own such as com.example.app.",
  has_wildcard: "Must have no wildcard: requests name it exactly.",
  not_a_host: "Must have a host of letters, digits, hyphens and dots.",
  not_canonical: "Must be written as browsers write it: host in lower case, no default port, no dot segments."
}

const redirectFaults = (uris: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  uris.length === 0
    ? [bodyFault("/redirectUris", "required", "Needs at least one redirect URI.")]
    : uris.length > maxRedirectUris
      ? [bodyFault("/redirectUris", "too_many", `Must be at most ${maxRedirectUris}.`)]
      : uris.flatMap((uri, index) => {
          const fault = redirectFaultOf(uri)
          return fault === undefined ? [] : [bodyFault(`/redirectUris/${index}`, fault, details[fault])]
        })

/** A form that makes an app: the UUID that it has for this, and the person (UUID) who sent it. */
export interface SentForm {
  readonly key: string
  readonly userId: string
}

const appOf = (uuid: string) => ({ type: "app", id: Id.fromUuid("client", uuid) })

const createdOf = (id: string, secret: string | undefined) => ({
  client_id: Id.fromUuid("client", id),
  ...(secret === undefined ? {} : { client_secret: secret })
})

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const repo = yield* AppsRepo
  const attempts = yield* SignInAttempts
  const random = yield* SecureRandom.SecureRandom
  const { hosts } = yield* AcceptedDocuments
  const { storedAnswers } = yield* Retention
  const answersSince = hoursAgo(storedAnswers)

  /** The first answer to a form that its person sends again; it refuses the form if that is gone, or was of other contents. */
  const answerAgain = Effect.fnUntraced(function* (
    { key, userId }: SentForm,
    { kind, name, redirectUris }: Pick<App, "kind" | "name" | "redirectUris">
  ) {
    const made = yield* repo.findMade(key, userId, yield* answersSince)
    if (made === undefined) return yield* sentBefore
    const isSame = made.name === name && made.kind === kind && made.redirectUris.join(" ") === redirectUris.join(" ")
    if (!isSame) return yield* sentWithOthers
    if (kind === "public") return createdOf(key, undefined)
    const secretBox = yield* SecretBox
    const { sealedSecret } = made
    if (sealedSecret === null || secretBox.sealedUnder(sealedSecret) === "unknown") return yield* sentBefore
    return createdOf(key, yield* secretBox.for(purpose).open(sealedSecret, key))
  })

  /** What an app is to have. */
  const decoded = Effect.fnUntraced(function* (input: Json) {
    const { confidential, name, redirectUris } = yield* decodeCreate(UnvalidatedJson.of(input))
    const faults = redirectFaults(redirectUris)
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    const kind = confidential ? ("confidential" as const) : ("public" as const)
    return {
      app: { name, kind, redirectUris: [...new Set(redirectUris)] },
      secret: confidential ? Secret.make("client", yield* random.randomBytes(Secret.byteLength)) : undefined
    }
  })

  const insertNew = Effect.fnUntraced(function* (
    id: string,
    { app, secret }: Effect.Success<ReturnType<typeof decoded>>,
    form: Parameters<typeof repo.insert>[0]["form"]
  ) {
    const secretHash = secret === undefined ? null : Secret.hash(secret)
    return yield* repo
      .insert({ ...app, id, secretHash, documentUrl: null, isRegistered: false, now: yield* now, form })
      .pipe(auditLog.recording((done) => (done ? { action: "app.created", target: appOf(id) } : undefined)))
  })

  /** Creates an app. A confidential one gets a secret, which no other answer contains. For the operator only. */
  const create = Effect.fn("Apps.create")(function* (input: Json) {
    yield* onlyOperator
    const made = yield* decoded(input)
    const id = yield* random.uuidV7()
    yield* insertNew(id, made, undefined)
    return createdOf(id, made.secret)
  })

  /**
   * Creates the app of a form. Its person gets the same answer to the same form for as long as others are kept (`storedAnswers`); the form of
   * another, or one that was sent before with other contents, is refused. For the operator only.
   */
  const createOnce = Effect.fn("Apps.createOnce")(function* (input: Json, form: SentForm) {
    yield* onlyOperator
    const made = yield* decoded(input)
    const { app, secret } = made
    const box = (yield* SecretBox).for(purpose)
    const sealedSecret = secret === undefined ? null : yield* box.seal(secret, form.key)
    const isNew = yield* insertNew(form.key, made, { userId: form.userId, sealedSecret })
    return isNew ? createdOf(form.key, secret) : yield* answerAgain(form, app)
  })

  /** Registers an app by the metadata that it sends, from a network address. No other answer contains its secret. */
  const register = Effect.fn("Apps.register")(function* (sent: unknown, address: string | null) {
    yield* attempts.count(address === null ? [] : [{ kind: "registration", name: address }])
    const registration = yield* Effect.fromResult(registrationOf(sent))
    const isPublic = registration.token_endpoint_auth_method === "none"
    const secret = isPublic ? undefined : Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const id = yield* random.uuidV7()
    const at = yield* now
    yield* repo.endUnused(maxUnused - 1)
    yield* repo
      .insert({
        id,
        name: registration.client_name,
        kind: isPublic ? "public" : "confidential",
        secretHash: secret === undefined ? null : Secret.hash(secret),
        redirectUris: registration.redirect_uris,
        documentUrl: null,
        isRegistered: true,
        now: at,
        form: undefined
      })
      .pipe(auditLog.recording(() => ({ action: "app.registered", target: appOf(id) })))
    return {
      client_id: Id.fromUuid("client", id),
      client_id_issued_at: Math.floor(at.getTime() / 1000),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      ...registration
    }
  })

  /** All apps, the oldest first. For the operator only. */
  const list = Effect.andThen(onlyOperator, repo.list).pipe(Effect.withSpan("Apps.list"))

  /** The newest apps, by a part of their name, a page at a time. For the operator only. */
  const search = Effect.fn("Apps.search")(function* (
    text: string | undefined,
    { after, limit }: { readonly after: string | undefined; readonly limit: number }
  ) {
    yield* onlyOperator
    return yield* repo.search(text, { after: Id.toUuid("client", after ?? ""), limit })
  })

  /** An app, also one that is revoked. For the operator only. */
  const show = Effect.fn("Apps.show")(function* (id: string) {
    yield* onlyOperator
    const uuid = Id.toUuid("client", id)
    return (uuid === undefined ? undefined : yield* repo.show(uuid)) ?? (yield* notFound)
  })

  /** Revokes an app with all that people granted it, with immediate effect. Repeating it changes nothing. For the operator only. */
  const revoke = Effect.fn("Apps.revoke")(function* (id: string) {
    yield* onlyOperator
    const uuid = Id.toUuid("client", id)
    const revoked =
      uuid === undefined
        ? undefined
        : yield* repo
            .revoke(uuid, yield* now)
            .pipe(
              auditLog.recording((found) =>
                found?.isNew === true
                  ? { action: "app.revoked", target: appOf(uuid), details: { count: found.grants } }
                  : undefined
              )
            )
    if (revoked === undefined) return yield* notFound
  })

  /**
   * The app that a `client_id` names; undefined if there is none, or if it is revoked. Of one that a document describes, what was
   * loaded last.
   */
  const find = Effect.fn("Apps.find")(function* (clientId: string) {
    if (isDocumentUrl(clientId)) {
      const isPossible = documentUrlFaultOf(clientId) === undefined && isAcceptedHost(hosts, clientId)
      const known = isPossible ? yield* repo.findDocument(clientId) : undefined
      return known === undefined || known.isRevoked ? undefined : known.app
    }
    const uuid = Id.toUuid("client", clientId)
    return uuid === undefined ? undefined : yield* repo.find(uuid)
  })

  /** The app that presents these credentials; undefined if they are wrong. Only confidential apps have a secret. */
  const authenticate = Effect.fn("Apps.authenticate")(function* (clientId: string, secret: string | undefined) {
    const app = yield* find(clientId)
    if (app === undefined) return undefined
    if (app.secretHash === null) return secret === undefined ? app : undefined
    const isRight =
      secret !== undefined && Secret.isWellFormed(secret) && timingSafeEqual(app.secretHash, Secret.hash(secret))
    return isRight ? app : undefined
  })

  /**
   * Deletes at most `limit` apps that registered themselves, or that a document describes, and that nobody used; returns how many. Forgets
   * as many secrets that forms need no more.
   */
  const purge = Effect.fn("Apps.purge")(function* (limit: number) {
    yield* repo.forgetSecrets(yield* answersSince, limit)
    return yield* repo.purge(yield* daysAgo(unusedDays), limit)
  })

  return { create, createOnce, register, list, search, show, revoke, find, authenticate, purge }
})

/** Apps that people let act for them. The operator creates and revokes them; where it is allowed, they register themselves (RFC 7591). */
export class Apps extends Context.Service<Apps, Effect.Success<typeof make>>()("identity/apps/Apps") {
  static readonly layer = Layer.effect(Apps, make).pipe(Layer.provide([AppsRepo.layer, SignInAttempts.layer]))
}

// Apps that a document at a URL describes: docs/behaviour/authorization.md#documents.

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
export const AcceptedDocuments = Context.Reference<DocumentOptions>("identity/apps/Apps/AcceptedDocuments", {
  defaultValue: () => ({ hosts: ["*"], deadlineMillis: documentDeadlineMillis })
})

/** A document cannot be used. `detail` is a sentence for people. */
export class DocumentRefused extends Data.TaggedError("DocumentRefused")<{ readonly detail: string }> {}

const refuse = (detail: string) => new DocumentRefused({ detail })

const makeClientDocuments = Effect.gen(function* () {
  const repo = yield* AppsRepo
  const attempts = yield* SignInAttempts
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
export class ClientDocuments extends Context.Service<ClientDocuments, Effect.Success<typeof makeClientDocuments>>()(
  "identity/apps/ClientDocuments"
) {
  static readonly layer = Layer.effect(ClientDocuments, makeClientDocuments).pipe(
    Layer.provide([AppsRepo.layer, SignInAttempts.layer])
  )
}
