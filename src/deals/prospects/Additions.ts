/** Adds investors to projects, one or up to a hundred at once, in a number of statements that does not grow with theirs. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import * as Id from "../../core/Id.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { Projects } from "../projects/Projects.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { type AddedReceipt, envelopeOf, type FailedReceipt, UpsertEnvelope } from "../../core/records/Batch.ts"
import { itemProblem } from "../../core/records/MergeRecords.ts"
import { itemsOf } from "../../core/records/UpsertMatching.ts"
import { all } from "../../core/usecase/Input.ts"
import type { InvalidRequest } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type Addition, type AdditionItem, investorOf, planAdditions } from "./adding.ts"
import { ProspectAdd } from "./ProspectInput.ts"
import { Prospects } from "./Prospects.ts"
import { ProspectsRepo, type StoredProspect } from "./ProspectsRepo.ts"
import { ProspectWrites, stateOf } from "./ProspectWrites.ts"

const decodeAdd = UnvalidatedJson.decoder(ProspectAdd)
const decodeEnvelope = UnvalidatedJson.decoder(UpsertEnvelope)

const make = Effect.gen(function* () {
  const repo = yield* ProspectsRepo
  const refs = yield* ExternalRefsRepo
  const writes = yield* ProspectWrites
  const prospects = yield* Prospects
  const projects = yield* Projects
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  /** Locks what the items are decided on, in the order in which all writers lock: investors, project, prospects. */
  const lockContext = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    inputs: ReadonlyArray<ProspectAdd>
  ) {
    const { teamId, userId } = change.actor
    const named = inputs.flatMap((input) =>
      Result.getOrElse(
        Result.map(investorOf(input), (ref) => [ref]),
        () => []
      )
    )
    const uuidsOf = (type: "contact" | "company") => [
      ...new Set(named.flatMap((ref) => (ref.type === type ? (ref.uuid ?? []) : [])))
    ]
    const [contacts, companies] = [uuidsOf("contact"), uuidsOf("company")]
    const investors = [...(yield* repo.contacts(teamId, contacts)), ...(yield* repo.companies(teamId, companies))]
    const { resource: project } = yield* projects.lockForShare(change, projectUuid)
    const locked = yield* repo.lockOf(teamId, projectUuid, { contacts, companies })
    const refHolders = yield* refs.holders(
      { teamId, type: "prospect" },
      inputs.flatMap(({ externalRefs }) => externalRefs ?? [])
    )
    return {
      locked,
      project,
      investors,
      existing: new Map(locked.map((stored) => [stored.uuid, stateOf(stored)])),
      refHolders,
      allowance: yield* quotas.allowance(teamId, "prospects"),
      attribution: { userId: Id.fromUuidOrNull("user", userId), at: change.at.toISOString() }
    }
  })

  /** Writes accepted items. */
  const writeAll = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    locked: ReadonlyArray<StoredProspect>,
    additions: ReadonlyArray<Addition>
  ) {
    const storedByUuid = new Map(locked.map((stored) => [stored.uuid, stored]))
    for (const { emitted, state, uuid } of additions) writes.record(change, { ...state, uuid, projectUuid }, emitted)
    return yield* writes.saveAll(change, {
      inserts: additions.filter(({ uuid }) => !storedByUuid.has(uuid)),
      updates: additions.flatMap(({ state, uuid }) => {
        const stored = storedByUuid.get(uuid)
        return stored === undefined ? [] : [{ stored, state, changeType: "restored" as const }]
      })
    })
  })

  /** Adds investors to a project inside the transaction of `change`; a rejected item does not affect the others. */
  const addAll = Effect.fnUntraced(function* (
    change: Change,
    projectUuid: string,
    inputs: ReadonlyArray<Result.Result<ProspectAdd, InvalidRequest>>
  ) {
    const { locked, ...context } = yield* lockContext(
      change,
      projectUuid,
      inputs.flatMap((input) => (Result.isSuccess(input) ? [input.success] : []))
    )
    const items = yield* Effect.forEach(inputs, (input) =>
      Effect.map(change.newId, (uuid): AdditionItem => ({ uuid, input }))
    )
    const outcomes = planAdditions(items, context)
    const additions = outcomes.flatMap((outcome) => (Result.isSuccess(outcome) ? [outcome.success] : []))
    const rows = yield* writeAll(change, projectUuid, locked, additions)
    const answers = new Map((yield* prospects.toAnswers(rows)).map((answer) => [answer.id as string, answer]))
    return yield* Effect.forEach(outcomes, (outcome) =>
      Effect.fromResult(outcome).pipe(
        Effect.flatMap(({ status, uuid }) => {
          const prospect = answers.get(Id.fromUuid("prospect", uuid))
          return prospect === undefined
            ? Effect.die(new Error("an added prospect has no answer"))
            : Effect.succeed({ status, prospect })
        }),
        Effect.result
      )
    )
  })

  /** Adds an investor to a project, or restores a prospect that was removed from its list. */
  const add = Effect.fn("Additions.add")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.map(all(request.query, decodeAdd(body), request.idempotencyKey), ([, input, key]) => ({ input, key })),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.gen(function* () {
            const [outcome] = yield* addAll(change, creation.loaded.uuid, [Result.succeed(creation.decision.input)])
            if (outcome === undefined) return yield* Effect.die(new Error("an addition has no outcome"))
            return (yield* Effect.fromResult(outcome)).prospect
          })
        )
    })
  )

  /** Adds up to a hundred investors, with a receipt for each item. */
  const addBatch = Effect.fn("Additions.addBatch")((projectId: string, request: UseCaseRequest) =>
    mutation.create({
      request,
      authorize: "broker",
      load: (actor) => projects.load(actor, projectId),
      decide: ({ body }) =>
        Effect.gen(function* () {
          const [, { items }, key] = yield* all(request.query, decodeEnvelope(envelopeOf(body)), request.idempotencyKey)
          const inputs = yield* Effect.forEach(itemsOf(body, items), (item) => Effect.result(decodeAdd(item)))
          return { inputs, key }
        }),
      commit: (creation) =>
        mutation.once(creation, (change) =>
          Effect.map(addAll(change, creation.loaded.uuid, creation.decision.inputs), (outcomes) => ({
            results: outcomes.map((outcome, index): AddedReceipt | FailedReceipt =>
              Result.isSuccess(outcome)
                ? {
                    index,
                    status: outcome.success.status,
                    id: outcome.success.prospect.id,
                    etag: outcome.success.prospect.etag
                  }
                : { index, status: "failed", id: null, etag: null, problem: itemProblem(index, outcome.failure) }
            )
          }))
        )
    })
  )

  return { add, addBatch }
})

/** Adds investors. Both use-cases need the `broker` capability. */
export class Additions extends Context.Service<Additions, Effect.Success<typeof make>>()("deals/prospects/Additions") {
  static readonly layer = Layer.effect(Additions, make)
}
