/** Batch upserts of a project's prospects. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Id from "../../../src/core/Id.ts"
import { TestService } from "../../support/TestService.ts"
import * as fixture from "./fixture.ts"

interface Result {
  readonly index: number
  readonly status: string
  readonly id: string | null
  readonly etag: string | null
  readonly problem?: {
    readonly code: string
    readonly currentEtag?: string | null
    readonly errors?: ReadonlyArray<{ readonly pointer: string; readonly code: string }>
  }
}

const make = Effect.gen(function* () {
  const made = yield* fixture.make()
  const { ask, prospects } = made
  const upsert = (items: unknown, headers = {}) =>
    ask<{ readonly results: ReadonlyArray<Result> }>("POST", `${prospects.path}/batch/upsert`, { items }, headers)
  return {
    ...made,
    upsert,
    /** The statuses of the items, or the code and the faults of their problems. */
    outcomes: (items: unknown) =>
      Effect.map(upsert(items), ({ body }) =>
        body.results.map(({ problem, status }) =>
          problem === undefined
            ? status
            : [problem.code, ...(problem.errors ?? []).map(({ code, pointer }) => `${pointer} ${code}`)].join(" ")
        )
      )
  }
})

const ref = (namespace: string, externalId: string) => ({ namespace, externalId })

layer(TestService.layer, { excludeTestServices: true })("An upsert of prospects", (it) => {
  it.effect("adds an unknown investor with all members, and emits its creation", () =>
    Effect.gen(function* () {
      const { company, eventsOf, prospects, upsert, user } = yield* make
      const { id: companyId } = yield* company()
      const item = {
        companyId,
        classification: "contacted",
        interest: "maybe",
        stage: "im",
        stageReason: "Met",
        projectTags: ["first"],
        owner: "me",
        externalRefs: [ref("crm", "1")]
      }
      const { events, reply } = yield* eventsOf(upsert([item]))
      assert.strictEqual(reply.status, 207, reply.text)
      const [result] = reply.body.results
      const { body } = yield* prospects.get(result?.id ?? "")
      assert.deepStrictEqual(reply.body.results, [{ index: 0, status: "created", id: body.id, etag: body.etag }])
      assert.deepInclude(body, {
        classification: "contacted",
        interest: "maybe",
        stage: "im",
        projectTags: ["first"],
        owner: { id: user, name: "Anna Berg" },
        externalRefs: [ref("crm", "1")]
      })
      assert.strictEqual(body.stageOverride?.reason, "Met")
      assert.deepStrictEqual(
        events.map(({ action, event }) => [event, action]),
        [
          ["prospect.created", { type: "added" }],
          ["prospect.updated", { type: "stage_overridden", from: "not_contacted", to: "im" }]
        ]
      )
    })
  )

  it.effect("finds a prospect by id, reference or investor, and patches it", () =>
    Effect.gen(function* () {
      const { contact, outcomes, prospect, prospects } = yield* make
      const { id: contactId } = yield* contact()
      const byId = yield* prospect()
      const byRef = yield* prospect({ externalRefs: [ref("crm", "2"), ref("erp", "9")] })
      const byInvestor = (yield* prospects.add({ contactId })).body
      assert.deepStrictEqual(
        yield* outcomes([
          { id: byId.id, classification: "contacted" },
          { externalRefs: [ref("crm", "2")], interest: "maybe" },
          { contactId, projectTags: ["a"], externalRefs: [ref("crm", "3")] },
          // The state that the item before left.
          { contactId, projectTags: ["a"] }
        ]),
        ["updated", "updated", "updated", "unchanged"]
      )
      assert.strictEqual((yield* prospects.get(byId.id)).body.classification, "contacted")
      const found = (yield* prospects.get(byRef.id)).body
      assert.deepStrictEqual([found.interest, found.externalRefs], ["maybe", [ref("crm", "2"), ref("erp", "9")]])
      assert.deepStrictEqual((yield* prospects.get(byInvestor.id)).body.externalRefs, [ref("crm", "3")])
    })
  )

  it.effect("replaces references of the namespaces that it names, and leaves the others", () =>
    Effect.gen(function* () {
      const { outcomes, prospect, prospects } = yield* make
      const { id } = yield* prospect({ externalRefs: [ref("crm", "1"), ref("erp", "9")] })
      assert.deepStrictEqual(yield* outcomes([{ id, externalRefs: [ref("crm", "2")] }]), ["updated"])
      assert.sameDeepMembers([...(yield* prospects.get(id)).body.externalRefs], [ref("erp", "9"), ref("crm", "2")])
      assert.deepStrictEqual(yield* outcomes([{ id, externalRefs: [] }]), ["unchanged"])
    })
  )

  it.effect("restores a removed prospect, and patches it", () =>
    Effect.gen(function* () {
      const { contacts, eventsOf, outcomes, prospect, prospects, upsert } = yield* make
      const first = yield* prospect({ projectTags: ["kept"] })
      const gone = yield* prospect()
      yield* prospects.removeFromList(first.id)
      const { events, reply } = yield* eventsOf(upsert([{ id: first.id, classification: "bidder" }]))
      const { body } = yield* prospects.get(first.id)
      assert.deepStrictEqual(reply.body.results, [{ index: 0, status: "restored", id: first.id, etag: body.etag }])
      assert.deepInclude(body, { classification: "bidder", removedUtc: null, projectTags: ["kept"] })
      assert.deepStrictEqual(
        events.map(({ action }) => (action as { readonly type: string }).type),
        ["restored", "classified", "interest_changed"]
      )
      // Its contact is gone: it was removed with it, and cannot come back.
      yield* contacts.delete(gone.contact?.id ?? "")
      assert.deepStrictEqual(yield* outcomes([{ id: gone.id }]), ["investor_deleted"])
    })
  )

  it.effect("takes back what a GET answered, and changes nothing", () =>
    Effect.gen(function* () {
      const { eventsOf, prospect, prospects, upsert } = yield* make
      const { id } = yield* prospect({ externalRefs: [ref("crm", "1")], projectTags: ["a"] })
      yield* prospects.patch(id, { owner: "me", stage: "im" })
      const { body } = yield* prospects.get(id)
      const { events, reply } = yield* eventsOf(upsert([body]))
      assert.deepStrictEqual(reply.body.results, [{ index: 0, status: "unchanged", id, etag: body.etag }])
      assert.deepStrictEqual(events, [])
    })
  )

  it.effect("rejects bad items, each with the problem of a single request, and writes the others", () =>
    Effect.gen(function* () {
      const { ask, contact, outcomes, prospect, prospectsOf } = yield* make
      const held = yield* prospect({ externalRefs: [ref("crm", "held")] })
      const other = yield* prospect({ externalRefs: [ref("crm", "other")] })
      const project = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Tal" })
      const { id: contactId } = yield* contact()
      const elsewhere = yield* prospectsOf(project.body.id).add({ contactId, externalRefs: [ref("crm", "elsewhere")] })
      assert.deepStrictEqual(
        yield* outcomes([
          { id: held.id, etag: '"v9"', classification: "contacted" },
          { id: held.id, etag: held.etag, classification: "contacted" },
          { id: elsewhere.body.id },
          { id: "prospect_nonsense" },
          { externalRefs: [ref("crm", "elsewhere")] },
          { externalRefs: [ref("crm", "held"), ref("crm", "other")] },
          { id: other.id, externalRefs: [ref("crm", "held")] },
          { id: other.id, contactId },
          { classification: "contacted" },
          { contactId: "contact_01kb3n7x2ferwt5z8q4j6m9d0c" },
          { contactId, companyId: "company_01kb3n7x2ferwt5z8q4j6m9d0c" },
          { contactId, interest: "none", colour: "red" },
          { contactId, owner: "user_01kb3n7x2ferwt5z8q4j6m9d0c", stageReason: "Met" },
          { contactId, accessExpiry: "2w" },
          { contactId, etag: '"v1"' },
          { externalRefs: [ref("crm", "gone")], etag: "*", classification: "contacted" },
          { id: held.id, etag: "v1" },
          { id: held.id, etag: 1 },
          { id: other.id, etag: "*", classification: "contacted" },
          { id: other.id, etag: null, classification: "contacted" },
          { id: other.id, etag: "", classification: "interested" },
          "text",
          { contactId }
        ]),
        [
          "precondition_failed",
          "updated",
          "not_found",
          "not_found",
          "external_reference_taken",
          "invalid_request /items/5/externalRefs ambiguous",
          "external_reference_taken",
          "invalid_request /items/7/contactId read_only",
          "invalid_request /items/8 required",
          "invalid_request /items/9/contactId invalid_reference",
          "invalid_request /items/10/companyId not_allowed",
          "invalid_request /items/11/colour unknown_member /items/11/interest not_allowed",
          "invalid_request /items/12/stageReason not_allowed /items/12/owner invalid_reference",
          "invalid_request /items/13/accessExpiry no_room",
          "precondition_failed",
          "precondition_failed",
          "invalid_request /items/16/etag malformed_etag",
          "invalid_request /items/17/etag wrong_type",
          "updated",
          "unchanged",
          "updated",
          "invalid_request /items/21 wrong_type",
          "created"
        ]
      )
    })
  )

  it.effect("can be tried as a dry run, and repeated with an idempotency key", () =>
    Effect.gen(function* () {
      const { contact, prospects, upsert } = yield* make
      const { id: contactId } = yield* contact()
      const dry = yield* upsert([{ contactId }], { prefer: "dry-run" })
      assert.strictEqual(dry.status, 200, dry.text)
      assert.lengthOf((yield* prospects.list()).body.data, 0)
      const headers = { "idempotency-key": "upsert-1" }
      const [once, again] = [yield* upsert([{ contactId }], headers), yield* upsert([{ contactId }], headers)]
      assert.deepStrictEqual(once.body, again.body)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isString(Id.toUuid("prospect", once.body.results[0]?.id ?? ""))
      assert.strictEqual((yield* upsert(Array.from({ length: 101 }, () => ({ contactId })))).status, 400)
    })
  )
})
