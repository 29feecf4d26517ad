/**
 * The prospects of a deleted project, which are deleted in steps if they are too many for one transaction
 * (docs/behaviour/projects-and-prospects.md#project-lifecycle).
 */
import { Context, Effect, Layer } from "effect"
import { initiatorOf, onBehalfOf } from "../../core/auth/Initiator.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { DryRun } from "../../core/mutation/DryRun.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { continueDeletion } from "./jobs.ts"
import { ProjectProspects } from "./ProjectProspects.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"

/** How many prospects one transaction deletes. */
export const ProspectsPerStep = Context.Reference<number>("deals/projects/ProspectDeletions/ProspectsPerStep", {
  defaultValue: () => 2000
})

const make = Effect.gen(function* () {
  const changes = yield* Changes
  const repo = yield* ProjectsRepo
  const prospects = yield* ProjectProspects
  const jobs = yield* Jobs

  /** Has the rest deleted after the transaction. A dry run reports how much it is. */
  const continueLater = Effect.fnUntraced(function* (change: Change, projectUuid: string) {
    const dryRun = yield* DryRun
    if (dryRun === undefined) {
      return yield* jobs.enqueue(
        continueDeletion,
        { ...initiatorOf(change.actor), project: projectUuid },
        { jobKey: `projects/deletion ${projectUuid}` }
      )
    }
    const count = yield* prospects.count(change.actor.teamId, projectUuid)
    dryRun.later = [...dryRun.later, { type: "prospect", change: "deleted", count }]
  })

  /** Deletes prospects of a locked project (UUID), as many as a step takes; a job deletes the rest. */
  const deleteProspects = Effect.fn("ProspectDeletions.deleteProspects")(function* (
    change: Change,
    projectUuid: string
  ) {
    const left = yield* prospects.deleteSome(change, projectUuid, yield* ProspectsPerStep)
    if (left === "more") yield* continueLater(change, projectUuid)
  })

  /** One step of a deletion that began. A project that was restored since keeps its prospects. */
  const step = Effect.fn("ProspectDeletions.step")(
    ({ project, ...initiator }: (typeof continueDeletion)["payload"]["Type"]) =>
      changes.commit(onBehalfOf(initiator), (change) =>
        Effect.gen(function* () {
          const [stored] = yield* repo.lock(initiator.teamId, [project])
          if (stored?.deleted === true) yield* deleteProspects(change, project)
        })
      )
  )

  return { deleteProspects, step }
})

/** Deletes the prospects of deleted projects. `deleteProspects` runs inside the transaction of `change`; `step` is for a job. */
export class ProspectDeletions extends Context.Service<ProspectDeletions, Effect.Success<typeof make>>()(
  "deals/projects/ProspectDeletions"
) {
  static readonly layer = Layer.effect(ProspectDeletions, make)
}
