import { assert, test } from "@effect/vitest"
import fc from "fast-check"
import { describe } from "vitest"
import { NoteMove, NoteState } from "../../../src/content/notes/Note.ts"
import {
  activeCountDelta,
  faultsOf,
  marksOf,
  rejectionOf,
  replaceText,
  stateOf,
  textOf,
  transitions
} from "../../../src/content/notes/rules.ts"

const states = NoteState.literals
const moves = NoteMove.literals

/** The table of docs/behaviour/timelines-notes-files.md#note-states. */
const expected = [
  "active archive archived",
  "active unarchive active",
  "active supersede superseded",
  "archived archive archived",
  "archived unarchive active",
  "archived supersede refused",
  "superseded archive archived_superseded",
  "superseded unarchive refused",
  "superseded supersede refused",
  "archived_superseded archive archived_superseded",
  "archived_superseded unarchive refused",
  "archived_superseded supersede refused"
]

describe("A note", () => {
  test("has the documented transitions", () => {
    const table = states.flatMap((state) => moves.map((move) => `${state} ${move} ${transitions[state][move]}`))
    assert.deepStrictEqual(table, expected)
  })

  test("has one state for each pair of marks", () => {
    for (const state of states) assert.strictEqual(stateOf(marksOf(state)), state)
    for (const archived of [false, true]) {
      for (const superseded of [false, true]) {
        assert.deepStrictEqual(marksOf(stateOf({ archived, superseded })), { archived, superseded })
      }
    }
  })

  test("stays superseded, and is archived after `archive`, in every history", () => {
    fc.assert(
      fc.property(fc.constantFrom(...states), fc.array(fc.constantFrom(...moves)), (start, history) => {
        let state = start
        for (const move of history) {
          const next = transitions[state][move]
          if (next === "refused") continue
          if (marksOf(state).superseded) assert.isTrue(marksOf(next).superseded)
          if (move === "archive") assert.isTrue(marksOf(next).archived)
          if (move === "unarchive") assert.strictEqual(next, "active")
          state = next
        }
      })
    )
  })

  test("counts while it is neither archived nor superseded, in every history", () => {
    assert.strictEqual(activeCountDelta([], ["active"]), 1)
    const changes = states.flatMap((state) =>
      moves.flatMap((move) => {
        const next = transitions[state][move]
        if (next === "refused") return []
        const after: ReadonlyArray<NoteState> = move === "supersede" ? [next, "active"] : [next]
        return [`${state} ${move} ${activeCountDelta([state], after)}`]
      })
    )
    assert.deepStrictEqual(changes, [
      "active archive -1",
      "active unarchive 0",
      "active supersede 0",
      "archived archive 0",
      "archived unarchive 1",
      "superseded archive 0",
      "archived_superseded archive 0"
    ])
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states)), fc.array(fc.constantFrom(...states)), (before, after) => {
        const counted = (of: ReadonlyArray<NoteState>) =>
          of.filter((state) => !marksOf(state).archived && !marksOf(state).superseded).length
        assert.strictEqual(activeCountDelta(before, after), counted(after) - counted(before))
      })
    )
  })

  test("names the alternative when it refuses an action", () => {
    for (const state of states) {
      for (const move of moves) {
        if (transitions[state][move] !== "refused") continue
        assert.match(
          rejectionOf(state, move),
          marksOf(state).superseded ? /supersededByActivityId/ : /Unarchive it first/
        )
      }
    }
  })
})

describe("A revision", () => {
  test("requires a text with `supersede`, and refuses one with other actions", () => {
    const codes = (action: NoteMove, supersede?: object) =>
      faultsOf(supersede === undefined ? { action } : { action, supersede }).map(
        ({ code, pointer }) => `${pointer} ${code}`
      )
    assert.deepStrictEqual(codes("archive"), [])
    assert.deepStrictEqual(codes("unarchive"), [])
    assert.deepStrictEqual(codes("supersede", {}), [])
    assert.deepStrictEqual(codes("supersede"), ["/supersede required"])
    assert.deepStrictEqual(codes("archive", {}), ["/supersede not_allowed"])
    assert.deepStrictEqual(codes("unarchive", {}), ["/supersede not_allowed"])
  })

  test("inherits the members that it leaves out", () => {
    const before = textOf({ message: "Called", contentFormat: "markdown" })
    assert.deepStrictEqual(before, { message: "Called", contentFormat: "markdown" })
    assert.deepStrictEqual(textOf({ message: "Called" }), { message: "Called", contentFormat: null })
    assert.deepStrictEqual(replaceText(before, {}), before)
    assert.deepStrictEqual(replaceText(before, { message: "Met" }), { message: "Met", contentFormat: "markdown" })
    assert.deepStrictEqual(replaceText(before, { contentFormat: "plaintext" }), {
      message: "Called",
      contentFormat: null
    })
    assert.deepStrictEqual(
      replaceText({ message: "Called", contentFormat: null }, { contentFormat: "markdown" }),
      before
    )
  })
})
