/** Grants and withdraws access to rooms, and records its end (docs/behaviour/rooms.md#access). */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { now } from "../../platform/Time.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { Projects } from "../projects/Projects.ts"
import { expiryOf } from "../prospects/projection.ts"
import { Prospects } from "../prospects/Prospects.ts"
import { ProspectWrites } from "../prospects/ProspectWrites.ts"
import { all, bodyFault } from "../../core/usecase/Input.ts"
import { ConcurrencyConflict, InvalidRequest, type NotFound } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { accessRecord, accessStateAt, accessTransitions, decideGrant } from "../access/rules.ts"
import { AccessRepo } from "../access/AccessRepo.ts"
import { RoomRefused } from "../rooms/Room.ts"
import { AccessGrant, AccessRevocation, type Granted, type Revoked, type Unserved } from "../access/Access.ts"
import { OfferArrivals } from "./OfferLifecycle.ts"
import { Rooms } from "../rooms/Rooms.ts"
import type { RoomRef } from "../rooms/rules.ts"

const decodeGrant = UnvalidatedJson.decoder(AccessGrant)
const decodeRevocation = UnvalidatedJson.decoder(AccessRevocation)

const notOpen = new RoomRefused({ detail: "The room is not open, so nobody gets access to it any more." })

/** A prospect's id as it was sent, and why nothing was done for it. */
const unserved = (prospectId: string, code: Unserved["code"], detail: string): Unserved => ({
  prospectId,
  code,
  detail
})

