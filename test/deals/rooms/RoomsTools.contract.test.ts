/** The tools of data rooms and of their questions, over HTTP. */
import * as Agent from "../../support/Agent.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import type { Question } from "../../../src/deals/rooms/questions/Question.ts"
import { TestService } from "../../support/TestService.ts"
import { make } from "./questions/fixture.ts"

const world = Effect.gen(function* () {
  const tenant = yield* make()
  return { ...tenant, agent: yield* Agent.make(tenant.token) }
})

type Rows = ReadonlyArray<{ readonly id: string; readonly [member: string]: unknown }>

layer(TestService.layer, { excludeTestServices: true })("The tools of data rooms", (it) => {
  it.effect("read rooms as REST does", () =>
    Effect.gen(function* () {
      const { agent, ask, member, projectId, room, roomId, upload } = yield* world
      const prospect = yield* member()
      yield* ask(prospect)
      yield* upload("Leases/rent-roll.txt")
      const listed = yield* agent.call("list_rooms", { project: projectId })
      const body = yield* room
      assert.deepStrictEqual(listed.structured["rooms"], [
        Struct.pick(body, ["id", "name", "status", "openQuestionCount", "memberCount", "documentCount"])
      ])
      assert.strictEqual(body.openQuestionCount, 1)
      const { structured } = yield* agent.call("get_room", { room: roomId })
      assert.deepStrictEqual(Struct.omit(structured, ["untrusted"]) as object, {
        ...Struct.omit(body, ["changeType", "changeOrigin", "deletedUtc"]),
        documents: body.documents.map((document) => Struct.omit(document, ["name", "sha256"]))
      })
    })
  )

  it.effect("read the documents and members of a big room in several answers, each of which says how to go on", () =>
    Effect.gen(function* () {
      const { agent, member, room, roomId, upload } = yield* world
      const folder = `${"archive ".repeat(24)}/`.repeat(10)
      for (let index = 10; index < 32; index++) yield* upload(`${folder}${index}.txt`)
      for (let index = 0; index < 3; index++) yield* member()
      const all = yield* room
      const documents: Array<Rows[number]> = []
      const members: Array<unknown> = []
      let next: object | undefined = {}
      let answers = 0
      while (next !== undefined) {
        const { structured, text } = yield* agent.call("get_room", { room: roomId, ...next })
        answers++
        assert.isAtMost(text.length, 30_000)
        assert.strictEqual(structured["documentCount"], all.documents.length)
        assert.isUndefined(structured["shortened"])
        documents.push(...(structured["documents"] as Rows))
        members.push(...(structured["members"] as Rows))
        const left = { documents: all.documents.length - documents.length, members: 0 }
        assert.deepStrictEqual(structured["leftOut"], left.documents === 0 ? undefined : left)
        next = structured["continueWith"] as object | undefined
      }
      assert.isAtLeast(answers, 3)
      assert.deepStrictEqual(
        documents.map(({ id }) => id),
        all.documents.map(({ id }) => id)
      )
      assert.deepStrictEqual(members, [...all.members])
    })
  )

  it.effect("read questions as REST does, by all of its filters", () =>
    Effect.gen(function* () {
      const { agent, ask, draft, get, list, makeOverdue, member, patch, projectId, roomId, user } = yield* world
      const prospect = yield* member()
      const [open, drafted] = yield* Effect.forEach(["legal", "tax"], (category) => ask(prospect, { category }))
      yield* patch(open?.id ?? "", { priority: "urgent", assignee: "me" })
      yield* draft(drafted?.id ?? "", { text: "Not yet." })
      yield* makeOverdue
      const ids = (rows: Rows) => rows.map(({ id }) => id)
      const filters: ReadonlyArray<readonly [args: object, query: string, rows: number]> = [
        [{}, "", 2],
        [{ status: "drafted" }, "?status=drafted", 1],
        [{ category: "legal", priority: "urgent" }, "?category=legal&priority=urgent", 1],
        [{ assigneeRef: "me" }, "?assignee=me", 1],
        [{ assigneeRef: user, status: "drafted" }, `?assignee=${user}&status=drafted`, 0],
        [{ assigneeRef: "none" }, "?assignee=none", 1],
        [{ overdue: true }, "?overdue=true", 2]
      ]
      for (const [args, query, rows] of filters) {
        const { structured } = yield* agent.call("list_questions", { room: roomId, ...args })
        const found = ids(structured["questions"] as Rows)
        assert.deepStrictEqual(found, ids((yield* list(query)).body.data), query)
        assert.lengthOf(found, rows, query)
      }
      const first = yield* agent.call("list_questions", { room: roomId, limit: 1 })
      const second = yield* agent.call("list_questions", { room: roomId, cursor: first.structured.nextCursor })
      assert.deepStrictEqual(ids(second.structured["questions"] as Rows), [drafted?.id ?? ""])
      const { structured } = yield* agent.call("get_question", { question: drafted?.id })
      assert.deepStrictEqual(Struct.omit(structured, ["untrusted"]) as object, {
        ...Struct.omit((yield* get(drafted?.id ?? "")).body, ["changeType", "changeOrigin", "deletedUtc"]),
        projectId
      })
      assert.includeMembers([...(structured.untrusted?.members ?? [])], ["text", "name"])
    })
  )

  it.effect("draft answers without publishing them, and no more once one is published", () =>
    Effect.gen(function* () {
      const { agent, answer, ask, get, member } = yield* world
      const { etag, id: question } = yield* ask(yield* member())
      const preview = yield* agent.call("draft_answer", { question, text: "None.", preview: true })
      assert.deepStrictEqual(preview.structured.preview?.events, ["room.answer_drafted"])
      assert.isNull((yield* get(question)).body.draftAnswer)
      const drafted = yield* agent.call("draft_answer", { question, text: "*None.*", contentFormat: "markdown", etag })
      const { body } = yield* get(question)
      assert.deepInclude(body, { status: "drafted", answer: null, etag: drafted.structured.etag } as Partial<Question>)
      assert.deepStrictEqual(drafted.structured["draftAnswer"], body.draftAnswer)
      const stale = yield* agent.call("draft_answer", { question, text: "None.", etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      assert.strictEqual(stale.structured.error.currentEtag, body.etag)
      yield* answer(question)
      const refused = (yield* agent.call("draft_answer", { question, text: "Some." })).structured.error
      assert.strictEqual(refused.code, "question_move_refused")
      assert.include(refused.hint ?? "", "get_question")
    })
  )

  it.effect("change the category, priority and assignee of a question", () =>
    Effect.gen(function* () {
      const { agent, ask, get, member, user } = yield* world
      const { id: question } = yield* ask(yield* member())
      const update = (args: object) => agent.call("update_question", { question, ...args })
      for (const assigneeRef of ["me", null, user]) {
        const { structured } = yield* update({ assigneeRef, category: "tax", priority: "urgent" })
        const { body } = yield* get(question)
        assert.deepInclude(body, { category: "tax", priority: "urgent", dueUtc: structured["dueUtc"] } as object)
        assert.deepStrictEqual(structured["assignee"], body.assignee)
        assert.strictEqual(body.assignee?.id ?? null, assigneeRef === null ? null : user)
        assert.strictEqual(structured.etag, body.etag)
      }
      const fault = Effect.fnUntraced(function* (args: object) {
        const { error } = (yield* update(args)).structured
        return { ...error.errors?.[0], hint: error.hint }
      })
      assert.deepInclude(yield* fault({ assigneeRef: "Anna" }), { argument: "assigneeRef", code: "invalid_reference" })
      assert.deepInclude(yield* fault({ priority: "hihg" }), { argument: "priority" })
      assert.deepInclude(yield* fault({ text: "Changed?" }), { argument: "text", code: "unknown_member" })
      const missing = yield* agent.call("get_question", { question: "question_01kb3n7x2ferwt5z8q4j6m9d0c" })
      assert.strictEqual(missing.structured.error.code, "not_found")
      assert.include(missing.structured.error.hint ?? "", "list_questions")
    })
  )
})
