/** Files that brokers and investors share with each other: docs/behaviour/messages.md#shared-files. */
import * as Id from "../../../src/core/Id.ts"
import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import * as Tenant from "../../support/Tenant.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Action } from "../../../src/core/mutation/Timeline.ts"
import { Timelines } from "../../../src/core/mutation/Timelines.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { orDie } from "../../../src/platform/db/DatabaseUnavailable.ts"
import { Messages } from "../../../src/deals/messages/Messages.ts"
import { untilSettled } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { accept, as, investor, make, move, moveIn, type Person } from "./fixture.ts"

/** Shares a file with this content. */
const share = (person: Person, target: string, text: string, key?: string) =>
  Effect.flatMap(Messages, ({ share }) =>
    as(
      person,
      share(target, {
        ...UseCaseRequest.make({
          operation: `file share ${target}`,
          query: {},
          ...(key === undefined ? {} : { idempotencyKey: key })
        }),
        file: Effect.succeed({
          filename: "folder/loi.txt",
          contentType: "text/plain",
          content: Stream.make(new TextEncoder().encode(text))
        })
      })
    )
  )

interface ChatRow extends Action {
  readonly details: Extract<Action["details"], { readonly kind: "chat" }>
}

const fileOf = (row: Action): { readonly id: string; readonly name: string; readonly downloadPath: string } => {
  const { file } = (row as ChatRow).details
  assert.isDefined(file)
  return file as NonNullable<typeof file>
}

/** What these people get at the path of a file. */
const readBy = (path: string, ...people: ReadonlyArray<Person>) =>
  Effect.flatMap(TestService, ({ request }) =>
    Effect.forEach(people, ({ token }) =>
      Effect.map(request("GET", path, { token }), ({ status, text }) => (status === 200 ? text : status))
    )
  )

