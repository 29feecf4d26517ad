/**
 * Writes of prospects inside a running change: lock, decide on the state, write the whole state. Offers and access follow each write:
 * offers of prospects that leave the list are withdrawn and those of prospects that come back are restored, and access to data rooms ends
 * with the prospect's end of access.
 */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { auditAfter } from "../../core/mutation/Audit.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { fieldsOf } from "../../core/records/RecordKind.ts"
import { save } from "../../core/records/SaveRecords.ts"
import { differing } from "../../core/usecase/UnvalidatedJson.ts"
import {
  ConcurrencyConflict,
  ExternalReferenceTaken,
  NotFound,
  ProspectErased,
  ProspectRemoved
} from "../../core/usecase/Problem.ts"
import { dayOf, withOverdueFlag } from "./projection.ts"
import {
  type AuditEntry,
  changeRecordOf,
  type Decision,
  deletedEntry,
  enterRoom as afterEntering,
  isSame,
  isSameAnswer,
  milestoneEvents,
  reachMilestone,
  silentUpdate
} from "./rules.ts"
import {
  blank,
  type Milestone,
  type ProspectRef,
  type ProspectRow,
  type ProspectState,
  type ProspectSubject
} from "./Prospect.ts"
import { type AccessRef, AccessRepo } from "../access/AccessRepo.ts"
import { accessRecord, followEnd } from "../access/rules.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { Projects } from "../projects/Projects.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"

/** A state to write over a prospect that the change has locked. */
export interface PendingUpdate {
  readonly stored: StoredProspect
  readonly state: ProspectState
  readonly changeType: "updated" | "restored"
}

/** A prospect to insert. */
export interface PendingInsert {
  readonly uuid: string
  readonly state: ProspectState
}

const prospectsOf = (accesses: ReadonlyArray<AccessRef>) => [
  ...new Set(accesses.map(({ prospectUuid }) => prospectUuid))
]

/** The state of a stored prospect. */
export const stateOf = (stored: StoredProspect): ProspectState => fieldsOf(blank, stored.resource)

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

/** Whether a living prospect can change: it is on the list, and its person was not erased. */
export const isWritable = ({ resource: { erasedUtc, removedUtc } }: StoredProspect) =>
  removedUtc === null && erasedUtc === null

const refusalOf = ({ resource: { removedUtc } }: StoredProspect) =>
  removedUtc === null ? ProspectErased.rejection() : ProspectRemoved.rejection()

/** A project that was deleted after it was loaded is a conflict, so that the pipeline starts over and answers 404. */
const orConflict = <A, R>(self: Effect.Effect<A, NotFound, R>) =>
  Effect.mapError(self, () => ConcurrencyConflict.of("project"))

/**
 * Writes `invitation` (whether an invitation waits for its reply) of those of these locked prospects of which it changes. Deltas list
 * them; there is no event.
 */
