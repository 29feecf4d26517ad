/**
 * The use-cases of contacts, companies and links. Start here; README.md says how the files of this folder work together. Projects
 * put together the use-cases that they need (projects/Projects.ts).
 */
import type * as DeltaList from "../mutation/DeltaList.ts"
import * as ReadRecords from "./ReadRecords.ts"
import { Effect } from "effect"
import { makeChangeLocked, makeCreateRecord, makePatchRecord } from "./ChangeRecords.ts"
import { makeDeleteRecords, makeTombstonePurge } from "./DeleteRecords.ts"
import { mergedRejection } from "./MergeRecords.ts"
import type { DeletableKind, EditableKind, ReadableKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource } from "./Table.ts"
import { makeUpsertRecords } from "./UpsertRecords.ts"

/**
 * Makes the use-cases of one kind. They require what the kind `needs`, except those of ChangeLocked.ts, whose caller is authorized,
 * and `purge`, which is for a job.
 */
export const make = Effect.fnUntraced(function* <
  Fields extends AnyFields,
  Resource extends AnyResource,
  Query extends DeltaList.DeltaQuery,
  Rejection = never,
  DeleteRejection extends object = never
>(
  kind: EditableKind<Fields, Resource, Rejection> &
    ReadableKind<Resource, Query> &
    DeletableKind<Fields, Resource, DeleteRejection>
) {
  return {
    ...(yield* ReadRecords.make(kind)),
    create: yield* makeCreateRecord(kind),
    patch: yield* makePatchRecord(kind, { rejectLoaded: mergedRejection(kind.type) }),
    ...(yield* makeDeleteRecords(kind)),
    ...(yield* makeUpsertRecords(kind)),
    ...(yield* makeChangeLocked(kind)),
    purge: yield* makeTombstonePurge(kind.repo)
  }
})
