import fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { maxRefs } from "../../../src/core/externalRefs/ExternalRef.ts"
import { maxTags } from "../../../src/core/fields/Text.ts"
import {
  type ActiveEnds,
  competingNextTasks,
  planMerge,
  type ProspectMerge
} from "../../../src/deals/prospects/mergePlan.ts"
import { blank, type ProspectRow, stages } from "../../../src/deals/prospects/Prospect.ts"
import { stageOf } from "../../../src/deals/prospects/rules.ts"
import type { Stored } from "../../../src/core/records/Table.ts"

const uuid = (index: number) => `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`

const absorbing = 1
const reassignment = { type: "contact", from: [uuid(2), uuid(3)], to: uuid(absorbing) } as const
const moment = (day: number) => `2026-03-${String(day).padStart(2, "0")}T00:00:00.000Z`

type Given = Partial<ProspectRow> & { readonly project?: number; readonly investor?: number; readonly index: number }

const prospect = ({ index, investor = absorbing, project = 1, ...members }: Given): Stored<ProspectRow> => {
  const deletedUtc = members.deletedUtc ?? null
  return {
    uuid: uuid(index),
    version: 1,
    mergedInto: null,
    deleted: deletedUtc !== null,
    resource: {
      ...blank,
      id: Id.fromUuid("prospect", uuid(index)),
      projectId: Id.fromUuid("project", uuid(project)),
      projectCreatedUtc: moment(1),
      contactId: Id.fromUuid("contact", uuid(investor)),
      createdUtc: moment(1),
      updatedUtc: moment(1),
      etag: '"v1"',
      changeType: "created",
      changeOrigin: "api",
      ...members,
      deletedUtc,
      stage: stageOf({ ...blank, ...members })
    }
  }
}

const contextOf = (createdUtcById: ReadonlyMap<string, string> = new Map(), activeEnds: ActiveEnds = new Map()) => ({
  createdUtcById,
  activeEnds
})

const plan = (prospects: ReadonlyArray<Stored<ProspectRow>>, times?: ReadonlyMap<string, string>) =>
  Result.getOrThrow(planMerge(prospects, reassignment, contextOf(times)))

/** The plan for prospects that are all on one project. */
const planOne = (prospects: ReadonlyArray<Stored<ProspectRow>>, times?: ReadonlyMap<string, string>): ProspectMerge => {
  const [merge, ...others] = plan(prospects, times)
  expect(others).toStrictEqual([])
  if (merge === undefined) throw new Error("The plan is empty")
  return merge
}

describe("Of two prospects on one project", () => {
  const states = [
    { state: "on the list", rank: 0, members: {} },
    { state: "removed", rank: 1, members: { removedUtc: moment(3) } },
    { state: "deleted with the project", rank: 2, members: { deletedUtc: moment(4) } },
    {
      state: "removed, and deleted with the project",
      rank: 3,
      members: { removedUtc: moment(3), deletedUtc: moment(4) }
    }
  ]
  const cases = states.flatMap((first) =>
    states.flatMap((second) =>
      [true, false].flatMap((own) => [moment(1), moment(2)].map((createdUtc) => ({ first, second, own, createdUtc })))
    )
  )

  test.each(cases)(
    "the higher-ranked one survives: $first.state, $second.state, own $own, created $createdUtc",
    ({ createdUtc, first, own, second }) => {
      const a = prospect({ index: 1, investor: own ? absorbing : 2, createdUtc, ...first.members })
      const b = prospect({ index: 2, investor: 3, createdUtc: moment(1), ...second.members })
      const expected =
        first.rank !== second.rank
          ? first.rank < second.rank
            ? a
            : b
          : // With equal times, the lower id counts as older.
            own || createdUtc === moment(1)
            ? a
            : b
      for (const order of [
        [a, b],
        [b, a]
      ]) {
        expect(planOne(order).survivor).toBe(expected)
        expect(planOne(order).absorbed).toStrictEqual([expected === a ? b : a])
      }
    }
  )
})

const refsOf = (index: number, count: number) =>
  Array.from({ length: count }, (_, position) => ({ namespace: `p${index}`, externalId: `${position}` }))

const tags = fc.uniqueArray(
  fc.integer({ min: 0, max: 70 }).map((tag) => `tag ${tag}`),
  { maxLength: maxTags }
)

const moments = fc.option(fc.integer({ min: 1, max: 28 }).map(moment))

