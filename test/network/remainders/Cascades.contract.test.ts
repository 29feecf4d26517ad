/** Deletions and merges that are too large for one transaction. Here a step takes ten rows of a kind. */
import * as Id from "../../../src/core/Id.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import * as Agent from "../../support/Agent.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { Cascades } from "../../../src/network/Cascades.ts"
import { ProspectsPerStep } from "../../../src/deals/lifecycle/ProjectLifecycle.ts"
import { StepSize } from "../../../src/core/records/RecordKind.ts"
import { continueCascades, continueDeletion } from "../../../workers/handlers.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { make } from "../merges/fixture.ts"

const smallSteps = Layer.merge(Layer.succeed(StepSize, 10), Layer.succeed(ProspectsPerStep, 10))

const service = TestService.layerWith(Layer.merge(Logger.layer([]), smallSteps)).pipe(Layer.provideMerge(smallSteps))

/** Runs all jobs, as a worker that starts now. */
const finish = Effect.scoped(
  Effect.flatMap(Layer.build(MemoryWorker.layer([continueCascades, continueDeletion])), (context) =>
    Effect.provideContext(
      Effect.flatMap(Worker, ({ drain }) => drain),
      context
    )
  )
)

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** A team with a company and as many contacts, which mainly work for it and are linked to it. */
const fixture = Effect.fnUntraced(function* (count: number) {
  const client = yield* make()
  const cascades = yield* Cascades
  const large = yield* client.company({ name: "Large AB" })
  const upserted = yield* client.contacts.upsert(
    times(count).map((n) => ({ firstName: `Anna ${n}`, primaryCompanyId: large.id })),
    {},
    "?force=true"
  )
  const contacts = upserted.body.results.flatMap(({ id }) => id ?? [])
  const linkAll = (companyId: string, ids = contacts) =>
    client.links.upsert(ids.map((contactId) => ({ contactId, companyId })))
  yield* linkAll(large.id)
  const before = yield* client.countEvents
  const eventsOf = (type: string) =>
    Effect.map(client.eventsSince(before), (events) => events.filter((event) => event["event"] === type))
  const linksOf = (companyId: string) => client.linksOf(`?company_id=${companyId}&page_size=500`)
  const step = (...companies: ReadonlyArray<string>) =>
    cascades.step({
      teamId: client.teamId,
      type: "company",
      uuids: companies.map((id) => Id.toUuid("company", id) ?? ""),
      userId: client.userId,
      clientId: null,
      origin: "api"
    })
  const employers = Effect.map(client.contacts.list("?page_size=500"), ({ body }) => [
    ...new Set(body.data.map(({ primaryCompanyId }) => primaryCompanyId))
  ])
  return { ...client, large, contactIds: contacts, linkAll, eventsOf, linksOf, step, employers }
})

