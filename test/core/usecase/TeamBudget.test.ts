import fc from "fast-check"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { test } from "vitest"
import {
  alone,
  hold,
  inTurn,
  Lane,
  lanes,
  layer,
  pageInTurn,
  TeamBudget,
  type Ticket,
  writeInTurn
} from "../../../src/core/usecase/TeamBudget.ts"

const queue = { unit: "requests", team: 5, process: Infinity, waiting: 3 } as const

test("Nobody waits in a lane that has room for the first of its team, no team has more than its room, and all begin in their order", () => {
  const step = fc.record({
    team: fc.constantFrom("a", "b", "c"),
    amount: fc.integer({ min: 1, max: 7 }),
    leaves: fc.boolean(),
    which: fc.nat(9)
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lane = new Lane(queue)
      const present: Array<Ticket> = []
      const isConsistent = () => {
        for (const team of ["a", "b", "c"]) {
          const own = present.filter(({ teamId }) => teamId === team)
          const taken = own.filter(({ isTurn }) => isTurn).reduce((sum, { amount }) => sum + amount, 0)
          const [first, ...others] = own.filter(({ isTurn }) => !isTurn)
          assert.isAtMost(taken, queue.team)
          if (first !== undefined) assert.isAbove(taken + first.amount, queue.team)
          assert.strictEqual(lane.isFull(team), (first === undefined ? 0 : 1) + others.length >= queue.waiting)
          const lastInTurn = own.findLastIndex(({ isTurn }) => isTurn)
          assert.isTrue(own.slice(0, lastInTurn).every(({ isTurn }) => isTurn))
        }
      }
      const leave = (which: number) => {
        const [gone] = present.splice(which % present.length, 1)
        if (gone === undefined) return
        const began = lane.leave(gone)
        assert.isTrue(began.every(({ isTurn, teamId }) => isTurn && teamId === gone.teamId))
      }
      for (const { amount, leaves, team, which } of steps) {
        if (leaves) leave(which)
        else present.push(lane.enter(team, amount))
        isConsistent()
      }
      while (present.length > 0) {
        leave(0)
        isConsistent()
      }
      assert.isTrue(lane.isEmpty)
    })
  )
})

test("What finds no room for its team, or in the process, learns which, and takes nothing", () => {
  const lane = new Lane({ unit: "bytes", team: 10, process: 15, waiting: 0 })
  assert.strictEqual(lane.take("a", 11), "team")
  assert.isUndefined(lane.take("a", 10))
  assert.strictEqual(lane.take("a", 1), "team")
  assert.strictEqual(lane.take("b", 6), "process")
  assert.isUndefined(lane.take("b", 5))
  assert.strictEqual(lane.take(undefined, 1), "process")
  lane.release("a", 10)
  assert.isUndefined(lane.take(undefined, 10))
  lane.release(undefined, 10)
  lane.release("b", 5)
  assert.isTrue(lane.isEmpty)
})

test("What a request holds is the sum of all that was taken, is given back once, and cannot grow afterwards", () => {
  const lane = new Lane({ ...lanes.bodies, team: 10, process: 10 })
  const { release, take } = hold()
  for (const bytes of [4, 1, 5]) assert.isUndefined(take(lane, "a", bytes))
  assert.strictEqual(take(lane, "a", 1), "team")
  release()
  release()
  assert.isUndefined(lane.take("a", 10))
  lane.release("a", 10)
  assert.throws(() => take(lane, "a", 1))
  assert.isUndefined(lane.take("a", 10))
})

it.effect(
  "Work that is interrupted leaves its lane, whether it waited or ran, and what is read alone is not overtaken",
  () =>
    Effect.gen(function* () {
      const { largePages } = yield* TeamBudget
      const began: Array<string> = []
      const work = (name: string) =>
        Effect.andThen(
          Effect.sync(() => began.push(name)),
          Effect.never
        )
      const settle = Effect.repeat(Effect.yieldNow, { times: 5 })
      const start = <A>(effect: Effect.Effect<A>) => Effect.forkChild(effect, { startImmediately: true })
      const page = yield* start(inTurn(largePages, "a", 1, work("page")))
      const whole = yield* start(alone("a", work("alone")))
      const another = yield* start(inTurn(largePages, "a", 1, work("another page")))
      const last = yield* start(inTurn(largePages, "a", 1, work("last page")))
      yield* settle
      assert.deepStrictEqual(began, ["page"])
      yield* Fiber.interrupt(another)
      yield* Fiber.interrupt(page)
      yield* settle
      assert.deepStrictEqual(began, ["page", "alone"])
      yield* Fiber.interrupt(whole)
      yield* settle
      assert.deepStrictEqual(began, ["page", "alone", "last page"])
      yield* Fiber.interrupt(last)
      assert.isTrue(largePages.isEmpty)
    }).pipe(Effect.provide(layer))
)

const large = [{ strategy: "ä".repeat(150_000) }]
const small = [{ strategy: "ä".repeat(100_000) }]

it.effect("Of one team, one large write runs at a time, beside small ones and those of other teams", () =>
  Effect.gen(function* () {
    const began: Array<string> = []
    const end = yield* Deferred.make<void>()
    const write = (teamId: string, name: string, values: ReadonlyArray<unknown>) =>
      Effect.forkChild(
        writeInTurn(
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

it.effect(
  "A page of more than 50 rows waits for others of its team, for the longer the longer the rows of its list are",
  () =>
    Effect.gen(function* () {
      /** How many pages of a team that are asked for at once are read at a time, while none ends. */
      const readAtATime = Effect.fnUntraced(function* (
        asked: ReadonlyArray<readonly [team: string, pageSize: number]>,
        rowBytes: number
      ) {
        const gate = yield* Deferred.make<void>()
        const running: Array<string> = []
        const reads = asked.map(([team, pageSize]) =>
          pageInTurn(
            team,
            "Contacts",
            pageSize,
            Effect.sync(() => running.push(team)).pipe(
              Effect.andThen(Deferred.await(gate)),
              Effect.as({ rows: Array.from({ length: pageSize }), bytes: rowBytes * pageSize })
            )
          )
        )
        const all = yield* Effect.forkChild(Effect.all(reads, { concurrency: "unbounded" }))
        yield* Effect.yieldNow
        const count = (team: string) => running.filter((one) => one === team).length
        const counts = [count("a"), count("b")]
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(all)
        assert.strictEqual(running.length, asked.length)
        return counts
      })
      const ofEach = (count: number, pageSize: number) =>
        Array.from({ length: 2 * count }, (_, index) => [index % 2 === 0 ? "a" : "b", pageSize] as const)

      assert.deepStrictEqual(yield* readAtATime(ofEach(40, 50), 50_000), [40, 40])
      // Nothing is known of the rows yet.
      assert.deepStrictEqual(yield* readAtATime(ofEach(40, 100), 1_000), [4, 4])
      assert.deepStrictEqual(yield* readAtATime(ofEach(40, 100), 1_000), [32, 32])
      assert.deepStrictEqual(yield* readAtATime(ofEach(40, 500), 50_000), [8, 8])
      // It takes several pages of short rows until the long ones are forgotten.
      assert.deepStrictEqual(yield* readAtATime(ofEach(2, 100), 1_000), [1, 1])
      assert.deepStrictEqual(yield* readAtATime(ofEach(8, 100), 1_000), [3, 3])
      assert.deepStrictEqual(yield* readAtATime(ofEach(40, 100), 1_000), [32, 32])
    })
)
