/** What the operator's periods of retention remove from what would be kept for ever: docs/operations.md#retention. */
import * as Id from "../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { NoteAction } from "../../src/core/mutation/Timeline.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { orDie } from "../../src/platform/db/DatabaseUnavailable.ts"
import { Retention, standardPeriods } from "../../src/platform/Retention.ts"
import { deleteClosedProjects, purgeMessages, purgeNotes } from "../../workers/housekeeping.ts"
import { investor, make, move } from "../deals/messages/fixture.ts"
import { TestService } from "../support/TestService.ts"

const periods = { ...standardPeriods, closedProjects: 365, messages: 30, notes: 60 }

const tidyUp = Effect.all([deleteClosedProjects.run({}), purgeMessages.run({}), purgeNotes.run({})], { discard: true })

const uuid = (prefix: Id.Prefix, id: string) => Id.toUuid(prefix, id) ?? ""

/** A closed project with an accepted offer, a message in it, and a note on it. */
const aClosedProject = Effect.gen(function* () {
  const { request } = yield* TestService
  const [broker, maria] = [yield* make(), yield* investor]
  const { id, offer } = yield* broker.acceptedBy(maria)
  const sent = yield* move<{ readonly id: string }>(broker, "message", "send", id, "--text", "The rent roll is there.")
  assert.isTrue(sent.ok, sent.err)
  const { token } = broker
  const project = `/api/v1/projects/${broker.projectId}`
  const note = yield* request<NoteAction>("POST", `${project}/notes`, { token, json: { message: "Anna calls back" } })
  assert.strictEqual((yield* request("POST", `${project}/close`, { token })).status, 200)
  return { broker, maria, offer, project, note: note.body.id, message: sent.answer.id }
})

const withPeriods = TestService.layerWith(Layer.merge(Logger.layer([]), Layer.succeed(Retention, periods)))

layer(withPeriods, { excludeTestServices: true })("With periods of retention", (it) => {
  it.effect("texts of messages and notes go, and closed projects are deleted, also those that were shared", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const sql = yield* Database
      const { broker, maria, message, note, offer, project } = yield* aClosedProject
      const get = <A>(path: string, token = broker.token) => request<A>("GET", path, { token })
      const messages = Effect.map(
        orDie(sql<{ readonly text: string }>`select text from messages where team_id = ${broker.teamId}`),
        (rows) => rows.map(({ text }) => text)
      )
      yield* tidyUp
      assert.deepStrictEqual(yield* messages, ["The rent roll is there."])
      const before = (yield* get<NoteAction>(`${project}/notes/${note}`)).body
      assert.strictEqual(before.details.message, "Anna calls back")

      yield* orDie(sql`
        update messages set created_at = created_at - interval '31 days' where action_id = ${uuid("act", message)}`)
      yield* orDie(sql`
        update actions set occurred_at = occurred_at - interval '61 days' where id = ${uuid("act", note)}`)
      yield* tidyUp
      assert.deepStrictEqual(yield* messages, [])
      const after = (yield* get<NoteAction>(`${project}/notes/${note}`)).body
      assert.deepStrictEqual(after.details, { kind: "note", message: null, archivedAt: null, erased: true })
      assert.notStrictEqual(after.etag, before.etag)
      assert.strictEqual((yield* get(project)).status, 200)

      const projectUuid = uuid("project", broker.projectId)
      yield* orDie(sql`update projects set closed_at = closed_at - interval '366 days' where id = ${projectUuid}`)
      const offered = yield* get<{ readonly status: string }>(`/api/v1/offers/${offer}`, maria.token)
      yield* tidyUp
      assert.strictEqual((yield* get(project)).status, 404)
      const [row] = yield* orDie(sql<{ readonly change_type: string; readonly change_origin: string }>`
        select change_type, change_origin from projects where id = ${projectUuid}`)
      assert.deepStrictEqual(row, { change_type: "deleted", change_origin: "system" })
      const left = yield* get<{ readonly status: string }>(`/api/v1/offers/${offer}`, maria.token)
      assert.deepStrictEqual([left.status, left.body.status], [200, offered.body.status])
    })
  )
})

layer(TestService.layerOwn, { excludeTestServices: true })("Without periods of retention", (it) => {
  it.effect("all of them are kept", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const sql = yield* Database
      const { broker, message, note, project } = yield* aClosedProject
      yield* orDie(sql`update messages set created_at = 'epoch' where action_id = ${uuid("act", message)}`)
      yield* orDie(sql`update projects set closed_at = 'epoch' where id = ${uuid("project", broker.projectId)}`)
      yield* orDie(sql`update actions set occurred_at = 'epoch' where id = ${uuid("act", note)}`)
      yield* tidyUp
      const { token } = broker
      const kept = yield* request<NoteAction>("GET", `${project}/notes/${note}`, { token })
      assert.strictEqual(kept.body.details.message, "Anna calls back")
      const rows = yield* orDie(sql`select from messages where team_id = ${broker.teamId}`)
      assert.lengthOf(rows, 1)
    })
  )
})