export const writeInvitations = Effect.fn("ProspectWrites.writeInvitations")(function* (
  repo: ProspectsRepo["Service"],
  change: Change,
  uuids: ReadonlyArray<string>,
  invited: ReadonlySet<string>
) {
  const stored = yield* repo.findAll(change.actor.teamId, uuids)
  const changed = stored.filter(({ deleted, resource, uuid }) => !deleted && resource.invitation !== invited.has(uuid))
  yield* repo.update(
    change,
    changed.map(({ resource, uuid, version }) => ({
      uuid,
      readVersion: version,
      version: version + 1,
      changeType: "updated",
      fields: withOverdueFlag({ ...resource, invitation: invited.has(uuid) }, dayOf(change.at))
    }))
  )
  for (const { uuid } of changed) change.record(silentUpdate(uuid))
})

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const projects = yield* Projects
  const refs = yield* ExternalRefsRepo
  const access = yield* AccessRepo
  const offers = yield* OfferChanges

  const record = (change: Change, ref: ProspectSubject, entries: ReadonlyArray<AuditEntry>) => {
    for (const entry of entries) change.record(changeRecordOf(ref, entry))
  }

  /** Withdraws the offers of prospects that leave the list, and brings those back of prospects that are on it again. */
  const followOffers = Effect.fnUntraced(function* (change: Change, updates: ReadonlyArray<PendingUpdate>) {
    const moved = updates.filter(
      ({ state, stored }) => (state.removedUtc === null) !== (stored.resource.removedUtc === null)
    )
    const [back, gone] = [true, false].map((isOnList) =>
      moved.filter(({ state }) => (state.removedUtc === null) === isOnList).map(({ stored }) => stored.uuid)
    )
    if (gone !== undefined) yield* offers.withdraw(change, gone)
    if (back !== undefined) yield* offers.restore(change, back)
  })

  /**
   * Gives the access of prospects to data rooms another end: access that is there follows it, and access that is over may be back. Tells
   * their offers of what ended since the previous one, and of what is back.
   */
  const followAccess = Effect.fnUntraced(function* (change: Change, updates: ReadonlyArray<PendingUpdate>) {
    const changed = updates.filter(({ state, stored }) => state.accessExpiryUtc !== stored.resource.accessExpiryUtc)
    if (changed.length === 0) return
    const locked = yield* access.lockOfProspects(
      change.actor.teamId,
      changed.map(({ stored }) => stored.uuid)
    )
    const accesses = Map.groupBy(locked, ({ prospectUuid }) => prospectUuid)
    const followed = changed.map(({ state: { accessExpiryUtc }, stored }) => {
      const end = accessExpiryUtc === null ? null : new Date(accessExpiryUtc)
      const ofProspect = accesses.get(stored.uuid) ?? []
      const { expired, kept, resumed } = followEnd(ofProspect, end, change.at)
      const refsOf = (rooms: ReadonlyArray<string>) =>
        ofProspect.filter(({ roomUuid }) => rooms.includes(roomUuid)).map((one) => ({ ...one, end }))
      return { kept: refsOf(kept), expired: refsOf(expired), resumed: refsOf(resumed) }
    })
    const expired = followed.flatMap((one) => one.expired)
    const resumed = followed.flatMap((one) => one.resumed)
    yield* access.setEnds(
      change,
      followed.flatMap((one) => one.kept)
    )
    yield* access.expire(change, expired)
    yield* access.grant(change, resumed)
    for (const one of expired) change.record(accessRecord(one, "room.access_expired"))
    for (const one of resumed) change.record(accessRecord(one, "room.access_granted"))
    yield* offers.tell(change, prospectsOf(expired), { type: "access_expired" })
    yield* offers.tell(change, prospectsOf(resumed), { type: "access_granted" })
  })

  /** Saves prospects; fails when another transaction inserted one of them, or took one of their references, first. */
  const saveAll = Effect.fn("ProspectWrites.saveAll")(function* (
    change: Change,
    {
      inserts,
      updates
    }: { readonly inserts: ReadonlyArray<PendingInsert>; readonly updates: ReadonlyArray<PendingUpdate> }
  ) {
    yield* save({ type: "prospect", repo }, refs, change, {
      versions: [
        ...updates.map(({ changeType, state, stored }) => ({
          uuid: stored.uuid,
          readVersion: stored.version,
          version: stored.version + 1,
          changeType,
          fields: withOverdueFlag(state, dayOf(change.at))
        })),
        ...inserts.map(({ state, uuid }) => ({
          uuid,
          readVersion: 0,
          version: 1,
          changeType: "created",
          fields: withOverdueFlag(state, dayOf(change.at))
        }))
      ],
      refs: [
        ...updates
          .filter(({ state, stored }) => differing({ externalRefs: state.externalRefs }, stored.resource).length > 0)
          .map(({ state, stored }) => ({ id: stored.uuid, refs: state.externalRefs })),
        ...inserts
          .filter(({ state }) => state.externalRefs.length > 0)
          .map(({ state, uuid }) => ({ id: uuid, refs: state.externalRefs }))
      ]
    })
    yield* followOffers(change, updates)
    yield* followAccess(change, updates)
    return [
      ...updates.map(({ changeType, state, stored: { resource, version } }): ProspectRow => ({
        id: resource.id,
        ...withOverdueFlag(state, dayOf(change.at)),
        ...auditAfter(change, { version: version + 1, changeType, createdUtc: resource.createdUtc })
      })),
      ...inserts.map(({ state, uuid }): ProspectRow => ({
        id: Id.fromUuid("prospect", uuid),
        ...withOverdueFlag(state, dayOf(change.at)),
        ...auditAfter(change, { version: 1, changeType: "created" })
      }))
    ]
  })

  /** Fails when another prospect than `uuid` holds one of these references. */
  const requireFreeRefs = Effect.fnUntraced(function* (
    change: Change,
    uuid: string,
    externalRefs: ReadonlyArray<ExternalRef>
  ) {
    const holders = yield* refs.holders({ teamId: change.actor.teamId, type: "prospect" }, externalRefs)
    const taken = holders.find(({ holder }) => holder !== uuid)
    if (taken !== undefined) {
      return yield* ExternalReferenceTaken.of("prospect", taken, Id.fromUuid("prospect", taken.holder))
    }
  })

  /**
   * Writes a decision on a locked prospect and records its entries; returns the row. A state with the same answer keeps its version.
   * Fails when another prospect has one of its new references, or takes one first.
   */
  const write = Effect.fn("ProspectWrites.write")(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect,
    { emitted, state }: Decision
  ) {
    record(change, { ...state, uuid: stored.uuid, projectUuid }, emitted)
    const before = stateOf(stored)
    if (isSame(before, state)) return stored.resource
    if (differing({ externalRefs: state.externalRefs }, before).length > 0) {
      yield* requireFreeRefs(change, stored.uuid, state.externalRefs)
    }
    if (isSameAnswer(before, state)) {
      yield* repo.updateInPlace(change, [{ uuid: stored.uuid, state }])
      return { ...stored.resource, ...state }
    }
    const isRestored = emitted.some((entry) => entry.change === "restored")
    const changeType = isRestored ? "restored" : "updated"
    const [row] = yield* saveAll(change, { inserts: [], updates: [{ stored, state, changeType }] })
    return row ?? stored.resource
  })

  /** As `write`, for a decision that leaves the references alone: the lock excludes a conflict. */
  const writeLocked = (change: Change, projectUuid: string, stored: StoredProspect, decision: Decision) =>
    Effect.orDie(write(change, projectUuid, stored, decision))

  /**
   * Writes decisions on several locked prospects of a project, which neither restore them nor change their references, and records
   * their entries, in a constant number of statements.
   */
  const writeAllLocked = Effect.fn("ProspectWrites.writeAllLocked")(function* (
    change: Change,
    projectUuid: string,
    decided: ReadonlyArray<{ readonly stored: StoredProspect; readonly decision: Decision }>
  ) {
    for (const { decision, stored } of decided) {
      record(change, { ...decision.state, uuid: stored.uuid, projectUuid }, decision.emitted)
    }
    const changed = decided.filter(({ decision, stored }) => !isSame(stateOf(stored), decision.state))
    const isInPlace = ({ decision, stored }: (typeof decided)[number]) => isSameAnswer(stateOf(stored), decision.state)
    yield* repo.updateInPlace(
      change,
      changed.filter(isInPlace).map(({ decision: { state }, stored: { uuid } }) => ({ uuid, state }))
    )
    const updates = changed
      .filter((one) => !isInPlace(one))
      .map(({ decision: { state }, stored }) => ({ stored, state, changeType: "updated" as const }))
    if (updates.length > 0) yield* Effect.orDie(saveAll(change, { inserts: [], updates }))
  })

  /** Leaves the tombstones of a locked prospect and its tasks, and releases its references. */
  const deleteLocked = Effect.fn("ProspectWrites.deleteLocked")(function* (
    change: Change,
    projectUuid: string,
    stored: StoredProspect
  ) {
    const { resource, uuid, version } = stored
    record(change, { ...resource, uuid, projectUuid }, [deletedEntry(resource.externalRefs)])
    yield* repo.delete(change, [{ uuid, readVersion: version, version: version + 1, fields: stateOf(stored) }])
    yield* repo.deleteTasks(change, uuid)
    yield* refs.replace({ teamId: change.actor.teamId, type: "prospect" }, [{ id: uuid, refs: [] }])
    yield* offers.withdraw(change, [uuid])
  })

  /** Locks a prospect until the change ends, and returns its latest state; fails when it was deleted. */
  const lock = Effect.fn("ProspectWrites.lock")(function* (change: Change, uuid: string) {
    const [latest] = yield* repo.lock(change.actor.teamId, [uuid])
    return latest === undefined || latest.deleted
      ? yield* new NotFound({ detail: "There is no prospect with this id." })
      : latest
  })

  /**
   * Locks prospects of a project (UUID) until the change ends: those with these ids, or all on the list, in a constant number of
   * statements. Lock the project before.
   */
  const lockNamed = Effect.fn("ProspectWrites.lockNamed")(function* (
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
      if (stored !== undefined && isWritable(stored)) onList.push(stored)
      else {
        const { code, detail } = stored === undefined ? notFound : refusalOf(stored)
        failed.push({ prospectId, code, detail })
      }
    }
    const answer: LockedProspects = { onList, failed }
    return answer
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
    if (!isWritable(latest)) return yield* refusalOf(latest)
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
    if (delta !== 0) change.record(silentUpdate(ref.uuid))
  })

  /** Tells the project of a milestone that one of its prospects (UUID) reached, and locks it. */
  const tellProject = Effect.fnUntraced(function* (
    change: Change,
    { projectUuid, uuid }: ProspectRef,
    milestone: Milestone
  ) {
    const caused = following(change, () => ({
      event: milestoneEvents[milestone],
      resource: { type: "prospect", id: uuid }
    }))
    if (milestone === "teaser_communicated") yield* orConflict(projects.recordCommunication(caused, projectUuid))
    if (milestone === "room_access_granted") yield* orConflict(projects.recordRoomAccess(caused, projectUuid))
  })

  /**
   * Within a running change, records that prospects of a project reached a milestone, which may raise their stages, in a constant
   * number of statements. Returns those that are on the list, as they were: others are left alone. The caller is authorized, and
   * has not locked any of them.
   */
  const reachAll = Effect.fn("ProspectWrites.reachAll")(function* (
    change: Change,
    projectUuid: string,
    uuids: ReadonlyArray<string>,
    milestone: Milestone
  ) {
    const [uuid] = uuids
    if (uuid === undefined) return []
    // All writers lock the project before the prospect, so that they cannot deadlock.
    yield* tellProject(change, { projectUuid, uuid }, milestone)
    const locked = yield* repo.lock(change.actor.teamId, uuids)
    const onList = locked.filter((stored) => !stored.deleted && isWritable(stored))
    yield* writeAllLocked(
      change,
      projectUuid,
      onList.map((stored) => ({
        stored,
        decision: reachMilestone(stateOf(stored), milestone, change.at.toISOString())
      }))
    )
    return onList
  })

  /**
   * Within a running change that has locked the project, records access of prospects to a data room, in a constant number of statements:
   * new access is a milestone, and it ends then. The caller is authorized.
   */
  const enterRoom = Effect.fn("ProspectWrites.enterRoom")(function* (
    change: Change,
    projectUuid: string,
    entering: ReadonlyArray<{ readonly uuid: string; readonly isNew: boolean; readonly accessExpiryUtc: string | null }>
  ) {
    const first = entering.find(({ isNew }) => isNew)
    if (first !== undefined) yield* tellProject(change, { projectUuid, uuid: first.uuid }, "room_access_granted")
    const accessOf = new Map(entering.map((access) => [access.uuid, access]))
    const locked = yield* repo.lock(change.actor.teamId, [...accessOf.keys()])
    yield* writeAllLocked(
      change,
      projectUuid,
      locked.flatMap((stored) => {
        const access = accessOf.get(stored.uuid)
        return access === undefined
          ? []
          : [{ stored, decision: afterEntering(stateOf(stored), access, change.at.toISOString()) }]
      })
    )
  })

  return {
    record,
    saveAll,
    write,
    writeLocked,
    writeAllLocked,
    deleteLocked,
    lock,
    lockNamed,
    updateOnList,
    addToNoteCount,
    reachAll,
    enterRoom
  }
})

/** Writes prospects, for the use-cases that change them. */
export class ProspectWrites extends Context.Service<ProspectWrites, Effect.Success<typeof make>>()(
  "deals/prospects/ProspectWrites"
) {
  static readonly layer = Layer.effect(ProspectWrites, make).pipe(
    Layer.provide([AccessRepo.layer, OfferChanges.layer, Projects.layer, ProspectsRepo.layer])
  )
}
