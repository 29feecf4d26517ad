/** The example of a deal, whose commands run in this process, on the database of the test. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import childProcess from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import { promisify } from "node:util"
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
      const original = childProcess.execFile
      Object.assign(childProcess, { execFile: Object.assign(() => {}, { [promisify.custom]: npm }) })
      syncBuiltinESMExports()
      const output = yield* Effect.ensuring(
        printedBy("deal", { PROPERTY_NETWORK_TOKEN: token, PROPERTY_NETWORK_URL: baseUrl }),
        Effect.sync(() => {
          Object.assign(childProcess, { execFile: original })
          syncBuiltinESMExports()
        })
      )
      assert.deepStrictEqual(output, [
        "A hall in Germany: unanswered",
        "Nora's answer: accepted",
        "The broker's list has that she accepted: true"
      ])
    })
  )
})
