/** Sends one signed request to a receiver. See docs/behaviour/webhooks.md#signing. */
import * as Id from "../../core/Id.ts"
import * as Signature from "../Signature.ts"
import { Cache, Cause, Clock, Context, Effect, Layer } from "effect"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { validAt } from "../rules.ts"
import { Outbound } from "../../core/outbound/Outbound.ts"
import type { DueDelivery, SendResult } from "./rules.ts"
import { now } from "../../platform/Time.ts"

const maxCachedWebhooks = 1000

/** The time between two warnings of the same fault, in milliseconds. */
const warningInterval = 60_000

const make = Effect.gen(function* () {
  const box = (yield* SecretBox).for("webhook secrets")
  const outbound = yield* Outbound

  // Decrypting secrets and deriving signing keys is slow. The sealed secrets are part of the cache key, so a rotation takes
  // effect with the next attempt.
  const signingKeys = yield* Cache.make({
    capacity: maxCachedWebhooks,
    timeToLive: "1 minute",
    lookup: (key: string) => {
      const [webhookId = "", ...sealed] = key.split(" ")
      return Effect.forEach(sealed, (secret) =>
        Effect.map(box.open(Buffer.from(secret, "base64"), Id.fromUuid("webhook", webhookId)), Signature.keyOf)
      )
    }
  })

  const post = Effect.fnUntraced(function* (delivery: DueDelivery) {
    const millis = yield* Clock.currentTimeMillis
    const current = Buffer.from(delivery.secretSealed).toString("base64")
    const replaced =
      delivery.previousSecrets.length === 0
        ? []
        : validAt(delivery.previousSecrets, new Date(millis)).map(({ sealed }) => sealed)
    const secrets = yield* Cache.get(signingKeys, [delivery.webhookId, current, ...replaced].join(" "))
    const body = Buffer.from(delivery.body)
    const requestHeaders = Signature.headers({
      id: delivery.messageId,
      timestampSeconds: Math.floor(millis / 1000),
      body,
      secrets,
      eventType: delivery.eventType
    })
    const sent: SendResult = {
      attempt: yield* outbound.post({ url: delivery.url, headers: requestHeaders, body }),
      requestHeaders
    }
    return sent
  })

  // A defect, such as a secret that cannot be decrypted because SECRET_KEY was changed, is the service's own fault: the
  // delivery is sent later, and nothing counts.
  const unsentResult = Effect.fnUntraced(function* (delivery: DueDelivery, cause: Cause.Cause<never>) {
    if (Cause.hasInterrupts(cause)) return yield* Effect.failCause(cause)
    yield* Effect.logError(`The delivery ${Id.fromUuid("dlv", delivery.id)} could not be sent`, cause)
    const unsent: SendResult = {
      attempt: {
        outcome: "failed",
        error: "The service could not make the request.",
        ownFault: true,
        startedAt: yield* now,
        durationMs: 0
      },
      requestHeaders: Signature.fixedHeaders({ id: delivery.messageId, eventType: delivery.eventType })
    }
    return unsent
  })

  // Every delivery fails for the same reason while it lasts, so that it is said once a minute.
  const saidAt = new Map<string, number>()
  const warnOfOwnFault = Effect.fnUntraced(function* ({ attempt }: SendResult) {
    if (attempt.outcome !== "failed" || attempt.ownFault !== true) return
    const millis = yield* Clock.currentTimeMillis
    if (millis - (saidAt.get(attempt.error) ?? -Infinity) < warningInterval) return
    saidAt.set(attempt.error, millis)
    yield* Effect.logWarning(`Deliveries to webhooks wait, and no failures count for them: ${attempt.error}`)
  })

  /**
   * Posts the stored body of a delivery's event with the current time, signed with every valid secret of the webhook. Never
   * fails: the attempt contains the error.
   */
  const send = (delivery: DueDelivery) =>
    post(delivery).pipe(
      Effect.tap(warnOfOwnFault),
      Effect.catchCause((cause) => unsentResult(delivery, cause))
    )

  return { send }
})

/** Sends deliveries. */
export class Sender extends Context.Service<Sender, Effect.Success<typeof make>>()("webhooks/deliveries/Sender") {
  static readonly layer = Layer.effect(Sender, make)
}
