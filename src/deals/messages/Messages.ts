/**
 * Messages and shared files between a broker and an investor, and calls that a broker logs: docs/behaviour/messages.md. Either side reaches
 * their conversation: the broker by the prospect, the investor by the offer.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Context, Effect, Layer } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import { FileWrites, type UploadRequest } from "../../content/files/FileWrites.ts"
import { chatRecordOf } from "../prospects/rules.ts"
import { Prospects, requireOnList } from "../prospects/Prospects.ts"
import { ProspectWrites } from "../prospects/ProspectWrites.ts"
import { all } from "../../core/usecase/Input.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { Retention } from "../../platform/Retention.ts"
import { daysAgo } from "../../platform/Time.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { CallCreate, ChatNotOpen, MessageCreate, type Refusal, refusalOfBroker, refusalOfInvestor } from "./Message.ts"
import { MessagesRepo } from "./MessagesRepo.ts"
import type { Action, ActionDetails } from "../../core/mutation/Timeline.ts"
import type { ChatTimelineRow } from "../../core/mutation/ChangeRecord.ts"
import { type Change, crossInto } from "../../core/mutation/Changes.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { OfferChanges, type OfferRef } from "../offers/OfferChanges.ts"
import type { ChatRow } from "../offers/entries.ts"
import { Projects } from "../projects/Projects.ts"
import type { ProspectSubject } from "../prospects/Prospect.ts"
import { type NotFound, ProspectErased, ProspectRemoved } from "../../core/usecase/Problem.ts"

const decodeMessage = UnvalidatedJson.decoder(MessageCreate)
const decodeCall = UnvalidatedJson.decoder(CallCreate)

const isOffer = (id: string): boolean => Id.toUuid("offer", id) !== undefined

/** What a caller needs who reaches a conversation by this id. */
const needOf = (id: string): "broker" | "investor" => (isOffer(id) ? "investor" : "broker")