layer(service, { excludeTestServices: true })("A company with more links than one transaction takes", (it) => {
  it.effect(
    "is gone at once, and its links and employees follow in steps, each reported once and as the caller's",
    () =>
      Effect.gen(function* () {
        const team = yield* fixture(25)
        const rehearsed = yield* team.request("DELETE", `/api/v1/network/companies/${team.large.id}`, {
          token: team.token,
          headers: { prefer: "dry-run" }
        })
        const { affected, later } = rehearsed.body as {
          readonly affected: ReadonlyArray<{ readonly type: string }>
          readonly later: unknown
        }
        assert.deepStrictEqual(later, [
          { type: "link", change: "deleted", count: 15 },
          { type: "contact", change: "updated", count: 15 }
        ])
        assert.deepStrictEqual(
          ["company", "link", "contact"].map((type) => affected.filter((one) => one.type === type).length),
          [1, 10, 10]
        )
        assert.lengthOf(yield* team.linksOf(team.large.id), 25)

        assert.strictEqual((yield* team.companies.delete(team.large.id)).status, 204)
        assert.strictEqual((yield* team.companies.get(team.large.id)).status, 404)
        assert.lengthOf(yield* team.linksOf(team.large.id), 15)
        const contactId = (yield* team.contact()).id
        const refused = yield* team.links.create({ contactId, companyId: team.large.id })
        assert.deepStrictEqual(faultsOf(refused), ["body /companyId invalid_reference"])

        yield* finish
        assert.deepStrictEqual(yield* team.linksOf(team.large.id), [])
        assert.deepStrictEqual(yield* team.employers, [null])
        const [links, contacts, companies] = [
          yield* team.eventsOf("link.deleted"),
          yield* team.eventsOf("contact.updated"),
          yield* team.eventsOf("company.deleted")
        ]
        assert.deepStrictEqual([links.length, contacts.length, companies.length], [25, 25, 1])
        assert.lengthOf(new Set(links.map((event) => event["resource_id"])), 25)
        for (const event of [...links, ...contacts]) {
          assert.deepStrictEqual(event["caused_by"], { event: "company.deleted", resource_id: team.large.id })
          assert.strictEqual(event["actor_user_id"], team.user)
        }
      })
  )

  it.effect("is continued after a step whose worker was lost, also when the step is repeated", () =>
    Effect.gen(function* () {
      const team = yield* fixture(35)
      assert.strictEqual((yield* team.companies.delete(team.large.id)).status, 204)
      yield* Effect.all([team.step(team.large.id), team.step(team.large.id)], { concurrency: 2 })
      yield* finish
      assert.deepStrictEqual(yield* team.linksOf(team.large.id), [])
      assert.lengthOf(yield* team.eventsOf("link.deleted"), 35)
      yield* team.step(team.large.id)
      assert.lengthOf(yield* team.eventsOf("link.deleted"), 35)
    })
  )

  it.effect(
    "is back at once when it is restored, and its links and employees follow in steps, each reported once",
    () =>
      Effect.gen(function* () {
        const team = yield* fixture(25)
        const path = `/api/v1/network/companies/${team.large.id}/restore`
        const restore = (headers = {}) => team.request("POST", path, { token: team.token, headers })
        assert.strictEqual((yield* team.companies.delete(team.large.id)).status, 204)
        yield* finish
        const rehearsed = yield* restore({ prefer: "dry-run" })
        assert.deepStrictEqual(rehearsed.body["later"], [
          { type: "contact", change: "updated", count: 15 },
          { type: "link", change: "restored", count: 15 }
        ])
        const restored = yield* restore()
        assert.strictEqual(restored.status, 200, restored.text)
        assert.deepStrictEqual(restored.body["notRestored"], [])
        assert.lengthOf(yield* team.linksOf(team.large.id), 10)
        yield* finish
        assert.lengthOf(yield* team.linksOf(team.large.id), 25)
        assert.deepStrictEqual(yield* team.employers, [team.large.id])
        const links = yield* team.eventsOf("link.restored")
        assert.lengthOf(new Set(links.map((event) => event["resource_id"])), 25)
        for (const event of links) {
          assert.deepStrictEqual(event["caused_by"], { event: "company.restored", resource_id: team.large.id })
          assert.strictEqual(event["actor_user_id"], team.user)
        }

        // In the middle of a deletion, and once more.
        assert.strictEqual((yield* team.companies.delete(team.large.id)).status, 204)
        yield* team.step(team.large.id)
        assert.strictEqual((yield* restore()).status, 200)
        yield* finish
        assert.lengthOf(yield* team.linksOf(team.large.id), 25)
        assert.deepStrictEqual(yield* team.employers, [team.large.id])
      })
  )

  it.effect("redirects at once when it is merged, and one link of each contact remains in the end", () =>
    Effect.gen(function* () {
      const team = yield* fixture(25)
      const into = yield* team.company()
      yield* team.linkAll(into.id, team.contactIds.slice(5, 20))
      yield* Effect.forEach(times(12), (n) => team.note("companies", team.large.id, `Note ${n}`))
      const rehearsed = yield* team.mergeCompanies(into.id, [team.large.id], { prefer: "dry-run" })
      assert.deepStrictEqual((rehearsed.body as { readonly later?: unknown }).later, [
        { type: "link", change: "updated", count: 15 },
        { type: "contact", change: "updated", count: 15 }
      ])

      assert.strictEqual((yield* team.mergeCompanies(into.id, [team.large.id])).status, 200)
      const read = yield* team.companies.get(team.large.id)
      assert.deepStrictEqual([read.status, read.headers.get("location")?.endsWith(into.id)], [301, true])
      assert.strictEqual((yield* team.mergeCompanies(into.id, [team.large.id])).status, 200)
      const reverse = yield* team.mergeCompanies(team.large.id, [into.id])
      assert.strictEqual(reverse.status, 409)

      yield* finish
      const links = yield* team.linksOf(into.id)
      assert.deepStrictEqual(links.map(({ contactId }) => contactId).toSorted(), team.contactIds.toSorted())
      assert.deepStrictEqual(yield* team.linksOf(team.large.id), [])
      assert.deepStrictEqual(yield* team.employers, [into.id])
      assert.lengthOf(yield* team.eventsOf("link.deleted"), 15)
      assert.lengthOf(yield* team.timeline("companies", into.id, "?type=notes&page_size=500"), 12)
    })
  )

  it.effect("refuses a merge after which a link of a later step would have too many references", () =>
    Effect.gen(function* () {
      const team = yield* fixture(15)
      const into = yield* team.company()
      const last = (yield* team.linksOf(team.large.id)).toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]!
      const refs = (namespace: string) => times(11).map((n) => ({ namespace, externalId: `${team.teamId}-${n}` }))
      yield* team.links.patch(last.id, { externalRefs: refs("one") })
      yield* team.link(last.contactId, into.id, { externalRefs: refs("two") })
      const refused = yield* team.mergeCompanies(into.id, [team.large.id])
      assert.deepStrictEqual(faultsOf(refused), ["body /from too_many"])
      assert.strictEqual((yield* team.companies.get(team.large.id)).status, 200)
    })
  )

  it.effect("takes its links along when the company that it was merged into is merged itself meanwhile", () =>
    Effect.gen(function* () {
      const team = yield* fixture(25)
      const [second, third] = [yield* team.company(), yield* team.company()]
      assert.strictEqual((yield* team.mergeCompanies(second.id, [team.large.id])).status, 200)
      yield* team.step(team.large.id)
      assert.strictEqual((yield* team.mergeCompanies(third.id, [second.id])).status, 200)
      yield* finish
      assert.lengthOf(yield* team.linksOf(third.id), 25)
      assert.lengthOf([...(yield* team.linksOf(second.id)), ...(yield* team.linksOf(team.large.id))], 0)
      assert.deepStrictEqual(yield* team.employers, [third.id])
    })
  )

  it.effect("loses its links when the company that it was merged into is deleted meanwhile", () =>
    Effect.gen(function* () {
      const team = yield* fixture(25)
      const into = yield* team.company()
      assert.strictEqual((yield* team.mergeCompanies(into.id, [team.large.id])).status, 200)
      assert.strictEqual((yield* team.companies.delete(into.id)).status, 204)
      yield* finish
      assert.lengthOf([...(yield* team.linksOf(into.id)), ...(yield* team.linksOf(team.large.id))], 0)
      assert.deepStrictEqual(yield* team.employers, [null])
      assert.lengthOf(yield* team.eventsOf("link.deleted"), 25)
    })
  )

  it.effect("leaves no prospect, seller or mandate behind: a contact on many projects", () =>
    Effect.gen(function* () {
      const team = yield* make()
      const { token } = team
      const [from, into] = [yield* team.contact(), yield* team.contact()]
      const post = (path: string, json: object) =>
        Effect.map(team.request<{ readonly id: string }>("POST", path, { token, json }), ({ body, status, text }) => {
          assert.oneOf(status, [200, 201, 207], text)
          return body.id
        })
      const projects = yield* Effect.forEach(times(12), (n) =>
        Effect.gen(function* () {
          const id = yield* post("/api/v1/projects", { name: `Quartier ${n}`, sellerContactId: from.id })
          const investors = n < 3 ? [into, from] : [from]
          yield* post(`/api/v1/projects/${id}/prospects/batch`, {
            items: investors.map(({ id: contactId }) => ({ contactId }))
          })
          return id
        })
      )
      yield* Effect.forEach(times(12), (n) =>
        post("/api/v1/mandates", { name: `Mandate ${n}`, investor: { contactId: from.id } })
      )
      const state = Effect.forEach(projects, (id) =>
        Effect.gen(function* () {
          const project = yield* team.request("GET", `/api/v1/projects/${id}`, { token })
          const list = yield* team.request<{
            readonly data: ReadonlyArray<{ readonly contact: { readonly id: string } }>
          }>("GET", `/api/v1/projects/${id}/prospects`, { token })
          return [project.body["sellerContactId"], ...list.body.data.map(({ contact }) => contact.id)]
        })
      )
      const mandates = (contactId: string, status: string) =>
        Effect.map(team.mandates.list(`?contact_id=${contactId}&status=${status}`), ({ body }) => body.data.length)

      assert.strictEqual((yield* team.mergeContacts(into.id, [from.id])).status, 200)
      assert.include((yield* state).flat(), from.id)
      yield* finish
      for (const found of yield* state) assert.deepStrictEqual(found, [into.id, into.id])
      assert.strictEqual(yield* mandates(into.id, "active"), 12)

      const agent = yield* Agent.make(token)
      const { structured } = yield* agent.call("delete_contact", { contact: into.id })
      const affected = structured["affected_projects"] as ReadonlyArray<{ readonly id: string }>
      // Those, too, that later steps come to.
      assert.deepStrictEqual(
        affected.map(({ id }) => id),
        projects
      )
      yield* finish
      for (const found of yield* state) assert.deepStrictEqual(found, [null])
      assert.strictEqual(yield* mandates(into.id, "closed"), 12)
    })
  )
})

