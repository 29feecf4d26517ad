/** The demo data of a first start that is cut off. */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { Users } from "../../src/identity/users/Users.ts"
import * as DemoData from "../../src/process/DemoData.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"

const cutOff = "the process was killed"

layer(TestService.layer, { excludeTestServices: true })("Demo data", (it) => {
  it.effect("goes on wherever the creation of its teams and people was cut off, and makes none twice", () =>
    Effect.gen(function* () {
      const demo = yield* Tenant.make({ investor: "active" })
      const users = yield* Users
      const teams = yield* Teams
      /** Makes the demo data with services that end it, and returns what ended it. */
      const endedBy = (change: Partial<Users["Service"]>) =>
        Effect.map(
          Effect.exit(
            DemoData.createAll({ email: demo.email, teamId: demo.team }).pipe(
              Effect.provideService(Users, Users.of({ ...users, ...change }))
            )
          ),
          (exit) => (Exit.isFailure(exit) ? exit.cause.toString() : "nothing")
        )
      for (const before of [1, 2, 3, 4]) {
        let created = 0
        const ended = yield* endedBy({
          create: (input) => (++created === before ? Effect.die(cutOff) : users.create(input))
        })
        assert.include(ended, cutOff, `before person ${before}`)
      }
      // What follows the teams and people begins with who acts.
      assert.include(yield* endedBy({ actorOf: () => Effect.die("all people exist") }), "all people exist")
      const all = yield* asOperator(teams.oldest(100_000))
      assert.lengthOf(
        all.filter(({ name }) => name === "Gracht Makelaars"),
        1
      )
    })
  )
})
