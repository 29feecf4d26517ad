/** The prospects that a move of the broker names: those that are on the list, and why the others are not. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { NotFound, ProspectRemoved } from "../../core/usecase/Problem.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"

/** Why a move leaves a prospect out. */
export interface FailedProspect {
  readonly prospectId: string
  readonly code: string
  readonly detail: string
}

/** Locked prospects that are on the list, and those that are not. */
export interface LockedProspects {
  readonly onList: ReadonlyArray<StoredProspect>
  readonly failed: ReadonlyArray<FailedProspect>
}

const notFound = new NotFound({ detail: "There is no prospect with this id on the project." })

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo

  /**
   * Locks prospects of a project (UUID) until the change ends: those with these ids, or all on the list, in a constant number of
   * statements. Lock the project before.
   */
  const lock = Effect.fn("NamedProspects.lock")(function* (
    change: Change,
    projectUuid: string,
    ids: ReadonlyArray<string> | "all"
  ) {
    const { teamId } = change.actor
    const wanted =
      ids === "all"
        ? (yield* repo.onList(teamId, projectUuid)).map((uuid) => Id.fromUuid("prospect", uuid))
        : [...new Set(ids)]
    const locked = yield* repo.lock(
      teamId,
      wanted.flatMap((id) => Id.toUuid("prospect", id) ?? [])
    )
    const projectId = Id.fromUuid("project", projectUuid)
    const found = new Map(
      locked
        .filter(({ deleted, resource }) => !deleted && resource.projectId === projectId)
        .map((stored) => [stored.resource.id, stored])
    )
    const onList: Array<StoredProspect> = []
    const failed: Array<FailedProspect> = []
    for (const prospectId of wanted) {
      const stored = found.get(prospectId)
      if (stored !== undefined && stored.resource.removedUtc === null) onList.push(stored)
      else {
        const { code, detail } = stored === undefined ? notFound : ProspectRemoved.rejection()
        failed.push({ prospectId, code, detail })
      }
    }
    const answer: LockedProspects = { onList, failed }
    return answer
  })

  return { lock }
})

/** Finds the prospects of moves, whose callers are authorized. */
export class NamedProspects extends Context.Service<NamedProspects, Effect.Success<typeof make>>()(
  "deals/prospects/NamedProspects"
) {
  static readonly layer = Layer.effect(NamedProspects, make)
}
