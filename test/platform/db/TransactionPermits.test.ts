import * as Transaction from "../../../src/platform/db/Transaction.ts"
import * as TransactionPermits from "../../../src/platform/db/TransactionPermits.ts"
import * as Job from "../../../src/platform/jobs/Job.ts"
import * as ContactsClient from "../../support/ContactsClient.ts"
import * as fc from "fast-check"
import { makeHandler } from "../../../src/platform/jobs/Worker.ts"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { TestService } from "../../support/TestService.ts"
import { TurnQueue } from "../../../src/platform/db/TransactionPermits.ts"

const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

const of = (tenant: string) => Effect.provideService(TransactionPermits.Tenant, tenant)

layer(TestService.layer)("Permits of transactions", (it) => {
  it.effect("let a team write while another one has more slow transactions than there are", () =>
    Effect.gen(function* () {
      const [greedy, quiet] = [yield* ContactsClient.make(), yield* ContactsClient.make()]
      const started = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      let running = 0
      const slow = Transaction.run(
        Effect.andThen(
          Effect.suspend(() => (++running === 2 ? Deferred.succeed(started, undefined) : Effect.void)),
          Deferred.await(end)
        )
      )
      const all = yield* Effect.forEach(Array.from({ length: 8 }), () =>
        Effect.forkChild(of(greedy.teamId)(slow), { startImmediately: true })
      )
      yield* Deferred.await(started)
      const waiting = yield* Effect.forkChild(greedy.create({ firstName: "Anna" }, { prefer: "dry-run" }))
      const reply = yield* quiet.create({ firstName: "Berta" })
      assert.strictEqual(reply.status, 201, reply.text)
      assert.deepStrictEqual([running, waiting.pollUnsafe()], [2, undefined])
      yield* Deferred.succeed(end, undefined)
      yield* Effect.forEach(all, Fiber.join)
      assert.strictEqual((yield* Fiber.join(waiting)).status, 200)
    })
  )

  it.effect("are half of all for one tenant, and come back from those who are interrupted while they wait or run", () =>
    Effect.gen(function* () {
      const { withPermit } = TransactionPermits.make(4)
      const started: Array<string> = []
      const begin = (tenant: string, until: Effect.Effect<void>) =>
        Effect.forkChild(
          Effect.exit(
            of(tenant)(
              withPermit(
                Effect.andThen(
                  Effect.sync(() => started.push(tenant)),
                  until
                )
              )
            )
          )
        )
      const greedy = yield* Effect.forEach([1, 2, 3, 4, 5], () => begin("greedy", Effect.never))
      yield* settled
      assert.deepStrictEqual(started, ["greedy", "greedy"])
      const others = yield* Effect.forEach(["one", "two"], (tenant) => begin(tenant, Effect.never))
      const third = yield* begin("three", Effect.void)
      yield* settled
      assert.deepStrictEqual(started, ["greedy", "greedy", "one", "two"])
      yield* Fiber.interrupt(greedy[4]!)
      yield* Fiber.interrupt(others[0]!)
      yield* Fiber.join(third)
      yield* Effect.forEach([...greedy, ...others], Fiber.interrupt)
      yield* Effect.forEach(["greedy", "one", "two"], (tenant) => of(tenant)(withPermit(Effect.void)))
      assert.deepStrictEqual(started, ["greedy", "greedy", "one", "two", "three"])
    })
  )

  it.effect("count the transactions of a job for the team in its payload, or else for the jobs of its name", () =>
    Effect.gen(function* () {
      const tenants: Array<string> = []
      const note = () => Effect.map(TransactionPermits.Tenant, (tenant) => void tenants.push(tenant))
      const ofTeam = Job.make("test/ofTeam", { payload: Schema.Struct({ teamId: Schema.String }) })
      const ofNobody = Job.make("test/ofNobody", { payload: Schema.Struct({}) })
      yield* makeHandler(ofTeam, note).run({ teamId: "one" })
      yield* makeHandler(ofNobody, note).run({})
      assert.deepStrictEqual(tenants, ["one", "test/ofNobody"])
    })
  )

  it.effect("refuse a tenant that has too many waiting, and no other", () =>
    Effect.gen(function* () {
      const { withPermit } = TransactionPermits.make(2)
      const greedy = yield* Effect.forEach(Array.from({ length: TransactionPermits.waitingPerTenant + 1 }), () =>
        Effect.forkChild(of("greedy")(withPermit(Effect.never)))
      )
      yield* settled
      const refused = yield* Effect.exit(of("greedy")(withPermit(Effect.void)))
      assert.isTrue(Exit.isFailure(refused) && TransactionPermits.isCrowded(refused.cause))
      yield* of("quiet")(withPermit(Effect.void))
      yield* Effect.forEach(greedy, Fiber.interrupt)
      yield* of("greedy")(withPermit(Effect.void))
    })
  )
})

