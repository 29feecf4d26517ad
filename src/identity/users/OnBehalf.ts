/** Acting in the name of a person: docs/command-line.md#in-the-name-of-a-person. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import { publicScope } from "../../core/auth/scopes.ts"
import { onlyOperator } from "../../core/auth/Operator.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "./Users.ts"
import { UsersRepo } from "./UsersRepo.ts"

const noTeam = InvalidRequest.of([
  bodyFault("/teamId", "invalid_reference", "The person does not belong to this team.")
])

const make = Effect.gen(function* () {
  const repo = yield* UsersRepo
  const teams = yield* Teams
  const users = yield* Users

  /** The person with an e-mail address, acting in a team (its public id), by default in their primary one. For the operator only. */
  const actorOf = Effect.fn("OnBehalf.actorOf")(function* (email: string, team: string | undefined) {
    yield* onlyOperator
    const userId = yield* users.resolve(email)
    const teamId = team === undefined ? undefined : yield* teams.resolve(team)
    const member = yield* repo.memberOf(userId, teamId)
    if (member === undefined) return yield* noTeam
    const actor: Actor = { ...member, userId, clientId: null, scopes: [publicScope], origin: "app" }
    return actor
  })

  return { actorOf }
})

/** Makes actors of persons, for the operator's commands. */
export class OnBehalf extends Context.Service<OnBehalf, Effect.Success<typeof make>>()("identity/users/OnBehalf") {
  static readonly layer = Layer.effect(OnBehalf, make)
}
