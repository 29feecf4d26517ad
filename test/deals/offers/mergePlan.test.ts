/** The merge of offers, over all states of two of one team: that of the surviving prospect and another one, or two others. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { OfferState, StoredOffer } from "../../../src/deals/offers/Offer.ts"
import { apply, planMerge, statusOf } from "../../../src/deals/offers/rules.ts"
import { at, earlier, everyState } from "./everyState.ts"

const survivor = "survivor"
const moves = ["first", "second"].map((from) => ({ from, to: survivor }))
const none: ReadonlySet<string> = new Set()
const onList = { moves, suspended: none, removed: none }

const offer = (
  prospectId: string,
  state: OfferState,
  { createdAt = earlier, teamId = "team" }: { readonly createdAt?: Date; readonly teamId?: string } = {}
): StoredOffer => ({
  uuid: `offer of ${prospectId}`,
  teamId,
  version: 1,
  createdAt,
  updatedAt: createdAt,
  changeType: "created",
  changeOrigin: "api",
  state: { ...state, prospectId }
})

const isRemoved = ({ state }: Pick<StoredOffer, "state">) => state.removedAt !== null || state.withdrawnAt !== null
const isAccepted = ({ state }: Pick<StoredOffer, "state">) => state.answer === "accepted"
const isOpen = ({ state }: Pick<StoredOffer, "state">) => ["unanswered", "pending"].includes(statusOf(state, at))

// The offers of sellers are of no prospect.
const states = everyState.map(({ state }) => state).filter(({ category }) => category !== "selling")

/** Every two offers of one project and team, the first being the older one. */
const pairs = states.flatMap((a) =>
  states
    .filter((b) => (a.closedAt === null) === (b.closedAt === null))
    .flatMap((b) =>
      [survivor, "first"].map((prospectId) => ({
        one: offer(prospectId, a),
        other: offer("second", b, { createdAt: at })
      }))
    )
)

const said = ({ one, other }: (typeof pairs)[number]) => JSON.stringify([one.state, other.state])

/** The plan for two offers of one team: the one that stays, and the other one. */
const planOf = ({ one, other }: (typeof pairs)[number], prospects = onList) => {
  const plan = planMerge([one, other], prospects, at)
  assert.deepStrictEqual(planMerge([other, one], prospects, at), plan)
  assert.deepStrictEqual([plan.kept.length, plan.withdrawn.length], [1, 1])
  const [[kept], [withdrawn]] = [plan.kept, plan.withdrawn]
  if (kept === undefined || withdrawn === undefined) throw new Error("There is no plan.")
  return { ...plan, kept, withdrawn }
}

