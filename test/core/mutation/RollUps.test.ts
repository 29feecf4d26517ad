/** Timelines that show the rows of others: those of records below, and those of whom the record is about. */
import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Action, ProspectTimelineQuery, RollUps, Subject } from "../../../src/core/mutation/Timeline.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import type { AuditTimelineRow, NoteTimelineRow, TimelineSubject } from "../../../src/core/mutation/ChangeRecord.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Cursors } from "../../../src/core/usecase/Page.ts"
import { Jobs } from "../../../src/platform/jobs/Jobs.ts"
import { actorOf } from "../../support/Tenant.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"
import { secretKeys } from "../../support/TestService.ts"

const services = Layer.merge(Changes.layer, Timelines.layer).pipe(
  Layer.provideMerge(Layer.merge(Jobs.layerMemory, Cursors.layer(secretKeys))),
  Layer.provideMerge(Layer.merge(TestDatabase.layer, SecureRandom.layerWebCrypto))
)

const audit = (message: string, partition?: AuditTimelineRow["partition"]): AuditTimelineRow => ({
  event: "prospect.classified",
  details: { kind: "audit", message },
  ...(partition === undefined ? {} : { partition })
})

const nameOf = ({ details }: Action): string => ("message" in details ? (details.message ?? "") : "")

/** A row in a short form: its name, and the type of its record if it belongs to another one. */
const shortForm = (row: Action): string =>
  row.subject === undefined ? nameOf(row) : `${nameOf(row)} of ${row.subject}`

/** A project with a prospect that is a contact. The rows are named for what they stand on, in the order of time. */
const fixture = Effect.gen(function* () {
  const changes = yield* Changes
  const timelines = yield* Timelines
  const random = yield* SecureRandom.SecureRandom
  const id = random.uuidV7()
  const [teamId, userId] = [yield* id, yield* id]
  const [project, prospect, contact] = [yield* id, yield* id, yield* id]
  const onProject: TimelineSubject = { type: "project", id: project }
  const onProspect: ReadonlyArray<TimelineSubject> = [
    { type: "prospect", id: prospect },
    { ...onProject, rollUp: "prospect" }
  ]
  const onContact: TimelineSubject = { type: "contact", id: contact }
  // Its id is made when it is written: rows of one moment stand in the order of their ids.
  const note =
    (message: string) =>
    (noteId: string): NoteTimelineRow => ({
      type: "note",
      id: noteId,
      message,
      contentFormat: null,
      supersedes: null
    })
  const rows: ReadonlyArray<
    readonly [ReadonlyArray<TimelineSubject>, AuditTimelineRow | ((id: string) => NoteTimelineRow)]
  > = [
    [[onProject], audit("project audit")],
    [[onProject], note("project note")],
    [[onContact], audit("contact audit")],
    [[onContact], note("contact note")],
    [onProspect, audit("audit")],
    [onProspect, audit("task", "task")],
    [onProspect, audit("comment", "comment")],
    [onProspect, note("note")],
    [[...onProspect, onContact], audit("both")]
  ]
  for (const [subjects, timeline] of rows) {
    yield* changes.commit(actorOf({ teamId, userId }), (change) =>
      Effect.map(change.newId, (id) =>
        change.record({
          change: "updated",
          resource: { type: "prospect", id: prospect },
          subjects,
          timeline: typeof timeline === "function" ? timeline(id) : timeline
        })
      )
    )
  }
  const read =
    (subject: Subject, rollUps: RollUps) =>
    (query: ProspectTimelineQuery = {}) =>
      timelines.read(subject, query, rollUps)
  return {
    actor: actorOf({ teamId, userId }),
    ids: { contact, project, prospect },
    project: read({ teamId, type: "project", id: project }, { rollUps: ["prospect", "room"] }),
    prospect: read(
      { teamId, type: "prospect", id: prospect },
      {
        rollUps: ["room"],
        others: [{ id: contact, as: "contact" }]
      }
    ),
    contact: read({ teamId, type: "contact", id: contact }, {})
  }
})

