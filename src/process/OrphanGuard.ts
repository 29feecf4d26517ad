/**
 * Ends this process when the `run.mjs` that started it is gone, even by `kill -9`. Nothing else would stop it.
 *
 * The kernel closes the channel between the two processes in any case; the guard then sends this process SIGTERM, which
 * drains it as usual. Without a channel (another supervisor started the process) the guard does nothing.
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
    // After adding the listener, which would keep the process alive: a command must exit when it is done.
    process.channel?.unref()
    if (!process.connected) terminate()
  }),
  () => Effect.sync(() => process.removeListener("disconnect", terminate))
)

/** The guard for programs that npm scripts start: `watch` for a scope, `layer` for a program made of layers. */
export const OrphanGuard = { watch, layer: Layer.effectDiscard(watch) } as const
