/** What the use-cases of one webhook share: finding it, locking it, checking its URL, and recording what changed. */
import { Effect } from "effect"
import type { Actor } from "../../auth/CurrentActor.ts"
import type { Change } from "../../changes/Changes.ts"
import { bodyFault, type Input } from "../../usecase/Input.ts"
import { byId } from "../../usecase/Lookup.ts"
import { ConcurrencyConflict, type Fault, InvalidRequest } from "../../usecase/Problem.ts"
import type { UnvalidatedJson } from "../../usecase/UnvalidatedJson.ts"
import { Outbound } from "../outbound/Outbound.ts"
import { memberOf } from "./members.ts"
import { type StoredWebhook, WebhooksRepo } from "./WebhooksRepo.ts"

/** Fails with the faults, if there are any. */
export const rejectFaults = (faults: ReadonlyArray<Fault>): Input<void> =>
  faults.length === 0 ? Effect.void : Effect.fail(InvalidRequest.of(faults))

/** Records that a webhook was changed. */
export const recordChange = (change: Change, uuid: string, kind: "created" | "updated" | "deleted") =>
  change.record({ change: kind, resource: { type: "webhook", id: uuid }, subjects: [] })

/** Finds and locks webhooks of a team. */
export const make = Effect.gen(function* () {
  const repo = yield* WebhooksRepo
  const outbound = yield* Outbound

  const load = (actor: Actor, id: string) => byId("webhook", id, (uuid) => repo.find(actor.teamId, uuid))

  /**
   * The webhook as it is now, locked until the transaction ends. A pinned change fails if that is another version than the
   * loaded one. Any other change is made on top of it: the service changes webhooks, too, and often.
   */
  const lock = Effect.fnUntraced(function* (
    change: Change,
    { loaded, pinned }: { readonly loaded: StoredWebhook; readonly pinned: boolean }
  ) {
    const stored = yield* byId("webhook", loaded.webhook.id, (uuid) => repo.lock(change.actor.teamId, uuid))
    if (pinned && stored.version !== loaded.version) return yield* ConcurrencyConflict.of("webhook")
    return stored
  })

  /** The faults of the URL in the body, unless it is the `present` one. It asks DNS, so never call it in a transaction. */
  const urlFaults = (body: UnvalidatedJson, present?: string): Effect.Effect<ReadonlyArray<Fault>> => {
    const url = memberOf(body.value, "url")
    return typeof url !== "string" || url === "" || url === present
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
