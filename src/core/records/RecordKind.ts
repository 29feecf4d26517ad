/**
 * What a module says of its kind of record, for the use-cases of records; and the steps of changes that are too large for one transaction
 * (docs/adr/0026-large-cascades-in-steps.md).
 */
import type * as Id from "../Id.ts"
import { Context, type Effect, type Result } from "effect"
import type { Chunk } from "../../platform/db/SetStatements.ts"
import type { Need } from "../auth/CurrentActor.ts"
import type { Change } from "../mutation/Changes.ts"
import type { ChangeRecord } from "../mutation/ChangeRecord.ts"
import type { Fetched, Range } from "../mutation/DeltaList.ts"
import type { TeamQuotaKind } from "../quotas/Quota.ts"
import type { Input, Json } from "../usecase/Input.ts"
import type { ConcurrencyConflict, Fault } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import type { RecordTable } from "./RecordTable.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import type { NotRestored } from "./Restored.ts"
import type { WriteContext, WriteContextOptions } from "./WriteContext.ts"
import { type EventNames, type FieldNames, namesOf } from "../mutation/Event.ts"

/** How many rows of a kind one transaction takes at most from those that depend on a deleted or merged record. */
export const StepSize = Context.Reference<number>("core/records/RecordKind/StepSize", { defaultValue: () => 1000 })

/** What a step left for later ones. */
export type Left = Chunk<unknown>["left"]

/** What the parts of a step left. */
export const leftBy = (...parts: ReadonlyArray<Left>): Left => (parts.includes("more") ? "more" : "nothing")

// The interfaces by which a module describes one kind of record. `ReadableKind`: records that clients read and list.
// `EditableKind`: records whose members clients write; it extends `RecordKind`, which has what saving and locking need.
// Prospects use only the `type` and `repo` of `RecordKind`, because their rules decide what is written
// (`src/deals/prospects/rules.ts`).

/** What saving and locking need of a kind of record. */
export interface RecordKind<Fields extends AnyFields, Resource> {
  readonly type: Id.Prefix
  /** A record without values. */
  readonly blank: Fields
  readonly repo: Pick<
    RecordTable<Fields, Resource>,
    | "findAll"
    | "lock"
    | "insert"
    | "insertsInParts"
    | "update"
    | "delete"
    | "redirect"
    | "findPurgeable"
    | "lockPurgeable"
    | "purge"
    | "toResource"
  >
}

