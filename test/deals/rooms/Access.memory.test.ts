/** Access to rooms over time: it ends on time, whether a job records it or not. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Rooms } from "../../../src/deals/rooms/Rooms.ts"
import { now } from "../../../src/platform/Time.ts"
import { recordRoomEnds } from "../../../workers/handlers.ts"
import { actorOf } from "../../support/Tenant.ts"
import { at, investor, layer as services, make } from "./clock.ts"

const runJob = recordRoomEnds.run({})

/** Whether an investor reads the room. */
const reads = (reader: { readonly teamId: string; readonly userId: string }, roomId: string) =>
  Effect.gen(function* () {
    const { asInvestor } = yield* Rooms
    return (yield* asInvestor(actorOf(reader), roomId, yield* now)) !== undefined
  })

// Time only moves on: changes of one database never have an earlier time, so each test has years of its own.
layer(services)("access to rooms", (it) => {
  it.effect("ends on time at reads, and a job records it once", () =>
    Effect.gen(function* () {
      yield* at("2030-11-01T09:00:00Z")
      const reader = yield* investor
      const { get, grant, prospect, prospectId, room, roomEvents, rows } = yield* make(reader.email)
      const { granted } = yield* grant({ until: "3d" })
      assert.deepStrictEqual(granted, [{ prospectId, accessExpiryUtc: "2030-11-04T09:00:00.000Z" }])
      assert.deepInclude(yield* prospect, { stage: "data_room", accessExpiryUtc: "2030-11-04T09:00:00.000Z" })
      assert.isTrue(yield* reads(reader, room.id))
      const before = yield* get()
      assert.strictEqual(before.memberCount, 1)
      yield* at("2030-11-04T08:59:59.999Z")
      yield* runJob
      assert.isTrue(yield* reads(reader, room.id))
      yield* at("2030-11-04T09:00:00Z")
      assert.isFalse(yield* reads(reader, room.id))
      const after = yield* get()
      assert.strictEqual(after.memberCount, 0)
      assert.notStrictEqual(after.etag, before.etag)
      yield* runJob
      yield* runJob
      assert.deepStrictEqual(yield* rows, ["room.access_expired", "room.access_granted"])
      const last = (yield* roomEvents).at(-1)
      assert.deepInclude(last?.body, { event: "room.access_expired", resource_id: room.id, prospect_id: prospectId })
      assert.isNull(last?.body["actor_user_id"])
    })
  )

  it.effect("lasts as the room says by default, and a later grant does not shorten it", () =>
    Effect.gen(function* () {
      yield* at("2031-11-01T09:00:00Z")
      const { grant, open } = yield* make()
      const endless = yield* open({ name: "Core", defaultAccess: null })
      assert.deepInclude((yield* grant()).granted[0], { accessExpiryUtc: "2031-12-01T09:00:00.000Z" })
      yield* at("2031-11-02T09:00:00Z")
      assert.deepInclude((yield* grant()).granted[0], { accessExpiryUtc: "2031-12-01T09:00:00.000Z" })
      assert.deepInclude((yield* grant({}, endless.id)).granted[0], { accessExpiryUtc: null })
      const short = yield* open({ name: "Brief", defaultAccess: "1d" })
      assert.deepInclude((yield* grant({}, short.id)).granted[0], { accessExpiryUtc: null })
      assert.deepInclude((yield* grant({ until: "2d" }, short.id)).granted[0], {
        accessExpiryUtc: "2031-11-04T09:00:00.000Z"
      })
    })
  )

  it.effect("follows the prospect's accessExpiry: cleared, it has no end; a later end brings back what is over", () =>
    Effect.gen(function* () {
      yield* at("2032-11-01T09:00:00Z")
      const reader = yield* investor
      const { grant, patch, prospect, room, rows } = yield* make(reader.email)
      yield* grant({ until: "3d" })
      yield* patch({ accessExpiry: null })
      yield* at("2033-11-01T09:00:00Z")
      assert.isTrue(yield* reads(reader, room.id))
      yield* patch({ accessExpiry: "1d" })
      yield* at("2033-11-03T09:00:00Z")
      assert.isFalse(yield* reads(reader, room.id))
      // Over before the job records it: clearing the end does not bring it back.
      yield* patch({ accessExpiry: null })
      assert.isFalse(yield* reads(reader, room.id))
      assert.isNull((yield* prospect).accessExpiryUtc)
      yield* patch({ accessExpiry: "2d" })
      assert.isTrue(yield* reads(reader, room.id))
      yield* runJob
      assert.deepStrictEqual(yield* rows, ["room.access_granted", "room.access_expired", "room.access_granted"])
    })
  )

  it.effect("ends with its withdrawal, until it is granted again", () =>
    Effect.gen(function* () {
      yield* at("2034-11-01T09:00:00Z")
      const reader = yield* investor
      const { grant, patch, prospectId, revoke, room, rows } = yield* make(reader.email)
      yield* grant()
      assert.deepStrictEqual(yield* revoke(), { revoked: [{ prospectId }], failed: [] })
      assert.deepStrictEqual(yield* revoke(), { revoked: [{ prospectId }], failed: [] })
      assert.isFalse(yield* reads(reader, room.id))
      yield* patch({ accessExpiry: "3d" })
      assert.isFalse(yield* reads(reader, room.id))
      yield* grant()
      yield* grant()
      assert.isTrue(yield* reads(reader, room.id))
      assert.deepStrictEqual(yield* rows, ["room.access_granted", "room.access_revoked", "room.access_granted"])
    })
  )

  it.effect("rests while the prospect is off the list, and ends on time meanwhile", () =>
    Effect.gen(function* () {
      yield* at("2035-11-01T09:00:00Z")
      const reader = yield* investor
      const { get, grant, prospectId, remove, restore, room } = yield* make(reader.email)
      yield* grant({ until: "3d" })
      yield* remove
      assert.isFalse(yield* reads(reader, room.id))
      assert.strictEqual((yield* get()).memberCount, 0)
      assert.deepStrictEqual(
        (yield* grant()).failed.map(({ code, prospectId: id }) => [id, code]),
        [[prospectId, "prospect_removed"]]
      )
      yield* restore
      assert.isTrue(yield* reads(reader, room.id))
      yield* remove
      yield* at("2035-11-05T09:00:00Z")
      yield* restore
      assert.isFalse(yield* reads(reader, room.id))
    })
  )

  it.effect("winds down with the project for 14 days, and is closed on time, whether a job records it or not", () =>
    Effect.gen(function* () {
      yield* at("2036-11-01T09:00:00Z")
      const reader = yield* investor
      const { get, grant, open, project, prospectOf, room, roomEvents } = yield* make(reader.email)
      yield* grant({ until: null })
      const closed = yield* open({ name: "Closed by hand" })
      yield* project.close
      assert.deepInclude(yield* get(), { status: "winding_down", closedUtc: null, memberCount: 1 })
      const refused = yield* Effect.flip(grant({ prospectIds: [yield* prospectOf(undefined)] }))
      assert.strictEqual(refused._tag, "RoomRefused")
      yield* project.reopen
      assert.deepInclude(yield* get(), { status: "open", closedUtc: null })
      yield* at("2036-11-02T09:00:00Z")
      yield* project.close
      yield* at("2036-11-16T08:59:59Z")
      assert.isTrue(yield* reads(reader, room.id))
      yield* at("2036-11-16T09:00:00Z")
      assert.isFalse(yield* reads(reader, room.id))
      const read = yield* get()
      assert.deepInclude(read, { status: "closed", closedUtc: "2036-11-16T09:00:00.000Z", memberCount: 0 })
      yield* at("2036-11-16T12:00:00Z")
      yield* runJob
      assert.deepInclude(yield* get(), { status: "closed", closedUtc: "2036-11-16T09:00:00.000Z" })
      yield* project.reopen
      assert.deepInclude(yield* get(), { status: "closed" })
      assert.isFalse(yield* reads(reader, room.id))
      assert.deepStrictEqual(
        (yield* roomEvents)
          .filter(({ body }) => body["resource_id"] !== closed.id)
          .map(({ body, type }) => [type, (body["caused_by"] as { readonly event: string } | undefined)?.event]),
        [
          ["room.opened", undefined],
          ["room.access_granted", undefined],
          ["room.winding_down", "project.updated"],
          ["room.reopened", "project.updated"],
          ["room.winding_down", "project.updated"],
          ["room.closed", undefined]
        ]
      )
    })
  )

  it.effect("keeps its project from being deleted, until it ends", () =>
    Effect.gen(function* () {
      yield* at("2037-11-01T09:00:00Z")
      const { close, get, grant, project, remove, restore, revoke } = yield* make()
      yield* grant({ until: "3d" })
      assert.strictEqual((yield* Effect.flip(project.delete))._tag, "ProjectShared")
      yield* remove
      yield* project.delete
      yield* project.restore
      yield* restore
      assert.strictEqual((yield* Effect.flip(project.delete))._tag, "ProjectShared")
      yield* revoke()
      yield* project.delete
      assert.strictEqual((yield* Effect.flip(get()))._tag, "NotFound")
      yield* project.restore
      assert.deepInclude(yield* get(), { status: "open" })
      yield* grant({ until: "3d" })
      yield* at("2037-11-05T09:00:00Z")
      yield* project.delete
      yield* project.restore
      yield* grant()
      assert.strictEqual((yield* Effect.flip(project.delete))._tag, "ProjectShared")
      assert.deepInclude(yield* close(), { status: "closed", closedUtc: "2037-11-05T09:00:00.000Z", memberCount: 0 })
      assert.deepInclude(yield* close(), { status: "closed" })
      yield* project.delete
    })
  )
})
