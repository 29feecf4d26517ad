/** What happens to access to rooms when prospects get another end of it, or become one (docs/behaviour/rooms.md#access). */
import { Effect, Layer } from "effect"
import { OfferWrites } from "../offers/OfferWrites.ts"
import { ProspectRooms } from "../prospects/ProspectRooms.ts"
import { accessStateAt, activeEnd, followEnd, lastingAccess } from "./accessRules.ts"
import { AccessRepo, type StoredAccess } from "./AccessRepo.ts"
import { accessRecord } from "./entries.ts"
import { RoomQuestions } from "./RoomQuestions.ts"

const make = Effect.gen(function* () {
  const repo = yield* AccessRepo
  const offers = yield* OfferWrites
  const questions = yield* RoomQuestions

  const endsChanged: ProspectRooms["Service"]["endsChanged"] = Effect.fn("ProspectCascades.endsChanged")(
    function* (change, ends) {
      const uuids = ends.map(({ prospectUuid }) => prospectUuid)
      const accesses = Map.groupBy(
        yield* repo.lockOfProspects(change.actor.teamId, uuids),
        ({ prospectUuid }) => prospectUuid
      )
      const followed = ends.map(({ accessExpiryUtc, prospectUuid }) => {
        const end = accessExpiryUtc === null ? null : new Date(accessExpiryUtc)
        const ofProspect = accesses.get(prospectUuid) ?? []
        const { expired, kept, resumed } = followEnd(ofProspect, end, change.at)
        const refsOf = (rooms: ReadonlyArray<string>) =>
          ofProspect.filter(({ roomUuid }) => rooms.includes(roomUuid)).map((access) => ({ ...access, end }))
        return { kept: refsOf(kept), expired: refsOf(expired), resumed: refsOf(resumed) }
      })
      const expired = followed.flatMap((one) => one.expired)
      const resumed = followed.flatMap((one) => one.resumed)
      yield* repo.setEnds(
        change,
        followed.flatMap((one) => one.kept)
      )
      yield* repo.expire(change, expired)
      yield* repo.grant(change, resumed)
      for (const access of expired) change.record(accessRecord(access, "room.access_expired"))
      for (const access of resumed) change.record(accessRecord(access, "room.access_granted"))
      yield* offers.tell(change, prospectsOf(expired), { type: "access_expired" })
      yield* offers.tell(change, prospectsOf(resumed), { type: "access_granted" })
    }
  )

  const activeEnds: ProspectRooms["Service"]["activeEnds"] = Effect.fn("ProspectCascades.activeEnds")(
    function* (change, prospectUuids) {
      const accesses = yield* repo.lockOfProspects(change.actor.teamId, prospectUuids, true)
      const ends = new Map<string, string | null>()
      for (const [uuid, ofProspect] of Map.groupBy(accesses, ({ prospectUuid }) => prospectUuid)) {
        const end = activeEnd(ofProspect, change.at)
        if (end !== undefined) ends.set(uuid, end === null ? null : end.toISOString())
      }
      return ends
    }
  )

  const merged: ProspectRooms["Service"]["merged"] = Effect.fn("ProspectCascades.merged")(
    function* (change, moves, suspended) {
      if (moves.length === 0) return
      const absorbing = new Map(moves.map(({ from, to }) => [from, to]))
      const toOf = ({ prospectUuid }: StoredAccess) => absorbing.get(prospectUuid) ?? prospectUuid
      const uuids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))]
      const accesses = yield* repo.lockOfProspects(change.actor.teamId, uuids, true)
      const taken = accesses.filter(({ prospectUuid }) => !suspended.has(prospectUuid))
      const byMember = Map.groupBy(taken, (access) => `${access.roomUuid} ${toOf(access)}`)
      const lasting = [...byMember.values()].flatMap((group) => {
        const access = group[0] && lastingAccess(group, toOf(group[0]), change.at)
        return access ?? []
      })
      yield* repo.move(change, {
        lasting: lasting.map((access) => ({
          ...access,
          to: toOf(access),
          isActive: accessStateAt(access, change.at) === "active"
        })),
        removed: accesses.filter((access) => !lasting.includes(access))
      })
      yield* questions.moveAsked(change, moves)
    }
  )

  return ProspectRooms.of({ activeEnds, endsChanged, merged })
})

const prospectsOf = (accesses: ReadonlyArray<StoredAccess>) => [
  ...new Set(accesses.map(({ prospectUuid }) => prospectUuid))
]

/** The access of prospects, for the module of prospects. */
export const layer = Layer.effect(ProspectRooms, make)
