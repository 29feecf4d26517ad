/** One signed request to a receiver. */
import { Cache, Cause, Clock, Context, Effect, Layer } from "effect"
import * as Id from "../../Id.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { stillSigning } from "../endpoints/rules.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { Outbound } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"
import type { DueDelivery } from "./rules.ts"

/** An attempt, and the headers that its request had. */
export interface Made {
  readonly attempt: Attempt
  readonly requestHeaders: Readonly<Record<string, string>>
}

// Of how many webhooks the keys are remembered, which sign again and again.
const keptWebhooks = 1000

/** Sends deliveries. */
export class Sender extends Context.Service<
  Sender,
  {
    /**
     * Posts the stored bytes of a delivery's event with a fresh timestamp, signed with every secret of its webhook that is
     * valid now. Never fails: what went wrong is in the attempt.
     */
    readonly send: (delivery: DueDelivery) => Effect.Effect<Made>
  }
>()("webhooks/deliveries/Sender") {
  static readonly layer = Layer.effect(
    Sender,
    Effect.gen(function* () {
      const box = (yield* SecretBox).for("webhook secrets")
      const outbound = yield* Outbound

      // By the id of a webhook, and its sealed secrets.
      const keys = yield* Cache.make({
        capacity: keptWebhooks,
        timeToLive: "1 minute",
        lookup: (key: string) => {
          const [context = "", ...sealed] = key.split(" ")
          return Effect.forEach(sealed, (secret) =>
            Effect.map(box.open(Buffer.from(secret, "base64"), Id.fromUuid("webhook", context)), Signature.keyOf)
          )
        }
      })

      const make = Effect.fnUntraced(function* (delivery: DueDelivery) {
        const millis = yield* Clock.currentTimeMillis
        const present = Buffer.from(delivery.secretSealed).toString("base64")
        const replaced =
          delivery.previousSecrets.length === 0
            ? []
            : stillSigning(delivery.previousSecrets, new Date(millis)).map(({ sealed }) => sealed)
        const secrets = yield* Cache.get(keys, [delivery.webhookId, present, ...replaced].join(" "))
        const body = Buffer.from(delivery.body)
        const requestHeaders = Signature.headers({
          id: delivery.messageId,
          timestampSeconds: Math.floor(millis / 1000),
          body,
          secrets,
          eventType: delivery.eventType
        })
        const made: Made = {
          attempt: yield* outbound.post({ url: delivery.url, headers: requestHeaders, body }),
          requestHeaders
        }
        return made
      })

      // Such as a secret that does not open, for another key is configured: it is attempted again, as others are.
      const unsent = Effect.fnUntraced(function* (delivery: DueDelivery, cause: Cause.Cause<never>) {
        if (Cause.hasInterrupts(cause)) return yield* Effect.failCause(cause)
        yield* Effect.logError(`The delivery ${delivery.id} could not be sent`, cause)
        const made: Made = {
          attempt: {
            outcome: "failed",
            error: "The request could not be made.",
            startedAt: new Date(yield* Clock.currentTimeMillis),
            durationMs: 0
          },
          requestHeaders: Signature.fixedHeaders({ id: delivery.messageId, eventType: delivery.eventType })
        }
        return made
      })

      const send = (delivery: DueDelivery) => Effect.catchCause(make(delivery), (cause) => unsent(delivery, cause))

      return Sender.of({ send })
    })
  )
}
