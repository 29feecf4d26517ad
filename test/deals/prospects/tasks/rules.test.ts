import { assert, test } from "@effect/vitest"
import fc from "fast-check"
import { describe } from "vitest"
import { parseDay, TaskMove, TaskState } from "../../../../src/deals/prospects/tasks/Task.ts"
import {
  dueDayOf,
  isOverdue,
  rejectionOf,
  moveActionEvents,
  transitions
} from "../../../../src/deals/prospects/tasks/rules.ts"

const states = TaskState.literals
const moves = TaskMove.literals

/** The table of docs/behaviour/projects-and-prospects.md#task-states. The same state: nothing changes. */
const expected = [
  "open complete completed",
  "open cancel canceled",
  "open reopen refused",
  "completed complete completed",
  "completed cancel refused",
  "completed reopen open",
  "canceled complete refused",
  "canceled cancel canceled",
  "canceled reopen refused"
]

const aDay = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9970-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000

describe("A task", () => {
  test("changes its state as the table lists, and in no other way", () => {
    const table = states.flatMap((state) => moves.map((move) => `${state} ${move} ${transitions[state][move]}`))
    assert.deepStrictEqual(table, expected)
  })

  test("explains each refused move", () => {
    const refusals = states.flatMap((state) =>
      moves.filter((move) => transitions[state][move] === "refused").map((move) => rejectionOf(state, move))
    )
    assert.deepStrictEqual(refusals, [
      "The task is already open. Only a completed task can be reopened.",
      "A completed task cannot be canceled. Reopen it first.",
      "A canceled task cannot be completed. Create a new one.",
      "A canceled task cannot be reopened. Create a new one."
    ])
  })

  test("has a timeline event for each state that a move leads to", () => {
    assert.lengthOf(new Set(states.map((state) => moveActionEvents[state])), states.length)
  })

  test("is overdue from the day after, and only while it is open", () => {
    fc.assert(
      fc.property(aDay, aDay, fc.constantFrom(...states), (due, today, state) => {
        assert.strictEqual(isOverdue({ due, state }, today), state === "open" && dayNumber(due) < dayNumber(today))
      })
    )
  })
})

describe("A due date", () => {
  test("can be a number of days from today", () => {
    fc.assert(
      fc.property(aDay, fc.nat(9999), (today, days) => {
        const due = dueDayOf(`${days}d`, today)
        assert.strictEqual(dayNumber(due ?? "") - dayNumber(today), days)
      })
    )
    assert.strictEqual(dueDayOf("today", "2026-12-31"), "2026-12-31")
    assert.strictEqual(dueDayOf("tomorrow", "2026-12-31"), "2027-01-01")
    assert.strictEqual(dueDayOf("007d", "2028-02-25"), "2028-03-03")
  })

  test("can be a date, or the day as it is written of a date and time, whatever the offset", () => {
    fc.assert(
      fc.property(aDay, aDay, (day, today) => {
        assert.strictEqual(dueDayOf(day, today), day)
        assert.strictEqual(dueDayOf(`${day}T23:59:59.999Z`, today), day)
      })
    )
    assert.strictEqual(dueDayOf("2026-11-28T00:30:00+02:00", "2026-11-21"), "2026-11-28")
    assert.strictEqual(dueDayOf("2026-11-28T22:30:00-02:00", "2026-11-21"), "2026-11-28")
  })

  test("is nothing else", () => {
    const others = [
      "",
      "Today",
      "yesterday",
      "-1d",
      "+1d",
      "1.5d",
      "12345d",
      "d",
      "7",
      "7D",
      "1w",
      "next_week",
      "toString",
      "2026-02-30",
      "2026-11-28T10:00:00",
      "28.11.2026",
      "0000-06-01",
      "0001-01-01T00:00:00+01:00",
      "9999-12-31T23:59:59-01:00"
    ]
    assert.deepStrictEqual(
      others.filter((text) => parseDay(text) !== undefined),
      []
    )
  })
})
