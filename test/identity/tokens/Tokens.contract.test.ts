import * as Id from "../../../src/core/Id.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { actAs, asOperator, operatorOf } from "../../../src/core/auth/CurrentActor.ts"
import { Authentication } from "../../../src/core/auth/Authentication.ts"
import { Tokens } from "../../../src/identity/tokens/Tokens.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import { Teams } from "../../../src/identity/teams/Teams.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { fixture } from "../../core/auth/fixture.ts"

const day = 86_400_000
let people = 0

/** A person in a new team, and the use-cases with the operator as the caller. */
const aPerson = Effect.gen(function* () {
  const [teams, users] = [yield* Teams, yield* Users]
  const team = yield* teams.create({ name: "Berg Partners", plan: "plus" })
  const email = `anna${++people}@example.com`
  const user = yield* users.create({ email, name: "Anna Berg", teamId: team.id, role: "member", broker: "active" })
  return { email, team, user }
}).pipe(asOperator)

const authenticate = (token: string) =>
  Effect.flatMap(Authentication, (authentication) => authentication.authenticate(token))

layer(fixture)("A personal token", (it) => {
  it.effect("acts for its user in the primary team for 30 days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 21))
      const { email, team, user } = yield* aPerson
      const tokens = yield* Tokens
      const made = yield* asOperator(tokens.create({ email: email.toUpperCase(), name: " nightly import " }))
      assert.match(made.id, /^token_/)
      assert.strictEqual(made.expiresUtc, "2026-12-21T00:00:00.000Z")
      const { actor } = yield* authenticate(made.token)
      assert.strictEqual(Id.fromUuidOrNull("user", actor.userId), user.id)
      assert.strictEqual(Id.fromUuid("team", actor.teamId), team.id)
      assert.deepStrictEqual(actor.scopes, ["api:public"])
      yield* TestClock.setTime(Date.UTC(2026, 10, 21) + 30 * day - 1)
      yield* authenticate(made.token)
      yield* TestClock.setTime(Date.UTC(2026, 10, 21) + 30 * day)
      yield* Effect.flip(authenticate(made.token))
    })
  )

  it.effect("is stored only as a hash", () =>
    Effect.gen(function* () {
      const { email } = yield* aPerson
      const made = yield* Effect.flatMap(Tokens, (tokens) => asOperator(tokens.create({ email, name: "x" })))
      const sql = yield* Database
      const [row] = yield* sql<{
        text: string
      }>`select tokens::text from tokens where id = ${Id.toUuid("token", made.id)!}`
      assert.notInclude(row?.text ?? "", made.token.slice(4))
    })
  )

  it.effect("is listed without its text until it is revoked, and then stops working", () =>
    Effect.gen(function* () {
      const { email, team } = yield* aPerson
      const tokens = yield* Tokens
      const [one, other] = yield* asOperator(
        Effect.all([tokens.create({ email, name: "one" }), tokens.create({ email, name: "other" })])
      )
      const listed = yield* asOperator(tokens.list(email))
      assert.deepStrictEqual(
        listed.map(({ id, name, teamId }) => [id, name, teamId]),
        [
          [one.id, "one", team.id],
          [other.id, "other", team.id]
        ]
      )
      assert.notInclude(JSON.stringify(listed), "pnp_")
      yield* asOperator(tokens.revoke(one.id))
      yield* asOperator(tokens.revoke(one.id))
      assert.deepStrictEqual(
        (yield* asOperator(tokens.list(email))).map(({ id }) => id),
        [other.id]
      )
      yield* Effect.flip(authenticate(one.token))
      yield* authenticate(other.token)
    })
  )

  it.effect("can act in another team that its user belongs to or is invited to", () =>
    Effect.gen(function* () {
      const [anna, berta] = [yield* aPerson, yield* aPerson]
      const [teams, tokens] = [yield* Teams, yield* Tokens]
      const input = { email: anna.email, name: "x", teamId: berta.team.id }
      const refused = yield* Effect.flip(asOperator(tokens.create(input)))
      assert.strictEqual(refused.status, 400)
      yield* asOperator(teams.invite({ email: anna.email, teamId: berta.team.id, role: "member" }))
      const { token } = yield* asOperator(tokens.create(input))
      const { actor } = yield* authenticate(token)
      assert.strictEqual(Id.fromUuid("team", actor.teamId), berta.team.id)
      assert.strictEqual(actor.membership, "pending")
    })
  )

  it.effect("is refused for unknown users, users without a team, and without a name", () =>
    Effect.gen(function* () {
      const { email, team } = yield* aPerson
      const [teams, tokens] = [yield* Teams, yield* Tokens]
      const refusal = (input: Record<string, string>) =>
        Effect.map(Effect.flip(asOperator(tokens.create(input))), (problem) =>
          problem._tag === "InvalidRequest" ? problem.errors.map(({ code, pointer }) => `${pointer} ${code}`) : []
        )
      assert.deepStrictEqual(yield* refusal({ email: "nobody@example.com", name: "x" }), ["/email invalid_reference"])
      assert.deepStrictEqual(yield* refusal({ email: "anna", name: " " }), ["/email invalid_email", "/name blank"])
      yield* asOperator(teams.remove({ email, teamId: team.id }))
      assert.deepStrictEqual(yield* refusal({ email, name: "x" }), ["/email invalid_reference"])
    })
  )

  it.effect("can only be created by the operator; any other caller is a defect", () =>
    Effect.gen(function* () {
      const { email } = yield* aPerson
      const tokens = yield* Tokens
      const exit = yield* Effect.exit(actAs({ ...operatorOf(), origin: "api" })(tokens.create({ email, name: "x" })))
      assert.strictEqual(exit._tag, "Failure")
    })
  )
})
