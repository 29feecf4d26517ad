import { assert, describe, test } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import type { Link } from "../../../src/network/links/Link.ts"
import { planMerge } from "../../../src/network/links/rules.ts"
import { decide } from "../../../src/network/merges/rules.ts"
import type { Stored } from "../../../src/core/records/Table.ts"

const uuidOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

interface Record {
  readonly id: string
  readonly tags: ReadonlyArray<string>
  readonly externalRefs: ReadonlyArray<{ readonly namespace: string; readonly externalId: string }>
}

const refsOf = (n: number, count: number) => times(count).map((k) => ({ namespace: `crm ${n}`, externalId: String(k) }))

/** The tags of a number: one that all have, and one of its own. */
const tagsOf = (n: number) => ["all", `tag ${n}`]

/** The contact of a number, with so many references. */
const contact = (n: number, refs = 0, more: Partial<Stored<Record>> = {}): Stored<Record> => ({
  uuid: uuidOf(n),
  version: 1,
  mergedInto: null,
  deleted: false,
  resource: { id: Id.fromUuid("contact", uuidOf(n)), tags: tagsOf(n), externalRefs: refsOf(n, refs) },
  ...more
})

const idOf = (n: number) => contact(n).resource.id

describe("A merge", () => {
  // 0 is the survivor, 1 to 3 live, 4 was deleted, 5 is the survivor's already, 6 is another's; 7 and 8 never were.
  const found = new Map(
    [
      contact(0, 2),
      contact(1, 1),
      contact(2, 0),
      contact(3, 3),
      contact(4, 0, { deleted: true }),
      contact(5, 0, { deleted: true, mergedInto: idOf(0) }),
      contact(6, 0, { deleted: true, mergedInto: idOf(9) })
    ].map((stored) => [stored.uuid, stored])
  )

  test("takes living records, each once, and reports a fault for each of the others", () => {
    const named = fc.array(fc.option(fc.nat({ max: 8 }), { nil: undefined }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(named, (numbers) => {
        const from = numbers.map((n) => (n === undefined ? undefined : uuidOf(n)))
        const decision = decide({ type: "contact", into: contact(0, 2), from, found })
        const expected = numbers.flatMap((n, index) => {
          const isRepeated = n !== undefined && numbers.indexOf(n) < index
          if (isRepeated) return [`/from/${index} not_unique`]
          return n === undefined || [0, 4, 6, 7, 8].includes(n) ? [`/from/${index} invalid_reference`] : []
        })
        const faults = Result.isFailure(decision)
          ? decision.failure.errors.map(({ code, pointer }) => `${pointer} ${code}`)
          : []
        assert.deepStrictEqual(faults, expected)
        if (Result.isFailure(decision)) return
        const living = numbers.filter((n) => n !== 5)
        assert.deepStrictEqual(
          decision.success.merged.map(({ uuid }) => uuid),
          living.map((n) => uuidOf(n ?? 0))
        )
        assert.deepStrictEqual(decision.success.joined, {
          externalRefs: [contact(0, 2), ...decision.success.merged].flatMap(({ resource }) => resource.externalRefs),
          tags: ["all", "tag 0", ...living.map((n) => `tag ${n ?? 0}`)]
        })
      })
    )
  })

  test("explains why it rejects an id", () => {
    const from = [0, 6, 4].map(uuidOf)
    const decision = decide({ type: "contact", into: contact(0), from, found })
    assert.deepStrictEqual(Result.isFailure(decision) ? decision.failure.errors.map(({ detail }) => detail) : [], [
      "Is the contact itself.",
      `Was merged into ${idOf(9)}.`,
      "There is no contact with this id."
    ])
  })

  test("keeps the first 50 tags", () => {
    const tagged = (n: number, count: number) => {
      const one = contact(n)
      return { ...one, resource: { ...one.resource, tags: times(count).map((k) => `${n} ${k}`) } }
    }
    const [into, other] = [tagged(0, 49), tagged(1, 2)]
    const records = new Map([into, other].map((stored) => [stored.uuid, stored]))
    const decision = decide({ type: "contact", into, from: [uuidOf(1)], found: records })
    assert.deepStrictEqual(Result.isSuccess(decision) && decision.success.joined.tags, [...into.resource.tags, "1 0"])
  })

  test("allows at most 20 references", () => {
    for (const [own, other, fits] of [
      [20, 0, true],
      [0, 20, true],
      [10, 10, true],
      [20, 1, false],
      [1, 20, false]
    ] as const) {
      const into = contact(0, own)
      const records = new Map([into, contact(1, other)].map((stored) => [stored.uuid, stored]))
      const decision = decide({ type: "contact", into, from: [uuidOf(1)], found: records })
      assert.strictEqual(Result.isSuccess(decision), fits, `${own} ${other}`)
      if (Result.isFailure(decision))
        assert.deepInclude(decision.failure.errors[0], { pointer: "/from", code: "too_many" })
    }
  })
})

describe("Links of merged records", () => {
  interface Made {
    readonly contact: number
    readonly company: number
    readonly age: number
    readonly title: string | null
    readonly refs: number
  }

  const link = (made: Made, n: number): Stored<Link> => ({
    uuid: uuidOf(1000 + n),
    version: 1,
    mergedInto: null,
    deleted: false,
    resource: {
      id: Id.fromUuid("link", uuidOf(1000 + n)),
      contactId: Id.fromUuid("contact", uuidOf(made.contact)),
      companyId: Id.fromUuid("company", uuidOf(made.company)),
      jobTitle: made.title,
      externalRefs: refsOf(n, made.refs),
      createdUtc: new Date(made.age).toISOString(),
      updatedUtc: new Date(made.age).toISOString(),
      etag: '"v1"',
      changeType: "created",
      changeOrigin: "api",
      deletedUtc: null
    }
  })

  const someLinks = fc.uniqueArray(
    fc.record({
      contact: fc.nat({ max: 3 }),
      company: fc.nat({ max: 2 }),
      age: fc.nat({ max: 4 }),
      title: fc.constantFrom("Head", "Buyer", null),
      refs: fc.nat({ max: 3 })
    }),
    { selector: ({ company, contact: one }) => `${one} ${company}`, maxLength: 12 }
  )

  test("are one for each pair: that of the survivor, or else the oldest, with the members of the others", () => {
    fc.assert(
      fc.property(someLinks, (made) => {
        const links = made.map(link)
        const decision = planMerge(links, { type: "contact", from: [1, 2, 3].map(uuidOf), to: uuidOf(0) })
        if (Result.isFailure(decision)) return assert.fail("at most 12 references come together")
        const { absorbed, survivors } = decision.success
        assert.sameMembers([...survivors.map(({ stored }) => stored), ...absorbed], links)
        const companies = survivors.map(({ stored }) => stored.resource.companyId)
        assert.sameMembers(companies, [...new Set(links.map(({ resource }) => resource.companyId))])
        assert.strictEqual(new Set(companies).size, companies.length)
        for (const { input, stored } of survivors) {
          const group = links.filter(({ resource }) => resource.companyId === stored.resource.companyId)
          const own = group.find(({ resource }) => resource.contactId === idOf(0))
          const byAge = group.toSorted((a, b) =>
            `${a.resource.createdUtc} ${a.resource.id}` < `${b.resource.createdUtc} ${b.resource.id}` ? -1 : 1
          )
          assert.strictEqual(stored, own ?? byAge[0])
          const inOrder = [stored, ...byAge.filter((one) => one !== stored)]
          const title = inOrder.find(({ resource }) => resource.jobTitle !== null)?.resource.jobTitle ?? null
          assert.deepStrictEqual(input, {
            contactId: idOf(0),
            jobTitle: title,
            externalRefs: inOrder.flatMap(({ resource }) => resource.externalRefs)
          })
        }
      })
    )
  })

  test("have at most 20 references", () => {
    for (const [refs, fits] of [
      [10, true],
      [11, false]
    ] as const) {
      const links = [0, 1].map((n) =>
        link({ contact: 5, company: n, age: 0, title: null, refs: n === 0 ? 10 : refs }, n)
      )
      const decision = planMerge(links, { type: "company", from: [uuidOf(1)], to: uuidOf(0) })
      assert.strictEqual(Result.isSuccess(decision), fits)
      if (Result.isFailure(decision))
        assert.deepInclude(decision.failure.errors[0], { pointer: "/from", code: "too_many" })
    }
  })
})
