/**
 * What offers ask of rooms. The rooms module imports this one, so the operations are declared here and implemented there.
 */
import { Context, type Effect } from "effect"

/** A prospect in the broker's team, by UUIDs. */
export interface RoomMember {
  readonly brokerTeamId: string
  readonly prospectUuid: string
}

/** The rooms of prospects. */
export class OfferRooms extends Context.Service<
  OfferRooms,
  {
    /** The ids of the rooms to which these prospects have access at a time, by the UUID of the prospect. */
    readonly accessOf: (members: ReadonlyArray<RoomMember>, now: Date) => Effect.Effect<ReadonlyMap<string, string>>
  }
>()("deals/offers/OfferRooms") {}
