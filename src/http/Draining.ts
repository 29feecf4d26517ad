/** How a process leaves its load balancer before it closes: docs/operations.md#stopping. */
import { Context, Effect, Layer } from "effect"
import { onWallClock } from "../platform/db/WallClock.ts"

/** Whether the process is about to stop. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: () => boolean
    /**
     * From now on the process is not ready and closes each connection after an answer, but serves on for so many seconds, in which load
     * balancers notice.
     */
    readonly drain: (seconds: number) => Effect.Effect<void>
  }
>()("http/Draining") {
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => {
    let isDraining = false
    return Draining.of({
      isDraining: () => isDraining,
      drain: (seconds) =>
        seconds === 0
          ? Effect.void
          : Effect.sync(() => {
              isDraining = true
            }).pipe(
              Effect.andThen(Effect.logInfo(`The process is not ready any more, and serves on for ${seconds} s.`)),
              Effect.andThen(onWallClock(Effect.sleep(`${seconds} seconds`)))
            )
    })
  })
}
