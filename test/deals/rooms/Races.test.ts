/** Changes of rooms that meet others at the same instant, and merges of prospects who have access to them. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { Rooms } from "../../../src/deals/rooms/Rooms.ts"
import { Questions } from "../../../src/deals/rooms/questions/Questions.ts"
import type { Json } from "../../../src/core/usecase/Input.ts"
import { investor } from "../offers/OffersClient.ts"
import { inTurn } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"

/** A broker with an open room, and an investor's address on two prospects of the project. */
const make = Effect.gen(function* () {
  const tenant = yield* fixture.make()
  const [access, moves] = [yield* AccessLifecycle, yield* Rooms]
  const room = yield* tenant.rooms.open()
  const as = fixture.as(tenant)
  const request = (prospectIds: ReadonlyArray<string>, until?: string) =>
    UseCaseRequest.make({
      operation: "test",
      query: {},
      body: { prospectIds: [...prospectIds], ...(until === undefined ? {} : { until }) }
    })
  return {
    ...tenant,
    room,
    grant: (id: string, until?: string, to = room.id) => as(access.grant(to, request([id], until))),
    revoke: (id: string) => as(access.revoke(room.id, request([id]))),
    close: as(moves.close(room.id, { query: Effect.succeed({}) })),
    read: Effect.map(tenant.rooms.get(room.id), ({ body }) => body),
    /** A contact with the address, on the project. */
    on: Effect.fnUntraced(function* (email: string) {
      const contact = yield* tenant.contact({ firstName: "Maria", email })
      const { body } = yield* tenant.prospects.add({ contactId: contact.id })
      return { id: body.id, contactId: contact.id }
    }),
    merge: (to: string, from: string) => tenant.ask("POST", `/api/v1/network/contacts/${to}/merge`, { from: [from] }),
    inTurn: <A, E>(changes: ReadonlyArray<Effect.Effect<A, E>>) => inTurn(tenant.projectId, changes)
  }
})

const codeOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.match(exit, {
    onSuccess: () => "ok",
    onFailure: (cause) => (Cause.squash(cause) as { readonly code?: string }).code ?? "failed"
  })

layer(TestService.layerOwn, { excludeTestServices: true })("Two changes of a room", (it) => {
  it.effect(
    "that are a grant and its close: the grant ends with the room when it comes first, and is refused otherwise",
    () =>
      Effect.gen(function* () {
        const granting = yield* make
        const maria = yield* investor()
        const { id } = yield* granting.on(maria.email)
        assert.deepStrictEqual(
          (yield* granting.inTurn<unknown, unknown>([granting.grant(id), granting.close])).map(codeOf),
          ["ok", "ok"]
        )
        assert.deepInclude(yield* granting.read, { status: "closed", memberCount: 0 })
        assert.isNull((yield* maria.offers())[0]?.roomId)
        const closing = yield* make
        const ben = yield* investor()
        const { id: late } = yield* closing.on(ben.email)
        assert.deepStrictEqual(
          (yield* closing.inTurn<unknown, unknown>([closing.close, closing.grant(late)])).map(codeOf),
          ["ok", "room_refused"]
        )
        assert.deepInclude(yield* closing.read, { status: "closed", memberCount: 0 })
        assert.deepStrictEqual(yield* ben.offers(), [])
        assert.deepInclude((yield* closing.prospects.get(late)).body, { stage: "not_contacted", accessExpiryUtc: null })
      })
  )

  it.effect("whose project is deleted first: an upload, a question, access and a close find no room", () =>
    Effect.gen(function* () {
      const [access, moves, questions] = [yield* AccessLifecycle, yield* Rooms, yield* Questions]
      const request = (body: { readonly [member: string]: Json }) =>
        UseCaseRequest.make({ operation: "test", query: {}, body })
      const coming: {
        readonly [what: string]: (
          room: string,
          prospect: string,
          broker: Effect.Success<typeof make>
        ) => Effect.Effect<unknown, unknown, Layer.Success<typeof TestService.layer>>
      } = {
        upload: (room, _, broker) => fixture.upload(broker, room, "1,200 m²"),
        ask: (room, prospectId, broker) =>
          fixture.as(broker)(questions.askFor(room, request({ text: "Which tenants may leave?", prospectId }))),
        grant: (room, prospect, broker) => fixture.as(broker)(access.grant(room, request({ prospectIds: [prospect] }))),
        close: (room, _, broker) => fixture.as(broker)(moves.close(room, { query: Effect.succeed({}) }))
      }
      const outcomes = yield* Effect.forEach(Object.values(coming), (second) =>
        Effect.gen(function* () {
          const broker = yield* make
          const { id } = yield* broker.on("a@example.com")
          const deleting = Effect.map(broker.ask("DELETE", `/api/v1/projects/${broker.projectId}`), ({ status }) =>
            assert.strictEqual(status, 204)
          )
          const after = second(broker.room.id, id, broker)
          const exits = yield* inTurn<unknown, unknown, Layer.Success<typeof TestService.layer>>(broker.room.id, [
            deleting,
            after
          ])
          return exits.map(codeOf)
        })
      )
      assert.deepStrictEqual(
        outcomes,
        Object.keys(coming).map(() => ["ok", "not_found"])
      )
    })
  )
})

