/** The use-cases of OAuth clients, which only the operator may call: docs/behaviour/identity.md#oauth-clients. */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import * as Secret from "../../core/auth/Secret.ts"
import { Context, Duration, Effect, Layer } from "effect"
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
import { now, parseDuration } from "../../platform/Time.ts"
import { useDays } from "../../core/auth/Authentication.ts"

const decodeCreate = UnvalidatedJson.decoder(ClientCreate)

/** The longest overlap of two secrets, in milliseconds. */
const maxOverlapMillis = 30 * 86_400_000

const badOverlap = InvalidRequest.of([
  bodyFault("/overlap", "out_of_range", "Must be minutes, hours or days, such as 30m, 24h or 7d, and at most 30d.")
])

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
    if (client === undefined) return undefined
    const hash = Secret.hash(secret)
    const { previous } = client
    const isPrevious = previous !== undefined && timingSafeEqual(previous.hash, hash) && (yield* now) < previous.until
    return isPrevious || timingSafeEqual(client.secretHash, hash) ? client : undefined
  })

  /** A client with its use: when it was last used, from which addresses, and how much on each day. For the operator only. */
  const show = Effect.fn("Clients.show")(function* (id: string) {
    yield* onlyOperator
    const uuid = Id.toUuid("client", id)
    const found = uuid === undefined ? undefined : yield* repo.show(uuid)
    if (uuid === undefined || found === undefined) return yield* notFound
    const { previousSecretUntil, ...client } = found
    const at = yield* now
    const { addresses, days } = yield* repo.use(uuid, new Date(at.getTime() - (useDays - 1) * 86_400_000))
    const counts = new Map(days.map(({ day, requests }) => [day, requests]))
    return {
      ...client,
      previousSecretUntilUtc:
        previousSecretUntil === null || previousSecretUntil <= at ? null : previousSecretUntil.toISOString(),
      lastUsedUtc: days.at(-1)?.lastAt.toISOString() ?? null,
      addresses: addresses.map(({ address, firstAt, lastAt }) => ({
        address,
        firstUtc: firstAt.toISOString(),
        lastUtc: lastAt.toISOString()
      })),
      requestsByDay: Array.from({ length: useDays }, (_, index) => {
        const day = new Date(at.getTime() - (useDays - 1 - index) * 86_400_000).toISOString().slice(0, 10)
        return { day, requests: counts.get(day) ?? 0 }
      })
    }
  })

  /**
   * Gives a client another secret, which no other answer contains. With an overlap such as `24h`, the present one is good for so long, too.
   * Access tokens go on. For the operator only.
   */
  const rotate = Effect.fn("Clients.rotate")(function* (id: string, overlap?: string) {
    yield* onlyOperator
    const uuid = Id.toUuid("client", id)
    const span = overlap === undefined ? undefined : parseDuration(overlap)
    if (overlap !== undefined && (span === undefined || Duration.toMillis(span) > maxOverlapMillis)) {
      return yield* badOverlap
    }
    const secret = Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const until = span === undefined ? null : new Date((yield* now).getTime() + Duration.toMillis(span))
    const overlapUntilUtc = until?.toISOString() ?? null
    const teamId =
      uuid === undefined
        ? undefined
        : yield* repo.rotate(uuid, Secret.hash(secret), until).pipe(
            auditLog.recording((team) =>
              team === undefined
                ? undefined
                : {
                    action: "client.rotated",
                    teamId: team,
                    target: { type: "client", id },
                    details: { overlapUntilUtc }
                  }
            )
          )
    if (teamId === undefined) return yield* notFound
    return { client_id: id, client_secret: secret, previousSecretUntilUtc: overlapUntilUtc }
  })

  /** What is known of the client that a text names, whoever presents it: its UUID and team. */
  const named = Effect.fn("Clients.named")(function* (id: string) {
    const uuid = Id.toUuid("client", id)
    const teamId = uuid === undefined ? undefined : yield* repo.teamOf(uuid)
    return uuid === undefined || teamId === undefined ? { clientId: undefined } : { clientId: uuid, teamId }
  })

  return { named, show, rotate, create, list, revoke, authenticate }
})

/** Manages OAuth clients. */
export class Clients extends Context.Service<Clients, Effect.Success<typeof make>>()("identity/clients/Clients") {
  static readonly layer = Layer.effect(Clients, make).pipe(Layer.provide([ClientsRepo.layer, Teams.layer, Users.layer]))
}
