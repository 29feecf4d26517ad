import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { maxRefs } from "../../../src/externalRefs/ExternalRef.ts"
import { maxTags } from "../../../src/fields/Tags.ts"
import * as Id from "../../../src/Id.ts"
import { planMerge, type Kept, rivalTasks } from "../../../src/prospects/reassignment.ts"
import { stages } from "../../../src/prospects/Prospect.ts"
import { blank, type ProspectRow } from "../../../src/prospects/ProspectState.ts"
import { stageOf } from "../../../src/prospects/rules.ts"
import type { Stored } from "../../../src/records/RecordTable.ts"

const uuid = (index: number) => `01900000-0000-7000-8000-${String(index).padStart(12, "0")}`

const survivor = 1
const gathering = { type: "contact", from: [uuid(2), uuid(3)], to: uuid(survivor) } as const
const moment = (day: number) => `2026-03-${String(day).padStart(2, "0")}T00:00:00.000Z`

type Given = Partial<ProspectRow> & { readonly project?: number; readonly investor?: number; readonly index: number }

const prospect = ({ index, investor = survivor, project = 1, ...members }: Given): Stored<ProspectRow> => {
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

const decided = (prospects: ReadonlyArray<Stored<ProspectRow>>, times: ReadonlyMap<string, string> = new Map()) =>
  Result.getOrThrow(planMerge(prospects, gathering, times))

const one = (prospects: ReadonlyArray<Stored<ProspectRow>>, times?: ReadonlyMap<string, string>): Kept => {
  const [kept, another] = decided(prospects, times)
  expect(another).toBeUndefined()
  if (kept === undefined) throw new Error("none is kept")
  return kept
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
    "the better one stays: $first.state, $second.state, the other's own $own, $createdUtc",
    ({ createdUtc, first, own, second }) => {
      const a = prospect({ index: 1, investor: own ? survivor : 2, createdUtc, ...first.members })
      const b = prospect({ index: 2, investor: 3, createdUtc: moment(1), ...second.members })
      const expected =
        first.rank !== second.rank
          ? first.rank < second.rank
            ? a
            : b
          : // Of the same age, the lesser id is the older one.
            own || createdUtc === moment(1)
            ? a
            : b
      for (const order of [
        [a, b],
        [b, a]
      ]) {
        expect(one(order).stored).toBe(expected)
        expect(one(order).absorbed).toStrictEqual([expected === a ? b : a])
      }
    }
  )
})

const refsOf = (index: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({ namespace: `p${index}`, externalId: `${place}` }))

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
      reachedStage: fc.constantFrom(...stages),
      raisedStage: fc.constantFrom(...stages),
      overrideStage: fc.option(fc.constantFrom(...stages)),
      classification: fc.constantFrom("contacted", "bidder"),
      interest: fc.option(fc.constantFrom("maybe", "interested")),
      ownerId: fc.option(fc.constantFrom("user_a", "user_b")),
      teaserCommunicatedUtc: moments,
      roomAccessUtc: moments,
      chat: fc.boolean(),
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

/** One prospect of each of three contacts at the most, on two projects. */
const anyProspects = fc
  .tuple(...[1, 2, 3, 4, 5, 6].map((index) => fc.option(anyProspect(index, 1 + (index % 3)))))
  .map((found) => found.flatMap((stored) => stored ?? []))
  .map((found) =>
    found.filter(
      ({ resource }, index) =>
        found.findIndex(
          (other) => other.resource.projectId === resource.projectId && other.resource.contactId === resource.contactId
        ) === index
    )
  )

