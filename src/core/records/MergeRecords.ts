/** Merges records of one kind into one of them (docs/behaviour/network.md#merges). */
import type * as Id from "../Id.ts"
import { Effect } from "effect"
import { auditAfter } from "../mutation/Audit.ts"
import type { ChangeRecord } from "../mutation/ChangeRecord.ts"
import { causeOf, type Change, following } from "../mutation/Changes.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import { differing } from "../usecase/UnvalidatedJson.ts"
import { InvalidRequest, Merged } from "../usecase/Problem.ts"
import { fieldsOf, type WrittenKind } from "./RecordKind.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import { shortened } from "../fields/spelling.ts"
import type { ItemProblem, MissingReceipt } from "./Batch.ts"

/** The rejection of writes to a record that was merged; undefined if it was not. `type` is that of the record. */
export const mergedRejection =
  (type: Id.Prefix) =>
  ({ mergedInto }: Pick<Stored<unknown>, "mergedInto">): Merged | undefined =>
    mergedInto === null
      ? undefined
      : new Merged({ mergedInto, detail: `This ${type} was merged into ${mergedInto}. Change that one instead.` })

/** Fails if the record was merged into another. */
export const requireUnmerged = <Resource>(
  type: Id.Prefix,
  stored: Stored<Resource>
): Effect.Effect<Stored<Resource>, Merged> => {
  const rejection = mergedRejection(type)(stored)
  return rejection === undefined ? Effect.succeed(stored) : Effect.fail(rejection)
}

/** Records to merge. All of them are locked. */
export interface RecordMerge<Fields, Resource> {
  readonly into: Stored<Resource>
  readonly merged: ReadonlyArray<Stored<Resource>>
  /** The members of the survivor that also take what the merged ones have, as they are after the merge. */
  readonly joined: Partial<Fields> & { readonly externalRefs: ReadonlyArray<ExternalRef> }
}

/** The change record of the survivor, whose timeline says which records it absorbed. */
const survivorRecord = ({ event, timeline, ...record }: ChangeRecord, message: string): ChangeRecord => ({
  ...record,
  ...(event === undefined ? {} : { event: { ...event, extras: { ...event.extras, action: { type: "merged" } } } }),
  ...(timeline === undefined || "type" in timeline
    ? {}
    : { timeline: { event: timeline.event, details: { kind: "audit", message } } })
})

/** The change record of a merged record: an event only, because nobody reads its timeline. */
const mergedRecord = ({ event, timeline: _, ...record }: ChangeRecord, into: string): ChangeRecord => ({
  ...record,
  ...(event === undefined
    ? {}
    : { event: { ...event, extras: { ...event.extras, action: { type: "merged", to: into } } } })
})

/**
 * Merges records into one, which keeps its own members but for the `joined` ones; the merged ones become tombstones that redirect to
 * it. Returns the survivor. What depends on the merged records is for the caller to move.
 */
export const mergeRecords = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource>(
  { blank, repo, toChangeRecord, type }: WrittenKind<Fields, Resource>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  { into, joined, merged }: RecordMerge<Fields, Resource>
) {
  const { teamId } = change.actor
  const nextVersionOf = ({ resource, uuid, version }: Stored<Resource>) => ({
    uuid,
    readVersion: version,
    version: version + 1,
    fields: fieldsOf(blank, resource)
  })
  const survivor = nextVersionOf(into)
  const fields: Fields = { ...survivor.fields, ...joined }
  const updated = yield* repo.update(change, [{ ...survivor, changeType: "updated", fields }])
  const deleted = yield* repo.delete(change, merged.map(nextVersionOf), into.uuid)
  yield* repo.redirect(
    teamId,
    merged.map(({ uuid }) => uuid),
    into.uuid
  )
  const areRefsFree = yield* refs.replace({ teamId, type }, [
    { id: into.uuid, refs: joined.externalRefs },
    ...merged.map(({ uuid }) => ({ id: uuid, refs: [] }))
  ])
  if (updated + deleted < merged.length + 1 || !areRefsFree) {
    return yield* Effect.die(new Error(`another transaction wrote a locked ${type}`))
  }
  const { createdUtc, id } = into.resource
  const audit = auditAfter(change, { version: survivor.version, createdUtc, changeType: "updated" })
  const resource = repo.toResource(id, fields, audit, null)
  const ids = merged.map((one) => one.resource.id).join(", ")
  const root = survivorRecord(
    toChangeRecord("updated", resource, into.uuid, differing(joined, into.resource)),
    `Became part of this ${type}: ${ids}.`
  )
  change.record(root)
  const caused = following(change, () => causeOf(root))
  for (const one of merged) {
    caused.record(mergedRecord(toChangeRecord("deleted", one.resource, one.uuid, []), id))
  }
  return resource
})

// The receipts of items that were not written. Pure.

/** The members of a problem, as the answer of a request would have them. */
const problemOf = (problem: object): ItemProblem => JSON.parse(JSON.stringify(problem)) as ItemProblem

/** The problem of an item, with pointers that begin at the batch. */
export const itemProblem = (index: number, problem: object): ItemProblem => {
  const members = problemOf(problem)
  if (members.errors === undefined) return members
  const errors = members.errors.map((fault) => ({ ...fault, pointer: `/items/${index}${fault.pointer}` }))
  return { ...members, detail: InvalidRequest.of(errors, members.moreErrors).detail, errors }
}

/** The receipt of an id that has no living record. `stored` is its tombstone, if there is one: it may say where to go on. */
export const missingReceipt = <Resource>(
  type: Id.Prefix,
  { id, index, stored }: { readonly index: number; readonly id: string; readonly stored: Stored<Resource> | undefined }
): MissingReceipt => {
  const rejection = stored === undefined ? undefined : mergedRejection(type)(stored)
  return {
    index,
    status: "missing",
    id: shortened(id),
    etag: null,
    ...(rejection === undefined ? {} : { problem: problemOf(rejection) })
  }
}
