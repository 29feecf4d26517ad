/**
 * What nobody does, but time: tasks become overdue at midnight, and with them what their prospects answer. Answers are
 * right at once (answers.ts); that a prospect changed is written here, so that deltas bring it.
 */
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../auth/Operator.ts"
import { Changes } from "../changes/Changes.ts"
import { today } from "../fields/Span.ts"
import { isOverdue } from "./answers.ts"
import { dayOf } from "./dates.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const writes = yield* ProspectWrites
  const changes = yield* Changes

  const notice = Effect.fn("Overdue.notice")(function* (limit: number) {
    const byTeam = Map.groupBy(yield* repo.turnedOverdue(yield* today, limit), ({ team_id }) => team_id)
    let noticed = 0
    for (const [teamId, rows] of byTeam) {
      noticed += yield* Effect.orDie(
        changes.commit(
          systemOf(teamId),
          Effect.fnUntraced(function* (change) {
            const locked = yield* repo.lock(
              teamId,
              rows.map(({ id }) => id)
            )
            // Somebody may have written them meanwhile; and by the clock of changes it may be before midnight still.
            const turned = locked.filter(
              ({ deleted, resource: { nextTask, overdueSeen } }) =>
                !deleted && !overdueSeen && isOverdue(nextTask, dayOf(change.at))
            )
            yield* writes.update(
              change,
              turned.map((stored) => ({ stored, state: stateOf(stored), changeType: "updated" }))
            )
            return turned.length
          })
        )
      )
    }
    return noticed
  })

  return { notice }
})

/** Writes that tasks became overdue. */
export class Overdue extends Context.Service<
  Overdue,
  {
    /**
     * Touches prospects whose next task became overdue since they were written, at most `limit`; answers how many. It is the
     * service's own: no timeline and no webhook tells of it.
     */
    readonly notice: (limit: number) => Effect.Effect<number>
  }
>()("prospects/Overdue") {
  static readonly layer = Layer.effect(Overdue, make)
}
