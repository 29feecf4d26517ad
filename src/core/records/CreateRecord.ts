/** Creates records. Creates that callers of one team send at the same time are committed together. */
import { Effect, Result } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import { Changes } from "../mutation/Changes.ts"
import { DryRun } from "../mutation/DryRun.ts"
import * as GroupCommit from "../mutation/GroupCommit.ts"
import * as Mutation from "../mutation/Mutation.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { Quotas } from "../quotas/Quotas.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all } from "../usecase/Input.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import * as PendingWrites from "./PendingWrites.ts"
import { type EditableKind, normalized } from "./RecordKind.ts"
import { loadHolders, save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource } from "./Table.ts"

/** The query parameters of writes that can be forced. */
export interface Forceable {
  readonly force?: boolean
}

/** Makes the use-case. */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
>(kind: EditableKind<Fields, Resource, Rejection>) {
  const refs = yield* ExternalRefsRepo
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const quotas = yield* Quotas
  const mutation = yield* Mutation.make

  type Creation = Mutation.Creation<unknown, { readonly input: Partial<Fields>; readonly force: boolean }>

  /** Creates records in one transaction, for actors of one team; a rejected one does not affect the others. */
  const commitAll = (creations: NonEmptyReadonlyArray<Creation>) =>
    Mutation.retryOnConflict(
      changes.commit(creations[0].actor, (change) =>
        Effect.gen(function* () {
          const keys = yield* idempotency.claim(creations.map((creation) => ({ ...creation, now: change.at })))
          const fresh = keys.fresh.flatMap((index) => creations[index] ?? [])
          const inputs = fresh.map(({ decision }) => decision.input)
          const context = yield* kind.context(
            change,
            inputs.map((input): Fields => ({ ...kind.blank, ...normalized(kind, input, kind.blank) })),
            { writes: fresh.length, matchByMembers: false }
          )
          const holders = yield* loadHolders(
            kind,
            refs,
            change.actor.teamId,
            inputs.flatMap(({ externalRefs }) => externalRefs ?? [])
          )
          const writes = PendingWrites.make<Fields, Resource, Rejection>(kind, change, holders)
          const { teamId } = change.actor
          const isKeyed = fresh.some(({ key }) => key !== undefined)
          const { keyed, unkeyed } = yield* quotas.allowances(teamId, kind.quota, isKeyed)
          const outcomes = yield* Effect.forEach(fresh, ({ actor, decision, key }) =>
            Effect.map(change.newId, (uuid) => {
              const allowance = key === undefined ? unkeyed : keyed
              return Result.map(
                writes.create(context, uuid, { ...decision, actor }, allowance),
                ({ resource }) => resource
              )
            })
          )
          yield* save(kind, refs, change, writes.unsaved())
          return yield* keys.answer(outcomes)
        })
      )
    )

  const commitTogether = GroupCommit.make({
    groupOf: ({ actor: { origin, teamId } }: Creation) => `${teamId} ${origin}`,
    write: commitAll
  })

  const commitAlone = (creation: Creation) =>
    Effect.flatMap(commitAll([creation]), ([answer]) =>
      answer === undefined ? Effect.die(new Error("a create has no answer")) : Effect.fromResult(answer)
    )

  /** Creates a record. */
  return Effect.fn(`${kind.plural}.create`)((request: UseCaseRequest<Forceable>) =>
    mutation.create({
      request,
      authorize: kind.needs,
      decide: ({ body }) =>
        Effect.gen(function* () {
          const rejection = kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input, key] = yield* all(request.query, kind.decodeCreate(body), request.idempotencyKey)
          const faults = kind.faultsOf?.({ ...kind.blank, ...normalized(kind, input, kind.blank) }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { key, input, force: query.force === true }
        }),
      // A dry run commits alone, because it reports what its transaction did.
      commit: (creation) =>
        Effect.flatMap(DryRun, (dryRun) => (dryRun === undefined ? commitTogether(creation) : commitAlone(creation)))
    })
  )
})
