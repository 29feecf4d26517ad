/** The metrics of what is refused before anybody is known: attempts to sign in, and credentials. Counters of one process. */
import { Effect, Metric } from "effect"

/**
 * Why a sign-in was refused: a wrong `password` or an unknown address, too many attempts (`throttled`), a `deactivated` account, or by or
 * after the OpenID `provider`.
 */
export type SignInRefusal = "password" | "throttled" | "deactivated" | "provider"

/** What was refused: an access `token`, the id and secret of a `client` or app, or its `grant`: a code or a refresh token. */
export type RefusedCredential = "token" | "client" | "grant"

const ofSignIn = (reason: SignInRefusal) =>
  Metric.counter("property_network_sign_in_refusals_total", {
    description: "Refused attempts of people to sign in, by reason.",
    attributes: { reason },
    incremental: true
  })

const signIns: Readonly<Record<SignInRefusal, Metric.Counter<number>>> = {
  password: ofSignIn("password"),
  throttled: ofSignIn("throttled"),
  deactivated: ofSignIn("deactivated"),
  provider: ofSignIn("provider")
}

const ofCredential = (credential: RefusedCredential) =>
  Metric.counter("property_network_credential_refusals_total", {
    description: "Credentials of programs that were refused: unknown, expired, revoked or wrong.",
    attributes: { credential },
    incremental: true
  })

const credentials: Readonly<Record<RefusedCredential, Metric.Counter<number>>> = {
  token: ofCredential("token"),
  client: ofCredential("client"),
  grant: ofCredential("grant")
}

/** Registers them at 0. */
export const beginMetrics: Effect.Effect<void> = Effect.forEach(
  [...Object.values(signIns), ...Object.values(credentials)],
  Metric.value,
  { discard: true }
)

/** Counts a refused attempt to sign in. */
export const signInRefused = (reason: SignInRefusal): Effect.Effect<void> => Metric.update(signIns[reason], 1)

/** Counts a refused credential. */
export const credentialRefused = (credential: RefusedCredential): Effect.Effect<void> =>
  Metric.update(credentials[credential], 1)
