import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Agent from "../../support/Agent.ts"
import { TestService } from "../../support/TestService.ts"
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
      const missing = yield* agent.call("list_prospects", { project: "project_01kb3n7x2ferwt5z8q4j6m9d0c" })
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

  it.effect("change interest and stage as REST does, under the etag that was read", () =>
    Effect.gen(function* () {
      const { agent, prospect, prospects } = yield* world
      const { etag, id } = yield* prospect({ externalRefs: [{ namespace: "crm", externalId: "8" }] })
      const set = yield* agent.call("set_prospect_interest", { prospect: "ext=crm:8", interest: "maybe", etag })
      assert.strictEqual(set.structured["interest"], "maybe")
      const stale = yield* agent.call("set_prospect_interest", { prospect: id, interest: null, etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      assert.strictEqual(stale.structured.error.currentEtag, set.structured.etag)
      const cleared = yield* agent.call("set_prospect_interest", { prospect: id, interest: null })
      assert.isNull(cleared.structured["interest"])
      const overridden = yield* agent.call("override_prospect_stage", {
        prospect: id,
        stage: "im",
        reason: "Met at the fair"
      })
      const { body } = yield* prospects.get(id)
      assert.strictEqual(overridden.structured.etag, body.etag)
      assert.strictEqual(body.stage, "im")
      assert.strictEqual(body.stageOverride?.reason, "Met at the fair")
      yield* prospects.removeFromList(id)
      const removed = yield* agent.call("override_prospect_stage", { prospect: id, stage: "bid" })
      assert.strictEqual(removed.structured.error.code, "prospect_removed")
      assert.include(removed.structured.error.hint ?? "", "add_prospects")
    })
  )

  it.effect("classify many prospects at once, and say which could not be", () =>
    Effect.gen(function* () {
      const { agent, ask, projectId, prospect, prospects, prospectsOf, contact } = yield* world
      const first = yield* prospect({ externalRefs: [{ namespace: "crm", externalId: "9" }] })
      const removed = yield* prospect()
      yield* prospects.removeFromList(removed.id)
      const elsewhere = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Tal" })
      const far = (yield* prospectsOf(elsewhere.body.id).add({ contactId: (yield* contact()).id })).body
      const args = {
        project: projectId,
        prospects: ["ext=crm:9", removed.id, far.id],
        classification: "bidder",
        note: "Called.",
        idempotencyKey: "classify-9"
      }
      const { structured } = yield* agent.call("classify_prospects", args)
      const [{ noteId }] = structured["classified"] as readonly [{ readonly noteId: string }]
      assert.deepStrictEqual(structured["classified"], [{ id: first.id, classification: "bidder", noteId }])
      assert.deepStrictEqual(structured["failed"], [
        { id: removed.id, code: "prospect_removed" },
        { id: far.id, code: "not_found" }
      ])
      assert.strictEqual((yield* prospects.get(first.id)).body.interest, "interested")
      const repeated = yield* agent.call("classify_prospects", args)
      assert.deepStrictEqual(repeated.structured["classified"], structured["classified"])
      assert.strictEqual((yield* prospects.get(first.id)).body.noteCount, 1)
      const wrong = yield* agent.call("classify_prospects", {
        ...args,
        prospects: ["Rossi", first.id, "ext=crm:10", projectId]
      })
      assert.deepStrictEqual(
        wrong.structured.error.errors?.map(({ argument, code }) => [argument, code]),
        [
          ["prospects/0", "invalid_reference"],
          ["prospects/2", "not_found"],
          ["prospects/3", "not_found"]
        ]
      )
      const many = yield* agent.call("classify_prospects", { ...args, prospects: Array(101).fill("ext=crm:9") })
      assert.strictEqual(many.structured.error.errors?.[0]?.code, "too_many")
    })
  )

  it.effect("add and complete follow-up tasks, by the id of the task alone", () =>
    Effect.gen(function* () {
      const { agent, ask, prospect, prospects, user } = yield* world
      const { id } = yield* prospect()
      const added = yield* agent.call("add_prospect_task", {
        prospect: id,
        type: "call",
        dueDate: "2031-05-04",
        assignee: "me",
        note: "Ask for the numbers."
      })
      const { structured } = yield* agent.call("get_prospect", { prospect: id })
      const next = structured["nextTask"] as Record<string, unknown>
      assert.strictEqual(next["id"], added.structured.id)
      assert.strictEqual(next["dueDateUtc"], "2031-05-04T00:00:00.000Z")
      assert.strictEqual((next["assignee"] as Record<string, unknown>)["id"], user)
      const wrong = yield* agent.call("add_prospect_task", {
        prospect: id,
        type: "call",
        dueDate: "04.05.2031",
        assignee: "Anna Berg"
      })
      assert.deepStrictEqual(
        wrong.structured.error.errors?.map(({ argument, code }) => [argument, code]),
        [["dueDate", "invalid_due_date"]]
      )
      const nobody = yield* agent.call("add_prospect_task", {
        prospect: id,
        type: "call",
        dueDate: "7d",
        assignee: "Anna Berg"
      })
      assert.strictEqual(nobody.structured.error.errors?.[0]?.argument, "assignee")
      const task = added.structured.id
      const done = yield* agent.call("complete_prospect_task", { task })
      const again = yield* agent.call("complete_prospect_task", { task })
      assert.strictEqual(done.structured["status"], "completed")
      const path = `${prospects.path}/${id}/tasks/${task}`
      assert.strictEqual(done.structured.etag, (yield* ask("GET", path)).body["etag"])
      assert.deepStrictEqual(again.structured, done.structured)
      const canceled = yield* prospects.task(id, { type: "call", dueDate: "7d" })
      yield* prospects.move(id, canceled.body.id, "cancel")
      const refused = yield* agent.call("complete_prospect_task", { task: canceled.body.id })
      assert.strictEqual(refused.structured.error.code, "task_move_refused")
      assert.include(refused.structured.error.hint ?? "", "add_prospect_task")
      const confused = yield* agent.call("complete_prospect_task", { task: id })
      assert.include(confused.structured.error.detail, "This is the id of a prospect.")
    })
  )

  it.effect("add contacts and companies to a list at once, by references, with a result for each", () =>
    Effect.gen(function* () {
      const { agent, company, contact, projectId, prospect, prospects } = yield* world
      const listed = yield* prospect()
      const removed = yield* prospect()
      yield* prospects.removeFromList(removed.id)
      const ada = yield* contact({ firstName: "Ada", email: "ada@rossi.example" })
      const rossi = yield* company({ name: "Rossi", domain: "rossi.example" })
      const [known, gone] = [listed.contact?.id, removed.contact?.id]
      const args = {
        project: projectId,
        contacts: ["email=ada@rossi.example", known, gone, `${ada.id.slice(0, -4)}0000`],
        companies: ["domain=rossi.example"],
        classification: "contacted",
        projectTags: ["first-round"]
      }
      const previewed = yield* agent.call("add_prospects", { ...args, preview: true })
      assert.strictEqual(previewed.structured.preview?.affectedCount, 3)
      const { structured } = yield* agent.call("add_prospects", args)
      const results = structured["results"] as ReadonlyArray<Record<string, unknown>>
      assert.deepStrictEqual(
        results.map(({ code, companyId, contactId, status }) => [contactId ?? companyId, status, code]),
        [
          [ada.id, "created", undefined],
          [known, "failed", "prospect_exists"],
          [gone, "restored", undefined],
          [args.contacts[3], "failed", "invalid_reference"],
          [rossi.id, "created", undefined]
        ]
      )
      assert.deepStrictEqual(
        results.slice(1, 3).map(({ id }) => id),
        [listed.id, removed.id]
      )
      const added = (yield* prospects.get(String(results[4]?.["id"]))).body
      assert.strictEqual(added.etag, results[4]?.["etag"])
      assert.deepStrictEqual([added.classification, added.projectTags], ["contacted", ["first-round"]])
      const unknown = yield* agent.call("add_prospects", { ...args, contacts: [ada.id, "email=nobody@rossi.example"] })
      assert.deepStrictEqual(
        unknown.structured.error.errors?.map(({ argument, code }) => [argument, code]),
        [["contacts/1", "not_found"]]
      )
      const nobody = yield* agent.call("add_prospects", { project: projectId })
      assert.strictEqual(nobody.structured.error.errors?.[0]?.code, "required")
      const many = yield* agent.call("add_prospects", { ...args, contacts: Array(100).fill(ada.id) })
      assert.strictEqual(many.structured.error.errors?.[0]?.code, "too_many")
    })
  )

  it.effect("update a prospect and the labels of its contact, all or nothing", () =>
    Effect.gen(function* () {
      const { agent, ask, companies, company, contacts, eventsOf, projectId, prospect, prospects, user } = yield* world
      const { contact, etag, id } = yield* prospect({ projectTags: ["First", "Warm"] })
      const args = {
        prospect: id,
        addProjectTags: ["Second", "WARM"],
        removeProjectTags: ["first"],
        tags: ["Logistics"],
        classification: "bidder",
        owner: "me",
        externalRefs: ["crm:11"],
        etag
      }
      const { events, reply } = yield* eventsOf(agent.call("update_prospect", args))
      const { body } = yield* prospects.get(id)
      const network = yield* contacts.get(contact?.id ?? "")
      assert.strictEqual(reply.structured.etag, body.etag)
      assert.deepStrictEqual(body.projectTags, ["Warm", "Second"])
      assert.deepStrictEqual([body.tags, network.body["tags"]], [["Logistics"], ["Logistics"]])
      assert.deepStrictEqual([body.classification, body.interest, body.owner?.id], ["bidder", "interested", user])
      assert.deepStrictEqual(body.externalRefs, [{ namespace: "crm", externalId: "11" }])
      assert.include(JSON.stringify(events), "contact.updated")
      const same = yield* agent.call("update_prospect", { ...args, etag: body.etag })
      assert.strictEqual(same.structured.etag, body.etag)
      const stale = yield* agent.call("update_prospect", { prospect: id, tags: [], etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      const other = yield* prospect()
      const taken = yield* agent.call("update_prospect", {
        prospect: other.id,
        tags: ["Retail"],
        addProjectTags: ["Third"],
        externalRefs: ["crm:11"]
      })
      assert.strictEqual(taken.structured.error.code, "external_reference_taken")
      assert.strictEqual((yield* prospects.get(other.id)).body.etag, other.etag)
      assert.deepStrictEqual((yield* contacts.get(other.contact?.id ?? "")).body["tags"], [])
      const { id: companyId } = yield* company({ name: "Rossi", tags: ["Retail"] })
      const firm = (yield* prospects.add({ companyId })).body
      const cleared = yield* agent.call("update_prospect", { prospect: firm.id, tags: [] })
      assert.deepStrictEqual([cleared.structured["tags"], cleared.structured["projectTags"]], [[], []])
      assert.deepStrictEqual((yield* companies.get(companyId)).body["tags"], [])
      yield* ask("POST", `/api/v1/projects/${projectId}/close`)
      yield* companies.delete(companyId)
      const gone = yield* agent.call("update_prospect", {
        prospect: firm.id,
        tags: ["Office"],
        classification: "contacted"
      })
      assert.strictEqual(gone.structured.error.code, "investor_deleted")
      assert.strictEqual((yield* prospects.get(firm.id)).body.classification, "not_contacted")
      const many = yield* agent.call("update_prospect", {
        prospect: id,
        addProjectTags: Array.from({ length: 50 }, (_, index) => `label-${index}`)
      })
      assert.strictEqual(many.structured.error.errors?.[0]?.argument, "addProjectTags")
    })
  )
})
