/** The number of statements depends neither on how much is in a room nor on how many prospects get access. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Statements from "../../support/Statements.ts"
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"

layer(Statements.serviceOnSharedServer, { excludeTestServices: true })("Rooms", (it) => {
  it.effect("of two and of 2,000 documents, one and several, are read in as many statements", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { rooms, teamId } = yield* fixture.make()
      const room = yield* rooms.open()
      const roomUuid = Id.toUuid("room", room.id) ?? ""
      const fill = (from: number, to: number) => sql`
        with added as (
          insert into files (
            id, team_id, version, created_at, updated_at, change_type, change_origin, subject_type, subject_id, name,
            content_type, size, sha256, content
          )
          select gen_random_uuid(), ${teamId}, 1, now(), now(), 'created', 'app', 'room', ${roomUuid}::uuid,
            'document ' || number, 'text/plain', 1, '\\x00', gen_random_uuid()
          from generate_series(${from}::int, ${to}::int) as number
          returning id, name
        )
        insert into room_documents (file_id, room_id, team_id, path, version)
        select id, ${roomUuid}::uuid, ${teamId}, name, 1 from added`
      const reads = Effect.gen(function* () {
        const one = yield* Statements.statementsOf(rooms.get(room.id))
        const all = yield* Statements.statementsOf(rooms.list())
        return { one: one.statements.length, all: all.statements.length, documents: one.reply.body.documents.length }
      })
      yield* fill(1, 2)
      const few = yield* reads
      yield* fill(3, 2_000)
      yield* Effect.forEach([1, 2, 3, 4, 5], () => rooms.open())
      assert.deepStrictEqual(yield* reads, { ...few, documents: 2_000 })
      assert.isBelow(few.one, 10)
      assert.isBelow(few.all, 6)
    })
  )

  it.effect("give three and thirty prospects access in as many statements", () =>
    Effect.gen(function* () {
      const { grant, revoke } = yield* AccessLifecycle
      const statementsFor = Effect.fnUntraced(function* (count: number) {
        const tenant = yield* fixture.make()
        const room = yield* tenant.rooms.open()
        const prospectIds = yield* tenant.several(count, () => ({}))
        const request = UseCaseRequest.make({ operation: "", query: {}, body: { prospectIds } })
        const granted = yield* Statements.statementsOf(
          Effect.map(grant(room.id, request), (body) => ({ body })).pipe(fixture.as(tenant))
        )
        assert.lengthOf(granted.reply.body.granted, count)
        const revoked = yield* Statements.statementsOf(
          Effect.map(revoke(room.id, request), (body) => ({ body })).pipe(fixture.as(tenant))
        )
        assert.lengthOf(revoked.reply.body.revoked, count)
        return { granted: granted.statements.length, revoked: revoked.statements.length }
      })
      const few = yield* statementsFor(3)
      assert.deepStrictEqual(yield* statementsFor(30), few)
    })
  )
})
