/** The moves of investors: accept, reject and remove offers (docs/behaviour/offers.md#answers). */
import { Context, Effect, Layer, Result } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { crossInto } from "../../core/mutation/Crossing.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import { now } from "../../platform/Time.ts"
import { Projects } from "../projects/Projects.ts"
import { type PendingUpdate, ProspectWrites, stateOf } from "../prospects/ProspectWrites.ts"
import { accept as acceptedBy, type Decision, reject as rejectedBy } from "../prospects/rules.ts"
import { all, type Input } from "../../core/usecase/Input.ts"
import { byId } from "../../core/usecase/Lookup.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { OfferAnswered, OfferNotOpen, Rejection } from "./Offer.ts"
import { OfferChanges } from "./OfferChanges.ts"
import { Offers } from "./Offers.ts"
import type { OfferState, StoredOffer } from "./OfferState.ts"
import { OffersRepo } from "./OffersRepo.ts"
import { apply, type OfferMove, statusOf } from "./rules.ts"

type StoredProspect = PendingUpdate["stored"]

/** An offer, with the prospect of the broker once it is locked. */
interface LoadedOffer {
  readonly stored: StoredOffer
  readonly prospect?: StoredProspect
}

/** Reads the move that a body asks for. */
type ReadMove = (body: UnvalidatedJson.UnvalidatedJson) => Input<OfferMove>

const decodeRejection = UnvalidatedJson.decoder(Rejection)

const refusalOf = (state: OfferState, at: Date) => {
  const status = statusOf(state, at)
  return status === "accepted" || status === "rejected"
    ? new OfferAnswered({ answer: status, detail: `The offer was ${status} before, and an answer cannot be changed.` })
    : new OfferNotOpen({ offerStatus: status, detail: `The offer is ${status}, so it can no longer be answered.` })
}

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const changes = yield* OfferChanges
  const offers = yield* Offers
  const projects = yield* Projects
  const prospects = yield* ProspectWrites
  const mutation = yield* Mutation.make

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
    return { stored: latest, ...(prospect === undefined ? {} : { prospect }) }
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
  const accept = Effect.fn("Answers.accept")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, () => Effect.succeed({ type: "accept" }))
  )

  /** Rejects an offer, with a reason for the broker if there is one; one that was rejected stays as it is. */
  const reject = Effect.fn("Answers.reject")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, (body) =>
      Effect.map(decodeRejection(body), ({ reason = null }) => ({ type: "reject", reason }) as const)
    )
  )

  /** Removes an offer from the team's lists; it stays readable by its id. */
  const remove = Effect.fn("Answers.remove")((id: string, request: Pick<UseCaseRequest, "body" | "query">) =>
    move(id, request, () => Effect.succeed({ type: "remove" }))
  )

  return { accept, reject, remove }
})

/** Answers offers. It needs the `investor` capability. */
export class Answers extends Context.Service<Answers, Effect.Success<typeof make>>()("deals/offers/Answers") {
  static readonly layer = Layer.effect(Answers, make)
}
