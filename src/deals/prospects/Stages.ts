/** The ways a stage changes other than by a PATCH: milestones of several prospects, and withdrawing an override (docs/behaviour/projects-and-prospects.md#stage). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import { Context, Effect, Layer } from "effect"
import { type Change, following } from "../../core/mutation/Changes.ts"
import { Projects } from "../projects/Projects.ts"
import { ConcurrencyConflict, type NotFound } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { Milestone } from "./Prospect.ts"
import type { ProspectRef } from "./ProspectState.ts"
import { Prospects, requireOnList } from "./Prospects.ts"
import { ProspectsRepo } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { enterRoom as afterEntering, milestoneEvents, reachMilestone, withdrawStageOverride } from "./rules.ts"

/** A project that was deleted after it was loaded is a conflict, so that the pipeline starts over and answers 404. */
const orConflict = <A, R>(self: Effect.Effect<A, NotFound, R>) =>
  Effect.mapError(self, () => ConcurrencyConflict.of("project"))

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const prospects = yield* Prospects
  const projects = yield* Projects
  const writes = yield* ProspectWrites
  const mutation = yield* Mutation.make

  /**
   * Withdraws the stage override, so that milestones alone decide the stage; no earlier override comes back. Without an
   * override, nothing changes.
   */
  const withdrawOverride = Effect.fn("Stages.withdrawOverride")(
    (projectId: string, id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
      mutation.change({
        request,
        authorize: "broker",
        load: (actor) => prospects.load(actor, projectId, id),
        etagOf: ({ etag }) => etag,
        decide: ({ loaded }) =>
          Effect.gen(function* () {
            // Only validates: there are no parameters, and unknown ones are rejected.
            yield* request.query
            yield* requireOnList(loaded)
            const { overrideStage } = loaded.stored.resource
            return overrideStage === null ? null : withdrawStageOverride(stateOf(loaded.stored))
          }),
        lock: (change, locking) => prospects.lock(change, locking),
        commit: (change, { decision, loaded: { projectUuid, stored } }) =>
          writes.writeLocked(change, projectUuid, stored, decision),
        answer: () => Effect.void
      })
  )

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
  const reachAll = Effect.fn("Stages.reachAll")(function* (
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
    const onList = locked.filter(({ deleted, resource }) => !deleted && resource.removedUtc === null)
    yield* writes.writeAllLocked(
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
  const enterRoom = Effect.fn("Stages.enterRoom")(function* (
    change: Change,
    projectUuid: string,
    entering: ReadonlyArray<{ readonly uuid: string; readonly isNew: boolean; readonly accessExpiryUtc: string | null }>
  ) {
    const first = entering.find(({ isNew }) => isNew)
    if (first !== undefined) yield* tellProject(change, { projectUuid, uuid: first.uuid }, "room_access_granted")
    const accessOf = new Map(entering.map((access) => [access.uuid, access]))
    const locked = yield* repo.lock(change.actor.teamId, [...accessOf.keys()])
    yield* writes.writeAllLocked(
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

  return { withdrawOverride, reachAll, enterRoom }
})

/**
 * Withdraws stage overrides, which needs the `broker` capability, and records milestones for other modules, which have authorized
 * their caller.
 */
export class Stages extends Context.Service<Stages, Effect.Success<typeof make>>()("deals/prospects/Stages") {
  static readonly layer = Layer.effect(Stages, make)
}
