/**
 * The writes of one transaction, decided in memory: one after the other, each on the state that the ones before it left, as if
 * each were a request of its own. `save` (SaveRecords.ts) then writes them all in a fixed number of statements.
 */
import { Result } from "effect"
import type { Actor } from "../auth/CurrentActor.ts"
import { auditAfter } from "../mutation/Audit.ts"
import type { Change } from "../mutation/Changes.ts"
import * as Id from "../Id.ts"
import type { Allowance, QuotaExceeded } from "../quotas/Quota.ts"
import { differing } from "../usecase/MergePatch.ts"
import { ExternalReferenceTaken, InvalidRequest } from "../usecase/Problem.ts"
import * as LoadedRecords from "./LoadedRecords.ts"
import { type ChangeKind, fieldsOf, normalized, type WrittenKind } from "./RecordKind.ts"
import type { UnsavedRecords } from "./SaveRecords.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import type { IntendedWrite, WriteContext } from "./WriteContext.ts"

/** The outcome of a write. */
export interface Outcome<Resource> {
  readonly status: "created" | "updated" | "unchanged"
  readonly resource: Resource
}

type Entry<Resource> = LoadedRecords.Entry<Resource>

/** A write of these values; `actor` made it, if it is not the actor of the change. */
interface Write<Fields> {
  readonly kind: ChangeKind
  readonly fields: Fields
  readonly changed: ReadonlyArray<keyof Fields & string>
  readonly actor?: Actor | undefined
}

/**
 * Makes the writes of a transaction. `loaded` are the records that it may write, and those that hold references which it may
 * claim, as they are in the table.
 */
