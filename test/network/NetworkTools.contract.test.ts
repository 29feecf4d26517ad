import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Agent from "../support/Agent.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"

interface Created {
  readonly id: string
  readonly etag: string
}

const world = Effect.gen(function* () {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const agent = yield* Agent.make(tenant.token)
  const post = (path: string, json: object) =>
    Effect.map(request<Created>("POST", `/api/v1${path}`, { token: tenant.token, json }), ({ body }) => body)
  const get = (path: string) => request("GET", `/api/v1${path}`, { token: tenant.token })
  return { ...tenant, agent, post, get }
})

layer(TestService.layer, { excludeTestServices: true })("The tools of the network", (it) => {
  it.effect("read and write a contact as REST does, by its id, e-mail address or external reference", () =>
    Effect.gen(function* () {
      const { agent, get } = yield* world
      const company = yield* agent.call("create_company", { name: "Rossi", domain: "rossi.example" })
      const made = yield* agent.call("create_contact", {
        firstName: "Anna",
        email: "anna@rossi.example",
        primaryCompany: "domain=rossi.example",
        externalRefs: ["crm:7"]
      })
      const { id } = made.structured
      for (const contact of [id, "email=Anna@rossi.example", "ext=crm:7"]) {
        const { structured } = yield* agent.call("get_contact", { contact })
        assert.strictEqual(structured.id, id, contact)
        assert.strictEqual(structured["primaryCompanyId"], company.structured.id)
        assert.deepStrictEqual(structured["externalRefs"], ["crm:7"])
      }
      const changed = yield* agent.call("update_contact", { contact: id, primaryCompany: null, phone: "+49 30 1" })
      const { body } = yield* get(`/network/contacts/${id}`)
      assert.strictEqual(body["etag"], changed.structured.etag)
      assert.strictEqual(body["phone"], "+49 30 1")
      assert.isNull(body["primaryCompanyId"])
      const stale = yield* agent.call("update_contact", { contact: id, phone: null, etag: made.structured.etag })
      assert.strictEqual(stale.structured.error.code, "precondition_failed")
      const missing = yield* agent.call("update_contact", { contact: id, primaryCompany: "Rossi" })
      assert.strictEqual(missing.structured.error.errors?.[0]?.argument, "primaryCompany")
      const duplicate = yield* agent.call("create_contact", { email: "anna@rossi.example" })
      assert.strictEqual(duplicate.structured.error.code, "duplicate")
      assert.deepStrictEqual(duplicate.structured.error.candidates, [{ id }])
    })
  )

  for (const type of ["contact", "company"] as const) {
    it.effect(`name the open projects that lose a deleted ${type}, in a preview and when it is deleted`, () =>
      Effect.gen(function* () {
        const { agent, get, post } = yield* world
        const collection = type === "contact" ? "contacts" : "companies"
        const { id } = yield* post(
          `/network/${collection}`,
          type === "contact" ? { firstName: "Anna" } : { name: "Rossi" }
        )
        const open = yield* post("/projects", { name: "Open" })
        const closed = yield* post("/projects", { name: "Closed" })
        const prospects: Array<string> = []
        for (const project of [open, closed]) {
          prospects.push((yield* post(`/projects/${project.id}/prospects`, { [`${type}Id`]: id })).id)
        }
        yield* post(`/projects/${closed.id}/close`, {})
        const expected = [
          { id: open.id, name: "Open", prospectId: prospects[0], prospectClassification: "not_contacted" }
        ]
        const previewed = yield* agent.call(`delete_${type}`, { [type]: id, preview: true })
        assert.deepStrictEqual(previewed.structured["affected_projects"], expected)
        assert.strictEqual((yield* get(`/network/${collection}/${id}`)).status, 200)
        const stale = yield* agent.call(`delete_${type}`, { [type]: id, etag: '"v999"' })
        assert.strictEqual(stale.structured.error.code, "precondition_failed")
        const deleted = yield* agent.call(`delete_${type}`, { [type]: id })
        assert.deepStrictEqual(deleted.structured["affected_projects"], expected)
        assert.strictEqual((yield* get(`/network/${collection}/${id}`)).status, 404)
        const again = yield* agent.call(`delete_${type}`, { [type]: id })
        assert.strictEqual(again.structured.error.code, "not_found")
        assert.include(again.structured.error.hint ?? "", `list_${collection}`)
      })
    )
  }

  it.effect("tell agents for whom they act", () =>
    Effect.gen(function* () {
      const { agent, get, user } = yield* world
      const { structured } = yield* agent.call("get_me")
      const { body } = yield* get("/auth/me")
      assert.strictEqual(structured.id, user)
      assert.deepStrictEqual(structured["capabilities"], body["capabilities"])
    })
  )
})