describe("Of two offers that one team has of prospects that become one,", () => {
  it("one stays, with the surviving prospect, and the other one is removed", () => {
    for (const pair of pairs) {
      const { files, kept, withdrawn } = planOf(pair)
      assert.sameMembers([kept.stored, withdrawn.stored], [pair.one, pair.other])
      assert.strictEqual(kept.state.prospectId, survivor)
      assert.notStrictEqual(withdrawn.state.prospectId, survivor)
      assert.strictEqual(statusOf(withdrawn.state, at), "removed")
      assert.deepStrictEqual(files, [{ from: withdrawn.stored.uuid, to: kept.stored.uuid }])
    }
  })

  it("one that the investor can see stays before a removed one, and otherwise that of the survivor", () => {
    for (const pair of pairs) {
      const { kept } = planOf(pair)
      const seen = [pair.one, pair.other].filter((one) => !isRemoved(one))
      assert.strictEqual(isRemoved(kept), seen.length === 0, said(pair))
      if (seen.length === 1) assert.strictEqual(kept.stored, seen[0], said(pair))
      if (seen.length === 2 && pair.one.state.prospectId === survivor) assert.strictEqual(kept.stored, pair.one)
    }
  })

  it("one that was accepted stays before one that was not, and then the older one, where neither is the survivor's", () => {
    for (const pair of pairs.filter(({ one }) => one.state.prospectId !== survivor)) {
      if (isRemoved(pair.one) || isRemoved(pair.other)) continue
      const expected = isAccepted(pair.other) && !isAccepted(pair.one) ? pair.other : pair.one
      assert.strictEqual(planOf(pair).kept.stored, expected, said(pair))
    }
  })

  it("the one that stays is accepted if either was", () => {
    for (const pair of pairs) {
      const { kept } = planOf(pair)
      const accepted = [pair.one, pair.other].filter(isAccepted)
      assert.strictEqual(isAccepted(kept), accepted.length > 0, said(pair))
      if (accepted.length === 0) assert.strictEqual(kept.state.answer, kept.stored.state.answer)
      else
        assert.include(
          accepted.map(({ state }) => state.answeredAt),
          kept.state.answeredAt
        )
    }
  })

  it("the one that stays shows the teaser of either, and can be answered as long as either could", () => {
    for (const pair of pairs) {
      const { kept, withdrawn } = planOf(pair)
      const both = [kept.stored, withdrawn.stored]
      if (both.some(isRemoved)) {
        // A removed one leaves what the investor sees alone.
        if (!isRemoved(kept)) assert.deepStrictEqual(kept.state.projection, kept.stored.state.projection)
        continue
      }
      const isBuying = both.some(({ state }) => state.category === "buying")
      assert.strictEqual(kept.state.category, isBuying ? "buying" : "invitation", said(pair))
      assert.strictEqual(kept.state.projection !== null, isBuying)
      if (both.some(({ state }) => state.answer !== null)) continue
      assert.strictEqual(isOpen(kept), both.some(isOpen), said(pair))
      // The end of a teaser counts more than that of an invitation, and of two alike the later one.
      const open = both.filter(isOpen)
      const teasers = open.filter(({ state }) => state.category === "buying")
      const ends = (teasers.length > 0 ? teasers : open).map(({ state }) => state.expiresAt?.getTime() ?? Infinity)
      if (open.length > 0)
        assert.strictEqual(kept.state.expiresAt?.getTime() ?? Infinity, Math.max(...ends), said(pair))
    }
  })

  it("the surviving prospect is invited if the one that stays is an invitation that can be answered", () => {
    for (const pair of pairs) {
      const { invitations, kept } = planOf(pair)
      const isInvited = statusOf(kept.state, at) === "pending"
      assert.deepStrictEqual([...invitations.invited], isInvited ? [survivor] : [])
      const had = [pair.one, pair.other].some(({ state }) => state.category === "invitation")
      assert.deepStrictEqual(invitations.of, had ? [survivor] : [])
    }
  })

  it("the one that stays is removed with a prospect that is not on the list, until that is restored", () => {
    const prospects = { ...onList, removed: new Set([survivor]) }
    for (const pair of pairs) {
      const { invitations, kept } = planOf(pair, prospects)
      assert.strictEqual(statusOf(kept.state, at), "removed")
      const restored = Result.getOrThrow(apply(kept.state, { type: "restore" }, at))
      assert.strictEqual(isRemoved({ state: restored }), kept.stored.state.removedAt !== null, said(pair))
      assert.strictEqual(invitations.invited.has(survivor), statusOf(restored, at) === "pending")
    }
  })

  it("that of a suspended prospect stays behind, and the other one as it is", () => {
    const prospects = { ...onList, suspended: new Set(["second"]) }
    for (const pair of pairs) {
      const { files, kept, withdrawn } = planOf(pair, prospects)
      assert.deepStrictEqual([kept.stored, withdrawn.stored], [pair.one, pair.other])
      assert.deepStrictEqual(kept.state, { ...pair.one.state, prospectId: survivor })
      assert.deepStrictEqual(
        [withdrawn.state.prospectId, statusOf(withdrawn.state, at), files],
        ["second", "removed", []]
      )
    }
  })
})

describe("Offers of prospects that become one", () => {
  it("all follow their prospect where they are of several teams, and stay the same where nothing changes", () => {
    for (const state of states) {
      const own = offer(survivor, state)
      const other = offer("first", state, { teamId: "other" })
      const { files, kept, withdrawn } = planMerge([own, other], onList, at)
      assert.strictEqual(kept.find(({ stored }) => stored === own)?.state, own.state)
      assert.deepStrictEqual(kept.find(({ stored }) => stored === other)?.state, { ...state, prospectId: survivor })
      assert.deepStrictEqual([withdrawn, files], [[], []])
    }
  })

  it("leave a team one offer of each prospect, whichever of three stays", () => {
    for (const a of states) {
      for (const b of states) {
        const three = [offer(survivor, a), offer("first", b), offer("second", a)]
        const { kept, withdrawn } = planMerge(three, onList, at)
        const held = [...kept, ...withdrawn].map(({ state }) => state.prospectId)
        assert.sameMembers(held, [survivor, "first", "second"])
      }
    }
  })
})
