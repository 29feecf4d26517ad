import fc from "fast-check"
import { assert, test } from "@effect/vitest"
import { describe } from "vitest"
import { questionCategories } from "../../../../src/deals/rooms/Room.ts"
import {
  changedFieldsOf,
  dueAt,
  isOverdue,
  publicStateOf,
  type QaSettings,
  refusalOf,
  rejectionOf,
  repeats,
  toAsked,
  toQuestion,
  transitions
} from "../../../../src/deals/rooms/questions/rules.ts"
import {
  audiences,
  questionMoves,
  questionPriorities,
  questionStates,
  type StoredQuestion
} from "../../../../src/deals/rooms/questions/Question.ts"

/** The table of docs/behaviour/questions.md#states. */
const expected = [
  "open update open",
  "open draft drafted",
  "open answer answered",
  "open close closed",
  "drafted update drafted",
  "drafted draft drafted",
  "drafted answer answered",
  "drafted close closed",
  "answered update answered",
  "answered draft refused",
  "answered answer refused",
  "answered close closed",
  "closed update refused",
  "closed draft refused",
  "closed answer refused",
  "closed close closed"
]

const aTime = fc.date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
const aState = fc.constantFrom(...questionStates)
const aPriority = fc.constantFrom(...questionPriorities)
const aCategory = fc.constantFrom(...questionCategories)

describe("A question", () => {
  test("changes its state as the table lists, and in no other way", () => {
    const table = questionStates.flatMap((state) =>
      questionMoves.map((move) => `${state} ${move} ${transitions[state][move]}`)
    )
    assert.deepStrictEqual(table, expected)
  })

  test("explains each refused move", () => {
    const refusals = (["answered", "closed"] as const).flatMap((state) =>
      questionMoves
        .filter((move) => transitions[state][move] === "refused")
        .map((move) => `${state} ${move}: ${rejectionOf(state, move)}`)
    )
    assert.deepStrictEqual(refusals, [
      "answered draft: The answer was published. What is to be added is the answer to a new question.",
      "answered answer: Another answer was published. What is to be added is the answer to a new question.",
      "closed update: The question is closed. What is still unclear is a new question.",
      "closed draft: The question is closed. What is still unclear is a new question.",
      "closed answer: The question is closed. What is still unclear is a new question."
    ])
  })

  test("is due the sooner, the higher its priority", () => {
    fc.assert(
      fc.property(aTime, (asked) => {
        const days = questionPriorities.map(
          (priority) => (dueAt(asked, priority).getTime() - asked.getTime()) / 86_400_000
        )
        assert.deepStrictEqual(days, [14, 7, 3, 1])
      })
    )
  })

  test("is overdue after it was due, and only while it waits for an answer", () => {
    fc.assert(
      fc.property(aTime, aTime, aState, (due, now, state) => {
        assert.strictEqual(
          isOverdue({ due, state }, now),
          (state === "open" || state === "drafted") && due.getTime() < now.getTime()
        )
      })
    )
    const due = new Date("2026-11-28T09:30:00Z")
    assert.isFalse(isOverdue({ due, state: "open" }, due))
  })

  test("has as changed what differs of its category, priority and assignee", () => {
    const aTriage = fc.record({
      category: aCategory,
      priority: aPriority,
      assigneeUuid: fc.constantFrom(null, "a", "b")
    })
    fc.assert(
      fc.property(aTriage, aTriage, (before, after) => {
        assert.deepStrictEqual(changedFieldsOf(before, before), [])
        assert.deepStrictEqual(changedFieldsOf(before, after), [
          ...(before.category === after.category ? [] : (["category"] as const)),
          ...(before.priority === after.priority ? [] : (["priority"] as const)),
          ...(before.assigneeUuid === after.assigneeUuid ? [] : (["assignee"] as const))
        ])
      })
    )
  })

  test("has an answer that is repeated only by the same text for the same audience", () => {
    const anAnswer = fc.record({ text: fc.constantFrom("Yes", "No"), audience: fc.constantFrom(...audiences) })
    fc.assert(
      fc.property(anAnswer, anAnswer, (published, wanted) => {
        const isSame = published.text === wanted.text && published.audience === wanted.audience
        assert.strictEqual(repeats(published, wanted), isSame)
        assert.isFalse(repeats(null, wanted))
      })
    )
  })

  test("shows who asked it nothing of its draft, priority, assignee and asker", () => {
    const stored = (state: (typeof questionStates)[number]): StoredQuestion => ({
      uuid: "019aabcd-0000-7000-8000-000000000001",
      roomUuid: "019aabcd-0000-7000-8000-000000000002",
      number: 7,
      text: "asked",
      category: "tax",
      priority: "urgent",
      state,
      assignee: { id: "user_planted", name: "planted assignee" },
      asker: { prospectUuid: "019aabcd-0000-7000-8000-000000000003", name: "planted asker" },
      document: { fileUuid: "019aabcd-0000-7000-8000-000000000004", name: "Rent roll.pdf", page: 3 },
      asked: new Date("2026-11-21T09:30:00Z"),
      due: new Date("2026-11-22T09:30:00Z"),
      draft: {
        text: "planted draft",
        format: "plaintext",
        author: { id: "user_planted", name: "planted author" },
        updated: new Date("2026-11-21T10:30:00Z")
      },
      answer: null,
      audit: {
        createdUtc: "2026-11-21T09:30:00.000Z",
        updatedUtc: "2026-11-21T10:30:00.000Z",
        etag: '"v2"',
        changeType: "updated",
        changeOrigin: "app",
        deletedUtc: null
      }
    })
    for (const state of questionStates) {
      const asked = toAsked(stored(state))
      assert.deepStrictEqual(Object.keys(asked).toSorted(), [
        "askedUtc",
        "category",
        "document",
        "id",
        "number",
        "roomId",
        "status",
        "text"
      ])
      assert.notMatch(JSON.stringify(asked), /planted|urgent|drafted|prospect/)
      assert.strictEqual(asked.status, publicStateOf(state))
      assert.include(JSON.stringify(toQuestion(stored(state))), "planted draft")
    }
  })
})

