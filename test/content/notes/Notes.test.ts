import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { idAt, kinds, make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("Notes", (it) => {
  for (const kind of kinds) {
    const fixture = make(kind)

    it.effect(`on a ${kind.type} are created with 201, a Location and an ETag, and read back`, () =>
      Effect.gen(function* () {
        const { add, get, notes, user } = yield* fixture
        const created = yield* add({ message: "  Looks for **logistics**\n", contentFormat: "markdown" })
        assert.strictEqual(created.status, 201, created.text)
        const { id, occurredUtc, ...rest } = created.body
        assert.match(id, /^act_[0-9a-hjkmnp-tv-z]{26}$/)
        assert.match(occurredUtc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.deepStrictEqual(rest, {
          type: "note",
          event: null,
          actor: { id: user, name: "Anna Berg" },
          details: { kind: "note", message: "Looks for **logistics**", archivedAt: null },
          etag: '"v1"',
          archivedAt: null,
          contentFormat: "markdown"
        })
        assert.strictEqual(created.headers.get("location"), `${notes}/${id}`)
        assert.strictEqual(created.headers.get("etag"), '"v1"')
        const read = yield* get(id)
        assert.deepStrictEqual([read.status, read.body, read.headers.get("etag")], [200, created.body, '"v1"'])
        const unchanged = yield* get(id, { "if-none-match": '"v1"' })
        assert.deepStrictEqual([unchanged.status, unchanged.text], [304, ""])
      })
    )

    it.effect(`on a ${kind.type} are rows of its timeline only, and leave the ${kind.type} unchanged`, () =>
      Effect.gen(function* () {
        const { actions, note, of, read } = yield* fixture
        const before = (yield* read()).body
        const first = yield* note("First")
        const second = yield* note("Second")
        const rows = (yield* actions()).body.data
        assert.deepStrictEqual(
          rows.map((row) => row.event ?? row.details),
          [second.details, first.details, `${kind.type}.created`]
        )
        assert.deepStrictEqual(rows[0], second)
        assert.notProperty(rows[2], "etag")
        assert.notProperty(rows[2], "archivedAt")
        assert.notProperty(rows[2], "contentFormat")
        assert.deepStrictEqual(
          (yield* actions("?type=notes")).body.data.map(({ id }) => id),
          [second.id, first.id]
        )
        assert.deepStrictEqual(
          (yield* actions("?type=audit")).body.data.map(({ id }) => id),
          [rows[2]?.id]
        )
        assert.deepStrictEqual((yield* actions("?type=chat")).body.data, [])
        assert.deepStrictEqual((yield* read()).body, before)
        const other = yield* of()
        assert.lengthOf((yield* other.actions()).body.data, 1)
      })
    )

    it.effect(`on a ${kind.type} emit events of their own, and none of their record`, () =>
      Effect.gen(function* () {
        const { act, note, teamId } = yield* fixture
        const { id } = yield* note()
        yield* act(id, { action: "archive" })
        const sql = yield* Database
        const events = yield* sql`select type from events where team_id = ${teamId} order by seq`
        assert.deepStrictEqual(
          events,
          [`${kind.type}.created`, "note.created", "note.archived"].map((type) => ({ type }))
        )
      })
    )
  }

  const fixture = make(kinds[0])

  it.effect("default to plain text", () =>
    Effect.gen(function* () {
      const { add } = yield* fixture
      assert.isNull((yield* add({ message: "Called" })).body.contentFormat)
      assert.isNull((yield* add({ message: "Called", contentFormat: "plaintext" })).body.contentFormat)
    })
  )

  it.effect("have 1 to 20,000 characters after trimming, and no unknown members", () =>
    Effect.gen(function* () {
      const { add } = yield* fixture
      assert.strictEqual((yield* add({ message: ` ${"🏢".repeat(20_000)} ` })).status, 201)
      const refusals: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
        [{ message: "🏢".repeat(20_001) }, ["body /message too_long"]],
        [{ message: " \n " }, ["body /message blank"]],
        [{}, ["body /message required"]],
        [{ message: null }, ["body /message wrong_type"]],
        [{ message: "a\0b" }, ["body /message invalid_characters"]],
        [{ message: "Called", contentFormat: "html" }, ["body /contentFormat not_allowed"]],
        [
          { mesage: "Called", contentFormat: null },
          ["body /contentFormat not_allowed", "body /mesage unknown_member", "body /message required"]
        ],
        [[], ["body  wrong_type"]]
      ]
      for (const [json, faults] of refusals) {
        const refused = yield* add(json)
        assert.deepStrictEqual([refused.status, [...faultsOf(refused)].sort()], [400, faults])
      }
      const misspelt = yield* add({ mesage: "Called" })
      assert.include(misspelt.text, 'Did you mean \\"message\\"?')
      const three = yield* add({ message: "" }, { "idempotency-key": "with a space" }, "?froce=true")
      assert.deepStrictEqual([...faultsOf(three)].sort(), [
        "body /message blank",
        "header /Idempotency-Key malformed_key",
        "query /froce unknown_parameter"
      ])
    })
  )

  it.effect("are created once per Idempotency-Key", () =>
    Effect.gen(function* () {
      const { actions, add, of } = yield* fixture
      const first = yield* add({ message: "Called" }, { "idempotency-key": "k" })
      const again = yield* add({ message: "Called" }, { "idempotency-key": '"k"' })
      assert.deepStrictEqual([again.status, again.body], [201, first.body])
      assert.deepStrictEqual(
        [first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")],
        [null, "true"]
      )
      assert.strictEqual(again.headers.get("location"), first.headers.get("location"))
      const reused = yield* add({ message: "Met" }, { "idempotency-key": "k" })
      assert.strictEqual(reused.status, 422)
      assert.lengthOf((yield* actions("?type=notes")).body.data, 1)
      const other = yield* of()
      assert.strictEqual((yield* other.add({ message: "Met" }, { "idempotency-key": "k" })).status, 201)
    })
  )

  it.effect("support dry runs of creates and revisions", () =>
    Effect.gen(function* () {
      const { actions, add, get, note, revise } = yield* fixture
      const dry = { prefer: "dry-run" }
      const rehearsed = yield* add({ message: "Called" }, dry)
      const report: unknown = rehearsed.body
      assert.deepInclude(report, { wouldAnswer: 201 } as never)
      assert.strictEqual(rehearsed.headers.get("preference-applied"), "dry-run")
      assert.deepStrictEqual((yield* actions("?type=notes")).body.data, [])
      const kept = yield* note()
      const archived = yield* revise(kept.id, { action: "archive" }, { ...dry, "if-match": kept.etag })
      assert.deepStrictEqual(
        [archived.status, archived.body],
        [
          200,
          {
            wouldAnswer: 204,
            result: null,
            events: [{ event: "note.archived", resource_id: kept.id }],
            affected: [{ type: "act", id: kept.id, change: "updated" }]
          }
        ]
      )
      const superseded = yield* revise(
        kept.id,
        { action: "supersede", supersede: {} },
        { ...dry, "if-match": kept.etag }
      )
      assert.deepStrictEqual(
        (superseded.body["affected"] as ReadonlyArray<{ change: string }>).map(({ change }) => change),
        ["updated", "created"]
      )
      assert.deepStrictEqual((yield* get(kept.id)).body, kept)
      assert.strictEqual((yield* revise(kept.id, { action: "archive" }, dry)).status, 428)
    })
  )

  it.effect("are superseded by a revision with its own time and author", () =>
    Effect.gen(function* () {
      const { actions, add, get, id: record, note, notes, revise, teamId, userId } = yield* fixture
      const first = (yield* add({ message: "Looks for *logistics*", contentFormat: "markdown" })).body
      const between = yield* note("Called")
      const sql = yield* Database
      yield* sql`update users set name = 'Anna Holm' where id = ${userId}`
      const answer = yield* revise(
        first.id,
        { action: "supersede", supersede: { message: "Looks for *offices*" } },
        { "if-match": first.etag }
      )
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      const successorId = idAt(answer.headers.get("location"))
      assert.strictEqual(answer.headers.get("location"), `${notes}/${successorId}`)
      assert.strictEqual(answer.headers.get("etag"), '"v1"')
      const successor = (yield* get(successorId)).body
      assert.deepInclude(successor, {
        supersedesActivityId: first.id,
        contentFormat: "markdown",
        actor: { id: first.actor.id, name: "Anna Holm" },
        archivedAt: null,
        etag: '"v1"'
      })
      assert.strictEqual(successor.details.message, "Looks for *offices*")
      assert.isTrue(successor.occurredUtc > between.occurredUtc)
      assert.notProperty(successor, "supersededByActivityId")
      const predecessor = (yield* get(first.id)).body
      assert.deepStrictEqual(
        [predecessor.supersededByActivityId, predecessor.etag, predecessor.details.message, predecessor.occurredUtc],
        [successorId, '"v2"', "Looks for *logistics*", first.occurredUtc]
      )
      const shown = (yield* actions("?type=notes")).body.data
      assert.deepStrictEqual(
        shown.map(({ id }) => id),
        [successorId, between.id]
      )
      const all = (yield* actions("?type=notes&include_superseded=true")).body.data
      assert.deepStrictEqual(
        all.map(({ id }) => id),
        [successorId, between.id, first.id]
      )
      const subjects = yield* sql<{ subject_id: string }>`
        select subject_id from action_subjects s join actions a on a.id = s.action_id
        where a.type = 'note' and a.team_id = ${teamId}`
      assert.strictEqual(new Set(subjects.map((row) => row.subject_id)).size, 1, record)
    })
  )

  it.effect("pass on to a revision what it leaves out, so that an empty revision repeats the text", () =>
    Effect.gen(function* () {
      const { act, add, get } = yield* fixture
      const { id } = (yield* add({ message: "Called", contentFormat: "markdown" })).body
      const same = idAt((yield* act(id, { action: "supersede", supersede: {} })).headers.get("location"))
      const first = (yield* get(same)).body
      assert.deepStrictEqual([first.details.message, first.contentFormat], ["Called", "markdown"])
      const plain = yield* act(same, { action: "supersede", supersede: { contentFormat: "plaintext" } })
      const second = (yield* get(idAt(plain.headers.get("location")))).body
      assert.deepStrictEqual([second.details.message, second.contentFormat], ["Called", null])
    })
  )

  it.effect("form a chain of revisions, whose latest one the timeline shows", () =>
    Effect.gen(function* () {
      const { act, actions, get, note } = yield* fixture
      const ids = [(yield* note("Revision 0")).id]
      for (let count = 1; count <= 5; count++) {
        const answer = yield* act(ids.at(-1) ?? "", {
          action: "supersede",
          supersede: { message: `Revision ${count}` }
        })
        ids.push(idAt(answer.headers.get("location")))
      }
      const found = yield* Effect.forEach(ids, (id) => Effect.map(get(id), ({ body }) => body))
      assert.deepStrictEqual(
        found.map(({ details }) => details.message),
        ids.map((_, count) => `Revision ${count}`)
      )
      assert.deepStrictEqual(
        found.map((one) => one.supersedesActivityId),
        [undefined, ...ids.slice(0, -1)]
      )
      assert.deepStrictEqual(
        found.map((one) => one.supersededByActivityId),
        [...ids.slice(1), undefined]
      )
      assert.deepStrictEqual(
        (yield* actions("?type=notes")).body.data.map(({ id }) => id),
        [ids.at(-1)]
      )
    })
  )

  it.effect("return 404 below another record, in another team, and for a row that is not a note", () =>
    Effect.gen(function* () {
      const mine = yield* fixture
      const other = yield* mine.of()
      const stranger = yield* fixture
      const { etag, id } = yield* mine.note()
      const audit = (yield* mine.actions("?type=audit")).body.data[0]?.id ?? ""
      const body = { action: "archive" }
      for (const [where, noteId] of [
        [other, id],
        [stranger, id],
        [mine, audit],
        [mine, mine.id],
        [mine, "act_x"]
      ] as const) {
        assert.strictEqual((yield* where.get(noteId)).status, 404, noteId)
        assert.strictEqual((yield* where.revise(noteId, body, { "if-match": etag })).status, 404, noteId)
      }
      assert.strictEqual((yield* mine.get(id)).status, 200)
      const gone = yield* mine.request("GET", `${kinds[0].path}/${mine.id}/notes/${id}`, { token: stranger.token })
      assert.strictEqual(gone.status, 404)
      yield* mine.request("DELETE", `${kinds[0].path}/${mine.id}`, { token: mine.token })
      assert.strictEqual((yield* mine.get(id)).status, 404)
      assert.strictEqual((yield* mine.add({ message: "Called" })).status, 404)
    })
  )

  it.effect("of a merged record redirect reads to the survivor, and refuse writes", () =>
    Effect.gen(function* () {
      const merged = yield* fixture
      const survivor = yield* merged.of()
      const { etag, id } = yield* merged.note()
      const sql = yield* Database
      const [from, to] = [Id.toUuid("contact", merged.id) ?? "", Id.toUuid("contact", survivor.id) ?? ""]
      yield* sql`update contacts set merged_into = ${to}, deleted_at = now() where id = ${from}`
      const read = yield* merged.get(id)
      assert.deepStrictEqual([read.status, read.headers.get("location")], [301, `${survivor.notes}/${id}`])
      for (const refused of [
        yield* merged.add({ message: "Called" }),
        yield* merged.revise(id, { action: "archive" }, { "if-match": etag })
      ]) {
        assert.strictEqual(refused.status, 409)
        assert.deepInclude(refused.body, { code: "merged", mergedInto: survivor.id } as never)
      }
    })
  )

  it.effect("are paged newest first, with cursors that are valid for one set of filters", () =>
    Effect.gen(function* () {
      const { act, actions, note } = yield* fixture
      const ids: Array<string> = []
      for (let count = 0; count < 7; count++) ids.unshift((yield* note(`Note ${count}`)).id)
      yield* act(ids[1] ?? "", { action: "archive" })
      yield* act(ids[4] ?? "", { action: "archive" })
      const walk = Effect.fnUntraced(function* (query: string) {
        const seen: Array<string> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const page: Effect.Success<ReturnType<typeof actions>> = yield* actions(
            `?page_size=2${query}${cursor === "" ? "" : `&cursor=${cursor}`}`
          )
          assert.strictEqual(page.status, 200, page.text)
          seen.push(...page.body.data.map(({ id }) => id))
          cursor = page.body.page.nextCursor
        }
        return seen
      })
      assert.deepStrictEqual(
        yield* walk("&type=notes"),
        ids.filter((_, index) => index !== 1 && index !== 4)
      )
      assert.deepStrictEqual(yield* walk("&type=notes&include_archived=true"), ids)
      assert.deepStrictEqual((yield* walk("&include_archived=true")).slice(0, -1), ids)
      const first = yield* actions("?page_size=2")
      const other = yield* actions(`?page_size=2&include_archived=true&cursor=${first.body.page.nextCursor}`)
      assert.deepStrictEqual([other.status, other.body["code" as never]], [400, "invalid_cursor"])
      for (const query of ["?include_archived=yes", "?include_superseded=", "?type=note", "?include_archivd=true"]) {
        assert.strictEqual((yield* actions(query)).status, 400, query)
      }
    })
  )
})
