import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import {
  blank,
  interests,
  milestones,
  milestoneStages,
  type ProspectState,
  type Stage,
  stages
} from "../../../src/deals/prospects/Prospect.ts"
import {
  applyPatch,
  type AuditEntry,
  changedTags,
  changeInterest,
  classify,
  deletedEntry,
  enterRoom,
  isSame,
  overrideStage,
  reachMilestone,
  removeFromList,
  renameTag,
  restoreToList,
  stageOf,
  tagKeys,
  withdrawStageOverride
} from "../../../src/deals/prospects/rules.ts"

const by = { userId: "user_01kb3n7x2ferwt5z8q4j6m9d0c", at: "2026-11-21T09:30:00.000Z" }
const rank = (stage: Stage) => stages.indexOf(stage)
const highest = (all: ReadonlyArray<Stage>) => all.reduce((a, b) => (rank(a) >= rank(b) ? a : b), "not_contacted")
const eventsOf = (emitted: ReadonlyArray<AuditEntry>) => emitted.map(({ webhook }) => webhook?.extras)
const rowsOf = (emitted: ReadonlyArray<AuditEntry>) => emitted.map(({ event }) => event)

describe("The stage", () => {
  type Step = { readonly kind: (typeof milestones)[number] } | { readonly to: Stage } | "withdraw"

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constantFrom(...milestones) }),
    fc.record({ to: fc.constantFrom(...stages) }),
    fc.constant("withdraw" as const)
  )

  const take = (state: ProspectState, one: Step): ProspectState =>
    one === "withdraw"
      ? withdrawStageOverride(state).state
      : "kind" in one
        ? reachMilestone(state, one.kind, by.at).state
        : overrideStage(state, one.to, "because", by).state

  /** The stage of a history by its definition: the latest override, and the milestones since. */
  const emitted = (history: ReadonlyArray<Step>): Stage => {
    const withdrawn = history.lastIndexOf("withdraw")
    const correction = history.findLastIndex((one, index) => index > withdrawn && one !== "withdraw" && "to" in one)
    const reached = (from: number) =>
      history.slice(from).flatMap((one) => (one !== "withdraw" && "kind" in one ? [milestoneStages[one.kind]] : []))
    const latest = history[correction]
    return latest !== undefined && latest !== "withdraw" && "to" in latest
      ? highest([latest.to, ...reached(correction)])
      : highest(reached(0))
  }

  it("follows from milestones and overrides in any order", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (history) => {
        const state = history.reduce(take, blank)
        assert.strictEqual(state.stage, emitted(history))
        assert.strictEqual(state.stage, stageOf(state))
      })
    )
  })

  it("is never lowered by a milestone, from any state", () => {
    for (const milestoneStage of stages) {
      for (const overrideStage of [null, ...stages]) {
        for (const milestoneStageSinceOverride of stages) {
          const before = { ...blank, milestoneStage, overrideStage, milestoneStageSinceOverride }
          const state = { ...before, stage: stageOf(before) }
          for (const kind of milestones) {
            const after = reachMilestone(state, kind, by.at).state
            assert.isAtLeast(rank(after.stage), rank(state.stage))
            assert.isAtLeast(rank(after.stage), rank(milestoneStages[kind]))
          }
        }
      }
    }
  })

  it("raised by a milestone emits an event with both stages; otherwise a milestone only adds a timeline row", () => {
    for (const stage of stages) {
      for (const kind of milestones) {
        const { emitted } = reachMilestone({ ...blank, milestoneStage: stage, stage }, kind, by.at)
        const reached = milestoneStages[kind]
        assert.deepStrictEqual(rowsOf(emitted), [`prospect.${kind}`])
        assert.deepStrictEqual(eventsOf(emitted), [
          rank(reached) > rank(stage)
            ? { changed_fields: null, action: { type: "stage_raised", from: stage, to: reached } }
            : undefined
        ])
      }
    }
  })

  it("of access to a room tells when that ends", () => {
    const end = "2027-01-01T00:00:00.000Z"
    const { emitted } = enterRoom(blank, { isNew: true, accessExpiryUtc: end }, by.at)
    assert.deepStrictEqual(
      emitted.map(({ details, event }) => [event, details?.message]),
      [
        ["prospect.room_access_granted", end],
        ["prospect.access_expiry_changed", end]
      ]
    )
  })

  it("keeps the times of the first teaser and of the first room access", () => {
    const first = reachMilestone(blank, "teaser_communicated", by.at).state
    const again = reachMilestone(first, "teaser_communicated", "2026-11-22T00:00:00.000Z")
    assert.strictEqual(first.teaserCommunicatedUtc, by.at)
    assert.isTrue(isSame(first, again.state))
    assert.strictEqual(reachMilestone(first, "room_access_granted", by.at).state.roomAccessUtc, by.at)
    assert.isNull(reachMilestone(blank, "im_shared", by.at).state.roomAccessUtc)
  })

  it("overridden with the present stage or the present override changes nothing without a reason", () => {
    const corrected = overrideStage(blank, "im", undefined, by)
    assert.deepStrictEqual(eventsOf(corrected.emitted), [
      { changed_fields: null, action: { type: "stage_overridden", from: "not_contacted", to: "im" } }
    ])
    const raised = reachMilestone(corrected.state, "bid_recorded", by.at).state
    for (const state of [corrected.state, raised])
      assert.deepStrictEqual(overrideStage(state, "im", undefined, by).emitted, [])
    assert.deepStrictEqual(overrideStage(raised, "bid", undefined, by).emitted, [])
    const explained = overrideStage(raised, "im", "No bid after all", by)
    assert.strictEqual(explained.state.stage, "im")
    assert.strictEqual(explained.state.overrideReason, "No bid after all")
    assert.strictEqual(explained.emitted[0]?.details?.message, "No bid after all")
  })

  it("has no override left after one withdrawal", () => {
    const twice = overrideStage(overrideStage(blank, "bid", undefined, by).state, "teaser", undefined, by).state
    const withdrawn = withdrawStageOverride(twice)
    assert.deepStrictEqual(withdrawn.state, blank)
    assert.deepStrictEqual(eventsOf(withdrawn.emitted), [
      { changed_fields: null, action: { type: "stage_overridden", from: "teaser", to: "not_contacted" } }
    ])
    assert.deepStrictEqual(withdrawStageOverride(withdrawn.state).emitted, [])
  })
})

