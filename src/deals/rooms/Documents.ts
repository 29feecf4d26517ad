/** The use-cases of documents (docs/behaviour/rooms.md#documents). */
import * as Id from "../../core/Id.ts"
import { inTeam } from "../../platform/db/Cells.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { FileWrites, type UploadRequest } from "../../content/files/FileWrites.ts"
import { inNfc } from "../../core/fields/Text.ts"
import { now } from "../../platform/Time.ts"
import { OfferChanges } from "../offers/OfferChanges.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { Cursors, defaultPageSize, read as readPage } from "../../core/usecase/Page.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { orReject } from "../../core/usecase/Input.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { nameIn, pathOf, roomRecord } from "./rules.ts"
import { type Document, type DocumentListQuery, RoomRefused } from "./Room.ts"
import { Rooms } from "./Rooms.ts"
import { DocumentsRepo } from "./RoomsRepo.ts"

const notOpen = new RoomRefused({ detail: "The room is not open, so it takes no documents." })

const make = Effect.gen(function* () {
  const repo = yield* DocumentsRepo
  const rooms = yield* Rooms
  const files = yield* FileWrites
  const offers = yield* OfferChanges
  const quotas = yield* Quotas
  const cursors = yield* Cursors

  /** Uploads a document to an open room: the next version of the one at its path, which defaults to the name of the file. */
  const upload = Effect.fn("Documents.upload")(function* (
    roomId: string,
    { path: sent, ...request }: UploadRequest & { readonly path?: string }
  ) {
    const actor = yield* authorize("broker")
    const found = yield* rooms.find(actor, roomId)
    const given = sent === undefined ? undefined : yield* orReject(pathOf(sent))
    return yield* files.store(actor, request, (change, content) =>
      Effect.gen(function* () {
        const room = yield* rooms.lockLiving(change, found)
        if (room.status !== "open") return yield* notOpen
        yield* quotas.require(actor.teamId, "documents")
        const path = given ?? inNfc(content.name)
        const name = nameIn(path)
        const subject = { type: "room", id: room.uuid } as const
        const file = yield* files.add(change, subject, { ...content, name })
        const fileUuid = Id.toUuid("file", file.id) ?? ""
        const document = { fileUuid, roomUuid: room.uuid, path }
        const version = yield* repo.add(change, document)
        yield* rooms.touch(change, room)
        const shown = { id: file.id, name, downloadPath: `/api/v1/files/${file.id}/content` }
        change.record(roomRecord(room, "room.file_uploaded", { details: { message: document.path, file: shown } }))
        const members = yield* rooms.membersOf(change.actor.teamId, room.uuid, change.at)
        if (members.length > 0) {
          yield* offers.tell(change, members, { type: "file_uploaded", file: { id: file.id, name } })
        }
        const answer: Document = {
          id: file.id,
          name,
          path: document.path,
          version,
          contentType: file.contentType,
          size: file.size,
          sha256: file.sha256,
          uploadedUtc: file.createdUtc
        }
        return answer
      })
    )
  })

  /** The documents of a room, for its broker or an investor who has access to it. */
  const list = Effect.fn("Documents.list")(function* (roomId: string) {
    const actor = yield* authorize("either-active")
    const reader = actor.investor === "active" ? yield* rooms.asInvestor(actor, roomId, yield* now) : undefined
    if (reader !== undefined) {
      return yield* inTeam(reader.brokerTeamId)(repo.list(reader.brokerTeamId, reader.roomUuid))
    }
    if (actor.broker !== "active") return yield* new NotFound({ detail: "There is no room with this id." })
    const { uuid } = yield* rooms.find(actor, roomId)
    return yield* repo.list(actor.teamId, uuid)
  })

  /** A page of the documents of a room of the caller's team, by path. */
  const page = Effect.fn("Documents.page")(function* (
    { projectId, roomId }: { readonly projectId: string; readonly roomId: string },
    request: Pick<UseCaseRequest<DocumentListQuery>, "query">
  ) {
    const actor = yield* authorize("broker")
    const { uuid: roomUuid } = yield* rooms.load(actor, projectId, roomId)
    const query = yield* request.query
    return yield* readPage({
      cursors,
      binding: { list: "room_documents", teamId: actor.teamId, filters: { room: roomUuid } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (position, limit) => repo.page(actor.teamId, roomUuid, { after: position?.[0], limit }),
      positionOf: ({ path }) => [path],
      toItem: (document) => document
    })
  })

  /** Any version of a document of a room (UUID) by the id of its file; undefined if the room has none. */
  const find = Effect.fn("Documents.find")(function* (teamId: string, roomUuid: string, fileId: string) {
    const fileUuid = Id.toUuid("file", fileId)
    const name = fileUuid === undefined ? undefined : yield* repo.nameOf(teamId, roomUuid, fileUuid)
    return name === undefined ? undefined : { fileId, name }
  })

  return { upload, list, page, find }
})

/**
 * The documents of rooms. `upload` and `page` need the `broker` capability; `list` is for investors with access, too, and `find` for modules that
 * have authorized their caller.
 */
export class Documents extends Context.Service<Documents, Effect.Success<typeof make>>()("deals/rooms/Documents") {
  static readonly layer = Layer.effect(Documents, make).pipe(
    Layer.provide([DocumentsRepo.layer, FileWrites.layer, OfferChanges.layer, Rooms.layer])
  )
}
