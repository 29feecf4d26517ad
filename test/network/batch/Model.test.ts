/**
 * Model-based test of contact upserts. Batches are random, over few ids, references and addresses, so that items collide.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { Results } from "../../../src/core/records/Batch.ts"
import { times } from "../../support/campaign.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

/** A contact of the model, whose index is the order of its creation. */
interface ModelContact {
  readonly firstName: string | null
  readonly email: string | null
  readonly refs: ReadonlyArray<string>
  readonly version: number
}

/**
 * An item of a batch. `contact` is the index of the contact that the item names by its id; it may not exist. References
 * are `namespace:id`.
 */
interface Item {
  readonly contact?: number
  readonly firstName?: string | null
  readonly email?: string | null
  readonly refs?: ReadonlyArray<string>
}

const notAnAddress = "nobody"

const refs = fc.uniqueArray(fc.constantFrom("a:1", "a:2", "b:1", "b:2"), { maxLength: 3 })

const item: fc.Arbitrary<Item> = fc
  .record(
    {
      contact: fc.nat({ max: 5 }),
      firstName: fc.constantFrom("x", "y", null),
      email: fc.constantFrom("p@example.com", "P@example.com", "q@example.com", notAnAddress, null),
      refs
    },
    { requiredKeys: [] }
  )
  // Most items have no id, so that matching by references is tried, too.
  .map(({ contact, ...rest }) => (contact === undefined || contact > 3 ? rest : { contact, ...rest }))

const sameAddress = (a: string | null, b: string | null) =>
  a !== null && b !== null && a.toLowerCase() === b.toLowerCase()

/** Applies an item to the model: the expected outcome, and the contacts afterwards. */
const upsert = (
  contacts: ReadonlyArray<ModelContact>,
  wanted: Item,
  force: boolean
): readonly [string, ReadonlyArray<ModelContact>] => {
  const sent = wanted.refs ?? []
  const holders = contacts.flatMap((contact, n) => (sent.some((ref) => contact.refs.includes(ref)) ? [n] : []))
  if (wanted.contact !== undefined && contacts[wanted.contact] === undefined) return ["not_found", contacts]
  if (wanted.contact === undefined && holders.length > 1) return ["invalid_request", contacts]
  if (wanted.email === notAnAddress) return ["invalid_request", contacts]
  const n = wanted.contact ?? holders[0] ?? contacts.length
  const before = contacts[n] ?? { firstName: null, email: null, refs: [], version: 0 }
  // An item replaces the references of the namespaces that it names.
  const namespaceOf = (ref: string) => ref.split(":")[0]
  const namespaces = sent.map(namespaceOf)
  const kept = before.refs.filter((ref) => sent.includes(ref) || !namespaces.includes(namespaceOf(ref)))
  const after: ModelContact = {
    firstName: wanted.firstName === undefined ? before.firstName : wanted.firstName,
    email: wanted.email === undefined ? before.email : wanted.email,
    refs: wanted.refs === undefined ? before.refs : [...kept, ...sent.filter((ref) => !kept.includes(ref))],
    version: before.version + 1
  }
  const isSame =
    after.firstName === before.firstName &&
    after.email === before.email &&
    JSON.stringify(after.refs) === JSON.stringify(before.refs)
  if (before.version > 0 && isSame) return [`unchanged ${n}`, contacts]
  if (after.firstName === null && after.email === null) return ["invalid_request", contacts]
  const others = contacts.filter((_, index) => index !== n)
  if (!force && after.email !== before.email && others.some((other) => sameAddress(other.email, after.email)))
    return ["duplicate", contacts]
  if (others.some((other) => other.refs.some((ref) => after.refs.includes(ref))))
    return ["external_reference_taken", contacts]
  const now = [...contacts]
  now[n] = after
  return [`${before.version === 0 ? "created" : "updated"} ${n}`, now]
}

const toRef = (ref: string) => {
  const [namespace = "", externalId = ""] = ref.split(":")
  return { namespace, externalId }
}

const unknownId = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"

/** The JSON of an item; `ids` are the ids of the contacts created so far. */
const toJson =
  (ids: ReadonlyArray<string>) =>
  ({ contact, firstName, email, refs }: Item) => ({
    ...(contact === undefined ? {} : { id: ids[contact] ?? unknownId }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(email === undefined ? {} : { email }),
    ...(refs === undefined ? {} : { externalRefs: refs.map(toRef) })
  })

/** The receipts as outcomes of the model. */
const outcomesOf = ({ results }: Results<unknown>, ids: ReadonlyArray<string>) =>
  results.map(({ id, problem, status }) =>
    problem === undefined ? `${status} ${ids.indexOf(id ?? "")}` : problem.code
  )

// The index of no contact: a sequence creates 30 at most.
const noSuchContact = 99

const run = (
  sequence: ReadonlyArray<{ readonly items: ReadonlyArray<Item>; readonly force: boolean }>,
  oneByOne: boolean
) =>
  Effect.gen(function* () {
    const { contacts, events } = yield* RecordsClient.make()
    let model: ReadonlyArray<ModelContact> = []
    let expectedEvents = 0
    const ids: Array<string> = []
    for (const { force, items } of sequence) {
      // An item can use only ids that existed before its batch was sent.
      const known = model.length
      const wanted = items.map((one) =>
        one.contact !== undefined && one.contact >= known ? { ...one, contact: noSuchContact } : one
      )
      const expected = wanted.map((one) => {
        const [outcome, after] = upsert(model, one, force)
        model = after
        if (outcome.startsWith("created") || outcome.startsWith("updated")) expectedEvents++
        return outcome
      })
      const json = wanted.map(toJson(ids))
      const query = force ? "?force=true" : ""
      const outcomes: Array<string> = []
      for (const batch of oneByOne ? json.map((one) => [one]) : [json]) {
        const { body, status, text } = yield* contacts.upsert(batch, {}, query)
        assert.strictEqual(status, 207, text)
        for (const receipt of body.results) if (receipt.status === "created") ids.push(receipt.id ?? "")
        outcomes.push(...outcomesOf(body, ids))
      }
      assert.deepStrictEqual(outcomes, expected)
      const { data } = (yield* contacts.list("?page_size=500")).body
      const listed = ids.map((id) => data.find((contact) => contact.id === id))
      assert.deepStrictEqual(
        listed.map((one) => [one?.firstName, one?.email, one?.externalRefs, one?.etag]),
        model.map((one) => [one.firstName, one.email, one.refs.map(toRef), `"v${one.version}"`])
      )
      assert.lengthOf(data, model.length)
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
      `match the model when sent ${oneByOne ? "one by one" : "in batches"}`,
      () =>
        Effect.gen(function* () {
          const context = yield* Effect.context<Effect.Services<ReturnType<typeof run>>>()
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(sequences, (sequence) => Effect.runPromiseWith(context)(run(sequence, oneByOne))),
              { numRuns: times("MODEL_RUNS", 20, 100) }
            )
          )
        }),
      300_000
    )
  }
})
