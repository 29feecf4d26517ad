/** What merges ask of the database: as many statements, however much hangs on the records. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import * as App from "../../../src/App.ts"
import { layer as httpLayer } from "../../../src/Http.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { options, TestService } from "../../support/TestService.ts"
import { make } from "./world.ts"

/** Every statement that the service has made. */
const asked: Array<string> = []

const recording = Layer.succeed(CurrentTransformer, (statement) =>
  Effect.sync(() => {
    asked.push(statement.compile()[0])
    return statement
  }))

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provide(recording),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Logger.layer([]))
)

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

layer(service, { excludeTestServices: true })("A merge of companies", (it) => {
  /** The statements of a merge of three companies with `count` contacts, links and notes each; what is left at the end. */
  const merged = Effect.fnUntraced(function*(count: number) {
    const world = yield* make()
    const [a, b, c] = [yield* world.company(), yield* world.company(), yield* world.company()]
    const ids: Array<string> = []
    for (const { id } of [a, b, c]) {
      const made = yield* world.contacts.upsert(times(count).map((n) => ({ firstName: `Anna ${n}`, primaryCompanyId: id })))
      ids.push(...made.body.results.flatMap((receipt) => receipt.id ?? []))
      const notes = times(count).map((n) => world.note("companies", id, `Note ${n}`))
      yield* Effect.all(notes, { concurrency: 4 })
    }
    for (const { id } of [a, b, c]) {
      for (const from of [0, 1, 2]) {
        const items = ids.slice(from * count, (from + 1) * count).map((contactId) => ({ contactId, companyId: id }))
        const linked = yield* world.links.upsert(items)
        assert.deepStrictEqual(linked.body.results.filter(({ status }) => status !== "created"), [])
      }
    }
    asked.length = 0
    const reply = yield* world.mergeCompanies(a.id, [b.id, c.id])
    const statements = [...asked]
    assert.strictEqual(reply.status, 200, reply.text)
    assert.lengthOf(yield* world.timeline("companies", a.id, "?type=notes&page_size=500"), 3 * count)
    assert.lengthOf(yield* world.linksOf(`?company_id=${a.id}&page_size=500`), 3 * count)
    const { data } = (yield* world.contacts.list("?page_size=500")).body
    assert.deepStrictEqual([...new Set(data.map(({ primaryCompanyId }) => primaryCompanyId))], [a.id])
    return statements
  })

  it.effect("makes the same statements for one link, contact and note each as for forty", () =>
    Effect.gen(function*() {
      const few = yield* merged(1)
      const many = yield* merged(40)
      assert.deepStrictEqual(many, few)
      assert.isBelow(few.length, 60)
    }))
})
