/** The use-cases of files: docs/behaviour/timelines-notes-files.md#files. */
import { Context, Effect, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize } from "../auth/CurrentActor.ts"
import type { Change } from "../changes/Changes.ts"
import { namesOfSubjects } from "../changes/Events.ts"
import { DryRun } from "../changes/DryRun.ts"
import * as Mutation from "../changes/Mutation.ts"
import { Timelines } from "../changes/Timelines.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { all, orReject } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../usecase/Page.ts"
import { StorageUnavailable } from "../usecase/Problem.ts"
import type { ByteRange } from "../usecase/ByteRange.ts"
import type { PendingUpload } from "../usecase/Upload.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Subjects } from "../subjects/Subjects.ts"
import type { FileListQuery } from "./File.ts"
import { FilesRepo, type FileSubject } from "./FilesRepo.ts"
import { discard } from "./jobs.ts"
import { contentEtag, nameOf } from "./rules.ts"
import { FileStore, type FileStoreFailure } from "./store/FileStore.ts"

// The details concern the operator, who finds them in the log.
const unavailable = (failure: FileStoreFailure) =>
  Effect.andThen(
    Effect.logError("The file store failed.", failure.operation, failure.cause),
    new StorageUnavailable({
      detail:
        failure.operation === "read"
          ? "The file store is temporarily unavailable. Retry later."
          : "The file store is temporarily unavailable, and the file was not stored. Retry later."
    })
  )

const make = Effect.gen(function* () {
  const repo = yield* FilesRepo
  const store = yield* FileStore
  const mutation = yield* Mutation.make
  const subjects = yield* Subjects
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const jobs = yield* Jobs
  const random = yield* SecureRandom.SecureRandom

  const load = (actor: Actor, id: string) => byId("file", id, (uuid) => repo.find(actor.teamId, uuid))

  const recordChange = (
    change: Change,
    kind: "created" | "deleted",
    file: { readonly uuid: string; readonly subject: FileSubject; readonly name: string }
  ) =>
    change.record({
      change: kind,
      resource: { type: "file", id: file.uuid },
      subjects: [file.subject],
      timeline: {
        event: kind === "created" ? "file.uploaded" : "file.deleted",
        details: { kind: "audit", message: file.name }
      },
      names: namesOfSubjects([file.subject])
    })

  const objectKeyOf = (id: string) => Effect.map(repo.namespace, (namespace) => ({ namespace, id }))

  /** Lists the files of a subject in the order of their upload. */
  const list = Effect.fn("Files.list")(function* (
    type: FileSubject["type"],
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
    const actor = yield* authorize("broker")
    return (yield* load(actor, id)).file
  })

  /** Returns a file, the ETag of its content, and a stream of its content or of one range. */
  const content = Effect.fn("Files.content")(function* (id: string) {
    const actor = yield* authorize("broker")
    const { objectId, file } = yield* load(actor, id)
    const read = (range: ByteRange | undefined) =>
      Stream.unwrap(Effect.map(objectKeyOf(objectId), (key) => store.read(key, range))).pipe(
        Stream.catch((failure) => Stream.fromEffect(unavailable(failure)))
      )
    return { file, etag: contentEtag(file.sha256), read }
  })

  /**
   * Adds a file to a subject. It stores the content first, as an object under a new id, and then the row. A failure in between
   * leaves an object without a row, which the sweep removes, and never a row without its object.
   */
  const upload = Effect.fn("Files.upload")(function* (
    type: FileSubject["type"],
    id: string,
    request: Pick<UseCaseRequest, "query" | "idempotencyKey" | "operation"> & { readonly file: PendingUpload }
  ) {
    const {
      actor,
      subject: { id: uuidOfSubject }
    } = yield* subjects[type].authorizeWrite({ id })
    const subject: FileSubject = { type, id: uuidOfSubject }
    const sent = yield* request.file
    const [, idempotencyKey, name] = yield* all(request.query, request.idempotencyKey, orReject(nameOf(sent.filename)))
    const { contentType } = sent
    const objectId = yield* random.uuidV7()
    const objectKey = yield* objectKeyOf(objectId)
    const { sha256, size } = yield* Effect.catchTag(store.put(objectKey, sent.content), "FileStoreFailure", unavailable)
    // The sweep removes what remains when this fails.
    const discardObject = Effect.ignore(store.remove(objectKey))
    const body = { name, contentType, size, sha256 }
    const once = yield* mutation
      .once({ actor, operation: request.operation, key: idempotencyKey, body }, (change) =>
        Effect.gen(function* () {
          yield* timelines.lockForShare([subject.id])
          // Again under the lock: a concurrent merge or deletion may have come first.
          yield* subjects[type].authorizeWrite({ id })
          const uuid = yield* change.newId
          const file = yield* repo.insert(change, uuid, { subject, objectId, name, contentType, size, sha256 })
          recordChange(change, "created", { uuid, subject, name })
          return file
        })
      )
      .pipe(
        // Not after a defect: the transaction may have been committed all the same.
        Effect.tapError(() => discardObject)
      )
    if (once.replayed || (yield* DryRun) !== undefined) yield* discardObject
    return once
  }, Effect.scoped)

  /** Deletes a file permanently. A job removes its content soon after. */
  const deleteFile = Effect.fn("Files.delete")((id: string, request: Pick<UseCaseRequest, "ifMatch" | "query">) =>
    mutation.change({
      request,
      authorize: "broker",
      load: (actor) => load(actor, id),
      etagOf: ({ file }) => file.etag,
      decide: () => Effect.as(request.query, "delete" as const),
      commit: (change, { loaded: stored }) =>
        Effect.gen(function* () {
          yield* timelines.lockForShare([stored.subject.id])
          yield* repo.remove(change, stored)
          recordChange(change, "deleted", { uuid: stored.uuid, subject: stored.subject, name: stored.file.name })
          yield* jobs.enqueue(discard, { contents: [stored.objectId] })
        }),
      answer: () => Effect.void
    })
  )

  /**
   * Within a running change, moves the files of the subjects `from` to the subject `to` (UUIDs). Call it after
   * `Timelines.move`, which waits for running uploads.
   */
  const move = (change: Change, type: FileSubject["type"], from: ReadonlyArray<string>, to: string) =>
    repo.move(change, type, from, to)

  return { list, get, content, upload, delete: deleteFile, move }
})

/** Files on contacts, companies and properties. All use-cases need the `broker` capability; `move` is for merges. */
export class Files extends Context.Service<Files, Effect.Success<typeof make>>()("files/Files") {
  static readonly layer = Layer.effect(Files, make)
}
