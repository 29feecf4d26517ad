/** Shared steps of the use-cases of one webhook: load, lock, check the URL, record the change. */
import { Effect } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { writtenUrl } from "../../core/fields/InternetAddress.ts"
import { bodyFault, type Input } from "../../core/usecase/Input.ts"
import { byId } from "../../core/usecase/UseCaseRequest.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import { Outbound } from "../../core/outbound/Outbound.ts"
import { memberOf } from "./members.ts"
import { type StoredWebhook, WebhooksRepo } from "./WebhooksRepo.ts"

/** Fails with the faults, if there are any. */
export const rejectFaults = (faults: ReadonlyArray<Fault>): Input<void> =>
  faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))

/** Records a change of a webhook. */
export const recordChange = (change: Change, uuid: string, kind: "created" | "updated" | "deleted") =>
  change.record({ change: kind, resource: { type: "webhook", id: uuid }, subjects: [] })

/** Finds and locks webhooks of a team. */
export const make = Effect.gen(function* () {
  const repo = yield* WebhooksRepo
  const outbound = yield* Outbound

  const load = (actor: Actor, id: string) => byId("webhook", id, (uuid) => repo.find(actor.teamId, uuid))

  /**
   * Reads the webhook again and locks it until the transaction ends. A pinned change (with `If-Match`) fails if the version
   * differs from the loaded one. Any other change applies to the newer version, because the service itself often changes webhooks.
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

  return { load, lock, urlFaults }
})
