import * as Transaction from "../../../src/platform/db/Transaction.ts"
import * as TransactionPermits from "../../../src/platform/db/TransactionPermits.ts"
import * as Job from "../../../src/platform/jobs/Job.ts"
import * as ContactsClient from "../../support/ContactsClient.ts"
import { makeTask } from "../../../src/platform/jobs/Worker.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { TestService } from "../../support/TestService.ts"

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
      yield* makeTask(ofTeam, note).run({ teamId: "one" })
      yield* makeTask(ofNobody, note).run({})
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
