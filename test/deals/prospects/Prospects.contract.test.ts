import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestService } from "../../support/TestService.ts"
import * as fixture from "./fixture.ts"

layer(TestService.layer, { excludeTestServices: true })("Prospects", (it) => {
  it.effect("a contact is added to a project, and its members are answered", () =>
    Effect.gen(function* () {
      const { contact, eventsOf, projectId, prospects } = yield* fixture.make()
      const maria = yield* contact({ firstName: "Maria", lastName: "Rossi", email: "m@rossi.example", tags: ["core"] })
      const { events, reply } = yield* eventsOf(
        prospects.add({
          contactId: maria.id,
          projectTags: ["A", "a", "A"],
          externalRefs: [{ namespace: "crm", externalId: "7" }]
        })
      )
      assert.strictEqual(reply.status, 201)
      assert.strictEqual(reply.headers.get("location"), `${prospects.path}/${reply.body.id}`)
      assert.strictEqual(reply.headers.get("etag"), '"v1"')
      const { createdUtc, id, updatedUtc, ...members } = reply.body
      assert.strictEqual(createdUtc, updatedUtc)
      assert.deepStrictEqual(members, {
        projectId,
        contact: { id: maria.id, name: "Maria Rossi", email: "m@rossi.example" },
        company: null,
        classification: "not_contacted",
        interest: null,
        stage: "not_contacted",
        openTaskCount: 0,
        projectTags: ["A", "a"],
        tags: ["core"],
        communicated: false,
        accepted: false,
        chat: false,
        invitation: false,
        noteCount: 0,
        accessExpiryUtc: null,
        teaser: null,
        removedUtc: null,
        externalRefs: [{ namespace: "crm", externalId: "7" }],
        etag: '"v1"',
        changeType: "created",
        changeOrigin: "api",
        deletedUtc: null
      })
      assert.deepStrictEqual(
        events.map(({ action, event, resource_id }) => ({ action, event, resource_id })),
        [{ event: "prospect.created", resource_id: id, action: { type: "added" } }]
      )
      assert.deepStrictEqual((yield* prospects.get(id)).body, reply.body)
      assert.deepStrictEqual((yield* prospects.list()).body.data, [reply.body])
    })
  )
})
