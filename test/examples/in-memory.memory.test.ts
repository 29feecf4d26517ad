/** The example of a test with the in-memory service, run by Node as its readers run it. */
import { assert, it } from "@effect/vitest"
import { start } from "../support/Process.ts"

it("examples/in-memory.test.ts passes", async () => {
  const { ended, output } = start(["--test-reporter=tap", "examples/in-memory.test.ts"], {})
  assert.strictEqual((await ended).code, 0, output.stdout)
  assert.match(output.stdout, /^# pass 2$/m)
  assert.match(output.stdout, /^# fail 0$/m)
})
