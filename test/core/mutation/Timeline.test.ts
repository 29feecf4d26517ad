import { assert, test } from "@effect/vitest"
import { describe } from "vitest"
import {
  notePartition,
  partitionKey,
  partitionsOf,
  type TimelinePartition
} from "../../../src/core/mutation/Timeline.ts"

const flags = [false, true]
const types = ["all", "notes", "chat", "audit", "tasks"] as const

describe("The partitions of a timeline", () => {
  test("distinguish the marks of a note", () => {
    const partitions = flags.flatMap((archived) => flags.map((superseded) => notePartition({ archived, superseded })))
    assert.strictEqual(new Set(partitions).size, 4)
  })

  test("that a query selects have the rows of its type, and notes whose marks it includes", () => {
    for (const type of types) {
      for (const include_archived of flags) {
        for (const include_superseded of flags) {
          const found = partitionsOf({ type, include_archived, include_superseded })
          const notes: ReadonlyArray<TimelinePartition> = [
            "note",
            ...(include_archived ? (["note_archived"] as const) : []),
            ...(include_superseded ? (["note_superseded"] as const) : []),
            ...(include_archived && include_superseded ? (["note_archived_superseded"] as const) : [])
          ]
          const expected: { readonly [type in (typeof types)[number]]: ReadonlyArray<TimelinePartition> } = {
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

  test("are all except hidden notes by default", () => {
    assert.deepStrictEqual(partitionsOf({}), ["audit", "task", "comment", "chat", "note"])
  })

  test("of rolled-up rows are separate from those of the timeline itself", () => {
    const partitions = partitionsOf({ include_archived: true, include_superseded: true })
    const places = partitions.flatMap((partition) => [
      partitionKey(partition),
      partitionKey(partition, "prospect"),
      partitionKey(partition, "room")
    ])
    assert.strictEqual(new Set(places).size, 3 * partitions.length)
    assert.deepStrictEqual(
      partitions.map((partition) => partitionKey(partition)),
      [...partitions]
    )
    assert.strictEqual(partitionKey("note_archived", "prospect"), "prospect:note_archived")
  })
})
