/** Uses the operations of a team in one go, to collect full answers and every kind of refusal. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { type Caller, type Operation, send } from "../support/Surface.ts"
import type { RequestOptions, Reply } from "../support/TestService.ts"
import { fanOut } from "../webhooks/fanOut.ts"
import { operation } from "./Validator.ts"

const full = {
  firstName: "Anna",
  lastName: "Berg",
  email: "anna@example.com",
  phone: "+49 30 1",
  primaryLanguage: "de-DE",
  tags: ["core"],
  strategy: "Offices",
  linkedInUrl: "https://www.linkedin.com/in/anna",
  profilePictureUrl: "https://cdn.example.com/anna.png",
  externalRefs: [{ namespace: "crm", externalId: "1" }]
}

/** Uses all operations of a team, and passes every answer to `answer`. */
export const useAll = Effect.fnUntraced(function* (
  owner: Caller,
  answer: (operation: Operation, reply: Reply) => void
) {
  const { token } = owner
  const statuses: Array<string> = []
  const ask = Effect.fnUntraced(function* (
    id: string,
    resources: ReadonlyArray<string>,
    more: RequestOptions = {},
    query = ""
  ) {
    const reply = yield* send(operation(id), resources, { token, ...more }, query)
    answer(operation(id), reply)
    statuses.push(`${id} ${reply.status}`)
    return reply.body as { readonly id: string; readonly etag: string; readonly data: ReadonlyArray<unknown> }
  })
  const text = { text: "{}", headers: { "content-type": "text/plain" } }
  const broken = { text: "{", headers: { "content-type": "application/json" } }

  const sql = yield* Database
  // As if tombstones had been purged, which deltas from before that answer with 410.
  yield* Effect.orDie(sql`
    insert into purged_tombstones (team_id, resource_type, list_id, updated_at, transaction_id)
    select ${owner.teamId}::uuid, type, ${owner.teamId}::uuid, '2021-01-01', '3'::xid8
    from unnest(array['contact', 'project']) as type`)

  yield* ask("me.get", [])
  yield* ask("teams.get", [owner.team])
  yield* ask("teams.listMembers", [owner.team])
  yield* ask("teams.listMembers", [owner.team], {}, "?cursor=x")

  const hook = yield* ask("webhooks.create", [], {
    json: { url: "http://127.0.0.1:9/hook", events: ["contact.created"] },
    headers: { "idempotency-key": "hook" }
  })
  const contact = yield* ask("contacts.create", [], { json: full, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: full, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: { firstName: "Ben" }, headers: { "idempotency-key": "one" } })
  yield* ask("contacts.create", [], { json: { email: "ANNA@example.com" } })
  yield* ask("contacts.create", [], { json: { firstName: "Ben", externalRefs: full.externalRefs } })
  yield* ask("contacts.create", [], { json: {} })
  yield* ask("contacts.create", [], text)
  yield* ask("contacts.create", [], broken)
  yield* ask("contacts.create", [], { ...broken, text: " ".repeat(4 * 1024 * 1024 + 1) })
  yield* ask("contacts.update", [contact.id], { json: { email: null }, headers: { "if-match": contact.etag } })
  yield* ask("contacts.update", [contact.id], { json: { email: null }, headers: { "if-match": contact.etag } })
  yield* ask("contacts.update", [contact.id], { json: { id: "contact_x", nothing: 1 } })
  yield* ask("contacts.update", [contact.id], text)
  yield* ask("contacts.get", [contact.id])
  yield* ask("contacts.get", [contact.id], { headers: { "if-none-match": "*" } })
  const note = yield* ask("contacts.addNote", [contact.id], {
    json: { message: "**Called**", contentFormat: "markdown" },
    headers: { "idempotency-key": "note" }
  })
  yield* ask("contacts.addNote", [contact.id], { json: { message: "x" }, headers: { "idempotency-key": "note" } })
  yield* ask("contacts.addNote", [contact.id], { json: {} })
  yield* ask("contacts.addNote", [contact.id], text)
  const onNote = [contact.id, note.id]
  const seen = { "if-match": note.etag }
  yield* ask("contacts.updateNote", onNote, { json: { action: "archive" } })
  yield* ask("contacts.updateNote", onNote, { json: { action: "archive" }, headers: { "if-match": '"v0"' } })
  yield* ask("contacts.updateNote", onNote, { json: { action: "archive", supersede: {} }, headers: seen })
  yield* ask("contacts.updateNote", onNote, {
    json: { action: "supersede", supersede: { message: "Met" } },
    headers: seen
  })
  yield* ask("contacts.updateNote", onNote, { json: { action: "unarchive" }, headers: { "if-match": "*" } })
  yield* ask("contacts.updateNote", onNote, text)
  yield* ask("contacts.getNote", onNote)
  yield* ask("contacts.getNote", onNote, { headers: { "if-none-match": "*" } })
  const aFile = (content = "x"): RequestOptions => {
    const form = new FormData()
    form.append("file", new Blob([content]), "terms.txt")
    return { form, headers: { "idempotency-key": "file" } }
  }
  const file = yield* ask("contacts.uploadFile", [contact.id], aFile())
  yield* ask("contacts.uploadFile", [contact.id], aFile())
  yield* ask("contacts.uploadFile", [contact.id], aFile("y"))
  yield* ask("contacts.uploadFile", [contact.id], text)
  yield* ask("contacts.uploadFile", [contact.id], { form: new FormData() })
  yield* ask("contacts.listFiles", [contact.id])
  yield* ask("contacts.listFiles", [contact.id], {}, "?cursor=x")
  yield* ask("files.get", [file.id])
  yield* ask("files.get", [file.id], { headers: { "if-none-match": "*" } })
  yield* ask("files.download", [file.id])
  yield* ask("files.download", [file.id], { headers: { range: "bytes=0-0" } })
  yield* ask("files.download", [file.id], { headers: { range: "bytes=9-" } })
  yield* ask("files.download", [file.id], { headers: { "if-none-match": "*" } })
  yield* ask("files.delete", [file.id], { headers: { "if-match": '"v0"' } })
  yield* ask("files.delete", [file.id])
  yield* ask("contacts.listActions", [contact.id], {}, "?include_superseded=true")
  yield* ask("contacts.listActions", [contact.id], {}, "?cursor=x")
  const twin = yield* ask("contacts.create", [], { json: { firstName: "Ann" } })
  yield* ask("contacts.merge", [contact.id], { json: { from: [twin.id] }, headers: { prefer: "dry-run" } })
  yield* ask("contacts.merge", [contact.id], { json: { from: [twin.id, twin.id] } })
  yield* ask("contacts.merge", [contact.id], { json: { from: [twin.id] }, headers: { "if-match": '"v0"' } })
  yield* ask("contacts.merge", [contact.id], { json: { from: [twin.id] } })
  yield* ask("contacts.merge", [twin.id], { json: { from: [contact.id] } })
  yield* ask("contacts.merge", [contact.id], text)
  yield* ask("contacts.update", [twin.id], { json: { tags: ["core"] } })
  yield* ask("contacts.delete", [twin.id])
  for (const id of ["contacts.get", "contacts.listActions", "contacts.listFiles"]) yield* ask(id, [twin.id])
  yield* ask("contacts.getNote", [twin.id, note.id])
  const other = yield* ask("contacts.create", [], { json: { email: "ben@example.com" } })
  yield* ask("contacts.list", [], {}, "?page_size=1")
  yield* ask("contacts.delete", [other.id], { headers: { "if-match": '"v0"' } })
  yield* ask("contacts.delete", [other.id])
  const since = new Date(Date.now() - 86_400_000).toISOString()
  yield* ask("contacts.list", [], {}, `?updated_since=${since}&include_deleted=true`)
  yield* ask("contacts.list", [], {}, "?updated_since=2020-01-01&include_deleted=true")
  yield* ask("contacts.list", [], {}, "?cursor=x")

  const project = yield* ask("projects.create", [], {
    json: {
      name: "Tal",
      ownerId: "me",
      exclusivity: "exclusive",
      externalRefs: [{ namespace: "crm", externalId: "1" }]
    },
    headers: { "idempotency-key": "project" }
  })
  yield* ask("projects.create", [], { json: { name: "Tal" }, headers: { "idempotency-key": "project" } })
  yield* ask("projects.create", [], { json: { name: "Tal", mandate: "other", exclusivity: "other" } })
  yield* ask("projects.create", [], { json: { name: "Tal", externalRefs: [{ namespace: "crm", externalId: "1" }] } })
  yield* ask("projects.create", [], { json: {} })
  yield* ask("projects.create", [], text)
  yield* ask("projects.update", [project.id], { json: { mandate: "other" } })
  yield* ask("projects.update", [project.id], { json: { mandate: "other", exclusivity: "other" } })
  yield* ask("projects.update", [project.id], { json: { name: null } })
  yield* ask("projects.update", [project.id], text)
  yield* ask("projects.update", [project.id], { json: {}, headers: { "if-match": '"v0"' } })
  yield* ask("projects.get", [project.id])
  yield* ask("projects.get", [project.id], { headers: { "if-none-match": "*" } })
  yield* ask("projects.listProperties", [project.id])
  yield* ask("projects.listActions", [project.id])
  for (const id of ["projects.listProperties", "projects.listActions"]) yield* ask(id, [project.id], {}, "?cursor=x")
  for (const id of ["projects.close", "projects.reopen", "projects.restore", "projects.delete", "projects.restore"]) {
    yield* ask(id, [project.id], { headers: { "if-match": '"v0"' } })
    yield* ask(id, [project.id], {}, "?force=true")
    yield* ask(id, [project.id], { headers: { prefer: "dry-run" } })
    yield* ask(id, [project.id])
  }
  yield* ask("projects.delete", [project.id])
  yield* ask("projects.list", [], {}, "?page_size=1")
  yield* ask("projects.list", [], {}, `?updated_since=${since}&include_deleted=true`)
  yield* ask("projects.list", [], {}, "?updated_since=2020-01-01&include_deleted=true")
  yield* ask("projects.list", [], {}, "?cursor=x")
  for (const query of ["", "?types=contact.updated", "?types=contact.renamed", "?after=1000000"]) {
    yield* ask("changes.list", [], {}, query)
  }

  const events = yield* Effect.orDie(sql<{ transactionId: string; at: Date }>`
    select transaction_id::text as "transactionId", occurred_at as at from events where team_id = ${owner.teamId}`)
  for (const { at, transactionId } of events)
    yield* fanOut({ teamId: owner.teamId, transactionId, at: at.toISOString() })
  const log = yield* ask("webhooks.listDeliveries", [hook.id])
  assert.isNotEmpty(log.data)
  yield* ask("webhooks.listDeliveries", [hook.id], {}, "?cursor=x")

  yield* ask("webhooks.rotateSecret", [hook.id])
  yield* ask("webhooks.rotateSecret", [hook.id], { json: { overlap: "7d" }, headers: { "if-match": "*" } })
  yield* ask("webhooks.rotateSecret", [hook.id], { json: { overlap: "8d" } })
  yield* ask("webhooks.rotateSecret", [hook.id], { json: {}, headers: { "if-match": hook.etag } })
  yield* ask("webhooks.rotateSecret", [hook.id], { json: {}, headers: { prefer: "dry-run" } })
  yield* ask("webhooks.rotateSecret", [hook.id], text)
  yield* ask("webhooks.test", [hook.id])
  yield* ask("webhooks.test", [hook.id], { json: { event_type: "contact.renamed" } })
  yield* ask("webhooks.test", [hook.id], text)
  yield* ask("webhooks.update", [hook.id], { json: { status: "paused" } })
  yield* ask("webhooks.test", [hook.id])
  yield* ask("webhooks.update", [hook.id], { json: { url: "ftp://example.com" }, headers: { "if-match": "*" } })
  yield* ask("webhooks.get", [hook.id])
  yield* ask("webhooks.list", [], {}, "?page_size=1")
  for (let count = 0; count < 20; count++) {
    yield* ask("webhooks.create", [], { json: { url: "http://127.0.0.1:9/hook", events: ["contact.created"] } })
  }
  yield* ask("webhooks.list", [])
  yield* ask("webhooks.delete", [hook.id])

  const form = {
    text: "grant_type=x&client_id=y&client_secret=z",
    headers: { "content-type": "application/x-www-form-urlencoded" }
  }
  yield* ask("oauth.issueToken", [], { ...form, token: undefined })

  const expected = [
    "contacts.create 201 400 409 413 415 422",
    "changes.list 200 400 410",
    "contacts.update 200 400 409 412 415",
    "contacts.get 200 301 304",
    "contacts.list 200 400 410",
    "contacts.delete 204 409 412",
    "contacts.merge 200 400 409 412 415",
    "contacts.listActions 200 301 400",
    "contacts.addNote 201 400 415 422",
    "contacts.updateNote 204 400 412 415 428",
    "contacts.getNote 200 301 304",
    "contacts.uploadFile 201 400 415 422",
    "contacts.listFiles 200 301 400",
    "files.get 200 304",
    "files.download 200 206 304 416",
    "files.delete 204 412",
    "projects.create 201 400 409 415 422",
    "projects.update 200 400 412 415 422",
    "projects.get 200 304",
    "projects.list 200 400 410",
    "projects.delete 200 204 400 412",
    "projects.restore 200 400 409 412",
    "projects.close 200 400 412",
    "projects.reopen 200 400 412",
    "projects.listProperties 200 400",
    "projects.listActions 200 400",
    "webhooks.create 201 409",
    "webhooks.rotateSecret 200 400 412 415",
    "webhooks.test 200 400 409 415"
  ]
  for (const line of expected) {
    const [id = "", ...wanted] = line.split(" ")
    for (const status of wanted) assert.include(statuses, `${id} ${status}`)
  }
})
