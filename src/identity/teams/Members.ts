/** Names of users, and who `me` is, for modules that reference people as owners, assignees or authors. Ids are public ones. */
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import * as Id from "../../core/Id.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { MembersRepo } from "./MembersRepo.ts"
import { withOwner } from "./owner.ts"

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

/** Finds users by id. */
export class Members extends Context.Service<
  Members,
  {
    /** The users among these who are active members of the team (a UUID). */
    readonly active: (teamId: string, userIds: ReadonlyArray<string>) => Effect.Effect<Names>
    /** The UUID of the active member of the caller's team whom an id or `me` names; undefined if there is none. */
    readonly named: (caller: Pick<Actor, "teamId" | "userId">, name: string) => Effect.Effect<string | undefined>
    /** The names of users, including former members. */
    readonly names: (userIds: ReadonlyArray<string>) => Effect.Effect<Names>
    /** The language of the user interface of a user (a UUID), as a BCP-47 tag; English for the operator and the service. */
    readonly languageOf: (userUuid: string | null) => Effect.Effect<string>
  }
>()("identity/teams/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const repo = yield* MembersRepo
      const active = Effect.fn("Members.active")(function* (teamId: string, userIds: ReadonlyArray<string>) {
        const uuids = uuidsOf(userIds)
        return byId(uuids.length === 0 ? [] : yield* repo.active(teamId, uuids))
      })
      return Members.of({
        active,
        named: Effect.fn("Members.named")(function* ({ teamId, userId }, name) {
          const id = name === "me" ? Id.fromUuidOrNull("user", userId) : name
          const [member] = (yield* active(teamId, id === null ? [] : [id])).keys()
          return Id.toUuid("user", member ?? "")
        }),
        names: Effect.fn("Members.names")(function* (userIds) {
          const uuids = uuidsOf(userIds)
          return byId(uuids.length === 0 ? [] : yield* repo.names(uuids))
        }),
        languageOf: Effect.fn("Members.languageOf")(function* (userUuid) {
          return (userUuid === null ? undefined : yield* repo.languageOf(userUuid)) ?? "en"
        })
      })
    })
  )
}
