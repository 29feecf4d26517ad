/**
 * The use-cases of OAuth clients, for the operator and the administrators of their team: docs/behaviour/identity.md#oauth-clients.
 */
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
import {
  administrator,
  isOperator,
  onlyOperator,
  operatorOrAdministrator,
  publicScope
} from "../../core/auth/CurrentActor.ts"
import { ClientCreate, OwnClientCreate, type UsedClient } from "./Client.ts"
import { capabilitiesOfBot } from "./rules.ts"
import { ClientsRepo } from "./ClientsRepo.ts"
import { now, parseDuration } from "../../platform/Time.ts"
import { useDays } from "../../core/auth/Authentication.ts"

const decodeCreate = UnvalidatedJson.decoder(ClientCreate)
const decodeOwnCreate = UnvalidatedJson.decoder(OwnClientCreate)

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

  const insert = Effect.fnUntraced(function* (
    teamId: string,
    client: OwnClientCreate,
    capabilities: Pick<ClientCreate, "broker" | "investor">
  ) {
    if ((client.botId === undefined) === (client.botName === undefined)) return yield* oneBot
    const { broker = null, investor = null } = capabilities
    const bot =
      client.botId === undefined
        ? users.createBot(teamId, client.botName ?? client.name, {
            ...(broker === null ? {} : { broker }),
            ...(investor === null ? {} : { investor })
          })
        : users.resolveBot(teamId, client.botId)
    const secret = Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const id = yield* random.uuidV7()
    yield* Effect.flatMap(bot, (botUserId) =>
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

  /**
   * Creates a client, and its bot unless the input names one. No other answer contains the secret. The bot has both capabilities unless
   * the input says otherwise. For the operator only.
   */
  const create = Effect.fn("Clients.create")(function* (input: Json) {
    yield* onlyOperator
    const { broker = "active", investor = "active", teamId, ...client } = yield* decodeCreate(UnvalidatedJson.of(input))
    return yield* insert(yield* teams.resolve(teamId), client, { broker, investor })
  })

  /**
   * As {@link create}, in the team of the caller, an administrator: what they may do, a new bot may, and what they may not, it requests.
   */
  const createOwn = Effect.fn("Clients.createOwn")(function* (document: UnvalidatedJson.UnvalidatedJson) {
    const actor = yield* administrator
    const { capabilities = [], ...client } = yield* decodeOwnCreate(document)
    return yield* insert(actor.teamId, client, capabilitiesOfBot(actor, capabilities))
  })

  /** The UUID of a client that the caller manages: the operator any, an administrator those of the team. */
  const managed = Effect.fnUntraced(function* (id: string) {
    const actor = yield* operatorOrAdministrator
    const uuid = Id.toUuid("client", id)
    const teamId = uuid === undefined ? undefined : yield* repo.teamOf(uuid)
    if (uuid === undefined || teamId === undefined) return yield* notFound
    return isOperator(actor) || teamId === actor.teamId ? uuid : yield* notFound
  })

  /** The clients of a team, the oldest first. For the operator only. */
  const list = Effect.fn("Clients.list")(function* (teamId: string) {
    yield* onlyOperator
    return yield* repo.list(yield* teams.resolveAny(teamId))
  })

  /** The clients of the caller's team, the oldest first, and when each was last used. For its administrators. */
  const listOwn = Effect.fn("Clients.listOwn")(function* () {
    const { teamId } = yield* administrator
    const uses = new Map((yield* repo.lastUses(teamId)).map(({ clientId, lastAt }) => [clientId, lastAt.toISOString()]))
    return (yield* repo.list(teamId)).map((client): UsedClient => ({
      ...client,
      lastUsedUtc: uses.get(Id.toUuid("client", client.id) ?? "") ?? null
    }))
  })

  /** Revokes a client, its secret and all its access tokens, with immediate effect. Repeating it changes nothing. */
  const revoke = Effect.fn("Clients.revoke")(function* (id: string) {
    const uuid = yield* managed(id)
    yield* repo
      .revoke(uuid, yield* now)
      .pipe(
        auditLog.recording((found) =>
          found?.isNew === true
            ? { action: "client.revoked", teamId: found.teamId, target: { type: "client", id } }
            : undefined
        )
      )
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

  /** A client with its use: when it was last used, from which addresses, and how much on each day. */
  const show = Effect.fn("Clients.show")(function* (id: string) {
    const uuid = yield* managed(id)
    const found = yield* repo.show(uuid)
    if (found === undefined) return yield* notFound
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
   * Access tokens go on.
   */
  const rotate = Effect.fn("Clients.rotate")(function* (id: string, overlap?: string) {
    const uuid = yield* managed(id)
    const span = overlap === undefined ? undefined : parseDuration(overlap)
    if (overlap !== undefined && (span === undefined || Duration.toMillis(span) > maxOverlapMillis)) {
      return yield* badOverlap
    }
    const secret = Secret.make("client", yield* random.randomBytes(Secret.byteLength))
    const until = span === undefined ? null : new Date((yield* now).getTime() + Duration.toMillis(span))
    const overlapUntilUtc = until?.toISOString() ?? null
    const teamId = yield* repo.rotate(uuid, Secret.hash(secret), until).pipe(
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
    return uuid === undefined || teamId === undefined
      ? { clientId: undefined, teamId: undefined }
      : { clientId: uuid, teamId }
  })

  return { named, show, rotate, create, createOwn, list, listOwn, revoke, authenticate }
})

/** Manages OAuth clients. */
export class Clients extends Context.Service<Clients, Effect.Success<typeof make>>()("identity/clients/Clients") {
  static readonly layer = Layer.effect(Clients, make).pipe(Layer.provide([ClientsRepo.layer, Teams.layer, Users.layer]))
}
