/** The use-cases of files: docs/behaviour/timelines-notes-files.md#files. */
import * as Mutation from "../../core/mutation/Mutation.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { type Actor, authorize } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { namesOfSubjects } from "../../core/mutation/ChangeRecord.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { now } from "../../platform/Time.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../../core/usecase/Page.ts"
import { type ByteRange, FileStore } from "../../platform/fileStore/FileStore.ts"
import { DeletionLimits } from "../../core/deletions/DeletionLimits.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Subjects } from "../Subjects.ts"
import type { FileListQuery } from "./File.ts"
import { FilesRepo, type FileSubject } from "./FilesRepo.ts"
import { discard } from "./jobs.ts"
import { contentEtag } from "./rules.ts"
import { type FileOwner, FileWrites, unavailable, type UploadRequest } from "./FileWrites.ts"

const isOwner = (type: FileSubject["type"]): type is FileOwner =>
  type === "contact" || type === "company" || type === "property"

const make = Effect.gen(function* () {
  const limits = yield* DeletionLimits
  const repo = yield* FilesRepo
  const store = yield* FileStore
  const mutation = yield* Mutation.make
  const subjects = yield* Subjects
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const jobs = yield* Jobs
  const writes = yield* FileWrites

  const load = (actor: Actor, id: string) => byId("file", id, (uuid) => repo.find(actor.teamId, uuid))

  /** Loads a file that the caller may read: one of the broker's team, or one that is shared with the investor. */
  const loadReadable = (actor: Actor, id: string) =>
    byId("file", id, (uuid) =>
      Effect.gen(function* () {
        const own = actor.broker === "active" ? yield* repo.find(actor.teamId, uuid) : undefined
        if (own !== undefined || actor.investor !== "active") return own
        const file = yield* repo.findShared(uuid)
        return file !== undefined && (yield* subjects.sharesFile(actor, file, yield* now)) ? file : undefined
      })
    )

  const recordChange = (
    change: Change,
    kind: "created" | "deleted",
    { name, subject, uuid }: { readonly uuid: string; readonly subject: FileSubject; readonly name: string }
  ) => {
    const event = kind === "created" ? "file.uploaded" : "file.deleted"
    const resource = { type: "file", id: uuid } as const
    if (isOwner(subject.type)) {
      change.record({
        change: kind,
        resource,
        subjects: [subject],
        timeline: { event, details: { kind: "audit", message: name } },
        names: namesOfSubjects([subject])
      })
    } else {
      // The timelines of those who share it have rows of their own.
      change.record({ change: kind, resource, subjects: [], event: { type: event, extras: {} } })
    }
  }

  /** Lists the files of a subject in the order of their upload. */
  const list = Effect.fn("Files.list")(function* (
    type: FileOwner,
    id: string,
    request: Pick<UseCaseRequest<FileListQuery>, "query">
  ) {
    const { subject } = yield* subjects[type].authorizeRead({ id })
    const query = yield* request.query
    return yield* readPage({
      cursors,
      binding: { list: "files", teamId: subject.teamId, filters: { subject: subject.id } },
      cursor: query.cursor,
      pageSize: query.page_size ?? defaultPageSize,
      fetch: (after, limit) => repo.list(subject.teamId, { type, id: subject.id }, timeAndId(after), limit),
      positionOf: ({ file, uuid }) => [file.createdUtc, uuid],
      toItem: ({ file }) => file
    })
  })

  /** Returns one file. The files of a deleted subject stay readable until they are purged. */
  const get = Effect.fn("Files.get")(function* (id: string) {
    const actor = yield* authorize("either-active")
    return (yield* loadReadable(actor, id)).file
  })

  /** Returns a file, the ETag of its content, and a stream of its content or of one range. */
  const content = Effect.fn("Files.content")(function* (id: string) {
    const actor = yield* authorize("either-active")
    const { objectId, file } = yield* loadReadable(actor, id)
    const read = (range: ByteRange | undefined) =>
      Stream.unwrap(Effect.map(repo.namespace, (namespace) => store.read({ namespace, id: objectId }, range))).pipe(
        Stream.catch((failure) => Stream.fromEffect(unavailable(failure)))
      )
    return { file, etag: contentEtag(file.sha256), read }
  })

  /** Adds a file to a subject. */
  const upload = Effect.fn("Files.upload")(function* (type: FileOwner, id: string, request: UploadRequest) {
    const {
      actor,
      subject: { id: uuidOfSubject }
    } = yield* subjects[type].authorizeWrite({ id })
    const subject: FileSubject = { type, id: uuidOfSubject }
    return yield* writes.store(actor, request, (change, content) =>
      Effect.gen(function* () {
        yield* timelines.lockForShare([subject.id])
        // Again under the lock: a concurrent merge or deletion may have come first.
        yield* subjects[type].authorizeWrite({ id })
        const uuid = yield* change.newId
        const file = yield* repo.insert(change, uuid, { subject, ...content })
        recordChange(change, "created", { uuid, subject, name: content.name })
        return file
      })
    )
  })

  /** Deletes a file permanently. A job removes its content soon after. */
  const deleteFile = Effect.fn("Files.delete")((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation
      .change({
        request,
        authorize: "broker",
        load: (actor) => load(actor, id),
        etagOf: ({ file }) => file.etag,
        decide: () => Effect.as(request.query, "delete" as const),
        commit: (change, { loaded: stored }) =>
          Effect.gen(function* () {
            yield* limits.require(change)
            yield* timelines.lockForShare([stored.subject.id])
            yield* repo.remove(change, stored)
            recordChange(change, "deleted", { uuid: stored.uuid, subject: stored.subject, name: stored.file.name })
            yield* jobs.enqueue(discard, { contents: [stored.objectId], teamId: change.actor.teamId })
          }),
        answer: () => Effect.void
      })
      .pipe(limits.announcing)
  )

  return { list, get, content, upload, delete: deleteFile }
})

/**
 * Files on contacts, companies and properties, and the reads of all files. Investors may read what is shared with them; the other
 * use-cases need the `broker` capability.
 */
export class Files extends Context.Service<Files, Effect.Success<typeof make>>()("content/files/Files") {
  static readonly layer = Layer.effect(Files, make).pipe(Layer.provide([FilesRepo.layer, FileWrites.layer]))
}
