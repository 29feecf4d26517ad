/**
 * OAuth clients as forms of the console make them and rotate their secrets, for administrators and operators
 * (docs/behaviour/identity.md#oauth-clients): a form that is sent again makes nothing new, and gets the same answer with the secret. The
 * command line does without: it has no key to seal answers with.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Schema } from "effect"
import {
  actAs,
  administrator,
  isOperator,
  onlyOperator,
  operatorOf,
  operatorOrAdministrator
} from "../../core/auth/CurrentActor.ts"
import { all } from "../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Teams } from "../teams/Teams.ts"
import { OwnClientCreate } from "./Client.ts"
import { Clients } from "./Clients.ts"

const decodeRotation = UnvalidatedJson.decoder(
  Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(Schema.String)) })
)

const decodeCreation = UnvalidatedJson.decoder(OwnClientCreate)

const make = Effect.gen(function* () {
  const clients = yield* Clients
  const teams = yield* Teams
  const mutation = yield* Mutation.make

  /** Creates a client in the caller's team. For its administrators. */
  const create = Effect.fn("TeamClients.create")(function* (request: UseCaseRequest) {
    const actor = yield* administrator
    const body = yield* request.body
    const [, key] = yield* all(request.query, request.idempotencyKey)
    const { operation } = request
    const { value } = yield* mutation.once({ actor, operation, key, body: body.sent }, () => clients.createOwn(body))
    return value
  })

  /** Creates a client in a team (its public id). For the operator only. */
  const createIn = Effect.fn("TeamClients.createIn")(function* (team: string, request: UseCaseRequest) {
    yield* onlyOperator
    const actor = operatorOf(yield* teams.resolve(team))
    const body = yield* request.body
    const [, client, key] = yield* all(request.query, decodeCreation(body), request.idempotencyKey)
    const { operation } = request
    const { capabilities = [], ...others } = client
    const may = (kind: "broker" | "investor") => (capabilities.includes(kind) ? "active" : null)
    const created = clients.create({ ...others, teamId: team, broker: may("broker"), investor: may("investor") })
    const { value } = yield* actAs(actor)(mutation.once({ actor, operation, key, body: body.sent }, () => created))
    return value
  })

  /** Gives a client another secret. For the operator, and the administrators of its team. */
  const rotate = Effect.fn("TeamClients.rotate")(function* (id: string, request: UseCaseRequest) {
    const caller = yield* operatorOrAdministrator
    const { teamId = caller.teamId } = yield* clients.named(id)
    const actor = isOperator(caller) ? operatorOf(teamId) : caller
    const body = yield* request.body
    const [, { overlap }, key] = yield* all(request.query, decodeRotation(body), request.idempotencyKey)
    const { operation } = request
    const { value } = yield* actAs(actor)(
      mutation.once({ actor, operation, key, body: body.sent }, () => clients.rotate(id, overlap ?? undefined))
    )
    return value
  })

  return { create, createIn, rotate }
})

/** Creates clients and rotates their secrets, each once. */
export class TeamClients extends Context.Service<TeamClients, Effect.Success<typeof make>>()(
  "identity/clients/TeamClients"
) {
  static readonly layer = Layer.effect(TeamClients, make).pipe(Layer.provide([Clients.layer, Teams.layer]))
}
