/** Documents of rooms over HTTP, and who reads them. */
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as OffersClient from "../offers/OffersClient.ts"
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import type { Document } from "../../../src/deals/rooms/Room.ts"
import { Documents } from "../../../src/deals/rooms/Documents.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"

const make = Effect.fnUntraced(function* () {
  const tenant = yield* fixture.make()
  const documents = yield* Documents
  const access = yield* AccessLifecycle
  const room = yield* tenant.rooms.open()
  const request = (body: object = {}) =>
    UseCaseRequest.make({ operation: "test", query: {}, body: body as { readonly [member: string]: string } })
  return {
    ...tenant,
    room,
    /** Uploads a text to the room. */
    upload: (text: string, path?: string) => fixture.upload(tenant, room.id, text, path),
    listFor: (reader: { readonly email: string }) => OffersClient.as(reader.email, documents.list(room.id)),
    /** A prospect of the project with this address. */
    invitee: Effect.fnUntraced(function* (email: string) {
      const { id } = yield* tenant.contact({ firstName: "Nora", lastName: "Unique-Nora", email })
      return (yield* tenant.prospects.add({ contactId: id })).body
    }),
    grant: (...prospectIds: ReadonlyArray<string>) =>
      fixture.as(tenant)(access.grant(room.id, request({ prospectIds }))),
    revoke: (...prospectIds: ReadonlyArray<string>) =>
      fixture.as(tenant)(access.revoke(room.id, request({ prospectIds })))
  }
})

