/** `project record-event`, as the operator runs it. */
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Exit, Redacted } from "effect"
import { run } from "../src/admin.ts"
import * as world from "./prospects/world.ts"
import { testUrl } from "./support/TestDatabase.ts"
import { TestService } from "./support/TestService.ts"

const record = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const url = Redacted.value(yield* testUrl)
  const lines = { out: [] as Array<string>, err: [] as Array<string> }
  const environment = { DATABASE_URL: url, SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
  const exit = yield* Effect.exit(run(["project", "record-event", ...args])).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment)),
    Effect.provideService(Console.Console, {
      ...globalThis.console,
      log: (line: string) => void lines.out.push(line),
      error: (line: string) => void lines.err.push(line)
    })
  )
  return { ok: Exit.isSuccess(exit), out: lines.out.join("\n"), err: lines.err.join("\n") }
})

layer(TestService.layerOwn, { excludeTestServices: true })("project record-event", (it) => {
  it.effect("records what happened to a prospect of any team, and refuses what there is not", () =>
    Effect.gen(function* () {
      const { projectId, prospect, prospects } = yield* world.make()
      const other = yield* world.make()
      const { id } = yield* prospect()
      const told = yield* record(projectId, id, "im_shared")
      assert.isTrue(told.ok, told.err)
      assert.strictEqual(told.out, `id: ${id}\nstage: im`)
      const again = yield* record(projectId, id, "bid_recorded", "--json")
      assert.strictEqual((JSON.parse(again.out) as { readonly stage: string }).stage, "bid")
      assert.strictEqual((yield* prospects.get(id)).body.stage, "bid")
      for (const [project, one] of [
        [other.projectId, id],
        ["nothing", id],
        [projectId, projectId]
      ] as const) {
        const refused = yield* record(project, one, "im_shared", "--json")
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