/** A kind whose records are read one by one and as a list. */
export interface ReadableKind<Resource, Query> {
  readonly type: Id.Prefix
  /** What the use-cases require of their caller. */
  readonly needs: Need
  /** The plural name that spans and cursors use, such as `Contacts`. */
  readonly plural: string
  /** Whether a batch get needs at least one id. */
  readonly requiresIds?: boolean
  readonly repo: {
    readonly find: (teamId: string, uuid: string) => Effect.Effect<Stored<Resource> | undefined>
    readonly findAll: (teamId: string, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored<Resource>>>
    readonly list: (teamId: string, range: Range, query: Query) => Effect.Effect<Fetched<Stored<Resource>>>
  }
}

/** What a change did to a record: created, updated, deleted or restored. */
export type ChangeKind = Exclude<ChangeRecord["change"], "erased">

/** The change record of a write; `changed` are the members whose value changed. */
export type ToChangeRecord<Fields, Resource> = (
  change: ChangeKind,
  resource: Resource,
  uuid: string,
  changed: ReadonlyArray<keyof Fields & string>
) => ChangeRecord

/** What writes of a kind need whose values are decided already. */
export interface WrittenKind<Fields extends AnyFields, Resource extends AnyResource> extends RecordKind<
  Fields,
  Resource
> {
  readonly toChangeRecord: ToChangeRecord<Fields, Resource>
  /** Converts sent values to stored ones, such as the former name of a member. */
  readonly normalize?: (sent: Partial<Fields>, current: Fields) => Partial<Fields>
  /** The faults of a record as a whole. */
  readonly faultsOf?: (fields: Fields) => ReadonlyArray<Fault>
  /**
   * Deletes or changes what depends on these records (UUIDs), as much as a step takes. Runs before the deletion, because dependents are
   * locked first, and again after it, for dependents that were added in between.
   */
  readonly cascade?: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<Left>
  /** Has the rest of what depends on these deleted records (UUIDs) deleted or changed after the transaction. */
  readonly continueLater?: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly denormalizedCopies?: DenormalizedCopies<Fields>
}

/** A kind whose records clients delete. Deletions can also fail with the kind's own problem (`Rejection`). */
export interface DeletableKind<
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
> extends WrittenKind<Fields, Resource> {
  /** What the use-cases require of their caller. */
  readonly needs: Need
  readonly plural: string
  readonly repo: RecordKind<Fields, Resource>["repo"] & Pick<RecordTable<Fields, Resource>, "find">
  /**
   * The problems of deleting these records, by their UUIDs; a record without one may be deleted. Deletions that are forced do not ask. It
   * is asked again when the records are locked, for what was added in between.
   */
  readonly rejectDeletions?: (
    change: Change,
    uuids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Rejection>>
}

/** A deleted record (UUID) with what it held. */
export interface Deleted<Fields> {
  readonly uuid: string
  readonly fields: Fields
}

/** What a step of a restore brought back with records, or what did not come back, by the UUIDs of the records. */
export interface Returned {
  readonly left: Left
  readonly notRestored: ReadonlyArray<readonly [uuid: string, NotRestored]>
}

/** How deleted records come back. */
export interface Return<Fields, Refusal> {
  /** The members of a record, with what is left out of them because it does not exist any more; or why the record cannot come back. */
  readonly of: (
    deleted: Deleted<Fields>
  ) => Result.Result<{ readonly fields: Fields; readonly notRestored: ReadonlyArray<NotRestored> }, Refusal>
  /** Brings back what the deletions of these records (UUIDs) took along and changed elsewhere, as much as a step takes. */
  readonly finish: (uuids: ReadonlyArray<string>) => Effect.Effect<Returned>
}

/** A kind whose deleted records clients restore. A restore can also fail with the kind's own problem (`Refusal`). */
export interface RestorableKind<Fields extends AnyFields, Refusal = never> {
  /** Prepares the return of locked tombstones. */
  readonly returning: (
    change: Change,
    deleted: ReadonlyArray<Deleted<Fields>>
  ) => Effect.Effect<Return<Fields, Refusal>>
  /** Has the rest of what belongs to these restored records (UUIDs) brought back after the transaction. */
  readonly continueReturn?: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
}

/** The members by which people tell the records of a kind apart. */
export interface Identity<Fields> {
  /**
   * What a record shares with its duplicates, such as its e-mail address: the keys by which the write context finds records, the best
   * first.
   */
  readonly keysOf: (fields: Fields) => ReadonlyArray<string>
  /** Whether a key means one record, whatever its names and references. */
  readonly isUnique?: boolean
  /** Its names, folded; null for one that is missing. Records that share a key and have other names are not the same. */
  readonly namesOf: (fields: Fields) => ReadonlyArray<string | null>
}

/** A kind whose members clients write. Its writes can also fail with the kind's own problem (`Rejection`), such as `Duplicate`. */
export interface EditableKind<
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
> extends WrittenKind<Fields, Resource> {
  /** What the use-cases require of their caller. */
  readonly needs: Need
  readonly plural: string
  /** The quota that new records use. */
  readonly quota: TeamQuotaKind
  readonly repo: RecordKind<Fields, Resource>["repo"] & Pick<RecordTable<Fields, Resource>, "find">
  /** How a row of a file means a record that it does not name; without it, only ids and references mean records. */
  readonly identity?: Identity<Fields>
  readonly decodeCreate: (document: UnvalidatedJson) => Input<Partial<Fields>>
  readonly decodePatch: (document: UnvalidatedJson, current: object) => Input<Partial<Fields>>
  /** Whether the value of a member says only what is stored, although the two differ: objects of which patches write the members one by one. */
  readonly repeatsMember?: (member: string, sent: Json, stored: unknown) => boolean
  /** Loads and locks the other records that the writes depend on. `wanted` are the states to write. */
  readonly context: (
    change: Change,
    wanted: ReadonlyArray<Fields>,
    options: WriteContextOptions
  ) => Effect.Effect<WriteContext<Fields, Resource, Rejection>>
  /** Rejects a body as a whole, before its members are validated. */
  readonly rejectBody?: (document: UnvalidatedJson) => Rejection | undefined
}

/** Updates the copies of these records in other tables (as on prospects), in the same transaction, after the records are written. */
export interface DenormalizedCopies<Fields> {
  /** The members that are copied. */
  readonly members: ReadonlyArray<keyof Fields & string>
  /** Whether new records have copies, too; else only changes make some. */
  readonly ofNew?: boolean
  /** Called with the records (UUIDs) whose copied members changed. It fails when it cannot copy what another transaction deleted. */
  readonly update: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void, ConcurrencyConflict>
  /** Called with deleted records (UUIDs). */
  readonly removeDeleted: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<Left>
}

/** Picks from a record the members that `blank` has. */
export const fieldsOf = <Fields extends AnyFields>(blank: Fields, resource: object): Fields => {
  const fields: Record<string, unknown> = {}
  for (const member of Object.keys(blank)) fields[member] = resource[member as keyof typeof resource]
  return fields as Fields & Record<string, unknown>
}

/** Applies the kind's `normalize`, if it has one. */
export const normalized = <Fields extends AnyFields, Resource extends AnyResource>(
  { normalize }: Pick<WrittenKind<Fields, Resource>, "normalize">,
  sent: Partial<Fields>,
  current: Fields
): Partial<Fields> => (normalize === undefined ? sent : normalize(sent, current))

// The change records of contacts, companies, links, mandates and properties, which follow one pattern.

/**
 * Makes the function that makes the change record of a write. `fieldNames` are the names of members in `changed_fields`
 * (docs/behaviour/webhooks.md#changed-fields). A record is on its own timeline unless `subjectsOf` returns others.
 * `namesOf` returns what all its events name.
 */
export const changeRecordMapper = <Fields extends AnyFields, Resource extends AnyResource>(options: {
  readonly type: "company" | "contact" | "link" | "mandate" | "property"
  readonly fieldNames: FieldNames<keyof Fields & string>
  readonly subjectsOf?: (resource: Resource) => ChangeRecord["subjects"]
  readonly namesOf?: (resource: Resource) => EventNames
}): ToChangeRecord<Fields, Resource> => {
  const { fieldNames, type } = options
  return (kind, resource, uuid, changed) => {
    const event = `${type}.${kind}` as const
    const isUpdate = kind === "updated"
    return {
      change: kind,
      resource: { type, id: uuid },
      subjects: options.subjectsOf?.(resource) ?? [{ type, id: uuid }],
      timeline: { event, details: isUpdate ? { kind: "audit", changedFields: changed } : { kind: "audit" } },
      event: {
        type: event,
        extras: isUpdate ? { changed_fields: namesOf(fieldNames, changed) } : {}
      },
      ...(options.namesOf === undefined ? {} : { names: options.namesOf(resource) })
    }
  }
}
