/** Writers lock the rows of a table together, in the order of their ids, so that no two of them wait for each other. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { untilBlocked } from "../../support/locks.ts"
import { TestService } from "../../support/TestService.ts"
import * as fixture from "./fixture.ts"

layer(TestService.layerOwn, { excludeTestServices: true })("Additions to a project", (it) => {
  it.effect("lock the prospects of contacts and of companies in one order", () =>
    Effect.gen(function* () {
      const sql = yield* Database
      const { company, contact, prospects } = yield* fixture.make()
      const [companyId, contactId] = [(yield* company()).id, (yield* contact()).id]
      // The company's prospect is the older one, so that its id comes first.
      const older = (yield* prospects.add({ companyId })).body.id
      const newer = (yield* prospects.add({ contactId })).body.id
      for (const id of [older, newer]) yield* prospects.removeFromList(id)
      const lock = (id: string) =>
        sql`select id from prospects where id = ${Id.toUuid("prospect", id) ?? ""} for update nowait`
      const outside = yield* Effect.context<Effect.Services<ReturnType<typeof prospects.batch>>>()
      const adding = yield* sql
        .withTransaction(
          Effect.gen(function* () {
            yield* lock(older)
            const batch = Effect.provideContext(prospects.batch([{ contactId }, { companyId }]), outside)
            const adding = yield* Effect.forkDetach(batch)
            yield* untilBlocked(1)
            // Nobody has it who waits for the older one.
            yield* lock(newer)
            return adding
          })
        )
        .pipe(Effect.orDie)
      const { body } = yield* Fiber.join(adding)
      assert.deepStrictEqual(
        body.results.map(({ status }) => status),
        ["restored", "restored"]
      )
    })
  )
})
