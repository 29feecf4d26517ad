/** Records that become part of another of their kind (decisions §4). */
import { Effect } from "effect"
import { auditAfter } from "../changes/Audit.ts"
import type { Change } from "../changes/Changes.ts"
import type { ChangeRecord } from "../changes/ChangeRecord.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { ExternalRefsRepo } from "../externalRefs/ExternalRefsRepo.ts"
import type { AnyFields, AnyResource, RecordKind } from "./RecordKind.ts"
import type { Stored } from "./RecordTable.ts"
import { fieldsOf } from "./Writes.ts"

/** That a change of a record was a merge. `message` is for its timeline: without one, the row is left out. */
const asMerge = (
  { event, timeline, ...told }: ChangeRecord,
  options: { readonly into?: string; readonly message?: string }
): ChangeRecord => ({
  ...told,
  ...(event === undefined
    ? {}
    : {
        event: {
          ...event,
          extras: {
            ...event.extras,
            action: { type: "merged", ...(options.into === undefined ? {} : { to: options.into }) }
          }
        }
      }),
  ...(timeline === undefined || "type" in timeline || options.message === undefined
    ? {}
    : {
        timeline: { event: timeline.event, details: { kind: "audit", message: options.message } }
      })
})

/**
 * Lets `merged` become part of `into`, which keeps its own members and has `externalRefs` from now on; all of them are
 * locked by the transaction of `change`. What hangs on them is for others to move. Answers `into` as it is then.
 */
export const absorb = Effect.fnUntraced(function* <Fields extends AnyFields, Resource extends AnyResource, Query>(
  { blank, toChangeRecord, repo, type }: RecordKind<Fields, Resource, Query>,
  refs: ExternalRefsRepo["Service"],
  change: Change,
  merge: {
    readonly into: Stored<Resource>
    readonly merged: ReadonlyArray<Stored<Resource>>
    readonly externalRefs: ReadonlyArray<ExternalRef>
  }
) {
  const { externalRefs, into, merged } = merge
  const { teamId } = change.actor
  const following = ({ resource, uuid, version }: Stored<Resource>) => ({
    uuid,
    readVersion: version,
    version: version + 1,
    fields: fieldsOf(blank, resource)
  })
  const written = following(into)
  const fields: Fields = { ...written.fields, externalRefs }
  const updated = yield* repo.update(change, [{ ...written, changeType: "updated", fields }])
  const removed = yield* repo.remove(change, merged.map(following), into.uuid)
  yield* repo.redirect(
    teamId,
    merged.map(({ uuid }) => uuid),
    into.uuid
  )
  const areFree = yield* refs.replace({ teamId, type }, [
    { id: into.uuid, refs: externalRefs },
    ...merged.map(({ uuid }) => ({ id: uuid, refs: [] }))
  ])
  if (updated + removed < merged.length + 1 || !areFree) {
    return yield* Effect.die(new Error(`a locked ${type} was written by another transaction`))
  }
  const { createdUtc, id } = into.resource
  const audit = auditAfter(change, { version: written.version, createdUtc, changeType: "updated" })
  const resource = repo.toResource(id, fields, audit)
  const names = merged.map(({ resource: one }) => one.id).join(", ")
  change.record(
    asMerge(toChangeRecord("updated", resource, into.uuid, []), {
      message: `Became part of this ${type}: ${names}.`
    })
  )
  for (const one of merged) {
    change.record(asMerge(toChangeRecord("deleted", one.resource, one.uuid, []), { into: id }))
  }
  return resource
})
