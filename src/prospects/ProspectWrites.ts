/** Writes of prospects inside a running change: lock, decide on the state, write the whole state. */
import { Context, Effect, Layer } from "effect"
import { auditAfter } from "../changes/Audit.ts"
import type { Change } from "../changes/Changes.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import * as Id from "../Id.ts"
import { fieldsOf } from "../records/Writes.ts"
import { differing } from "../usecase/MergePatch.ts"
import { ConcurrencyConflict, ExternalReferenceTaken, NotFound } from "../usecase/Problem.ts"
import { dayOf } from "./dates.ts"
import { type AuditEntry, changeRecordOf, deletedEntry } from "./entries.ts"
import { isOverdue } from "./projection.ts"
import { ProspectRemoved } from "./Prospect.ts"
import { blank, type ProspectRef, type ProspectRow, type ProspectState } from "./ProspectState.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { type Decision, isSame, isSameAnswer } from "./rules.ts"

/** A state to write over a prospect that the change has locked. */
export interface PendingUpdate {
  readonly stored: StoredProspect
  readonly state: ProspectState
  readonly changeType: "updated" | "restored"
}

/** The state of a stored prospect. */
export const stateOf = (stored: StoredProspect): ProspectState => fieldsOf(blank, stored.resource)

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo

  const withOverdueFlag = (change: Change, state: ProspectState): ProspectState => ({
    ...state,
    overdueWhenWritten: isOverdue(state.nextTask, dayOf(change.at))
  })

  const record = (change: Change, ref: ProspectRef, entries: ReadonlyArray<AuditEntry>) => {
    for (const entry of entries) change.record(changeRecordOf(ref, entry))
  }

  const replaceRefs = Effect.fnUntraced(function* (
    change: Change,
    holders: ReadonlyArray<{ readonly id: string; readonly refs: ReadonlyArray<ExternalRef> }>
  ) {
    const areFree = yield* refs.replace({ teamId: change.actor.teamId, type: "prospect" }, holders)
    if (!areFree) return yield* ConcurrencyConflict.of("prospect")
  })

  /** Inserts prospects; fails when another transaction inserted one of them, or took one of their references, first. */
  const insert = Effect.fn("ProspectWrites.insert")(function* (
    change: Change,
    prospects: ReadonlyArray<{ readonly uuid: string; readonly state: ProspectState }>
  ) {
    const inserted = yield* repo.insert(
      change,
      prospects.map(({ state, uuid }) => ({
        uuid,
        readVersion: 0,
        version: 1,
        changeType: "created",
        fields: withOverdueFlag(change, state)
      }))
    )
    if (inserted < prospects.length) return yield* ConcurrencyConflict.of("prospect")
    yield* replaceRefs(
      change,
      prospects.flatMap(({ state, uuid }) =>
        state.externalRefs.length === 0 ? [] : [{ id: uuid, refs: state.externalRefs }]
      )
    )
    return prospects.map(({ state, uuid }): ProspectRow => ({
      id: Id.fromUuid("prospect", uuid),
      ...withOverdueFlag(change, state),
      ...auditAfter(change, { version: 1, changeType: "created" })
    }))
  })

  /** Writes states as the next versions, with their references; returns the new rows in the same order. */
  const update = Effect.fn("ProspectWrites.update")(function* (change: Change, updates: ReadonlyArray<PendingUpdate>) {
    const updated = yield* repo.update(
      change,
      updates.map(({ changeType, state, stored }) => ({
        uuid: stored.uuid,
        readVersion: stored.version,
        version: stored.version + 1,
        changeType,
        fields: withOverdueFlag(change, state)
      }))
    )
    if (updated < updates.length) return yield* ConcurrencyConflict.of("prospect")
    yield* replaceRefs(
      change,
      updates.flatMap(({ state, stored }) =>
        differing({ externalRefs: state.externalRefs }, stored.resource).length === 0
          ? []
          : [{ id: stored.uuid, refs: state.externalRefs }]
      )
    )
    return updates.map(({ changeType, state, stored }): ProspectRow => ({
      id: stored.resource.id,
      ...withOverdueFlag(change, state),
      ...auditAfter(change, {
        version: stored.version + 1,
        changeType,
        createdUtc: stored.resource.createdUtc
      })
    }))
  })

  /** Writes a decision on a locked prospect and records its entries; returns the row. A state with the same answer keeps its version. */
  const write = Effect.fn("ProspectWrites.write")(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect,
    { emitted, state }: Decision
  ) {
    record(change, { uuid: stored.uuid, projectUuid }, emitted)
    const before = stateOf(stored)
    if (isSame(before, state)) return stored.resource
    if (isSameAnswer(before, state)) {
      yield* repo.updateInPlace(change, [{ uuid: stored.uuid, state }])
      return { ...stored.resource, ...state }
    }
    const isRestored = emitted.some((entry) => entry.change === "restored")
    const [row] = yield* update(change, [{ stored, state, changeType: isRestored ? "restored" : "updated" }])
    return row ?? stored.resource
  })

  /** As `write`, for a decision that leaves the references alone: the lock excludes a conflict. */
  const writeLocked = (change: Change, projectUuid: string, stored: StoredProspect, decision: Decision) =>
    Effect.orDie(write(change, projectUuid, stored, decision))

  /** As `write`, for a decision that may change the references; fails when another prospect holds one of them. */
  const writeWithRefs = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect,
    decision: Decision
  ) {
    const holders = yield* refs.holders({ teamId: change.actor.teamId, type: "prospect" }, decision.state.externalRefs)
    const taken = holders.find(({ holder }) => holder !== stored.uuid)
    if (taken !== undefined) {
      return yield* ExternalReferenceTaken.of("prospect", taken, Id.fromUuid("prospect", taken.holder))
    }
    return yield* write(change, projectUuid, stored, decision)
  })

  /** Leaves the tombstone of a locked prospect, and releases its references. */
  const deleteLocked = Effect.fn("ProspectWrites.deleteLocked")(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect
  ) {
    const { resource, uuid, version } = stored
    record(change, { uuid, projectUuid }, [deletedEntry(resource.externalRefs)])
    yield* repo.remove(change, [{ uuid, readVersion: version, version: version + 1, fields: stateOf(stored) }])
    yield* refs.replace({ teamId: change.actor.teamId, type: "prospect" }, [{ id: uuid, refs: [] }])
  })

  /** Locks a prospect until the change ends, and returns its latest state; fails when it was deleted. */
  const lock = Effect.fn("ProspectWrites.lock")(function* (change: Change, uuid: string) {
    const [latest] = yield* repo.lock(change.actor.teamId, [uuid])
    return latest === undefined || latest.deleted
      ? yield* new NotFound({ detail: "There is no prospect with this id." })
      : latest
  })

  /**
   * Locks a prospect that is on the list, and writes what `decide` makes of its state. Returns the value that `decide`
   * returns.
   */
  const updateOnList = Effect.fn("ProspectWrites.updateOnList")(function* <A, E, R>(
    change: Change,
    { projectUuid, uuid }: ProspectRef,
    decide: (state: ProspectState) => Effect.Effect<Decision & { readonly value: A }, E, R>
  ) {
    const latest = yield* lock(change, uuid)
    if (latest.resource.removedUtc !== null) return yield* ProspectRemoved.refusal()
    const decision = yield* decide(stateOf(latest))
    yield* writeLocked(change, projectUuid, latest, decision)
    return decision.value
  })

  /** Adds `delta` to the number of a prospect's notes. */
  const addToNoteCount = Effect.fn("ProspectWrites.addToNoteCount")(function* (
    change: Change,
    ref: ProspectRef,
    delta: number
  ) {
    yield* updateOnList(change, ref, (state) =>
      Effect.succeed({ state: { ...state, noteCount: state.noteCount + delta }, emitted: [], value: undefined })
    )
    if (delta !== 0) change.record({ change: "updated", resource: { type: "prospect", id: ref.uuid }, subjects: [] })
  })

  return { record, insert, update, writeLocked, writeWithRefs, deleteLocked, lock, updateOnList, addToNoteCount }
})

/** Writes prospects, for the use-cases that change them. */
export class ProspectWrites extends Context.Service<ProspectWrites, Effect.Success<typeof make>>()(
  "prospects/ProspectWrites"
) {
  static readonly layer = Layer.effect(ProspectWrites, make)
}
