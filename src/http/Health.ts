/**
 * What load balancers ask: `/healthz` (the process is up) and `/readyz` (it does not stop, and the database answers, is migrated and no
 * standby); and how a process leaves its balancer before it closes (docs/operations.md#stopping).
 */
import { Context, Effect, Exit, Layer } from "effect"
import { onWallClock, runWithin } from "../platform/Time.ts"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Database } from "../platform/db/Database.ts"
import { checkReadiness, type Readiness } from "../platform/db/Migrations.ts"
import { Unavailable } from "../core/usecase/Problem.ts"

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

const reasons: Readonly<Record<Exclude<Readiness, "ready">, string>> = {
  standby: "The database is a standby, which takes no writes.",
  unmigrated: "The database is not migrated yet."
}

const alive = HttpServerResponse.jsonUnsafe({ status: "ok" })

/** Serves both. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Database | Draining> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const sql = yield* Database
    const { isDraining } = yield* Draining
    const answers = runWithin(checkReadiness(sql), 2000, () => Exit.die("no answer in time")).pipe(
      Effect.flatten,
      Effect.matchCauseEffect({
        onSuccess: (readiness) =>
          readiness === "ready"
            ? Effect.succeed(alive)
            : HttpServerRespondable.toResponse(new Unavailable({ detail: reasons[readiness] })),
        onFailure: () => HttpServerRespondable.toResponse(new Unavailable({ detail: "The database does not answer." }))
      })
    )
    const stopping = HttpServerRespondable.toResponse(new Unavailable({ detail: "The process is about to stop." }))
    const ready = Effect.suspend(() => (isDraining() ? stopping : answers))
    yield* router.add("GET", "/healthz", Effect.succeed(alive))
    yield* router.add("GET", "/readyz", ready)
  })
)
