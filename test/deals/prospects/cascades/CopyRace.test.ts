/** The change of a contact, stopped before it is copied to prospects, beside the deletion and restore of their project. */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger } from "effect"
import { CurrentTransformer } from "effect/sql/Statement"
import * as App from "../../../../src/App.ts"
import { layer as httpLayer } from "../../../../src/Http.ts"
import { Jobs } from "../../../../src/platform/jobs/Jobs.ts"
import { untilBlocked } from "../../../support/locks.ts"
import { TestDatabase } from "../../../support/TestDatabase.ts"
import { options, TestService } from "../../../support/TestService.ts"
import { fixture } from "./fixture.ts"

const reached = Deferred.makeUnsafe<void>()
const released = Deferred.makeUnsafe<void>()

/** Blocks the next statement that copies members of investors. */
const stopping: typeof CurrentTransformer.Service = (statement) =>
  Effect.gen(function* () {
    if (statement.compile()[0].includes("with investors as materialized")) {
      yield* Deferred.succeed(reached, undefined)
      yield* Deferred.await(released)
    }
    return statement
  })

const service = TestService.layerServer.pipe(
  Layer.provideMerge(httpLayer({ baseUrl: undefined, host: "127.0.0.1", port: 0 })),
  Layer.provideMerge(App.layer(options)),
  Layer.provideMerge(Jobs.layerMemory),
  Layer.provide(Layer.succeed(CurrentTransformer, stopping)),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Logger.layer([]))
)

layer(service, { excludeTestServices: true })("A contact's new name", (it) => {
  it.effect("updates a prospect whose project is deleted and restored before the copy", () =>
    Effect.gen(function* () {
      const { act, contact, contacts, deleteProject, on, project } = yield* fixture()
      const { id } = yield* contact({ lastName: "Old" })
      const tal = yield* project()
      const place = yield* on(tal, { contactId: id })
      const renaming = yield* Effect.forkChild(contacts.patch(id, { lastName: "New" }))
      yield* Deferred.await(reached)
      const deleting = yield* Effect.forkChild(deleteProject(tal))
      yield* untilBlocked(1)
      yield* Deferred.succeed(released, undefined)
      assert.strictEqual((yield* Fiber.join(renaming)).status, 200)
      assert.strictEqual((yield* Fiber.join(deleting)).status, 204)
      assert.strictEqual((yield* act(tal, "restore")).status, 200)
      assert.strictEqual((yield* place.now).contact?.name, "New")
    })
  )
})
