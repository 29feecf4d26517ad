import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Project } from "../../../src/deals/projects/Project.ts"
import { faultsOf } from "../../support/faults.ts"
import { typesAndIds } from "../../support/RecordsClient.ts"
import * as Tenant from "../../support/Tenant.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import { make, path } from "./ProjectsClient.ts"

const refused = (reply: Reply<unknown>) => [reply.status, (reply.body as { readonly code?: string }).code]

layer(TestService.layer, { excludeTestServices: true })("Projects", (it) => {
  it.effect("are created as drafts, and read back", () =>
    Effect.gen(function* () {
      const { create, get, user } = yield* make()
      const externalRefs = [{ namespace: "crm", externalId: "1" }]
      const created = yield* create({
        name: " Tal ",
        description: "Four warehouses",
        isPortfolio: true,
        propertyCount: 4,
        propertyIds: [],
        exclusivity: "exclusive",
        ownerId: "me",
        externalRefs
      })
      assert.strictEqual(created.status, 201, created.text)
      const { body } = created
      assert.match(body.id, /^project_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.strictEqual(created.headers.get("location"), `${path}/${body.id}`)
      assert.strictEqual(created.headers.get("etag"), body.etag)
      assert.deepStrictEqual(body, {
        id: body.id,
        name: "Tal",
        description: "Four warehouses",
        isPortfolio: true,
        propertyCount: 4,
        propertyIds: [],
        exclusivity: "exclusive",
        mandate: "exclusive",
        status: "draft",
        ownerId: user,
        sellerContactId: null,
        externalRefs,
        publishedUtc: null,
        communicatedUtc: null,
        closedUtc: null,
        createdUtc: body.createdUtc,
        updatedUtc: body.createdUtc,
        etag: body.etag,
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      assert.deepStrictEqual((yield* get(body.id)).body, body)
      assert.strictEqual((yield* get(body.id, { "if-none-match": body.etag })).status, 304)
      const least = (yield* create({ name: "Berg" })).body
      assert.deepInclude(least, {
        description: null,
        isPortfolio: false,
        propertyCount: null,
        propertyIds: [],
        exclusivity: null,
        mandate: null,
        ownerId: null,
        sellerContactId: null,
        externalRefs: []
      })
    })
  )

  it.effect("are rejected with all faults at once", () =>
    Effect.gen(function* () {
      const { create, made, patch } = yield* make()
      assert.deepStrictEqual(faultsOf(yield* create({})), ["body /name required"])
      assert.deepStrictEqual(
        faultsOf(
          yield* create(
            {
              name: " ",
              description: "",
              isPortfolio: null,
              propertyCount: -1,
              propertyIds: null,
              exclusivity: "both",
              mandate: 1,
              ownerId: 2,
              status: "open",
              closedUtc: null,
              nmae: "Tal",
              externalRefs: [{}]
            },
            {},
            "?force=true"
          ).pipe(Effect.tap(({ status }) => Effect.sync(() => assert.strictEqual(status, 422))))
        ),
        ["body /mandate excluded"]
      )
      const faulty = {
        name: " ",
        description: "",
        isPortfolio: null,
        propertyCount: 1.5,
        propertyIds: null,
        exclusivity: "both",
        ownerId: 2,
        status: "open",
        nmae: "Tal"
      }
      assert.sameMembers(
        [...faultsOf(yield* create(faulty, {}, "?force=true"))],
        [
          "query /force unknown_parameter",
          "body /name blank",
          "body /description blank",
          "body /isPortfolio wrong_type",
          "body /propertyCount invalid",
          "body /propertyIds wrong_type",
          "body /exclusivity not_allowed",
          "body /ownerId wrong_type",
          "body /status read_only",
          "body /nmae unknown_member"
        ]
      )
      for (const propertyCount of [-1, 2_147_483_648]) {
        assert.deepStrictEqual(faultsOf(yield* create({ name: "Tal", propertyCount })), [
          "body /propertyCount out_of_range"
        ])
      }
      const { id } = yield* made({ propertyCount: 2_147_483_647 })
      assert.deepStrictEqual(faultsOf(yield* patch(id, { name: null, status: "closed", roomOpenedUtc: null })), [
        "body /status read_only",
        "body /roomOpenedUtc unknown_member",
        "body /name wrong_type"
      ])
    })
  )

  it.effect("belong to active members of the team only, and have no properties yet", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { create, get, made, patch, teamId, user, userId } = yield* make()
      const [stranger, invited] = [yield* Tenant.make(), yield* Tenant.make()]
      const join = (who: string, status: string) =>
        Effect.orDie(sql`
          insert into memberships (team_id, user_id, role, status, is_primary, joined_at, sort_name)
          values (${teamId}, ${who}, 'member', ${status}, false, now(), 'ben')`)
      yield* join(invited.userId, "pending")
      const colleague = yield* Tenant.make()
      yield* join(colleague.userId, "active")
      const { id } = yield* made({ ownerId: colleague.user })
      for (const ownerId of [stranger.user, invited.user, id, "somebody", "ME", ""]) {
        const asked = [yield* create({ name: "Tal", ownerId }), yield* patch(id, { ownerId })]
        for (const reply of asked) {
          assert.deepStrictEqual([reply.status, faultsOf(reply)], [400, ["body /ownerId invalid_reference"]], ownerId)
        }
      }
      assert.deepStrictEqual(faultsOf(yield* create({ name: "Tal", ownerId: "nobody", propertyIds: ["a", id] })), [
        "body /ownerId invalid_reference",
        "body /propertyIds/0 invalid_reference",
        "body /propertyIds/1 invalid_reference"
      ])
      // A user who left the team stays the owner until another one is set.
      yield* sql`delete from memberships where team_id = ${teamId} and user_id = ${colleague.userId}`
      assert.strictEqual((yield* patch(id, { name: "Berg", ownerId: colleague.user })).body.ownerId, colleague.user)
      assert.strictEqual((yield* patch(id, { ownerId: "me" })).body.ownerId, user)
      const { etag } = (yield* get(id)).body
      assert.strictEqual((yield* patch(id, { ownerId: "me" })).body.etag, etag)
      assert.isNull((yield* patch(id, { ownerId: null })).body.ownerId)
      assert.isString(userId)
    }).pipe(Effect.orDie)
  )

  it.effect("have one exclusivity under two names, one of which is deprecated", () =>
    Effect.gen(function* () {
      const {
        baseUrl,
        close,
        create,
        events,
        get,
        list,
        made,
        patch,
        properties,
        reopen,
        delete: remove,
        request,
        restore
      } = yield* make()
      const both = { mandate: "exclusive", exclusivity: "exclusive" }
      for (const reply of [yield* create({ name: "Tal", ...both }), yield* create(both)]) {
        assert.deepStrictEqual(
          [refused(reply), faultsOf(reply)],
          [[422, "validation_failed"], ["body /mandate excluded"]]
        )
      }
      const exclusivity = (reply: Reply<Project>) => [reply.status, reply.body.exclusivity, reply.body.mandate]
      assert.deepStrictEqual(exclusivity(yield* create({ name: "A", mandate: "other" })), [201, "other", "other"])
      assert.deepStrictEqual(exclusivity(yield* create({ name: "B", mandate: "other", exclusivity: null })), [
        201,
        "other",
        "other"
      ])
      const project = yield* made({ mandate: null, exclusivity: "exclusive" })
      assert.deepStrictEqual([project.exclusivity, project.mandate], ["exclusive", "exclusive"])
      const { id } = project
      assert.deepStrictEqual(refused(yield* patch(id, { mandate: "other", exclusivity: "other" })), [
        422,
        "validation_failed"
      ])
      assert.strictEqual((yield* patch(id, { mandate: "exclusive" })).body.etag, project.etag)
      assert.deepStrictEqual(exclusivity(yield* patch(id, { mandate: "other" })), [200, "other", "other"])
      assert.deepStrictEqual((yield* events).at(-1)?.["changed_fields"], ["mandate", "exclusivity"])
      assert.deepStrictEqual(exclusivity(yield* patch(id, { mandate: null })), [200, null, null])
      // A client can send back what it read, without the deprecated name.
      const { mandate: _, ...read } = (yield* get(id)).body
      assert.strictEqual((yield* patch(id, { ...read, exclusivity: "non_exclusive" })).body.mandate, "non_exclusive")
      const explained = `<${baseUrl}/docs>; rel="deprecation"; type="text/html"`
      const deprecationHeaders = (reply: Reply<unknown>) => [
        reply.headers.get("deprecation"),
        reply.headers.get("link")
      ]
      for (const reply of [
        yield* get(id),
        yield* list(),
        yield* create({ name: "C" }, { "idempotency-key": "c" }),
        yield* create({ name: "C" }, { "idempotency-key": "c" }),
        yield* patch(id, { name: "Berg" }),
        yield* close(id),
        yield* reopen(id)
      ]) {
        assert.deepStrictEqual(deprecationHeaders(reply), ["@1780272000", explained])
      }
      const paged = yield* list("?page_size=1")
      const next = `<${baseUrl}${path}?page_size=1&cursor=${paged.body.page.nextCursor}>; rel="next"`
      assert.deepStrictEqual(deprecationHeaders(paged), ["@1780272000", `${next}, ${explained}`])
      assert.deepStrictEqual(deprecationHeaders(yield* properties(id)), [null, null])
      assert.deepStrictEqual(deprecationHeaders(yield* remove(id)), [null, null])
      assert.deepStrictEqual(deprecationHeaders(yield* restore(id)), ["@1780272000", explained])
      interface Schema {
        readonly properties?: { readonly [member: string]: object }
        readonly allOf?: ReadonlyArray<Schema>
        readonly $ref?: string
      }
      interface Document {
        readonly components: { readonly schemas: { readonly [name: string]: Schema } }
      }
      const { schemas } = (yield* request<Document>("GET", "/openapi.json")).body.components
      const propertiesOf = ({ $ref = "", allOf = [], properties }: Schema): { readonly [member: string]: object } => {
        const target = schemas[$ref.replace("#/components/schemas/", "")]
        const parts = target === undefined ? allOf : [target]
        return Object.assign({ ...properties }, ...parts.map((part) => propertiesOf(part)))
      }
      for (const name of ["Project", "ProjectCreate", "ProjectPatch"]) {
        const members = propertiesOf(schemas[name] ?? {})
        assert.propertyVal(members["mandate"], "deprecated", true)
        assert.notProperty(members["exclusivity"], "deprecated")
      }
    })
  )

  it.effect("reject in the order of all resources", () =>
    Effect.gen(function* () {
      const { close, made, patch, delete: remove, request, reopen, restore, token } = yield* make()
      const { etag, id } = yield* made()
      const stale = { "if-match": '"v0"' }
      const both = { mandate: "other", exclusivity: "other" }
      const nobody = "project_01kb3n7x2ferwt5z8q4j6m9d0c"
      const sent = (to: string, headers: Record<string, string>, text: string) =>
        request("PATCH", `${path}/${to}`, { token, text, headers })
      const json = { "content-type": "application/json" }
      assert.deepStrictEqual(refused(yield* sent(nobody, { ...stale, "content-type": "text/plain" }, "{")), [
        404,
        "not_found"
      ])
      assert.deepStrictEqual(refused(yield* sent(id, { ...stale, "content-type": "text/plain" }, "{")), [
        415,
        "unsupported_media_type"
      ])
      assert.deepStrictEqual(refused(yield* sent(id, { ...stale, ...json }, "{")), [400, "malformed_json"])
      assert.deepStrictEqual(refused(yield* patch(id, both, stale, "?x=1")), [412, "precondition_failed"])
      assert.deepStrictEqual(refused(yield* patch(id, both, { "if-match": etag }, "?x=1")), [422, "validation_failed"])
      assert.deepStrictEqual(refused(yield* patch(id, { name: "" }, { "if-match": etag })), [400, "invalid_request"])
      for (const move of [close, reopen, remove, restore]) {
        assert.deepStrictEqual(refused(yield* move(nobody, stale, "?x=1")), [404, "not_found"])
        assert.deepStrictEqual(refused(yield* move(id, stale, "?x=1")), [412, "precondition_failed"])
        assert.deepStrictEqual(refused(yield* move(id, { "if-match": "v1" })), [400, "invalid_request"])
        assert.deepStrictEqual(faultsOf(yield* move(id, {}, "?x=1")), ["query /x unknown_parameter"])
      }
    })
  )

  it.effect("are created once per idempotency key", () =>
    Effect.gen(function* () {
      const { create, events, list } = yield* make()
      const key = { "idempotency-key": "one" }
      const first = yield* create({ name: "Tal", ownerId: "me" }, key)
      const again = yield* create({ ownerId: "me", name: "Tal" }, key)
      assert.deepStrictEqual([again.status, again.headers.get("idempotency-replayed")], [201, "true"])
      assert.deepStrictEqual(again.body, first.body)
      assert.deepStrictEqual(refused(yield* create({ name: "Berg" }, key)), [422, "idempotency_key_reused"])
      assert.lengthOf((yield* list()).body.data, 1)
      assert.lengthOf(yield* events, 1)
    })
  )

  it.effect("emit events with exact payloads, and write timeline rows", () =>
    Effect.gen(function* () {
      const { actions, close, create, events, patch, delete: remove, reopen, restore, user } = yield* make()
      const { id } = (yield* create({ name: "Tal", externalRefs: [{ namespace: "crm", externalId: "1" }] })).body
      yield* patch(id, { description: "Four warehouses" })
      yield* patch(id, { name: "Berg", isPortfolio: true, propertyCount: 3, exclusivity: "other" })
      yield* patch(id, { name: "Berg" })
      yield* close(id)
      yield* reopen(id)
      yield* remove(id)
      yield* restore(id)
      const payloads = yield* events
      const payload = (event: string, extras: object) => ({
        event,
        resource_type: "project",
        resource_id: id,
        actor_user_id: user,
        change_initiator: null,
        ...extras
      })
      assert.deepStrictEqual(
        payloads.map(({ action_id: _, timestamp: __, ...rest }) => rest),
        [
          payload("project.created", {}),
          payload("project.updated", { changed_fields: ["description"] }),
          payload("project.updated", {
            changed_fields: ["name", "is_portfolio", "property_count", "mandate", "exclusivity"]
          }),
          payload("project.updated", { changed_fields: ["closed_at"], action: { type: "closed" } }),
          payload("project.updated", { changed_fields: ["closed_at"], action: { type: "reopened" } }),
          payload("project.deleted", { external_refs: [{ namespace: "crm", id: "1" }] }),
          payload("project.restored", {})
        ]
      )
      const rows = (yield* actions(id)).body.data
      assert.deepStrictEqual(
        rows.map(({ event, type }) => `${String(type)} ${String(event)}`),
        [
          "audit project.restored",
          "audit project.deleted",
          "audit project.reopened",
          "audit project.closed",
          "audit project.updated",
          "audit project.updated",
          "audit project.created"
        ]
      )
      assert.deepStrictEqual(rows[5]?.["details"], { kind: "audit", changedFields: ["description"] })
      assert.lengthOf((yield* actions(id, "?type=notes")).body.data, 0)
    })
  )

  it.effect("are found by their external references, and each belongs to one of them", () =>
    Effect.gen(function* () {
      const { create, list, made, patch, delete: remove } = yield* make()
      const externalRefs = [{ namespace: "crm", externalId: "1:2" }]
      const first = yield* made({ externalRefs })
      const second = yield* made()
      for (const reply of [yield* create({ name: "Berg", externalRefs }), yield* patch(second.id, { externalRefs })]) {
        assert.deepStrictEqual(refused(reply), [409, "external_reference_taken"])
        assert.strictEqual(reply.body["holderId" as keyof typeof reply.body], first.id)
      }
      assert.deepStrictEqual(
        (yield* list("?external_ref=crm:1:2")).body.data.map(({ id }) => id),
        [first.id]
      )
      assert.deepStrictEqual((yield* list("?external_ref=crm:3")).body.data, [])
      yield* remove(first.id)
      assert.deepStrictEqual((yield* patch(second.id, { externalRefs })).body.externalRefs, externalRefs)
    })
  )

  it.effect("are listed in pages, and in deltas with tombstones", () =>
    Effect.gen(function* () {
      const { close, delta, list, made, patch, delete: remove, restore } = yield* make()
      const [a, b, c] = [yield* made({ name: "a" }), yield* made({ name: "b" }), yield* made({ name: "c" })]
      const first = (yield* list("?page_size=2")).body
      assert.deepStrictEqual(
        first.data.map(({ id }) => id),
        [a.id, b.id]
      )
      const rest = (yield* list(`?page_size=2&cursor=${first.page.nextCursor}`)).body
      assert.deepStrictEqual([rest.data.map(({ id }) => id), rest.page.hasMore], [[c.id], false])
      yield* patch(b.id, { name: "d", ownerId: "me", externalRefs: [{ namespace: "crm", externalId: "1" }] })
      yield* close(a.id)
      yield* remove(b.id)
      assert.deepStrictEqual(
        (yield* list()).body.data.map(({ id }) => id),
        [a.id, c.id]
      )
      const { data } = (yield* delta()).body
      assert.deepStrictEqual(
        data.map(({ id }) => id),
        [c.id, a.id, b.id]
      )
      const tombstone = data[2]
      assert.deepStrictEqual(tombstone, {
        id: b.id,
        name: null,
        description: null,
        isPortfolio: null,
        propertyCount: null,
        propertyIds: [],
        exclusivity: null,
        mandate: null,
        status: null,
        ownerId: null,
        sellerContactId: null,
        externalRefs: [{ namespace: "crm", externalId: "1" }],
        publishedUtc: null,
        communicatedUtc: null,
        closedUtc: null,
        createdUtc: b.createdUtc,
        updatedUtc: tombstone?.updatedUtc ?? "",
        etag: '"v3"',
        changeType: "deleted",
        changeOrigin: "api",
        deletedUtc: tombstone?.updatedUtc ?? ""
      })
      assert.deepStrictEqual(
        (yield* delta("?updated_since=1970-01-01")).body.data.map(({ id }) => id),
        [c.id, a.id]
      )
      yield* restore(b.id)
      const restored = (yield* delta(`?updated_since=${tombstone?.updatedUtc}&include_deleted=true`)).body.data
      assert.deepStrictEqual(
        restored.map(({ changeType, deletedUtc, id, name }) => [id, name, changeType, deletedUtc]),
        [[b.id, "d", "restored", null]]
      )
    })
  )

  it.effect("follow the merge of their seller in any state, each with its own version, row and event", () =>
    Effect.gen(function* () {
      const { actions, close, contacts, delete: remove, events, get, made, request, restore, token } = yield* make()
      const contact = (lastName: string) => Effect.map(contacts.create({ lastName }), ({ body }) => body.id)
      const [gone, survivor] = [yield* contact("Berg"), yield* contact("Dahl")]
      const [open, closed, deleted] = [
        yield* made({ sellerContactId: gone }),
        yield* made({ sellerContactId: gone }),
        yield* made({ sellerContactId: gone })
      ]
      yield* close(closed.id)
      yield* remove(deleted.id)
      const before = (yield* events).length
      const merged = yield* request("POST", `/api/v1/network/contacts/${survivor}/merge`, {
        token,
        json: { from: [gone] }
      })
      assert.strictEqual(merged.status, 200, merged.text)
      const after = (yield* get(open.id)).body
      assert.deepStrictEqual([after.sellerContactId, after.etag], [survivor, '"v2"'])
      assert.strictEqual((yield* get(closed.id)).body.sellerContactId, survivor)
      const emitted = (yield* events).slice(before).filter(({ event }) => event === "project.updated")
      assert.sameDeepMembers(
        emitted.map(({ caused_by, changed_fields, resource_id }) => [resource_id, changed_fields, caused_by]),
        [open.id, closed.id].map((id) => [
          id,
          ["seller_contact_id"],
          { event: "contact.updated", resource_id: survivor }
        ])
      )
      const [row] = (yield* actions(open.id)).body.data
      assert.deepInclude(row, { event: "project.updated" })
      assert.strictEqual((yield* restore(deleted.id)).body.sellerContactId, survivor)
    })
  )

  it.effect(
    "lose a seller who is deleted; closed ones when they are reopened, deleted ones when they are restored",
    () =>
      Effect.gen(function* () {
        const { close, contacts, delete: remove, events, get, made, reopen, restore } = yield* make()
        const seller = (yield* contacts.create({ lastName: "Berg" })).body.id
        const [open, closed, deleted] = [
          yield* made({ sellerContactId: seller }),
          yield* made({ sellerContactId: seller }),
          yield* made({ sellerContactId: seller })
        ]
        yield* close(closed.id)
        yield* remove(deleted.id)
        assert.strictEqual((yield* contacts.delete(seller)).status, 204)
        const after = (yield* get(open.id)).body
        assert.deepStrictEqual([after.sellerContactId, after.etag], [null, '"v2"'])
        assert.deepInclude(
          (yield* events).find(({ event, resource_id }) => event === "project.updated" && resource_id === open.id),
          {
            changed_fields: ["seller_contact_id"],
            caused_by: { event: "contact.deleted", resource_id: seller }
          }
        )
        assert.strictEqual((yield* get(closed.id)).body.sellerContactId, seller)
        assert.strictEqual((yield* reopen(closed.id)).body.sellerContactId, null)
        assert.strictEqual((yield* restore(deleted.id)).body.sellerContactId, null)
      })
  )

  it.effect("run every write as a dry run without leaving a trace", () =>
    Effect.gen(function* () {
      const { close, create, events, get, made, delete: remove, reopen } = yield* make()
      const dry = { prefer: "dry-run" }
      const report = (reply: Reply<unknown>) => {
        const { affected, wouldAnswer, ...rest } = reply.body as Record<string, unknown>
        return [reply.status, wouldAnswer, rest["events"], affected]
      }
      const project = yield* made()
      const { id } = project
      const would = (status: number, change: string, ...events: ReadonlyArray<string>) => [
        200,
        status,
        events.map((event) => ({ event, resource_id: id })),
        [{ type: "project", id, change }]
      ]
      assert.deepStrictEqual(report(yield* close(id, dry)), would(200, "updated", "project.updated", "project.closed"))
      assert.deepStrictEqual(report(yield* remove(id, dry)), would(204, "deleted", "project.deleted"))
      assert.deepStrictEqual(report(yield* reopen(id, dry)), [200, 200, [], []])
      assert.strictEqual((yield* create({ name: "Berg" }, dry)).status, 200)
      assert.deepStrictEqual((yield* get(id)).body, project)
      assert.deepStrictEqual(typesAndIds(yield* events), [`project.created ${id}`])
    })
  )

  it.effect("have a list of properties, which is empty, and whose cursors are checked", () =>
    Effect.gen(function* () {
      const { made, properties } = yield* make()
      const { id } = yield* made()
      const reply = yield* properties(id, "?page_size=10")
      assert.deepStrictEqual(reply.body, { data: [], page: { nextCursor: null, pageSize: 10, hasMore: false } })
      assert.deepStrictEqual(refused(yield* properties(id, "?cursor=abc")), [400, "invalid_cursor"])
      assert.deepStrictEqual(refused(yield* properties(id, "?page_sze=1")), [400, "invalid_request"])
    })
  )
})