layer(TestService.layer, { excludeTestServices: true })("A file that was shared", (it) => {
  it.effect("can be read by the two sides, whoever shared it, and by nobody else", () =>
    Effect.gen(function* () {
      const [broker, maria, paolo, other] = [yield* make(), yield* investor, yield* investor, yield* Tenant.make()]
      const { id, offer } = yield* broker.acceptedBy(maria)
      yield* broker.acceptedBy(paolo)
      for (const [person, target] of [
        [broker, id],
        [maria, offer]
      ] as const) {
        const { value } = yield* share(person, target, "The terms")
        const { downloadPath, id: fileId, name } = fileOf(value)
        assert.strictEqual(name, "loi.txt")
        assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria, paolo, other), [
          "The terms",
          "The terms",
          404,
          404
        ])
        const read = yield* broker.request("GET", `/api/v1/files/${fileId}`, { token: maria.token })
        assert.deepInclude(read.body, {
          id: fileId,
          contactId: null,
          companyId: null,
          propertyId: null,
          name: "loi.txt"
        })
        assert.notInclude(read.text, id)
        // A reader of another team cannot delete it.
        const deleted = yield* broker.request("DELETE", `/api/v1/files/${fileId}`, { token: maria.token })
        assert.strictEqual(deleted.status, 403)
      }
    })
  )

  it.effect("is a row of chat on the timelines of both sides, and in no list of files", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const { value } = yield* share(broker, id, "The terms")
      const { body } = yield* broker.prospects.actions(id, "?type=chat")
      assert.deepStrictEqual<unknown>(body.data, [value])
      const { read } = yield* Timelines
      const subject = { teamId: maria.teamId, type: "offer" as const, id: Id.toUuid("offer", offer) ?? "" }
      const [row] = (yield* Effect.orDie(read(subject, { type: "chat" }))).data
      assert.deepInclude(row, {
        event: "prospect.file_shared",
        actor: { id: null, name: null },
        details: { kind: "chat", file: fileOf(value) }
      })
      const contact = (yield* broker.prospects.get(id)).body.contact?.id
      const files = yield* broker.ask<{ readonly data: ReadonlyArray<unknown> }>(
        "GET",
        `/api/v1/network/contacts/${contact}/files`
      )
      assert.deepStrictEqual(files.body.data, [])
    })
  )

  it.effect(
    "reaches, of several investors of one prospect, those who accepted, and only the broker if one of them shared it",
    () =>
      Effect.gen(function* () {
        const [broker, maria, paolo, luca] = [yield* make(), yield* investor, yield* investor, yield* investor]
        const company = yield* broker.company()
        for (const { email } of [maria, paolo, luca]) {
          const contact = yield* broker.contact({ email })
          yield* broker.links.create({ contactId: contact.id, companyId: company.id })
        }
        const { body } = yield* broker.prospects.add({ companyId: company.id })
        const [marias = "", paolos = ""] = yield* broker.offered(body.id, [maria, paolo, luca])
        yield* accept(maria, marias)
        yield* accept(paolo, paolos)
        const ofBroker = fileOf((yield* share(broker, body.id, "Terms")).value)
        assert.deepStrictEqual(yield* readBy(ofBroker.downloadPath, broker, maria, paolo, luca), [
          "Terms",
          "Terms",
          "Terms",
          404
        ])
        const ofMaria = fileOf((yield* share(maria, marias, "Offer")).value)
        assert.deepStrictEqual(yield* readBy(ofMaria.downloadPath, broker, maria, paolo, luca), [
          "Offer",
          "Offer",
          404,
          404
        ])
      })
  )

  it.effect("stays open to both when the project is closed, and to the broker alone when the prospect is removed", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const { downloadPath } = fileOf((yield* share(maria, offer, "Offer")).value)
      yield* broker.ask("POST", `/api/v1/projects/${broker.projectId}/close`)
      assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria), ["Offer", "Offer"])
      yield* broker.ask("POST", `/api/v1/projects/${broker.projectId}/reopen`)
      yield* broker.prospects.removeFromList(id)
      assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria), ["Offer", 404])
      yield* broker.prospects.restore(id)
      assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria), ["Offer", "Offer"])
      const path = downloadPath.replace("/content", "")
      assert.strictEqual((yield* broker.ask("DELETE", path)).status, 204)
      const sql = yield* Database
      const [deleted] = yield* orDie(sql<{ readonly body: string }>`
        select body from events where team_id = ${broker.teamId} and type = 'file.deleted'`)
      const { resource_id, ...names } = JSON.parse(deleted?.body ?? "{}") as Record<string, unknown>
      assert.include(path, String(resource_id))
      assert.notProperty(names, "offer_id")
      assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria), [404, 404])
    })
  )

  it.effect("stays with the prospect that absorbs another one", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id } = yield* broker.acceptedBy(maria)
      const { downloadPath } = fileOf((yield* share(broker, id, "Terms")).value)
      const absorbed = (yield* broker.prospects.get(id)).body.contact?.id
      const survivor = yield* broker.contact({ lastName: "Rossi" })
      yield* broker.prospects.add({ contactId: survivor.id })
      const merged = yield* broker.ask("POST", `/api/v1/network/contacts/${survivor.id}/merge`, { from: [absorbed] })
      assert.strictEqual(merged.status, 200)
      assert.deepStrictEqual(yield* readBy(downloadPath, broker, maria), ["Terms", "Terms"])
    })
  )

  it.effect("stays with the offer that takes the place of the one under which the investor shared it", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const kept = yield* broker.offeredTo(maria)
      const contact = yield* broker.ask<{ readonly id: string }>("POST", "/api/v1/network/contacts?force=true", {
        lastName: "Rossi",
        email: maria.email
      })
      const twin = yield* broker.prospect({ contactId: contact.body.id })
      const [offer = ""] = yield* broker.offered(twin.id, [maria])
      yield* accept(maria, offer)
      const ofMaria = fileOf((yield* share(maria, offer, "Offer")).value)
      const ofBroker = fileOf((yield* share(broker, twin.id, "Terms")).value)
      const survivor = (yield* broker.prospects.get(kept.id)).body.contact?.id
      const merged = yield* broker.ask("POST", `/api/v1/network/contacts/${survivor}/merge`, {
        from: [contact.body.id]
      })
      assert.strictEqual(merged.status, 200)
      assert.deepStrictEqual(yield* readBy(ofMaria.downloadPath, broker, maria), ["Offer", "Offer"])
      assert.deepStrictEqual(yield* readBy(ofBroker.downloadPath, broker, maria), ["Terms", "Terms"])
    })
  )

  it.effect("is stored once for each idempotency key", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id } = yield* broker.acceptedBy(maria)
      const [once, again] = [yield* share(broker, id, "Terms", "key"), yield* share(broker, id, "Terms", "key")]
      assert.deepStrictEqual(again, { value: once.value, replayed: true })
      assert.lengthOf((yield* broker.prospects.actions(id, "?type=chat")).body.data, 1)
      const { code } = yield* Effect.flip(share(broker, id, "Other terms", "key"))
      assert.strictEqual(code, "idempotency_key_reused")
    })
  )
})

