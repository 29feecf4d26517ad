/** The audit members of every versioned resource (docs/behaviour/http.md#audit-members). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/Text.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { versionEtag } from "../usecase/UseCaseRequest.ts"

/** Their schemas, to spread into the schema of a resource. */
export const auditFields = {
  createdUtc: Timestamp,
  updatedUtc: Timestamp,
  etag: Schema.String.annotate({
    description: "The value of the `ETag` header, with its quotes.",
    examples: ['"v1"']
  }),
  changeType: OpenEnum(
    ["created", "updated", "deleted", "restored", "erased"],
    "The latest change. `erased`: the person was erased, and nothing of them is left but their id."
  ),
  changeOrigin: OpenEnum(["api", "mcp", "app", "import", "system"], "The origin of the latest change."),
  deletedUtc: Schema.NullOr(Timestamp).annotate({
    description: "When it was deleted; null while it is not.",
    examples: [null]
  })
}

/** The member `etag` of an item of an upsert. */
export const ItemEtag = Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
  description:
    "The `If-Match` of the item: the ETag of the record as you read it, quotes included. If the record has another one now, or does not exist any more, the item fails with `precondition_failed`. Null or blank: no check.",
  examples: ['"v1"']
})

/** How a search compares each of them (records/SearchTable.ts). */
export const auditMembers = {
  createdUtc: "time",
  updatedUtc: "time",
  etag: "etag",
  changeType: "code",
  changeOrigin: "code",
  deletedUtc: "time"
} as const

/** Their columns. */
export interface AuditColumns {
  readonly version: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly deleted_at: Date | null
}

/** The audit members of a row. */
export const auditOf = (row: AuditColumns) => {
  const createdUtc = row.created_at.toISOString()
  return {
    createdUtc,
    // Most rows were never updated: one string serves for both.
    updatedUtc: row.updated_at.getTime() === row.created_at.getTime() ? createdUtc : row.updated_at.toISOString(),
    etag: versionEtag(row.version),
    changeType: row.change_type,
    changeOrigin: row.change_origin,
    deletedUtc: row.deleted_at?.toISOString() ?? null
  }
}

/** The audit members of a resource that the change has just written. */
export const auditAfter = (
  change: { readonly at: Date; readonly actor: { readonly origin: string } },
  written: { readonly version: number; readonly createdUtc?: string; readonly changeType: string }
) => {
  const updatedUtc = change.at.toISOString()
  return {
    createdUtc: written.createdUtc ?? updatedUtc,
    updatedUtc,
    etag: versionEtag(written.version),
    changeType: written.changeType,
    changeOrigin: change.actor.origin,
    deletedUtc: null
  }
}

/** The member by which tombstones of merged records of a type name the record that they became part of. */
export const MergedInto = (type: "company" | "contact") =>
  Schema.NullOr(Schema.String).annotate({
    description: `On the tombstone of a ${type} that was merged: the id of the ${type} that it became part of. If that one has a tombstone, too, go on from its \`mergedInto\`. Null otherwise.`,
    examples: [null]
  })
