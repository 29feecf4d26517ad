/** The use-cases of webhooks. See docs/behaviour/webhooks.md#subscriptions. */
import * as Mutation from "../core/mutation/Mutation.ts"
import * as TeamParts from "../core/TeamParts.ts"
import * as Id from "../core/Id.ts"
import * as Signature from "./Signature.ts"
import { decoder, differing, makeMergePatch, type UnvalidatedJson } from "../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize, CurrentActor } from "../core/auth/CurrentActor.ts"
import { writtenUrl } from "../core/fields/InternetAddress.ts"
import type { AuditDetails } from "../core/audit/AuditEntry.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { DeletionLimits } from "../core/deletions/DeletionLimits.ts"
import type { Change } from "../core/mutation/Changes.ts"
import { type EventType, eventTypes, typesOf } from "../core/mutation/Event.ts"
import { sampleOf } from "../core/mutation/SampleEvent.ts"
import { Outbound, type OutboundRequest, Sending } from "../core/outbound/Outbound.ts"
import { all, bodyFault, type Input } from "../core/usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../core/usecase/Page.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest } from "../core/usecase/Problem.ts"
import { byId, type UseCaseRequest } from "../core/usecase/UseCaseRequest.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { type Box, SecretBox } from "../platform/secrets/SecretBox.ts"
import { Retention } from "../platform/Retention.ts"
import { daysAgo, now, parseDuration } from "../platform/Time.ts"
import { resume as resumeJob, resumeKey } from "./jobs.ts"
import {
  afterNewSecret,
  afterRequest,
  afterRotation,
  memberOf,
  type PreviousSecret,
  toTestResult,
  validAt,
  type WebhookFields,
  withoutHealth,
  withoutPresentStatus
} from "./rules.ts"
import {
  maxPerTeam,
  WebhookCreate,
  WebhookLimitReached,
  type WebhookListQuery,
  WebhookNotActive,
  WebhookPatch,
  WebhookRotation,
  WebhooksOff,
  WebhookTest,
  type WebhookWithSecret
} from "./Webhook.ts"
import { newHealth, WebhookHealth } from "./WebhookHealth.ts"
import { type StoredWebhook, type WebhookMembers, WebhooksRepo } from "./WebhooksRepo.ts"

/** For how many days ended subscriptions are kept, for late fan-outs. */
const subscriptionDays = 7

const decodeCreate = decoder(WebhookCreate)
const decodePatch = makeMergePatch(WebhookPatch)
const decodeRotation = decoder(WebhookRotation)
const decodeTest = decoder(WebhookTest)

const limitReached = new WebhookLimitReached({
  detail: `A team may have ${maxPerTeam} webhooks. Delete one, or subscribe one to more events.`,
  limit: maxPerTeam
})

/** Fails with the faults, if there are any. */
const rejectFaults = (faults: ReadonlyArray<Fault>): Input<void> =>
  faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))

/**
 * The secrets that sign at `now`, the newest first: the current one, and replaced ones whose overlap has not ended. Dies if a
 * secret does not open.
 */
export const openAll = (
  box: Box,
  {
    now,
    previous,
    sealed,
    webhookUuid
  }: {
    readonly webhookUuid: string
    readonly sealed: Uint8Array
    /** The replaced secrets, the newest first. */
    readonly previous: ReadonlyArray<PreviousSecret>
    readonly now: Date
  }
): Effect.Effect<ReadonlyArray<string>> => {
  const context = Id.fromUuid("webhook", webhookUuid)
  const replaced = validAt(previous, now).map((secret) => Uint8Array.from(Buffer.from(secret.sealed, "base64")))
  return Effect.forEach([sealed, ...replaced], (one) => box.open(one, context))
}

/** The event type of a test: the requested one, or the first that the first entry of the subscription stands for. */
export const testedType = (asked: EventType | undefined, subscribed: ReadonlyArray<string>): EventType =>
  asked ?? typesOf(subscribed.slice(0, 1))[0] ?? eventTypes[0]