describe("Prospects that are gathered", () => {
  const check = (holds: (prospects: ReadonlyArray<Stored<ProspectRow>>, kept: ReadonlyArray<Kept>) => void) =>
    fc.assert(
      fc.property(anyProspects, (prospects) => {
        const result = planMerge(prospects, gathering, new Map())
        if (Result.isSuccess(result)) holds(prospects, result.success)
      }),
      { numRuns: 300 }
    )

  test("are each kept, or absorbed by the one that is kept on their project; and that is the survivor's", () => {
    check((prospects, kept) => {
      const places = kept.flatMap(({ absorbed, stored }) => [stored, ...absorbed])
      expect(places.map((stored) => stored.uuid).toSorted()).toStrictEqual(
        prospects.map((stored) => stored.uuid).toSorted()
      )
      expect(kept).toHaveLength(new Set(prospects.map(({ resource }) => resource.projectId)).size)
      for (const { absorbed, state } of kept) {
        expect(state.contactId).toBe(Id.fromUuid("contact", uuid(survivor)))
        for (const { resource } of absorbed) expect(resource.projectId).toBe(state.projectId)
      }
    })
  })

  test("have what all of them had, and of what people said of them only their own", () => {
    check((_, kept) => {
      for (const { absorbed, state, stored } of kept) {
        const own = stored.resource
        const all = [own, ...absorbed.map(({ resource }) => resource)]
        expect(state.noteCount).toBe(all.reduce((sum, { noteCount }) => sum + noteCount, 0))
        expect(state.openTaskCount).toBe(all.reduce((sum, { openTaskCount }) => sum + openTaskCount, 0))
        expect(state.externalRefs).toStrictEqual(all.flatMap(({ externalRefs }) => externalRefs))
        expect(state.projectTags.slice(0, own.projectTags.length)).toStrictEqual(own.projectTags)
        expect(state.projectTags).toHaveLength(
          Math.min(maxTags, new Set(all.flatMap(({ projectTags }) => projectTags)).size)
        )
        expect(stages.indexOf(state.reachedStage)).toBe(
          Math.max(...all.map(({ reachedStage }) => stages.indexOf(reachedStage)))
        )
        expect(state.stage).toBe(stageOf(state))
        expect(state.chat).toBe(all.some(({ chat }) => chat))
        const dues = all.flatMap(({ nextTask }) => nextTask?.due ?? []).toSorted()
        expect(state.nextTask?.due).toBe(dues[0])
        for (const member of [
          "classification",
          "interest",
          "ownerId",
          "overrideStage",
          "raisedStage",
          "removedUtc"
        ] as const) {
          expect(state[member]).toBe(own[member])
        }
      }
    })
  })

  test("are changed when they were another's or had something to take over, and else not", () => {
    check((_, kept) => {
      for (const { absorbed, isChanged, stored } of kept) {
        if (stored.resource.contactId !== Id.fromUuid("contact", uuid(survivor))) expect(isChanged).toBe(true)
        else if (absorbed.length === 0) expect(isChanged).toBe(false)
      }
    })
    const [own, other] = [prospect({ index: 1 }), prospect({ index: 2, investor: 2, classification: "bidder" })]
    expect(one([own, other]).isChanged).toBe(false)
  })

  test("are the same whatever order they are found in", () => {
    fc.assert(
      fc.property(
        anyProspects.chain((prospects) =>
          fc.tuple(fc.constant(prospects), fc.shuffledSubarray(prospects, { minLength: prospects.length }))
        ),
        ([prospects, shuffled]) => {
          const [a, b] = [planMerge(prospects, gathering, new Map()), planMerge(shuffled, gathering, new Map())]
          expect(Result.isSuccess(b)).toBe(Result.isSuccess(a))
          if (Result.isFailure(a) || Result.isFailure(b)) return
          const byProject = (kept: ReadonlyArray<Kept>) =>
            kept.toSorted((one, other) => (one.state.projectId < other.state.projectId ? -1 : 1))
          expect(byProject(b.success)).toStrictEqual(byProject(a.success))
        }
      )
    )
  })

  test("are refused exactly when one would have too many external references", () => {
    fc.assert(
      fc.property(anyProspects, (prospects) => {
        const counts = new Map<string, number>()
        for (const {
          resource: { externalRefs, projectId }
        } of prospects) {
          counts.set(projectId, (counts.get(projectId) ?? 0) + externalRefs.length)
        }
        const isTooMany = [...counts.values()].some((count) => count > maxRefs)
        expect(Result.isFailure(planMerge(prospects, gathering, new Map()))).toBe(isTooMany)
      }),
      { numRuns: 300 }
    )
  })

  test("have the oldest of the tasks that are due first as the next", () => {
    const task = (id: string) => ({ id, type: "call", due: "2026-03-05", assigneeId: "user_a" })
    const pair = [
      prospect({ index: 1, nextTask: task("task_a") }),
      prospect({ index: 2, investor: 2, nextTask: task("task_b") }),
      prospect({ index: 3, project: 2, nextTask: task("task_c") })
    ]
    expect(rivalTasks(pair)).toStrictEqual(["task_a", "task_b"])
    const next = (times: Record<string, string>) => decided(pair, new Map(Object.entries(times)))[0]?.state.nextTask?.id
    expect(next({ task_a: moment(2), task_b: moment(1) })).toBe("task_b")
    expect(next({ task_a: moment(1), task_b: moment(2) })).toBe("task_a")
    expect(next({ task_a: moment(1), task_b: moment(1) })).toBe("task_a")
  })
})
