/**
 * Ends this process when the `run.mjs` that started it is gone, even by `kill -9`: nobody would ever stop it otherwise.
 *
 * The kernel closes the channel between the two whatever happens; the SIGTERM that we then send ourselves is the ordinary,
 * draining way out. Without a channel (another supervisor started us) it does nothing.
 */
import { Effect, Layer, type Scope } from "effect"

const terminate = () => {
  process.kill(process.pid, "SIGTERM")
}

/** Watches the channel to `run.mjs` for as long as the scope lasts. */
const watch: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    if (process.send === undefined) return
    process.on("disconnect", terminate)
    // After the listener, which holds the process open by itself: a command that is done must end.
    process.channel?.unref()
    if (!process.connected) terminate()
  }),
  () => Effect.sync(() => process.removeListener("disconnect", terminate))
)

/** The guard, for the entries that `npm` runs: `watch` for a scope, `layer` for a program made of layers. */
export const OrphanGuard = { watch, layer: Layer.effectDiscard(watch) } as const