const bounds = { running: 4, runningPerOwner: 2, waitingPerOwner: 3 }

type Step = { readonly owner: string } & ({ readonly do: "enter" } | { readonly do: "leave"; readonly place: number })

const owner = fc.constantFrom("a", "b", "c", "d", "e", "f")

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("enter" as const), owner }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), owner, place: fc.nat(9) }) }
)

/** Plays steps, and keeps who runs and who waits beside the queue. `onStart` sees each entry that starts after it waited. */
const play = (steps: ReadonlyArray<Step>, onStart: (name: string, world: World) => void = () => {}) => {
  const queue = new TurnQueue<number>(bounds)
  const running = new Map<number, string>()
  const waiting = new Map<number, string>()
  const count = (entries: ReadonlyMap<number, string>, name: string) =>
    [...entries.values()].filter((other) => other === name).length
  const world = { queue, running, waiting, refused: 0, count }
  const leave = (entry: number, name: string) => {
    running.delete(entry)
    waiting.delete(entry)
    const next = queue.leave(name, entry)
    if (next === undefined) return
    const nextName = waiting.get(next)
    if (nextName === undefined) throw new Error("an entry starts that does not wait")
    const first = [...waiting].find(([, other]) => other === nextName)
    assert.strictEqual(first?.[0], next, "entries of an owner start in their order")
    onStart(nextName, world)
    waiting.delete(next)
    running.set(next, nextName)
  }
  for (const [entry, one] of steps.entries()) {
    if (one.do === "enter") {
      const entered = queue.enter(one.owner, entry)
      if (entered === "runs") running.set(entry, one.owner)
      else if (entered === "waits") waiting.set(entry, one.owner)
      else {
        world.refused++
        assert.strictEqual(count(waiting, one.owner), bounds.waitingPerOwner)
      }
    } else {
      const own = [...running, ...waiting].filter(([, name]) => name === one.owner)
      const left = own[one.place % Math.max(1, own.length)]
      if (left !== undefined) leave(left[0], one.owner)
    }
    assert.isAtMost(running.size, bounds.running)
    for (const name of new Set([...running.values(), ...waiting.values()])) {
      assert.isAtMost(count(running, name), bounds.runningPerOwner)
      assert.isAtMost(count(waiting, name), bounds.waitingPerOwner)
      if (count(waiting, name) > 0 && running.size < bounds.running) {
        assert.strictEqual(
          count(running, name),
          bounds.runningPerOwner,
          "only the bound of an owner leaves a permit free"
        )
      }
    }
  }
  return { ...world, leave }
}

interface World {
  readonly running: ReadonlyMap<number, string>
  readonly waiting: ReadonlyMap<number, string>
  readonly count: (entries: ReadonlyMap<number, string>, name: string) => number
}

describe("A queue of turns", () => {
  it("never exceeds a bound, never leaves a permit unused that somebody may have, and keeps the order of each owner", () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), (steps) => void play(steps)))
  })

  it("serves nobody twice while another owner waits who may run", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 400 }), (steps) => {
        // Per entry that is the next of an owner who may run: who was served since then.
        const served = new Map<number, Set<string>>()
        play(steps, (name, { count, running, waiting }) => {
          for (const other of new Set(waiting.values())) {
            const [next] = [...waiting].find(([, waits]) => waits === other) ?? []
            if (next === undefined) continue
            const since = served.get(next) ?? new Set()
            if (other === name || count(running, other) >= bounds.runningPerOwner) since.clear()
            else {
              assert.isFalse(since.has(name), `${name} is served twice while ${other} waits`)
              since.add(name)
            }
            served.set(next, since)
          }
        })
      }),
      { numRuns: 100 }
    )
  })

  it("does not starve an owner with many entries beside owners that come back with one each", () => {
    const queue = new TurnQueue<string>({ running: 1, runningPerOwner: 1, waitingPerOwner: 9 })
    queue.enter("x", "x1")
    for (const one of ["a1", "a2", "b1", "c1"]) queue.enter(one.slice(0, 1), one)
    const order: Array<string> = []
    let current: string | undefined = "x1"
    for (let turn = 0; turn < 6 && current !== undefined; turn++) {
      const name: string = current.slice(0, 1)
      current = queue.leave(name, current)
      if (current !== undefined) order.push(current)
      if (name !== "x" && name !== "a") queue.enter(name, `${name}${turn + 2}`)
    }
    assert.deepStrictEqual(
      order.map((entry) => entry.slice(0, 1)),
      ["a", "b", "c", "a", "b", "c"]
    )
  })

  it("forgets everybody who left, whether they ran or waited", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const { leave, queue, running, waiting } = play(steps)
        for (const [entry, name] of [...waiting, ...running]) leave(entry, name)
        assert.isTrue(queue.isEmpty)
      })
    )
  })
})
