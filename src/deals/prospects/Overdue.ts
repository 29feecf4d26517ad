/**
 * Tasks become overdue at midnight UTC, and with them what their prospects answer. Answers follow the clock at once
 * (projection.ts); this writes such prospects, so that deltas list them.
 */
import * as TeamParts from "../../core/TeamParts.ts"
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { today } from "../../platform/Time.ts"
import { dayOf } from "./dates.ts"
import { isOverdue } from "./projection.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const writes = yield* ProspectWrites
  const changes = yield* Changes

  const writeOverdue = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
    const locked = yield* repo.lock(change.actor.teamId, uuids)
    // Another transaction may have written some of them, and by the clock of changes it may still be before midnight.
    const overdue = locked.filter(
      ({ deleted, resource: { nextTask, overdueWhenWritten } }) =>
        !deleted && !overdueWhenWritten && isOverdue(nextTask, dayOf(change.at))
    )
    yield* writes.saveAll(change, {
      inserts: [],
      updates: overdue.map((stored) => ({ stored, state: stateOf(stored), changeType: "updated" }))
    })
    return overdue.length
  })

  const markOverdue = Effect.fn("Overdue.markOverdue")(function* (limit: number) {
    const day = yield* today
    return yield* TeamParts.runParts("Marking prospects whose tasks became overdue", (failed) =>
      Effect.map(repo.becameOverdue(day, { limit, failed }), (candidates) =>
        TeamParts.byTeam(
          candidates,
          ({ team_id }) => team_id,
          (teamId, rows) =>
            changes.commit(systemOf(teamId), (change) =>
              writeOverdue(
                change,
                rows.map(({ id }) => id)
              )
            )
        )
      )
    )
  })

  return { markOverdue }
})

/** Marks prospects whose next task became overdue. */
export class Overdue extends Context.Service<
  Overdue,
  {
    /**
     * Writes at most `limit` prospects whose next task became overdue since they were last written, and returns how many it
     * wrote. It is for a job: no timeline row and no event. A team's failure does not stop the others.
     */
    readonly markOverdue: (limit: number) => Effect.Effect<number>
  }
>()("deals/prospects/Overdue") {
  static readonly layer = Layer.effect(Overdue, make)
}
