/** Upserts of contacts against a model of them, by random batches over few ids, references and addresses. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Results } from "../../../src/records/Batch.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

/** A contact of the model; the first made is number 0. */
interface Person {
  readonly firstName: string | null
  readonly email: string | null
  readonly refs: ReadonlyArray<string>
  readonly version: number
}

/** An item of a batch: `who` is the number of a contact, which need not be there; references are `system:id`. */
interface Item {
  readonly who?: number
  readonly firstName?: string | null
  readonly email?: string | null
  readonly refs?: ReadonlyArray<string>
}

const refs = fc.uniqueArray(fc.constantFrom("a:1", "a:2", "b:1", "b:2"), { maxLength: 3 })

const item: fc.Arbitrary<Item> = fc
  .record(
    {
      who: fc.nat({ max: 5 }),
      firstName: fc.constantFrom("x", "y", null),
      email: fc.constantFrom("p@example.com", "P@example.com", "q@example.com", "nobody", null),
      refs
    },
    { requiredKeys: [] }
  )
  .map(({ who, ...rest }) => (who === undefined || who > 3 ? rest : { who, ...rest }))

const system = (ref: string) => ref.split(":")[0] ?? ""

const same = (a: string | null, b: string | null) => a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/** The outcome of an item in the model: a line, and the contacts afterwards. */
const upsert = (
  people: ReadonlyArray<Person>,
  wanted: Item,
  force: boolean
): readonly [string, ReadonlyArray<Person>] => {
  const sent = wanted.refs ?? []
  const holders = people.flatMap((person, n) => (sent.some((ref) => person.refs.includes(ref)) ? [n] : []))
  if (wanted.who !== undefined && people[wanted.who] === undefined) return ["not_found", people]
  if (wanted.who === undefined && holders.length > 1) return ["invalid_request", people]
  if (wanted.email === "nobody") return ["invalid_request", people]
  const n = wanted.who ?? holders[0] ?? people.length
  const before = people[n] ?? { firstName: null, email: null, refs: [], version: 0 }
  const kept = wanted.who === undefined ? before.refs : []
  const after: Person = {
    firstName: wanted.firstName === undefined ? before.firstName : wanted.firstName,
    email: wanted.email === undefined ? before.email : wanted.email,
    refs: wanted.refs === undefined ? before.refs : [...kept, ...sent.filter((ref) => !kept.includes(ref))],
    version: before.version + 1
  }
  const isSame =
    after.firstName === before.firstName &&
    after.email === before.email &&
    JSON.stringify(after.refs) === JSON.stringify(before.refs)
  if (before.version > 0 && isSame) return [`unchanged ${n}`, people]
  if (after.firstName === null && after.email === null) return ["invalid_request", people]
  const others = people.filter((_, index) => index !== n)
  if (!force && after.email !== before.email && others.some((other) => same(other.email, after.email)))
    return ["duplicate", people]
  if (others.some((other) => other.refs.some((ref) => after.refs.includes(ref))))
    return ["external_reference_taken", people]
  const now = [...people]
  now[n] = after
  return [`${before.version === 0 ? "created" : "updated"} ${n}`, now]
}

const toRef = (ref: string) => ({ namespace: system(ref), externalId: ref.split(":")[1] ?? "" })

const unknown = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

/** An item as it is sent, when these are the ids of the contacts so far. */
const toJson =
  (ids: ReadonlyArray<string>) =>
  ({ firstName, email, refs, who }: Item) => ({
    ...(who === undefined ? {} : { id: ids[who] ?? unknown }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(email === undefined ? {} : { email }),
    ...(refs === undefined ? {} : { externalRefs: refs.map(toRef) })
  })

/** Receipts as the model has them. */
const linesOf = ({ results }: Results<unknown>, ids: ReadonlyArray<string>) =>
  results.map(({ id, problem, status }) =>
    problem === undefined ? `${status} ${ids.indexOf(id ?? "")}` : problem.code
  )

const run = (
  sequence: ReadonlyArray<{ readonly items: ReadonlyArray<Item>; readonly force: boolean }>,
  oneByOne: boolean
) =>
  Effect.gen(function* () {
    const { contacts, events } = yield* RecordsClient.make()
    let people: ReadonlyArray<Person> = []
    let expectedEvents = 0
    const ids: Array<string> = []
    for (const { force, items } of sequence) {
      // An item can name by its id only what was there when the batch was sent.
      const known = people.length
      const wanted = items.map((one) => (one.who !== undefined && one.who >= known ? { ...one, who: 99 } : one))
      const expected = wanted.map((one) => {
        const [line, after] = upsert(people, one, force)
        people = after
        if (line.startsWith("created") || line.startsWith("updated")) expectedEvents++
        return line
      })
      const json = wanted.map(toJson(ids))
      const query = force ? "?force=true" : ""
      const lines: Array<string> = []
      for (const batch of oneByOne ? json.map((one) => [one]) : [json]) {
        const { body, status, text } = yield* contacts.upsert(batch, {}, query)
        assert.strictEqual(status, 207, text)
        for (const receipt of body.results) if (receipt.status === "created") ids.push(receipt.id ?? "")
        lines.push(...linesOf(body, ids))
      }
      assert.deepStrictEqual(lines, expected)
      const { data } = (yield* contacts.list("?page_size=500")).body
      const listed = ids.map((id) => data.find((contact) => contact.id === id))
      assert.deepStrictEqual(
        listed.map((one) => [one?.firstName, one?.email, one?.externalRefs, one?.etag]),
        people.map((one) => [one.firstName, one.email, one.refs.map(toRef), `"v${one.version}"`])
      )
      assert.lengthOf(data, people.length)
      const batchOfAll = (yield* contacts.batchGet(ids)).body.results.map(({ resource }) => resource)
      assert.deepStrictEqual(batchOfAll, listed)
    }
    assert.lengthOf(yield* events, expectedEvents)
  })

const sequences = fc.array(fc.record({ items: fc.array(item, { minLength: 1, maxLength: 6 }), force: fc.boolean() }), {
  minLength: 1,
  maxLength: 5
})

layer(TestService.layer, { excludeTestServices: true })("Upserts of contacts", (it) => {
  for (const oneByOne of [false, true]) {
    it.effect(
      `equal the model, ${oneByOne ? "sent one by one" : "sent as batches"}`,
      () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Effect.Services<ReturnType<typeof run>>>()
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(sequences, (sequence) => Effect.runPromiseWith(context)(run(sequence, oneByOne))),
              { numRuns: 20 }
            )
          )
        }),
      60_000
    )
  }
})
