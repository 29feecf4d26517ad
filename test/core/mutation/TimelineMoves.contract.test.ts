import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { actorOf } from "../../support/Tenant.ts"
import { kinds, make, uuidOf } from "../../content/notes/fixture.ts"
import { TestService } from "../../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("Timelines that are moved", (it) => {
  const fixture = make(kinds[0])

  it.effect("are one timeline, ordered by time, with hidden rows still hidden", () =>
    Effect.gen(function* () {
      const survivor = yield* fixture
      const [first, second, other] = [yield* survivor.of(), yield* survivor.of(), yield* survivor.of()]
      const records = [survivor, first, second, other]
      for (const [index, record] of [...records, ...records].entries()) {
        const { id } = yield* record.note(`Note ${index}`)
        if (index === 1) yield* record.act(id, { action: "archive" })
        if (index === 2) yield* record.act(id, { action: "supersede", supersede: { message: "Revision" } })
      }
      const everything = "?include_archived=true&include_superseded=true"
      const before = yield* Effect.forEach(records, (record) =>
        Effect.map(record.actions(everything), ({ body }) => body.data)
      )
      const changes = yield* Changes
      const timelines = yield* Timelines
      yield* changes.commit(actorOf(survivor), (change) =>
        timelines.move(
          change,
          { type: "contact", from: [first.id, second.id].map(uuidOf), to: uuidOf(survivor.id) },
          1000
        )
      )
      const expected = before
        .slice(0, 3)
        .flat()
        .sort((a, b) =>
          a.occurredUtc === b.occurredUtc ? (b.id < a.id ? -1 : 1) : a.occurredUtc < b.occurredUtc ? 1 : -1
        )
      assert.lengthOf(expected, 3 + 6 + 1)
      assert.deepStrictEqual((yield* survivor.actions(everything)).body.data, expected)
      const shown = (yield* survivor.actions()).body.data
      assert.deepStrictEqual(
        shown,
        expected.filter((row) => row.supersededByActivityId === undefined && typeof row.archivedAt !== "string")
      )
      assert.deepStrictEqual((yield* first.actions(everything)).body.data, [])
      assert.deepStrictEqual((yield* second.actions(everything)).body.data, [])
      assert.deepStrictEqual((yield* other.actions(everything)).body.data, before[3])
    })
  )

  it.effect("have a row once that was on several of them", () =>
    Effect.gen(function* () {
      const survivor = yield* fixture
      const [first, second] = [yield* survivor.of(), yield* survivor.of()]
      const changes = yield* Changes
      const timelines = yield* Timelines
      const ids = [survivor, first, second].map(({ id }) => uuidOf(id))
      const subjectsOfRows = [[0, 1, 2], [1, 2], [0, 2], [1]]
      yield* changes.commit(actorOf(survivor), (change) =>
        Effect.forEach(subjectsOfRows, (on, index) =>
          Effect.map(change.newId, (id) =>
            change.record({
              change: "created",
              resource: { type: "act", id },
              subjects: on.map((one) => ({ type: "contact" as const, id: ids[one] ?? "" })),
              timeline: { type: "note", id, message: `Note ${index}`, contentFormat: null, supersedes: null }
            })
          )
        )
      )
      assert.lengthOf((yield* first.actions("?type=notes")).body.data, 3)
      const move = changes.commit(actorOf(survivor), (change) =>
        timelines.move(change, { type: "contact", from: ids, to: ids[0] ?? "" }, 1000)
      )
      yield* move
      yield* move
      const { body } = yield* survivor.actions("?type=notes")
      assert.deepStrictEqual(body.data.map(({ details }) => (details.kind === "note" ? details.message : "")).sort(), [
        "Note 0",
        "Note 1",
        "Note 2",
        "Note 3"
      ])
      assert.lengthOf((yield* survivor.actions("?type=audit")).body.data, 3)
      assert.deepStrictEqual((yield* second.actions()).body.data, [])
      const note = body.data[0]
      const archived = yield* survivor.revise(note?.id ?? "", { action: "archive" }, { "if-match": note?.etag ?? "" })
      assert.strictEqual(archived.status, 204)
      assert.lengthOf((yield* survivor.actions("?type=notes")).body.data, 3)
    })
  )

  it.effect("keep timelines of other teams unchanged", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* fixture, yield* fixture]
      const changes = yield* Changes
      const timelines = yield* Timelines
      const before = (yield* theirs.actions()).body.data
      yield* changes.commit(actorOf(mine), (change) =>
        timelines.move(change, { type: "contact", from: [uuidOf(theirs.id)], to: uuidOf(mine.id) }, 1000)
      )
      assert.deepStrictEqual((yield* theirs.actions()).body.data, before)
      assert.lengthOf((yield* mine.actions()).body.data, 1)
    })
  )
})