layer(TestService.layerOwn, { excludeTestServices: true })("The command file share", (it) => {
  it.effect("and other moves leave the investor nothing of the broker's records, calls and bids", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.acceptedBy(maria)
      const contactId = (yield* broker.prospects.get(id)).body.contact?.id ?? ""
      const ofBroker = fileOf((yield* share(broker, id, "Terms")).value)
      const ofMaria = fileOf((yield* share(maria, offer, "Offer")).value)
      const outputs: Array<string> = []
      for (const [person, ...args] of [
        [broker, "message", "send", id, "--text", "planted-message"],
        [broker, "call", "log", id, "--note", "planted-note"],
        [broker, "im", "share", id],
        [broker, "bid", "record", id, "--amount", "98765431", "--currency", "CHF"],
        [maria, "message", "send", offer, "--text", "Thank you"],
        [maria, "message", "send", offer, "--text", "Thank you", "--dry-run"]
      ] as const) {
        const { err, ok, out } = yield* move(person, ...args)
        assert.isTrue(ok, err)
        if (person === maria) outputs.push(out, err)
      }
      const { request } = yield* TestService
      yield* untilSettled("events")
      for (const path of [
        "/offers?filter=all",
        `/offers/${offer}`,
        `/offers/${offer}/actions`,
        `/offers/${offer}/actions?type=chat`,
        "/changes?types=*",
        `/files/${ofBroker.id}`,
        `/files/${ofMaria.id}`,
        `/files/${id}`
      ]) {
        outputs.push((yield* request("GET", `/api/v1${path}`, { token: maria.token })).text)
      }
      const reached = outputs.join("\n")
      // What they share is there.
      for (const text of [ofBroker.id, ofMaria.id, "prospect.message_sent"]) assert.include(reached, text)
      const records = [id, contactId, broker.projectId, broker.team, "Quartier"]
      const moves = ["planted", "98765431", "CHF", "call_logged", "bid_recorded", "im_shared"]
      for (const secret of [...records, ...moves]) assert.notInclude(reached, secret)
    })
  )

  it.effect("shares a file of this machine, once the offer is accepted", () =>
    Effect.gen(function* () {
      const [broker, maria] = [yield* make(), yield* investor]
      const { id, offer } = yield* broker.offeredTo(maria)
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-share-"))),
        (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
      )
      const path = join(folder, "loi.pdf")
      const env = { DATA_DIR: folder }
      yield* Effect.promise(() => writeFile(path, "%PDF"))
      const early = yield* moveIn(env, maria, "file", "share", offer, path)
      assert.strictEqual(early.answer.error.code, "chat_not_open")
      yield* accept(maria, offer)
      const shared = yield* moveIn<Action>(
        env,
        maria,
        "file",
        "share",
        offer,
        path,
        "--content-type",
        "application/pdf"
      )
      assert.isTrue(shared.ok, shared.err)
      const { body } = yield* broker.ask("GET", `/api/v1/files/${fileOf(shared.answer).id}`)
      assert.deepInclude(body, { name: "loi.pdf", contentType: "application/pdf", size: 4 })
      const missing = yield* moveIn(env, maria, "file", "share", offer, join(folder, "nothing"))
      assert.match(missing.err, /FILE: The file cannot be read/)
      const dry = yield* moveIn<{ readonly affected: ReadonlyArray<unknown> }>(
        env,
        broker,
        "file",
        "share",
        id,
        path,
        "--dry-run"
      )
      assert.lengthOf(dry.answer.affected, 2)
    }).pipe(Effect.scoped)
  )
})
