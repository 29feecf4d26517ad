/** Notes on projects and prospects, where they differ from notes on contacts and companies. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Action, NoteAction } from "../../../src/core/mutation/Timeline.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { NoteMove, type NoteState, NoteState as NoteStates } from "../../../src/content/notes/Note.ts"
import { transitions } from "../../../src/content/notes/rules.ts"
import { TestService } from "../../support/TestService.ts"
import { idAt, kinds, make, project, prospect } from "./fixture.ts"

const bodies = {
  archive: { action: "archive" },
  unarchive: { action: "unarchive" },
  supersede: { action: "supersede", supersede: { message: "Met" } }
} as const

/** The actions that lead from a new note to a state. */
const ways: { readonly [state in NoteState]: ReadonlyArray<NoteMove> } = {
  active: [],
  archived: ["archive"],
  superseded: ["supersede"],
  archived_superseded: ["supersede", "archive"]
}

/** The change of `noteCount` by a transition. */
const counted: { readonly [move: string]: number } = { "active archive": -1, "archived unarchive": 1 }

const flags = [false, true]
const everything = "include_archived=true&include_superseded=true"

layer(TestService.layer, { excludeTestServices: true })("Notes on projects and prospects", (it) => {
  for (const kind of [...kinds, project, prospect]) {
    it.effect(`are listed for a ${kind.type}, newest first in pages, and hidden ones only when asked for`, () =>
      Effect.gen(function* () {
        const { act, get, list, note, of, request, token, within } = yield* make(kind)
        const notes: Array<NoteAction> = []
        for (const steps of Object.values(ways)) {
          const { id } = yield* note()
          for (const step of steps) {
            const successor = idAt((yield* act(id, bodies[step])).headers.get("location"))
            if (successor !== "") notes.push((yield* get(successor)).body)
          }
          notes.push((yield* get(id)).body)
        }
        const newestFirst = notes.toSorted((a, b) => (`${a.occurredUtc} ${a.id}` < `${b.occurredUtc} ${b.id}` ? 1 : -1))
        for (const include_archived of flags) {
          for (const include_superseded of flags) {
            const query = `?include_archived=${include_archived}&include_superseded=${include_superseded}`
            const shown = newestFirst.filter(
              (note) =>
                (note.archivedAt === null || include_archived) &&
                (!("supersededByActivityId" in note) || include_superseded)
            )
            assert.deepStrictEqual((yield* list(query)).body.data, shown, query)
          }
        }
        const first = (yield* list(`?${everything}&page_size=4`)).body
        const rest = (yield* list(`?${everything}&page_size=4&cursor=${first.page.nextCursor}`)).body
        assert.deepStrictEqual([...first.data, ...rest.data], newestFirst)
        assert.deepStrictEqual([first.page.hasMore, rest.page.hasMore], [true, false])
        assert.strictEqual((yield* list(`?page_size=4&cursor=${first.page.nextCursor}`)).status, 400)
        assert.deepStrictEqual((yield* (yield* of()).list()).body.data, [])
        // Those of its prospects are not the project's.
        if (within !== "") {
          const { body } = yield* request<Page<NoteAction>>("GET", `${within}/notes`, { token })
          assert.deepStrictEqual(body.data, [])
        }
      })
    )
  }

  it.effect("are listed without the rows of classifications", () =>
    Effect.gen(function* () {
      const { id, list, request, token, within } = yield* make(prospect)
      const json = { prospectIds: [id], classification: "contacted", note: "Called" }
      yield* request("POST", `${within}/prospects/classify`, { token, json })
      assert.deepStrictEqual(
        (yield* list()).body.data.map(({ details }) => details.message),
        ["Called"]
      )
    })
  )

  for (const kind of [project, prospect]) {
    it.effect(`change state on a ${kind.type}, whose ETag changes exactly when its note count does`, () =>
      Effect.gen(function* () {
        const { act, actions, get, id, note, read, request, revise, token, within } = yield* make(kind)
        const notes: Array<NoteAction> = []
        for (const state of NoteStates.literals) {
          for (const move of NoteMove.literals) {
            const next = transitions[state][move]
            const label = `${move}, when the note is ${state}: ${next}`
            const { id } = yield* note()
            for (const step of ways[state]) assert.strictEqual((yield* act(id, bodies[step])).status, 204, label)
            const before = { note: (yield* get(id)).body, record: (yield* read()).body }
            const answer = yield* revise(id, bodies[move], { "if-match": before.note.etag })
            const after = { note: (yield* get(id)).body, record: (yield* read()).body }
            if (next === "refused") {
              assert.deepStrictEqual([answer.status, answer.body["code"]], [400, "note_move_refused"], label)
            } else {
              assert.strictEqual(answer.status, 204, label)
            }
            assert.strictEqual(after.note.etag === before.note.etag, next === "refused" || next === state, label)
            const more = kind === prospect ? (counted[`${state} ${move}`] ?? 0) : 0
            if (more === 0) {
              assert.deepStrictEqual(after.record, before.record, label)
            } else {
              assert.strictEqual(after.record.noteCount, (before.record.noteCount ?? 0) + more, label)
              assert.notStrictEqual(after.record.etag, before.record.etag, label)
              assert.isTrue(after.record.updatedUtc >= before.record.updatedUtc, label)
            }
            notes.push(after.note)
          }
        }
        for (const include_archived of flags) {
          for (const include_superseded of flags) {
            const query = `?type=notes&page_size=500&include_archived=${include_archived}&include_superseded=${include_superseded}`
            const shown = notes.filter(
              (note) =>
                (note.archivedAt === null || include_archived) &&
                (!("supersededByActivityId" in note) || include_superseded)
            )
            const among = ({ body }: { readonly body: Page<Action> }) =>
              body.data.filter((row) => notes.some(({ id }) => id === row.id)).toReversed()
            assert.deepStrictEqual(among(yield* actions(query)), shown, query)
            if (kind === project) continue
            const rolledUp = yield* request<Page<Action>>("GET", `${within}/actions${query}`, { token })
            assert.deepStrictEqual(
              among(rolledUp),
              shown.map((note) => ({ ...note, subject: "prospect", subjectId: id })),
              query
            )
          }
        }
      })
    )

    it.effect(`on a ${kind.type} are created, read and revised, and Location leads to the revision`, () =>
      Effect.gen(function* () {
        const { add, get, notes, read, revise, teamId, user } = yield* make(kind)
        const sql = yield* Database
        const before = (yield* read()).body
        const eventsBefore = yield* sql`
          select type from events where team_id = ${teamId} and type not like 'note.%'`
        const rehearsed = yield* add({ message: "Called" }, { prefer: "dry-run" })
        assert.deepInclude(rehearsed.body, { wouldAnswer: 201 } as never)
        assert.deepStrictEqual((yield* read()).body, before)
        const created = yield* add({ message: "Called", contentFormat: "markdown" }, { "idempotency-key": "k" })
        assert.strictEqual(created.status, 201, created.text)
        const { id, occurredUtc: _, ...rest } = created.body
        assert.deepStrictEqual(rest, {
          type: "note",
          event: null,
          actor: { id: user, name: "Anna Berg" },
          details: { kind: "note", message: "Called", archivedAt: null },
          etag: '"v1"',
          archivedAt: null,
          contentFormat: "markdown"
        })
        assert.strictEqual(created.headers.get("location"), `${notes}/${id}`)
        const repeated = yield* add({ message: "Called", contentFormat: "markdown" }, { "idempotency-key": "k" })
        assert.deepStrictEqual([repeated.body, repeated.headers.get("idempotency-replayed")], [created.body, "true"])
        assert.deepStrictEqual((yield* get(id)).body, created.body)
        assert.strictEqual((yield* get(id, { "if-none-match": '"v1"' })).status, 304)
        const superseded = yield* revise(id, bodies.supersede, { "if-match": '"v1"' })
        const location = superseded.headers.get("location")
        assert.strictEqual(location, `${notes}/${idAt(location)}`)
        assert.strictEqual((yield* get(idAt(location))).body.supersedesActivityId, id)
        if (kind === prospect) assert.deepInclude((yield* read()).body, { noteCount: 1, etag: '"v2"' })
        else assert.deepStrictEqual((yield* read()).body, before)
        assert.deepStrictEqual(
          yield* sql`
          select type from events where team_id = ${teamId} and type not like 'note.%'`,
          eventsBefore
        )
      })
    )
  }

  it.effect("are found below their own record only", () =>
    Effect.gen(function* () {
      const one = yield* make(prospect)
      const other = yield* one.of()
      const stranger = yield* make(prospect)
      const { note, request, token } = one
      const path = (of: string) => `${of}/notes`
      const add = (of: string) =>
        Effect.map(
          request<{ readonly id: string }>("POST", path(of), { token, json: { message: "x" } }),
          ({ body }) => body.id
        )
      const mine = [
        { at: one.at, id: (yield* note()).id },
        { at: one.within, id: yield* add(one.within) },
        { at: one.contact, id: yield* add(one.contact) },
        { at: other.at, id: (yield* other.note()).id }
      ]
      const misplaced = `${other.within}/prospects/${one.id}`
      for (const { at, id } of mine) {
        for (const place of [...mine.map((one) => one.at), misplaced, stranger.at, stranger.within]) {
          const expected = place === at
          const found = yield* request("GET", `${path(place)}/${id}`, { token })
          assert.strictEqual(found.status, expected ? 200 : 404, `${id} of ${at} on ${place}`)
          if (expected) continue
          const headers = { "if-match": "*" }
          const changed = yield* request("PATCH", `${path(place)}/${id}`, { token, json: bodies.archive, headers })
          assert.strictEqual(changed.status, 404, `${id} of ${at} on ${place}`)
        }
      }
      assert.strictEqual((yield* request("POST", path(stranger.at), { token, json: { message: "x" } })).status, 404)
      assert.strictEqual((yield* request("POST", path(misplaced), { token, json: { message: "x" } })).status, 404)
    })
  )

  it.effect("appear on the timelines of the prospect and its project, beside the notes of the contact or company", () =>
    Effect.gen(function* () {
      const { actions, at, contact, note, request, token, within } = yield* make(prospect)
      const add = (of: string, message: string) => request("POST", `${of}/notes`, { token, json: { message } })
      yield* add(within, "project")
      yield* add(contact, "contact")
      yield* note("prospect")
      const messagesOf = (rows: ReadonlyArray<Action>) =>
        rows.map(({ details, event, subject }) => [event ?? ("message" in details ? details.message : ""), subject])
      const of = (where: string) =>
        Effect.map(request<Page<Action>>("GET", where, { token }), ({ body }) => messagesOf(body.data))
      assert.deepStrictEqual(yield* of(`${at}/actions?type=notes`), [
        ["prospect", undefined],
        ["contact", "contact"]
      ])
      assert.deepStrictEqual(yield* of(`${within}/actions?type=notes`), [
        ["prospect", "prospect"],
        ["project", undefined]
      ])
      assert.deepStrictEqual(yield* of(`${within}/actions`), [
        ["prospect", "prospect"],
        ["project", undefined],
        ["prospect.created", "prospect"],
        ["project.created", undefined]
      ])
      assert.deepStrictEqual(yield* of(`${within}/actions?include_rollups=false`), [
        ["project", undefined],
        ["project.created", undefined]
      ])
      assert.deepStrictEqual(messagesOf((yield* actions("?include_rollups=false")).body.data), [
        ["prospect", undefined],
        ["prospect.created", undefined]
      ])
      assert.deepStrictEqual(yield* of(`${kinds[0].path}/${idAt(contact)}/actions?type=notes`), [
        ["contact", undefined]
      ])
    })
  )

  it.effect("stay with a removed prospect, which accepts no notes until it is restored", () =>
    Effect.gen(function* () {
      const { actions, add, at, get, note, read, request, revise, token } = yield* make(prospect)
      const { etag, id } = yield* note()
      const before = (yield* actions()).body.data
      yield* request("POST", `${at}/remove`, { token })
      const { body: removed } = yield* read()
      for (const refused of [yield* add({ message: "x" }), yield* revise(id, bodies.archive, { "if-match": etag })]) {
        assert.deepStrictEqual(
          [refused.status, (refused.body as { readonly code?: string }).code],
          [409, "prospect_removed"]
        )
      }
      assert.strictEqual((yield* get(id)).status, 200)
      assert.deepStrictEqual((yield* read()).body, removed)
      assert.includeDeepMembers((yield* actions(`?${everything}`)).body.data as Array<Action>, before as Array<Action>)
      yield* request("POST", `${at}/restore`, { token })
      assert.strictEqual((yield* add({ message: "x" })).status, 201)
      assert.strictEqual((yield* read()).body.noteCount, 2)
    })
  )

  it.effect("are counted exactly under concurrent creates and archivings", () =>
    Effect.gen(function* () {
      const { add, note, read, revise } = yield* make(prospect)
      const old = yield* Effect.forEach([1, 2, 3], () => note())
      yield* Effect.all(
        [
          ...[1, 2, 3, 4, 5].map(() => add({ message: "x" })),
          ...old.map(({ etag, id }) => revise(id, bodies.archive, { "if-match": etag })),
          ...old.map(({ etag, id }) => revise(id, bodies.archive, { "if-match": etag }))
        ],
        { concurrency: "unbounded" }
      )
      const { body } = yield* read()
      assert.deepInclude(body, { noteCount: 5, etag: `"v${1 + 3 + 5 + 3}"` })
    })
  )
})
