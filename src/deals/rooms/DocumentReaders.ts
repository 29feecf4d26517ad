/** Who reads the documents of rooms: investors with access, at `/files/{id}` and its content. */
import { Effect, Layer } from "effect"
import { RoomFiles } from "../../content/files/FileReaders.ts"
import { AccessRepo } from "../access/AccessRepo.ts"

/** The readers of documents. */
export const layer = Layer.effect(
  RoomFiles,
  Effect.map(AccessRepo, (repo) =>
    RoomFiles.of({
      canRead: (actor, { subject }, now) =>
        Effect.map(repo.readerOf(actor.teamId, subject.id, now), (reader) => reader !== undefined)
    })
  )
)
