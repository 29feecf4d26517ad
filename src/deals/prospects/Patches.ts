/** Patches of a prospect. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Time from "../../platform/Time.ts"
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Members } from "../../identity/teams/Members.ts"
import { all } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { decode, ownerIdOf, resolve } from "./patchResolution.ts"
import { type LoadedProspect, Prospects, requireOnList } from "./Prospects.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { applyPatch, type Decision } from "./rules.ts"

const make = Effect.gen(function* () {
  const prospects = yield* Prospects
  const writes = yield* ProspectWrites
  const members = yield* Members
  const mutation = yield* Mutation.make

  /** Validates a patch against the prospect as it is, and decides it for a moment; null when it changes nothing. */
  const decide = Effect.fnUntraced(function* (
    request: Pick<UseCaseRequest, "query">,
    { actor, stored }: LoadedProspect,
    body: UnvalidatedJson
  ) {
    const now = yield* Time.now
    const callerId = Id.fromUuidOrNull("user", actor.userId)
    const [, input] = yield* all(request.query, decode(body, yield* prospects.toAnswer(stored.resource)))
    const ownerId = ownerIdOf(input, callerId)
    const activeMembers = yield* members.active(actor.teamId, ownerId === undefined ? [] : [ownerId])
    const { faults, patch } = resolve(input, stateOf(stored), {
      now,
      ownerId,
      isMember: (id) => activeMembers.has(id)
    })
    if (faults.length > 0) return yield* InvalidRequest.of(faults)
    yield* requireOnList({ stored })
    const apply = (at: Date) => applyPatch(stateOf(stored), patch, { userId: callerId, at: at.toISOString() })
    return apply(now).emitted.length === 0 ? null : apply
  })

  /** Writes what `decide` returned for a locked prospect. */
  const write = (change: Change, { projectUuid, stored }: LoadedProspect, apply: (at: Date) => Decision) => {
    const decided = apply(change.at)
    return Effect.andThen(
      writes.requireFreeRefs(change, stored.uuid, decided.state.externalRefs),
      writes.write(change, projectUuid, stored, decided)
    )
  }

  /** Changes members of a prospect; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Patches.patch")((projectId: string, id: string, request: UseCaseRequest) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => prospects.load(actor, projectId, id),
      body: request.body,
      etagOf: ({ etag }) => etag,
      decide: ({ body, loaded }) => decide(request, loaded, body),
      lock: (change, locking) => prospects.lock(change, locking),
      commit: (change, { decision, loaded }) => write(change, loaded, decision),
      answer: ({ committed, loaded }) => prospects.toAnswer(committed ?? loaded.stored.resource)
    })
  )

  return { patch, decide, write }
})

/**
 * Patches prospects. `patch` needs the `broker` capability; `decide` and `write` are its steps, for use-cases that have authorized
 * their caller.
 */
export class Patches extends Context.Service<Patches, Effect.Success<typeof make>>()("deals/prospects/Patches") {
  static readonly layer = Layer.effect(Patches, make)
}