const anyProspect = (index: number, investor: number) =>
  fc
    .record({
      project: fc.integer({ min: 1, max: 2 }),
      removedUtc: moments,
      createdUtc: fc.integer({ min: 1, max: 3 }).map(moment),
      externalRefs: fc.integer({ min: 0, max: 9 }).map((count) => refsOf(index, count)),
      projectTags: tags,
      milestoneStage: fc.constantFrom(...stages),
      milestoneStageSinceOverride: fc.constantFrom(...stages),
      overrideStage: fc.option(fc.constantFrom(...stages)),
      classification: fc.constantFrom("contacted", "bidder"),
      interest: fc.option(fc.constantFrom("maybe", "interested")),
      ownerId: fc.option(fc.constantFrom("user_a", "user_b")),
      teaserCommunicatedUtc: moments,
      roomAccessUtc: moments,
      accepted: fc.boolean(),
      chat: fc.boolean(),
      invitation: fc.boolean(),
      noteCount: fc.integer({ min: 0, max: 5 }),
      openTaskCount: fc.integer({ min: 0, max: 5 }),
      nextTask: fc.option(
        fc.integer({ min: 1, max: 3 }).map((day) => ({
          id: `task_${index}`,
          type: "call",
          due: moment(day).slice(0, 10),
          assigneeId: "user_a"
        }))
      )
    })
    .map((members) => prospect({ index, investor, ...members }))

/** Prospects of three contacts on two projects, at most one for each contact and project. */
const anyProspects = fc
  .tuple(...[1, 2, 3, 4, 5, 6].map((index) => fc.option(anyProspect(index, 1 + (index % 3)))))
  .map((candidates) => candidates.flatMap((stored) => stored ?? []))
  .map((candidates) =>
    candidates.filter(
      ({ resource }, index) =>
        candidates.findIndex(
          (other) => other.resource.projectId === resource.projectId && other.resource.contactId === resource.contactId
        ) === index
    )
  )

