/**
 * What each client of a team may delete in an hour (docs/behaviour/quotas.md#deletions): use-cases ask in the transaction that deletes, for
 * what was asked for itself. What follows from a deletion, merges, purges and dry runs do not count.
 */
import * as TeamParts from "../TeamParts.ts"
import * as Transaction from "../../platform/db/Transaction.ts"
import { Context, Effect, Layer, Metric, Option } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import { type Actor, CurrentActor } from "../auth/CurrentActor.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Database } from "../../platform/db/Database.ts"
import { DryRun } from "../mutation/ChangeRecord.ts"
import { type Change, Changes } from "../mutation/Changes.ts"
import { recordEvent } from "../audit/OperatorEvents.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { DeletionLimitReached } from "./Deletion.ts"
import { DeletionsRepo } from "./DeletionsRepo.ts"

/** The client or app, or else the user. The operator and the service itself are not bounded. */
const subjectOf = ({ clientId, userId }: Actor): string | null => clientId ?? userId

const reached = Metric.counter("property_network_deletion_limit_reached_total", {
  description: "Limits of what a client may delete in an hour that were reached: once for each client and window.",
  incremental: true
})

/** Registers the counter at 0. */
export const beginMetrics: Effect.Effect<void> = Effect.asVoid(Metric.value(reached))

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* DeletionsRepo
  const auditLog = yield* AuditLog
  const changes = yield* Changes

  /** Says once for each client and window that the limit was reached. */
  const announce = Effect.fnUntraced(function* (
    actor: Actor,
    { limit }: DeletionLimitReached,
    at: Date,
    change?: Change
  ) {
    const subject = subjectOf(actor)
    if (subject === null || !(yield* repo.announce(actor.teamId, subject, at))) return
    yield* sql.afterCommit(Metric.update(reached, 1))
    const entry = yield* auditLog.record({
      action: "deletion_limit.reached",
      outcome: "refused",
      teamId: actor.teamId,
      details: { limit }
    })
    if (change !== undefined) return recordEvent(change, entry)
    yield* changes.commit(actor, (own) => Effect.sync(() => recordEvent(own, entry)))
  })

  /** How many of these deletions the team lets the actor do now, and why no more. */
  const take = Effect.fnUntraced(function* (change: Change, wanted: number) {
    const subject = subjectOf(change.actor)
    const all = { granted: wanted, refusal: undefined }
    if (wanted === 0 || subject === null || (yield* DryRun) !== undefined) return all
    const found = yield* repo.take(change.actor.teamId, subject, wanted, change.at)
    if (found === undefined || found.granted === wanted) return all
    return {
      granted: found.granted,
      refusal: DeletionLimitReached.of(found.quota, found.openedAt, change.at)
    }
  })

  /** As `take`, for a batch, which goes on with those that are granted. */
  const allow = Effect.fn("DeletionLimits.allow")(function* (change: Change, wanted: number) {
    const taken = yield* take(change, wanted)
    if (taken.refusal !== undefined) yield* announce(change.actor, taken.refusal, change.at, change)
    return taken
  })

  /** Fails unless the actor may delete one more. Wrap the use-case in `announcing`, since this transaction is rolled back. */
  const require = Effect.fn("DeletionLimits.require")(function* (change: Change) {
    const { refusal } = yield* take(change, 1)
    if (refusal !== undefined) return yield* refusal
  })

  /** Runs a deletion, and says when the limit refused it. */
  const announcing = <A, E, R>(deletion: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapError(deletion, (error) =>
      error instanceof DeletionLimitReached
        ? Effect.flatMap(Effect.serviceOption(CurrentActor), (found) =>
            Option.match(found, {
              onNone: () => Effect.void,
              onSome: (actor) =>
                Effect.flatMap(now, (at) => announce(actor, error, at)).pipe(
                  Transaction.run,
                  inTeam(actor.teamId),
                  Effect.provideService(Database, sql)
                )
            })
          )
        : Effect.void
    )

  /** Deletes windows that closed long ago, at most `limit`; returns how many. */
  const purge = Effect.fn("DeletionLimits.purge")(function* (limit: number) {
    const until = yield* daysAgo(1)
    return yield* TeamParts.runParts("Purging counters of deletions", (failed) =>
      Effect.map(repo.findOld(until, { failed, limit }), (found) =>
        TeamParts.byTeam(
          found,
          ({ teamId }) => teamId,
          (teamId, some) =>
            repo.purge(
              teamId,
              some.map(({ subject }) => subject),
              until
            )
        )
      )
    )
  })

  return { allow, require, announcing, purge }
})

/** The limits of what clients delete. */
export class DeletionLimits extends Context.Service<DeletionLimits, Effect.Success<typeof make>>()(
  "core/deletions/DeletionLimits"
) {
  static readonly layer = Layer.effect(DeletionLimits, make).pipe(Layer.provide(DeletionsRepo.layer))
}
