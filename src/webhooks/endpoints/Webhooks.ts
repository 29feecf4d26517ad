/** The use-cases of webhooks; the longer ones are in separate files. See docs/behaviour/webhooks.md#subscriptions. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as TeamParts from "../../core/TeamParts.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as CreateWebhook from "./CreateWebhook.ts"
import * as PatchWebhook from "./PatchWebhook.ts"
import * as RotateSecret from "./RotateSecret.ts"
import * as WebhookSteps from "./WebhookSteps.ts"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { authorize, CurrentActor } from "../../core/auth/CurrentActor.ts"
import { daysAgo, now } from "../../platform/Time.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { all } from "../../core/usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Outbound } from "../../core/outbound/Outbound.ts"
import { Sending } from "../../core/outbound/Sending.ts"
import { newHealth, WebhookHealth } from "./WebhookHealth.ts"
import { toTestResult } from "./rules.ts"
import { openAll } from "./Secrets.ts"
import { testedType, testRequest } from "./TestDelivery.ts"
import { type WebhookListQuery, WebhookNotActive, WebhooksOff, WebhookTest } from "./Webhook.ts"
import { WebhookRetentionRepo } from "./WebhookRetentionRepo.ts"
import { type WebhookMembers, WebhooksRepo } from "./WebhooksRepo.ts"

const decodeTest = UnvalidatedJson.decoder(WebhookTest)

// Subscriptions are kept for late fan-outs, webhooks for their delivery log.
const retentionDays = { subscriptions: 7, webhooks: 30 }

const make = Effect.gen(function* () {
  const repo = yield* WebhooksRepo
  const retention = yield* WebhookRetentionRepo
  const steps = yield* WebhookSteps.make
  const mutation = yield* Mutation.make
  const cursors = yield* Cursors
  const outbound = yield* Outbound
  const health = yield* WebhookHealth
  const patch = yield* PatchWebhook.make
  const rotate = yield* RotateSecret.make

  const withHealth = Effect.fnUntraced(function* <Members extends WebhookMembers>(webhook: Members) {
    const { teamId } = yield* CurrentActor
    const [shown] = yield* health.withHealth(teamId, [webhook])
    return shown ?? { ...webhook, health: newHealth }
  })
  const isSending = yield* Sending
  const box = (yield* SecretBox).for("webhook secrets")
  const random = yield* SecureRandom.SecureRandom

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
    return yield* withHealth((yield* steps.load(actor, id)).webhook)
  })

  /** Sends a sample event at once and returns the response of the receiver. Stores nothing. */
  const test = Effect.fn("Webhooks.test")(function* (id: string, request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize("admin-or-broker")
    const { previousSecrets, secretSealed, status, uuid, webhook } = yield* steps.load(actor, id)
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
    const attempt = yield* outbound.post(
      testRequest({
        url: webhook.url,
        type: testedType(input.event_type, webhook.events),
        messageBytes: yield* random.randomBytes(20),
        secrets,
        at
      })
    )
    return toTestResult(attempt)
  })

  /** Deletes a webhook. Nothing more is sent to it. */
  const deleteWebhook = Effect.fn("Webhooks.delete")((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation.change({
      request,
      authorize: "admin-or-broker",
      load: (actor) => steps.load(actor, id),
      etagOf: (stored) => stored.webhook.etag,
      decide: () => Effect.as(request.query, true),
      // Locks the webhook itself: a webhook that was deleted in the meantime is a 404, which a `lock` step cannot return.
      commit: (change, state) =>
        Effect.gen(function* () {
          const stored = yield* steps.lock(change, state)
          yield* repo.delete(change, stored)
          WebhookSteps.recordChange(change, stored.uuid, "deleted")
        }),
      answer: () => Effect.void
    })
  )

  /** Purges up to `limit` subscriptions of each of some teams past their retention. Returns how many; 0 when none is left. */
  const purgeSubscriptions = Effect.fn("Webhooks.purgeSubscriptions")(function* (limit: number) {
    const until = yield* daysAgo(retentionDays.subscriptions)
    return yield* TeamParts.runParts("Purging subscriptions", (failed) =>
      Effect.map(retention.teamsWithEnded(until, { limit, failed }), (teams) =>
        teams.map((teamId) => ({ teamId, run: retention.purgeSubscriptions(teamId, until, limit) }))
      )
    )
  })

  /** Purges up to `limit` deleted webhooks past their retention that have no deliveries. Returns how many; 0 when none is left. */
  const purge = Effect.fn("Webhooks.purge")(function* (limit: number) {
    const until = yield* daysAgo(retentionDays.webhooks)
    return yield* TeamParts.runParts("Purging webhooks", (failed) =>
      Effect.map(retention.findPurgeable(until, { limit, failed }), (found) =>
        TeamParts.byTeam(
          found,
          (webhook) => webhook.teamId,
          (teamId, some) =>
            retention.purgeWebhooks(
              teamId,
              some.map(({ id }) => id),
              until
            )
        )
      )
    )
  })

  return {
    list,
    get,
    create: yield* CreateWebhook.make,
    patch: (id: string, request: UseCaseRequest) => Effect.flatMap(patch(id, request), withHealth),
    rotate: (id: string, request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">) =>
      Effect.flatMap(rotate(id, request), withHealth),
    test,
    delete: deleteWebhook,
    purgeSubscriptions,
    purge
  }
})

/**
 * The use-cases of webhooks. Reading requires an active membership of the team, and everything else in addition the role of
 * an administrator or the broker capability, except the purges, which jobs run.
 */
export class Webhooks extends Context.Service<Webhooks, Effect.Success<typeof make>>()("webhooks/endpoints/Webhooks") {
  static readonly layer = Layer.effect(Webhooks, make)
}
