import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../../../support/TestService.ts"
import { byResource, removal, emitted, fixture } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("A contact or company that is deleted", (it) => {
  for (const kind of ["contact", "company"] as const) {
    it.effect(`is removed from every list except those of closed projects (${kind})`, () =>
      Effect.gen(function* () {
        const { act, eventsOf, on, project, ...client } = yield* fixture()
        const records = kind === "contact" ? client.contacts : client.companies
        const investor = kind === "contact" ? yield* client.contact() : yield* client.company()
        const ref = { [`${kind}Id`]: investor.id }
        const ids = [yield* project(), yield* project(), yield* project(), yield* project()] as const
        const places = [
          yield* on(ids[0], ref),
          yield* on(ids[1], ref),
          yield* on(ids[2], ref),
          yield* on(ids[3], ref)
        ] as const
        const other = yield* on(ids[0], { contactId: (yield* client.contact({ firstName: "Ben" })).id })
        yield* act(ids[2], "close")
        yield* places[3].removeFromList(places[3].id)
        const before = [yield* places[2].now, yield* places[3].now, yield* other.now]
        const { events } = yield* eventsOf(records.delete(investor.id))
        assert.deepStrictEqual(emitted(events), byResource([removal(places[0].id), removal(places[1].id)]))
        assert.lengthOf(events, 3)
        for (const place of [places[0], places[1]]) {
          const now = yield* place.now
          assert.deepInclude(now, { changeType: "updated", removedUtc: now.updatedUtc, [kind]: before[0]?.[kind] })
          assert.deepStrictEqual(
            (yield* place.list()).body.data.filter(({ id }) => id === place.id),
            []
          )
          assert.include((yield* place.restore(place.id)).text, "investor_deleted")
          const [row] = (yield* place.actions(place.id, "?include_rollups=false")).body.data
          assert.strictEqual(row?.["event"], "prospect.removed")
        }
        assert.deepStrictEqual([yield* places[2].now, yield* places[3].now, yield* other.now], before)
        assert.lengthOf((yield* places[2].list()).body.data, 1)
        // Open projects have no prospects whose investor is no longer there.
        const reopened = yield* eventsOf(act(ids[2], "reopen"))
        assert.deepStrictEqual(emitted(reopened.events), [removal(places[2].id)])
        assert.deepStrictEqual((yield* places[2].list()).body.data, [])
      })
    )
  }

  it.effect("is removed from the lists together with the others of its batch", () =>
    Effect.gen(function* () {
      const { contact, contacts, eventsOf, on, project, prospectsOf } = yield* fixture()
      const id = yield* project()
      const people = [
        yield* contact(),
        yield* contact({ firstName: "Ben" }),
        yield* contact({ firstName: "Eva" })
      ] as const
      const [anna, ben] = people
      const places = yield* Effect.forEach(people, (person) => on(id, { contactId: person.id }))
      const { events } = yield* eventsOf(contacts.batchDelete([anna.id, ben.id]))
      assert.deepStrictEqual(emitted(events), byResource(places.slice(0, 2).map((place) => removal(place.id))))
      assert.deepStrictEqual(
        (yield* prospectsOf(id).list()).body.data.map((one) => one.id),
        [places[2]?.id]
      )
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("What a prospect answers of its investor", (it) => {
  it.effect("updates with the name, e-mail address and tags of a contact on every project, and with nothing else", () =>
    Effect.gen(function* () {
      const { act, contact, contacts, eventsOf, on, project } = yield* fixture()
      const maria = yield* contact({ firstName: "Maria", lastName: "Rossi", email: "maria@example.com" })
      const [open, closed, off] = [yield* project(), yield* project(), yield* project()]
      const places = [
        yield* on(open, { contactId: maria.id }),
        yield* on(closed, { contactId: maria.id }),
        yield* on(off, { contactId: maria.id })
      ] as const
      yield* act(closed, "close")
      yield* places[2].removeFromList(places[2].id)
      const all = Effect.all(places.map(({ now }) => now))
      let before = yield* all
      const changes = [
        [{ lastName: "Bianchi" }, { name: "Maria Bianchi", email: "maria@example.com" }, []],
        [{ email: "bianchi@example.com" }, { name: "Maria Bianchi", email: "bianchi@example.com" }, []],
        [{ tags: ["core"] }, { name: "Maria Bianchi", email: "bianchi@example.com" }, ["core"]]
      ] as const
      for (const [patch, answered, tags] of changes) {
        const { events } = yield* eventsOf(contacts.patch(maria.id, patch))
        assert.deepStrictEqual(emitted(events), [])
        const after = yield* all
        for (const [index, now] of after.entries()) {
          assert.deepStrictEqual(now.contact, { id: maria.id, ...answered })
          assert.deepStrictEqual(now.tags, [...tags])
          assert.notStrictEqual(now.etag, before[index]?.etag)
          assert.isAbove(Date.parse(now.updatedUtc), Date.parse(before[index]?.updatedUtc ?? ""))
        }
        assert.lengthOf((yield* places[0].actions(places[0].id, "?include_rollups=false")).body.data, 1)
        before = after
      }
      for (const patch of [{ phone: "+39 02 1234567" }, { strategy: "Core" }, { firstName: "Maria" }]) {
        assert.strictEqual((yield* contacts.patch(maria.id, patch)).status, 200)
        assert.deepStrictEqual(yield* all, before)
      }
      const upserted = yield* contacts.upsert([{ id: maria.id, lastName: "Verdi" }])
      assert.strictEqual(upserted.body.results[0]?.status, "updated")
      assert.deepStrictEqual(
        (yield* all).map((now) => now.contact?.name),
        ["Maria Verdi", "Maria Verdi", "Maria Verdi"]
      )
      assert.lengthOf((yield* places[0].list("?tags=core")).body.data, 1)
    })
  )

  it.effect("updates with the name, domain, country and tags of a company, and with nothing else", () =>
    Effect.gen(function* () {
      const { companies, company, on, project } = yield* fixture()
      const tal = yield* company({ name: "Tal" })
      const place = yield* on(yield* project(), { companyId: tal.id })
      yield* companies.patch(tal.id, {
        name: "Tal AB",
        country: "SE",
        homepageUrl: "https://tal.example",
        tags: ["core"]
      })
      const now = yield* place.now
      assert.deepStrictEqual(now.company, { id: tal.id, name: "Tal AB", domain: "tal.example", country: "SE" })
      assert.deepStrictEqual(now.tags, ["core"])
      yield* companies.patch(tal.id, { legalName: "Tal AB (publ)", linkedInUrl: "https://linkedin.com/company/tal" })
      assert.deepStrictEqual(yield* place.now, now)
    })
  )
})
