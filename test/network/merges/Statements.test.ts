/** The number of statements of a merge does not depend on the number of dependents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { serviceOnSharedServer, statementsOf } from "../../support/Statements.ts"
import { make } from "./fixture.ts"

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

layer(serviceOnSharedServer, { excludeTestServices: true })("A merge of companies", (it) => {
  /** The statements of a merge of three companies with `count` contacts, links and notes each; what is left at the end. */
  const merged = Effect.fnUntraced(function* (count: number) {
    const fixture = yield* make()
    const [a, b, c] = [yield* fixture.company(), yield* fixture.company(), yield* fixture.company()]
    const ids: Array<string> = []
    for (const { id } of [a, b, c]) {
      const made = yield* fixture.contacts.upsert(
        times(count).map((n) => ({ firstName: `Anna ${n}`, primaryCompanyId: id }))
      )
      ids.push(...made.body.results.flatMap((receipt) => receipt.id ?? []))
      const notes = times(count).map((n) => fixture.note("companies", id, `Note ${n}`))
      yield* Effect.all(notes, { concurrency: 4 })
    }
    for (const { id } of [a, b, c]) {
      for (const from of [0, 1, 2]) {
        const items = ids.slice(from * count, (from + 1) * count).map((contactId) => ({ contactId, companyId: id }))
        const linked = yield* fixture.links.upsert(items)
        assert.deepStrictEqual(
          linked.body.results.filter(({ status }) => status !== "created"),
          []
        )
      }
    }
    const { reply, statements } = yield* statementsOf(fixture.mergeCompanies(a.id, [b.id, c.id]))
    assert.strictEqual(reply.status, 200, reply.text)
    assert.lengthOf(yield* fixture.timeline("companies", a.id, "?type=notes&page_size=500"), 3 * count)
    assert.lengthOf(yield* fixture.linksOf(`?company_id=${a.id}&page_size=500`), 3 * count)
    const { data } = (yield* fixture.contacts.list("?page_size=500")).body
    assert.deepStrictEqual([...new Set(data.map(({ primaryCompanyId }) => primaryCompanyId))], [a.id])
    return statements.map(({ text }) => text)
  })

  it.effect("takes as many statements for one link, contact and note as for forty", () =>
    Effect.gen(function* () {
      const few = yield* merged(1)
      const many = yield* merged(40)
      assert.deepStrictEqual(many, few)
      assert.isBelow(few.length, 60)
    })
  )
})
