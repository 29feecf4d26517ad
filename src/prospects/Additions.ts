/** Adds investors to projects: one, or up to a hundred at once, in a number of statements that does not grow with theirs. */
import { Context, Effect, Layer, Result } from "effect"
import { type Change, Changes } from "../changes/Changes.ts"
import { retryOnConflict } from "../changes/Conditional.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { ExternalReferenceTaken, type InvalidRequest } from "../usecase/Problem.ts"
import * as Id from "../Id.ts"
import { Projects } from "../projects/Projects.ts"
import { type Receipt, UpsertEnvelope } from "../records/Batch.ts"
import { inItem, itemsOf } from "../records/Upsert.ts"
import { broughtBack, namedBy, stateOfNew, unknownInvestor } from "./adding.ts"
import type { Prospect, ProspectExists } from "./Prospect.ts"
import { ProspectAdd } from "./ProspectInput.ts"
import { Prospects } from "./Prospects.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import type { ProspectState } from "./ProspectState.ts"
import { type PendingUpdate, ProspectWrites, stateOf } from "./ProspectWrites.ts"
import { addedEntry, type AuditEntry } from "./rules.ts"

const decodeAdd = UnvalidatedJson.decoder(ProspectAdd)
const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)

/** Why an investor is not added. */
type Refusal = ExternalReferenceTaken | InvalidRequest | ProspectExists

/** What became of an item. */
interface Addition {
  readonly status: "created" | "restored"
  readonly uuid: string
}

