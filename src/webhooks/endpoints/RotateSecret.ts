/** The use-case that replaces the secret of a webhook. See docs/behaviour/webhooks.md#secrets. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Signature from "../signing/Signature.ts"
import * as WebhookSteps from "./WebhookSteps.ts"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { parseDuration } from "../../platform/Time.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"
import { all } from "../../core/usecase/Input.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { afterRotation } from "./rules.ts"
import { WebhookRotation } from "./Webhook.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"

const decode = UnvalidatedJson.decoder(WebhookRotation)

/** Makes the use-case. */
export const make = Effect.gen(function* () {
  const mutation = yield* Mutation.make
  const steps = yield* WebhookSteps.make
  const repo = yield* WebhooksRepo
  const box = (yield* SecretBox).for("webhook secrets")
  const random = yield* SecureRandom.SecureRandom

  /** Replaces the secret and shows the new one. Without an overlap, no earlier secret signs any longer. */
  return Effect.fn("Webhooks.rotate")((id: string, request: Pick<UseCaseRequest, "body" | "ifMatch" | "query">) =>
    mutation.change({
      request,
      authorize: "admin-or-broker",
      load: (actor) => steps.load(actor, id),
      body: request.body,
      etagOf: (stored) => stored.webhook.etag,
      decide: ({ body }) => Effect.map(all(request.query, decode(body)), ([, rotation]) => rotation),
      // This step locks the webhook: after a separate `lock` step the pipeline would run `decide` again, which only decodes
      // the same body.
      commit: (change, state) =>
        Effect.gen(function* () {
          const { overlap } = state.decision
          const stored = yield* steps.lock(change, state)
          const secret = Signature.makeSecret(yield* random.randomBytes(32))
          const sealed = yield* box.seal(secret, stored.webhook.id)
          const previous = afterRotation({
            replaced: Buffer.from(stored.secretSealed).toString("base64"),
            previous: stored.previousSecrets,
            overlap: overlap === undefined ? undefined : parseDuration(overlap),
            now: change.at
          })
          const webhook = yield* repo.rotate(change, stored, { sealed, previous })
          WebhookSteps.recordChange(change, stored.uuid, "updated")
          return { ...webhook, secret }
        }),
      answer: ({ committed }) =>
        committed === undefined
          ? Effect.die(new Error("A rotation always replaces the secret."))
          : Effect.succeed(committed)
    })
  )
})
