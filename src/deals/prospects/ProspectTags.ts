/** Project tags across all projects of a team, for what renames tags everywhere (docs/behaviour/network.md#tags-of-the-team). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { ProspectSetsRepo } from "./ProspectSetsRepo.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { ProspectTagsRepo } from "./ProspectTagsRepo.ts"
import { isWritable, ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { renameTag } from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProspectTagsRepo
  const prospects = yield* ProspectsRepo
  const sets = yield* ProspectSetsRepo
  const writes = yield* ProspectWrites

  /** How many prospects have a project tag, up to a number at which the count stops. */
  const count = Effect.fn("ProspectTags.count")(function* (teamId: string, tag: string, atMost: number) {
    return (yield* repo.tagged(teamId, tag, atMost)).length
  })

  /** Gives the prospects that have a project tag another one in its place; returns how many. The caller bounds their number. */
  const rename = Effect.fn("ProspectTags.rename")(function* (
    change: Change,
    { atMost, from, to }: { readonly from: string; readonly to: string; readonly atMost: number }
  ) {
    const { teamId } = change.actor
    const found = yield* repo.tagged(teamId, from, atMost)
    // As all writers do: projects first, then prospects.
    yield* sets.lockProjects(teamId, [...new Set(found.map(({ projectUuid }) => projectUuid))])
    const projectOf = new Map(found.map(({ projectUuid, uuid }) => [uuid, projectUuid]))
    const locked = yield* prospects.lock(teamId, [...projectOf.keys()])
    const decided = locked
      .filter((stored) => !stored.deleted && isWritable(stored))
      .map((stored) => ({ stored, decision: renameTag(stateOf(stored), from, to) }))
      .filter(({ decision }) => decision.emitted.length > 0)
    for (const [projectUuid, some] of Map.groupBy(decided, ({ stored }) => projectOf.get(stored.uuid) ?? "")) {
      yield* writes.writeAllLocked(change, projectUuid, some)
    }
    return decided.length
  })

  return { count, rename }
})

/** Counts and renames project tags. For modules that have authorized their caller. */
export class ProspectTags extends Context.Service<ProspectTags, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectTags"
) {
  static readonly layer = Layer.effect(ProspectTags, make).pipe(
    Layer.provide([ProspectSetsRepo.layer, ProspectsRepo.layer, ProspectTagsRepo.layer, ProspectWrites.layer])
  )
}