describe("Interest and classification", () => {
  const classifications = ["not_contacted", "contacted", "interested", "bidder", "ghosted"]

  it("are written as sent, from every state; bidder also records the interest", () => {
    for (const from of classifications) {
      for (const interest of [null, ...interests]) {
        for (const stage of stages) {
          const state = { ...blank, classification: from, interest, milestoneStage: stage, stage }
          for (const to of classifications) {
            for (const interestGiven of [false, true]) {
              const after = classify(state, to, { interestGiven })
              const records = to === "bidder" && !interestGiven
              assert.deepStrictEqual(after.state, {
                ...state,
                classification: to,
                interest: records ? "interested" : interest
              })
              assert.deepStrictEqual(eventsOf(after.emitted), [
                ...(from === to ? [] : [{ changed_fields: null, action: { type: "classified", from, to } }]),
                ...(records && interest !== "interested"
                  ? [
                      {
                        changed_fields: null,
                        action: {
                          type: "interest_changed",
                          ...(interest === null ? {} : { from: interest }),
                          to: "interested"
                        }
                      }
                    ]
                  : [])
              ])
            }
          }
        }
      }
    }
  })

  it("can change from any value to any other, and to null", () => {
    for (const from of [null, ...interests]) {
      for (const to of [null, ...interests]) {
        const after = changeInterest({ ...blank, interest: from }, to)
        assert.strictEqual(after.state.interest, to)
        assert.deepStrictEqual(rowsOf(after.emitted), from === to ? [] : ["prospect.interest_changed"])
      }
    }
  })

  it("a comment adds a row even if the classification stays, and an event only if it changes", () => {
    const options = { noteId: "act_1" }
    const same = classify(blank, "not_contacted", options)
    assert.deepStrictEqual(
      same.emitted.map(({ details, partition, webhook }) => ({ details, partition, webhook })),
      [
        {
          details: { from: "not_contacted", to: "not_contacted", noteId: "act_1" },
          partition: "comment",
          webhook: undefined
        }
      ]
    )
    assert.deepStrictEqual(eventsOf(classify(blank, "contacted", options).emitted), [
      { changed_fields: null, action: { type: "classified", from: "not_contacted", to: "contacted", note_id: "act_1" } }
    ])
  })

  it("in one patch, interest and stage take precedence, and each has an event of its own", () => {
    const { state, emitted } = applyPatch(
      blank,
      { classification: "bidder", interest: "maybe", stage: "teaser", stageReason: "r" },
      by
    )
    assert.deepStrictEqual(
      { classification: state.classification, interest: state.interest, stage: state.stage },
      { classification: "bidder", interest: "maybe", stage: "teaser" }
    )
    assert.deepStrictEqual(rowsOf(emitted), [
      "prospect.classified",
      "prospect.interest_changed",
      "prospect.stage_overridden"
    ])
    assert.strictEqual(applyPatch(blank, { classification: "bidder", interest: null }, by).state.interest, null)
  })
})