layer(services, { excludeTestServices: true })("Timelines with the rows of others", (it) => {
  it.effect("show the record of rolled-up rows, and leave them out with include_rollups=false, for every type", () =>
    Effect.gen(function* () {
      const { contact, project, prospect } = yield* fixture
      const expected = [
        [
          project,
          {},
          [
            "both of prospect",
            "note of prospect",
            "comment of prospect",
            "task of prospect",
            "audit of prospect",
            "project note",
            "project audit"
          ]
        ],
        [project, { type: "notes" }, ["note of prospect", "comment of prospect", "project note"]],
        [
          project,
          { type: "audit" },
          ["both of prospect", "comment of prospect", "task of prospect", "audit of prospect", "project audit"]
        ],
        [project, { type: "chat" }, []],
        [project, { include_rollups: false }, ["project note", "project audit"]],
        [project, { include_rollups: false, type: "notes" }, ["project note"]],
        [
          prospect,
          {},
          ["both", "note", "comment", "task", "audit", "contact note of contact", "contact audit of contact"]
        ],
        [prospect, { type: "notes" }, ["note", "comment", "contact note of contact"]],
        [prospect, { type: "audit" }, ["both", "comment", "task", "audit", "contact audit of contact"]],
        [prospect, { type: "tasks" }, ["task"]],
        [prospect, { include_rollups: false }, ["both", "note", "comment", "task", "audit"]],
        [contact, {}, ["both", "contact note", "contact audit"]]
      ] as const
      for (const [read, query, rows] of expected) {
        assert.deepStrictEqual((yield* read(query)).data.map(shortForm), [...rows], JSON.stringify(query))
      }
    })
  )

  it.effect("name the record of each rolled-up row, but not on rows of their own", () =>
    Effect.gen(function* () {
      const { contact, ids, project, prospect } = yield* fixture
      const named = {
        prospect: Id.fromUuid("prospect", ids.prospect),
        contact: Id.fromUuid("contact", ids.contact)
      }
      for (const read of [project, prospect, contact]) {
        for (const row of (yield* read()).data) {
          const { subject } = row
          if (subject === undefined) assert.notProperty(row, "subjectId", nameOf(row))
          else assert.strictEqual(row.subjectId, named[subject as keyof typeof named], nameOf(row))
        }
      }
      assert.lengthOf(
        (yield* project()).data.filter(({ subjectId }) => subjectId === named.prospect),
        5
      )
      assert.lengthOf(
        (yield* prospect()).data.filter(({ subjectId }) => subjectId === named.contact),
        2
      )
    })
  )

  it.effect("name the record that theirs was merged into, and none once it was purged", () =>
    Effect.gen(function* () {
      const changes = yield* Changes
      const timelines = yield* Timelines
      const sql = yield* Database
      const { actor, ids, project } = yield* fixture
      const to = yield* (yield* SecureRandom.SecureRandom).uuidV7()
      yield* changes.commit(actor, (change) =>
        timelines.move(change, { type: "prospect", from: [ids.prospect], to }, 1000)
      )
      const idsOf = Effect.map(project(), ({ data }) => data.map(({ subjectId }) => subjectId))
      const own = [undefined, undefined]
      assert.deepStrictEqual(yield* idsOf, [...Array.from({ length: 5 }, () => Id.fromUuid("prospect", to)), ...own])
      yield* sql`delete from action_subjects where subject_id = ${to}`
      const rows = (yield* project()).data
      assert.deepStrictEqual(
        rows.map(({ subject }) => subject),
        [...Array.from({ length: 5 }, () => "prospect"), ...own]
      )
      for (const row of rows) assert.notProperty(row, "subjectId")
    })
  )

  it.effect("are paged with rolled-up rows, each row once", () =>
    Effect.gen(function* () {
      const { project, prospect } = yield* fixture
      for (const read of [project, prospect]) {
        const whole = (yield* read()).data
        for (const page_size of [1, 2, 3]) {
          const paged: Array<Action> = []
          let cursor: string | null = null
          do {
            const page: Effect.Success<ReturnType<typeof read>> = yield* read({
              page_size,
              ...(cursor === null ? {} : { cursor })
            })
            paged.push(...page.data)
            cursor = page.page.nextCursor
          } while (cursor !== null)
          assert.deepStrictEqual(paged, whole)
        }
      }
    })
  )

  it.effect("have cursors that depend on the included rows of others", () =>
    Effect.gen(function* () {
      const { project, prospect } = yield* fixture
      const cursor = (yield* project({ page_size: 1 })).page.nextCursor ?? ""
      assert.lengthOf((yield* project({ page_size: 1, cursor, include_rollups: true })).data, 1)
      for (const refused of [
        project({ cursor, include_rollups: false }),
        project({ cursor, type: "notes" }),
        prospect({ cursor })
      ]) {
        assert.strictEqual((yield* Effect.flip(refused)).code, "invalid_cursor")
      }
    })
  )
})
