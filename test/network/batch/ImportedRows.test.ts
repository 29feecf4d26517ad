/** Batches of rows of a file that are written at the same time (docs/adr/0036-import-batches-overlap.md). */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import * as EarlierRows from "../../../src/core/records/EarlierRows.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { Companies } from "../../../src/network/companies/Companies.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { serviceOnSharedServer } from "../../support/Statements.ts"
import * as Tenant from "../../support/Tenant.ts"

const crm = (externalId: string) => [{ namespace: "crm", externalId }]

/** Batches of one file of a new team. */
const make = Effect.gen(function* () {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const actor = Tenant.actorOf(yield* Tenant.make())
  const earlier = EarlierRows.make(false)
  let lookedUp = 0
  /** Writes the next batch, which is not settled unless the rows after it are to know it; true if it had to wait. */
  const write = Effect.fnUntraced(function* (
    kind: "contacts" | "companies",
    items: ReadonlyArray<Json>,
    { isSettled = false } = {}
  ) {
    const batch = earlier.batch()
    const written = yield* Effect.result(
      { contacts, companies }[kind]
        .importRows(UseCaseRequest.ofRows({ operation: "import", items }), {
          lines: items.map((_, index) => index + 2),
          onDuplicate: "refuse",
          restore: false,
          earlier: batch,
          turn: Effect.void,
          lookedUp: Effect.sync(() => void lookedUp++)
        })
        .pipe(actAs(actor))
    )
    if (isSettled) batch.settle([])
    if (written._tag === "Success") return written.success.value.results
    assert.strictEqual(written.failure._tag, "DependentRows")
    return "waits"
  })
  return { write, lookedUp: () => lookedUp }
})

layer(serviceOnSharedServer, { timeout: 60_000 })("A batch of rows beside one without an answer", (it) => {
  it.effect("is written if it has nothing to do with that", () =>
    Effect.gen(function* () {
      const { lookedUp, write } = yield* make
      yield* write("contacts", [{ firstName: "Anna", email: "anna@hall.example", externalRefs: crm("1") }])
      const results = yield* write("contacts", [
        { firstName: "Anna", email: "bo@hall.example", externalRefs: crm("2") }
      ])
      assert.notStrictEqual(results, "waits")
      assert.strictEqual(lookedUp(), 2)
    })
  )

  it.effect("waits if it has a reference, an address, a name or a record of it, by whatever name", () =>
    Effect.gen(function* () {
      const anna = { firstName: "Anna", email: "anna@hall.example", externalRefs: crm("1") }
      for (const [what, before, row] of [
        ["reference", anna, { firstName: "Bo", externalRefs: crm("1") }],
        ["address", anna, { firstName: "Bo", email: "ANNA@hall.example" }],
        ["record", { firstName: "Anna", email: "eve@hall.example" }, { lastName: "Holm", externalRefs: crm("eve") }]
      ] as const) {
        const { write } = yield* make
        const eve = { firstName: "Anna", email: "eve@hall.example", externalRefs: crm("eve") }
        yield* write("contacts", [eve], { isSettled: true })
        yield* write("contacts", [before])
        assert.strictEqual(yield* write("contacts", [row]), "waits", what)
      }
      const { lookedUp, write } = yield* make
      yield* write("companies", [{ name: "Hall GmbH", country: "DE" }])
      assert.strictEqual(yield* write("companies", [{ name: "Hall AG", country: "DE" }]), "waits")
      assert.strictEqual(lookedUp(), 1)
    })
  )
})