describe("A patch", () => {
  const room = { ...blank, roomAccessUtc: by.at }

  it("emits events for some members, and timeline rows for all", () => {
    const { emitted } = applyPatch(
      room,
      {
        projectTags: ["a", "b", "a"],
        externalRefs: [{ namespace: "crm", externalId: "1" }],
        ownerId: by.userId,
        accessExpiryUtc: "2027-01-01T00:00:00.000Z"
      },
      by
    )
    assert.deepStrictEqual(
      emitted.map(({ event, webhook }) => [event, webhook?.extras.changed_fields]),
      [
        ["prospect.project_tags_changed", ["project_tags"]],
        ["prospect.external_refs_changed", ["external_refs"]],
        ["prospect.owner_changed", undefined],
        ["prospect.access_expiry_changed", undefined]
      ]
    )
  })

  it("with present values changes nothing", () => {
    const { state } = applyPatch(room, { projectTags: ["a"], ownerId: by.userId, interest: "maybe", stage: "im" }, by)
    const again = applyPatch(state, { projectTags: ["a", "a"], ownerId: by.userId, interest: "maybe", stage: "im" }, by)
    assert.deepStrictEqual(again, { state, emitted: [] })
  })
})

describe("Removal", () => {
  it("and restore reverse each other, and change nothing when repeated", () => {
    const gone = removeFromList(blank, by.at)
    assert.deepStrictEqual(gone.state, { ...blank, removedUtc: by.at })
    assert.deepStrictEqual(eventsOf(gone.emitted), [{ changed_fields: ["deleted_at"], action: { type: "removed" } }])
    assert.deepStrictEqual(removeFromList(gone.state, "2027-01-01T00:00:00.000Z"), { state: gone.state, emitted: [] })
    const back = restoreToList(gone.state)
    assert.deepStrictEqual(back.state, blank)
    assert.deepStrictEqual(eventsOf(back.emitted), [{ changed_fields: ["deleted_at"], action: { type: "restored" } }])
    assert.deepStrictEqual(restoreToList(blank), { state: blank, emitted: [] })
  })

  it("of a prospect emits an event with its references", () => {
    assert.deepStrictEqual(deletedEntry([{ namespace: "crm", externalId: "1" }]).webhook, {
      type: "prospect.deleted",
      extras: { external_refs: [{ namespace: "crm", id: "1" }] }
    })
  })
})

it("Project tags are found whatever their case", () => {
  assert.deepStrictEqual(tagKeys(["Core", "core", "ÄRA", "A\u0308RA"]), ["core", "ära"])
  assert.deepStrictEqual(tagKeys(["straße"]), tagKeys(["STRASSE"]))
  assert.deepStrictEqual(tagKeys(["ΟΔΟΣ"]), tagKeys(["οδοσ"]))
})

it("Project tags are removed whatever their case, and then added, each once, after those that stay", () => {
  assert.deepStrictEqual(changedTags(["First", "Warm"], { removed: ["first"], added: ["WARM", "New", "new"] }), [
    "Warm",
    "New"
  ])
  assert.deepStrictEqual(changedTags(["First", "Warm"], { removed: ["FIRST"], added: ["first"] }), ["Warm", "first"])
  const tags = fc.array(fc.constantFrom("a", "A", "b", "B", "c"), { maxLength: 4 })
  fc.assert(
    fc.property(tags, tags, tags, (present, added, removed) => {
      const result = tagKeys(changedTags(present, { added, removed }))
      for (const key of tagKeys(added)) assert.include(result, key)
      for (const key of tagKeys(removed)) assert.strictEqual(result.includes(key), tagKeys(added).includes(key))
      assert.deepStrictEqual(changedTags(present, { added: [], removed: [] }), present)
    })
  )
})

describe("A project tag that is renamed", () => {
  const renamed = (projectTags: ReadonlyArray<string>, from: string, to: string) => {
    const { emitted, state } = renameTag({ ...blank, projectTags }, from, to)
    return [state.projectTags, emitted.map(({ event }) => event)]
  }
  const event = "prospect.project_tags_changed"

  it("keeps its place, and is one with those that differ from the new name in case alone", () => {
    assert.deepStrictEqual(renamed(["a", "b", "c"], "b", "B2"), [["a", "B2", "c"], [event]])
    assert.deepStrictEqual(renamed(["core", "b"], "b", "Core"), [["core"], [event]])
    assert.deepStrictEqual(renamed(["b"], "b", "B"), [["B"], [event]])
  })

  it("is left where it is spelt in another way", () => {
    assert.deepStrictEqual(renamed(["B", "c"], "b", "d"), [["B", "c"], []])
  })
})
