/**
 * How offers reach investors (docs/behaviour/offers.md#recipients): those who are invited, and those who become investors after something
 * was sent to their address. A prospect says whether an invitation of it can be answered, so that is written with them.
 */
import { Context, Effect, Layer } from "effect"
import { operatorOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes, crossInto, inTeams } from "../../core/mutation/Changes.ts"
import { NewInvestors } from "../../identity/teams/Teams.ts"
import { CommunicationsRepo, type SentOf } from "../offers/CommunicationsRepo.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { OffersRepo } from "../offers/OffersRepo.ts"
import { ProspectsRepo } from "../prospects/ProspectsRepo.ts"
import { writeInvitations } from "../prospects/ProspectWrites.ts"

/** Prospects of a project (UUIDs) that are invited, and until when they can answer; no end by default. */
export interface Invited {
  readonly projectUuid: string
  readonly prospectUuids: ReadonlyArray<string>
  readonly expiresAt?: Date | null
}

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const offers = yield* OfferChanges
  const prospects = yield* ProspectsRepo
  const changes = yield* Changes

  /**
   * Brings `invitation` of prospects (UUIDs) up to date: whether they have an invitation that can be answered. `change` is that of the
   * broker's team, and has locked the prospects before any offer.
   */
  const followInvitations = Effect.fn("OfferArrivals.followInvitations")(function* (
    change: Change,
    uuids: ReadonlyArray<string>
  ) {
    if (uuids.length === 0) return
    yield* writeInvitations(prospects, change, uuids, yield* repo.invited(change.actor.teamId, uuids, change.at))
  })

  /** Makes the offers that somebody can receive and has not got yet, in their teams. */
  const receive = Effect.fn("OfferArrivals.receive")(function* (change: Change, of: SentOf) {
    const receivable = yield* communications.receivable(change.actor.teamId, of, change.at)
    const invited = [
      ...Map.groupBy(
        receivable.filter(({ category }) => category === "invitation"),
        ({ brokerTeamId }) => brokerTeamId
      )
    ].map(([teamId, some]) => ({ teamId, uuids: some.flatMap(({ prospectId }) => prospectId ?? []) }))
    // All at once, before the first of them locks anything.
    yield* inTeams(
      change,
      invited.map(({ teamId }) => teamId)
    )
    for (const { teamId, uuids } of invited) {
      yield* crossInto(change, teamId, (ofBroker) => prospects.lock(ofBroker.actor.teamId, uuids))
    }
    yield* offers.insert(change, receivable)
    for (const { teamId, uuids } of invited) {
      yield* crossInto(change, teamId, (ofBroker) => followInvitations(ofBroker, uuids))
    }
  })

  /**
   * Invites prospects, whose project and rows the change of the broker's team has locked: those without an offer get one, and those with
   * one keep theirs.
   */
  const invite = Effect.fn("OfferArrivals.invite")(function* (
    change: Change,
    { expiresAt = null, projectUuid, prospectUuids }: Invited
  ) {
    yield* communications.holdInvestors()
    const { teamId } = change.actor
    const sent = yield* communications.sentTo(teamId, prospectUuids)
    const known = new Set(sent.map(({ email, prospectId }) => `${prospectId} ${email}`))
    const addresses = yield* communications.addressesOf(teamId, prospectUuids)
    yield* communications.send(
      change,
      addresses
        .filter(({ email, prospectId }) => !known.has(`${prospectId} ${email}`))
        .map(({ email, prospectId }) => ({
          email,
          projectId: projectUuid,
          prospectId,
          category: "invitation",
          projection: null,
          expiresAt
        }))
    )
    yield* receive(change, { prospects: prospectUuids })
  })

  /** Makes the offers that waited for a user (UUID), who has become an investor. */
  const arrived = Effect.fn("OfferArrivals.arrived")((user: string) =>
    changes.commit(
      operatorOf(),
      Effect.fnUntraced(function* (change) {
        // What is being sent now was addressed before the user was an investor.
        yield* communications.holdCommunications()
        yield* receive(change, { user })
      })
    )
  )

  return { followInvitations, receive, invite, arrived }
})

/** Makes the offers of investors. All but `arrived` run inside the transaction of a change, whose caller is authorized. */
export class OfferArrivals extends Context.Service<OfferArrivals, Effect.Success<typeof make>>()(
  "deals/lifecycle/OfferArrivals"
) {
  static readonly layer = Layer.effect(OfferArrivals, make)
}

/** The offers of new investors, for the module of users, which is below this one. */
export const newInvestors = Layer.effect(
  NewInvestors,
  Effect.map(OfferArrivals, ({ arrived }) => NewInvestors.of({ arrived }))
)
