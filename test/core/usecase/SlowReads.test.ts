/** Searches that take long, of one team beside another. A locked table makes them slow. */
import * as App from "../../../src/App.ts"
import * as SearchClient from "../../network/search/SearchClient.ts"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { ChangeClock } from "../../../src/core/mutation/Changes.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { layer as httpLayer } from "../../../src/Http.ts"
import { AnswerTimeout } from "../../../src/http/Edge.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { lanes } from "../../../src/core/usecase/TeamBudget.ts"
import { pollUntil } from "../../support/polling.ts"
import { TestDatabase, testUrl } from "../../support/TestDatabase.ts"
import { options, TestService } from "../../support/TestService.ts"

const { team: maxRunning, waiting: maxWaiting } = lanes.slowReads

const slowReadMs = 1500

// Later than the end of the searches.
const answerTimeout = 2500

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provideMerge(Layer.unwrap(Effect.map(testUrl, (url) => Database.layer({ url, slowReadMs })))),
  Layer.provideMerge(TestDatabase.layerPostgres),
  Layer.provide(Layer.succeed(ChangeClock, "database")),
  Layer.provide(Layer.succeed(AnswerTimeout, answerTimeout)),
  Layer.provide(Logger.layer([]))
)

/** Holds a lock on the table of contacts until the scope is closed or `release` is run. */
const lockContacts = Effect.gen(function* () {
  const sql = yield* Database
  const locked = yield* Deferred.make<void>()
  const done = yield* Deferred.make<void>()
  const holder = yield* Effect.forkScoped(
    sql.withTransaction(
      sql`lock table contacts in access exclusive mode`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(done))
      )
    )
  )
  yield* Deferred.await(locked)
  return { release: Effect.andThen(Deferred.succeed(done, undefined), Fiber.join(holder)) }
})

/** Waits until so many statements wait for the lock. */
const makeWatch = Effect.gen(function* () {
  // On connections of its own: those of the service are shared with the statements that wait.
  const built = yield* Layer.build(Database.layer({ url: yield* testUrl }))
  const waiting = Effect.map(
    Context.get(built, Database)<{ count: number }>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, 'contacts') > 0`,
    ([row]) => row?.count ?? 0
  )
  return (count: number, timeout?: number) =>
    pollUntil(`${count} statements that wait`, waiting, (found) => found === count, timeout)
})

layer(service, { excludeTestServices: true, timeout: 60_000 })("A slow search", (it) => {
  it.effect(
    "is refused with what to narrow when its time is over, as is a filtered list, and a read of one record is 503 and ends",
    () =>
      Effect.gen(function* () {
        const { addContact, request, searchContacts, token } = yield* SearchClient.make()
        const { id } = yield* addContact({ firstName: "Anna" })
        const untilWaiting = yield* makeWatch
        const { release } = yield* lockContacts
        const read = (path: string) => request("GET", `${SearchClient.contacts}${path}`, { token })
        const [reply, list, one] = yield* Effect.all(
          [
            searchContacts({ filter: { strategy: { contains: "zq" } }, page_size: 500 }),
            read("?tags=core"),
            read(`/${id}`)
          ],
          { concurrency: "unbounded" }
        )
        yield* untilWaiting(0, 1000)
        assert.deepStrictEqual(
          [reply, list, one].map(({ status }) => status),
          [422, 422, 503]
        )
        assert.deepInclude(list.body, {
          code: "query_too_expensive",
          detail:
            "The query took longer than 1500 ms. Leave filters out or, with updated_since, begin later or include the deleted records. A smaller page_size helps, too."
        })
        assert.deepInclude(reply.body as object, {
          code: "query_too_expensive",
          detail:
            "The query took longer than 1500 ms. Compare fewer texts (strategy), or with `contains` longer ones. Add conditions that fewer records meet, such as on tags, an id or a time. Ask for a smaller page_size."
        })
        yield* release
        assert.strictEqual((yield* searchContacts({})).status, 200)
      })
  )

  it.effect("ends within a second when its client is gone, as a read of one record does on a shared connection", () =>
    Effect.gen(function* () {
      const { addContact, request, searchContacts, token } = yield* SearchClient.make()
      const { id } = yield* addContact({ firstName: "Anna" })
      const { release } = yield* lockContacts
      const untilWaiting = yield* makeWatch
      for (const call of [searchContacts({}), request("GET", `${SearchClient.contacts}/${id}`, { token })]) {
        const fiber = yield* Effect.forkChild(call, { startImmediately: true })
        yield* untilWaiting(1)
        yield* Fiber.interrupt(fiber)
        yield* untilWaiting(0, 1000)
      }
      yield* release
    })
  )

  it.effect(
    "waits for its turn behind others of its team, which is refused more than a few, while other teams go on",
    () =>
      Effect.gen(function* () {
        const busy = yield* SearchClient.make()
        const quiet = yield* SearchClient.make()
        const { release } = yield* lockContacts
        const untilWaiting = yield* makeWatch
        const searches = yield* Effect.forEach(Array.from({ length: maxRunning + maxWaiting }), () =>
          Effect.forkChild(busy.searchContacts({}), { startImmediately: true })
        )
        yield* untilWaiting(maxRunning)
        // Whichever comes last is refused.
        const last = yield* pollUntil("a refusal", busy.searchCompanies({}), ({ status }) => status === 429)
        assert.deepInclude(last.body as object, { code: "rate_limited" })
        assert.strictEqual(last.headers.get("retry-after"), "5")
        assert.strictEqual((yield* quiet.searchCompanies({ query: "anna" })).status, 200)
        yield* release
        const statuses = (yield* Effect.forEach(searches, Fiber.join)).map(({ status }) => status)
        assert.include(statuses, 200)
        assert.isTrue(statuses.every((status) => [200, 422, 429, 503].includes(status)))
        assert.strictEqual((yield* busy.searchCompanies({})).status, 200)
      })
  )
})
