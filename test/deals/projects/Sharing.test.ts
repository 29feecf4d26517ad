import * as UseCaseRequest from "../../../src/core/usecase/UseCaseRequest.ts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { actorOf } from "../../support/Tenant.ts"
import { type Change, Changes } from "../../../src/core/mutation/Changes.ts"
import { Projects } from "../../../src/deals/projects/Projects.ts"
import { AccessLifecycle } from "../../../src/deals/lifecycle/AccessLifecycle.ts"
import { as, open } from "../rooms/fixture.ts"
import { untilBlocked } from "../../support/locks.ts"
import { typesAndIds } from "../../support/RecordsClient.ts"
import { TestService } from "../../support/TestService.ts"
import { make, uuidOf } from "./ProjectsClient.ts"

/** A tenant with its projects, and changes that other modules make for its user. */
const aTenant = Effect.gen(function* () {
  const client = yield* make()
  const changes = yield* Changes
  const actor = actorOf(client)
  return {
    ...client,
    commit: <A, E, R>(write: (change: Change) => Effect.Effect<A, E, R>) => changes.commit(actor, write)
  }
})

layer(TestService.layer, { excludeTestServices: true })("Projects that investors see", (it) => {
  it.effect("are shared from the first communicated teaser on, with one event", () =>
    Effect.gen(function* () {
      const { actions, commit, events, get, made, delete: remove } = yield* aTenant
      const projects = yield* Projects
      const { id } = yield* made()
      yield* commit((change) => projects.recordCommunication(change, uuidOf(id)))
      const first = (yield* get(id)).body
      assert.deepInclude(first, {
        status: "open",
        communicatedUtc: first.updatedUtc,
        etag: '"v2"',
        changeType: "updated"
      })
      yield* commit((change) => projects.recordCommunication(change, uuidOf(id)))
      assert.deepStrictEqual((yield* get(id)).body, first)
      const [, event] = yield* events
      assert.deepInclude(event, { event: "project.updated", changed_fields: ["communicated_at"] })
      assert.notProperty(event, "action")
      assert.deepStrictEqual(typesAndIds(yield* events), [`project.created ${id}`, `project.updated ${id}`])
      const rows = (yield* actions(id)).body.data
      assert.deepStrictEqual(
        rows.map((row) => row["event"]),
        ["project.communicated", "project.created"]
      )
      assert.strictEqual((yield* remove(id)).status, 409)
    })
  )

  it.effect("are open from the first room access on, with one event", () =>
    Effect.gen(function* () {
      const { actions, commit, events, get, made, patch, delete: remove } = yield* aTenant
      const projects = yield* Projects
      const { id } = yield* made()
      yield* commit((change) => projects.recordRoomAccess(change, uuidOf(id)))
      yield* commit((change) => projects.recordRoomAccess(change, uuidOf(id)))
      const { body } = yield* get(id)
      assert.deepInclude(body, { status: "open", communicatedUtc: null, etag: '"v2"' })
      assert.notProperty(body, "roomOpenedUtc")
      assert.strictEqual((yield* patch(id, { name: "Berg" })).body.status, "open")
      assert.deepStrictEqual(
        (yield* events).map(({ changed_fields, event }) => [event, changed_fields]),
        [
          ["project.created", undefined],
          ["project.updated", ["status"]],
          ["project.updated", ["name"]]
        ]
      )
      assert.lengthOf((yield* actions(id)).body.data, 3)
      // Nobody is in it any more.
      assert.strictEqual((yield* remove(id)).status, 204)
    })
  )

  it.effect("cannot be deleted while an investor has access to a room", () =>
    Effect.gen(function* () {
      const { contacts, get, made, delete: remove, request, teamId, token, userId } = yield* aTenant
      const { id } = yield* made()
      const contactId = (yield* contacts.create({ firstName: "Anna" })).body.id
      const added = yield* request<{ readonly id: string }>("POST", `/api/v1/projects/${id}/prospects`, {
        token,
        json: { contactId }
      })
      const room = yield* open({ teamId, userId }, id)
      const { grant, revoke } = yield* AccessLifecycle
      const ofProspect = UseCaseRequest.make({ operation: "", query: {}, body: { prospectIds: [added.body.id] } })
      yield* grant(room.id, ofProspect).pipe(as({ teamId, userId }))
      const refused = yield* remove(id)
      assert.deepStrictEqual([refused.status, refused.body["code"]], [409, "project_shared"])
      assert.strictEqual((yield* get(id)).status, 200)
      yield* revoke(room.id, ofProspect).pipe(as({ teamId, userId }))
      assert.strictEqual((yield* remove(id)).status, 204)
    })
  )

  it.effect("are not found by other modules once they are deleted, nor by other teams", () =>
    Effect.gen(function* () {
      const { commit, made, delete: remove } = yield* aTenant
      const stranger = yield* aTenant
      const projects = yield* Projects
      const { id } = yield* made()
      assert.strictEqual((yield* commit((change) => projects.lockForShare(change, uuidOf(id)))).resource.id, id)
      const moves = [projects.lockForShare, projects.recordCommunication, projects.recordRoomAccess]
      for (const move of moves) {
        assert.strictEqual((yield* Effect.flip(stranger.commit((change) => move(change, uuidOf(id)))))._tag, "NotFound")
      }
      yield* remove(id)
      for (const move of moves) {
        assert.strictEqual((yield* Effect.flip(commit((change) => move(change, uuidOf(id)))))._tag, "NotFound")
      }
    })
  )

  it.effect("are not deleted while other transactions lock them for share", () =>
    Effect.gen(function* () {
      const { commit, get, made, delete: remove } = yield* aTenant
      const projects = yield* Projects
      const { id } = yield* made()
      const shared = yield* Deferred.make<void>()
      const deletes = yield* Deferred.make<void>()
      const sharing = yield* Effect.forkChild(
        commit((change) =>
          Effect.gen(function* () {
            yield* projects.lockForShare(change, uuidOf(id))
            yield* Deferred.succeed(shared, undefined)
            yield* Deferred.await(deletes)
          })
        )
      )
      yield* Deferred.await(shared)
      // Another who shares it does not wait.
      yield* commit((change) => projects.lockForShare(change, uuidOf(id)))
      const deleting = yield* Effect.forkChild(remove(id))
      yield* untilBlocked(1)
      yield* Deferred.succeed(deletes, undefined)
      yield* Fiber.join(sharing)
      assert.strictEqual((yield* Fiber.join(deleting)).status, 204)
      assert.strictEqual((yield* get(id)).status, 404)
    })
  )

  it.effect("are deleted and restored with their prospects, whose events come before that of the project", () =>
    Effect.gen(function* () {
      const { contacts, events, made, delete: remove, request, restore, token } = yield* aTenant
      const { id } = yield* made()
      const path = `/api/v1/projects/${id}/prospects`
      for (const firstName of ["Anna", "Ben"]) {
        const contactId = (yield* contacts.create({ firstName })).body.id
        const externalRefs = [{ namespace: "crm", externalId: firstName }]
        assert.strictEqual((yield* request("POST", path, { token, json: { contactId, externalRefs } })).status, 201)
      }
      const list = request<{ readonly data: ReadonlyArray<object> }>("GET", path, { token })
      const count = (yield* events).length
      assert.lengthOf((yield* list).body.data, 2)
      yield* remove(id)
      assert.strictEqual((yield* list).status, 404)
      yield* restore(id)
      assert.lengthOf((yield* list).body.data, 2)
      assert.deepStrictEqual(
        (yield* events).slice(count).map((event) => event["event"]),
        ["prospect.deleted", "prospect.deleted", "project.deleted", "project.restored"]
      )
    })
  )
})
