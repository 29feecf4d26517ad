/** The vocabulary of events, as receivers get it: names beyond the records' types, wildcards, and what causes what. */
import * as MemoryWorker from "../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../support/Tenant.ts"
import * as Receiver from "../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import { Worker } from "../../src/platform/jobs/Worker.ts"
import type { JournalPage } from "../../src/webhooks/changes/Entry.ts"
import type { WebhookWithSecret } from "../../src/webhooks/Webhook.ts"
import { handlers } from "../../workers/handlers.ts"
import { TestService } from "../support/TestService.ts"

type Payload = Readonly<Record<string, unknown>>

const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

/** A tenant, a client of its API, and receivers of its events. */
const aTeam = Effect.gen(function* () {
  const { request } = yield* TestService
  const { drain } = yield* Worker
  const { token } = yield* Tenant.make()

  const ask = Effect.fnUntraced(function* <Body = { readonly id: string }>(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
    form?: FormData
  ) {
    const reply = yield* request<Body>(method, `/api/v1${path}`, {
      token,
      headers,
      ...(form === undefined ? {} : { form }),
      ...(json === undefined ? {} : { json })
    })
    assert.isBelow(reply.status, 300, `${method} ${path} ${reply.text}`)
    return reply
  })

  const idOf = (method: string, path: string, json?: unknown) =>
    Effect.map(ask(method, path, json), ({ body }) => body.id)

  /** A receiver of these events: what it got since the last look, each verified, in the order of the changes. */
  const receiver = Effect.fnUntraced(function* (...events: ReadonlyArray<string>) {
    const { port, received } = yield* Receiver.make((response) => response.writeHead(204).end())
    const { body } = yield* ask<WebhookWithSecret>("POST", "/webhooks", { url: `http://127.0.0.1:${port}/`, events })
    const verified = ({ body: text, headers }: Receiver.Received) => {
      const payload = new Verifier(body.secret).verify(text, {
        "webhook-id": String(headers["webhook-id"]),
        "webhook-timestamp": String(headers["webhook-timestamp"]),
        "webhook-signature": String(headers["webhook-signature"])
      }) as Payload
      assert.strictEqual(headers["x-service-event"], payload["event"])
      return payload
    }
    let seen = 0
    const news = Effect.map(drain, () => {
      const payloads = received.slice(seen).map(verified)
      seen = received.length
      return payloads.sort((a, b) => Number(a["action_id"]) - Number(b["action_id"]))
    })
    return { id: body.id, news, names: Effect.map(news, (payloads) => payloads.map(({ event }) => event)) }
  })

  const listed = Effect.gen(function* () {
    const project = yield* idOf("POST", "/projects", { name: "Quartier" })
    const contact = yield* idOf("POST", "/network/contacts", { firstName: "Maria" })
    const prospect = yield* idOf("POST", `/projects/${project}/prospects`, { contactId: contact })
    return { contact, project, prospect, path: `/projects/${project}/prospects/${prospect}` }
  })

  return { ask, idOf, listed, receiver, drain }
})

/** The members that do not follow from the request. */
const withoutTime = ({ action_id: _, actor_user_id: __, change_initiator: ___, timestamp: ____, ...rest }: Payload) =>
  rest

