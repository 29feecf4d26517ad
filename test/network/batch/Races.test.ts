import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const together = { concurrency: "unbounded" } as const

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const crm = (externalId: string) => ({ namespace: "crm", externalId })

/** The numbers below `count`, beginning at another place for each `turn`, and backwards for each second one. */
const turned = (count: number, turn: number) => {
  const order = times(count).map((n) => (n + turn * 3) % count)
  return turn % 2 === 0 ? order : order.toReversed()
}

layer(TestService.layer, { excludeTestServices: true })("Parallel batches", (it) => {
  it.effect("of the same new references in different orders create each record once", () =>
    Effect.gen(function* () {
      const { companies, contacts, events } = yield* RecordsClient.make()
      const people = yield* Effect.all(
        times(8).map((turn) =>
          contacts.upsert(
            turned(20, turn).map((n) => ({
              firstName: `Anna ${n}`,
              email: `${n}@example.com`,
              externalRefs: [crm(`${n}`)]
            }))
          )
        ),
        together
      )
      const firms = yield* Effect.all(
        times(8).map((turn) =>
          companies.upsert(
            turned(20, turn).map((n) => ({ name: `Berg ${n}`, domain: `${n}.example`, externalRefs: [crm(`${n}`)] }))
          )
        ),
        together
      )
      for (const replies of [people, firms]) {
        assert.deepStrictEqual(
          replies.map(({ status }) => status),
          times(8).map(() => 207)
        )
        const outcomes = replies.flatMap(({ body }) => body.results.map(({ status }) => status))
        assert.lengthOf(
          outcomes.filter((status) => status === "created"),
          20
        )
        assert.lengthOf(
          outcomes.filter((status) => status === "unchanged"),
          140
        )
      }
      assert.lengthOf((yield* contacts.list()).body.data, 20)
      assert.lengthOf((yield* companies.list()).body.data, 20)
      assert.lengthOf(yield* events, 40)
    })
  )

  it.effect("of the same records in different orders lose no change", () =>
    Effect.gen(function* () {
      const { contacts, events } = yield* RecordsClient.make()
      const made = (yield* contacts.upsert(times(10).map((n) => ({ firstName: `${n}`, externalRefs: [crm(`${n}`)] }))))
        .body.results
      const replies = yield* Effect.all(
        times(8).map((turn) =>
          contacts.upsert(
            turned(10, turn).map((n) =>
              turn === 7
                ? { id: made[n]?.id, phone: "1" }
                : { externalRefs: [crm(`${n}`), { namespace: `system ${turn}`, externalId: `${n}` }] }
            )
          )
        ),
        together
      )
      for (const { body, status } of replies) {
        assert.strictEqual(status, 207)
        assert.deepStrictEqual(
          body.results.map((receipt) => receipt.status),
          times(10).map(() => "updated")
        )
      }
      const { data } = (yield* contacts.list()).body
      for (const { etag, externalRefs, phone } of data) {
        assert.deepStrictEqual(externalRefs.map(({ namespace }) => namespace).toSorted(), [
          "crm",
          ...times(7).map((n) => `system ${n}`)
        ])
        assert.deepStrictEqual([etag, phone], ['"v9"', "1"])
      }
      assert.lengthOf(yield* events, 90)
    })
  )

  it.effect("and concurrent patches, deletes and creates never answer 500", () =>
    Effect.gen(function* () {
      const { companies, contacts, links } = yield* RecordsClient.make()
      const people = (yield* contacts.upsert(times(6).map((n) => ({ firstName: `${n}`, externalRefs: [crm(`${n}`)] }))))
        .body.results
      const firms = (yield* companies.upsert(times(6).map((n) => ({ name: `Berg ${n}` })))).body.results
      const contactId = (n: number) => people[n % 6]?.id ?? ""
      const companyId = (n: number) => firms[n % 6]?.id ?? ""
      const pairs = (turn: number) =>
        turned(6, turn).map((n) => ({ contactId: contactId(n), companyId: companyId(n), jobTitle: `${turn}` }))
      for (const round of times(4)) {
        const replies = yield* Effect.all(
          [
            links.upsert(pairs(1)),
            links.upsert(pairs(2)),
            contacts.upsert(turned(6, 3).map((n) => ({ id: contactId(n), primaryCompanyId: companyId(n + round) }))),
            contacts.upsert(turned(6, 4).map((n) => ({ id: contactId(n), primaryCompanyId: companyId(n) }))),
            companies.batchDelete([companyId(round)]),
            contacts.batchDelete([contactId(round + 1)]),
            contacts.patch(contactId(round), { phone: `${round}` }),
            links.create({ contactId: contactId(5), companyId: companyId(round) }),
            links.list().pipe(Effect.flatMap(({ body }) => links.batchDelete(body.data.map(({ id }) => id))))
          ],
          together
        )
        assert.deepStrictEqual(
          replies.map(({ status, text }) => (status >= 500 ? text : "")),
          replies.map(() => "")
        )
      }
      const living = new Set((yield* contacts.list()).body.data.map(({ id }) => id))
      const open = new Set((yield* companies.list()).body.data.map(({ id }) => id))
      for (const link of (yield* links.list()).body.data) {
        assert.isTrue(living.has(link.contactId) && open.has(link.companyId))
      }
      for (const { primaryCompanyId } of (yield* contacts.list()).body.data) {
        assert.isTrue(
          primaryCompanyId === null || open.has(primaryCompanyId as typeof primaryCompanyId & `company_${string}`)
        )
      }
    })
  )

  it.effect("of new pairs in different orders link each pair once", () =>
    Effect.gen(function* () {
      const { companies, contacts, links } = yield* RecordsClient.make()
      const people = (yield* contacts.upsert(times(10).map((n) => ({ firstName: `${n}` })))).body.results.map(
        ({ id }) => id ?? ""
      )
      const companyId = (yield* companies.create({ name: "Berg" })).body.id
      for (const round of times(2)) {
        const replies = yield* Effect.all(
          times(8).map((turn) => links.upsert(turned(10, turn).map((n) => ({ contactId: people[n], companyId })))),
          together
        )
        const outcomes = replies.flatMap(({ body, status, text }) =>
          status === 207 ? body.results.map((one) => one.status) : [text]
        )
        assert.deepStrictEqual([...new Set(outcomes)].toSorted(), ["created", "unchanged"], `${round}`)
        assert.lengthOf(
          outcomes.filter((status) => status === "created"),
          10
        )
        const { data } = (yield* links.list("?include_deleted=true")).body
        assert.lengthOf(data, 10)
        yield* links.batchDelete(data.map(({ id }) => id))
      }
    })
  )

  it.effect("of deletions delete each record once", () =>
    Effect.gen(function* () {
      const { contacts, events } = yield* RecordsClient.make()
      const ids = (yield* contacts.upsert(times(20).map((n) => ({ firstName: `${n}` })))).body.results.map(
        ({ id }) => id ?? ""
      )
      const replies = yield* Effect.all(
        times(6).map((turn) => contacts.batchDelete(turned(20, turn).map((n) => ids[n]))),
        together
      )
      const outcomes = replies.flatMap(({ body }) => body.results.map(({ status }) => status))
      assert.lengthOf(
        outcomes.filter((status) => status === "deleted"),
        20
      )
      assert.lengthOf(
        outcomes.filter((status) => status === "missing"),
        100
      )
      assert.lengthOf(yield* events, 40)
    })
  )

  it.effect("apply all of twenty concurrent patches without If-Match", () =>
    Effect.gen(function* () {
      const { contacts } = yield* RecordsClient.make()
      const { id } = (yield* contacts.create({ firstName: "Anna" })).body
      const replies = yield* Effect.all(
        times(20).map((n) => contacts.patch(id, { phone: `${n}` })),
        together
      )
      assert.deepStrictEqual(
        replies.map(({ status }) => status),
        times(20).map(() => 200)
      )
      assert.strictEqual((yield* contacts.get(id)).body.etag, '"v21"')
    })
  )
})
