/**
 * What deletions, restores and merges of contacts and companies leave to later transactions, because it is too much for one
 * (docs/behaviour/network.md#large-deletions-and-merges).
 */
import { Context, Effect, Layer } from "effect"
import { initiatorOf } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { DryRun } from "../../core/mutation/ChangeRecord.ts"
import { DeletedRecords } from "../../core/records/DeletedRecords.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { continueCascade } from "./jobs.ts"
import { type Counts, RemaindersRepo } from "./RemaindersRepo.ts"

/** Deleted or merged records of one type (UUIDs). */
export interface Ended {
  readonly type: "contact" | "company"
  readonly uuids: ReadonlyArray<string>
  readonly ending: "deleted" | "merged"
}

const types = ["link", "contact", "mandate", "project", "prospect"] as const

/** What happens to dependents later. Links are deleted with what they join, and moved when it is merged; others are only updated. */
const changeOf = (type: keyof Counts, ending: Ended["ending"]) =>
  type === "link" && ending === "deleted" ? ("deleted" as const) : ("updated" as const)

const make = Effect.gen(function* () {
  const repo = yield* RemaindersRepo
  const deletedRecords = yield* DeletedRecords
  const jobs = yield* Jobs

  /** Enqueues the next step for records of which the transaction of `change` left something. */
  const enqueueStep = (change: Change, { type, uuids }: Pick<Ended, "type" | "uuids">) =>
    jobs.enqueue(
      continueCascade,
      { ...initiatorOf(change.actor), type, uuids },
      // One step at a time, also when a step is repeated whose worker was lost after its commit.
      { jobKey: `network/cascades ${uuids[0]}` }
    )

  /** Has the rest done after the transaction of `change`. A dry run reports how much it is. */
  const continueLater = Effect.fn("Remainders.continueLater")(function* (
    change: Change,
    { ending, type, uuids }: Ended
  ) {
    const dryRun = yield* DryRun
    if (dryRun === undefined) return yield* enqueueStep(change, { type, uuids })
    const counts = yield* repo.count(change.actor.teamId, type, uuids, ending)
    dryRun.later = [
      ...dryRun.later,
      ...types.flatMap((one) =>
        counts[one] === 0 ? [] : [{ type: one, change: changeOf(one, ending), count: counts[one] }]
      )
    ]
  })

  /** Has the rest of a restore done after the transaction of `change`, in the same way. */
  const continueReturn = Effect.fn("Remainders.continueReturn")(function* (
    change: Change,
    { type, uuids }: Pick<Ended, "type" | "uuids">
  ) {
    const dryRun = yield* DryRun
    if (dryRun === undefined) return yield* enqueueStep(change, { type, uuids })
    const counts = yield* deletedRecords.countTaken(change.actor.teamId, uuids)
    dryRun.later = [
      ...dryRun.later,
      ...counts.map(({ count, type: one }) => ({
        type: one,
        change: one === "link" || one === "prospect" ? ("restored" as const) : ("updated" as const),
        count
      }))
    ]
  })

  return { continueLater, continueReturn, enqueueStep }
})

/** Continues deletions, restores and merges after their transaction. Runs inside the transaction of `change`. */
export class Remainders extends Context.Service<Remainders, Effect.Success<typeof make>>()(
  "network/remainders/Remainders"
) {
  static readonly layer = Layer.effect(Remainders, make).pipe(Layer.provide(RemaindersRepo.layer))
}
