/** The use-case that changes a webhook, including its status. See docs/behaviour/webhooks.md#webhook-states. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import * as WebhookSteps from "./WebhookSteps.ts"
import { Effect } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { all } from "../../core/usecase/Input.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { resume as resumeJob, resumeKey } from "./jobs.ts"
import { memberOf, withoutHealth, withoutPresentStatus } from "./members.ts"
import { afterRequest, type WebhookFields } from "./rules.ts"
import { WebhookPatch } from "./Webhook.ts"
import { type StoredWebhook, WebhooksRepo } from "./WebhooksRepo.ts"

const decode = MergePatch.make(WebhookPatch)

/** Makes the use-case. */
export const make = Effect.gen(function* () {
  const mutation = yield* Mutation.make
  const steps = yield* WebhookSteps.make
  const repo = yield* WebhooksRepo
  const jobs = yield* Jobs
  const box = (yield* SecretBox).for("webhook secrets")

  /** The state that a patch is compared with. It includes the secret if the client sends back the response of the creation. */
  const present = Effect.fnUntraced(function* (stored: StoredWebhook, body: UnvalidatedJson) {
    if (memberOf(body.value, "secret") === undefined) return stored.webhook
    return { ...stored.webhook, secret: yield* box.open(stored.secretSealed, stored.webhook.id) }
  })

  const decodePatch = Effect.fnUntraced(function* (
    request: UseCaseRequest,
    loaded: StoredWebhook,
    body: UnvalidatedJson
  ) {
    const urlFaults = yield* steps.urlFaults(body, loaded.webhook.url)
    const sent = withoutHealth(withoutPresentStatus(body, loaded.status.state))
    const patch = decode(sent, yield* present(loaded, body))
    const [, input] = yield* all(request.query, patch, WebhookSteps.rejectFaults(urlFaults))
    return MergePatch.differing(input, loaded.webhook).length === 0 ? null : input
  })

  /** Changes a webhook. When it becomes active, the deliveries that wait for it are sent. */
  return Effect.fn("Webhooks.patch")((id: string, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "admin-or-broker",
      load: (actor) => steps.load(actor, id),
      body: request.body,
      etagOf: (stored) => stored.webhook.etag,
      decide: ({ body, loaded }) => decodePatch(request, loaded, body),
      // Locks the webhook itself: a `lock` step would run `decide` again inside the transaction, which asks DNS.
      commit: (change, state) =>
        Effect.gen(function* () {
          const stored = yield* steps.lock(change, state)
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
          WebhookSteps.recordChange(change, stored.uuid, "updated")
          return webhook
        }),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.webhook)
    })
  )
})
