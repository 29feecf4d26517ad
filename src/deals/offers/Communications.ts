/** Communicates the teaser of a project to its prospects (docs/behaviour/offers.md#communicating). */
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import * as Mutation from "../../core/mutation/Mutation.ts"
import { now } from "../../platform/Time.ts"
import * as Id from "../../core/Id.ts"
import { ProjectClosed } from "../projects/Project.ts"
import { Projects } from "../projects/Projects.ts"
import { endOf } from "../prospects/dates.ts"
import { type LockedProspects, NamedProspects } from "../prospects/NamedProspects.ts"
import { Stages } from "../prospects/Stages.ts"
import { Teasers } from "../teasers/Teasers.ts"
import { all, bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Communicate, type Communicated } from "./Communication.ts"
import { CommunicationsRepo } from "./CommunicationsRepo.ts"
import { type Communicating, moveOf, toSend } from "./communicating.ts"
import { OfferChanges } from "./OfferChanges.ts"
import { OffersRepo } from "./OffersRepo.ts"

const decode = UnvalidatedJson.decoder(Communicate)

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

const make = Effect.gen(function* () {
  const repo = yield* OffersRepo
  const communications = yield* CommunicationsRepo
  const offers = yield* OfferChanges
  const projects = yield* Projects
  const prospects = yield* NamedProspects
  const stages = yield* Stages
  const teasers = yield* Teasers
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
    yield* offers.moveAll(change, locked, ({ state }) => moveOf(state, communicating))
    yield* offers.receive(change, { prospects })
    yield* offers.followInvitations(change, prospects)
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
    yield* offers.moveAll(change, ofSellers, () => ({ type: "communicate", projection, expiresAt: null }))
    yield* offers.receive(change, { project: projectId })
  })

  const communicateIn = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    { end, ids }: { readonly ids: ReadonlyArray<string> | "all"; readonly end: Date | undefined }
  ) {
    const { projection } = yield* teasers.markCommunicated(change, projectUuid, storedLanguage)
    const { resource: project } = yield* Effect.orDie(projects.lockForShare(change, projectUuid))
    if (project.closedUtc !== null) return yield* ProjectClosed.rejection()
    const named = yield* prospects.lock(change, projectUuid, ids)
    if (named.onList.length === 0) return yield* Effect.fail(new NobodyOnList(named.failed))
    const communicating: Communicating = { projectId: projectUuid, projection, end, at: change.at }
    const changed = yield* send(change, named, communicating)
    if (changed.length > 0) {
      yield* stages.reachAll(change, projectUuid, changed, "teaser_communicated")
      yield* updateOffers(change, changed, communicating)
    }
    yield* sendToSeller(change, project.sellerContactId, communicating)
    const offerIds = yield* repo.idsOf(
      change.actor.teamId,
      named.onList.map(({ uuid }) => uuid)
    )
    const answer: Communicated = {
      communicated: named.onList.map(({ resource, uuid }) => ({
        prospectId: resource.id,
        offerIds: (offerIds.get(uuid) ?? []).map((offer) => Id.fromUuid("offer", offer))
      })),
      failed: named.failed
    }
    return answer
  })

  /**
   * Communicates the teaser of a project to prospects that are named, or to all. Those who have the same teaser already are left as they
   * are.
   */
  const communicate = Effect.fn("Communications.communicate")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const [, input, key] = yield* all(request.query, decode(body), request.idempotencyKey)
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

  return { communicate }
})

/** Communicates teasers. It needs the `broker` capability. */
export class Communications extends Context.Service<Communications, Effect.Success<typeof make>>()(
  "deals/offers/Communications"
) {
  static readonly layer = Layer.effect(Communications, make)
}