describe("A room", () => {
  const aRoom = fc.record({
    status: fc.constantFrom("draft", "open", "winding_down", "closed"),
    qa: fc.record({
      enabled: fc.boolean(),
      limitPerProspect: fc.constantFrom(null, 0, 1, 5),
      deadline: fc.option(aTime),
      categories: fc.subarray([...questionCategories])
    })
  })

  test("takes a question while it is open, questions are on, before the deadline, of its categories, and up to the limit", () => {
    fc.assert(
      fc.property(aRoom, aCategory, fc.nat(6), aTime, (room, category, askedBefore, now) => {
        const { categories, deadline, enabled, limitPerProspect } = room.qa
        const isTaken =
          room.status === "open" &&
          enabled &&
          (deadline === null || now.getTime() < deadline.getTime()) &&
          categories.includes(category) &&
          (limitPerProspect === null || askedBefore < limitPerProspect)
        assert.strictEqual(refusalOf(room, { category, askedBefore, now }) === undefined, isTaken)
      })
    )
  })

  test("says why it takes a question no more", () => {
    const qa: QaSettings = { enabled: true, limitPerProspect: null, deadline: null, categories: questionCategories }
    const now = new Date("2026-11-21T09:30:00Z")
    const detail = (status: string, changes: Partial<QaSettings>, askedBefore = 0) =>
      refusalOf({ status, qa: { ...qa, ...changes } }, { category: "tax", askedBefore, now })?.detail
    assert.deepStrictEqual(
      [
        detail("winding_down", {}),
        detail("open", { enabled: false }),
        detail("open", { deadline: now }),
        detail("open", { categories: ["legal", "other"] }),
        detail("open", { limitPerProspect: 1 }, 1),
        detail("open", { limitPerProspect: 5 }, 5)
      ],
      [
        "The room is not open.",
        "Questions are turned off in this room.",
        "Questions were taken until 2026-11-21T09:30:00.000Z.",
        "Must be one of legal, other.",
        "In this room, an investor may ask one question.",
        "In this room, an investor may ask 5 questions."
      ]
    )
  })
})
