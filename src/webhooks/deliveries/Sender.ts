/** One signed request to a receiver. */
import { Clock, Context, Effect, Layer } from "effect"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { openAll } from "../endpoints/Secrets.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { Outbound } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"
import type { DueDelivery } from "./DispatchRepo.ts"

/** An attempt, and the headers that its request had. */
export interface Made {
  readonly attempt: Attempt
  readonly requestHeaders: Readonly<Record<string, string>>
}

/** Sends deliveries. */
export class Sender extends Context.Service<Sender, {
  /**
   * Posts the stored bytes of a delivery's event with a fresh timestamp, signed with every secret of its webhook that is
   * valid now. Never fails: what went wrong is in the attempt.
   */
  readonly send: (delivery: DueDelivery) => Effect.Effect<Made>
}>()("webhooks/deliveries/Sender") {
  static readonly layer = Layer.effect(
    Sender,
    Effect.gen(function*() {
      const box = yield* SecretBox
      const outbound = yield* Outbound

      const send = Effect.fn("Sender.send")(function*(delivery: DueDelivery) {
        const millis = yield* Clock.currentTimeMillis
        const secrets = yield* openAll(box, {
          webhookUuid: delivery.webhookId,
          sealed: delivery.secretSealed,
          previous: delivery.previousSecrets,
          now: new Date(millis)
        })
        const body = new TextEncoder().encode(delivery.body)
        const requestHeaders = Signature.headers({
          id: delivery.messageId,
          timestampSeconds: Math.floor(millis / 1000),
          body,
          secrets,
          eventType: delivery.eventType
        })
        return { attempt: yield* outbound.post({ url: delivery.url, headers: requestHeaders, body }), requestHeaders }
      })

      return Sender.of({ send })
    })
  )
}