layer(TestService.layer, { excludeTestServices: true })("documents of rooms", (it) => {
  it.effect("have one name in any normalization: another version of it replaces the one before for everybody", () =>
    Effect.gen(function* () {
      const { grant, invitee, listFor, upload } = yield* make()
      const member = yield* OffersClient.investor()
      yield* grant((yield* invitee(member.email)).id)
      assert.deepInclude(yield* upload("one", "Vertra\u0308ge/Gra\u0308fe.txt"), { version: 1 })
      const second = yield* upload("two", "Vertr\u00e4ge/Gr\u00e4fe.txt")
      assert.deepInclude(second, { path: "Vertr\u00e4ge/Gr\u00e4fe.txt", version: 2 })
      assert.deepStrictEqual(yield* listFor(member), [second])
    })
  )

  it.effect("are listed in pages by path, each in its latest version", () =>
    Effect.gen(function* () {
      const { ask, room, rooms, upload } = yield* make()
      const other = yield* make()
      const [second, first, , third] = [
        yield* upload("b", "Leases/b.txt"),
        yield* upload("a", "Leases/a.txt"),
        yield* upload("c", "c.txt"),
        yield* upload("c again", "c.txt")
      ]
      const path = `${rooms.path}/${room.id}/documents`
      const page = (query: string) => ask<Page<Document>>("GET", `${path}${query}`)
      const begin = (yield* page("?page_size=2")).body
      assert.deepStrictEqual(begin.data, [first, second])
      const end = (yield* page(`?page_size=2&cursor=${begin.page.nextCursor ?? ""}`)).body
      assert.deepStrictEqual(end.data, [third])
      assert.isNull(end.page.nextCursor)
      assert.deepStrictEqual((yield* page("")).body.data, [first, second, third])
      assert.deepStrictEqual((yield* rooms.get(room.id)).body.documents, [first, second, third])
      assert.strictEqual((yield* other.ask("GET", path)).status, 404)
      const another = yield* rooms.open()
      const cursor = begin.page.nextCursor ?? ""
      const foreign = yield* ask("GET", `${rooms.path}/${another.id}/documents?cursor=${cursor}`)
      assert.strictEqual(foreign.body["code"], "invalid_cursor")
    })
  )

  it.effect("have folders and versions, and are in the answer of the room", () =>
    Effect.gen(function* () {
      const { projectActions, room, rooms, upload } = yield* make()
      const before = (yield* rooms.get(room.id)).body
      assert.deepInclude(before, { documentCount: 0, documents: [], members: [] })
      const first = yield* upload("one", "Leases/rent roll.txt")
      const second = yield* upload("two", "/Leases/rent roll.txt")
      const other = yield* upload("three")
      assert.deepInclude(first, { name: "rent roll.txt", path: "Leases/rent roll.txt", version: 1, size: 3 })
      assert.deepInclude(second, { path: "Leases/rent roll.txt", version: 2 })
      assert.deepInclude(other, { path: "rent roll.txt", version: 1 })
      const after = (yield* rooms.get(room.id)).body
      assert.deepInclude(after, { documentCount: 2, documents: [second, other] })
      assert.notStrictEqual(after.etag, before.etag)
      assert.strictEqual((yield* rooms.list()).body.data[0]?.documentCount, 2)
      const row = (yield* projectActions()).body.data.find(({ event }) => event === "room.file_uploaded")
      assert.deepInclude(row, {
        subject: "room",
        subjectId: room.id,
        details: {
          kind: "audit",
          message: "rent roll.txt",
          file: { id: other.id, name: "rent roll.txt", downloadPath: `/api/v1/files/${other.id}/content` }
        }
      })
    })
  )

  it.effect("are read by the broker and by investors with access, and by nobody else", () =>
    Effect.gen(function* () {
      const broker = yield* make()
      const { grant, invitee, listFor, request, revoke, upload } = broker
      const [member, outsider] = [yield* OffersClient.investor(), yield* OffersClient.investor()]
      const stranger = yield* fixture.make()
      const prospect = yield* invitee(member.email)
      yield* invitee(outsider.email)
      const document = yield* upload("secret figures", "Leases/rent roll.txt")
      const read = (token: string, id = document.id) =>
        Effect.map(request("GET", `/api/v1/files/${id}/content`, { token }), ({ status, text }) => [status, text])
      const statusesOf = Effect.forEach([broker, member, outsider, stranger], ({ token }) =>
        Effect.map(read(token), ([status]) => status)
      )
      assert.deepStrictEqual(yield* statusesOf, [200, 404, 404, 404])
      yield* grant(prospect.id)
      assert.deepStrictEqual(yield* statusesOf, [200, 200, 404, 404])
      assert.deepStrictEqual(yield* read(member.token), [200, "secret figures"])
      assert.deepStrictEqual(yield* listFor(member), [document])
      for (const { email } of [outsider, stranger]) {
        assert.strictEqual((yield* Effect.flip(listFor({ email })))._tag, "NotFound")
      }
      assert.strictEqual(
        (yield* request("DELETE", `/api/v1/files/${document.id}`, { token: member.token })).status,
        403
      )
      yield* revoke(prospect.id)
      assert.deepStrictEqual(yield* statusesOf, [200, 404, 404, 404])
      assert.strictEqual((yield* Effect.flip(listFor(member)))._tag, "NotFound")
    })
  )

  it.effect("reach the offers of members, and say nothing of the broker", () =>
    Effect.gen(function* () {
      const { grant, invitee, projectId, prospects, request, room, rooms, team, upload, user } = yield* make()
      const member = yield* OffersClient.investor()
      const prospect = yield* invitee(member.email)
      yield* grant(prospect.id)
      const document = yield* upload("secret figures", "Leases/rent roll.txt")
      const [offer] = yield* member.offers()
      assert.deepInclude(offer, { category: "invitation", status: "pending", roomId: room.id })
      const actions = yield* member.actions(offer?.id ?? "")
      assert.deepStrictEqual(
        actions.body.data.map(({ event }) => event),
        ["room.file_uploaded", "room.access_granted", "offer.created"]
      )
      assert.strictEqual((yield* prospects.get(prospect.id)).body.invitation, true)
      const file = yield* request("GET", `/api/v1/files/${document.id}`, { token: member.token })
      yield* untilSettled("events")
      const changes = yield* request("GET", "/api/v1/changes", { token: member.token })
      assert.strictEqual(file.status, 200)
      const texts = [file, changes, actions, yield* member.list()].map(({ text }) => text).join("\n")
      for (const hidden of [projectId, prospect.id, team, user, "Quartier", "Unique-Nora", "Due diligence", "Leases"]) {
        assert.notInclude(texts, hidden)
      }
      assert.deepStrictEqual((yield* rooms.get(room.id)).body.members, [
        {
          prospectId: prospect.id,
          name: "Nora Unique-Nora",
          grantedUtc: actions.body.data.at(1)?.["occurredUtc"],
          accessExpiryUtc: (yield* prospects.get(prospect.id)).body.accessExpiryUtc
        }
      ] as never)
    })
  )

  it.effect("are deleted version by version, by brokers of the team alone", () =>
    Effect.gen(function* () {
      const { grant, invitee, request, room, rooms, token, upload } = yield* make()
      const [member, stranger] = [yield* OffersClient.investor(), yield* fixture.make()]
      yield* grant((yield* invitee(member.email)).id)
      const path = "Leases/rent roll.txt"
      const [first, second, third] = [
        yield* upload("one", path),
        yield* upload("two", path),
        yield* upload("three", path)
      ]
      const remove = (id: string, by: string) =>
        Effect.map(request("DELETE", `/api/v1/files/${id}`, { token: by }), ({ status }) => status)
      const readBy = (id: string) =>
        Effect.map(request("GET", `/api/v1/files/${id}/content`, { token: member.token }), ({ status }) => status)
      const latest = Effect.map(rooms.get(room.id), ({ body }) => body.documents)
      assert.deepStrictEqual(
        [yield* remove(third.id, member.token), yield* remove(third.id, stranger.token)],
        [403, 404]
      )
      assert.deepStrictEqual(yield* latest, [third])
      const before = (yield* rooms.get(room.id)).body
      assert.strictEqual(yield* remove(third.id, token), 204)
      const after = (yield* rooms.get(room.id)).body
      assert.deepStrictEqual([after.documentCount, after.documents], [1, [second]])
      assert.notStrictEqual(after.etag, before.etag)
      assert.deepStrictEqual(
        [yield* readBy(third.id), yield* readBy(second.id), yield* readBy(first.id)],
        [404, 200, 200]
      )
      assert.strictEqual(yield* remove(first.id, token), 204)
      assert.deepStrictEqual(yield* latest, [second])
      assert.strictEqual(yield* remove(second.id, token), 204)
      assert.deepInclude((yield* rooms.get(room.id)).body, { documentCount: 0, documents: [] })
      assert.strictEqual(yield* remove(second.id, token), 404)
    })
  )

  it.effect("never get the number of a deleted version again", () =>
    Effect.gen(function* () {
      const { request, token, upload } = yield* make()
      const remove = (id: string) => request("DELETE", `/api/v1/files/${id}`, { token })
      const first = yield* upload("one", "rent roll.txt")
      yield* remove((yield* upload("two", "rent roll.txt")).id)
      const third = yield* upload("three", "rent roll.txt")
      yield* remove(first.id)
      yield* remove(third.id)
      const fourth = yield* upload("four", "rent roll.txt")
      assert.deepStrictEqual([third.version, fourth.version], [3, 4])
      assert.strictEqual((yield* upload("other", "leases.txt")).version, 1)
    })
  )

  it.effect("are taken by open rooms only", () =>
    Effect.gen(function* () {
      const { ask, projectId, upload } = yield* make()
      assert.strictEqual((yield* Effect.flip(upload("x", "a/../b")))._tag, "InvalidRequest")
      yield* ask("POST", `/api/v1/projects/${projectId}/close`)
      assert.strictEqual((yield* Effect.flip(upload("x")))._tag, "RoomRefused")
    })
  )
})
