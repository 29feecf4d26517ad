/**
 * OAuth clients as forms of the console make them and rotate their secrets (docs/behaviour/identity.md#oauth-clients): a form that is sent
 * again makes nothing new, and gets the same answer with the secret. The command line does without: it has no key to seal answers with.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Schema } from "effect"
import { administrator } from "../../core/auth/CurrentActor.ts"
import { all } from "../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Clients } from "./Clients.ts"

const decodeRotation = UnvalidatedJson.decoder(
  Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(Schema.String)) })
)

const make = Effect.gen(function* () {
  const clients = yield* Clients
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

  /** Gives a client of the caller's team another secret. For its administrators. */
  const rotate = Effect.fn("TeamClients.rotate")(function* (id: string, request: UseCaseRequest) {
    const actor = yield* administrator
    const body = yield* request.body
    const [, { overlap }, key] = yield* all(request.query, decodeRotation(body), request.idempotencyKey)
    const { operation } = request
    const { value } = yield* mutation.once({ actor, operation, key, body: body.sent }, () =>
      clients.rotate(id, overlap ?? undefined)
    )
    return value
  })

  return { create, rotate }
})

/** Creates clients and rotates their secrets, each once. */
export class TeamClients extends Context.Service<TeamClients, Effect.Success<typeof make>>()(
  "identity/clients/TeamClients"
) {
  static readonly layer = Layer.effect(TeamClients, make).pipe(Layer.provide(Clients.layer))
}
