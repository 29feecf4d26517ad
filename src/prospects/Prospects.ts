/** The use-cases of prospects: the list, one of them, and what becomes of it. */
import { Context, Effect, Layer } from "effect"
import { type Actor, CurrentActor } from "../auth/CurrentActor.ts"
import { onlyOperator, operatorOf } from "../auth/Operator.ts"
import { type Change, Changes } from "../changes/Changes.ts"
import { conditionally, retryOnConflict } from "../changes/Conditional.ts"
import { tombstoneDays } from "../changes/Delta.ts"
import * as DeltaList from "../changes/DeltaList.ts"
import type { ProspectTimelineQuery } from "../changes/Timeline.ts"
import { Timelines } from "../changes/Timelines.ts"
import { daysAgo, today } from "../fields/Span.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import { all } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import { Cursors } from "../usecase/Page.ts"
import { ConcurrencyConflict, InvalidRequest, NotFound } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { Members } from "../identity/teams/Members.ts"
import { Projects } from "../projects/Projects.ts"
import * as Purge from "../records/Purge.ts"
import { prospectEtag, toProspect, toTombstone, usersOf } from "./answers.ts"
import { dueDatesOf } from "./dates.ts"
import * as patches from "./patches.ts"
import { type Milestone, InvestorDeleted, type Prospect, ProspectNotRemoved, ProspectRemoved } from "./Prospect.ts"
import type { ProspectListQuery } from "./ProspectInput.ts"
import type { ProspectRef, ProspectRow } from "./ProspectState.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import * as rules from "./rules.ts"
import * as Span from "../fields/Span.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const writes = yield* ProspectWrites
  const projects = yield* Projects
  const members = yield* Members
  const changes = yield* Changes
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const stepOf = yield* Purge.make

  const find = (actor: Actor, projectUuid: string, id: string) =>
    byId("prospect", id, (uuid) => repo.find(actor.teamId, projectUuid, uuid))

  /** The answers of rows, in their order. */
  const answers = Effect.fnUntraced(function* (rows: ReadonlyArray<ProspectRow>) {
    const names = yield* members.names(rows.flatMap(usersOf))
    const day = yield* today
    return rows.map((row) => toProspect(row, names, day))
  })

  const answer = (row: ProspectRow): Effect.Effect<Prospect> =>
    Effect.flatMap(answers([row]), ([one]) => (one === undefined ? Effect.die("no answer") : Effect.succeed(one)))

  /** A prospect that the caller may see, for what hangs on it. */
  const authorizeRead = Effect.fn("Prospects.reach")(function* (projectId: string, id: string) {
    const { actor, uuid: projectUuid } = yield* projects.authorizeRead(projectId)
    const stored = yield* find(actor, projectUuid, id)
    return { actor, uuid: stored.uuid, projectUuid, stored }
  })

  const unlessRemoved = (stored: StoredProspect) =>
    stored.resource.removedUtc === null ? Effect.void : Effect.fail(ProspectRemoved.refusal())

  /** A prospect that the caller may change: as {@link authorizeRead}, and on the list. */
  const authorizeWrite = Effect.fn("Prospects.reachToWrite")(function* (projectId: string, id: string) {
    const reached = yield* authorizeRead(projectId, id)
    yield* unlessRemoved(reached.stored)
    return reached
  })

  /** A page of a project's prospects. */
  const list = Effect.fn("Prospects.list")(function* (
    projectId: string,
    request: Pick<UseCaseRequest<ProspectListQuery>, "query">
  ) {
    const { actor, uuid: projectUuid } = yield* projects.authorizeRead(projectId)
    const query = yield* request.query
    const { cursor: _cursor, page_size: _size, updated_since: _since, include_deleted: _deleted, ...filters } = query
    const day = yield* today
    const due = query.task_due === undefined ? undefined : dueDatesOf(query.task_due, day)
    const page = yield* DeltaList.read({
      list: "Prospects",
      teamId: actor.teamId,
      query,
      filters: { ...filters, project: projectUuid },
      cursors,
      fetch: (range) =>
        Effect.flatMap(repo.list(actor.teamId, projectUuid, range, query, due), (rows) =>
          Effect.map(members.names(rows.flatMap(({ resource }) => usersOf(resource))), (names) =>
            rows.map(({ deleted, horizon, resource, uuid }) => ({
              uuid,
              horizon,
              item:
                deleted || resource.removedUtc !== null ? toTombstone(resource, day) : toProspect(resource, names, day)
            }))
          )
        ),
      toItem: ({ item }) => item
    })
    return page
  })

  /** One prospect, removed ones included. */
  const get = Effect.fn("Prospects.get")(function* (projectId: string, id: string) {
    const { stored } = yield* authorizeRead(projectId, id)
    return yield* answer(stored.resource)
  })

  /** A prospect's timeline, newest first, with the rows of its contact or company. */
  const actions = Effect.fn("Prospects.actions")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest<ProspectTimelineQuery>, "query">
  ) {
    const { actor, stored, uuid } = yield* authorizeRead(projectId, id)
    const { companyId, contactId } = stored.resource
    const investor =
      contactId === null
        ? { id: Id.toUuid("company", companyId ?? ""), as: "company" as const }
        : { id: Id.toUuid("contact", contactId), as: "contact" as const }
    return yield* timelines.read({ teamId: actor.teamId, type: "prospect", id: uuid }, yield* request.query, {
      rollUps: ["room"],
      others: investor.id === undefined ? [] : [{ id: investor.id, as: investor.as }]
    })
  })

  /** Loads for a conditional change: the prospect with the day on which its ETag holds. */
  const loading = Effect.fnUntraced(function* (projectId: string, id: string) {
    const reached = yield* authorizeRead(projectId, id)
    return { ...reached, etag: prospectEtag(reached.stored.resource, yield* today) }
  })

  /** Changes members of a prospect; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Prospects.patch")(function* (projectId: string, id: string, request: UseCaseRequest) {
    return yield* conditionally({
      request,
      load: loading(projectId, id),
      etagOf: ({ etag }) => etag,
      body: request.body,
      change: Effect.fnUntraced(function* (
        { actor, projectUuid, stored }: Effect.Success<ReturnType<typeof loading>>,
        document: UnvalidatedJson,
        hasPrecondition: boolean
      ) {
        const now = yield* Span.now
        const decide = Effect.fnUntraced(function* (base: StoredProspect, at: Date) {
          const [, input] = yield* all(request.query, patches.decode(document, yield* answer(base.resource)))
          const wanted = patches.ownerOf(input, Id.fromUuidOrNull("user", actor.userId))
          const found = yield* members.active(actor.teamId, wanted === undefined ? [] : [wanted])
          const { faults, patch } = patches.resolve(input, stateOf(base), {
            now,
            ownerId: wanted,
            isMember: (id) => found.has(id)
          })
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          yield* unlessRemoved(base)
          return rules.patched(stateOf(base), patch, {
            userId: Id.fromUuidOrNull("user", actor.userId),
            at: at.toISOString()
          })
        })
        const planned = yield* decide(stored, now)
        if (planned.emitted.length === 0) return yield* answer(stored.resource)
        return yield* changes.commit(
          actor,
          Effect.fnUntraced(function* (change) {
            const latest = yield* writes.lock(change, { uuid: stored.uuid, projectUuid })
            // Who named a state wants that one; the others have their change made to whatever it is now.
            if (hasPrecondition && latest.version !== stored.version) return yield* ConcurrencyConflict.of("prospect")
            const decision = yield* decide(latest, change.at)
            const taken = yield* writes.takenBy(actor.teamId, stored.uuid, decision.state.externalRefs)
            if (taken !== undefined) return yield* taken
            return yield* answer(yield* writes.commit(change, projectUuid, latest, decision))
          })
        )
      })
    })
  })

  /**
   * Writes a prospect on condition of `If-Match`: `write` gets it as it is then, locked. Where `isDue` says no, nothing is
   * written.
   */
  const onCondition = <E, R, E2 = never>(
    {
      request,
      id,
      projectId
    }: {
      readonly projectId: string
      readonly id: string
      readonly request: Pick<UseCaseRequest, "ifMatch" | "query">
    },
    isDue: (stored: StoredProspect) => Effect.Effect<boolean, E2>,
    write: (change: Change, ref: ProspectRef, latest: StoredProspect) => Effect.Effect<void, E, R>
  ) =>
    conditionally({
      request,
      load: loading(projectId, id),
      etagOf: ({ etag }) => etag,
      body: Effect.void,
      change: Effect.fnUntraced(function* (
        { actor, projectUuid, stored, uuid }: Effect.Success<ReturnType<typeof loading>>,
        _: void,
        hasPrecondition: boolean
      ) {
        yield* request.query
        if (!(yield* isDue(stored))) return
        yield* changes.commit(
          actor,
          Effect.fnUntraced(function* (change) {
            const ref = { uuid, projectUuid }
            const latest = yield* writes.lock(change, ref)
            if (hasPrecondition && latest.version !== stored.version) return yield* ConcurrencyConflict.of("prospect")
            if (yield* isDue(latest)) yield* write(change, ref, latest)
          })
        )
      })
    })

  /** Deletes a prospect for good: its tombstone stays in deltas, and its references are free for others. */
  const deleteProspect = Effect.fn("Prospects.delete")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest, "ifMatch" | "query">
  ) {
    yield* onCondition(
      { projectId, id, request },
      () => Effect.succeed(true),
      (change, ref, latest) => {
        writes.emit(change, ref, [rules.deletedEntry(latest.resource.externalRefs)])
        return writes.remove(change, latest)
      }
    )
  })

  /** Removes a prospect from the list; it keeps everything. Once more changes nothing. */
  const removeFromList = Effect.fn("Prospects.takeOff")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest, "query">
  ) {
    const { actor, projectUuid, stored, uuid } = yield* authorizeRead(projectId, id)
    yield* request.query
    if (stored.resource.removedUtc !== null) return
    yield* changes.commit(
      actor,
      Effect.fnUntraced(function* (change) {
        const latest = yield* writes.lock(change, { uuid, projectUuid })
        const decision = rules.removed(stateOf(latest), change.at.toISOString())
        yield* Effect.orDie(writes.commit(change, projectUuid, latest, decision))
      })
    )
  })

  const notRemoved = new ProspectNotRemoved({ detail: "The prospect is on the list: there is nothing to restore." })

  /** Puts a prospect that was removed back on the list, as it was. */
  const restore = Effect.fn("Prospects.restore")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest, "query">
  ) {
    // Read anew when it has become part of another meanwhile.
    return yield* retryOnConflict(
      Effect.gen(function* () {
        const { actor, projectUuid, stored, uuid } = yield* authorizeRead(projectId, id)
        yield* request.query
        if (stored.resource.removedUtc === null) return yield* notRemoved
        const { companyId, contactId } = stored.resource
        return yield* changes.commit(
          actor,
          Effect.fnUntraced(function* (change) {
            // The investor stays until this ends, or has gone.
            const [investor] =
              contactId === null
                ? yield* repo.companies(
                    actor.teamId,
                    [companyId].flatMap((one) => Id.toUuid("company", one ?? "") ?? [])
                  )
                : yield* repo.contacts(actor.teamId, [Id.toUuid("contact", contactId) ?? ""])
            const latest = yield* writes.lock(change, { uuid, projectUuid })
            if (latest.resource.removedUtc === null) return yield* notRemoved
            if (latest.resource.contactId !== contactId || latest.resource.companyId !== companyId) {
              return yield* ConcurrencyConflict.of("prospect")
            }
            if (investor === undefined) {
              return yield* new InvestorDeleted({
                detail: "Its contact or company was deleted from the network: it cannot come back on the list."
              })
            }
            const decision = rules.restored(stateOf(latest))
            return yield* answer(yield* Effect.orDie(writes.commit(change, projectUuid, latest, decision)))
          })
        )
      })
    )
  })

  /** Withdraws every correction of the stage, which is derived again; without one, nothing changes. */
  const withdrawOverride = Effect.fn("Prospects.withdrawOverride")(function* (
    projectId: string,
    id: string,
    request: Pick<UseCaseRequest, "ifMatch" | "query">
  ) {
    yield* onCondition(
      { projectId, id, request },
      (stored) => Effect.as(unlessRemoved(stored), stored.resource.overrideStage !== null),
      (change, { projectUuid }, latest) =>
        // It is locked and keeps its references, so nobody comes first.
        Effect.orDie(writes.commit(change, projectUuid, latest, rules.overrideWithdrawn(stateOf(latest))))
    )
  })

  /** Records that something happened to a prospect in the process, which may raise its stage. */
  const recordChange = Effect.fn("Prospects.recordHappening")(function* (
    projectId: string,
    id: string,
    kind: Milestone
  ) {
    const { actor, projectUuid, uuid } = yield* authorizeWrite(projectId, id)
    return yield* changes.commit(
      actor,
      Effect.fnUntraced(function* (change) {
        if (kind === "teaser_communicated") yield* projects.communicated(change, projectUuid)
        if (kind === "room_access_granted") yield* projects.roomOpened(change, projectUuid)
        const latest = yield* writes.lock(change, { uuid, projectUuid })
        yield* unlessRemoved(latest)
        const decision = rules.happened(stateOf(latest), kind, change.at.toISOString())
        return yield* answer(yield* Effect.orDie(writes.commit(change, projectUuid, latest, decision)))
      })
    )
  })

  /** As {@link recordChange}, by the operator, who is of no team: the project's is found. */
  const recordChangeOf = Effect.fn("Prospects.recordHappeningOf")(function* (
    projectId: string,
    id: string,
    kind: Milestone
  ) {
    yield* onlyOperator
    const [projectUuid, uuid] = [Id.toUuid("project", projectId), Id.toUuid("prospect", id)]
    const teamId = projectUuid === undefined || uuid === undefined ? undefined : yield* repo.teamOf(projectUuid, uuid)
    if (teamId === undefined) {
      return yield* new NotFound({ detail: "There is no such project, or no such prospect on it." })
    }
    return yield* Effect.provideService(recordChange(projectId, id, kind), CurrentActor, operatorOf(teamId))
  })

  /** Adds to the number of a prospect's notes inside the transaction of `change`. */
  const countNotes = Effect.fn("Prospects.countNotes")(function* (change: Change, ref: ProspectRef, delta: number) {
    yield* writes.alter(change, ref, (state) =>
      Effect.succeed({ state: { ...state, noteCount: state.noteCount + delta }, emitted: [], value: undefined })
    )
    if (delta !== 0) change.record({ change: "updated", resource: { type: "prospect", id: ref.uuid }, subjects: [] })
  })

  /**
   * A step of the removal of tombstones that are older than deltas reach back: see {@link Purge.make}. Their rows stay on the
   * timeline of a project that lives.
   */
  const purge = Effect.fn("Prospects.purge")(function* (limit: number) {
    const until = yield* daysAgo(tombstoneDays)
    return yield* stepOf({ purgeCandidates: (most) => repo.purgeCandidates(until, most), remove: repo.purge })(limit)
  })

  return {
    list,
    get,
    actions,
    authorizeRead,
    authorizeWrite,
    alter: writes.alter,
    patch,
    delete: deleteProspect,
    removeFromList,
    restore,
    withdrawOverride,
    recordChange,
    recordChangeOf,
    countNotes,
    answers,
    purge
  }
})

/** What can be done with prospects. Every use-case needs the `broker` capability; `purge` is the service's own. */
export class Prospects extends Context.Service<Prospects, Effect.Success<typeof make>>()("prospects/Prospects") {
  static readonly layer = Layer.effect(Prospects, make)
}
