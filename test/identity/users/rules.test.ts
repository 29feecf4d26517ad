import { assert, describe, it } from "@effect/vitest"
import { stateOf, transitions, type UserMove, type UserState } from "../../../src/identity/users/rules.ts"

const states: ReadonlyArray<UserState> = ["active", "deactivated", "deleted"]
const moves: ReadonlyArray<UserMove> = ["deactivate", "activate", "delete"]

describe("An account", () => {
  it("changes its state as the table of docs/state-machines.md lists, and in no other way", () => {
    const table = states.flatMap((state) => moves.map((move) => `${state} ${move} ${transitions[state][move]}`))
    assert.deepStrictEqual(table, [
      "active deactivate deactivated",
      "active activate active",
      "active delete deleted",
      "deactivated deactivate deactivated",
      "deactivated activate active",
      "deactivated delete deleted",
      "deleted deactivate refused",
      "deleted activate refused",
      "deleted delete deleted"
    ])
  })

  it("has the state that its times say", () => {
    const at = new Date()
    assert.deepStrictEqual(
      [
        stateOf({ deactivatedAt: null, deletedAt: null }),
        stateOf({ deactivatedAt: at, deletedAt: null }),
        stateOf({ deactivatedAt: at, deletedAt: at })
      ],
      ["active", "deactivated", "deleted"]
    )
  })
})
