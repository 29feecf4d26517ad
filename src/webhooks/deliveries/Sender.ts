/** One signed request to a receiver. */
import { Cache, Cause, Clock, Context, Effect, Layer } from "effect"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { openAll } from "../endpoints/Secrets.ts"
import type { Attempt } from "../outbound/Attempt.ts"
import { Outbound } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"
import type { DueDelivery } from "./rules.ts"

/** An attempt, and the headers that its request had. */
export interface Made {
  readonly attempt: Attempt
  readonly requestHeaders: Readonly<Record<string, string>>
}

// How many opened secrets are remembered, of those that sign again and again.
const keptSecrets = 1000

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

      const opened = yield* Cache.make({
        capacity: keptSecrets,
        timeToLive: "1 minute",
        lookup: (key: string) => {
          const [context = "", sealed = ""] = key.split(" ")
          return box.open(Uint8Array.from(Buffer.from(sealed, "base64")), context)
        }
      })
      const remembering: SecretBox["Service"] = {
        ...box,
        open: (sealed, context) => Cache.get(opened, `${context} ${Buffer.from(sealed).toString("base64")}`)
      }

      const make = Effect.fnUntraced(function*(delivery: DueDelivery) {
        const millis = yield* Clock.currentTimeMillis
        const secrets = yield* openAll(remembering, {
          webhookUuid: delivery.webhookId,
          sealed: delivery.secretSealed,
          previous: delivery.previousSecrets,
          now: new Date(millis)
        })
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
      const unsent = Effect.fnUntraced(function*(delivery: DueDelivery, cause: Cause.Cause<never>) {
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

      const send = (delivery: DueDelivery) =>
        Effect.catchCause(make(delivery), (cause) => unsent(delivery, cause))

      return Sender.of({ send })
    })
  )
}