const keyOf = ({ externalId, namespace }: ExternalRef) => JSON.stringify([namespace, externalId])

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const writes = yield* ProspectWrites
  const prospects = yield* Prospects
  const projects = yield* Projects
  const changes = yield* Changes
  const idempotency = yield* Idempotency

  /** Adds these to a project inside the transaction of `change`, each on what the ones before it left; a bad one stops no other. */
  const addAll = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    inputs: ReadonlyArray<Result.Result<ProspectAdd, InvalidRequest>>
  ) {
    const { teamId, userId } = change.actor
    const by = { userId: Id.fromUuidOrNull("user", userId), at: change.at.toISOString() }
    const named = inputs.map((input) => Result.flatMap(input, namedBy))
    const uuidsOf = (type: "contact" | "company") => [
      ...new Set(
        named.flatMap((one) => (Result.isSuccess(one) && one.success.type === type ? (one.success.uuid ?? []) : []))
      )
    ]
    const [contacts, companies] = [uuidsOf("contact"), uuidsOf("company")]
    const investors = new Map(
      [...(yield* repo.contacts(teamId, contacts)), ...(yield* repo.companies(teamId, companies))].map((investor) => [
        investor.contactId ?? investor.companyId,
        investor
      ])
    )
    const { resource: project } = yield* projects.share(change, projectUuid)
    const locked = [
      ...(contacts.length === 0 ? [] : yield* repo.lockOf(teamId, projectUuid, { contacts })),
      ...(companies.length === 0 ? [] : yield* repo.lockOf(teamId, projectUuid, { companies }))
    ]
    const present = new Map<
      string | null,
      { readonly uuid: string; readonly id: string; readonly state: ProspectState }
    >(
      locked.map((stored) => {
        const { companyId, contactId, id } = stored.resource
        return [contactId ?? companyId, { uuid: stored.uuid, id, state: stateOf(stored) }]
      })
    )
    const wanted = inputs.flatMap((input) => (Result.isSuccess(input) ? (input.success.externalRefs ?? []) : []))
    const holders = new Map(
      (yield* refs.holders({ teamId, type: "prospect" }, wanted)).map((ref) => [keyOf(ref), ref.holder])
    )
    const before = new Map<string, StoredProspect>(locked.map((stored) => [stored.uuid, stored]))
    const added = new Map<string, ProspectState>()
    const following = new Map<string, PendingUpdate>()

    const decide = (uuid: string, input: ProspectAdd): Result.Result<Addition, Refusal> => {
      const whom = namedBy(input)
      if (Result.isFailure(whom)) return Result.fail(whom.failure)
      const investor = whom.success.uuid === undefined ? undefined : investors.get(whom.success.id)
      if (investor === undefined) return Result.fail(unknownInvestor(whom.success))
      const there = present.get(whom.success.id)
      const mine = there?.uuid ?? uuid
      const other = (input.externalRefs ?? []).find((ref) => ![undefined, mine].includes(holders.get(keyOf(ref))))
      const back = there === undefined ? undefined : broughtBack(input, there, by)
      if (back !== undefined && Result.isFailure(back)) return Result.fail(back.failure)
      if (other !== undefined) {
        return Result.fail(
          ExternalReferenceTaken.of("prospect", other, Id.fromUuid("prospect", holders.get(keyOf(other)) ?? ""))
        )
      }
      const state = back === undefined ? stateOfNew(input, investor, project) : back.success.state
      const emitted: ReadonlyArray<AuditEntry> = back === undefined ? [addedEntry] : back.success.emitted
      const stored = before.get(mine)
      if (stored === undefined) added.set(mine, state)
      else following.set(mine, { stored, state, changeType: "restored" })
      for (const ref of there?.state.externalRefs ?? []) holders.delete(keyOf(ref))
      for (const ref of state.externalRefs) holders.set(keyOf(ref), mine)
      present.set(whom.success.id, { uuid: mine, id: Id.fromUuid("prospect", mine), state })
      writes.emit(change, { uuid: mine, projectUuid }, emitted)
      return Result.succeed({ status: back === undefined ? "created" : "restored", uuid: mine })
    }

    const outcomes: Array<Result.Result<Addition, Refusal>> = []
    for (const input of inputs) {
      const uuid = yield* change.newId
      outcomes.push(Result.isFailure(input) ? Result.fail(input.failure) : decide(uuid, input.success))
    }
    const rows = [
      // These first: a new one may have a reference that one of them let go of.
      ...(yield* writes.update(change, [...following.values()])),
      ...(yield* writes.add(
        change,
        [...added].map(([uuid, state]) => ({ uuid, state }))
      ))
    ]
    const answers = new Map((yield* prospects.answers(rows)).map((answer) => [answer.id as string, answer]))
    return outcomes.map((outcome) =>
      Result.map(outcome, ({ status, uuid }) => ({
        status,
        prospect: answers.get(Id.fromUuid("prospect", uuid)) as Prospect
      }))
    )
  })

  /** Adds an investor to a project, or brings one back that was removed from its list. */
  const add = Effect.fn("Additions.add")(function* (projectId: string, request: UseCaseRequest) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    const document = yield* request.body
    const [, input, key] = yield* all(request.query, decodeAdd(document), request.idempotencyKey)
    return yield* retryOnConflict(
      changes.commit(actor, (change) =>
        idempotency.once(
          { actor, operation: request.operation, key, body: document.sent, now: change.at },
          Effect.flatMap(addAll(change, uuid, [Result.succeed(input)]), ([outcome]) =>
            outcome === undefined
              ? Effect.die("no outcome")
              : Effect.map(Effect.fromResult(outcome), ({ prospect }) => prospect)
          )
        )
      )
    )
  })

  /** Adds up to a hundred investors; a receipt says what became of each. */
  const addBatch = Effect.fn("Additions.addBatch")(function* (projectId: string, request: UseCaseRequest) {
    const { actor, uuid } = yield* projects.authorizeRead(projectId)
    const document = yield* request.body
    // The faults of strings inside items are the items' own.
    const envelope = { ...document, faults: document.faults.filter(({ pointer }) => !/^\/items\/\d+/.test(pointer)) }
    const [, { items }, key] = yield* all(request.query, decodeEnvelope(envelope), request.idempotencyKey)
    const inputs = yield* Effect.forEach(itemsOf(document, items), (item) => Effect.result(decodeAdd(item)))
    return yield* retryOnConflict(
      changes.commit(actor, (change) =>
        idempotency.once(
          { actor, operation: request.operation, key, body: document.sent, now: change.at },
          Effect.map(addAll(change, uuid, inputs), (outcomes) => ({
            results: outcomes.map((outcome, index): Receipt<Prospect> =>
              Result.isSuccess(outcome)
                ? {
                    index,
                    status: outcome.success.status,
                    id: outcome.success.prospect.id,
                    etag: outcome.success.prospect.etag
                  }
                : { index, status: "failed", id: null, etag: null, problem: inItem(index, outcome.failure) }
            )
          }))
        )
      )
    )
  })

  return { add, addBatch }
})

/** Adds investors. Both use-cases need the `broker` capability. */
export class Additions extends Context.Service<Additions, Effect.Success<typeof make>>()("prospects/Additions") {
  static readonly layer = Layer.effect(Additions, make)
}
