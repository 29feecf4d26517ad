/** What a process logs about itself: that it is ready, that it stops, and that webhooks are off. */
import { Effect, Layer } from "effect"

/** Logs `start` when the layer is built, and `stop` when it ends. */
export const layer = (lines: { readonly start: string; readonly stop: string }): Layer.Layer<never> =>
  Layer.effectDiscard(Effect.acquireRelease(Effect.logInfo(lines.start), () => Effect.logInfo(lines.stop)))

/** Logs that nothing is sent to webhooks, unless `webhooks` are on. */
export const webhooksOff = ({ webhooks }: { readonly webhooks: boolean }): Layer.Layer<never> =>
  webhooks
    ? Layer.empty
    : Layer.effectDiscard(Effect.logInfo("WEBHOOKS=off: nothing is sent to webhooks, and their deliveries wait."))