layer(service, { excludeTestServices: true })("A project with more prospects than one transaction takes", (it) => {
  it.effect("is deleted at once and its prospects in steps, unless it is restored before", () =>
    Effect.gen(function* () {
      const team = yield* fixture(25)
      const { token } = team
      const created = yield* team.request("POST", "/api/v1/projects", { token, json: { name: "Quartier" } })
      const path = `/api/v1/projects/${String(created.body["id"])}`
      yield* team.request("POST", `${path}/prospects/batch`, {
        token,
        json: { items: team.contactIds.map((contactId) => ({ contactId })) }
      })
      const listed = (list: string) =>
        Effect.map(
          team.request<{ readonly data: ReadonlyArray<object> }>("GET", `${list}?page_size=500`, { token }),
          ({ body }) => body.data.length
        )
      const remove = (headers = {}) => team.request("DELETE", path, { token, headers })

      const rehearsed = yield* remove({ prefer: "dry-run" })
      assert.deepStrictEqual(rehearsed.body["later"], [{ type: "prospect", change: "deleted", count: 15 }])
      assert.strictEqual((yield* remove()).status, 204)
      assert.strictEqual((yield* team.request("GET", path, { token })).status, 404)
      assert.strictEqual(yield* listed("/api/v1/prospects"), 15)
      const restored = yield* team.request("POST", `${path}/restore`, { token })
      assert.strictEqual(restored.status, 200, restored.text)
      yield* finish
      assert.strictEqual(yield* listed(`${path}/prospects`), 25)

      assert.strictEqual((yield* remove()).status, 204)
      yield* team.contacts.delete(team.contactIds.toSorted().at(-1) ?? "")
      yield* finish
      assert.strictEqual(yield* listed("/api/v1/prospects"), 0)
      assert.strictEqual((yield* team.request("POST", `${path}/restore`, { token })).status, 200)
      assert.strictEqual(yield* listed(`${path}/prospects`), 24)
    })
  )
})
