import { assert, test } from "@effect/vitest"
import { describe } from "vitest"
import { noteShelf, type Shelf, shelvesOf } from "../../src/changes/Timeline.ts"

const flags = [false, true]
const types = ["all", "notes", "chat", "audit"] as const

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
            ...(include_archived ? ["note_archived"] as const : []),
            ...(include_superseded ? ["note_superseded"] as const : []),
            ...(include_archived && include_superseded ? ["note_archived_superseded"] as const : [])
          ]
          const expected: ReadonlyArray<Shelf> = type === "notes"
            ? notes
            : type === "all" ? ["audit", "chat", ...notes] : [type]
          assert.sameMembers([...found], [...expected])
          assert.strictEqual(new Set(found).size, found.length)
        }
      }
    }
  })

  test("are those of everything that is not hidden unless a query says otherwise", () => {
    assert.deepStrictEqual(shelvesOf({}), ["audit", "chat", "note"])
  })
})