/** A conversation that the caller takes part in. */
interface Conversation {
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
interface HeldConversation extends Conversation {
  /** The change, for what it does in the broker's team. */
  readonly ofBroker: Change
  readonly prospect: ProspectSubject
}

const details: { readonly [Of in Refusal]: string } = {
  erased: "The person was erased whom the broker has for you, so nothing can be sent any more.",
  removed: "The offer was removed, so nothing can be sent any more.",
  project_closed: "The project is closed, so nothing can be sent any more.",
  not_accepted: "The investor has not accepted the offer, so nothing can be sent yet."
}

const refuse = (
  refusal: Refusal,
  sender: Conversation["sender"]
): Effect.Effect<never, ChatNotOpen | ProspectErased | ProspectRemoved> => {
  if (sender === "broker" && refusal === "removed") return Effect.fail(ProspectRemoved.rejection())
  if (sender === "broker" && refusal === "erased") return Effect.fail(ProspectErased.rejection())
  return Effect.fail(new ChatNotOpen({ detail: details[refusal] }))
}

/** Refuses to send anything in a conversation that is not open. */
const requireOpen = ({
  refusal,
  sender
}: Conversation): Effect.Effect<void, ChatNotOpen | ProspectErased | ProspectRemoved> =>
  refusal === undefined ? Effect.void : refuse(refusal, sender)

const make = Effect.gen(function* () {
  const { messages: days } = yield* Retention
  const repo = yield* MessagesRepo
  const prospects = yield* Prospects
  const projects = yield* Projects
  const writes = yield* ProspectWrites
  const offers = yield* OfferChanges
  const members = yield* Members
  const files = yield* FileWrites
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  // Conversations.

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
  const load = Effect.fn("Messages.load")((actor: Actor, id: string): Effect.Effect<Conversation, NotFound> =>
    isOffer(id) ? loadAsInvestor(actor, id) : loadAsBroker(actor, id)
  )

  /**
   * Locks the project and the prospect of a conversation, for a write in the broker's team, and checks under the locks that it
   * is still open.
   */
  const hold = Effect.fn("Messages.hold")(function* (change: Change, id: string, known: Conversation) {
    const lock = (ofBroker: Change) =>
      projects.lockForShare(ofBroker, known.projectUuid).pipe(
        Effect.andThen(writes.lock(ofBroker, known.prospectUuid)),
        Effect.map(({ resource }) => ({ ofBroker, resource }))
      )
    const { ofBroker, resource } = yield* Effect.catch(
      known.sender === "broker" ? lock(change) : crossInto(change, known.brokerTeamId, lock),
      // An investor learns nothing of the broker's records.
      (error): Effect.Effect<never, NotFound | ChatNotOpen | ProspectErased | ProspectRemoved> =>
        known.sender === "broker" ? Effect.fail(error) : refuse("removed", "investor")
    )
    if (resource.erasedUtc !== null) return yield* refuse("erased", known.sender)
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
  const rowOf = Effect.fn("Messages.rowOf")(function* (
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
  const record = Effect.fn("Messages.record")(function* (
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

  // What is sent.

  /** Sends a message: to the investor of a prospect, or to the broker of an offer. Answers the sender's timeline row. */
  const send = Effect.fn("Messages.send")((id: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: needOf(id),
      load: (actor) => load(actor, id),
      decide: ({ body, loaded }) =>
        all(request.query, decodeMessage(body), request.idempotencyKey).pipe(
          Effect.map(([, { text }, key]) => ({ text, key })),
          Effect.tap(requireOpen(loaded))
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const held = yield* hold(change, id, creation.loaded)
            yield* quotas.require(held.brokerTeamId, "messages", { callerTeamId: creation.actor.teamId })
            const { actionUuid, sent } = yield* record(change, held, { type: "message_sent" })
            const { sender } = held
            const { text } = creation.decision
            const message = { actionUuid, sender, userUuid: change.actor.userId, text }
            yield* inTeam(held.brokerTeamId)(repo.insert(held.ofBroker, message))
            return sent
          })
        )
    })
  )

  /** Shares a file, as `send` sends a message. Both sides can read it, and nobody else. */
  const share = Effect.fn("Messages.share")(function* (id: string, request: UploadRequest) {
    const actor = yield* authorize(needOf(id))
    const conversation = yield* load(actor, id)
    yield* requireOpen(conversation)
    return yield* files.store(
      actor,
      request,
      (change, content) =>
        Effect.gen(function* () {
          const held = yield* hold(change, id, conversation)
          // What an investor shares is not for other investors of the prospect.
          const subject =
            held.offer === undefined
              ? { type: "prospect" as const, id: held.prospectUuid }
              : { type: "offer" as const, id: held.offer.offerUuid }
          const file = yield* inTeam(held.brokerTeamId)(files.add(held.ofBroker, subject, content))
          const row = { type: "file_shared", file: { id: file.id, name: file.name } } as const
          return (yield* record(change, held, row)).sent
        }),
      conversation.brokerTeamId
    )
  })

  /** Logs a call with the investor of a prospect. Only brokers of the team know of it. */
  const logCall = Effect.fn("Messages.logCall")((id: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => prospects.loadById(actor, id),
      decide: ({ body, loaded }) =>
        all(request.query, decodeCall(body), request.idempotencyKey).pipe(
          Effect.map(([, { note }, key]) => ({ note, key })),
          Effect.tap(requireOnList(loaded))
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const { projectUuid, uuid } = creation.loaded
            const stored = yield* writes.lock(change, uuid)
            yield* requireOnList({ stored })
            yield* quotas.require(change.actor.teamId, "messages")
            const { companyId, contactId } = stored.resource
            const actionUuid = yield* change.newId
            const sender = "broker"
            const row = { id: actionUuid, event: "prospect.call_logged", details: { kind: "chat", sender } } as const
            change.record(chatRecordOf({ uuid, projectUuid, contactId, companyId }, row))
            const { note: text } = creation.decision
            yield* repo.insert(change, { actionUuid, sender, userUuid: change.actor.userId, text })
            return yield* rowOf(change, row)
          })
        )
    })
  )

  /**
   * The texts of rows of chat on timelines of the broker's team, by the id of the row: what the conversation in the console shows. Those
   * of other teams are left out, and so is what is no message.
   */
  const textsOf = Effect.fn("Messages.textsOf")(function* (rows: ReadonlyArray<Pick<Action, "id" | "type">>) {
    const { teamId } = yield* authorize("broker")
    const uuids = rows.flatMap(({ id, type }) => (type === "chat" ? (Id.toUuid("act", id) ?? []) : []))
    const texts = yield* repo.textsOf(teamId, uuids)
    return new Map([...texts].map(([uuid, text]) => [Id.fromUuid("act", uuid) as string, text]))
  })

  /** Removes texts past their retention, at most `limit` at once; returns how many. Without one, none. */
  const purge = Effect.fn("Messages.purge")(function* (limit: number) {
    return days === 0 ? 0 : yield* repo.purge(yield* daysAgo(days), limit)
  })

  return { purge, send, share, logCall, textsOf }
})

/**
 * Messages, shared files and logged calls. Brokers need the `broker` capability and name a prospect, investors need the `investor`
 * capability and name an offer.
 */
export class Messages extends Context.Service<Messages, Effect.Success<typeof make>>()("deals/messages/Messages") {
  static readonly layer = Layer.effect(Messages, make).pipe(
    Layer.provide([
      FileWrites.layer,
      Members.layer,
      MessagesRepo.layer,
      OfferChanges.layer,
      Projects.layer,
      Prospects.layer,
      ProspectWrites.layer
    ])
  )
}
