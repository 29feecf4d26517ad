/** What tells one kind of record from another: what a room says of its own to Records.ts and Writes.ts. */
import type { Effect } from "effect"
import type { Change } from "../changes/Changes.ts"
import type { ChangeRecord } from "../changes/ChangeRecord.ts"
import type { EventExtras } from "../changes/Event.ts"
import type { Listed, Range } from "../changes/DeltaList.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { UnvalidatedJson } from "../usecase/UnvalidatedJson.ts"
import type { Input } from "../usecase/Input.ts"
import type { Duplicate, Fault } from "../usecase/Problem.ts"
import type * as Id from "../Id.ts"
import type { Audit, RecordTable, Stored } from "./RecordTable.ts"

/** The least that the members of a record are. */
export interface AnyFields {
  readonly externalRefs: ReadonlyArray<ExternalRef>
}

/** The least that a record answers with. */
export type AnyResource = { readonly id: string; readonly externalRefs: ReadonlyArray<ExternalRef> } & Audit

/** What kinds of change a record goes through. */
export type ChangeKind = ChangeRecord["change"]

/** A write that is about to be made, and of what. */
export interface Intention<Fields> {
  readonly fields: Fields
  /** The record that is there already. */
  readonly uuid: string | undefined
  /** The members that are not as they were; all of them when the record is new. */
  readonly changed: ReadonlyArray<keyof Fields & string>
  /** Whether to write although it looks like a duplicate. */
  readonly force: boolean
}

/**
 * What a write must get along with: other records, looked up at once for all writes of a transaction and locked as far
 * as they matter. It is told of each write, so that the next one finds it.
 */
export interface WriteContext<Fields, Resource> {
  /** What is wrong with a reference to another record (400). */
  readonly faultsOf: (intention: Intention<Fields>) => ReadonlyArray<Fault>
  /** Why the write clashes with another record (409). */
  readonly findConflict: (intention: Intention<Fields>) => Duplicate | undefined
  /** The record that an item means which names none: only where that is clear without an id or a reference. */
  readonly findMatch: (fields: Fields) => Stored<Resource> | undefined
  /** The tombstone that a new record of these members brings back. */
  readonly findTombstone: (fields: Fields) => Stored<Resource> | undefined
  readonly onWritten: (stored: Stored<Resource>) => void
}

/** What surroundings are wanted for. */
export interface WriteContextOptions {
  /** How many writes there are; an item of a batch may have several readings of what it comes to. */
  readonly writes: number
  /** Whether a record that only looks the same is meant. */
  readonly sameByMembers: boolean
}

/** The repository of one kind of record. */
export interface RecordsRepo<Fields extends AnyFields, Resource, Query> extends Pick<
  RecordTable<Fields, Resource>,
  "find" | "findAll" | "lock" | "insert" | "update" | "remove" | "redirect" | "purgeCandidates" | "purge" | "toResource"
> {
  readonly list: (teamId: string, range: Range, query: Query) => Effect.Effect<ReadonlyArray<Stored<Resource> & Listed>>
  /** The surroundings of records that will have these members. */
  readonly context: (
    change: Change,
    wanted: ReadonlyArray<Fields>,
    options: WriteContextOptions
  ) => Effect.Effect<WriteContext<Fields, Resource>>
}

/** One kind of record. */
export interface RecordKind<Fields extends AnyFields, Resource extends AnyResource, Query> {
  readonly type: Id.Prefix
  /** The plural, as lists and spans are called. */
  readonly plural: string
  /** A record of which nothing is known yet. */
  readonly blank: Fields
  readonly decodeCreate: (document: UnvalidatedJson) => Input<Partial<Fields>>
  readonly decodePatch: (document: UnvalidatedJson, current: object) => Input<Partial<Fields>>
  /** What is stored of what was sent, given what was there. */
  readonly normalize: (sent: Partial<Fields>, current: Fields) => Partial<Fields>
  /** The faults of a record as a whole. */
  readonly faultsOf: (fields: Fields) => ReadonlyArray<Fault>
  /** What is told of a change: timelines, event. */
  readonly toChangeRecord: (
    kind: ChangeKind,
    resource: Resource,
    uuid: string,
    changed: ReadonlyArray<keyof Fields & string>
  ) => ChangeRecord
  readonly repo: RecordsRepo<Fields, Resource, Query>
  /** What else goes when these are deleted, in the same transaction; asked for before and after. */
  readonly cascade: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly denormalizedCopies?: DenormalizedCopies<Fields>
}

/** What holds copies of records, and is told of their changes in the same transaction, after the records are written. */
export interface DenormalizedCopies<Fields> {
  /** The members that are copied. */
  readonly members: ReadonlyArray<keyof Fields & string>
  /** One of these members of these records (UUIDs) is not as it was. */
  readonly changed: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly deleted: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<void>
}

/** The records that have events. */
type EventedRecord = "company" | "contact" | "link"

/**
 * What is told of records of a type. `eventNames` are the names that `changed_fields` has (specification, Changed-field
 * names); the other members are not announced by name. A record stands on its own timeline, unless `subjectsOf` says on
 * which; `extrasOf` is what all its events have besides.
 */
export const eventMapper = <Fields extends AnyFields, Resource extends AnyResource>(options: {
  readonly type: EventedRecord
  readonly eventNames: { readonly [Member in keyof Fields]?: string }
  readonly subjectsOf?: (resource: Resource) => ChangeRecord["subjects"]
  readonly extrasOf?: (resource: Resource) => EventExtras
}): RecordKind<Fields, Resource, never>["toChangeRecord"] => {
  const { eventNames, type } = options
  return (kind, resource, uuid, changed) => {
    const event = kind === "restored" ? (`${type}.created` as const) : (`${type}.${kind}` as const)
    const names = changed.flatMap((member) => eventNames[member] ?? [])
    const isUpdate = kind === "updated"
    return {
      change: kind,
      resource: { type, id: uuid },
      subjects: options.subjectsOf?.(resource) ?? [{ type, id: uuid }],
      timeline: { event, details: isUpdate ? { kind: "audit", changedFields: changed } : { kind: "audit" } },
      event: {
        type: event,
        resource: type,
        extras: {
          ...(isUpdate ? { changed_fields: names.length === 0 ? null : names } : {}),
          ...options.extrasOf?.(resource)
        }
      }
    }
  }
}
