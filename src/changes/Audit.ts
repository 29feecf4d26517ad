/** The audit and sync members that every resource carries (decisions §1). */
import { Schema } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { versionEtag } from "../usecase/Precondition.ts"

/** Their schemas, to be spread into a resource's own. */
export const auditFields = {
  createdUtc: Timestamp,
  updatedUtc: Timestamp,
  etag: Schema.String.annotate({
    description: "The value of the ETag header, quotes included.",
    examples: ['"v1"']
  }),
  changeType: OpenEnum(["created", "updated", "deleted", "restored"], "The latest change."),
  changeOrigin: OpenEnum(["api", "mcp", "app", "import", "system"], "Where the latest change came from."),
  deletedUtc: Schema.NullOr(Timestamp).annotate({ description: "Null while it lives.", examples: [null] })
}

/** How each of them is compared in a search (records/SearchRules.ts). */
export const auditMembers = {
  createdUtc: "time",
  updatedUtc: "time",
  etag: "etag",
  changeType: "code",
  changeOrigin: "code",
  deletedUtc: "time"
} as const

/** The columns that hold them. */
export interface AuditColumns {
  readonly version: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly deleted_at: Date | null
}

/** The members of a row. */
export const auditOf = (row: AuditColumns) => {
  const createdUtc = row.created_at.toISOString()
  return {
    createdUtc,
    // Most rows were never changed.
    updatedUtc: row.updated_at.getTime() === row.created_at.getTime() ? createdUtc : row.updated_at.toISOString(),
    etag: versionEtag(row.version),
    changeType: row.change_type,
    changeOrigin: row.change_origin,
    deletedUtc: row.deleted_at?.toISOString() ?? null
  }
}

/** The members of a resource that a change has just written. */
export const auditAfter = (
  change: { readonly at: Date; readonly actor: { readonly origin: string } },
  written: { readonly version: number; readonly createdUtc?: string; readonly changeType: string }
) => ({
  createdUtc: written.createdUtc ?? change.at.toISOString(),
  updatedUtc: change.at.toISOString(),
  etag: versionEtag(written.version),
  changeType: written.changeType,
  changeOrigin: change.actor.origin,
  deletedUtc: null
})
