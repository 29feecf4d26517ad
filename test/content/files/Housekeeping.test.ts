import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Id from "../../../src/core/Id.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { actAs } from "../../../src/core/auth/CurrentActor.ts"
import { Changes } from "../../../src/core/mutation/Changes.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Files } from "../../../src/content/files/Files.ts"
import { FileWrites } from "../../../src/content/files/FileWrites.ts"
import { FilesRepo } from "../../../src/content/files/FilesRepo.ts"
import { FileStore } from "../../../src/platform/fileStore/FileStore.ts"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { Contacts } from "../../../src/network/contacts/Contacts.ts"
import { advance } from "../../support/advance.ts"
import { discardObjects } from "../../../workers/handlers.ts"
import { purgeFiles } from "../../../workers/housekeeping.ts"
import { serviceWithWorker } from "../../webhooks/fixture.ts"

const start = TestClock.setTime(new Date("2026-11-21T09:00:00Z").getTime())

const runHousekeeping = purgeFiles.run({})

/** A broker who calls use-cases. */
const aBroker = Effect.gen(function* () {
  const { teamId, userId } = yield* Tenant.make()
  const files = yield* Files
  const contacts = yield* Contacts
  const actor = Tenant.actorOf({ teamId, userId })
  const as = <A, E, R>(effect: Effect.Effect<A, E, R>) => actAs(actor)(effect)
  const request = UseCaseRequest.make({ operation: "test", query: {} })
  return {
    actor,
    aContact: as(
      contacts.create(UseCaseRequest.make({ operation: "test", query: {}, body: { firstName: "Anna" } }))
    ).pipe(Effect.map(({ value }) => value.id)),
    upload: (contact: string, text: string) =>
      as(
        files.upload("contact", contact, {
          ...request,
          file: Effect.succeed({
            filename: "a.txt",
            contentType: "text/plain",
            content: Stream.make(Buffer.from(text))
          })
        })
      ).pipe(Effect.map(({ value }) => value)),
    get: (id: string) => as(files.get(id)),
    list: (contact: string) => Effect.map(as(files.list("contact", contact, request)), ({ data }) => data),
    deleteContact: (id: string) => as(contacts.delete(id, request)),
    delete: (id: string) => as(files.delete(id, request)),
    read: (id: string) =>
      as(files.content(id)).pipe(
        Effect.flatMap(({ read }) => Stream.runCollect(read(undefined))),
        Effect.map((chunks) => Buffer.concat(chunks).toString())
      )
  }
})

/** The ids of all objects in the store. */
const storedIds = Effect.gen(function* () {
  const namespace = yield* (yield* FilesRepo).namespace
  return yield* Stream.runCollect((yield* FileStore).list(namespace, new Date("9999-01-01")))
})

const countOf = (id: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    return (yield* sql`select from files where id = ${Id.toUuid("file", id) ?? null}`).length
  })

