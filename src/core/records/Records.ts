/**
 * The use-cases of contacts, companies and links. Start here; README.md says how the files of this folder work together. Projects
 * put together the use-cases that they need (projects/Projects.ts).
 */
import { named } from "../../platform/telemetry/Named.ts"
import * as DeltaList from "../mutation/DeltaList.ts"
import * as Id from "../Id.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Effect } from "effect"
import {
  makeChangeLocked,
  makeCreateRecord,
  makeDeleteRecords,
  makePatchRecord,
  makeTombstonePurge
} from "./ChangeRecords.ts"
import { mergedRejection, missingReceipt, requireUnmerged } from "./MergeRecords.ts"
import { makeRestoreRecords } from "./RestoreRecords.ts"
import type { DeletableKind, EditableKind, ReadableKind, RestorableKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource } from "./Table.ts"
import { makeUpsertRecords } from "./UpsertRecords.ts"
import { makeSlowReads } from "../usecase/TeamBudget.ts"
import { type Actor, authorize } from "../auth/CurrentActor.ts"
import { all } from "../usecase/Input.ts"
import { byId, type UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { Cursors } from "../usecase/Page.ts"
import { type FoundReceipt, IdsEnvelope, type MissingReceipt, SomeIdsEnvelope } from "./Batch.ts"

/**
 * Makes the use-cases of one kind. They require what the kind `needs`, except those of `makeChangeLocked`, whose caller is authorized,
 * and `purge`, which is for a job.
 */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Query extends DeltaList.DeltaQuery,
  Rejection = never,
  DeleteRejection extends object = never,
  Refusal = never
>(
  kind: EditableKind<Fields, Resource, Rejection> &
    ReadableKind<Resource, Query> &
    DeletableKind<Fields, Resource, DeleteRejection> &
    RestorableKind<Fields, Refusal>
) {
  return {
    ...(yield* makeReadRecords(kind)),
    create: yield* makeCreateRecord(kind),
    patch: yield* makePatchRecord(kind, { rejectLoaded: mergedRejection(kind.type) }),
    ...(yield* makeDeleteRecords(kind)),
    ...(yield* makeRestoreRecords(kind)),
    ...(yield* makeUpsertRecords(kind)),
    ...(yield* makeChangeLocked(kind)),
    purge: yield* makeTombstonePurge(kind.repo)
  }
})

// The use-cases that read records: a page, one, and many by their ids.

const decodeAnyIds = UnvalidatedJson.decoder(IdsEnvelope)

const decodeSomeIds = UnvalidatedJson.decoder(SomeIdsEnvelope)

/** Makes the use-case that lists records. */
export const makeList = Effect.fnUntraced(function* <Resource extends AnyResource, Query extends DeltaList.DeltaQuery>({
  needs,
  plural,
  repo
}: ReadableKind<Resource, Query>) {
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads

  /** A page of the team's records. */
  return named(
    `${plural}.list`,
    Effect.fnUntraced(function* (request: Pick<UseCaseRequest<Query>, "query">) {
      const actor = yield* authorize(needs)
      const query = yield* request.query
      return yield* DeltaList.read({
        list: plural,
        teamId: actor.teamId,
        query,
        filters: DeltaList.filtersOf(query),
        cursors,
        slowReads,
        fetch: (range) => repo.list(actor.teamId, range, query),
        toItem: ({ resource }) => resource
      })
    })
  )
})

/** Makes the use-cases. */
const makeReadRecords = Effect.fnUntraced(function* <Resource extends AnyResource, Query extends DeltaList.DeltaQuery>(
  kind: ReadableKind<Resource, Query>
) {
  const { needs, plural, repo, type } = kind
  const decodeIds = kind.requiresIds === true ? decodeSomeIds : decodeAnyIds

  /** Loads a living record; fails with `Merged` if it was merged. `actor` is authorized already. */
  const load = (actor: Actor, id: string) =>
    Effect.flatMap(
      byId(type, id, (uuid) => repo.find(actor.teamId, uuid)),
      (stored) => requireUnmerged(type, stored)
    )

  /** One record. */
  const get = named(
    `${plural}.get`,
    Effect.fnUntraced(function* (id: string) {
      const actor = yield* authorize(needs)
      return (yield* load(actor, id)).resource
    })
  )

  /** The UUID of a record that the caller may read, for what belongs to it. */
  const authorizeRead = Effect.fn(`${plural}.authorizeRead`)(function* (id: string) {
    const actor = yield* authorize(needs)
    return { actor, uuid: (yield* load(actor, id)).uuid }
  })

  /** Reads up to a hundred records, with a receipt for each id. */
  const batchGet = Effect.fn(`${plural}.batchGet`)(function* (request: Pick<UseCaseRequest, "body" | "query">) {
    const actor = yield* authorize(needs)
    const document = yield* request.body
    const [, { ids }] = yield* all(request.query, decodeIds(document))
    const uuids = ids.map((id) => Id.toUuid(type, id))
    const found = yield* repo.findAll(
      actor.teamId,
      uuids.flatMap((uuid) => uuid ?? [])
    )
    const storedByUuid = new Map(found.map((stored) => [stored.uuid, stored]))
    return {
      results: ids.map((id, index): FoundReceipt<Resource> | MissingReceipt => {
        const stored = storedByUuid.get(uuids[index] ?? "")
        return stored === undefined || stored.deleted
          ? missingReceipt(type, { index, id, stored })
          : { index, status: "found", id, etag: stored.resource.etag, resource: stored.resource }
      })
    }
  })

  return { load, list: yield* makeList(kind), get, authorizeRead, batchGet }
})
