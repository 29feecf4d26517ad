import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { inTurnOfTeam } from "../../../src/core/usecase/LargeWrites.ts"

const large = [{ strategy: "ä".repeat(150_000) }]
const small = [{ strategy: "ä".repeat(100_000) }]

it.effect("Of one team, one large write runs at a time, beside small ones and those of other teams", () =>
  Effect.gen(function* () {
    const began: Array<string> = []
    const end = yield* Deferred.make<void>()
    const write = (teamId: string, name: string, values: ReadonlyArray<unknown>) =>
      Effect.forkChild(
        inTurnOfTeam(
          teamId,
          values,
          Effect.andThen(
            Effect.sync(() => began.push(name)),
            Deferred.await(end)
          )
        ),
        { startImmediately: true }
      )
    const running = [
      yield* write("one", "first", large),
      yield* write("one", "second", large),
      yield* write("one", "small", small),
      yield* write("other", "other", large)
    ]
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    assert.deepStrictEqual(began, ["first", "small", "other"])
    yield* Deferred.succeed(end, undefined)
    yield* Fiber.joinAll(running)
    assert.strictEqual(began.at(-1), "second")
  })
)
