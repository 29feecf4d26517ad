/**
 * The inbox of a team, for trying webhooks in the browser (docs/behaviour/console.md#inbox): an address of this service, which nobody can
 * guess, that takes any message and shows it. It exists in a trial alone, and keeps what it takes in the memory of the process.
 */
import * as Id from "../../core/Id.ts"
import * as Signature from "../Signature.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { makeFeed } from "../../core/usecase/Feed.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { keyFor, type SecretKeys } from "../../platform/secrets/SecretKeys.ts"
import { hoursAgo, now } from "../../platform/Time.ts"
import { maxPerTeam } from "../Webhook.ts"
import { openAll } from "../Webhooks.ts"
import { WebhooksRepo } from "../WebhooksRepo.ts"
import { createHmac, timingSafeEqual } from "node:crypto"

/** The most messages of a team: a new one takes the place of the oldest. */
export const maxMessages = 100

/** The longest body, in bytes. */
export const maxMessageBytes = 64 * 1024

/** How long a message is kept, in hours. */
export const keptHours = 24

/** Of how many teams messages are kept. */
const maxTeams = 100

/** What the inbox may answer to a message. */
export const answers = [204, 410, 500] as const
export type InboxAnswer = (typeof answers)[number]

/** A message that came. */
export interface InboxMessage {
  readonly seq: number
  readonly at: Date
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
  readonly bytes: number
  /** Whether a webhook of the team that leads here signed it. */
  readonly signature: "none" | "valid" | "wrong"
  readonly answered: InboxAnswer
}

interface Held {
  readonly messages: Array<InboxMessage>
  seq: number
  answer: InboxAnswer
}

const noInbox = new NotFound({
  detail: "There is no inbox here. A trial has one: a service with its own Postgres that listens on this machine alone."
})

const headerOf = ({ headers }: Pick<InboxMessage, "headers">, name: string): string =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ""

/** The type of the event that a message says it is of. */
export const eventOf = (message: Pick<InboxMessage, "headers">): string => headerOf(message, "x-service-event")

/** What a service has an inbox with; undefined for one that has none. */
export interface InboxOptions {
  readonly secretKeys: SecretKeys
}

