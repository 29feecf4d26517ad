/** The use-cases of OAuth clients, which only the operator may call: docs/behaviour/identity.md#oauth-clients. */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { timingSafeEqual } from "node:crypto"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { bodyFault, type Json } from "../../core/usecase/Input.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "../users/Users.ts"
import { onlyOperator, publicScope } from "../../core/auth/CurrentActor.ts"
import { ClientCreate } from "./Client.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { now } from "../../platform/Time.ts"

const decodeCreate = UnvalidatedJson.decoder(ClientCreate)

const notFound = new NotFound({ detail: "There is no client with this id." })
const oneBot = InvalidRequest.of([bodyFault("/botName", "ambiguous", "Name one bot: either botName or botId.")])

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const repo = yield* ClientsRepo
  const users = yield* Users
  const teams = yield* Teams
  const random = yield* SecureRandom.SecureRandom

  const botOf = (teamId: string, input: ClientCreate) => {
    if (input.botId !== undefined) return users.resolveBot(teamId, input.botId)
    // The operator creates bots, so a new bot has both capabilities by default.
    const { broker = "active", investor = "active" } = input
    return users.createBot(teamId, input.botName ?? input.name, {
      ...(broker === null ? {} : { broker }),
      ...(investor === null ? {} : { investor })
    })
  }

  /** Creates a client, and its bot unless the input names one. No other answer contains the secret. */
  const create = Effect.fn("Clients.create")(function* (input: Json) {
    yield* onlyOperator
    const client = yield* decodeCreate(UnvalidatedJson.of(input))
    if ((client.botId === undefined) === (client.botName === undefined)) return yield* oneBot
    const teamId = yield* teams.resolve(client.teamId)
    const secret = Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const id = yield* random.uuidV7()
    yield* Effect.flatMap(botOf(teamId, client), (botUserId) =>
      Effect.flatMap(now, (at) =>
        repo.insert({
          id,
          teamId,
          botUserId,
          name: client.name,
          secretHash: Secret.hash(secret),
          scopes: [publicScope],
          now: at
        })
      )
    ).pipe(
      auditLog.recording(() => ({
        action: "client.created",
        teamId,
        target: { type: "client", id: Id.fromUuid("client", id) },
        details: { scopes: [publicScope] }
      }))
    )
    return { client_id: Id.fromUuid("client", id), client_secret: secret }
  })

  /** The clients of a team, the oldest first. */
  const list = Effect.fn("Clients.list")(function* (teamId: string) {
    yield* onlyOperator
    return yield* repo.list(yield* teams.resolveAny(teamId))
  })

  /** Revokes a client, its secret and all its access tokens, with immediate effect. Repeating it changes nothing. */
  const revoke = Effect.fn("Clients.revoke")(function* (id: string) {
    yield* onlyOperator
    const uuid = Id.toUuid("client", id)
    const revoked =
      uuid === undefined
        ? undefined
        : yield* repo
            .revoke(uuid, yield* now)
            .pipe(
              auditLog.recording((found) =>
                found?.isNew === true
                  ? { action: "client.revoked", teamId: found.teamId, target: { type: "client", id } }
                  : undefined
              )
            )
    if (revoked === undefined) return yield* notFound
  })

  /** The client that presents these credentials. No limit on failed attempts is needed, because a secret has 256 random bits. */
  const authenticate = Effect.fn("Clients.authenticate")(function* (id: string, secret: string) {
    const uuid = Id.toUuid("client", id)
    if (uuid === undefined || !Secret.isWellFormed(secret)) return undefined
    const client = yield* repo.find(uuid)
    return client !== undefined && timingSafeEqual(client.secretHash, Secret.hash(secret)) ? client : undefined
  })

  /** What is known of the client that a text names, whoever presents it: its UUID and team. */
  const named = Effect.fn("Clients.named")(function* (id: string) {
    const uuid = Id.toUuid("client", id)
    const teamId = uuid === undefined ? undefined : yield* repo.teamOf(uuid)
    return uuid === undefined || teamId === undefined ? {} : { clientId: uuid, teamId }
  })

  return { named, create, list, revoke, authenticate }
})

/** Manages OAuth clients. */
export class Clients extends Context.Service<Clients, Effect.Success<typeof make>>()("identity/clients/Clients") {
  static readonly layer = Layer.effect(Clients, make).pipe(Layer.provide([ClientsRepo.layer, Teams.layer, Users.layer]))
}
