/** Conversations of a broker with an investor, as either of them reaches them: by the prospect, or by the offer. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Action, ActionDetails } from "../../core/mutation/Action.ts"
import type { ChatTimelineRow } from "../../core/mutation/ChangeRecord.ts"
import { type Change, crossInto } from "../../core/mutation/Changes.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { type OfferRef, OfferChanges } from "../offers/OfferChanges.ts"
import type { ChatRow } from "../offers/entries.ts"
import { Projects } from "../projects/Projects.ts"
import { chatRecordOf } from "../prospects/rules.ts"
import type { ProspectSubject } from "../prospects/Prospect.ts"
import { Prospects } from "../prospects/Prospects.ts"
import { ProspectWrites } from "../prospects/ProspectWrites.ts"
import { type NotFound, ProspectRemoved } from "../../core/usecase/Problem.ts"
import { ChatNotOpen } from "./Message.ts"
import { type Refusal, refusalOfBroker, refusalOfInvestor } from "./rules.ts"

/** A conversation that the caller takes part in. */
export interface Conversation {
  readonly actor: Actor
  readonly sender: "broker" | "investor"
  readonly brokerTeamId: string
  readonly projectUuid: string
  readonly prospectUuid: string
  /** The offer by which the investor reaches it. */
  readonly offer: OfferRef | undefined
  readonly refusal: Refusal | undefined
}

/** A conversation in a running change, which nothing can end until the change does. */
export interface HeldConversation extends Conversation {
  /** The change, for what it does in the broker's team. */
  readonly ofBroker: Change
  readonly prospect: ProspectSubject
}

const details: { readonly [Of in Refusal]: string } = {
  removed: "The offer was removed, so nothing can be sent any more.",
  project_closed: "The project is closed, so nothing can be sent any more.",
  not_accepted: "The investor has not accepted the offer, so nothing can be sent yet."
}

const refuse = (
  refusal: Refusal,
  sender: Conversation["sender"]
): Effect.Effect<never, ChatNotOpen | ProspectRemoved> =>
  Effect.fail(
    refusal === "removed" && sender === "broker"
      ? ProspectRemoved.rejection()
      : new ChatNotOpen({ detail: details[refusal] })
  )

/** Refuses to send anything in a conversation that is not open. */
export const requireOpen = ({ refusal, sender }: Conversation): Effect.Effect<void, ChatNotOpen | ProspectRemoved> =>
  refusal === undefined ? Effect.void : refuse(refusal, sender)

const make = Effect.gen(function* () {
  const prospects = yield* Prospects
  const projects = yield* Projects
  const writes = yield* ProspectWrites
  const offers = yield* OfferChanges
  const members = yield* Members

  const loadAsBroker = Effect.fnUntraced(function* (actor: Actor, id: string) {
    const { projectUuid, stored, uuid } = yield* prospects.loadById(actor, id)
    const project = yield* projects.load(actor, stored.resource.projectId)
    const conversation: Conversation = {
      actor,
      sender: "broker",
      brokerTeamId: actor.teamId,
      projectUuid,
      prospectUuid: uuid,
      offer: undefined,
      refusal: refusalOfBroker(stored.resource, project.resource)
    }
    return conversation
  })

  const loadAsInvestor = Effect.fnUntraced(function* (actor: Actor, id: string) {
    const offer = yield* offers.offerRef(actor, id)
    const { brokerTeamId, projectUuid, prospectUuid, status } = offer
    const refusal = refusalOfInvestor(status)
    const conversation: Conversation = {
      actor,
      sender: "investor",
      brokerTeamId,
      projectUuid,
      prospectUuid,
      offer,
      refusal
    }
    return conversation
  })

  /** Loads the conversation of a prospect or an offer. `actor` is authorized already, see {@link needOf}. */
  const load = Effect.fn("Conversations.load")((actor: Actor, id: string): Effect.Effect<Conversation, NotFound> =>
    isOffer(id) ? loadAsInvestor(actor, id) : loadAsBroker(actor, id)
  )

  /**
   * Locks the project and the prospect of a conversation, for a write in the broker's team, and checks under the locks that it
   * is still open.
   */
  const hold = Effect.fn("Conversations.hold")(function* (change: Change, id: string, known: Conversation) {
    const lock = (ofBroker: Change) =>
      projects.lockForShare(ofBroker, known.projectUuid).pipe(
        Effect.andThen(writes.lock(ofBroker, known.prospectUuid)),
        Effect.map(({ resource }) => ({ ofBroker, resource }))
      )
    const { ofBroker, resource } = yield* Effect.catch(
      known.sender === "broker" ? lock(change) : crossInto(change, known.brokerTeamId, lock),
      // An investor learns nothing of the broker's records.
      (error): Effect.Effect<never, NotFound | ChatNotOpen | ProspectRemoved> =>
        known.sender === "broker" ? Effect.fail(error) : refuse("removed", "investor")
    )
    const latest = yield* load(known.actor, id)
    yield* requireOpen(latest)
    const { companyId, contactId } = resource
    const { projectUuid, prospectUuid } = latest
    const held: HeldConversation = {
      ...latest,
      ofBroker,
      prospect: { uuid: prospectUuid, projectUuid, contactId, companyId }
    }
    return held
  })

  /** A new chat row as its author's timeline shows it. */
  const rowOf = Effect.fn("Conversations.rowOf")(function* (
    { actor, at }: Change,
    { details, event, id }: Required<Pick<ChatTimelineRow, "id" | "event" | "details">>
  ) {
    const userId = Id.fromUuidOrNull("user", actor.userId)
    const names = yield* members.names(userId === null ? [] : [userId])
    const row: Action = {
      id: Id.fromUuid("act", id),
      type: "chat",
      event,
      occurredUtc: at.toISOString(),
      actor: { id: userId, name: userId === null ? null : (names.get(userId) ?? null) },
      details
    }
    return row
  })

  /**
   * Records what was sent, on the timelines of both sides. Returns the UUID of the broker's row, and the sender's row as their timeline
   * shows it.
   */
  const record = Effect.fn("Conversations.record")(function* (
    change: Change,
    { ofBroker, offer, prospect, sender }: HeldConversation,
    row: ChatRow
  ) {
    const { newId } = change
    const [actionUuid, ownUuid] = [yield* newId, yield* newId]
    const event = row.type === "message_sent" ? "prospect.message_sent" : "prospect.file_shared"
    const content: ActionDetails = {
      kind: "chat",
      ...("file" in row
        ? { file: { id: row.file.id, name: row.file.name, downloadPath: `/api/v1/files/${row.file.id}/content` } }
        : {})
    }
    ofBroker.record(chatRecordOf(prospect, { id: actionUuid, event, details: { ...content, sender } }))
    if (offer === undefined) yield* offers.tell(change, [prospect.uuid], row)
    else yield* offers.tellOwn(change, offer, row, ownUuid)
    const sent = yield* rowOf(change, {
      id: offer === undefined ? actionUuid : ownUuid,
      event,
      details: offer === undefined ? { ...content, sender } : content
    })
    return { actionUuid, sent }
  })

  return { load, hold, record, rowOf }
})

const isOffer = (id: string): boolean => Id.toUuid("offer", id) !== undefined

/** What a caller needs who reaches a conversation by this id. */
export const needOf = (id: string): "broker" | "investor" => (isOffer(id) ? "investor" : "broker")

/** Loads and holds conversations, and records what is sent, for the use-cases that have authorized their caller. */
export class Conversations extends Context.Service<Conversations, Effect.Success<typeof make>>()(
  "deals/messages/Conversations"
) {
  static readonly layer = Layer.effect(Conversations, make)
}
