/** The model of a table of versioned records: its columns, what it stores, and what a write is made of. */
import type * as Id from "../Id.ts"
import type { auditOf } from "../mutation/Audit.ts"
import type { ExternalRef } from "../externalRefs/ExternalRef.ts"
import type { Schema } from "effect"

/** The members that the fields of every record include. */
export type AnyFields = { readonly externalRefs: ReadonlyArray<ExternalRef> }

/** The audit members of a record. */
export type Audit = ReturnType<typeof auditOf>

/** The members that every record answers with. */
export type AnyResource = { readonly id: string; readonly externalRefs: ReadonlyArray<ExternalRef> } & Audit

/** The types of columns. */
export type ColumnType =
  | "text"
  | "text[]"
  | "uuid"
  | "uuid[]"
  | "boolean"
  | "integer"
  | "timestamptz"
  | "date"
  | "double precision"
  | "bytea"
  | "jsonb"

/** The column of a member. Members are timestamps in ISO 8601 (UTC), dates as `YYYY-MM-DD`, and public ids. */
export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** The prefix of the ids that the member holds; the column stores their UUIDs. */
  readonly prefix?: Id.Prefix
  /** Whether a tombstone keeps the value. */
  readonly kept?: boolean
  /** How the member is stored, if not as it is. Neither gets null, which stays null. */
  readonly codec?: {
    readonly toValue: (member: unknown) => unknown
    readonly toMember: (value: unknown) => unknown
  }
}

/** A column of text. */
export const text = (name: string): Column => ({ name, type: "text" })

/** A column of a list of texts. */
export const texts = (name: string): Column => ({ name, type: "text[]" })

/** A column of any type. */
export const column = (name: string, type: ColumnType, options: { readonly kept?: boolean } = {}): Column => ({
  name,
  type,
  ...options
})

/** A column of a list of ids. */
export const idsOf = (prefix: Id.Prefix, name: string): Column => ({ name, type: "uuid[]", prefix })

/** A column of an id. */
export const idOf = (prefix: Id.Prefix, name: string, options: { readonly kept?: boolean } = {}): Column => ({
  name,
  type: "uuid",
  prefix,
  ...options
})

/**
 * The kinds of a record's own members, from which its columns and its values without input are derived: text or codes, tags, ids of
 * other records, whole numbers, booleans, and JSON; a `list` is JSON that is never null. A search compares members by these kinds, too
 * (SearchTable.ts).
 */
export type MemberKinds = {
  readonly [member: string]:
    | "text"
    | "code"
    | "tags"
    | `id ${Id.Prefix}`
    | `ids ${Id.Prefix}`
    | "integer"
    | "boolean"
    | "json"
    | "list"
}

/** The name of the column of a member: in snake case. */
export const columnName = (member: string) => member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columnOf = (member: string, kind: MemberKinds[string]): Column => {
  const name = columnName(member)
  switch (kind) {
    case "text":
    case "code":
      return text(name)
    case "tags":
      return texts(name)
    case "integer":
    case "boolean":
      return column(name, kind)
    case "json":
    case "list":
      return column(name, "jsonb")
    default: {
      const [type, prefix] = kind.split(" ") as [string, Id.Prefix]
      return type === "ids" ? idsOf(prefix, name) : idOf(prefix, name)
    }
  }
}

const isList = (kind: MemberKinds[string]) => kind === "tags" || kind === "list" || kind.startsWith("ids ")

/** The columns of members, which have the same names in snake case. */
export const columnsOf = <Kinds extends MemberKinds>(kinds: Kinds): { readonly [Member in keyof Kinds]: Column } =>
  Object.fromEntries(Object.entries(kinds).map(([member, kind]) => [member, columnOf(member, kind)])) as {
    readonly [Member in keyof Kinds]: Column
  }

/** The values of a record without input: lists are empty, everything else null. */
export const blankOf = <Kinds extends MemberKinds>(kinds: Kinds) => {
  type Blank = {
    readonly [Member in keyof Kinds]: Kinds[Member] extends "tags" | `ids ${Id.Prefix}`
      ? ReadonlyArray<string>
      : Kinds[Member] extends "list"
        ? readonly []
        : null
  }
  const values = Object.entries(kinds).map(([member, kind]) => [member, isList(kind) ? [] : null])
  return { ...(Object.fromEntries(values) as Blank), externalRefs: [] as ReadonlyArray<ExternalRef> }
}

/** A table. `Fields` are the members that are written, `Resource` is the record with its id and audit members. */
export interface Table<Fields extends AnyFields, Resource> {
  readonly type: Id.Prefix
  readonly name: string
  readonly columns: { readonly [Member in Exclude<keyof Fields, "externalRefs">]: Column }
  /** The schemas of answered members: JSON gets their order. */
  readonly answers?: { readonly [member: string]: Schema.Top }
  /** Columns that are computed from the members. */
  readonly derived?: {
    readonly [column: string]: { readonly type: ColumnType; readonly of: (fields: Fields) => unknown }
  }
  /** The columns of a unique index over the living records. */
  readonly unique?: ReadonlyArray<string>
  /** Whether its records can be merged into others: then it has the column `merged_into`. */
  readonly mergeable: boolean
  /** The column of the record whose list a row is on, if the team's rows are not one list. */
  readonly listedBy?: string
  /** `mergedInto` is the id of the record that this one was merged into. */
  readonly toResource: (id: string, fields: Fields, audit: Audit, mergedInto: string | null) => Resource
}

/** A stored record, with the members that its answer does not show. */
export interface Stored<Resource> {
  readonly uuid: string
  readonly version: number
  /** The id of the record that this one was merged into: then this one is a tombstone. The resources of most kinds lack it. */
  readonly mergedInto: string | null
  readonly deleted: boolean
  readonly resource: Resource
}

/** The next version of a record, and the version that it replaces; 0 for a new record. */
export interface NextVersion<Fields> {
  readonly uuid: string
  readonly readVersion: number
  readonly version: number
  readonly changeType: string
  readonly fields: Fields
}
