/**
 * Random two-way syncs with the example of a CRM, on real processes and Postgres: API and worker are killed, and changes
 * commit late, after younger ones that readers have seen.
 */
import fc from "fast-check"
import * as Transaction from "../../../src/platform/db/Transaction.ts"
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomUUID } from "node:crypto"
import { Database } from "../../../src/platform/db/Database.ts"
import { aClient } from "../../core/auth/fixtures.ts"
import { startApi, startWorkerProcess } from "../../process/fixture.ts"
import { times } from "../../support/campaign.ts"
import { untilBlocked } from "../../support/locks.ts"
import { eventually } from "../../support/polling.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { stepsWith } from "./steps.ts"
import { transports } from "./transports.ts"
import { type Backend, World } from "./World.ts"

const numRuns = times("MODEL_RUNS", 1, 6)

const baseUrl = "http://service.test"

const env = { RATE_LIMIT_PAT: "1000000", RATE_LIMIT_CLIENT: "1000000", WEBHOOK_RETRY_DELAYS: "1s,1s,1s,1s,1s,1s,1s,1s" }

/** A process that can be killed and started again. */
const restartable = <A, E, R>(start: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Exclude<R, Scope.Scope>>()
    let scope = Scope.makeUnsafe()
    const begin = Effect.suspend(() => {
      scope = Scope.makeUnsafe()
      return start.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideContext(context)) as Effect.Effect<
        A,
        E
      >
    })
    // The end of a process's scope is its kill -9.
    const kill = Effect.suspend(() => Scope.close(scope, Exit.void))
    let current = yield* begin
    yield* Effect.addFinalizer(() => kill)
    return {
      kill,
      restart: Effect.andThen(
        kill,
        Effect.map(begin, (started) => {
          current = started
        })
      ),
      current: () => current
    }
  })

const makeProcesses = Effect.gen(function* () {
  return { api: yield* restartable(startApi(env)), worker: yield* restartable(startWorkerProcess(env)) }
})

/** An API and a worker. */
class Processes extends Context.Service<Processes, Effect.Success<typeof makeProcesses>>()("test/crmSync/Processes") {
  static readonly layer = Layer.effect(Processes, makeProcesses)
}

/** The processes with a new team. */
const backend = Effect.gen(function* () {
  const { api, worker } = yield* Processes
  const sql = yield* Database
  const { teamId, token } = yield* Tenant.make()
  const client = yield* aClient(teamId)
  const run = Effect.runPromiseWith(yield* Effect.context<Database>())

  /**
   * Makes a change of a contact begin, lets another one begin and commit after it, and the sync read, and only then lets
   * the first one commit.
   */
  const commitLate = async ({ network }: World, pull: () => Promise<void>) => {
    const [contact] = (await network.contacts.list({ query: { page_size: 1 } })).data
    if (contact === undefined) return
    const released = Deferred.makeUnsafe<void>()
    const locked = Deferred.makeUnsafe<void>()
    const lock = Effect.gen(function* () {
      yield* sql`select id from contacts where id = ${Id.toUuid("contact", contact.id) ?? ""} for update`
      yield* Deferred.succeed(locked, undefined)
      yield* Deferred.await(released)
    }).pipe(Transaction.run, Effect.provideService(Database, sql))
    const locking = run(lock)
    await run(Deferred.await(locked))
    // Another name each time: a patch that changes nothing waits for nobody.
    const change = network.contacts.update({ path: { id: contact.id }, body: { lastName: `Late ${randomUUID()}` } })
    try {
      await run(untilBlocked(1))
      await network.contacts.create({ body: { firstName: "Early" } })
      await pull()
    } finally {
      await run(Deferred.succeed(released, undefined))
      await Promise.all([locking, change])
    }
  }

  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    return globalThis.fetch(new Request(`http://127.0.0.1:${api.current().port}${pathname}${search}`, request))
  }

  const made: Backend = {
    baseUrl,
    fetch,
    clientId: Id.fromUuid("client", client.id),
    clientSecret: client.secret,
    token: () => token,
    killDuring: async (send) => {
      const [sent] = await Promise.allSettled([send(), run(Effect.ignore(api.restart))])
      if (sent.status === "fulfilled") return sent.value
      throw new TypeError("fetch failed")
    },
    drain: () => Promise.resolve(),
    disturb: async (name, world, pull) => {
      if (name === "a change commits late") await commitLate(world, pull)
      else await run(Effect.ignore(worker.restart))
    }
  }
  return made
})

const disturbances = ["a change commits late", "the worker is killed"]

const fixture = Processes.layer.pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(SecureRandom.layerWebCrypto)
)

layer(fixture, { excludeTestServices: true, timeout: 60_000 })(
  "A two-way sync with processes that are killed",
  (it) => {
    for (const [name, make] of Object.entries(transports)) {
      it.effect(
        `ends with both sides equal, from ${name} alone`,
        () =>
          Effect.gen(function* () {
            const context = yield* Effect.context<Processes | Database | SecureRandom.SecureRandom>()
            const newBackend = () => Effect.runPromiseWith(context)(backend)
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(stepsWith(disturbances), async (steps) => {
                  const service = await newBackend()
                  const world = new World(service)
                  const transport = make()
                  try {
                    await transport.setUp(world)
                    for (const step of steps) await world.take(step, transport)
                    await world.up(transport)
                    const equal = async () => {
                      await world.sync(transport)
                      const { crm, network } = await world.bothSides()
                      assert.deepStrictEqual(crm, network)
                    }
                    await Effect.runPromise(eventually(equal, 60_000))
                  } finally {
                    await transport.tearDown()
                  }
                }),
                { numRuns }
              )
            )
          }),
        { timeout: 600_000 }
      )
    }
  }
)
