/** Notable entries of the audit log as events of the operator's team: docs/behaviour/audit-log.md#events. */
import * as Id from "../Id.ts"
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../auth/CurrentActor.ts"
import { DryRun } from "../mutation/ChangeRecord.ts"
import { type Change, Changes } from "../mutation/Changes.ts"
import { auditEventTypes } from "../mutation/Event.ts"
import { AuditEntriesRepo, type StoredEntry } from "./AuditEntriesRepo.ts"

/** The operator's team (UUID): `OPERATOR_TEAM`. */
export const OperatorTeam = Context.Reference<string | undefined>("core/audit/OperatorTeam", {
  defaultValue: () => undefined
})

/** Makes the event of an entry, in the transaction of the entry. Does nothing unless there is an operator's team. */
export const AuditEvents = Context.Reference<(entry: StoredEntry) => Effect.Effect<void>>("core/audit/AuditEvents", {
  defaultValue: () => () => Effect.void
})

/** Records the event of an entry in a change. An entry that is not notable has none. */
export const recordEvent = (change: Change, entry: StoredEntry): void => {
  const name = `audit.${entry.action.replace(".", "_")}`
  const type = auditEventTypes.find((one) => one === name)
  if (type === undefined) return
  change.record({
    change: "created",
    resource: { type: "audit", id: entry.id },
    subjects: [],
    actor: { userId: entry.actorId, clientId: entry.clientId },
    event: {
      type,
      extras: {
        ...(entry.teamId === null ? {} : { team_id: Id.fromUuid("team", entry.teamId) }),
        ...(entry.targetId === null ? {} : { target_id: entry.targetId })
      }
    }
  })
}

/** The events, if there is an operator's team. */
export const layer = Layer.effect(
  AuditEvents,
  Effect.gen(function* () {
    const team = yield* OperatorTeam
    const changes = yield* Changes
    const repo = yield* AuditEntriesRepo
    return Effect.fnUntraced(function* (entry: StoredEntry) {
      // The team hears of its own limit from what refuses the deletion.
      const isOwnLimit = entry.action === "deletion_limit.reached" && entry.teamId === team
      if (team === undefined || isOwnLimit || !(yield* repo.isTeam(team))) return
      yield* changes
        .commit(systemOf(team), (change) => Effect.sync(() => recordEvent(change, entry)))
        // A dry run rolls back what it did as a whole, and shows its caller nothing of this team.
        .pipe(Effect.provideService(DryRun, undefined))
    })
  })
).pipe(Layer.provide(AuditEntriesRepo.layer))
