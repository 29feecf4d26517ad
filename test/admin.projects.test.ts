/** The command `project record-event`. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fixture from "./prospects/fixture.ts"
import { runToEnd } from "./support/Admin.ts"
import { TestService } from "./support/TestService.ts"

const record = (...args: ReadonlyArray<string>) => runToEnd(["project", "record-event", ...args])

layer(TestService.layerOwn, { excludeTestServices: true })("project record-event", (it) => {
  it.effect("records a milestone of a prospect of any team, and rejects unknown ids", () =>
    Effect.gen(function* () {
      const { projectId, prospect, prospects } = yield* fixture.make()
      const other = yield* fixture.make()
      const { id } = yield* prospect()
      const recorded = yield* record(projectId, id, "im_shared")
      assert.isTrue(recorded.ok, recorded.err)
      assert.strictEqual(recorded.out, `id: ${id}\nstage: im`)
      const next = yield* record(projectId, id, "bid_recorded", "--json")
      assert.strictEqual((JSON.parse(next.out) as { readonly stage: string }).stage, "bid")
      assert.strictEqual((yield* prospects.get(id)).body.stage, "bid")
      for (const [project, prospectId] of [
        [other.projectId, id],
        ["nothing", id],
        [projectId, projectId]
      ] as const) {
        const refused = yield* record(project, prospectId, "im_shared", "--json")
        assert.isFalse(refused.ok)
        assert.strictEqual(
          (JSON.parse(refused.out) as { readonly error: { readonly code: string } }).error.code,
          "not_found"
        )
      }
      assert.isFalse((yield* record(projectId, id, "won")).ok)
      yield* prospects.removeFromList(id)
      const removed = yield* record(projectId, id, "im_shared")
      assert.match(removed.err, /Restore it first/)
    })
  )
})
