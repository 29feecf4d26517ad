/** The use-case that creates a webhook. See docs/behaviour/webhooks.md#subscriptions. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Signature from "../signing/Signature.ts"
import * as WebhookSteps from "./WebhookSteps.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { all } from "../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { newHealth } from "./WebhookHealth.ts"
import { maxPerTeam, WebhookCreate, WebhookLimitReached, type WebhookWithSecret } from "./Webhook.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"

const decode = UnvalidatedJson.decoder(WebhookCreate)

const limitReached = new WebhookLimitReached({
  detail: `A team may have ${maxPerTeam} webhooks. Delete one, or subscribe one to more events.`,
  limit: maxPerTeam
})

/** Makes the use-case. */
export const make = Effect.gen(function* () {
  const mutation = yield* Mutation.make
  const steps = yield* WebhookSteps.make
  const repo = yield* WebhooksRepo
  const box = (yield* SecretBox).for("webhook secrets")
  const random = yield* SecureRandom.SecureRandom

  /** Creates a webhook. Only this response shows its secret, and the same response to a repeated request. */
  return Effect.fn("Webhooks.create")((request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "admin-or-broker",
      decide: ({ body }) =>
        Effect.flatMap(steps.urlFaults(body), (urlFaults) =>
          all(request.query, decode(body), request.idempotencyKey).pipe(
            Effect.mapError((invalid) => invalid.and(urlFaults)),
            Effect.map(([, input, key]) => ({ input, key, urlFaults }))
          )
        ),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const { input, urlFaults } = creation.decision
            // Checked here, so that a repeated request gets its first response even if DNS has changed.
            yield* WebhookSteps.rejectFaults(urlFaults)
            if ((yield* repo.lockCount(creation.actor.teamId)) >= maxPerTeam) return yield* limitReached
            const uuid = yield* change.newId
            const secret = Signature.makeSecret(yield* random.randomBytes(32))
            const sealed = yield* box.seal(secret, Id.fromUuid("webhook", uuid))
            const webhook = yield* repo.insert(change, uuid, { name: null, ...input }, sealed)
            WebhookSteps.recordChange(change, uuid, "created")
            const shown: WebhookWithSecret = { ...webhook, health: newHealth, secret }
            return shown
          })
        )
    })
  )
})
