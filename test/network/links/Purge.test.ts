import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import { Links } from "../../../src/network/links/Links.ts"
import { untilBlocked } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"
import { aPair } from "./pair.ts"

layer(TestService.layer, { excludeTestServices: true })("The purge of tombstones", (it) => {
  it.effect("keeps a link that is restored concurrently", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { purge } = yield* Links
      const { ends, links, teamId } = yield* aPair
      const { id } = (yield* links.create(ends)).body
      yield* links.delete(id)
      yield* sql`update links set deleted_at = now() - interval '100 days' where team_id = ${teamId}`
      const begun = yield* Deferred.make<void>()
      const purging = yield* Effect.forkChild(Effect.andThen(Deferred.await(begun), purge(1000)))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`update links set deleted_at = null, change_type = 'restored' where team_id = ${teamId}`
          yield* Deferred.succeed(begun, undefined)
          yield* untilBlocked(1)
        })
      )
      assert.strictEqual(yield* Fiber.join(purging), 0)
      assert.strictEqual((yield* links.get(id)).status, 200)
    })
  )
})
