/** What people granted to apps, for themselves, their teams and the operator: docs/behaviour/authorization.md#grants. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { onlyOperator } from "../../core/auth/CurrentActor.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { InvalidRequest, NotFound } from "../../core/usecase/Problem.ts"
import { Teams } from "../teams/Teams.ts"
import { Users } from "../users/Users.ts"
import { GrantsRepo, type ListedGrant } from "./GrantsRepo.ts"

/** How long grants that ended are stored, and codes and tokens after all of the same sign-in are over, in days. */
const retentionDays = 7

/** A grant. `id` is a UUID: no API has it. */
export interface Grant {
  readonly id: string
  readonly app: { readonly id: string; readonly name: string; readonly url: string | null }
  readonly user: { readonly id: string; readonly name: string; readonly email: string | null }
  readonly team: { readonly id: string; readonly name: string }
  readonly scopes: ReadonlyArray<string>
  readonly createdUtc: string
  readonly updatedUtc: string
}

const toGrant = (one: ListedGrant): Grant => ({
  id: one.id,
  app: { id: Id.fromUuid("client", one.appId), name: one.appName, url: one.appUrl },
  user: { id: Id.fromUuid("user", one.userId), name: one.userName, email: one.userEmail },
  team: { id: Id.fromUuid("team", one.teamId), name: one.teamName },
  scopes: one.scopes,
  createdUtc: one.createdAt.toISOString(),
  updatedUtc: one.updatedAt.toISOString()
})

const notFound = new NotFound({ detail: "There is no grant with this id." })

const needsOne = InvalidRequest.of([
  { in: "body", pointer: "/email", code: "required", detail: "Needs a user or a team: one of the two." }
])

const make = Effect.gen(function* () {
  const repo = yield* GrantsRepo
  const users = yield* Users
  const teams = yield* Teams

  /** The grants of a person (UUID), the oldest first. */
  const list = Effect.fn("Grants.list")(function* (userId: string) {
    return (yield* repo.list({ userId })).map(toGrant)
  })

  /** The grants of the other members of the teams that a person (UUID) administers, the oldest first. */
  const listAdministered = Effect.fn("Grants.listAdministered")(function* (userId: string) {
    return (yield* repo.list({ administratorId: userId })).map(toGrant)
  })

  /** The grants of the members of a team (its public id), or of the person with an e-mail address. For the operator only. */
  const listOf = Effect.fn("Grants.listOf")(function* (of: { readonly email?: string; readonly teamId?: string }) {
    yield* onlyOperator
    if ((of.email === undefined) === (of.teamId === undefined)) return yield* needsOne
    const found =
      of.email === undefined
        ? yield* repo.list({ teamId: yield* teams.resolve(of.teamId ?? "") })
        : yield* repo.list({ userId: yield* users.resolve(of.email) })
    return found.map(toGrant)
  })

  /** Ends a grant of a person (UUIDs), with all its tokens, at once on every process. Repeating it changes nothing. */
  const end = Effect.fn("Grants.end")(function* (userId: string, id: string) {
    if (!Id.isUuid(id) || !(yield* repo.end(id, yield* now, userId))) return yield* notFound
  })

  /** As {@link end}, of any person. For the operator only. */
  const revoke = Effect.fn("Grants.revoke")(function* (id: string) {
    yield* onlyOperator
    if (!Id.isUuid(id) || !(yield* repo.end(id, yield* now))) return yield* notFound
  })

  /** Deletes at most `limit` grants that ended long ago, and sign-ins whose codes and tokens are over; returns how many. */
  const purge = Effect.fn("Grants.purge")(function* (limit: number) {
    return yield* repo.purge(yield* daysAgo(retentionDays), limit)
  })

  return { list, listAdministered, listOf, end, revoke, purge }
})

/** Grants of people to apps. */
export class Grants extends Context.Service<Grants, Effect.Success<typeof make>>()("identity/oauth/Grants") {
  static readonly layer = Layer.effect(Grants, make)
}
