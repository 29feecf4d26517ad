/** Logs that a process is ready, and that it stops. */
import { Effect, Layer } from "effect"

/** Logs `start` when the layer is built, and `stop` when it ends. */
export const layer = (lines: { readonly start: string; readonly stop: string }): Layer.Layer<never> =>
  Layer.effectDiscard(Effect.acquireRelease(Effect.logInfo(lines.start), () => Effect.logInfo(lines.stop)))