layer(TestService.layer, { excludeTestServices: true })("A merge of prospects who have access", (it) => {
  it.effect("leaves the survivor with the access of both, and each room with one member", () =>
    Effect.gen(function* () {
      const { grant, merge, on, prospects, read, room, rooms } = yield* make
      const other = yield* rooms.open()
      const maria = yield* investor()
      const [kept, double] = [yield* on(maria.email), yield* on("double@example.com")]
      yield* grant(kept.id, "2099-01-01")
      yield* grant(double.id, "2098-01-01")
      yield* grant(double.id, undefined, other.id)
      assert.strictEqual((yield* merge(kept.contactId, double.contactId)).status, 200)
      for (const { id } of [room, other]) {
        const { memberCount, members } = (yield* rooms.get(id)).body
        assert.strictEqual(memberCount, 1)
        assert.deepStrictEqual(
          members.map(({ accessExpiryUtc, prospectId }) => [prospectId, accessExpiryUtc]),
          [[kept.id, "2099-01-01T00:00:00.000Z"]]
        )
      }
      assert.strictEqual((yield* prospects.get(double.id)).status, 404)
      assert.strictEqual((yield* read).memberCount, 1)
    })
  )

  it.effect("gives the survivor the access and its end when it had none itself, and its offer shows the room", () =>
    Effect.gen(function* () {
      const { grant, merge, on, prospects, read, room } = yield* make
      const maria = yield* investor()
      const [kept, double] = [yield* on("kept@example.com"), yield* on(maria.email)]
      yield* grant(double.id, "2098-01-01")
      assert.strictEqual((yield* merge(kept.contactId, double.contactId)).status, 200)
      assert.deepInclude((yield* prospects.get(kept.id)).body, {
        stage: "data_room",
        accessExpiryUtc: "2098-01-01T00:00:00.000Z"
      })
      assert.deepStrictEqual(
        (yield* read).members.map(({ prospectId }) => prospectId),
        [kept.id]
      )
      assert.deepStrictEqual(
        (yield* maria.offers()).map(({ roomId }) => roomId),
        [room.id]
      )
    })
  )

  it.effect("keeps the access of one of them when that of the survivor was withdrawn", () =>
    Effect.gen(function* () {
      const { grant, merge, on, read, revoke } = yield* make
      const [withdrawn, first] = [yield* on("a@example.com"), yield* on("b@example.com")]
      yield* grant(withdrawn.id, "2099-01-01")
      yield* revoke(withdrawn.id)
      yield* grant(first.id, "2098-01-01")
      assert.strictEqual((yield* merge(withdrawn.contactId, first.contactId)).status, 200)
      assert.deepStrictEqual(
        (yield* read).members.map(({ prospectId }) => prospectId),
        [withdrawn.id]
      )
    })
  )

  it.effect("gives the survivor on the list no access that was suspended, as somebody took the other one off it", () =>
    Effect.gen(function* () {
      const { grant, merge, on, prospects, read } = yield* make
      const maria = yield* investor()
      const [kept, removed] = [yield* on(maria.email), yield* on("b@example.com")]
      yield* grant(removed.id, "2098-01-01")
      yield* prospects.removeFromList(removed.id)
      assert.strictEqual((yield* merge(kept.contactId, removed.contactId)).status, 200)
      assert.deepInclude(yield* read, { members: [], memberCount: 0 })
      assert.isNull((yield* prospects.get(kept.id)).body.accessExpiryUtc)
      assert.deepStrictEqual(yield* maria.offers(), [])
    })
  )

  const passed = new Date("2026-01-01T00:00:00Z")

  /** Lets the access of a prospect end in the past; `recordedAt`: when a job recorded it. */
  const end = Effect.fnUntraced(function* (id: string, recordedAt: Date | null) {
    const sql = yield* Database
    const uuid = Id.toUuid("prospect", id) ?? ""
    yield* sql`update prospects set access_expires_at = ${passed} where id = ${uuid}`
    yield* sql`update room_access set expires_at = ${passed}, expired_at = ${recordedAt} where prospect_id = ${uuid}`
  })

  for (const recordedAt of [null, passed]) {
    it.effect(
      `keeps active access beside access that has ended, ${recordedAt === null ? "not yet " : ""}recorded`,
      () =>
        Effect.gen(function* () {
          const { grant, merge, on, prospects, read, room, rooms } = yield* make
          const other = yield* rooms.open()
          const [kept, double] = [yield* on("a@example.com"), yield* on("b@example.com")]
          yield* grant(kept.id, "2099-01-01")
          yield* end(kept.id, recordedAt)
          yield* grant(double.id, "2098-01-01")
          yield* grant(double.id, undefined, other.id)
          assert.strictEqual((yield* merge(kept.contactId, double.contactId)).status, 200)
          for (const { id } of [room, other]) {
            assert.deepStrictEqual(
              (yield* rooms.get(id)).body.members.map(({ accessExpiryUtc, prospectId }) => [
                prospectId,
                accessExpiryUtc
              ]),
              [[kept.id, "2098-01-01T00:00:00.000Z"]]
            )
          }
          assert.strictEqual((yield* prospects.get(kept.id)).body.accessExpiryUtc, "2098-01-01T00:00:00.000Z")
          const gone = yield* on("c@example.com")
          yield* grant(gone.id, "2099-01-01")
          yield* end(gone.id, recordedAt)
          assert.strictEqual((yield* merge(kept.contactId, gone.contactId)).status, 200)
          assert.deepStrictEqual(
            (yield* read).members.map(({ accessExpiryUtc, prospectId }) => [prospectId, accessExpiryUtc]),
            [[kept.id, "2098-01-01T00:00:00.000Z"]]
          )
        })
    )
  }
})
