import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Agent from "../support/Agent.ts"
import { TestService } from "../support/TestService.ts"
import * as Fixture from "./fixture.ts"

const world = Effect.gen(function* () {
  const fixture = yield* Fixture.make()
  const agent = yield* Agent.make(fixture.token)
  /** The ids of the rows of `list_prospects`. */
  const listed = (filters: object) =>
    Effect.map(agent.call("list_prospects", { ...filters }), ({ structured }) =>
      (structured["prospects"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
    )
  return { ...fixture, agent, listed }
})

layer(TestService.layer, { excludeTestServices: true })("The tools of prospects", (it) => {
  it.effect("list the prospects of a project or of all, by every filter of REST", () =>
    Effect.gen(function* () {
      const { agent, ask, company, contact, listed, projectId, prospect, prospects, prospectsOf } = yield* world
      const tagged = yield* contact({ firstName: "Ada", tags: ["Logistics"] })
      const bidder = (yield* prospects.add({ contactId: tagged.id, classification: "bidder", projectTags: ["First"] }))
        .body
      const other = yield* prospect()
      yield* prospects.task(other.id, { type: "call", dueDate: "today" })
      yield* prospects.patch(other.id, { stage: "im" })
      const elsewhere = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Tal" })
      const far = (yield* prospectsOf(elsewhere.body.id).add({ companyId: (yield* company()).id })).body
      assert.deepStrictEqual(yield* listed({}), [bidder.id, other.id, far.id])
      assert.deepStrictEqual(yield* listed({ project: projectId }), [bidder.id, other.id])
      for (const filter of [
        { interest: "interested" },
        { classification: "bidder" },
        { projectTags: ["first", "second"] },
        { tags: ["Logistics"] }
      ]) {
        assert.deepStrictEqual(yield* listed(filter), [bidder.id], JSON.stringify(filter))
      }
      for (const filter of [{ stage: "im" }, { taskDue: "today" }]) {
        assert.deepStrictEqual(yield* listed({ ...filter, project: projectId }), [other.id], JSON.stringify(filter))
      }
      assert.deepStrictEqual(yield* listed({ interest: "none", project: projectId }), [other.id])
      assert.deepStrictEqual(yield* listed({ capability: "communicated" }), [])
      const missing = yield* agent.call("list_prospects", { project: `${projectId.slice(0, -1)}0` })
      assert.strictEqual(missing.structured.error.code, "not_found")
      assert.include(missing.structured.error.hint ?? "", "list_projects")
      const wrong = yield* agent.call("list_prospects", { interest: "intrested" })
      assert.include(wrong.structured.error.detail, "Must be one of: interested")
    })
  )

  it.effect("read a prospect as REST does, by its id or an external reference", () =>
    Effect.gen(function* () {
      const { agent, prospect, prospects } = yield* world
      const { id } = yield* prospect({ externalRefs: [{ namespace: "crm", externalId: "7" }] })
      yield* prospects.task(id, { type: "call", dueDate: "today" })
      const { body } = yield* prospects.get(id)
      for (const reference of [id, `id=${id}`, "ext=crm:7"]) {
        const { structured } = yield* agent.call("get_prospect", { prospect: reference })
        for (const member of ["id", "etag", "contact", "stage", "nextTask", "openTaskCount", "updatedUtc"] as const) {
          assert.deepStrictEqual(structured[member], body[member], member)
        }
        assert.deepStrictEqual(structured["externalRefs"], ["crm:7"])
      }
    })
  )
})
