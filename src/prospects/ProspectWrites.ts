/** How prospects are written, inside a running change: locked, decided on, and the whole state written at once. */
import { Context, Effect, Layer } from "effect"
import { auditAfter } from "../changes/Audit.ts"
import type { Change } from "../changes/Changes.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { differing } from "../usecase/MergePatch.ts"
import { ConcurrencyConflict, ExternalReferenceTaken, NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { fieldsOf } from "../records/Writes.ts"
import { isOverdue } from "./answers.ts"
import { dayOf } from "./dates.ts"
import { ProspectRemoved } from "./Prospect.ts"
import { blank, type ProspectRef, type ProspectRow, type ProspectState } from "./ProspectState.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { type Decision, changeRecordOf, isSame, isSameAnswer, type AuditEntry } from "./rules.ts"

/** A state that is to be written over one that the change has locked. */
export interface PendingUpdate {
  readonly stored: StoredProspect
  readonly state: ProspectState
  readonly changeType: "updated" | "restored"
}

/** The state of a row. */
export const stateOf = (stored: StoredProspect): ProspectState => fieldsOf(blank, stored.resource)

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo

  /** The state as it is written now: whether its task is overdue has been seen then. */
  const seen = (change: Change, state: ProspectState): ProspectState => ({
    ...state,
    overdueSeen: isOverdue(state.nextTask, dayOf(change.at))
  })

  /** Which prospect other than `uuid` has one of these references. */
  const takenBy = Effect.fnUntraced(function* (
    teamId: string,
    uuid: string | undefined,
    wanted: ReadonlyArray<ExternalRef>
  ) {
    const holders = yield* refs.holders({ teamId, type: "prospect" }, wanted)
    const other = holders.find(({ holder }) => holder !== uuid)
    return other === undefined
      ? undefined
      : ExternalReferenceTaken.of("prospect", other, Id.fromUuid("prospect", other.holder))
  })

  const giveRefs = Effect.fnUntraced(function* (
    change: Change,
    owned: ReadonlyArray<{ readonly id: string; readonly refs: ReadonlyArray<ExternalRef> }>
  ) {
    const areFree = yield* refs.replace({ teamId: change.actor.teamId, type: "prospect" }, owned)
    if (!areFree) return yield* ConcurrencyConflict.of("prospect")
  })

  /** Adds prospects. Their references are nobody's, as far as was seen. */
  const add = Effect.fn("ProspectWrites.add")(function* (
    change: Change,
    added: ReadonlyArray<{ readonly uuid: string; readonly state: ProspectState }>
  ) {
    const written = yield* repo.insert(
      change,
      added.map(({ state, uuid }) => ({
        uuid,
        readVersion: 0,
        version: 1,
        changeType: "created",
        fields: seen(change, state)
      }))
    )
    if (written < added.length) return yield* ConcurrencyConflict.of("prospect")
    yield* giveRefs(
      change,
      added.flatMap(({ state, uuid }) =>
        state.externalRefs.length === 0 ? [] : [{ id: uuid, refs: state.externalRefs }]
      )
    )
    return added.map(({ state, uuid }): ProspectRow => ({
      id: Id.fromUuid("prospect", uuid),
      ...seen(change, state),
      ...auditAfter(change, { version: 1, changeType: "created" })
    }))
  })

  /** Writes states over those that were locked, or, of a client that named a state, read; answers the rows. */
  const update = Effect.fn("ProspectWrites.follow")(function* (
    change: Change,
    pendingUpdates: ReadonlyArray<PendingUpdate>
  ) {
    const written = yield* repo.update(
      change,
      pendingUpdates.map(({ changeType, state, stored }) => ({
        uuid: stored.uuid,
        readVersion: stored.version,
        version: stored.version + 1,
        changeType,
        fields: seen(change, state)
      }))
    )
    if (written < pendingUpdates.length) return yield* ConcurrencyConflict.of("prospect")
    yield* giveRefs(
      change,
      pendingUpdates.flatMap(({ state, stored }) =>
        differing({ externalRefs: state.externalRefs }, stored.resource).length === 0
          ? []
          : [{ id: stored.uuid, refs: state.externalRefs }]
      )
    )
    return pendingUpdates.map(({ changeType, state, stored }): ProspectRow => ({
      id: stored.resource.id,
      ...seen(change, state),
      ...auditAfter(change, {
        version: stored.version + 1,
        changeType,
        createdUtc: stored.resource.createdUtc
      })
    }))
  })

  /** Deletes one that was locked; its references are free for others. */
  const remove = Effect.fn("ProspectWrites.remove")(function* (change: Change, stored: StoredProspect) {
    const { uuid, version } = stored
    yield* repo.remove(change, [{ uuid, readVersion: version, version: version + 1, fields: stateOf(stored) }])
    yield* refs.replace({ teamId: change.actor.teamId, type: "prospect" }, [{ id: uuid, refs: [] }])
  })

  const emit = (change: Change, ref: ProspectRef, emitted: ReadonlyArray<AuditEntry>) => {
    for (const one of emitted) change.record(changeRecordOf(ref, one))
  }

  /** Writes what was decided on a prospect, as far as it differs, and tells it; answers the row. Its version stays where its answer does. */
  const commit = Effect.fn("ProspectWrites.commit")(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect,
    { state, emitted }: Decision
  ) {
    emit(change, { uuid: stored.uuid, projectUuid }, emitted)
    const before = stateOf(stored)
    if (isSame(before, state)) return stored.resource
    if (isSameAnswer(before, state)) {
      yield* repo.updateInPlace(change, [{ uuid: stored.uuid, state }])
      return { ...stored.resource, ...state }
    }
    const changeType = emitted.some((one) => one.change === "restored") ? ("restored" as const) : ("updated" as const)
    const [row] = yield* update(change, [{ stored, state, changeType }])
    return row ?? stored.resource
  })

  /** The prospect as it is, which nobody else can write until the change ends; fails when it has been deleted meanwhile. */
  const lock = Effect.fn("ProspectWrites.lock")(function* (change: Change, { uuid }: ProspectRef) {
    const [latest] = yield* repo.lock(change.actor.teamId, [uuid])
    return latest === undefined || latest.deleted
      ? yield* new NotFound({ detail: "There is no prospect with this id." })
      : latest
  })

  /**
   * Changes a prospect that is on the list: what `decide` makes of its state, which is locked until the change ends, is
   * written if it differs. Answers what `decide` answers.
   */
  const alter = Effect.fn("ProspectWrites.alter")(function* <A, E, R>(
    change: Change,
    ref: ProspectRef,
    decide: (state: ProspectState) => Effect.Effect<Decision & { readonly value: A }, E, R>
  ) {
    const latest = yield* lock(change, ref)
    if (latest.resource.removedUtc !== null) return yield* ProspectRemoved.refusal()
    const decision = yield* decide(stateOf(latest))
    // It is locked and keeps its references, so nobody comes first.
    yield* Effect.orDie(commit(change, ref.projectUuid, latest, decision))
    return decision.value
  })

  return { takenBy, add, update, commit, lock, alter, remove, emit }
})

/** Writes prospects. */
export class ProspectWrites extends Context.Service<ProspectWrites, Effect.Success<typeof make>>()(
  "prospects/ProspectWrites"
) {
  static readonly layer = Layer.effect(ProspectWrites, make)
}
