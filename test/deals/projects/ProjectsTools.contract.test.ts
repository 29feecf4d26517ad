import { assert, layer } from "@effect/vitest"
import { Effect, Struct } from "effect"
import * as Agent from "../../support/Agent.ts"
import { TestService } from "../../support/TestService.ts"
import * as ProjectsClient from "./ProjectsClient.ts"

const world = Effect.gen(function* () {
  const client = yield* ProjectsClient.make()
  const agent = yield* Agent.make(client.token)
  const property = Effect.map(
    client.request<{ readonly id: string }>("POST", "/api/v1/properties", {
      token: client.token,
      json: { name: "Tower", externalRefs: [{ namespace: "crm", externalId: "tower" }] }
    }),
    ({ body }) => body.id
  )
  return { ...client, agent, property }
})

layer(TestService.layer, { excludeTestServices: true })("The tools of projects", (it) => {
  it.effect("read and write a project as REST does, by its id or an external reference", () =>
    Effect.gen(function* () {
      const { agent, contacts, get, list, property, user } = yield* world
      const { id: seller } = (yield* contacts.create({ email: "anna@rossi.example" })).body
      const tower = yield* property
      const made = yield* agent.call("create_project", {
        name: "Portfolio",
        exclusivity: "exclusive",
        ownerId: "me",
        sellerContact: "email=anna@rossi.example",
        properties: ["ext=crm:tower"],
        externalRefs: ["crm:7"]
      })
      const { id } = made.structured
      const { body } = yield* get(id)
      assert.deepInclude(body, { status: "draft", ownerId: user, sellerContactId: seller, propertyIds: [tower] })
      for (const project of [id, `id=${id}`, "ext=crm:7"]) {
        const { structured } = yield* agent.call("get_project", { project })
        assert.deepStrictEqual(Struct.omit(structured, ["untrusted"]) as object, {
          ...Struct.omit(body, ["mandate", "changeType", "changeOrigin", "deletedUtc"]),
          externalRefs: ["crm:7"]
        })
      }
      const concise = yield* agent.call("list_projects")
      const { data } = (yield* list()).body
      assert.deepStrictEqual(
        concise.structured["projects"],
        data.map((row) => Struct.pick(row, ["id", "name", "status", "exclusivity", "ownerId", "propertyCount"]))
      )
      const changed = yield* agent.call("update_project", {
        project: "ext=crm:7",
        sellerContact: null,
        ownerId: null,
        properties: []
      })
      const after = (yield* get(id)).body
      assert.strictEqual(after.etag, changed.structured.etag)
      assert.deepInclude(after, { sellerContactId: null, ownerId: null, propertyIds: [] })
    })
  )

  it.effect("change a project only while it has the entity tag, and nothing in a preview", () =>
    Effect.gen(function* () {
      const { agent, get, made } = yield* world
      const { etag, id } = yield* made()
      const preview = yield* agent.call("update_project", { project: id, name: "Berg", preview: true })
      assert.strictEqual(preview.structured["name"], "Berg")
      assert.deepStrictEqual(preview.structured.preview?.events, ["project.updated"])
      assert.strictEqual((yield* get(id)).body.etag, etag)
      const written = yield* agent.call("update_project", { project: id, name: "Berg", etag })
      const stale = yield* agent.call("update_project", { project: id, name: "See", etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      assert.strictEqual(stale.structured.error.currentEtag, written.structured.etag)
    })
  )

  it.effect("add a project once for an idempotency key", () =>
    Effect.gen(function* () {
      const { agent, list } = yield* world
      const args = { name: "Portfolio", idempotencyKey: "a-project-once" }
      const [first, again] = [yield* agent.call("create_project", args), yield* agent.call("create_project", args)]
      assert.deepStrictEqual(again.structured, first.structured)
      assert.lengthOf((yield* list()).body.data, 1)
      const other = yield* agent.call("create_project", { ...args, name: "Other" })
      assert.strictEqual(other.structured.error.code, "idempotency_key_reused")
    })
  )

  it.effect("name the argument that is wrong, and what finds a record", () =>
    Effect.gen(function* () {
      const { agent, contacts, property } = yield* world
      const { id: contact } = (yield* contacts.create({ firstName: "Anna" })).body
      const refusal = (args: object) =>
        Effect.map(agent.call("create_project", { name: "Portfolio", ...args }), ({ structured }) => {
          const [fault] = structured.error.errors ?? []
          return { code: structured.error.code, argument: fault?.argument, fault: fault?.code, error: structured.error }
        })
      assert.deepInclude(yield* refusal({ mandate: "exclusive" }), { argument: "mandate", fault: "unknown_member" })
      assert.deepInclude(yield* refusal({ exclusivity: "exclusiv" }), { argument: "exclusivity" })
      assert.deepInclude(yield* refusal({ ownerId: "Anna" }), { argument: "ownerId", fault: "invalid_reference" })
      const missing = yield* refusal({ sellerContact: "email=nobody@rossi.example" })
      assert.strictEqual(missing.code, "not_found")
      assert.include(missing.error.hint ?? "", "contact: list_contacts")
      const properties = [yield* property, contact]
      assert.deepInclude(yield* refusal({ properties }), { argument: "properties/1", fault: "not_found" })
      const gone = `property_${contact.slice("contact_".length)}`
      assert.deepInclude(yield* refusal({ properties: [gone] }), { argument: "properties/0" })
      const many = Array.from({ length: 21 }, (_, index) => `ext=crm:${index}`)
      assert.deepInclude(yield* refusal({ properties: many }), { argument: "properties", fault: "invalid_reference" })
    })
  )
})
