/** The decisions on teasers, as pure functions. Moves.contract.test.ts has the same stages through the use-cases. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import {
  answerOf,
  type Move,
  moved,
  patched,
  stageOf,
  type StoredTeaser,
  type TeaserState,
  transitions,
  unreached
} from "../../../src/deals/teasers/rules.ts"
import { type Stage, stages } from "../../../src/deals/teasers/Teaser.ts"
import { propertyWith } from "./projection/samples.ts"

const early = "2026-11-21T09:30:00.000Z"
const now = "2026-11-23T09:30:00.000Z"

const timesOf: { readonly [S in Exclude<Stage, "property_added">]: Partial<StoredTeaser> } = {
  drafting: {},
  published: { publishedUtc: early },
  verified: { publishedUtc: early, verifiedUtc: early },
  communicated: { publishedUtc: early, communicatedUtc: early }
}

const stored = (times: Partial<StoredTeaser>, design: Partial<StoredTeaser> = {}): StoredTeaser => ({
  version: 1,
  audit: { createdUtc: early, updatedUtc: early, changeType: "created", changeOrigin: "api" },
  options: {},
  tags: [],
  title: null,
  ...unreached,
  ...times,
  ...design
})

const stateOf = (own: StoredTeaser | undefined, members: object = {}): TeaserState => ({
  subject: { type: "project", uuid: "019ab000-0000-7000-8000-000000000000" },
  own,
  ofProject: undefined,
  isClosed: false,
  properties: [propertyWith({ country: "DE", categories: ["office"], tags: ["long_lease"], ...members })],
  plan: "plus",
  language: "en"
})

const at = (stage: Stage) => stateOf(stage === "property_added" ? undefined : stored(timesOf[stage]))

const moves = Object.keys(transitions.drafting) as ReadonlyArray<Move>

describe("The stages of a teaser", () => {
  it("lead where docs/behaviour/teasers.md#stages says", () => {
    const table = Object.fromEntries(
      stages.map((from) => [from, moves.map((move) => `${move} ${transitions[from][move]}`).join(", ")])
    )
    assert.deepStrictEqual(table, {
      property_added:
        "publish published, unpublish property_added, verify not_published, unverify property_added, communicate not_published",
      drafting:
        "publish published, unpublish drafting, verify not_published, unverify drafting, communicate not_published",
      published: "publish published, unpublish drafting, verify verified, unverify published, communicate communicated",
      verified: "publish verified, unpublish drafting, verify verified, unverify published, communicate communicated",
      communicated:
        "publish communicated, unpublish communicated_before, verify communicated, unverify communicated, communicate communicated"
    })
  })

  for (const stage of stages) {
    for (const move of moves) {
      const to = transitions[stage][move]
      it(`lead from ${stage} by ${move} to ${to}`, () => {
        const decision = moved(at(stage), move)
        if (to === "not_published" || to === "communicated_before") {
          assert.isTrue(decision !== null && "code" in decision)
          return
        }
        if (decision === null) {
          assert.strictEqual(to, stage)
          return
        }
        if ("code" in decision) return assert.fail(decision.code)
        const { design, times } = decision(now)
        const after = stateOf(stored(times, design))
        assert.strictEqual(stageOf(after.own), to)
        // What was reached before keeps its time, and the same move again changes nothing.
        const before = at(stage).own ?? unreached
        for (const member of ["publishedUtc", "verifiedUtc", "communicatedUtc"] as const) {
          if (before[member] !== null && times[member] !== null) assert.strictEqual(times[member], before[member])
        }
        assert.isNull(moved(after, move))
      })
    }
  }

  it("change the verification of a communicated teaser without its stage", () => {
    const verified = moved(at("communicated"), "verify")
    assert.isTrue(verified !== null && !("code" in verified) && verified(now).times.verifiedUtc === now)
  })

  it("need a category and a country that investors would see, whatever the plan", () => {
    const codeOf = (state: TeaserState) => {
      const decision = moved(state, "publish")
      return decision !== null && "code" in decision ? decision.code : undefined
    }
    assert.strictEqual(codeOf(stateOf(undefined, { country: null })), "teaser_incomplete")
    assert.strictEqual(codeOf(stateOf(undefined, { categories: [] })), "teaser_incomplete")
    assert.strictEqual(codeOf(stateOf(stored({}, { options: { location: "hidden" } }))), "teaser_incomplete")
    assert.strictEqual(codeOf(stateOf(stored({}, { options: { categories: "hidden" } }))), "teaser_incomplete")
    assert.isUndefined(codeOf({ ...stateOf(undefined), plan: "free" }))
  })

  it("keep the tags of the moment when a teaser is published before anybody wrote it", () => {
    const decision = moved(at("property_added"), "publish")
    assert.isTrue(decision !== null && !("code" in decision))
    if (decision !== null && !("code" in decision)) assert.deepStrictEqual(decision(now).design.tags, ["long_lease"])
  })
})

describe("A patch", () => {
  const written = stateOf(stored({}, { options: { location: "country" }, tags: ["long_lease"], title: "Core" }))

  it("of nothing makes the first version, and changes no later one", () => {
    assert.deepStrictEqual(patched(at("property_added"), {}), {
      design: { options: {}, tags: ["long_lease"], title: null },
      changed: []
    })
    assert.isNull(patched(written, {}))
  })

  it("that sends back what was read changes nothing, on each plan", () => {
    fc.assert(
      fc.property(fc.constantFrom("free" as const, "plus" as const), (plan) => {
        const state = { ...written, plan }
        const { options, tags, title } = answerOf(state)
        assert.isNull(patched(state, { options: options as object, tags, title }))
      })
    )
  })

  it("names the members that it changes", () => {
    assert.deepStrictEqual(patched(written, { options: { location: null }, title: null })?.changed, [
      "options",
      "title"
    ])
    assert.deepStrictEqual(patched(written, { tags: ["long_lease", "waterfront"] }), null)
    assert.deepStrictEqual(patched(written, { tags: [] })?.changed, ["tags"])
  })
})
