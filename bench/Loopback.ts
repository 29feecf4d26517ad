/** TCP servers in this process. */
import { Effect, type Scope } from "effect"
import type { Server } from "node:http"

/** Listens on a free port of the loopback until the scope ends, and returns the port. */
export const listen = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(address !== null && typeof address === "object" ? Effect.succeed(address.port) : Effect.die("No port"))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
