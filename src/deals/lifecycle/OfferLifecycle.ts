/**
 * The life of an offer. It reaches those who are invited, and those who become investors after something was sent to their address; the
 * broker communicates a teaser (docs/behaviour/offers.md#communicating); the investor accepts, rejects or removes the offer (#answers), or
 * lets it end. Each move is written on the offer, in the team of the investor, and on the prospect, in that of the broker, in one
 * transaction. Locks: the project, prospects, then offers.
 */
import * as Id from "../../core/Id.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import { type Actor, authorize, operatorOf, systemOf } from "../../core/auth/CurrentActor.ts"
import { type Change, Changes, crossInto, inTeams } from "../../core/mutation/Changes.ts"
import { all, bodyFault, type Input } from "../../core/usecase/Input.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, InvalidRequest } from "../../core/usecase/Problem.ts"
import { now } from "../../platform/Time.ts"
import { apply, type Communicating, moveOf, type OfferMove, statusOf, toSend } from "../offers/rules.ts"
import {
  Communicate,
  type Communicated,
  OfferAnswered,
  OfferNotOpen,
  type OfferState,
  Rejection,
  type StoredOffer
} from "../offers/Offer.ts"
import { CommunicationsRepo, type SentOf } from "../offers/CommunicationsRepo.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { Offers } from "../offers/Offers.ts"
import { OffersRepo } from "../offers/OffersRepo.ts"
import { ProjectClosed } from "../projects/Project.ts"
import { Projects } from "../projects/Projects.ts"
import { endOf } from "../prospects/projection.ts"
import { ProspectsRepo } from "../prospects/ProspectsRepo.ts"
import {
  type LockedProspects,
  type PendingUpdate,
  ProspectWrites,
  stateOf,
  writeInvitations
} from "../prospects/ProspectWrites.ts"
import { accept as acceptedBy, type Decision, reject as rejectedBy } from "../prospects/rules.ts"
import { Teasers } from "../teasers/Teasers.ts"
import { NewInvestors } from "../../identity/teams/Teams.ts"

// How offers reach investors (docs/behaviour/offers.md#recipients): those who are invited, and those who become investors after something
// was sent to their address. A prospect says whether an invitation of it can be answered, so that is written with them.

/** Prospects of a project (UUIDs) that are invited, and until when they can answer; no end by default. */
export interface Invited {
  readonly projectUuid: string
  readonly prospectUuids: ReadonlyArray<string>
  readonly expiresAt?: Date | null
}

