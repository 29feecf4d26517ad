import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/db/Database.ts"
import * as Id from "../../../src/core/Id.ts"
import { aMember, aToken } from "../../core/auth/fixtures.ts"
import { make, path } from "../../support/ContactsClient.ts"
import { TestService } from "../../support/TestService.ts"

layer(TestService.layer)("Contacts that are created at once", (it) => {
  it.effect("have their own actors on timelines and in events", () =>
    Effect.gen(function* () {
      const { request, teamId, token, user } = yield* make()
      const sql = yield* Database
      const colleague = yield* aMember(teamId, { name: "Bela Conti", broker: "active" })
      const theirs = yield* aToken({ teamId, userId: colleague, expiresAt: new Date(Date.now() + 3_600_000) })
      const callers = [
        { token, user },
        { token: theirs.token, user: Id.fromUuid("user", colleague) }
      ]
      const created = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, index) => ({ name: `Contact ${index}`, caller: callers[index % 2]! })),
        ({ caller, name }) =>
          Effect.map(
            request<{ id: string }>("POST", path, { token: caller.token, json: { lastName: name } }),
            ({ body, status }) => ({ caller, id: body.id, status })
          ),
        { concurrency: "unbounded" }
      )
      assert.isTrue(created.every(({ status }) => status === 201))
      for (const { caller, id } of created) {
        const { body } = yield* request<{ data: ReadonlyArray<{ actor: { id: string } }> }>(
          "GET",
          `${path}/${id}/actions`,
          { token }
        )
        assert.deepStrictEqual(
          body.data.map(({ actor }) => actor.id),
          [caller.user]
        )
        const [event] = yield* sql<{
          body: string
        }>`select body from events where resource_id = ${Id.toUuid("contact", id)}`
        assert.include(event?.body, caller.user)
      }
      const [changes] = yield* sql<{ count: number }>`
        select count(distinct transaction_id)::int as count from contacts where team_id = ${teamId}`
      assert.isBelow(changes?.count ?? 12, 12)
    })
  )
})