describe("Merged prospects", () => {
  const check = (
    holds: (prospects: ReadonlyArray<Stored<ProspectRow>>, merges: ReadonlyArray<ProspectMerge>) => void
  ) =>
    fc.assert(
      fc.property(anyProspects, (prospects) => {
        const result = planMerge(prospects, reassignment, contextOf())
        if (Result.isSuccess(result)) holds(prospects, result.success)
      }),
      { numRuns: 300 }
    )

  test("each survive or are absorbed by the survivor on their project, which belongs to the absorbing contact", () => {
    check((prospects, merges) => {
      const planned = merges.flatMap(({ absorbed, survivor }) => [survivor, ...absorbed])
      expect(planned.map((stored) => stored.uuid).toSorted()).toStrictEqual(
        prospects.map((stored) => stored.uuid).toSorted()
      )
      expect(merges).toHaveLength(new Set(prospects.map(({ resource }) => resource.projectId)).size)
      for (const { absorbed, state } of merges) {
        expect(state.contactId).toBe(Id.fromUuid("contact", uuid(absorbing)))
        for (const { resource } of absorbed) expect(resource.projectId).toBe(state.projectId)
      }
    })
  })

  test("take over counts, references, tags and stages, and keep their own classification, interest and owner", () => {
    check((_, merges) => {
      for (const { absorbed, state, survivor } of merges) {
        const own = survivor.resource
        const all = [own, ...absorbed.map(({ resource }) => resource)]
        expect(state.noteCount).toBe(all.reduce((sum, { noteCount }) => sum + noteCount, 0))
        expect(state.openTaskCount).toBe(all.reduce((sum, { openTaskCount }) => sum + openTaskCount, 0))
        expect(state.externalRefs).toStrictEqual(all.flatMap(({ externalRefs }) => externalRefs))
        expect(state.projectTags.slice(0, own.projectTags.length)).toStrictEqual(own.projectTags)
        expect(state.projectTags).toHaveLength(
          Math.min(maxTags, new Set(all.flatMap(({ projectTags }) => projectTags)).size)
        )
        expect(stages.indexOf(state.milestoneStage)).toBe(
          Math.max(...all.map(({ milestoneStage }) => stages.indexOf(milestoneStage)))
        )
        expect(state.stage).toBe(stageOf(state))
        // What somebody took off the list takes its offers, and what became of them, along.
        const withOffers = all.filter(({ removedUtc }) => removedUtc === null || own.removedUtc !== null)
        for (const member of ["accepted", "chat", "invitation"] as const) {
          expect(state[member]).toBe(withOffers.some((one) => one[member]))
        }
        const dues = all.flatMap(({ nextTask }) => nextTask?.due ?? []).toSorted()
        expect(state.nextTask?.due).toBe(dues[0])
        for (const member of [
          "classification",
          "interest",
          "ownerId",
          "overrideStage",
          "milestoneStageSinceOverride",
          "removedUtc"
        ] as const) {
          expect(state[member]).toBe(own[member])
        }
      }
    })
  })

  test("change exactly when they belonged to another contact or had something to take over", () => {
    check((_, merges) => {
      for (const { absorbed, isChanged, survivor } of merges) {
        if (survivor.resource.contactId !== Id.fromUuid("contact", uuid(absorbing))) expect(isChanged).toBe(true)
        else if (absorbed.length === 0) expect(isChanged).toBe(false)
      }
    })
    const [own, other] = [prospect({ index: 1 }), prospect({ index: 2, investor: 2, classification: "bidder" })]
    expect(planOne([own, other]).isChanged).toBe(false)
  })

  test("do not depend on the order of the input", () => {
    fc.assert(
      fc.property(
        anyProspects.chain((prospects) =>
          fc.tuple(fc.constant(prospects), fc.shuffledSubarray(prospects, { minLength: prospects.length }))
        ),
        ([prospects, shuffled]) => {
          const [a, b] = [
            planMerge(prospects, reassignment, contextOf()),
            planMerge(shuffled, reassignment, contextOf())
          ]
          expect(Result.isSuccess(b)).toBe(Result.isSuccess(a))
          if (Result.isFailure(a) || Result.isFailure(b)) return
          const byProject = (merges: ReadonlyArray<ProspectMerge>) =>
            merges.toSorted((left, right) => (left.state.projectId < right.state.projectId ? -1 : 1))
          expect(byProject(b.success)).toStrictEqual(byProject(a.success))
        }
      )
    )
  })

  test("are rejected exactly when a survivor would have too many external references", () => {
    fc.assert(
      fc.property(anyProspects, (prospects) => {
        const counts = new Map<string, number>()
        for (const {
          resource: { externalRefs, projectId }
        } of prospects) {
          counts.set(projectId, (counts.get(projectId) ?? 0) + externalRefs.length)
        }
        const isTooMany = [...counts.values()].some((count) => count > maxRefs)
        expect(Result.isFailure(planMerge(prospects, reassignment, contextOf()))).toBe(isTooMany)
      }),
      { numRuns: 300 }
    )
  })

  describe("that had access to rooms", () => {
    // Of `active`, the end of active access. The others have none.
    const accesses = [
      { access: "none", roomAccessUtc: null, accessExpiryUtc: null },
      { access: "active without end", roomAccessUtc: moment(1), accessExpiryUtc: null, active: null },
      { access: "active until 20", roomAccessUtc: moment(1), accessExpiryUtc: moment(20), active: moment(20) },
      { access: "active until 25", roomAccessUtc: moment(1), accessExpiryUtc: moment(25), active: moment(25) },
      { access: "expired", roomAccessUtc: moment(1), accessExpiryUtc: moment(5) },
      { access: "withdrawn", roomAccessUtc: moment(1), accessExpiryUtc: moment(28) },
      { access: "withdrawn without end", roomAccessUtc: moment(1), accessExpiryUtc: null }
    ]
    const cases = accesses.flatMap((own) => accesses.map((other) => ({ own, other })))

    test.each(cases)("have it until the later end of what is active: $own.access, $other.access", ({ other, own }) => {
      const sides = [own, other]
      const pair = sides.map(({ accessExpiryUtc, roomAccessUtc }, index) =>
        prospect({ index: index + 1, investor: index + 1, accessExpiryUtc, roomAccessUtc })
      )
      const activeEnds = new Map(
        sides.flatMap(({ active }, index) => (active === undefined ? [] : [[uuid(index + 1), active] as const]))
      )
      const [merge] = Result.getOrThrow(planMerge(pair, reassignment, contextOf(undefined, activeEnds)))
      const actives = sides.flatMap(({ active }) => (active === undefined ? [] : [active]))
      const expected =
        actives.length === 0
          ? own.access === "none"
            ? other.accessExpiryUtc
            : own.accessExpiryUtc
          : actives.includes(null)
            ? null
            : (actives.toSorted().at(-1) ?? null)
      expect(merge?.state.accessExpiryUtc).toBe(expected)
    })
  })

  test("have as next task the oldest of those that are due first", () => {
    const task = (id: string) => ({ id, type: "call", due: "2026-03-05", assigneeId: "user_a" })
    const pair = [
      prospect({ index: 1, nextTask: task("task_a") }),
      prospect({ index: 2, investor: 2, nextTask: task("task_b") }),
      prospect({ index: 3, project: 2, nextTask: task("task_c") })
    ]
    expect(competingNextTasks(pair)).toStrictEqual(["task_a", "task_b"])
    const next = (times: Record<string, string>) => plan(pair, new Map(Object.entries(times)))[0]?.state.nextTask?.id
    expect(next({ task_a: moment(2), task_b: moment(1) })).toBe("task_b")
    expect(next({ task_a: moment(1), task_b: moment(2) })).toBe("task_a")
    expect(next({ task_a: moment(1), task_b: moment(1) })).toBe("task_a")
  })
})
