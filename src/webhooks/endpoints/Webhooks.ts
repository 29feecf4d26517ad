/** The use-cases of webhooks. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize } from "../../auth/CurrentActor.ts"
import { type Change, Changes } from "../../changes/Changes.ts"
import { conditionally } from "../../changes/Conditional.ts"
import { DryRun } from "../../changes/DryRun.ts"
import { now, daysAgo, parseSpan } from "../../fields/Span.ts"
import type { UseCaseRequest } from "../../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../../usecase/UnvalidatedJson.ts"
import { Idempotency, type Once } from "../../usecase/Idempotency.ts"
import { all, bodyFault, type Input, type Json } from "../../usecase/Input.ts"
import { byId } from "../../usecase/Lookup.ts"
import * as MergePatch from "../../usecase/MergePatch.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../usecase/Page.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest } from "../../usecase/Problem.ts"
import * as Id from "../../Id.ts"
import { Jobs } from "../../jobs/Jobs.ts"
import { SecretBox } from "../../secrets/SecretBox.ts"
import { Outbound } from "../outbound/Outbound.ts"
import * as Signature from "../signing/Signature.ts"
import { resume as resumeJob, resumeKey } from "./jobs.ts"
import { afterRotation, afterRequest, toTestResult, type WebhookFields } from "./rules.ts"
import { openAll } from "./Secrets.ts"
import { testedType, testRequest } from "./TestDelivery.ts"
import {
  maxPerTeam,
  type Webhook,
  WebhookCreate,
  WebhookLimitReached,
  type WebhookListQuery,
  WebhookNotActive,
  WebhookPatch,
  WebhookRotation,
  WebhookTest
} from "./Webhook.ts"
import { WebhookRetentionRepo } from "./WebhookRetentionRepo.ts"
import { type StoredWebhook, WebhooksRepo } from "./WebhooksRepo.ts"

const decodeCreate = UnvalidatedJson.decoder(WebhookCreate)
const decodePatch = MergePatch.make(WebhookPatch)
const decodeRotation = UnvalidatedJson.decoder(WebhookRotation)
const decodeTest = UnvalidatedJson.decoder(WebhookTest)

/** How long what has ended is kept, in days: subscriptions for fan-outs that are late, webhooks for their log. */
const keptDays = { subscriptions: 7, webhooks: 30 }

const limitReached = new WebhookLimitReached({
  detail: `A team may have ${maxPerTeam} webhooks. Delete one, or let one receive more events.`,
  limit: maxPerTeam
})

const refuse = (faults: ReadonlyArray<Fault>): Input<void> =>
  faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))

const memberOf = (value: Json, name: string): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? (value as { readonly [member: string]: Json })[name]
    : undefined

/**
 * The document without its `status` when that is the present one: a disabled webhook may be sent back as it was read,
 * though nobody can ask for `disabled`.
 */
const withoutPresentStatus = (
  document: UnvalidatedJson.UnvalidatedJson,
  present: string
): UnvalidatedJson.UnvalidatedJson =>
  memberOf(document.value, "status") === present
    ? {
        ...document,
        value: Object.fromEntries(Object.entries(document.value ?? {}).filter(([member]) => member !== "status"))
      }
    : document