layer(serviceWithWorker)("Housekeeping of files", (it) => {
  it.effect("removes the content of a deleted file without delay", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const before = yield* storedIds
      const file = yield* broker.upload(yield* broker.aContact, "x")
      assert.lengthOf(yield* storedIds, before.length + 1)
      yield* broker.delete(file.id)
      yield* (yield* Worker).drain
      assert.deepStrictEqual(yield* storedIds, before)
    })
  )

  it.effect("removes no object of a file that exists", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const { teamId } = broker.actor
      const before = new Set(yield* storedIds)
      const file = yield* broker.upload(yield* broker.aContact, "kept")
      const contents = (yield* storedIds).filter((id) => !before.has(id))
      yield* discardObjects.run({ contents, teamId })
      assert.strictEqual(yield* broker.read(file.id), "kept")
      const sql = yield* Database
      yield* sql`delete from files where id = ${Id.toUuid("file", file.id) ?? null}`
      yield* discardObjects.run({ contents, teamId })
      assert.deepStrictEqual(new Set(yield* storedIds), before)
    })
  )

  it.effect("removes the files of a deleted contact after 30 days", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const [deleted, active] = [yield* broker.aContact, yield* broker.aContact]
      const before = yield* storedIds
      const lost = yield* broker.upload(deleted, "lost")
      const kept = yield* broker.upload(active, "kept")
      yield* broker.deleteContact(deleted)
      yield* advance("29 days")
      yield* runHousekeeping
      // It would come back with the contact.
      assert.strictEqual((yield* Effect.flip(broker.get(lost.id)))._tag, "NotFound")
      assert.lengthOf(yield* storedIds, before.length + 2)
      yield* advance("25 hours")
      yield* runHousekeeping
      assert.strictEqual((yield* Effect.flip(broker.get(lost.id)))._tag, "NotFound")
      assert.strictEqual(yield* broker.read(kept.id), "kept")
      assert.lengthOf(yield* storedIds, before.length + 1)
    })
  )

  it.effect("removes the files of projects and prospects that were deleted 30 days ago or purged", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const sql = yield* Database
      const contact = yield* broker.aContact
      const now = Date.UTC(2026, 10, 21, 9)
      const { teamId } = broker.actor
      const project = Effect.fnUntraced(function* (deletedAt: Date | null) {
        const id = randomUUID()
        yield* sql`
          insert into projects (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, deleted_at)
          values (${id}, ${teamId}, 1, pg_current_xact_id(), now(), now(), 'created', 'api', 'Tal', ${deletedAt})`
        return id
      })
      const [active, deleted] = [yield* project(null), yield* project(new Date(now - 31 * 86_400_000))]
      const prospect = randomUUID()
      yield* sql`
        insert into prospects (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, project_id,
          project_created_at, contact_id, deleted_at)
        values (${prospect}, ${teamId}, 1, pg_current_xact_id(), now(), now(), 'deleted', 'api', ${active}, now(), ${randomUUID()},
          ${new Date(now - 31 * 86_400_000)})`
      const fileOn = Effect.fnUntraced(function* (type: string, subject: string) {
        const file = yield* broker.upload(contact, type)
        yield* sql`
          update files set subject_type = ${type}, subject_id = ${subject} where id = ${Id.toUuid("file", file.id) ?? null}`
        return file.id
      })
      const kept = yield* fileOn("project", active)
      const purged = [
        yield* fileOn("project", deleted),
        yield* fileOn("prospect", prospect),
        yield* fileOn("project", randomUUID())
      ]
      yield* runHousekeeping
      assert.strictEqual(yield* countOf(kept), 1)
      for (const id of purged) assert.strictEqual(yield* countOf(id), 0)
    })
  )

  it.effect("removes the files of a contact that was purged", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const contact = yield* broker.aContact
      const file = yield* broker.upload(contact, "x")
      const sql = yield* Database
      yield* sql`delete from contacts where id = ${Id.toUuid("contact", contact) ?? null}`
      yield* runHousekeeping
      assert.strictEqual(yield* countOf(file.id), 0)
    })
  )

  it.effect("removes objects without a row after a day, and nothing of other installations", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const store = yield* FileStore
      const namespace = yield* (yield* FilesRepo).namespace
      const file = yield* broker.upload(yield* broker.aContact, "x")
      const orphan = { namespace, id: randomUUID() }
      const otherInstallation = { namespace: randomUUID(), id: randomUUID() }
      const foreign = { namespace, id: "notes.txt" }
      for (const key of [orphan, otherInstallation, foreign]) yield* store.put(key, Stream.make(Buffer.from("x")))
      yield* advance("23 hours")
      yield* runHousekeeping
      assert.include(yield* storedIds, orphan.id)
      yield* advance("2 hours")
      yield* runHousekeeping
      assert.notInclude(yield* storedIds, orphan.id)
      assert.include(yield* storedIds, foreign.id)
      assert.strictEqual(yield* broker.read(file.id), "x")
      assert.lengthOf(yield* Stream.runCollect(store.read(otherInstallation, undefined)), 1)
    })
  )

  it.effect("moves files to another subject as a new version", () =>
    Effect.gen(function* () {
      yield* start
      const broker = yield* aBroker
      const [from, other, to] = [yield* broker.aContact, yield* broker.aContact, yield* broker.aContact]
      const files = [yield* broker.upload(from, "1"), yield* broker.upload(other, "2"), yield* broker.upload(to, "3")]
      const uuids = [from, other].map((id) => Id.toUuid("contact", id) ?? "")
      const target = Id.toUuid("contact", to) ?? ""
      const timelines = yield* Timelines
      const writes = yield* FileWrites
      yield* (yield* Changes).commit(broker.actor, (change) =>
        Effect.andThen(
          timelines.move(change, { type: "contact", from: uuids, to: target }, 1000),
          writes.moveSome(change, "contact", uuids, target, 1000)
        )
      )
      const moved = yield* broker.list(to)
      const tags = ['"v2"', '"v2"', '"v1"']
      assert.deepStrictEqual(
        moved.map(({ contactId, etag, id }) => ({ contactId, etag, id })),
        files.map(({ id }, index) => ({ contactId: to, etag: tags[index] ?? "", id }))
      )
      assert.deepStrictEqual(yield* broker.list(from), [])
    })
  )
})
