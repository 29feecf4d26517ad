import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Journal } from "../../../src/webhooks/changes/Journal.ts"
import { pollUntil } from "../../support/polling.ts"
import { TestService } from "../../support/TestService.ts"
import * as JournalClient from "./JournalClient.ts"

layer(TestService.layer, { excludeTestServices: true })("The journal", (it) => {
  it.effect("numbers events, keeps the numbers, and purges old events, in every store", () =>
    Effect.gen(function* () {
      const { purge } = yield* Journal
      const { ask, create, read, teamId } = yield* JournalClient.make()
      const long = new Date(Date.now() - 91 * 86_400_000)
      yield* JournalClient.written(teamId, { at: long, count: 2 })
      yield* create({ firstName: "Anna" })
      yield* create({ firstName: "Ben" })
      // Beside other test files on the same server, whose writers hold it back.
      const complete = pollUntil("four numbered events", read(), ({ page }) => page.nextAfter === 4)
      assert.deepStrictEqual(
        (yield* complete).data.map(({ seq }) => seq),
        [1, 2, 3, 4]
      )
      assert.strictEqual(yield* purge(1000), 2)
      assert.deepStrictEqual(
        (yield* read()).data.map(({ seq }) => seq),
        [3, 4]
      )
      assert.deepStrictEqual(
        (yield* read("?types=link.created,contact.created&after=3")).data.map(({ seq }) => seq),
        [4]
      )
      assert.strictEqual((yield* ask("?after=1")).status, 410)
      assert.strictEqual((yield* ask("?after=5")).status, 410)
    })
  )
})
