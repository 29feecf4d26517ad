/** The example of a deal, whose commands run in this process, on the database of the test. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { promisify } from "node:util"
import { vi } from "vitest"
import { runToEnd } from "../support/Admin.ts"
import type { TestDatabase } from "../support/TestDatabase.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { printedBy } from "./running.ts"

layer(TestService.layer, { excludeTestServices: true })("The example", (it) => {
  it.effect("deal", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { token } = yield* Tenant.make()
      const context = yield* Effect.context<TestDatabase>()
      const npm = async (_: string, [, , , , ...args]: ReadonlyArray<string>) => {
        const { err, ok, out } = await Effect.runPromiseWith(context)(runToEnd(args))
        assert.isTrue(ok, err)
        return { stdout: out }
      }
      vi.doMock("node:child_process", () => ({ execFile: Object.assign(() => {}, { [promisify.custom]: npm }) }))
      const output = yield* printedBy("deal", { PROPERTY_NETWORK_TOKEN: token, PROPERTY_NETWORK_URL: baseUrl })
      vi.doUnmock("node:child_process")
      assert.deepStrictEqual(output, [
        "A hall in Germany: unanswered",
        "Nora's answer: accepted",
        "The broker's list has that she accepted: true"
      ])
    })
  )
})