const make = Effect.gen(function* () {
  const repo = yield* WebhooksRepo
  const retention = yield* WebhookRetentionRepo
  const jobs = yield* Jobs
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const cursors = yield* Cursors
  const outbound = yield* Outbound
  const box = (yield* SecretBox).for("webhook secrets")
  const random = yield* SecureRandom.SecureRandom

  const load = (actor: Actor, id: string) => byId("webhook", id, (uuid) => repo.find(actor.teamId, uuid))

  /**
   * The webhook that was read, as it is now, until the transaction ends. If the client named the state that was read, it
   * must still be that one. Otherwise the change is made to whatever it is: the service changes webhooks too, and often.
   */
  const hold = Effect.fnUntraced(function* (actor: Actor, read: StoredWebhook, hasPrecondition: boolean) {
    const stored = yield* byId("webhook", read.webhook.id, (uuid) => repo.lock(actor.teamId, uuid))
    if (hasPrecondition && stored.version !== read.version) return yield* ConcurrencyConflict.of("webhook")
    return stored
  })

  /** What is wrong with the URL that was sent, unless it is the present one. Asks DNS, so outside of transactions. */
  const faultsOfUrl = (
    document: UnvalidatedJson.UnvalidatedJson,
    present?: string
  ): Effect.Effect<ReadonlyArray<Fault>> => {
    const url = memberOf(document.value, "url")
    return typeof url !== "string" || url === "" || url === present
      ? Effect.succeed([])
      : outbound.check(url).pipe(
          Effect.as([]),
          // The schema says so too.
          Effect.catch(({ code, reason }) =>
            Effect.succeed(code === "too_long" ? [] : [bodyFault("/url", code, reason)])
          )
        )
  }

  const happened = (change: Change, uuid: string, kind: "created" | "updated" | "deleted") =>
    change.record({ change: kind, resource: { type: "webhook", id: uuid }, subjects: [] })

  /** A page of the team's webhooks. */
  const list = Effect.fn("Webhooks.list")(function* (request: Pick<UseCaseRequest<WebhookListQuery>, "query">) {
    const actor = yield* authorize("member")
    const query = yield* request.query
    return yield* readPage({
      cursors,
      binding: { list: "webhooks", teamId: actor.teamId, filters: {} },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) => repo.list(actor.teamId, timeAndId(position), limit),
      positionOf: (stored) => [stored.webhook.createdUtc, stored.uuid],
      toItem: (stored) => stored.webhook
    })
  })

  /** One webhook. */
  const get = Effect.fn("Webhooks.get")(function* (id: string) {
    const actor = yield* authorize("member")
    return (yield* load(actor, id)).webhook
  })

  /** Adds a webhook. Its secret is in this answer, and in the same answer given again, and nowhere else. */
  const create = Effect.fn("Webhooks.create")(function* (request: UseCaseRequest) {
    const actor = yield* authorize("member")
    const document = yield* request.body
    const urlFaults = yield* faultsOfUrl(document)
    const [, input, key] = yield* all(request.query, decodeCreate(document), request.idempotencyKey).pipe(
      Effect.mapError((refused) => InvalidRequest.of([...refused.errors, ...urlFaults]))
    )
    return yield* changes.commit(actor, (change) =>
      idempotency.once(
        { actor, operation: request.operation, key, body: document.sent, now: change.at },
        Effect.gen(function* () {
          // Here, so that a repeated create gets its first answer whatever DNS says by now.
          yield* refuse(urlFaults)
          if ((yield* repo.lockCount(actor.teamId)) >= maxPerTeam) return yield* limitReached
          const uuid = yield* change.newId
          const secret = Signature.makeSecret(yield* random.randomBytes(32))
          const sealed = yield* box.seal(secret, Id.fromUuid("webhook", uuid))
          const webhook = yield* repo.insert(change, uuid, { name: null, ...input }, sealed)
          happened(change, uuid, "created")
          return { ...webhook, secret }
        })
      )
    )
  })

  /** `create` for a door that may ask for a dry run: that shows no secret, since somebody might set it up. */
  const createOrRehearse = Effect.fnUntraced(function* (request: UseCaseRequest) {
    const once: Once<Webhook> = yield* create(request)
    if ((yield* DryRun) === undefined) return once
    const { secret: _, ...value }: Webhook = once.value
    return { ...once, value }
  })

  /** What a patch is compared with. The secret is compared too, since a client may send back what creation answered. */
  const present = Effect.fnUntraced(function* (stored: StoredWebhook, document: UnvalidatedJson.UnvalidatedJson) {
    if (memberOf(document.value, "secret") === undefined) return stored.webhook
    return { ...stored.webhook, secret: yield* box.open(stored.secretSealed, stored.webhook.id) }
  })

  /** Changes members of a webhook, its status among them; one that becomes active is sent what waits for it. */
  const patch = Effect.fn("Webhooks.patch")(function* (id: string, request: UseCaseRequest) {
    const actor = yield* authorize("member")
    return yield* conditionally({
      request,
      load: load(actor, id),
      etagOf: (stored) => stored.webhook.etag,
      body: request.body,
      change: Effect.fnUntraced(function* (
        read: StoredWebhook,
        document: UnvalidatedJson.UnvalidatedJson,
        hasPrecondition: boolean
      ) {
        const sent = withoutPresentStatus(document, read.status.state)
        const urlFaults = yield* faultsOfUrl(document, read.webhook.url)
        const current = yield* present(read, document)
        const [, input] = yield* all(request.query, decodePatch(sent, current), refuse(urlFaults))
        const changed = MergePatch.differing(input, read.webhook)
        if (changed.length === 0) return read.webhook
        const { status, ...rest } = input
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function* () {
            const stored = yield* hold(actor, read, hasPrecondition)
            const fields: WebhookFields = { ...stored.webhook, ...rest }
            const standing = status === undefined ? stored.status : afterRequest(stored.status, status)
            const webhook = yield* repo.update(change, stored, fields, standing)
            if (standing.state === "active" && stored.status.state !== "active") {
              yield* jobs.enqueue(resumeJob, { webhookId: stored.uuid }, { jobKey: resumeKey(stored.uuid) })
            }
            happened(change, stored.uuid, "updated")
            return webhook
          })
        )
      })
    })
  })

  /**
   * Replaces the secret, and shows the new one. Without an overlap no earlier one signs any more; a rehearsal shows none,
   * since somebody might set it up.
   */
  const rotate = Effect.fn("Webhooks.rotate")(function* (
    id: string,
    request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">
  ) {
    const actor = yield* authorize("member")
    const isRehearsal = (yield* DryRun) !== undefined
    return yield* conditionally({
      request,
      load: load(actor, id),
      etagOf: (stored) => stored.webhook.etag,
      body: request.body,
      change: Effect.fnUntraced(function* (
        read: StoredWebhook,
        document: UnvalidatedJson.UnvalidatedJson,
        hasPrecondition: boolean
      ) {
        const [, { overlap }] = yield* all(request.query, decodeRotation(document))
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function* () {
            const stored = yield* hold(actor, read, hasPrecondition)
            const secret = Signature.makeSecret(yield* random.randomBytes(32))
            const sealed = yield* box.seal(secret, stored.webhook.id)
            const previous = afterRotation({
              replaced: Buffer.from(stored.secretSealed).toString("base64"),
              previous: stored.previousSecrets,
              overlap: overlap === undefined ? undefined : parseSpan(overlap),
              now: change.at
            })
            const webhook: Webhook = yield* repo.rotate(change, stored, { sealed, previous })
            happened(change, stored.uuid, "updated")
            return isRehearsal ? webhook : { ...webhook, secret }
          })
        )
      })
    })
  })

  /** Sends a sample event now, and tells how the receiver took it. Nothing is kept of it, whatever the answer. */
  const test = Effect.fn("Webhooks.test")(function* (id: string, request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("member")
    const { previousSecrets, secretSealed, status, uuid, webhook } = yield* load(actor, id)
    const document = yield* request.body
    const [, input] = yield* all(request.query, decodeTest(document))
    if (status.state !== "active") return yield* WebhookNotActive.of(status.state)
    const at = yield* now
    const secrets = yield* openAll(box, { webhookUuid: uuid, sealed: secretSealed, previous: previousSecrets, now: at })
    const made = yield* outbound.post(
      testRequest({
        url: webhook.url,
        type: testedType(input.event_type, webhook.events),
        messageBytes: yield* random.randomBytes(20),
        secrets,
        at
      })
    )
    return toTestResult(made)
  })

  /** Deletes a webhook: nothing is sent to it any more. */
  const deleteWebhook = Effect.fn("Webhooks.delete")(function* (
    id: string,
    request: Pick<UseCaseRequest, "ifMatch" | "query">
  ) {
    const actor = yield* authorize("member")
    return yield* conditionally({
      request,
      load: load(actor, id),
      etagOf: (stored) => stored.webhook.etag,
      body: Effect.void,
      change: Effect.fnUntraced(function* (read: StoredWebhook, _: void, hasPrecondition: boolean) {
        yield* request.query
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function* () {
            const stored = yield* hold(actor, read, hasPrecondition)
            yield* repo.delete(change, stored)
            happened(change, stored.uuid, "deleted")
          })
        )
      })
    })
  })

  /** Removes subscriptions that ended long ago, at most `limit`; answers how many there were. */
  const purgeSubscriptions = Effect.fn("Webhooks.purgeSubscriptions")(function* (limit: number) {
    return yield* retention.purgeSubscriptions(yield* daysAgo(keptDays.subscriptions), limit)
  })

  /** Removes webhooks that were deleted long ago and have nothing left, at most `limit`; answers how many there were. */
  const purge = Effect.fn("Webhooks.purge")(function* (limit: number) {
    return yield* retention.purgeWebhooks(yield* daysAgo(keptDays.webhooks), limit)
  })

  return { list, get, create, createOrRehearse, patch, rotate, test, delete: deleteWebhook, purgeSubscriptions, purge }
})

/**
 * What can be done with webhooks. Every use-case needs an active membership of the team, and no capability; the purges
 * are the service's own.
 */
export class Webhooks extends Context.Service<Webhooks, Effect.Success<typeof make>>()("webhooks/endpoints/Webhooks") {
  static readonly layer = Layer.effect(Webhooks, make)
}
