/** Messages and shared files between a broker and an investor, and calls that a broker logs: docs/behaviour/messages.md. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { FileWrites, type UploadRequest } from "../../content/files/FileWrites.ts"
import { chatRecordOf } from "../prospects/rules.ts"
import { Prospects, requireOnList } from "../prospects/Prospects.ts"
import { ProspectWrites } from "../prospects/ProspectWrites.ts"
import { all } from "../../core/usecase/Input.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Conversations, needOf, requireOpen } from "./Conversations.ts"
import { CallCreate, MessageCreate } from "./Message.ts"
import { MessagesRepo } from "./MessagesRepo.ts"

const decodeMessage = UnvalidatedJson.decoder(MessageCreate)
const decodeCall = UnvalidatedJson.decoder(CallCreate)

const make = Effect.gen(function* () {
  const repo = yield* MessagesRepo
  const conversations = yield* Conversations
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const files = yield* FileWrites
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** Sends a message: to the investor of a prospect, or to the broker of an offer. Answers the sender's timeline row. */
  const send = Effect.fn("Messages.send")((id: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: needOf(id),
      load: (actor) => conversations.load(actor, id),
      decide: ({ body, loaded }) =>
        all(request.query, decodeMessage(body), request.idempotencyKey).pipe(
          Effect.map(([, { text }, key]) => ({ text, key })),
          Effect.tap(requireOpen(loaded))
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const held = yield* conversations.hold(change, id, creation.loaded)
            yield* quotas.require(held.brokerTeamId, "messages", { callerTeamId: creation.actor.teamId })
            const { actionUuid, sent } = yield* conversations.record(change, held, { type: "message_sent" })
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
    const conversation = yield* conversations.load(actor, id)
    yield* requireOpen(conversation)
    return yield* files.store(
      actor,
      request,
      (change, content) =>
        Effect.gen(function* () {
          const held = yield* conversations.hold(change, id, conversation)
          // What an investor shares is not for other investors of the prospect.
          const subject =
            held.offer === undefined
              ? { type: "prospect" as const, id: held.prospectUuid }
              : { type: "offer" as const, id: held.offer.offerUuid }
          const file = yield* inTeam(held.brokerTeamId)(files.add(held.ofBroker, subject, content))
          const row = { type: "file_shared", file: { id: file.id, name: file.name } } as const
          return (yield* conversations.record(change, held, row)).sent
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
            return yield* conversations.rowOf(change, row)
          })
        )
    })
  )

  return { send, share, logCall }
})

/**
 * Messages, shared files and logged calls. Brokers need the `broker` capability and name a prospect, investors need the `investor`
 * capability and name an offer.
 */
export class Messages extends Context.Service<Messages, Effect.Success<typeof make>>()("deals/messages/Messages") {
  static readonly layer = Layer.effect(Messages, make)
}
