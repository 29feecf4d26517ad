import { CheckInterval, recoverClaims } from "../../../src/webhooks/deliveries/DeliveryWorker.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { WorkerSession } from "../../../src/platform/jobs/Worker.ts"
import { SchedulerRepo } from "../../../src/webhooks/deliveries/SchedulerRepo.ts"
import { eventually } from "../../support/polling.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const session = Layer.effect(
  WorkerSession,
  Effect.tap(
    WorkerSession.make(() => undefined),
    ({ startLease }) => Effect.sync(() => startLease({ id: "worker", isVisible: true }))
  )
)

layer(TestDatabase.layerShared, { excludeTestServices: true })("The recovery of claims", (it) => {
  it.effect("says at once that it fails, then not with every check, and that it works again", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      let checks = 0
      let released = 0
      let isBroken = true
      const repo = Layer.mock(SchedulerRepo, {
        releaseFromDeadWorkers: () =>
          Effect.suspend(() => {
            checks += 1
            return isBroken ? Effect.die(new Error("broken")) : Effect.succeed([])
          }),
        claimsOf: () =>
          Effect.sync(() => {
            released += 1
            return []
          })
      })
      yield* recoverClaims({ isQueued: () => false, scheduleAll: () => Effect.void }).pipe(
        Effect.andThen(eventually(() => assert.isAbove(checks, 5))),
        Effect.andThen(Effect.sync(() => (isBroken = false))),
        Effect.andThen(eventually(() => assert.lengthOf(logged, 2))),
        Effect.scoped,
        Effect.provide(Layer.merge(repo, session)),
        Effect.provideService(CheckInterval, "5 millis"),
        Effect.provide(Logger.layer([Logger.make(({ logLevel }) => void logged.push(logLevel))]))
      )
      assert.deepStrictEqual(logged, ["Error", "Info"])
      // What this worker lost is released although what others had claimed is not.
      assert.isAbove(released, 5)
    })
  )
})