export const make = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  kind: WrittenKind<Fields, Resource>,
  change: Change,
  loaded: ReadonlyArray<Stored<Resource>>
) => {
  const { blank, repo, type } = kind
  const allMembers = Object.keys(blank) as Array<keyof Fields & string>
  const copiedMembers = new Set<string>(kind.denormalizedCopies?.members)
  const records = LoadedRecords.make(loaded)
  const withChangedCopiedMembers = new Map<Actor, Set<string>>()

  const hasCopies = (changeKind: ChangeKind, changed: ReadonlyArray<keyof Fields & string>, fields: Fields) =>
    changeKind === "created"
      ? kind.denormalizedCopies?.ofNew === true && differing(fields, blank).some((member) => copiedMembers.has(member))
      : changed.some((member) => copiedMembers.has(member))

  const rejectionOf = (
    context: WriteContext<Fields, Resource, Rejection>,
    write: IntendedWrite<Fields>
  ): ExternalReferenceTaken | InvalidRequest | Rejection | undefined => {
    const faults = [...(kind.faultsOf?.(write.fields) ?? []), ...context.faultsOf(write)]
    if (faults.length > 0) return InvalidRequest.of(faults)
    const conflict = context.findConflict?.(write)
    if (conflict !== undefined) return conflict
    const taken = records.findTaken(write.fields.externalRefs, write.uuid)
    return taken === undefined ? undefined : ExternalReferenceTaken.of(type, taken.ref, Id.fromUuid(type, taken.holder))
  }

  const apply = (
    context: WriteContext<Fields, Resource, Rejection>,
    entry: Entry<Resource>,
    { actor = change.actor, changed, fields, kind: changeKind }: Write<Fields>
  ): Resource => {
    const { resource: before, uuid, version } = entry.latest
    const audit = auditAfter(change, {
      version: version + 1,
      changeType: changeKind,
      ...(version === 0 ? {} : { createdUtc: before.createdUtc })
    })
    const resource = repo.toResource(before.id, fields, audit, null)
    const latest = { uuid, version: version + 1, mergedInto: null, deleted: false, resource }
    records.replace(entry, latest)
    context.onWritten?.(latest)
    if (hasCopies(changeKind, changed, fields)) {
      withChangedCopiedMembers.set(actor, (withChangedCopiedMembers.get(actor) ?? new Set()).add(uuid))
    }
    change.record({ ...kind.toChangeRecord(changeKind, resource, uuid, changed), actor })
    return resource
  }

  const newEntry = (uuid: string): Entry<Resource> => {
    const audit = auditAfter(change, { version: 0, changeType: "created" })
    const resource = repo.toResource(Id.fromUuid(type, uuid), blank, audit, null)
    return { readVersion: 0, refsInTable: [], latest: { uuid, version: 0, mergedInto: null, deleted: false, resource } }
  }

  /**
   * Creates a record with this UUID, which uses the allowance, or restores the tombstone that the context finds; `actor` defaults to
   * the change's.
   */
  const create = (
    context: WriteContext<Fields, Resource, Rejection>,
    uuid: string,
    { actor, force, input }: { readonly input: Partial<Fields>; readonly force: boolean; readonly actor?: Actor },
    allowance: Allowance
  ): Result.Result<Outcome<Resource>, ExternalReferenceTaken | InvalidRequest | QuotaExceeded | Rejection> => {
    const fields: Fields = { ...blank, ...normalized(kind, input, blank) }
    const rejection = rejectionOf(context, { fields, uuid: undefined, changed: allMembers, force })
    if (rejection !== undefined) return Result.fail(rejection)
    const tombstone = context.findTombstone?.(fields)
    const refusal = context.findExceeded?.(fields) ?? (tombstone === undefined ? allowance.take() : undefined)
    if (refusal !== undefined) return Result.fail(refusal)
    const resource =
      tombstone === undefined
        ? apply(context, newEntry(uuid), { kind: "created", fields, changed: allMembers, actor })
        : apply(context, records.add(tombstone), { kind: "restored", fields, changed: allMembers, actor })
    return Result.succeed<Outcome<Resource>>({ status: "created", resource })
  }

  /** Changes members of a loaded record. */
  const patch = (
    context: WriteContext<Fields, Resource, Rejection>,
    uuid: string,
    { force, input }: { readonly input: Partial<Fields>; readonly force: boolean }
  ) => {
    const entry = records.get(uuid) ?? newEntry(uuid)
    const current = fieldsOf(blank, entry.latest.resource)
    const values = normalized(kind, input, current)
    const changed = differing(values, current) as ReadonlyArray<keyof Fields & string>
    if (changed.length === 0) {
      return Result.succeed<Outcome<Resource>>({ status: "unchanged", resource: entry.latest.resource })
    }
    const fields: Fields = { ...current, ...values }
    const rejection = rejectionOf(context, { fields, uuid, changed, force })
    return rejection === undefined
      ? Result.succeed<Outcome<Resource>>({
          status: "updated",
          resource: apply(context, entry, { kind: "updated", fields, changed })
        })
      : Result.fail(rejection)
  }

  /** The members of a loaded record that a patch of these values would change. */
  const changedBy = ({ resource }: Stored<Resource>, input: Partial<Fields>): ReadonlyArray<string> => {
    const current = fieldsOf(blank, resource)
    return differing(normalized(kind, input, current), current)
  }

  /** The records to save. */
  const unsaved = (): UnsavedRecords<Fields> => {
    const written = records.all().filter(({ latest, readVersion }) => latest.version !== readVersion)
    return {
      versions: written.map(({ latest: { resource, uuid, version }, readVersion }) => ({
        uuid,
        readVersion,
        version,
        changeType: resource.changeType,
        fields: fieldsOf(blank, resource)
      })),
      refs: written
        .filter(({ latest: { resource }, refsInTable }) => resource.externalRefs !== refsInTable)
        .filter(({ latest: { resource }, refsInTable }) => resource.externalRefs.length + refsInTable.length > 0)
        .map(({ latest: { resource, uuid } }) => ({ id: uuid, refs: resource.externalRefs })),
      withChangedCopiedMembers: new Map([...withChangedCopiedMembers].map(([actor, uuids]) => [actor, [...uuids]]))
    }
  }

  return {
    create,
    patch,
    changedBy,
    unsaved,
    /** Adds a record as it is in the table. */
    add: records.add,
    /** A record as the writes so far left it. */
    get: (uuid: string) => records.get(uuid)?.latest,
    holdersOf: records.holdersOf
  }
}
