/** The pure decisions on offers, over all statuses and moves. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { offerStatuses } from "../../../src/deals/offers/Offer.ts"
import { apply, type OfferMove, statusOf, transitions } from "../../../src/deals/offers/rules.ts"
import { at, blank, everyState, later, projection } from "./everyState.ts"

const moves: ReadonlyArray<OfferMove> = [
  { type: "accept" },
  { type: "reject", reason: "Too far north" },
  { type: "expire" },
  { type: "remove" },
  { type: "withdraw" },
  { type: "restore" },
  { type: "close" },
  { type: "reopen" },
  { type: "communicate", projection, expiresAt: later }
]

describe("An offer", () => {
  it("has the status that follows from what happened to it", () => {
    for (const { state, status } of everyState) assert.strictEqual(statusOf(state, at), status)
  })

  it("moves where docs/behaviour/offers.md#status says", () => {
    const table = Object.fromEntries(
      offerStatuses.map((from) => [
        from,
        moves
          .filter(({ type }) => transitions[from][type] !== from)
          .map(({ type }) => `${type} ${transitions[from][type]}`)
          .join(", ")
      ])
    )
    assert.deepStrictEqual(table, {
      unanswered: "accept accepted, reject rejected, remove removed, withdraw removed, close closed",
      pending: "accept accepted, reject rejected, remove removed, withdraw removed, close closed, communicate open",
      accepted: "reject answered, remove removed, withdraw removed, close closed",
      rejected: "accept answered, remove removed, withdraw removed, close closed",
      expired: "accept not_open, reject not_open, remove removed, withdraw removed, close closed, communicate open",
      removed: "accept not_open, reject not_open, restore as_before",
      closed: "accept not_open, reject not_open, remove removed, withdraw removed, reopen as_before"
    })
  })

  for (const status of offerStatuses) {
    for (const move of moves) {
      const expected = transitions[status][move.type]
      it(`that is ${status}: ${move.type} leads to ${expected}`, () => {
        for (const { state } of everyState.filter((one) => one.status === status)) {
          const result = apply(state, move, at)
          if (expected === "answered" || expected === "not_open") {
            assert.deepStrictEqual(result, Result.fail(expected))
            continue
          }
          const after = Result.getOrThrow(result)
          const next = statusOf(after, at)
          if (expected === "as_before") {
            const { closedAt, withdrawnAt, ...rest } = state
            const undone =
              move.type === "restore"
                ? { ...rest, closedAt, withdrawnAt: null }
                : { ...rest, closedAt: null, withdrawnAt }
            assert.deepStrictEqual(after, undone)
          } else if (expected === "open") {
            assert.include(["unanswered", "pending"], next)
          } else {
            assert.strictEqual(next, expected)
          }
        }
      })
    }
  }

  it("stays the same object where nothing changes, whatever is repeated", () => {
    for (const { state } of everyState) {
      for (const move of moves) {
        const once = apply(state, move, at)
        if (Result.isFailure(once)) continue
        const twice = apply(once.success, move, new Date(at.getTime() + 1000))
        assert.strictEqual(Result.getOrThrow(twice), once.success, `${JSON.stringify(state)} ${move.type}`)
      }
    }
  })

  it("is what it was once its prospect is restored and its project reopened, in any order", () => {
    for (const { state } of everyState.filter(({ state }) => state.closedAt === null && state.withdrawnAt === null)) {
      for (const way of [
        ["withdraw", "close", "restore", "reopen"],
        ["withdraw", "close", "reopen", "restore"],
        ["close", "withdraw", "restore", "reopen"],
        ["close", "withdraw", "reopen", "restore"]
      ] as const) {
        const end = way.reduce((current, type) => Result.getOrThrow(apply(current, { type }, at)), state)
        assert.deepStrictEqual(end, state)
      }
    }
  })

  it("keeps the answer, and shows the new teaser, when it is communicated again", () => {
    const other = { country: "IT" } as unknown as typeof projection
    for (const { state } of everyState) {
      const after = Result.getOrThrow(apply(state, { type: "communicate", projection: other, expiresAt: later }, at))
      assert.deepStrictEqual(after.projection, other)
      assert.strictEqual(after.answer, state.answer)
      assert.strictEqual(after.category, state.category === "selling" ? "selling" : "buying")
    }
  })

  it("does not move its end by the moment at which the same span is sent again", () => {
    const soon = new Date(later.getTime() + 1500)
    const after = Result.getOrThrow(apply(blank, { type: "communicate", projection, expiresAt: soon }, at))
    assert.strictEqual(after, blank)
    const longer = new Date(later.getTime() + 86_400_000)
    const moved = Result.getOrThrow(apply(blank, { type: "communicate", projection, expiresAt: longer }, at))
    assert.deepStrictEqual(moved.expiresAt, longer)
  })
})
