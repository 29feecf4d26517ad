/**
 * The interfaces by which a module describes one kind of record. `RecordKind` is for every kind; `ReadableKind` adds reads and lists, and
 * `EditableKind` writes by clients, with optional hooks. A kind implements what it needs:
 * prospects are a `RecordKind` only, because decisions write them, not members that clients send.
 */
import type { Effect } from "effect"
import type { Change } from "../changes/Changes.ts"
import type { ChangeRecord } from "../changes/ChangeRecord.ts"
import type { Listed, Range } from "../changes/DeltaList.ts"
import type * as Id from "../Id.ts"
import type { Input } from "../usecase/Input.ts"
import type { Fault } from "../usecase/Problem.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import type { RecordTable } from "./RecordTable.ts"
import type { AnyFields, AnyResource, Stored } from "./Table.ts"
import type { WriteContext, WriteContextOptions } from "./WriteContext.ts"

/** Every kind of record: a type and a table. */
export interface RecordKind<Fields extends AnyFields, Resource> {
  readonly type: Id.Prefix
  /** A record without values. */
  readonly blank: Fields
  readonly repo: Pick<
    RecordTable<Fields, Resource>,
    "findAll" | "lock" | "insert" | "update" | "delete" | "redirect" | "lockPurgeable" | "purge" | "toResource"
  >
}

/** A kind whose records are read one by one and as a list. */
export interface ReadableKind<Resource, Query> {
  readonly type: Id.Prefix
  /** The plural, as spans and cursors name it. */
  readonly plural: string
  readonly repo: {
    readonly find: (teamId: string, uuid: string) => Effect.Effect<Stored<Resource> | undefined>
    readonly findAll: (teamId: string, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored<Resource>>>
    readonly list: (
      teamId: string,
      range: Range,
      query: Query
    ) => Effect.Effect<ReadonlyArray<Stored<Resource> & Listed>>
  }
}

/** The name of a change in timelines, events and dry runs. */
export type ChangeKind = ChangeRecord["change"]

/** The change record of a write; `changed` are the members whose value changed. */
export type ToChangeRecord<Fields, Resource> = (
  kind: ChangeKind,
  resource: Resource,
  uuid: string,
  changed: ReadonlyArray<keyof Fields & string>
) => ChangeRecord

/** A kind whose members clients write. Its writes can also fail with a `Rejection`. */
export interface EditableKind<
  Fields extends AnyFields,
  Resource extends AnyResource,
  Rejection = never
> extends RecordKind<Fields, Resource> {
  readonly plural: string
  readonly repo: RecordKind<Fields, Resource>["repo"] & Pick<RecordTable<Fields, Resource>, "find">
  readonly decodeCreate: (document: UnvalidatedJson) => Input<Partial<Fields>>
  readonly decodePatch: (document: UnvalidatedJson, current: object) => Input<Partial<Fields>>
  readonly toChangeRecord: ToChangeRecord<Fields, Resource>
  /** Loads and locks the other records that writes of these members depend on. */
  readonly context: (
    change: Change,
    wanted: ReadonlyArray<Fields>,
    options: WriteContextOptions
  ) => Effect.Effect<WriteContext<Fields, Resource, Rejection>>
  /** Rejects a body as a whole, before its members are validated. */
  readonly rejectBody?: (document: UnvalidatedJson) => Rejection | undefined
  /** The values to store for the values that were sent. */
  readonly normalize?: (sent: Partial<Fields>, current: Fields) => Partial<Fields>
  /** The faults of a record as a whole. */
  readonly faultsOf?: (fields: Fields) => ReadonlyArray<Fault>
  /** Deletes or changes what depends on these records (UUIDs). Runs before they are deleted, and again after it. */
  readonly cascade?: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly denormalizedCopies?: DenormalizedCopies<Fields>
}

/** The statements that {@link ReadableKind} and {@link EditableKind} need, and the write context, which needs statements, too. */
export type RecordsRepo<Fields extends AnyFields, Resource extends AnyResource, Query, Rejection> = EditableKind<
  Fields,
  Resource,
  Rejection
>["repo"] &
  ReadableKind<Resource, Query>["repo"] &
  Pick<EditableKind<Fields, Resource, Rejection>, "context">

/** Updates copies of records that others hold, in the same transaction, after the records are written. */
export interface DenormalizedCopies<Fields> {
  /** The members that are copied. */
  readonly members: ReadonlyArray<keyof Fields & string>
  /** Called with the records (UUIDs) of which a copied member changed. */
  readonly update: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  /** Called with deleted records (UUIDs). */
  readonly removeDeleted: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
}

/** The members of `blank`, with the values of a record. */
export const fieldsOf = <Fields extends AnyFields>(blank: Fields, resource: object): Fields => {
  const fields: Record<string, unknown> = {}
  for (const member of Object.keys(blank)) fields[member] = resource[member as keyof typeof resource]
  return fields as Fields & Record<string, unknown>
}

/** The values to store for the values that were sent. */
export const normalized = <Fields extends AnyFields, Resource extends AnyResource, Rejection>(
  { normalize }: EditableKind<Fields, Resource, Rejection>,
  sent: Partial<Fields>,
  current: Fields
): Partial<Fields> => (normalize === undefined ? sent : normalize(sent, current))
