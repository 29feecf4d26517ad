/** Apps that register themselves (RFC 7591): docs/behaviour/authorization.md#registration. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Secret from "../../core/auth/Secret.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import * as Id from "../../core/Id.ts"
import { Attempts } from "../attempts/Attempts.ts"
import { AppsRepo } from "./AppsRepo.ts"
import { registrationOf } from "./registration.ts"

/** `OAUTH_REGISTRATION=open`: whether apps may register themselves. */
export const OpenRegistration = Context.Reference<boolean>("identity/apps/Registrations/OpenRegistration", {
  defaultValue: () => false
})

/** How many apps that registered and that nobody used there are at most; the oldest end first. */
const maxUnused = 1000

/** For how many days an app is kept that nobody uses. */
const unusedDays = 7

const make = Effect.gen(function* () {
  const repo = yield* AppsRepo
  const attempts = yield* Attempts
  const random = yield* SecureRandom.SecureRandom

  /** Registers an app by the metadata that it sends, from a network address. No other answer contains its secret. */
  const register = Effect.fn("Registrations.register")(function* (sent: unknown, address: string | null) {
    yield* attempts.count(address === null ? [] : [{ kind: "registration", name: address }])
    const registration = yield* Effect.fromResult(registrationOf(sent))
    const isPublic = registration.token_endpoint_auth_method === "none"
    const secret = isPublic ? undefined : Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const id = yield* random.uuidV7()
    const at = yield* now
    yield* repo.endUnused(maxUnused - 1)
    yield* repo.insert({
      id,
      name: registration.client_name,
      kind: isPublic ? "public" : "confidential",
      secretHash: secret === undefined ? null : Secret.hash(secret),
      redirectUris: registration.redirect_uris,
      documentUrl: null,
      isRegistered: true,
      now: at
    })
    return {
      client_id: Id.fromUuid("client", id),
      client_id_issued_at: Math.floor(at.getTime() / 1000),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      ...registration
    }
  })

  /** Deletes at most `limit` apps that registered themselves, or that a document describes, and that nobody used; returns how many. */
  const purge = Effect.fn("Registrations.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(unusedDays), limit)
  })

  return { register, purge }
})

/** Apps that register themselves. */
export class Registrations extends Context.Service<Registrations, Effect.Success<typeof make>>()(
  "identity/apps/Registrations"
) {
  static readonly layer = Layer.effect(Registrations, make)
}
