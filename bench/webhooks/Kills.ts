/** Two workers, one of which is killed and replaced at intervals. */
import { Deferred, Effect, Exit, Fiber, Random, Scope } from "effect"
import type { Program } from "../Programs.ts"
import type { Service } from "../Service.ts"

/** The kill of a worker. */
export interface Kill {
  /** Unix time in milliseconds. */
  readonly at: number
  /** The time until another worker was ready, in milliseconds. */
  readonly replacedAfter: number
}

/**
 * Starts two workers. Every `everySeconds`, kills one at random (from this fiber's `Random`) and starts another. `stop` ends the
 * kills once two workers run; these run until the scope ends.
 */
export const make = Effect.fnUntraced(function* (service: Service, everySeconds: number) {
  const kills: Array<Kill> = []
  const complaints: Array<string> = []
  const scope = yield* Effect.scope

  const begin = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    const program = yield* Scope.provide(service.worker, own)
    return { program, own }
  })
  const workers = yield* Effect.all([begin, begin], { concurrency: 2 })
  const enough = yield* Deferred.make<void>()

  const killOne = Effect.gen(function* () {
    const place = yield* Random.nextIntBetween(0, 1)
    const { own, program } = workers[place === 0 ? 0 : 1]
    const at = Date.now()
    yield* program.kill
    yield* Scope.close(own, Exit.void)
    complaints.push(...program.complaints)
    const next = yield* begin
    workers[place === 0 ? 0 : 1] = next
    kills.push({ at, replacedAfter: Date.now() - at })
  })

  const began = Date.now()
  const killing = yield* Effect.forkScoped(
    Effect.gen(function* () {
      for (let turn = 1; ; turn++) {
        const wait = Math.max(0, began + turn * everySeconds * 1000 - Date.now())
        const over = yield* Effect.timeoutOption(Deferred.await(enough), `${wait} millis`)
        if (over._tag === "Some") return
        yield* killOne
      }
    })
  )

  const all = (): ReadonlyArray<Program> => workers.map(({ program }) => program)
  return {
    kills,
    /** Warnings and errors of all workers, including killed ones. */
    complaints: () => [...complaints, ...all().flatMap((program) => program.complaints)],
    stop: Effect.andThen(Deferred.succeed(enough, undefined), Fiber.join(killing))
  }
})
