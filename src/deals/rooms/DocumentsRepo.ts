/** The SQL of documents, scoped by team. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Document } from "./Room.ts"
import { nameIn } from "./rules.ts"

interface Row {
  readonly file_id: string
  readonly path: string
  readonly version: number
  readonly content_type: string
  readonly size: string
  readonly sha256: string
  readonly created_at: Date
}

const toDocument = (row: Row): Document => ({
  id: Id.fromUuid("file", row.file_id),
  name: nameIn(row.path),
  path: row.path,
  version: row.version,
  contentType: row.content_type,
  size: Number(row.size),
  sha256: row.sha256,
  uploadedUtc: row.created_at.toISOString()
})

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** The latest version of each document of a room, by path. */
  const list = Effect.fn("DocumentsRepo.list")(function* (teamId: string, roomUuid: string) {
    const rows = yield* orDie(sql<Row>`
      select distinct on (documents.path) documents.file_id, documents.path, documents.version, files.content_type,
        files.size::text, encode(files.sha256, 'hex') as sha256, files.created_at
      from room_documents documents join files on files.id = documents.file_id and files.team_id = documents.team_id
      where documents.team_id = ${teamId} and documents.room_id = ${roomUuid}
      order by documents.path, documents.version desc`)
    return rows.map(toDocument)
  })

  /** The name of any version of a document of a room. */
  const nameOf = Effect.fn("DocumentsRepo.nameOf")(function* (teamId: string, roomUuid: string, fileUuid: string) {
    const [row] = yield* orDie(sql<{ readonly path: string }>`
      select path from room_documents
      where team_id = ${teamId} and room_id = ${roomUuid} and file_id = ${fileUuid}`)
    return row === undefined ? undefined : nameIn(row.path)
  })

  /** Adds a version of the document at a path to a locked room, and returns its number, which no other version of it ever had. */
  const add = Effect.fn("DocumentsRepo.add")(function* (
    change: Change,
    document: { readonly fileUuid: string; readonly roomUuid: string; readonly path: string }
  ) {
    const { fileUuid, path, roomUuid } = document
    const [row] = yield* orDie(sql<{ readonly version: number }>`
      with numbered as (
        insert into room_document_numbers as numbers (room_id, path, team_id, version)
        select ${roomUuid}::uuid, ${path}::text, ${change.actor.teamId}::uuid, coalesce(max(version), 0) + 1
        from room_documents
        where team_id = ${change.actor.teamId} and room_id = ${roomUuid} and path = ${path}
        on conflict (room_id, path) do update set version = greatest(numbers.version + 1, excluded.version)
        returning room_id, path, team_id, version
      )
      insert into room_documents (file_id, room_id, team_id, path, version)
      select ${fileUuid}::uuid, room_id, team_id, path, version from numbered
      returning version`)
    return row === undefined ? yield* Effect.die(new Error("the document was not inserted")) : row.version
  })

  return { list, nameOf, add }
})

/** The documents of rooms. */
export class DocumentsRepo extends Context.Service<DocumentsRepo, Effect.Success<typeof make>>()(
  "deals/rooms/DocumentsRepo"
) {
  static readonly layer = Layer.effect(DocumentsRepo, make)
}