layer(service, { excludeTestServices: true })("Subscribers to the vocabulary of events", (it) => {
  it.effect("receive owner, tasks, expiry and classification by name, with the ids that lead to the prospect", () =>
    Effect.gen(function* () {
      const { ask, idOf, listed, receiver } = yield* aTeam
      const { contact, path, project, prospect } = yield* listed
      const names = [
        "prospect.owner_changed",
        "prospect.task_added",
        "prospect.task_updated",
        "prospect.task_completed",
        "prospect.classified"
      ]
      const named = yield* receiver(...names)
      const specified = yield* receiver("prospect.updated", "prospect.created")
      yield* ask("PATCH", path, { owner: "me", classification: "bidder" })
      const task = yield* idOf("POST", `${path}/tasks`, { type: "call", dueDate: "1d", note: "Ask about the rent" })
      yield* ask("PATCH", `${path}/tasks/${task}`, { dueDate: "2d", note: "Ask about the lease" })
      yield* ask("POST", `${path}/tasks/${task}/complete`)
      const about = { resource_type: "prospect", resource_id: prospect, project_id: project, contact_id: contact }
      assert.deepStrictEqual((yield* named.news).map(withoutTime), [
        {
          event: "prospect.classified",
          ...about,
          action: { type: "classified", from: "not_contacted", to: "bidder" }
        },
        { event: "prospect.owner_changed", ...about, changed_fields: ["owner"] },
        { event: "prospect.task_added", ...about, task_id: task },
        { event: "prospect.task_updated", ...about, changed_fields: ["due_date", "note"], task_id: task },
        { event: "prospect.task_completed", ...about, task_id: task }
      ])
      // A webhook that names the types of records receives what it always did.
      assert.deepStrictEqual(
        (yield* specified.news).map(({ action }) => (action as { readonly type: string }).type),
        ["classified", "interest_changed"]
      )
    })
  )

  it.effect("receive notes and files without their text", () =>
    Effect.gen(function* () {
      const { ask, idOf, listed, receiver } = yield* aTeam
      const { contact, path, project, prospect } = yield* listed
      const { news } = yield* receiver("note.*", "file.*")
      const note = yield* idOf("POST", `/network/contacts/${contact}/notes`, { message: "Secret" })
      const about = (id: string, more: object) => ({ resource_type: "note", resource_id: id, ...more })
      const ofContact = { contact_id: contact }
      assert.deepStrictEqual((yield* news).map(withoutTime), [{ event: "note.created", ...about(note, ofContact) }])

      const revise = (id: string, etag: string, json: object) =>
        ask("PATCH", `/network/contacts/${contact}/notes/${id}`, json, { "if-match": etag })
      const superseded = yield* revise(note, '"v1"', { action: "supersede", supersede: { message: "Secret, too" } })
      const successor = superseded.headers.get("location")?.split("/").at(-1) ?? ""
      assert.deepStrictEqual((yield* news).map(withoutTime), [
        { event: "note.superseded", ...about(note, ofContact), action: { type: "superseded", to: successor } },
        {
          event: "note.created",
          ...about(successor, ofContact),
          caused_by: { event: "note.superseded", resource_id: note }
        }
      ])
      yield* revise(successor, '"v1"', { action: "archive" })
      yield* revise(successor, '"v2"', { action: "unarchive" })
      const onProspect = yield* idOf("POST", `${path}/notes`, { message: "Secret" })
      const form = new FormData()
      form.append("file", new Blob(["x"], { type: "text/plain" }), "secret.txt")
      const uploaded = yield* ask("POST", `/network/contacts/${contact}/files`, undefined, {}, form)
      const file = uploaded.body.id
      yield* ask("DELETE", `/files/${file}`)
      assert.deepStrictEqual((yield* news).map(withoutTime), [
        { event: "note.archived", ...about(successor, ofContact) },
        { event: "note.unarchived", ...about(successor, ofContact) },
        { event: "note.created", ...about(onProspect, { prospect_id: prospect, project_id: project }) },
        { event: "file.uploaded", resource_type: "file", resource_id: file, ...ofContact },
        { event: "file.deleted", resource_type: "file", resource_id: file, ...ofContact }
      ])
    })
  )

  it.effect("receive each event once, whether a name, a first part or everything asks for it", () =>
    Effect.gen(function* () {
      const { ask, idOf, listed, receiver } = yield* aTeam
      const everything = yield* receiver("*", "contact.*", "contact.created")
      const { path, project } = yield* listed
      assert.deepStrictEqual(yield* everything.names, ["project.created", "contact.created", "prospect.created"])
      const prospects = yield* receiver("prospect.*")
      yield* ask("PATCH", path, { interest: "maybe" })
      yield* idOf("POST", `/projects/${project}/close`)
      assert.deepStrictEqual(yield* prospects.names, ["prospect.updated", "prospect.interest_changed"])
      assert.deepStrictEqual(yield* everything.names, [
        "prospect.updated",
        "prospect.interest_changed",
        "project.updated",
        "project.closed"
      ])
      // A wildcard is a subscription like others: it can be replaced.
      yield* ask("PATCH", `/webhooks/${prospects.id}`, { events: ["prospect.restored"] })
      yield* ask("POST", `/projects/${project}/reopen`)
      yield* ask("POST", `${path}/remove`)
      yield* ask("POST", `${path}/restore`)
      assert.deepStrictEqual(yield* prospects.names, ["prospect.restored"])
    })
  )

  it.effect("find the same in the journal, which shows the types of records unless it is asked for more", () =>
    Effect.gen(function* () {
      const { ask, listed } = yield* aTeam
      const { path } = yield* listed
      yield* ask("PATCH", path, { interest: "maybe", owner: "me" })
      const read = (query: string) =>
        Effect.map(ask<JournalPage>("GET", `/changes${query}`), ({ body }) => ({
          events: body.data.map(({ event, seq }) => `${seq} ${event}`),
          nextAfter: body.page.nextAfter
        }))
      const records = ["1 project.created", "2 contact.created", "3 prospect.created", "4 prospect.updated"]
      const further = ["5 prospect.interest_changed", "6 prospect.owner_changed"]
      assert.deepStrictEqual(yield* read(""), { events: records, nextAfter: 6 })
      assert.deepStrictEqual(yield* read("?types=*"), { events: [...records, ...further], nextAfter: 6 })
      assert.deepStrictEqual((yield* read("?types=prospect.*")).events, [...records.slice(2), ...further])
      assert.deepStrictEqual((yield* read("?types=prospect.owner_changed,project.*")).events, [records[0], further[1]])
    })
  )

  it.effect("learn from each event that follows from another one which event that was", () =>
    Effect.gen(function* () {
      const { ask, idOf, receiver } = yield* aTeam
      const { news } = yield* receiver("*")
      const company = () => idOf("POST", "/network/companies?force=true", { name: "Rossi" })
      const contact = (json: object = {}) => idOf("POST", "/network/contacts", { firstName: "Maria", ...json })
      /** A contact with a link and a prospect of `project`, with what they hang on. */
      const connected = Effect.fnUntraced(function* (project: string) {
        const employer = yield* company()
        const person = yield* contact({ primaryCompanyId: employer })
        const link = yield* idOf("POST", "/network/links", { contactId: person, companyId: employer })
        const prospect = yield* idOf("POST", `/projects/${project}/prospects`, { contactId: person })
        yield* idOf("POST", `/projects/${project}/prospects`, { companyId: employer })
        return { employer, link, person, prospect }
      })
      const project = yield* idOf("POST", "/projects", { name: "Quartier" })
      const other = yield* idOf("POST", "/projects", { name: "Halle" })
      const [a, b, c, d] = [
        yield* connected(project),
        yield* connected(project),
        yield* connected(project),
        yield* connected(other)
      ]
      const prospects = `/projects/${project}/prospects`
      const requests: ReadonlyArray<{
        readonly ask: Effect.Effect<unknown>
        /** The roots of the request, with how many events follow from each. */
        readonly roots: Readonly<Record<string, number>>
      }> = [
        {
          ask: ask("POST", `${prospects}/classify`, {
            prospectIds: [a.prospect, b.prospect],
            classification: "bidder",
            note: "Called"
          }),
          // A note, and the interest by two names.
          roots: { [`prospect.updated ${a.prospect}`]: 3, [`prospect.updated ${b.prospect}`]: 3 }
        },
        // A link, its contact, and the prospect that is the company.
        { ask: ask("DELETE", `/network/companies/${a.employer}`), roots: { [`company.deleted ${a.employer}`]: 4 } },
        {
          ask: ask("POST", "/network/contacts/batch/delete", { ids: [a.person, b.person] }),
          // A prospect by two names, and a link of the second.
          roots: { [`contact.deleted ${a.person}`]: 2, [`contact.deleted ${b.person}`]: 3 }
        },
        {
          ask: ask("POST", `/network/companies/${b.employer}/merge`, { from: [c.employer] }),
          // The other company, the contact, the link and the prospect.
          roots: { [`company.updated ${b.employer}`]: 4 }
        },
        { ask: ask("DELETE", `/projects/${other}`), roots: { [`project.deleted ${other}`]: 2 } },
        { ask: ask("DELETE", `/network/contacts/${d.person}`), roots: { [`contact.deleted ${d.person}`]: 1 } },
        { ask: ask("POST", `/projects/${other}/restore`), roots: { [`project.restored ${other}`]: 2 } },
        { ask: ask("POST", `/projects/${other}/close`), roots: { [`project.updated ${other}`]: 0 } },
        { ask: ask("DELETE", `/network/companies/${d.employer}`), roots: { [`company.deleted ${d.employer}`]: 0 } },
        { ask: ask("POST", `/projects/${other}/reopen`), roots: { [`project.updated ${other}`]: 2 } }
      ]
      yield* news
      for (const { ask: request, roots } of requests) {
        yield* request
        const events = yield* news
        const followed = new Map(Object.keys(roots).map((root) => [root, 0]))
        const ownResources = new Set(Object.keys(roots).map((root) => root.split(" ")[1]))
        for (const { caused_by, event, resource_id } of events) {
          const shown = `${JSON.stringify(roots)} ${String(event)}`
          if (caused_by === undefined) assert.isTrue(ownResources.has(String(resource_id)), shown)
          else {
            const cause = caused_by as { readonly event: string; readonly resource_id: string }
            const root = `${cause.event} ${cause.resource_id}`
            assert.isTrue(followed.has(root), `${shown} by ${root}`)
            followed.set(root, (followed.get(root) ?? 0) + 1)
          }
        }
        assert.deepStrictEqual(Object.fromEntries(followed), roots)
        // The event that a cause names is one of them.
        const emitted = events.map(({ event, resource_id }) => `${String(event)} ${String(resource_id)}`)
        for (const root of followed.keys()) assert.include(emitted, root)
      }
    })
  )
})