const make = Effect.fn("Inbox.make")(function* (options: InboxOptions | undefined) {
  const repo = yield* WebhooksRepo
  const box = (yield* SecretBox).for("webhook secrets")
  const held = new Map<string, Held>()

  const tokenOf = (teamId: string): string =>
    options === undefined
      ? ""
      : createHmac("sha256", keyFor("inbox", options.secretKeys.current)).update(teamId).digest("base64url")

  const heldOf = (teamId: string): Held => {
    const known = held.get(teamId) ?? { messages: [], seq: 0, answer: 204 }
    if (!held.has(teamId) && held.size >= maxTeams) held.delete(held.keys().next().value ?? "")
    held.set(teamId, known)
    return known
  }

  /** The messages of a team, the latest first, without those that are too old. */
  const messagesOf = Effect.fnUntraced(function* (teamId: string) {
    const oldest = (yield* hoursAgo(keptHours)).getTime()
    const { messages } = heldOf(teamId)
    while ((messages.at(-1)?.at.getTime() ?? Infinity) < oldest) messages.pop()
    return messages
  })

  const mine = Effect.gen(function* () {
    const { teamId } = yield* authorize("member")
    return options === undefined ? yield* noInbox : teamId
  })

  /** The path of a team's inbox. */
  const pathOf = (teamId: string): string => `/inbox/${Id.fromUuid("team", teamId)}/${tokenOf(teamId)}`

  /** The inbox of the actor's team: its address, its messages, the latest first, and what it answers. */
  const open = Effect.fn("Inbox.open")(function* (baseUrl: string) {
    const teamId = yield* mine
    const messages = yield* messagesOf(teamId)
    return { url: `${baseUrl}${pathOf(teamId)}`, messages: [...messages], answer: heldOf(teamId).answer }
  })

  const feed = yield* makeFeed<InboxMessage, number>({
    begin: (teamId) => Effect.sync(() => heldOf(teamId).seq),
    next: (teamId, after) =>
      Effect.sync(() => {
        const { messages, seq } = heldOf(teamId)
        return { items: messages.filter((message) => message.seq > after).toReversed(), position: seq }
      })
  })

  /** The messages that come from now on, and those that came after one that was seen. */
  const watch = Effect.fn("Inbox.watch")(function* (after: number | undefined) {
    const teamId = yield* mine
    const missed = after === undefined ? [] : (yield* messagesOf(teamId)).filter(({ seq }) => seq > after).toReversed()
    const seen = missed.at(-1)?.seq ?? after ?? 0
    return {
      missed,
      polls: Stream.map(feed.follow(teamId), (found) => found.filter(({ seq }) => seq > seen))
    }
  })

  /** Sets what the inbox answers, such as an error, so that a delivery is tried again. */
  const answerWith = Effect.fn("Inbox.answerWith")(function* (answer: InboxAnswer) {
    heldOf(yield* mine).answer = answer
  })

  /** Forgets all messages. */
  const clear = Effect.fn("Inbox.clear")(function* () {
    heldOf(yield* mine).messages.length = 0
  })

  /** The secrets of the webhooks of a team that lead to its inbox. */
  const secretsOf = Effect.fnUntraced(function* (teamId: string, at: Date) {
    const path = pathOf(teamId)
    const stored = (yield* repo.list(teamId, undefined, maxPerTeam)).filter(({ webhook }) => webhook.url.endsWith(path))
    const opened = yield* Effect.forEach(stored, ({ previousSecrets, secretSealed, uuid }) =>
      openAll(box, { webhookUuid: uuid, sealed: secretSealed, previous: previousSecrets, now: at })
    )
    return opened.flat()
  })

  /** Takes a message to an inbox, whoever sends it; says how it is answered. There is no inbox with another token. */
  const receive = Effect.fn("Inbox.receive")(function* (
    { team, token }: { readonly team: string; readonly token: string },
    { body, headers }: { readonly headers: InboxMessage["headers"]; readonly body: Uint8Array }
  ) {
    const teamId = Id.toUuid("team", team)
    if (options === undefined || teamId === undefined) return yield* noInbox
    const [sent, own] = [Buffer.from(token), Buffer.from(tokenOf(teamId))]
    if (sent.length !== own.length || !timingSafeEqual(sent, own)) return yield* noInbox
    const at = yield* now
    const offered = headerOf({ headers }, "webhook-signature")
    const isValid =
      offered !== "" &&
      Signature.verify({
        id: headerOf({ headers }, "webhook-id"),
        timestamp: headerOf({ headers }, "webhook-timestamp"),
        signature: offered,
        body,
        secrets: yield* inTeam(teamId)(secretsOf(teamId, at)),
        nowSeconds: Math.floor(at.getTime() / 1000)
      })
    const messages = yield* messagesOf(teamId)
    const kept = heldOf(teamId)
    kept.seq += 1
    messages.unshift({
      seq: kept.seq,
      at,
      headers,
      body: new TextDecoder().decode(body),
      bytes: body.length,
      signature: offered === "" ? "none" : isValid ? "valid" : "wrong",
      answered: kept.answer
    })
    messages.length = Math.min(messages.length, maxMessages)
    return kept.answer
  })

  return { open, watch, answerWith, clear, receive }
})

/** The inboxes of teams. */
export class Inbox extends Context.Service<Inbox, Effect.Success<ReturnType<typeof make>>>()("webhooks/inbox/Inbox") {
  static readonly layer = (options: InboxOptions | undefined) =>
    Layer.effect(Inbox, make(options)).pipe(Layer.provide(WebhooksRepo.layer))
}
