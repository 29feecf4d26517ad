import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { NoteMove, type NoteState, NoteState as NoteStates } from "../../../src/content/notes/Note.ts"
import { transitions } from "../../../src/content/notes/rules.ts"
import { faultsOf } from "../../support/faults.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import { kinds, make } from "./fixture.ts"

const bodies = {
  archive: { action: "archive" },
  unarchive: { action: "unarchive" },
  supersede: { action: "supersede", supersede: { message: "Met" } }
} as const

/** The actions that lead from a new note to a state. */
const ways: { readonly [state in NoteState]: ReadonlyArray<NoteMove> } = {
  active: [],
  archived: ["archive"],
  superseded: ["supersede"],
  archived_superseded: ["supersede", "archive"]
}

const codeOf = (reply: Reply) => reply.body["code"]

layer(TestService.layer, { excludeTestServices: true })("Note states", (it) => {
  for (const kind of kinds) {
    const fixture = make(kind)

    for (const state of NoteStates.literals) {
      for (const move of NoteMove.literals) {
        const next = transitions[state][move]
        it.effect(`on a ${kind.type}: ${move} of a note that is ${state} leads to ${next}`, () =>
          Effect.gen(function* () {
            const { act, actions, get, note, revise } = yield* fixture
            const { id } = yield* note()
            for (const step of ways[state]) assert.strictEqual((yield* act(id, bodies[step])).status, 204)
            const before = (yield* get(id)).body
            const answer = yield* revise(id, bodies[move], { "if-match": before.etag })
            const after = (yield* get(id)).body
            if (next === "refused" || next === state) assert.deepStrictEqual(after, before)
            if (next === "refused") {
              assert.strictEqual(answer.status, 400)
              assert.deepInclude(answer.body, { code: "note_move_refused", state, action: move })
              assert.match(String(answer.body["type"]), /\/help\/note-move-refused$/)
              return
            }
            assert.deepStrictEqual([answer.status, answer.text], [204, ""])
            if (move !== "supersede") {
              assert.strictEqual(answer.headers.get("etag"), after.etag)
              assert.isNull(answer.headers.get("location"))
            }
            assert.strictEqual(after.etag === before.etag, next === state)
            const archived = next === "archived" || next === "archived_superseded"
            const superseded = next === "superseded" || next === "archived_superseded"
            assert.strictEqual(after.archivedAt !== null, archived)
            assert.strictEqual(after.details.archivedAt, after.archivedAt)
            assert.strictEqual("supersededByActivityId" in after, superseded)
            // The timeline shows it under exactly the filters that include all its marks.
            for (const type of ["all", "notes"]) {
              for (const a of [false, true]) {
                for (const s of [false, true]) {
                  const { body } = yield* actions(`?type=${type}&include_archived=${a}&include_superseded=${s}`)
                  const row = body.data.find((one) => one.id === id)
                  if ((archived && !a) || (superseded && !s)) assert.isUndefined(row)
                  else assert.deepStrictEqual(row, after)
                }
              }
            }
          })
        )
      }
    }
  }

  const fixture = make(kinds[0])

  it.effect("change only with a current If-Match", () =>
    Effect.gen(function* () {
      const { get, note, revise } = yield* fixture
      const { etag, id } = yield* note()
      for (const headers of [{}, { "if-match": "" }, { "if-match": "  " }]) {
        const refused = yield* revise(id, bodies.archive, headers)
        assert.deepStrictEqual([refused.status, codeOf(refused)], [428, "precondition_required"])
        assert.match(String(refused.body["type"]), /\/help\/precondition-required$/)
      }
      for (const tags of ["v1", '"v1', `${etag} ${etag}`, '*, "v1"']) {
        const refused = yield* revise(id, bodies.archive, { "if-match": tags })
        assert.deepStrictEqual([refused.status, faultsOf(refused)], [400, ["header /If-Match malformed_etag"]], tags)
      }
      for (const tags of ['"v0"', `W/${etag}`, '"v0", "v2"']) {
        const refused = yield* revise(id, bodies.archive, { "if-match": tags })
        assert.deepStrictEqual([refused.status, codeOf(refused)], [412, "precondition_failed"], tags)
        assert.strictEqual(refused.body["currentEtag"], etag)
      }
      assert.strictEqual((yield* get(id)).body.etag, etag)
      assert.strictEqual((yield* revise(id, bodies.archive, { "if-match": `"v0", ${etag}` })).status, 204)
      assert.strictEqual((yield* revise(id, bodies.unarchive, { "if-match": "*" })).status, 204)
      const stale = yield* revise(id, bodies.archive, { "if-match": etag })
      assert.deepStrictEqual([stale.status, stale.body["currentEtag"]], [412, '"v3"'])
      const late = yield* revise(id, bodies.supersede, { "if-match": etag })
      assert.strictEqual(late.status, 412)
    })
  )

  it.effect("are checked in order: 404, then syntax, then 428, then 412, then the change", () =>
    Effect.gen(function* () {
      const { id: contact, note, request, revise, token } = yield* fixture
      const { id } = yield* note()
      const path = `${kinds[0].path}/${contact}/notes`
      const broken = { token, text: "{", headers: { "content-type": "application/json" } }
      assert.strictEqual((yield* request("PATCH", `${path}/act_unknown?bogus=1`, broken)).status, 404)
      assert.strictEqual((yield* request("PATCH", `${kinds[0].path}/x/notes/${id}`, broken)).status, 404)
      assert.strictEqual(codeOf(yield* request("PATCH", `${path}/${id}?bogus=1`, broken)), "malformed_json")
      const text = { token, text: "archive", headers: { "content-type": "text/plain" } }
      assert.strictEqual((yield* request("PATCH", `${path}/${id}`, text)).status, 415)
      assert.strictEqual((yield* revise(id, { bogus: 1 }, {}, "?bogus=1")).status, 428)
      assert.strictEqual((yield* revise(id, { bogus: 1 }, { "if-match": '"v0"' }, "?bogus=1")).status, 412)
      const refused = yield* revise(id, { bogus: 1 }, { "if-match": '"v1"' }, "?bogus=1")
      assert.deepStrictEqual([...faultsOf(refused)].sort(), [
        "body /action required",
        "body /bogus unknown_member",
        "query /bogus unknown_parameter"
      ])
    })
  )

  it.effect("change by valid bodies only", () =>
    Effect.gen(function* () {
      const { get, note, revise } = yield* fixture
      const { etag, id } = yield* note()
      const refusals: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
        [{ action: "delete" }, ["body /action not_allowed"]],
        [{ action: null }, ["body /action not_allowed"]],
        [{ action: "archive", supersede: { message: "x" } }, ["body /supersede not_allowed"]],
        [{ action: "unarchive", supersede: {} }, ["body /supersede not_allowed"]],
        [{ action: "supersede" }, ["body /supersede required"]],
        [{ action: "supersede", supersede: null }, ["body /supersede wrong_type"]],
        [{ action: "supersede", supersede: { message: " " } }, ["body /supersede/message blank"]],
        [{ action: "supersede", supersede: { message: null } }, ["body /supersede/message wrong_type"]],
        [{ action: "supersede", supersede: { message: "x".repeat(20_001) } }, ["body /supersede/message too_long"]],
        [
          { action: "supersede", supersede: { contentFormat: "html", mesage: "x" } },
          ["body /supersede/contentFormat not_allowed", "body /supersede/mesage unknown_member"]
        ],
        [{ action: "archive", message: "x" }, ["body /message unknown_member"]],
        ["archive", ["body  wrong_type"]]
      ]
      for (const [json, faults] of refusals) {
        const refused = yield* revise(id, json, { "if-match": etag })
        assert.deepStrictEqual([refused.status, [...faultsOf(refused)].sort()], [400, faults], JSON.stringify(json))
      }
      const misspelt = yield* revise(id, { action: "supersede", supersed: {} }, { "if-match": etag })
      assert.include(misspelt.text, 'Did you mean \\"supersede\\"?')
      assert.strictEqual((yield* get(id)).body.etag, etag)
    })
  )

  it.effect("ignore an Idempotency-Key", () =>
    Effect.gen(function* () {
      const { note, revise } = yield* fixture
      const { etag, id } = yield* note()
      const headers = { "if-match": etag, "idempotency-key": "k" }
      assert.strictEqual((yield* revise(id, bodies.supersede, headers)).status, 204)
      assert.strictEqual((yield* revise(id, bodies.supersede, headers)).status, 412)
    })
  )

  it.effect("keep archivedAt until the note is unarchived", () =>
    Effect.gen(function* () {
      const { act, get, note } = yield* fixture
      const { id, occurredUtc } = yield* note()
      yield* act(id, bodies.archive)
      const archivedAt = (yield* get(id)).body.archivedAt ?? ""
      assert.isTrue(archivedAt > occurredUtc)
      yield* act(id, bodies.archive)
      assert.strictEqual((yield* get(id)).body.archivedAt, archivedAt)
      yield* act(id, bodies.unarchive)
      assert.isNull((yield* get(id)).body.archivedAt)
    })
  )
})