const makeArrivals = Effect.gen(function* () {
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
export class OfferArrivals extends Context.Service<OfferArrivals, Effect.Success<typeof makeArrivals>>()(
  "deals/lifecycle/OfferArrivals"
) {
  static readonly layer = Layer.effect(OfferArrivals, makeArrivals).pipe(
    Layer.provide([CommunicationsRepo.layer, OfferChanges.layer, OffersRepo.layer, ProspectsRepo.layer])
  )
}

/** The offers of new investors, for the module of users, which is below this one. */
export const newInvestors = Layer.effect(
  NewInvestors,
  Effect.map(OfferArrivals, ({ arrived }) => NewInvestors.of({ arrived }))
).pipe(Layer.provide(OfferArrivals.layer))

// What brokers and investors do.

const decodeCommunicate = UnvalidatedJson.decoder(Communicate)
const decodeRejection = UnvalidatedJson.decoder(Rejection)

/** The language of stored titles: they are composed again for each reader. */
const storedLanguage = "en"

/** Nobody that was named is on the list: then the teaser was not communicated, and nothing of it may stay. */
class NobodyOnList {
  readonly failed: LockedProspects["failed"]
  constructor(failed: LockedProspects["failed"]) {
    this.failed = failed
  }
}

const invalidEnd = InvalidRequest.of([
  bodyFault(
    "/expires",
    "invalid_expiry",
    "Must be a time from now, such as 30d or 10s, or ISO 8601, and in the future."
  )
])

type StoredProspect = PendingUpdate["stored"]

/** An offer, with the prospect of the broker once it is locked. */
interface LoadedOffer {
  readonly stored: StoredOffer
  readonly prospect?: StoredProspect
}

/** Reads the move that a body asks for. */
type ReadMove = (body: UnvalidatedJson.UnvalidatedJson) => Input<OfferMove>

const refusalOf = (state: OfferState, at: Date) => {
  const status = statusOf(state, at)
  return status === "accepted" || status === "rejected"
    ? new OfferAnswered({ answer: status, detail: `The offer was ${status} before, and an answer cannot be changed.` })
    : new OfferNotOpen({ offerStatus: status, detail: `The offer is ${status}, so it can no longer be answered.` })
}

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const offers = yield* Offers
  const changes = yield* OfferChanges
  const arrivals = yield* OfferArrivals
  const projects = yield* Projects
  const prospects = yield* ProspectWrites
  const prospectsRepo = yield* ProspectsRepo
  const teasers = yield* Teasers
  const transactions = yield* Changes
  const mutation = yield* Mutation.make

  /** Sends what is new to the addresses of locked prospects; returns those (UUIDs) for whom something changes. */
  const send = Effect.fnUntraced(function* (change: Change, { onList }: LockedProspects, communicating: Communicating) {
    const { teamId } = change.actor
    const uuids = onList.map(({ uuid }) => uuid)
    const addresses = yield* communications.addressesOf(teamId, uuids)
    const sending = toSend(addresses, yield* communications.sentTo(teamId, uuids), communicating)
    yield* communications.send(change, sending)
    const reached = new Set(sending.map(({ prospectId }) => prospectId))
    return onList
      .filter(({ resource, uuid }) => resource.teaserCommunicatedUtc === null || reached.has(uuid))
      .map(({ uuid }) => uuid)
  })

  /** Shows the present teaser on the offers of prospects, and makes those that are missing. */
  const updateOffers = Effect.fnUntraced(function* (
    change: Change,
    prospects: ReadonlyArray<string>,
    communicating: Communicating
  ) {
    const locked = yield* repo.lockOf(change.actor.teamId, { prospects })
    yield* changes.moveAll(change, locked, ({ state }) => moveOf(state, communicating))
    yield* arrivals.receive(change, { prospects })
    yield* arrivals.followInvitations(change, prospects)
  })

  /** Shows the teaser to the seller, whose offer has no prospect and no end. */
  const sendToSeller = Effect.fnUntraced(function* (
    change: Change,
    sellerContactId: string | null,
    { projectId, projection }: Communicating
  ) {
    const { teamId } = change.actor
    const uuid = Id.toUuid("contact", sellerContactId ?? "")
    const email = uuid === undefined ? undefined : yield* communications.addressOfContact(teamId, uuid)
    if (email === undefined) return
    yield* communications.sendToSeller(change, { email, projectId, projection })
    // Not those of prospects, which other communications hold and wait with for these.
    const ofSellers = yield* repo.lockOf(teamId, { sellerOf: projectId })
    yield* changes.moveAll(change, ofSellers, () => ({ type: "communicate", projection, expiresAt: null }))
    yield* arrivals.receive(change, { project: projectId })
  })

  const communicateIn = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    { end, ids }: { readonly ids: ReadonlyArray<string> | "all"; readonly end: Date | undefined }
  ) {
    const { projection } = yield* teasers.markCommunicated(change, projectUuid, storedLanguage)
    const { resource: project } = yield* Effect.orDie(projects.lockForShare(change, projectUuid))
    if (project.closedUtc !== null) return yield* ProjectClosed.rejection()
    const found = yield* prospects.lockNamed(change, projectUuid, ids)
    if (found.onList.length === 0) return yield* Effect.fail(new NobodyOnList(found.failed))
    const communicating: Communicating = { projectId: projectUuid, projection, end, at: change.at }
    const changed = yield* send(change, found, communicating)
    if (changed.length > 0) {
      yield* prospects.reachAll(change, projectUuid, changed, "teaser_communicated")
      yield* updateOffers(change, changed, communicating)
    }
    yield* sendToSeller(change, project.sellerContactId, communicating)
    const offerIds = yield* repo.idsOf(
      change.actor.teamId,
      found.onList.map(({ uuid }) => uuid)
    )
    const answer: Communicated = {
      communicated: found.onList.map(({ resource, uuid }) => ({
        prospectId: resource.id,
        offerIds: (offerIds.get(uuid) ?? []).map((offer) => Id.fromUuid("offer", offer))
      })),
      failed: found.failed
    }
    return answer
  })

  /**
   * Communicates the teaser of a project to prospects that are named, or to all. Those who have the same teaser already are left as they
   * are.
   */
  const communicate = Effect.fn("OfferLifecycle.communicate")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const [, input, key] = yield* all(request.query, decodeCommunicate(body), request.idempotencyKey)
          const at = yield* now
          const end = input.expires === undefined ? undefined : endOf(input.expires, at)
          if (input.expires !== undefined && (end === undefined || end <= at)) return yield* invalidEnd
          if (loaded.resource.closedUtc !== null) return yield* ProjectClosed.rejection()
          return { ids: input.all === true ? ("all" as const) : (input.prospectIds ?? []), end, key }
        }),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            yield* communications.holdInvestors()
            const { decision, loaded } = creation
            return yield* Effect.catchIf(
              change.attempt((part) => communicateIn(part, loaded.uuid, decision)),
              (error) => error instanceof NobodyOnList,
              ({ failed }) => Effect.succeed<Communicated>({ communicated: [], failed })
            )
          })
        )
    })
  )

  /** The addresses by which prospects of the caller's team are reached, by the prospect's id; those who have none are left out. */
  const addressesOf = Effect.fn("OfferLifecycle.addressesOf")(function* (prospectIds: ReadonlyArray<string>) {
    const { teamId } = yield* authorize("broker")
    const uuids = prospectIds.flatMap((id) => Id.toUuid("prospect", id) ?? [])
    const found = Map.groupBy(yield* communications.addressesOf(teamId, uuids), ({ prospectId }) => prospectId)
    return new Map<string, ReadonlyArray<string>>(
      [...found].map(([uuid, addresses]) => [
        Id.fromUuid("prospect", uuid),
        addresses.map(({ email }) => email).toSorted()
      ])
    )
  })

  /**
   * When prospects on the list of a project were last sent its teaser, by the prospect's id, and whether they have it as it is now; those
   * who were sent none are left out.
   */
  const sentTeasers = Effect.fn("OfferLifecycle.sentTeasers")(function* (projectId: string) {
    const actor = yield* authorize("broker")
    const { uuid } = yield* projects.load(actor, projectId)
    const present = yield* teasers.projectionOfProject(actor.teamId, uuid, storedLanguage)
    const sent = present === undefined ? [] : yield* communications.teasersOf(actor.teamId, uuid, present.projection)
    return new Map<string, { readonly sentUtc: string; readonly isPresent: boolean }>(
      sent.map(({ at, isPresent, prospectUuid }) => [
        Id.fromUuid("prospect", prospectUuid),
        { sentUtc: at.toISOString(), isPresent }
      ])
    )
  })

  const load = (actor: Actor, id: string) =>
    Effect.map(
      byId("offer", id, (uuid) => repo.find(actor.teamId, uuid)),
      (stored): LoadedOffer => ({ stored })
    )

  /** Decides a move; null if nothing changes. */
  const decide = Effect.fnUntraced(function* ({ state }: StoredOffer, move: OfferMove) {
    const at = yield* now
    const after = apply(state, move, at)
    if (Result.isFailure(after)) return yield* refusalOf(state, at)
    return after.success === state ? null : { move, state: after.success }
  })

  /** Locks the project, the prospect and then the offer, as all writers do. What the broker deleted needs no lock. */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded: { stored } }: Mutation.Locking<LoadedOffer>
  ): Effect.fn.Return<LoadedOffer, ConcurrencyConflict> {
    const { brokerTeamId, projectId, prospectId } = stored.state
    const prospect = yield* crossInto(change, brokerTeamId, (ofBroker) =>
      Effect.andThen(
        Effect.ignore(projects.lockForShare(ofBroker, projectId)),
        prospectId === null
          ? Effect.undefined
          : Effect.orElseSucceed(prospects.lock(ofBroker, prospectId), () => undefined)
      )
    )
    const latest = yield* repo.lock(stored.teamId, stored.uuid)
    // A merge may have given the offer to another prospect: it is loaded again then.
    if (latest === undefined || latest.state.prospectId !== prospectId) return yield* ConcurrencyConflict.of("offer")
    // What the team of an erased person answers stays theirs.
    return { stored: latest, ...(prospect === undefined || prospect.resource.erasedUtc !== null ? {} : { prospect }) }
  })

  /** What an answer does to the prospect on the broker's list. */
  const decisionOf = (prospect: StoredProspect, move: OfferMove): Decision => {
    const state = stateOf(prospect)
    switch (move.type) {
      case "accept":
        return acceptedBy(state)
      case "reject":
        return rejectedBy(state, move.reason)
      default:
        return { state, emitted: [] }
    }
  }

  /** Writes a move, and what it does to the prospect, in one transaction. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    { prospect, stored }: LoadedOffer,
    { move, state }: { readonly move: OfferMove; readonly state: OfferState }
  ) {
    yield* changes.writeOwn(change, { stored, state, move })
    if (prospect !== undefined) {
      const invited = yield* repo.invited(state.brokerTeamId, [prospect.uuid], change.at)
      const decision = decisionOf(prospect, move)
      yield* crossInto(change, state.brokerTeamId, (ofBroker) =>
        prospects.writeLocked(ofBroker, state.projectId, prospect, {
          ...decision,
          state: { ...decision.state, invitation: invited.has(prospect.uuid) }
        })
      )
    }
    return yield* repo.find(stored.teamId, stored.uuid)
  })

  const move = (id: string, request: Pick<UseCaseRequest, "body" | "query">, read: ReadMove) =>
    mutation.changeLatest({
      authorize: "investor",
      load: (actor) => load(actor, id),
      body: request.body,
      decide: ({ body, loaded: { stored } }) =>
        Effect.flatMap(all(request.query, read(body)), ([, wanted]) => decide(stored, wanted)),
      lock,
      commit: (change, { decision, loaded }) => write(change, loaded, decision),
      answer: ({ committed, loaded }) => offers.toAnswer(committed ?? loaded.stored)
    })

  /** Accepts an offer, which names the broker from then on; one that was accepted stays as it is. */
  const accept = Effect.fn("OfferLifecycle.accept")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, () => Effect.succeed({ type: "accept" }))
  )

  /** Rejects an offer, with a reason for the broker if there is one; one that was rejected stays as it is. */
  const reject = Effect.fn("OfferLifecycle.reject")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, (body) =>
      Effect.map(decodeRejection(body), ({ reason = null }) => ({ type: "reject", reason }) as const)
    )
  )

  /** Removes an offer from the team's lists; it stays readable by its id. */
  const remove = Effect.fn("OfferLifecycle.remove")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, () => Effect.succeed({ type: "remove" }))
  )

  /** Records the end of offers of one broker's prospects, whose invitations they no longer have. */
  const recordEndsOf = Effect.fnUntraced(function* (change: Change, ended: ReadonlyArray<StoredOffer>) {
    const invited = ended.flatMap(({ state: { category, prospectId } }) =>
      category === "invitation" && prospectId !== null ? [prospectId] : []
    )
    yield* prospectsRepo.lock(change.actor.teamId, invited)
    // Some may have been answered since they were found.
    const locked = yield* repo.lockAll(
      change.actor.teamId,
      ended.map(({ uuid }) => uuid)
    )
    const recorded = yield* changes.moveAll(change, locked, () => ({ type: "expire" }))
    yield* arrivals.followInvitations(change, invited)
    return recorded
  })

  /**
   * Records the end of at most `limit` offers that ended without an answer, and returns how many it recorded. Answers follow the clock at
   * once (offers/rules.ts). A broker's failure does not stop the others.
   */
  const recordEnds = Effect.fn("OfferLifecycle.recordEnds")(function* (limit: number) {
    const moment = yield* now
    return yield* TeamParts.runParts("Recording the ends of offers", (failed) =>
      Effect.map(repo.ended(moment, { limit, failed }), (ended) =>
        TeamParts.byTeam(
          ended,
          ({ state }) => state.brokerTeamId,
          (teamId, some) =>
            transactions.commit(systemOf(teamId), (change) =>
              crossInto(change, teamId, (ofBroker) => recordEndsOf(ofBroker, some))
            )
        )
      )
    )
  })

  return { communicate, addressesOf, sentTeasers, accept, reject, remove, recordEnds }
})

/**
 * Moves offers through their life. `communicate`, `addressesOf` and `sentTeasers` need the `broker` capability, answers need the `investor` capability; `recordEnds` is for
 * a job.
 */
export class OfferLifecycle extends Context.Service<OfferLifecycle, Effect.Success<typeof make>>()(
  "deals/lifecycle/OfferLifecycle"
) {
  static readonly layer = Layer.effect(OfferLifecycle, make).pipe(
    Layer.provide([
      CommunicationsRepo.layer,
      OfferArrivals.layer,
      OfferChanges.layer,
      Offers.layer,
      OffersRepo.layer,
      Projects.layer,
      ProspectsRepo.layer,
      ProspectWrites.layer,
      Teasers.layer
    ])
  )
}