/** A signed sample event of this type with the time `at`. `messageBytes` are random and become its id. */
const testRequest = (options: {
  readonly url: string
  readonly type: EventType
  readonly messageBytes: Uint8Array
  readonly secrets: ReadonlyArray<string>
  readonly at: Date
}): OutboundRequest => {
  const { at, messageBytes, secrets, type, url } = options
  const body = new TextEncoder().encode(JSON.stringify({ ...sampleOf(type, at), _test: true }))
  const headers = Signature.headers({
    id: `msg_${Buffer.from(messageBytes).toString("base64url")}`,
    timestampSeconds: Math.floor(at.getTime() / 1000),
    body,
    secrets,
    eventType: type,
    test: true
  })
  return { url, headers, body }
}

const changeOf = {
  "webhook.created": "created",
  "webhook.updated": "updated",
  "webhook.rotated": "updated",
  "webhook.deleted": "deleted"
} as const

const make = Effect.gen(function* () {
  const auditLog = yield* AuditLog
  const limits = yield* DeletionLimits
  // Deleted webhooks are kept for their delivery log.
  const { deliveries: deliveryDays } = yield* Retention
  const repo = yield* WebhooksRepo
  const health = yield* WebhookHealth
  const mutation = yield* Mutation.make
  const jobs = yield* Jobs
  const cursors = yield* Cursors
  const outbound = yield* Outbound
  const isSending = yield* Sending
  const box = (yield* SecretBox).for("webhook secrets")
  const random = yield* SecureRandom.SecureRandom

  /** Records a change of a webhook. */
  const recordChange = (change: Change, uuid: string, action: keyof typeof changeOf, details: AuditDetails = {}) => {
    change.record({ change: changeOf[action], resource: { type: "webhook", id: uuid }, subjects: [] })
    return auditLog.record({ action, target: { type: "webhook", id: Id.fromUuid("webhook", uuid) }, details })
  }

  const load = (actor: Actor, id: string) => byId("webhook", id, (uuid) => repo.find(actor.teamId, uuid))

  /**
   * Reads the webhook again and locks it until the transaction ends. A pinned change (with `If-Match`) fails if the version
   * differs from the loaded one. Any other change applies to the newer version, because the service itself often changes webhooks.
   *
   * A `commit` calls it: a `lock` step of the pipeline would run `decide` again inside the transaction, which may ask DNS, and could
   * not answer 404 for a webhook that was deleted in the meantime.
   */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded, pinned }: { readonly loaded: StoredWebhook; readonly pinned: boolean }
  ) {
    const stored = yield* byId("webhook", loaded.webhook.id, (uuid) => repo.lock(change.actor.teamId, uuid))
    if (pinned && stored.version !== loaded.version) return yield* ConcurrencyConflict.of("webhook")
    return stored
  })

  /** The faults of the URL in the body, unless it equals `present`. It asks DNS, so never call it in a transaction. */
  const urlFaults = (body: UnvalidatedJson, present?: string): Effect.Effect<ReadonlyArray<Fault>> => {
    const url = memberOf(body.value, "url")
    return typeof url !== "string" || url === "" || writtenUrl(url) === present
      ? Effect.succeed([])
      : outbound.check(url).pipe(
          Effect.as([]),
          // The schema reports a URL that is too long.
          Effect.catch(({ code, reason }) =>
            Effect.succeed(code === "too_long" ? [] : [bodyFault("/url", code, reason)])
          )
        )
  }

  const withHealth = Effect.fnUntraced(function* <Members extends WebhookMembers>(webhook: Members) {
    const { teamId } = yield* CurrentActor
    const [shown] = yield* health.withHealth(teamId, [webhook])
    return shown ?? { ...webhook, health: newHealth }
  })

  /** A page of the team's webhooks. */
  const list = Effect.fn("Webhooks.list")(function* (request: Pick<UseCaseRequest<WebhookListQuery>, "query">) {
    const actor = yield* authorize("member")
    const query = yield* request.query
    const page = yield* readPage({
      cursors,
      binding: { list: "webhooks", teamId: actor.teamId, filters: {} },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) => repo.list(actor.teamId, timeAndId(position), limit),
      positionOf: (stored) => [stored.webhook.createdUtc, stored.uuid],
      toItem: (stored) => stored.webhook
    })
    return { ...page, data: yield* health.withHealth(actor.teamId, page.data) }
  })

  /** One webhook. */
  const get = Effect.fn("Webhooks.get")(function* (id: string) {
    const actor = yield* authorize("member")
    return yield* withHealth((yield* load(actor, id)).webhook)
  })

  /** What became of the deliveries of a webhook, or of all of the team, in each of the last 24 hours. */
  const hours = Effect.fn("Webhooks.hours")(function* (id?: string) {
    const actor = yield* authorize("member")
    const uuids = id === undefined ? yield* repo.idsOf(actor.teamId) : [(yield* load(actor, id)).uuid]
    return yield* health.byHour(actor.teamId, uuids)
  })

  /** Creates a webhook. Only this response shows its secret, and the same response to a repeated request. */
  const create = Effect.fn("Webhooks.create")((request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "admin-or-broker",
      decide: ({ body }) =>
        Effect.flatMap(urlFaults(body), (faults) =>
          all(request.query, decodeCreate(body), request.idempotencyKey).pipe(
            Effect.mapError((invalid) => invalid.and(faults)),
            Effect.map(([, input, key]) => ({ input, key, faults }))
          )
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const { faults, input } = creation.decision
            // Checked here, so that a repeated request gets its first response even if DNS has changed.
            yield* rejectFaults(faults)
            if ((yield* repo.lockCount(creation.actor.teamId)) >= maxPerTeam) return yield* limitReached
            const uuid = yield* change.newId
            const secret = Signature.makeSecret(yield* random.randomBytes(32))
            const sealed = yield* box.seal(secret, Id.fromUuid("webhook", uuid))
            const webhook = yield* repo.insert(change, uuid, { name: null, ...input }, sealed)
            yield* recordChange(change, uuid, "webhook.created")
            const shown: WebhookWithSecret = { ...webhook, health: newHealth, secret }
            return shown
          })
        )
    })
  )

  /** The state that a patch is compared with. It includes the secret if the client sends back the response of the creation. */
  const present = Effect.fnUntraced(function* (stored: StoredWebhook, body: UnvalidatedJson) {
    if (memberOf(body.value, "secret") === undefined) return stored.webhook
    return { ...stored.webhook, secret: yield* box.open(stored.secretSealed, stored.webhook.id) }
  })

  const decidePatch = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: StoredWebhook,
    body: UnvalidatedJson
  ) {
    const faults = yield* urlFaults(body, loaded.webhook.url)
    const sent = withoutHealth(withoutPresentStatus(body, loaded.status.state))
    const decoded = decodePatch(sent, yield* present(loaded, body))
    const [, input] = yield* all(request.query, decoded, rejectFaults(faults))
    return differing(input, loaded.webhook).length === 0 ? null : input
  })

  /** Changes a webhook, including its status. When it becomes active, the deliveries that wait for it are sent. */
  const patch = Effect.fn("Webhooks.patch")((id: string, request: UseCaseRequest) =>
    Effect.flatMap(
      mutation.change({
        request,
        authorize: "admin-or-broker",
        load: (actor) => load(actor, id),
        body: request.body,
        etagOf: (stored) => stored.webhook.etag,
        decide: ({ body, loaded }) => decidePatch(request, loaded, body),
        commit: (change, state) =>
          Effect.gen(function* () {
            const stored = yield* lock(change, state)
            const { status: requested, ...members } = state.decision
            const fields: WebhookFields = { ...stored.webhook, ...members }
            const status = requested === undefined ? stored.status : afterRequest(stored.status, requested)
            const webhook = yield* repo.update(change, stored, fields, status)
            if (status.state === "active" && stored.status.state !== "active") {
              yield* jobs.enqueue(
                resumeJob,
                { webhookId: stored.uuid, teamId: change.actor.teamId },
                { jobKey: resumeKey(stored.uuid) }
              )
            }
            yield* recordChange(change, stored.uuid, "webhook.updated", { changedFields: Object.keys(state.decision) })
            return webhook
          }),
        answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.webhook)
      }),
      withHealth
    )
  )

  /**
   * Replaces the secret and shows the new one, and the same one to a repeated request. Without an overlap, no earlier secret signs any
   * longer.
   */
  const rotate = Effect.fn("Webhooks.rotate")((id: string, request: UseCaseRequest) =>
    Effect.flatMap(
      mutation.change({
        request,
        authorize: "admin-or-broker",
        load: (actor) => load(actor, id),
        body: request.body,
        etagOf: (stored) => stored.webhook.etag,
        decide: ({ body }) =>
          Effect.map(all(request.query, decodeRotation(body), request.idempotencyKey), ([, { overlap }, key]) => ({
            overlap,
            key,
            body: body.sent
          })),
        commit: (change, state) =>
          mutation.onceIn(
            change,
            { ...state.decision, operation: request.operation },
            Effect.gen(function* () {
              const { overlap } = state.decision
              const stored = yield* lock(change, state)
              const secret = Signature.makeSecret(yield* random.randomBytes(32))
              const sealed = yield* box.seal(secret, stored.webhook.id)
              const previous = afterRotation({
                replaced: Buffer.from(stored.secretSealed).toString("base64"),
                previous: stored.previousSecrets,
                overlap: overlap === undefined ? undefined : parseDuration(overlap),
                now: change.at
              })
              const status = afterNewSecret(stored.status)
              const webhook = yield* repo.rotate(change, stored, { sealed, previous }, status)
              if (status.state !== stored.status.state) {
                yield* jobs.enqueue(
                  resumeJob,
                  { webhookId: stored.uuid, teamId: change.actor.teamId },
                  { jobKey: resumeKey(stored.uuid) }
                )
              }
              yield* recordChange(change, stored.uuid, "webhook.rotated")
              return { ...webhook, secret }
            })
          ),
        answer: ({ committed }) =>
          committed === undefined
            ? Effect.die(new Error("A rotation always replaces the secret."))
            : Effect.succeed(committed)
      }),
      ({ replayed, value }) => Effect.map(withHealth(value), (shown) => ({ value: shown, replayed }))
    )
  )

  /** Sends a sample event at once and returns the response of the receiver. Stores nothing. */
  const test = Effect.fn("Webhooks.test")(function* (id: string, request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("admin-or-broker")
    const { previousSecrets, secretSealed, status, uuid, webhook } = yield* load(actor, id)
    const body = yield* request.body
    const [, input] = yield* all(request.query, decodeTest(body))
    if (status.state !== "active") return yield* WebhookNotActive.of(status.state)
    if (!isSending) {
      return yield* new WebhooksOff({
        detail: "This service sends nothing to webhooks: its operator has turned it off."
      })
    }
    const at = yield* now
    const secrets = yield* openAll(box, { webhookUuid: uuid, sealed: secretSealed, previous: previousSecrets, now: at })
    const sent = testRequest({
      url: webhook.url,
      type: testedType(input.event_type, webhook.events),
      messageBytes: yield* random.randomBytes(20),
      secrets,
      at
    })
    return toTestResult(yield* outbound.post(sent), sent)
  })

  /** Deletes a webhook. Nothing more is sent to it. */
  const deleteWebhook = Effect.fn("Webhooks.delete")((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation
      .change({
        request,
        authorize: "admin-or-broker",
        load: (actor) => load(actor, id),
        etagOf: (stored) => stored.webhook.etag,
        decide: () => Effect.as(request.query, true),
        commit: (change, state) =>
          Effect.gen(function* () {
            yield* limits.require(change)
            const stored = yield* lock(change, state)
            yield* repo.delete(change, stored)
            yield* recordChange(change, stored.uuid, "webhook.deleted")
          }),
        answer: () => Effect.void
      })
      .pipe(limits.announcing)
  )

  /** Purges up to `limit` subscriptions of each of some teams past their retention. Returns how many; 0 when none is left. */
  const purgeSubscriptions = Effect.fn("Webhooks.purgeSubscriptions")(function* (limit: number) {
    const until = yield* daysAgo(subscriptionDays)
    return yield* TeamParts.runParts("Purging subscriptions", (failed) =>
      Effect.map(repo.teamsWithEndedSubscriptions(until, { limit, failed }), (teams) =>
        teams.map((teamId) => ({ teamId, run: repo.purgeSubscriptions(teamId, until, limit) }))
      )
    )
  })

  /** Purges up to `limit` deleted webhooks past their retention that have no deliveries. Returns how many; 0 when none is left. */
  const purge = Effect.fn("Webhooks.purge")(function* (limit: number) {
    const until = yield* daysAgo(deliveryDays)
    return yield* TeamParts.runParts("Purging webhooks", (failed) =>
      Effect.map(repo.findPurgeable(until, { limit, failed }), (found) =>
        TeamParts.byTeam(
          found,
          (webhook) => webhook.teamId,
          (teamId, some) =>
            repo.purge(
              teamId,
              some.map(({ id }) => id),
              until
            )
        )
      )
    )
  })

  /** Stops the active webhooks of a team (UUID) that is deleted; returns how many. Call it in the transaction that deletes it. */
  const stop = Effect.fn("Webhooks.stop")(function* (teamId: string) {
    return yield* repo.disableAll(teamId, "team_deleted", yield* now)
  })

  /**
   * Gives all webhooks of a team (UUID) that is imported another secret, which nobody knows, and disables them, until the team rotates it;
   * returns how many. Call it in the transaction that imports the team.
   */
  const renewSecrets = Effect.fn("Webhooks.renewSecrets")(function* (teamId: string) {
    const at = yield* now
    const ids = yield* repo.idsOf(teamId)
    yield* Effect.forEach(ids, (id) =>
      Effect.gen(function* () {
        const secret = Signature.makeSecret(yield* random.randomBytes(32))
        const sealed = yield* box.seal(secret, Id.fromUuid("webhook", id))
        yield* repo.replaceSecret(teamId, id, { sealed, reason: "team_imported", at })
      })
    )
    return ids.length
  })

  /** Starts those that {@link stop} stopped, which send what waits for them. Call it in the transaction that restores the team. */
  const start = Effect.fn("Webhooks.start")(function* (teamId: string) {
    const started = yield* repo.enableAll(teamId, "team_deleted", yield* now)
    yield* jobs.enqueueAll(
      resumeJob,
      started.map((webhookId) => ({ payload: { webhookId, teamId }, jobKey: resumeKey(webhookId) }))
    )
    return started.length
  })

  return {
    list,
    get,
    hours,
    create,
    patch,
    rotate,
    test,
    delete: deleteWebhook,
    stop,
    start,
    renewSecrets,
    purgeSubscriptions,
    purge
  }
})

/**
 * The use-cases of webhooks. Reading requires an active membership of the team, and everything else in addition the role of
 * an administrator or the broker capability, except `stop`, `start`, `renewSecrets` and the purges, which the service runs by itself.
 */
export class Webhooks extends Context.Service<Webhooks, Effect.Success<typeof make>>()("webhooks/Webhooks") {
  static readonly layer = Layer.effect(Webhooks, make).pipe(Layer.provide([WebhookHealth.layer, WebhooksRepo.layer]))
}
