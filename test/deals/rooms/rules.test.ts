/** The states of rooms over all events. */
import { assert, describe, it } from "@effect/vitest"
import { roomStatuses } from "../../../src/deals/access/Access.ts"
import { closingTime, isReadable, roomEvents, stateAt, transitions } from "../../../src/deals/rooms/rules.ts"

const closedAt = new Date("2026-11-02T09:00:00Z")
const windingDownAt = new Date("2026-11-01T09:00:00Z")

describe("the states of rooms", () => {
  it("lead where the table says", () => {
    const table = Object.fromEntries(
      roomStatuses.map((from) => [from, roomEvents.map((event) => `${event} ${transitions[from][event]}`).join(", ")])
    )
    assert.deepStrictEqual(table, {
      draft: "close closed, project_closed closed, project_reopened draft, time_passed draft",
      open: "close closed, project_closed winding_down, project_reopened open, time_passed open",
      winding_down: "close closed, project_closed winding_down, project_reopened open, time_passed closed",
      closed: "close closed, project_closed closed, project_reopened closed, time_passed closed"
    })
  })

  it("are the stored ones, but for a room that has wound down for 14 days", () => {
    const closing = closingTime(windingDownAt)
    assert.strictEqual(closing.toISOString(), "2026-11-15T09:00:00.000Z")
    for (const status of roomStatuses) {
      for (const now of [windingDownAt, new Date(closing.getTime() - 1), closing, new Date("2027-01-01T00:00:00Z")]) {
        const isOver = status === "winding_down" && now >= closing
        assert.deepStrictEqual(
          stateAt({ status, windingDownAt, closedAt: status === "closed" ? closedAt : null }, now),
          isOver ? { status: "closed", closedAt: closing } : { status, closedAt: status === "closed" ? closedAt : null }
        )
      }
    }
  })

  it("let members read open rooms and those that wind down", () => {
    assert.deepStrictEqual(roomStatuses.filter(isReadable), ["open", "winding_down"])
  })
})
