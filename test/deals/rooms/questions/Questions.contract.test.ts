/** The list, patches and drafts of questions over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Question } from "../../../../src/deals/rooms/questions/Question.ts"
import { colleague } from "../../prospects/tasks/fixture.ts"
import { faultsOf } from "../../../support/faults.ts"
import { TestService } from "../../../support/TestService.ts"
import { make } from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("The questions of a room", (it) => {
  it.effect("are numbered, listed by creation in pages, and read one by one", () =>
    Effect.gen(function* () {
      const { ask, get, list, member, roomId } = yield* make()
      const prospect = yield* member()
      const asked = yield* Effect.forEach(["A?", "B?", "C?"], (text) => ask(prospect, { text }))
      const { body } = yield* list()
      assert.deepStrictEqual(body.data, asked)
      const [first] = body.data
      assert.deepStrictEqual(first, {
        id: first?.id ?? "",
        roomId,
        number: 1,
        text: "A?",
        category: "other",
        priority: "normal",
        status: "open",
        assignee: null,
        askedBy: { prospectId: prospect, name: "Maria Rossi" },
        document: null,
        askedUtc: first?.createdUtc ?? "",
        dueUtc: new Date(Date.parse(first?.createdUtc ?? "") + 7 * 86_400_000).toISOString(),
        draftAnswer: null,
        answer: null,
        createdUtc: first?.createdUtc ?? "",
        updatedUtc: first?.createdUtc ?? "",
        etag: '"v1"',
        changeType: "created",
        changeOrigin: "app",
        deletedUtc: null
      } satisfies Question)
      assert.deepStrictEqual(
        asked.map(({ number }) => number),
        [1, 2, 3]
      )
      const page = (yield* list("?page_size=2")).body
      const next = (yield* list(`?page_size=2&cursor=${page.page.nextCursor}`)).body
      assert.deepStrictEqual([...page.data, ...next.data], body.data)
      const one = yield* get(first?.id ?? "")
      assert.deepStrictEqual([one.body, one.headers.get("etag")], [first, first?.etag] as unknown)
      assert.strictEqual((yield* get(first?.id ?? "", { "if-none-match": first?.etag ?? "" })).status, 304)
    })
  )

  it.effect("are filtered by state, category, priority, assignee and what is overdue, and all filters combine", () =>
    Effect.gen(function* () {
      const { answer, ask, close, draft, list, makeOverdue, member, patch, teamId, user } = yield* make()
      const other = yield* colleague(teamId, "active")
      const prospect = yield* member()
      const [open, drafted, answered, closed] = yield* Effect.forEach(
        ["legal", "tax", "legal", "other"] as const,
        (category) => Effect.map(ask(prospect, { category }), ({ id }) => id)
      )
      yield* patch(open ?? "", { priority: "urgent", assignee: "me" })
      yield* draft(drafted ?? "", { text: "Not yet." })
      yield* patch(drafted ?? "", { assignee: other })
      yield* answer(answered ?? "")
      yield* close(closed ?? "")
      const ids = (query: string) => Effect.map(list(query), ({ body }) => body.data.map(({ id }) => id))
      const expected: ReadonlyArray<readonly [query: string, ids: ReadonlyArray<string | undefined>]> = [
        ["?status=open", [open]],
        ["?status=drafted", [drafted]],
        ["?status=answered", [answered]],
        ["?status=closed", [closed]],
        ["?category=legal", [open, answered]],
        ["?category=legal&status=answered", [answered]],
        ["?priority=urgent", [open]],
        ["?priority=low", []],
        ["?assignee=me", [open]],
        [`?assignee=${user}`, [open]],
        [`?assignee=${other}`, [drafted]],
        ["?assignee=none", [answered, closed]],
        ["?assignee=user_01kb3n7x2ferwt5z8q4j6m9d0c", []],
        ["?assignee=nobody", []],
        ["?overdue=true", []],
        ["?overdue=false", [open, drafted, answered, closed]]
      ]
      for (const [query, found] of expected) assert.deepStrictEqual(yield* ids(query), found as unknown, query)
      yield* makeOverdue
      assert.deepStrictEqual(yield* ids("?overdue=true"), [open, drafted] as unknown)
      assert.deepStrictEqual(yield* ids("?overdue=true&assignee=me"), [open] as unknown)
    })
  )

  it.effect("have a delta, which lists what changed", () =>
    Effect.gen(function* () {
      const { ask, delta, list, member, patch } = yield* make()
      const prospect = yield* member()
      const first = yield* ask(prospect)
      const second = yield* ask(prospect)
      const { nextSince } = (yield* list()).body.page
      yield* patch(first.id, { priority: "low" })
      const third = yield* ask(prospect)
      const { body } = yield* delta(`?updated_since=${nextSince}`)
      assert.deepStrictEqual(
        body.data.map(({ id, priority }) => [id, priority]),
        [
          [first.id, "low"],
          [third.id, "normal"]
        ]
      )
      assert.lengthOf((yield* delta(`?updated_since=${second.updatedUtc}&include_deleted=true`)).body.data, 3)
    })
  )

  it.effect("are those of one room of the team: other rooms, projects and teams are 404", () =>
    Effect.gen(function* () {
      const { ask, get, list, member, path, request } = yield* make()
      const other = yield* make()
      const { id } = yield* ask(yield* member())
      const foreign = yield* other.ask(yield* other.member())
      assert.lengthOf((yield* list()).body.data, 1)
      assert.strictEqual((yield* get(foreign.id)).status, 404)
      assert.strictEqual((yield* get("question_01kb3n7x2ferwt5z8q4j6m9d0c")).status, 404)
      assert.strictEqual((yield* get("nothing")).status, 404)
      for (const wrong of [`${path}/${id}`, path]) {
        assert.strictEqual((yield* request("GET", wrong, { token: other.token })).status, 404)
      }
      const elsewhere = `${path.replace(/project_\w+/, other.projectId)}/${id}`
      assert.strictEqual((yield* other.request("GET", elsewhere, { token: other.token })).status, 404)
      const sibling = yield* other.anotherRoom
      assert.strictEqual((yield* other.request("GET", `${sibling}/${foreign.id}`, { token: other.token })).status, 404)
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A patch of a question", (it) => {
  it.effect("changes its category, priority and assignee, with a row on the timelines of project and asker", () =>
    Effect.gen(function* () {
      const { ask, events, get, member, patch, projectId, roomId, rowsOf, user } = yield* make()
      const prospect = yield* member()
      const before = yield* ask(prospect)
      const json = { category: "leases", priority: "urgent", assignee: "me" }
      const patched = yield* patch(before.id, json, { "if-match": before.etag })
      assert.strictEqual(patched.status, 200, patched.text)
      assert.deepStrictEqual(patched.body, {
        ...before,
        category: "leases",
        priority: "urgent",
        assignee: { id: user, name: "Anna Berg" },
        dueUtc: new Date(Date.parse(before.askedUtc) + 86_400_000).toISOString(),
        updatedUtc: patched.body.updatedUtc,
        etag: '"v2"',
        changeType: "updated",
        changeOrigin: "api"
      })
      assert.strictEqual(patched.headers.get("etag"), '"v2"')
      assert.deepStrictEqual((yield* get(before.id)).body, patched.body)
      const row = {
        event: "room.question_updated",
        details: { kind: "audit", questionId: before.id, changedFields: ["category", "priority", "assignee"] },
        subject: "room",
        subjectId: roomId
      }
      for (const path of [`/projects/${projectId}`, `/projects/${projectId}/prospects/${prospect}`]) {
        const [first] = yield* rowsOf(path)
        assert.deepStrictEqual(first, row as unknown)
      }
      const event = (yield* events).at(-1) ?? {}
      assert.deepStrictEqual(
        [event["event"], event["resource_id"], event["question_id"], event["prospect_id"], event["changed_fields"]],
        ["room.question_updated", roomId, before.id, prospect, ["category", "priority", "assignee"]] as unknown
      )
      assert.match(String(event["contact_id"]), /^contact_/)
      assert.strictEqual((yield* patch(before.id, { assignee: null })).body.assignee, null)
    })
  )

  it.effect("that changes nothing answers 200 with the same ETag, and takes back what was answered", () =>
    Effect.gen(function* () {
      const { ask, close, draft, events, get, member, patch } = yield* make()
      const { id } = yield* ask(yield* member())
      yield* patch(id, { assignee: "me" })
      yield* draft(id, { text: "Draft." })
      yield* close(id)
      const before = { question: (yield* get(id)).body, events: (yield* events).length }
      for (const json of [{}, before.question, { assignee: "me", category: "other" }]) {
        const { body, status } = yield* patch(id, json)
        assert.deepStrictEqual([status, body] as unknown, [200, before.question])
      }
      assert.strictEqual((yield* draft(id, { text: "Draft." })).status, 200)
      assert.strictEqual((yield* events).length, before.events)
    })
  )

  it.effect("reports all faults at once, and is refused with an outdated ETag", () =>
    Effect.gen(function* () {
      const { ask, draft, member, patch } = yield* make()
      const { etag, id } = yield* ask(yield* member())
      const refused = yield* patch(id, {
        category: "gossip",
        priority: null,
        assignee: "user_x",
        text: "Other?",
        nubmer: 1
      })
      assert.sameMembers(
        [...faultsOf(refused)],
        [
          "body /category not_allowed",
          "body /priority not_allowed",
          "body /assignee invalid_reference",
          "body /text read_only",
          "body /nubmer unknown_member"
        ]
      )
      assert.sameMembers(
        [...faultsOf(yield* draft(id, { text: " ", contentFormat: "html", to: "all" }))],
        ["body /text blank", "body /contentFormat not_allowed", "body /to unknown_member"]
      )
      assert.deepStrictEqual(faultsOf(yield* draft(id, { text: "x".repeat(20_001) })), ["body /text too_long"])
      assert.strictEqual((yield* patch(id, { priority: "low" }, { "if-match": etag })).status, 200)
      for (const outdated of [
        yield* patch(id, { priority: "high" }, { "if-match": etag }),
        yield* draft(id, { text: "A" }, { "if-match": etag })
      ]) {
        assert.deepStrictEqual(
          [outdated.status, (outdated.body as unknown as Record<string, unknown>)["currentEtag"]] as unknown,
          [412, '"v2"']
        )
      }
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A draft", (it) => {
  it.effect("replaces the one before, marks the question as drafted, and is in no timeline and no event", () =>
    Effect.gen(function* () {
      const { ask, draft, events, get, list, member, projectId, rowsOf, user } = yield* make()
      const prospect = yield* member()
      const before = yield* ask(prospect)
      const first = yield* draft(before.id, { text: " secret-one " }, { "if-match": before.etag })
      assert.strictEqual(first.status, 200, first.text)
      const { body } = yield* draft(before.id, { text: "**secret-two**", contentFormat: "markdown" })
      assert.deepStrictEqual(body, {
        ...before,
        status: "drafted",
        draftAnswer: {
          text: "**secret-two**",
          contentFormat: "markdown",
          author: { id: user, name: "Anna Berg" },
          updatedUtc: body.updatedUtc
        },
        updatedUtc: body.updatedUtc,
        etag: '"v3"',
        changeType: "updated",
        changeOrigin: "api"
      })
      assert.strictEqual(first.body.draftAnswer?.text, "secret-one")
      assert.deepStrictEqual([(yield* get(before.id)).body, (yield* list()).body.data[0]], [body, body])
      const rows = [
        ...(yield* rowsOf(`/projects/${projectId}`)),
        ...(yield* rowsOf(`/projects/${projectId}/prospects/${prospect}`))
      ]
      assert.include(JSON.stringify(rows), "room.answer_drafted")
      const emitted = JSON.stringify(yield* events)
      assert.include(emitted, "room.answer_drafted")
      assert.notInclude(JSON.stringify(rows) + emitted, "secret")
    })
  )
})
