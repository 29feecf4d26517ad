/**
 * What load balancers ask: `/healthz` (the process is up) and `/readyz` (it does not stop, and the database answers, is migrated, no
 * standby, and has room); and how a process leaves its balancer before it closes (docs/operations.md#stopping).
 */
import { Context, Deferred, Effect, Exit, Layer } from "effect"
import { onWallClock, runWithin } from "../platform/Time.ts"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Database } from "../platform/db/Database.ts"
import { checkReadiness, type Readiness } from "../platform/db/Migrations.ts"
import { databaseFull, Unavailable } from "../core/usecase/Problem.ts"
import { CurrentStorageSpace } from "../platform/StorageSpace.ts"

/** Whether the process is about to stop. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: () => boolean
    /** Ends when the process begins to stop: what would go on until its client leaves ends then. */
    readonly stopping: Effect.Effect<void>
    /** Says that the process begins to stop. */
    readonly stop: Effect.Effect<void>
    /**
     * From now on the process is not ready and closes each connection after an answer, but serves on for so many seconds, in which load
     * balancers notice.
     */
    readonly drain: (seconds: number) => Effect.Effect<void>
  }
>()("http/Draining") {
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => {
    let isDraining = false
    const stopped = Deferred.makeUnsafe<void>()
    const stop = Effect.asVoid(Deferred.succeed(stopped, undefined))
    return Draining.of({
      isDraining: () => isDraining,
      stopping: Deferred.await(stopped),
      stop,
      drain: (seconds) =>
        seconds === 0
          ? stop
          : Effect.suspend(() => {
              isDraining = true
              return stop
            }).pipe(
              Effect.andThen(Effect.logInfo(`The process is not ready any more, and serves on for ${seconds} s.`)),
              Effect.andThen(onWallClock(Effect.sleep(`${seconds} seconds`)))
            )
    })
  })
}

/** Why a process is not ready, for programs: the member `reason` of the problem. */
export type NotReady = "database" | "standby" | "migrations" | "storage_full" | "stopping"

const details: Readonly<Record<NotReady, string>> = {
  database: "The database does not answer.",
  standby: "The database is a standby, which takes no writes.",
  migrations: "The database is not migrated yet.",
  storage_full: databaseFull.detail,
  stopping: "The process is about to stop."
}

const refusal = (reason: NotReady) => {
  const detail = details[reason]
  const { code, title, type } = reason === "storage_full" ? databaseFull : new Unavailable({ detail })
  return HttpServerResponse.jsonUnsafe(
    { type, title, status: 503, code, detail, reason },
    { status: 503, contentType: "application/problem+json" }
  )
}

const notReady: Readonly<Record<Exclude<Readiness, "ready">, NotReady>> = {
  standby: "standby",
  unmigrated: "migrations"
}

const alive = HttpServerResponse.jsonUnsafe({ status: "ok" })

// Uploads are refused; everything else works, so that the process stays ready.
const withoutUploads = HttpServerResponse.jsonUnsafe({
  status: "ok",
  warnings: [
    { code: "storage_full", store: "files", detail: "The disk of the file store is full: uploads are refused." }
  ]
})

/** Serves both. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Database | Draining> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const sql = yield* Database
    const space = yield* CurrentStorageSpace
    const { isDraining } = yield* Draining
    // After a restart of Postgres, the pool still has some connections that were cut.
    const asked = checkReadiness(sql).pipe(Effect.sandbox, Effect.retry({ times: 2 }))
    const answers = runWithin(asked, 2000, () => Exit.die("no answer in time")).pipe(
      Effect.flatten,
      Effect.matchCause({
        onSuccess: (readiness) => (readiness === "ready" ? undefined : notReady[readiness]),
        onFailure: (): NotReady => "database"
      }),
      Effect.map((reason) => {
        // A server whose disk is full may not start again.
        if (space.isFull("database") && (reason === undefined || reason === "database")) return refusal("storage_full")
        if (reason !== undefined) return refusal(reason)
        return space.isFull("files") ? withoutUploads : alive
      })
    )
    const ready = Effect.suspend(() => (isDraining() ? Effect.succeed(refusal("stopping")) : answers))
    yield* router.add("GET", "/healthz", Effect.succeed(alive))
    yield* router.add("GET", "/readyz", ready)
  })
)
