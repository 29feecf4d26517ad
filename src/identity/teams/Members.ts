/** Names of users, and who `me` is, for modules that reference people as owners, assignees or authors. Ids are public ones. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { withOwner } from "./rules.ts"
import { TeamsRepo } from "./TeamsRepo.ts"

/** The request with the id of the caller where its body names the owner `me`. */
export const resolveMe = <Request extends Pick<UseCaseRequest, "body">>(actor: Actor, request: Request): Request => ({
  ...request,
  body: Effect.map(request.body, (document) => ({ ...document, value: withOwner(document.value, actor.userId) }))
})

/** Names of users by their ids. */
export type Names = ReadonlyMap<string, string>

const uuidsOf = (ids: ReadonlyArray<string>) => [...new Set(ids)].flatMap((id) => Id.toUuid("user", id) ?? [])

const byId = (rows: ReadonlyArray<{ readonly id: string; readonly name: string }>): Names =>
  new Map(rows.map(({ id, name }) => [Id.fromUuid("user", id), name]))

const make = Effect.gen(function* () {
  const repo = yield* TeamsRepo

  /** The users among these who are active members of the team (a UUID). */
  const active = Effect.fn("Members.active")(function* (teamId: string, userIds: ReadonlyArray<string>) {
    const uuids = uuidsOf(userIds)
    return byId(uuids.length === 0 ? [] : yield* repo.activeMembers(teamId, uuids))
  })

  /** The UUID of the active member of the caller's team whom an id or `me` names; undefined if there is none. */
  const named = Effect.fn("Members.named")(function* (
    { teamId, userId }: Pick<Actor, "teamId" | "userId">,
    name: string
  ) {
    const id = name === "me" ? Id.fromUuidOrNull("user", userId) : name
    const [member] = (yield* active(teamId, id === null ? [] : [id])).keys()
    return Id.toUuid("user", member ?? "")
  })

  /** The names of users, including former members. */
  const names = Effect.fn("Members.names")(function* (userIds: ReadonlyArray<string>) {
    const uuids = uuidsOf(userIds)
    return byId(uuids.length === 0 ? [] : yield* repo.namesOfUsers(uuids))
  })

  /** The language of the user interface of a user (a UUID), as a BCP-47 tag; English for the operator and the service. */
  const languageOf = Effect.fn("Members.languageOf")(function* (userUuid: string | null) {
    return (userUuid === null ? undefined : yield* repo.languageOfUser(userUuid)) ?? "en"
  })

  return { active, named, names, languageOf }
})

/** Finds users by id. */
export class Members extends Context.Service<Members, Effect.Success<typeof make>>()("identity/teams/Members") {
  static readonly layer = Layer.effect(Members, make)
}
