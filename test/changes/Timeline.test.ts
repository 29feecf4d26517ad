import { assert, test } from "@effect/vitest"
import { describe } from "vitest"
import { noteShelf, placeOf, type Shelf, shelvesOf } from "../../src/changes/Timeline.ts"

const flags = [false, true]
const types = ["all", "notes", "chat", "audit", "tasks"] as const

describe("The shelves of a timeline", () => {
  test("tell the marks of a note apart", () => {
    const shelves = flags.flatMap((archived) => flags.map((superseded) => noteShelf({ archived, superseded })))
    assert.strictEqual(new Set(shelves).size, 4)
  })

  test("that a query asks for have the rows of its type, and of notes those whose every mark it asks for", () => {
    for (const type of types) {
      for (const include_archived of flags) {
        for (const include_superseded of flags) {
          const found = shelvesOf({ type, include_archived, include_superseded })
          const notes: ReadonlyArray<Shelf> = [
            "note",
            ...(include_archived ? (["note_archived"] as const) : []),
            ...(include_superseded ? (["note_superseded"] as const) : []),
            ...(include_archived && include_superseded ? (["note_archived_superseded"] as const) : [])
          ]
          const expected: { readonly [type in (typeof types)[number]]: ReadonlyArray<Shelf> } = {
            all: ["audit", "task", "comment", "chat", ...notes],
            notes: ["comment", ...notes],
            chat: ["chat"],
            audit: ["audit", "task", "comment"],
            tasks: ["task"]
          }
          assert.sameMembers([...found], [...expected[type]])
          assert.strictEqual(new Set(found).size, found.length)
        }
      }
    }
  })

  test("are those of everything that is not hidden unless a query says otherwise", () => {
    assert.deepStrictEqual(shelvesOf({}), ["audit", "task", "comment", "chat", "note"])
  })

  test("of records below stand apart from the timeline's own", () => {
    const shelves = shelvesOf({ include_archived: true, include_superseded: true })
    const places = shelves.flatMap((shelf) => [placeOf(shelf), placeOf(shelf, "prospect"), placeOf(shelf, "room")])
    assert.strictEqual(new Set(places).size, 3 * shelves.length)
    assert.deepStrictEqual(
      shelves.map((shelf) => placeOf(shelf)),
      [...shelves]
    )
    assert.strictEqual(placeOf("note_archived", "prospect"), "prospect:note_archived")
  })
})
