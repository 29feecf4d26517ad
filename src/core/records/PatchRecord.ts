/** Changes members of a record. */
import { Effect } from "effect"
import type { Change } from "../mutation/Changes.ts"
import * as Mutation from "../mutation/Mutation.ts"
import { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { all } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import { differing } from "../usecase/MergePatch.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import type { Forceable } from "./CreateRecord.ts"
import * as PendingWrites from "./PendingWrites.ts"
import { type EditableKind, fieldsOf, normalized } from "./RecordKind.ts"
import { loadHolders, lockLatest, save } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"

/** Makes the use-case. `rejectLoaded` rejects the change of a record for the state it is in. */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never,
  LoadedRejection = never
>(
  kind: EditableKind<Fields, Resource, Rejection>,
  { rejectLoaded }: { readonly rejectLoaded?: (stored: Stored<Resource>) => LoadedRejection | undefined } = {}
) {
  const { blank, repo, type } = kind
  const refs = yield* ExternalRefsRepo
  const mutation = yield* Mutation.make

  /** Writes the patch of a locked record. */
  const write = Effect.fnUntraced(function* (
    change: Change,
    stored: Stored<Resource>,
    decision: { readonly input: Partial<Fields>; readonly force: boolean }
  ) {
    const { input } = decision
    const current = fieldsOf(blank, stored.resource)
    const fields: Fields = { ...current, ...normalized(kind, input, current) }
    const context = yield* kind.context(change, [fields], { writes: 1, matchByMembers: false })
    const holders = yield* loadHolders(kind, refs, change.actor.teamId, input.externalRefs ?? [])
    const writes = PendingWrites.make<Fields, Resource, Rejection>(kind, change, [
      ...holders.filter(({ uuid }) => uuid !== stored.uuid),
      stored
    ])
    const { resource } = yield* Effect.fromResult(writes.patch(context, stored.uuid, decision))
    yield* save(kind, refs, change, writes.unsaved())
    return resource
  })

  /** Patches a record; a patch that changes nothing leaves no trace. */
  return Effect.fn(`${kind.plural}.patch`)((id: string, request: UseCaseRequest<Forceable>) =>
    mutation.change({
      request,
      authorize: kind.needs,
      load: (actor) => byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
      body: request.body,
      etagOf: ({ resource }) => resource.etag,
      decide: ({ body, loaded }) =>
        Effect.gen(function* () {
          const rejection = rejectLoaded?.(loaded) ?? kind.rejectBody?.(body)
          if (rejection !== undefined) return yield* Effect.fail(rejection)
          const [query, input] = yield* all(request.query, kind.decodePatch(body, loaded.resource))
          const current = fieldsOf(blank, loaded.resource)
          const values = normalized(kind, input, current)
          if (differing(values, current).length === 0) return null
          const faults = kind.faultsOf?.({ ...current, ...values }) ?? []
          if (faults.length > 0) return yield* InvalidRequest.of(faults)
          return { input, force: query.force === true }
        }),
      // The record is locked before those that it is checked against, as by batches, so that writers cannot deadlock.
      lock: (change, locking) => lockLatest(kind, change, locking),
      commit: (change, { decision, loaded }) => write(change, loaded, decision),
      answer: ({ committed, loaded }) => Effect.succeed(committed ?? loaded.resource)
    })
  )
})
