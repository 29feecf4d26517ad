import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import * as fixture from "./fixture.ts"

const nobody = "prospect_01kb3n7x2ferwt5z8q4j6m9d0c"

layer(TestService.layer, { excludeTestServices: true })("Bulk classification", (it) => {
  it.effect("classifies each prospect, with a comment that is a note and is listed in two ways", () =>
    Effect.gen(function* () {
      const { eventsOf, prospects, several } = yield* fixture.make()
      const [one = "", two = "", three = ""] = yield* several(3)
      yield* prospects.removeFromList(three)
      const { events, reply } = yield* eventsOf(
        prospects.classify({
          prospectIds: [one, two, one, nobody, "x", three],
          classification: "bidder",
          note: " Wants **it** "
        })
      )
      assert.strictEqual(reply.status, 200)
      assert.deepStrictEqual(
        reply.body.classified.map(({ classification, id }) => [id, classification]),
        [
          [one, "bidder"],
          [two, "bidder"]
        ]
      )
      assert.deepStrictEqual(
        reply.body.failed.map(({ code, id }) => [id, code]),
        [
          [nobody, "not_found"],
          ["x", "not_found"],
          [three, "prospect_removed"]
        ]
      )
      const noteId = reply.body.classified[0]?.noteId ?? ""
      assert.notStrictEqual(noteId, reply.body.classified[1]?.noteId)
      assert.deepStrictEqual(
        events.map(({ action, resource_id }) => [resource_id, action]),
        [one, two].flatMap((id, index) => [
          [
            id,
            { type: "classified", from: "not_contacted", to: "bidder", note_id: reply.body.classified[index]?.noteId }
          ],
          [id, { type: "interest_changed", to: "interested" }]
        ])
      )
      const { body } = yield* prospects.get(one)
      assert.deepStrictEqual([body.classification, body.interest, body.noteCount], ["bidder", "interested", 1])

      const rows = (type: string) =>
        Effect.map(prospects.actions(one, `?type=${type}&include_rollups=false`), (page) =>
          page.body.data.filter(({ event, type }) => type === "note" || event === "prospect.classified")
        )
      const notes = yield* rows("notes")
      const [classified, note] = [notes.find(({ type }) => type === "audit"), notes.find(({ type }) => type === "note")]
      assert.strictEqual(notes.length, 2)
      assert.strictEqual(note?.["id"], noteId)
      assert.deepStrictEqual(note?.["details"], { kind: "note", message: "Wants **it**", archivedAt: null })
      assert.strictEqual(note?.["etag"], '"v1"')
      assert.deepStrictEqual(classified?.["details"], { kind: "audit", from: "not_contacted", to: "bidder", noteId })
      assert.deepStrictEqual(yield* rows("audit"), [classified])
    })
  )

  it.effect("to the present classification changes nothing without a comment, and adds a note and a row with one", () =>
    Effect.gen(function* () {
      const { eventsOf, prospects, several } = yield* fixture.make()
      const ids = yield* several(1)
      const before = (yield* prospects.get(ids[0] ?? "")).body
      const same = yield* eventsOf(prospects.classify({ prospectIds: ids, classification: "not_contacted" }))
      assert.deepStrictEqual(same.events, [])
      assert.strictEqual((yield* prospects.get(ids[0] ?? "")).body.etag, before.etag)
      const commented = yield* eventsOf(
        prospects.classify({ prospectIds: ids, classification: "not_contacted", note: "Not yet" })
      )
      assert.deepStrictEqual(commented.events, [])
      assert.strictEqual((yield* prospects.get(ids[0] ?? "")).body.noteCount, 1)
    })
  )

  it.effect("is written although its note cannot be, and does not depend on other prospects", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { prospects, several } = yield* fixture.make()
      const [one = "", two = "", three = ""] = yield* several(3)
      yield* sql`
        create function refuse() returns trigger language plpgsql as $$ begin
          if new.classification = 'unwritable' and new.project_tags = array['poison'] then raise exception 'no'; end if;
          return new;
        end $$`
      yield* sql`create trigger refuse before update on prospects for each row execute function refuse()`
      yield* sql`
        create function refuse_note() returns trigger language plpgsql as $$ begin
          if new.details ->> 'message' = 'unwritable' then raise exception 'no'; end if;
          return new;
        end $$`
      yield* sql`create trigger refuse_note before insert on actions for each row execute function refuse_note()`
      const noteless = yield* prospects.classify({
        prospectIds: [one],
        classification: "contacted",
        note: "unwritable"
      })
      assert.deepStrictEqual(noteless.body.classified, [])
      assert.deepStrictEqual(
        noteless.body.failed.map(({ code, id }) => [id, code]),
        [[one, "note_failed"]]
      )
      const stayed = (yield* prospects.get(one)).body
      assert.deepStrictEqual([stayed.classification, stayed.noteCount], ["contacted", 0])
      const [row] = (yield* prospects.actions(one, "?type=audit&include_rollups=false")).body.data
      assert.deepStrictEqual(row?.["details"], { kind: "audit", from: "not_contacted", to: "contacted" })

      yield* prospects.patch(two, { projectTags: ["poison"] })
      const mixed = yield* prospects.classify({
        prospectIds: [one, two, three],
        classification: "unwritable",
        note: "Fine"
      })
      assert.deepStrictEqual(
        mixed.body.classified.map(({ id }) => id),
        [one, three]
      )
      assert.deepStrictEqual(
        mixed.body.failed.map(({ code, id }) => [id, code]),
        [[two, "internal_error"]]
      )
      const untouched = (yield* prospects.get(two)).body
      assert.deepStrictEqual([untouched.classification, untouched.noteCount], ["not_contacted", 0])
      assert.deepStrictEqual((yield* prospects.actions(two, "?type=notes&include_rollups=false")).body.data, [])
      yield* sql`drop trigger refuse on prospects`
      yield* sql`drop trigger refuse_note on actions`
      yield* sql`drop function refuse, refuse_note`
    }).pipe(Effect.orDie)
  )

  it.effect("rejects invalid requests with all faults, and answers a repeated request the same again", () =>
    Effect.gen(function* () {
      const { prospects, several } = yield* fixture.make()
      assert.deepStrictEqual(
        faultsOf(yield* prospects.classify({ prospectIds: [], classification: "No!", note: "  \n " })),
        ["body /prospectIds too_few", "body /classification invalid_classification", "body /note blank"]
      )
      assert.deepStrictEqual(
        faultsOf(
          yield* prospects.classify({ prospectIds: Array.from({ length: 101 }, () => nobody), classification: "x" })
        ),
        ["body /prospectIds too_many"]
      )
      const prospectIds = yield* several(1)
      const headers = { "idempotency-key": "once" }
      const body = { prospectIds, classification: "contacted", note: "Called" }
      const first = yield* prospects.classify(body, headers)
      const again = yield* prospects.classify(body, headers)
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.strictEqual((yield* prospects.get(prospectIds[0] ?? "")).body.noteCount, 1)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A batch of additions", (it) => {
  it.effect("returns a receipt for each item, and a rejected one does not affect the others", () =>
    Effect.gen(function* () {
      const { company, contact, eventsOf, prospects } = yield* fixture.make()
      const stranger = yield* fixture.make()
      const [maria, rossi] = [yield* contact(), yield* company()]
      const there = (yield* prospects.add({ contactId: (yield* contact({ lastName: "There" })).id })).body
      yield* prospects.removeFromList(there.id)
      const refs = [{ namespace: "crm", externalId: "1" }]
      const { events, reply } = yield* eventsOf(
        prospects.batch([
          { contactId: maria.id, externalRefs: refs },
          { contactId: maria.id },
          { companyId: rossi.id, externalRefs: refs },
          { companyId: rossi.id },
          { contactId: there.contact?.id },
          { contactId: (yield* stranger.contact()).id },
          { contactId: rossi.id },
          { contactId: maria.id, companyId: rossi.id },
          {},
          { contactId: maria.id, clasification: "x" },
          "nothing"
        ])
      )
      assert.strictEqual(reply.status, 207)
      assert.deepStrictEqual(
        reply.body.results.map(({ problem, status }) => [
          status,
          problem?.code ?? null,
          problem?.errors?.[0]?.pointer ?? null
        ]),
        [
          ["created", null, null],
          ["failed", "prospect_exists", null],
          ["failed", "external_reference_taken", null],
          ["created", null, null],
          ["restored", null, null],
          ["failed", "invalid_request", "/items/5/contactId"],
          ["failed", "invalid_request", "/items/6/contactId"],
          ["failed", "invalid_request", "/items/7/companyId"],
          ["failed", "invalid_request", "/items/8"],
          ["failed", "invalid_request", "/items/9/clasification"],
          ["failed", "invalid_request", "/items/10"]
        ]
      )
      const [first] = reply.body.results
      assert.strictEqual(reply.body.results[1]?.problem?.prospectId, first?.id)
      assert.strictEqual(reply.body.results[2]?.problem?.holderId, first?.id)
      assert.deepStrictEqual(
        events.map(({ action, event }) => [event, (action as { type: string }).type]),
        [
          ["prospect.created", "added"],
          ["prospect.created", "added"],
          ["prospect.updated", "restored"]
        ]
      )
      assert.strictEqual((yield* prospects.list()).body.data.length, 3)
    })
  )

  it.effect("returns the same answer again for its idempotency key", () =>
    Effect.gen(function* () {
      const { contacts, prospects } = yield* fixture.make()
      const made = yield* contacts.upsert(Array.from({ length: 3 }, (_, index) => ({ lastName: `No ${index}` })))
      const items = made.body.results.map(({ id }) => ({ contactId: id }))
      const headers = { "idempotency-key": "batch" }
      const first = yield* prospects.batch(items, headers)
      const again = yield* prospects.batch(items, headers)
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.strictEqual((yield* prospects.list()).body.data.length, 3)
    })
  )
})
