/** Rooms over HTTP. */
import * as TeasersClient from "../teasers/TeasersClient.ts"
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Room, RoomDetails } from "../../../src/deals/rooms/Room.ts"
import type { Teaser } from "../../../src/deals/teasers/Teaser.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { TestService } from "../../support/TestService.ts"

layer(TestService.layer, { excludeTestServices: true })("rooms", (it) => {
  it.effect("are listed by creation, and answered one by one with an ETag", () =>
    Effect.gen(function* () {
      const { projectId, rooms } = yield* fixture.make()
      const first = yield* rooms.open({ name: "Due diligence", ndaRequired: true, defaultAccess: "2w" })
      const second = yield* rooms.open()
      assert.deepInclude(first, {
        projectId,
        name: "Due diligence",
        status: "open",
        openedUtc: first.createdUtc,
        closedUtc: null,
        ndaRequired: true,
        defaultAccess: "2w",
        memberCount: 0,
        documentCount: 0,
        openQuestionCount: 0,
        teaserStage: "property_added",
        changeType: "created",
        changeOrigin: "api"
      })
      assert.deepInclude(second, { ndaRequired: false, defaultAccess: "30d" })
      const page = yield* rooms.list("?page_size=1")
      assert.deepStrictEqual(page.body.data, [first])
      const rest = yield* rooms.list(`?page_size=1&cursor=${page.body.page.nextCursor ?? ""}`)
      assert.deepStrictEqual(rest.body.data, [second])
      assert.isNull(rest.body.page.nextCursor)
      const got = yield* rooms.get(first.id)
      assert.strictEqual(got.headers.get("etag"), first.etag)
      assert.strictEqual((yield* rooms.get(first.id, { "if-none-match": first.etag })).status, 304)
    })
  )

  it.effect("have the stage of their teaser: that of the project, until they have one of their own", () =>
    Effect.gen(function* () {
      const { move, patch, project, property, request, room, token } = yield* TeasersClient.make()
      const projectId = yield* project(yield* property())
      const [first, second] = [yield* room(projectId), yield* room(projectId)]
      const path = `/api/v1/projects/${projectId}/rooms`
      const one = request<RoomDetails>("GET", `${path}/${first}`, { token })
      const stages = Effect.gen(function* () {
        const { body } = yield* request<Page<Room>>("GET", path, { token })
        assert.strictEqual((yield* one).body.teaserStage, body.data[0]?.teaserStage)
        return body.data.map(({ teaserStage }) => teaserStage)
      })
      assert.deepStrictEqual(yield* stages, ["property_added", "property_added"])
      yield* patch(projectId, { options: { location: "country", categories: "shown" } })
      const { etag } = (yield* one).body
      yield* move(projectId, "publish")
      assert.deepStrictEqual(yield* stages, ["published", "published"])
      assert.notStrictEqual((yield* one).body.etag, etag)
      yield* patch(TeasersClient.roomTeaserPath(projectId, first), { title: "For members" })
      yield* move(projectId, "unpublish")
      const { body } = yield* request<Teaser>("GET", TeasersClient.roomTeaserPath(projectId, first), { token })
      assert.deepStrictEqual(yield* stages, [body.stage, "drafting"])
      yield* move(second, "publish")
      assert.deepStrictEqual(yield* stages, [body.stage, "published"])
    })
  )

  it.effect("belong to their project and their team", () =>
    Effect.gen(function* () {
      const { ask, rooms, token, request } = yield* fixture.make()
      const other = yield* fixture.make()
      const room = yield* rooms.open()
      const second = yield* ask<{ readonly id: string }>("POST", "/api/v1/projects", { name: "Other" })
      assert.strictEqual((yield* ask("GET", `/api/v1/projects/${second.body.id}/rooms/${room.id}`)).status, 404)
      assert.strictEqual((yield* request("GET", `${rooms.path}/${room.id}`, { token: other.token })).status, 404)
      assert.strictEqual((yield* request("GET", rooms.path, { token: other.token })).status, 404)
      assert.strictEqual((yield* request("GET", `${rooms.path}/nothing`, { token })).status, 404)
    })
  )

  it.effect("are opened only in projects that are not closed, with valid input", () =>
    Effect.gen(function* () {
      const { ask, projectId, rooms } = yield* fixture.make()
      const invalid = yield* Effect.flip(rooms.open({ name: " ", defaultAccess: "0d", ndaRequired: 1 }))
      assert.deepStrictEqual("errors" in invalid ? invalid.errors.map(({ pointer }) => pointer) : [], [
        "/name",
        "/ndaRequired",
        "/defaultAccess"
      ])
      yield* ask("POST", `/api/v1/projects/${projectId}/close`)
      assert.strictEqual((yield* Effect.flip(rooms.open()))._tag, "RoomRefused")
    })
  )

  it.effect("have rows on the timeline of their project, and events", () =>
    Effect.gen(function* () {
      const { projectActions, rooms, user } = yield* fixture.make()
      const { id, openedUtc } = yield* rooms.open()
      const [row] = (yield* projectActions()).body.data
      assert.deepInclude(row, {
        type: "audit",
        event: "room.opened",
        occurredUtc: openedUtc,
        subject: "room",
        subjectId: id,
        details: { kind: "audit" }
      })
      assert.deepInclude(row?.["actor"], { id: user })
      const without = yield* projectActions("?include_rollups=false")
      assert.isFalse(without.body.data.some(({ event }) => event === "room.opened"))
    })
  )
})
