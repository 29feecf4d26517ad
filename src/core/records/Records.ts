/**
 * The use-cases of contacts, companies and links. Start here; README.md says how the files of this folder work together. Projects
 * put together the use-cases that they need (projects/ProjectRecords.ts).
 */
import { Effect } from "effect"
import type * as DeltaList from "../mutation/DeltaList.ts"
import * as ChangeLocked from "./ChangeLocked.ts"
import * as CreateRecord from "./CreateRecord.ts"
import * as DeleteRecords from "./DeleteRecords.ts"
import { mergedRejection } from "./MergeRecords.ts"
import * as PatchRecord from "./PatchRecord.ts"
import * as Purge from "./Purge.ts"
import * as ReadRecords from "./ReadRecords.ts"
import type { DeletableKind, EditableKind, ReadableKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource } from "./Table.ts"
import * as UpsertRecords from "./UpsertRecords.ts"

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
    create: yield* CreateRecord.make(kind),
    patch: yield* PatchRecord.make(kind, { rejectLoaded: mergedRejection(kind.type) }),
    ...(yield* DeleteRecords.make(kind)),
    ...(yield* UpsertRecords.make(kind)),
    ...(yield* ChangeLocked.make(kind)),
    purge: yield* Purge.makeTombstonePurge(kind.repo)
  }
})