const make = Effect.gen(function* () {
  const repo = yield* AccessRepo
  const rooms = yield* Rooms
  const projects = yield* Projects
  const prospects = yield* Prospects
  const prospectWrites = yield* ProspectWrites
  const offers = yield* OfferChanges
  const arrivals = yield* OfferArrivals
  const changes = yield* Changes
  const mutation = yield* Mutation.make

  /** Locks those of these prospects that are on the room's project; the others are not served. */
  const lockProspects = Effect.fnUntraced(function* (change: Change, room: RoomRef, ids: ReadonlyArray<string>) {
    const projectId = Id.fromUuid("project", room.projectUuid)
    const uuids = ids.flatMap((id) => Id.toUuid("prospect", id) ?? [])
    const locked = yield* prospects.lockAll(change, uuids)
    const living = locked.filter(({ deleted, resource }) => !deleted && resource.projectId === projectId)
    const byId = new Map(living.map((stored) => [stored.resource.id, stored]))
    return {
      living,
      failed: ids.flatMap((id) =>
        byId.has(id) ? [] : [unserved(id, "not_found", "There is no prospect with this id on the room's project.")]
      )
    }
  })

  const orConflict = <A, R>(self: Effect.Effect<A, NotFound, R>) =>
    Effect.mapError(self, () => ConcurrencyConflict.of("project"))

  /** The end that a grant names; null: none, undefined: what the room has by default. */
  const untilOf = (text: string | null | undefined, moment: Date) => {
    if (text === undefined || text === null) return Effect.succeed(text)
    const end = expiryOf(text, moment)
    return end !== undefined && end > moment
      ? Effect.succeed(end)
      : Effect.fail(
          InvalidRequest.of([
            bodyFault(
              "/until",
              end === undefined ? "invalid_expiry" : "not_in_future",
              end === undefined
                ? "Must be a number of days, weeks or months (3d, 2w, 1m), or an ISO 8601 date or date and time."
                : "Must be in the future."
            )
          ])
        )
  }

  /** Grants prospects access to an open room, in a constant number of statements. Access that is there gets the end that is named. */
  const grant = Effect.fn("AccessLifecycle.grant")((roomId: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    mutation.changeLatest({
      authorize: "broker",
      load: (actor) => rooms.find(actor, roomId),
      body: request.body,
      decide: ({ body }) =>
        Effect.gen(function* () {
          const [, { prospectIds, until }] = yield* all(request.query, decodeGrant(body))
          yield* untilOf(until, yield* now)
          return { prospectIds: [...new Set(prospectIds)], until }
        }),
      commit: (change, { decision: { prospectIds, until: named }, loaded }) =>
        Effect.gen(function* () {
          yield* orConflict(projects.lock(change, loaded.projectUuid))
          const { failed, living } = yield* lockProspects(change, loaded, prospectIds)
          const room = yield* rooms.lock(change, loaded)
          if (room.status !== "open") return yield* notOpen
          const onList = living.filter(({ resource }) => resource.removedUtc === null)
          const uuids = onList.map(({ uuid }) => uuid)
          const accesses = Map.groupBy(
            yield* repo.ofProspects(change.actor.teamId, uuids),
            ({ prospectUuid }) => prospectUuid
          )
          const until = yield* untilOf(named, change.at)
          const defaultEnd = room.defaultAccess === null ? null : (expiryOf(room.defaultAccess, change.at) ?? null)
          const grants = onList.map(({ resource: { accessExpiryUtc }, uuid }) =>
            decideGrant(
              {
                prospectUuid: uuid,
                accesses: accesses.get(uuid) ?? [],
                end: accessExpiryUtc === null ? null : new Date(accessExpiryUtc)
              },
              room.uuid,
              { until, defaultEnd },
              change.at
            )
          )
          const fresh = grants.filter(({ isNew }) => isNew)
          yield* repo.grant(
            change,
            fresh.map(({ end, prospectUuid }) => ({ roomUuid: room.uuid, prospectUuid, end }))
          )
          yield* prospectWrites.enterRoom(
            change,
            room.projectUuid,
            grants.map(({ end, isNew, prospectUuid }) => ({
              uuid: prospectUuid,
              isNew,
              accessExpiryUtc: end?.toISOString() ?? null
            }))
          )
          const invited = fresh.map(({ prospectUuid }) => prospectUuid)
          for (const prospectUuid of invited) {
            const access = { roomUuid: room.uuid, projectUuid: room.projectUuid, prospectUuid }
            change.record(accessRecord(access, "room.access_granted"))
          }
          if (invited.length > 0) {
            yield* arrivals.invite(change, { projectUuid: room.projectUuid, prospectUuids: invited })
            yield* offers.tell(change, invited, { type: "access_granted" })
          }
          const answer: Granted = {
            granted: grants.map(({ end, prospectUuid }) => ({
              prospectId: Id.fromUuid("prospect", prospectUuid),
              accessExpiryUtc: end?.toISOString() ?? null
            })),
            failed: [
              ...failed,
              ...living
                .filter(({ resource }) => resource.removedUtc !== null)
                .map(({ resource: { id } }) =>
                  unserved(id, "prospect_removed", "The prospect was removed from the list. Restore it first.")
                )
            ]
          }
          return answer
        }),
      answer: ({ committed }) => Effect.succeed(committed ?? { granted: [], failed: [] })
    })
  )

  /** Withdraws the access of prospects to a room; access that was withdrawn stays so. */
  const revoke = Effect.fn("AccessLifecycle.revoke")(
    (roomId: string, request: Pick<UseCaseRequest, "body" | "query">) =>
      mutation.changeLatest({
        authorize: "broker",
        load: (actor) => rooms.find(actor, roomId),
        body: request.body,
        decide: ({ body }) =>
          Effect.map(all(request.query, decodeRevocation(body)), ([, { prospectIds }]) => [...new Set(prospectIds)]),
        commit: (change, { decision: prospectIds, loaded }) =>
          Effect.gen(function* () {
            yield* orConflict(projects.lockForShare(change, loaded.projectUuid))
            const { failed, living } = yield* lockProspects(change, loaded, prospectIds)
            const room = yield* rooms.lock(change, loaded)
            const accesses = yield* repo.ofProspects(
              change.actor.teamId,
              living.map(({ uuid }) => uuid)
            )
            const own = new Map(
              accesses.filter(({ roomUuid }) => roomUuid === room.uuid).map((access) => [access.prospectUuid, access])
            )
            const revoked = [...own.values()].filter((access) => {
              const state = accessStateAt(access, change.at)
              return accessTransitions[state].revoke !== state
            })
            yield* repo.revoke(change, revoked)
            for (const access of revoked) change.record(accessRecord(access, "room.access_revoked"))
            if (revoked.length > 0) {
              yield* offers.tell(
                change,
                revoked.map(({ prospectUuid }) => prospectUuid),
                { type: "access_revoked" }
              )
            }
            const answer: Revoked = {
              revoked: living.filter(({ uuid }) => own.has(uuid)).map(({ resource: { id } }) => ({ prospectId: id })),
              failed: [
                ...failed,
                ...living
                  .filter(({ uuid }) => !own.has(uuid))
                  .map(({ resource: { id } }) => unserved(id, "no_access", "The prospect has no access to this room."))
              ]
            }
            return answer
          }),
        answer: ({ committed }) => Effect.succeed(committed ?? { revoked: [], failed: [] })
      })
  )

  /** Records the end of access of these prospects of one team that is over. */
  const recordEnds = Effect.fnUntraced(function* (change: Change, prospectUuids: ReadonlyArray<string>) {
    const { teamId } = change.actor
    yield* prospects.lockAll(change, prospectUuids)
    const accesses = yield* repo.lockOfProspects(teamId, prospectUuids)
    const over = accesses.filter(
      (access) => access.expiredAt === null && accessStateAt(access, change.at) === "expired"
    )
    yield* repo.expire(change, over)
    for (const access of over) change.record(accessRecord(access, "room.access_expired"))
    yield* offers.tell(change, [...new Set(over.map(({ prospectUuid }) => prospectUuid))], { type: "access_expired" })
    return over.length
  })

  /** Records the end of at most `limit` accesses that are over, for a job, and returns how many. Reads follow the clock without it. */
  const expire = Effect.fn("AccessLifecycle.expire")(function* (limit: number) {
    const moment = yield* now
    return yield* TeamParts.runParts("Recording the ends of access to rooms", (failed) =>
      Effect.map(repo.due(moment, { limit, failed }), (due) =>
        TeamParts.byTeam(
          due,
          (access) => access.teamId,
          (teamId, accesses) => {
            const uuids = [...new Set(accesses.map(({ prospectUuid }) => prospectUuid))]
            return changes.commit(systemOf(teamId), (change) => recordEnds(change, uuids))
          }
        )
      )
    )
  })

  return { grant, revoke, expire }
})

/** The life of access to rooms. `grant` and `revoke` need the `broker` capability; `expire` is for a job. */
export class AccessLifecycle extends Context.Service<AccessLifecycle, Effect.Success<typeof make>>()(
  "deals/lifecycle/AccessLifecycle"
) {
  static readonly layer = Layer.effect(AccessLifecycle, make).pipe(
    Layer.provide([
      AccessRepo.layer,
      OfferArrivals.layer,
      OfferChanges.layer,
      Projects.layer,
      Prospects.layer,
      ProspectWrites.layer,
      Rooms.layer
    ])
  )
}
