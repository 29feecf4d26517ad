/** The use-cases of files. */
import { Clock, Context, Effect, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Actor, authorize } from "../auth/CurrentActor.ts"
import { type Change, Changes } from "../changes/Changes.ts"
import { conditionally } from "../changes/Conditional.ts"
import { DryRun } from "../changes/DryRun.ts"
import { Timelines } from "../changes/Timelines.ts"
import { daysAgo } from "../fields/Span.ts"
import type { UseCaseRequest } from "../usecase/UseCaseRequest.ts"
import { Idempotency } from "../usecase/Idempotency.ts"
import { all, orReject } from "../usecase/Input.ts"
import { byId } from "../usecase/Lookup.ts"
import { Cursors, defaultPageSize, read as readPage, timeAndId } from "../usecase/Page.ts"
import { StorageUnavailable } from "../usecase/Problem.ts"
import type { ByteRange } from "../usecase/ByteRange.ts"
import type { PendingUpload } from "../usecase/Upload.ts"
import { Jobs } from "../jobs/Jobs.ts"
import { Subjects } from "../subjects/Subjects.ts"
import type { FileListQuery } from "./File.ts"
import { FilesRepo, type FileSubject, type StoredFile } from "./FilesRepo.ts"
import { discard } from "./jobs.ts"
import { contentTag, daysAfterSubject, hoursUnnamed, nameOf } from "./rules.ts"
import { FileStore, type FileStoreFailure } from "./store/FileStore.ts"

const isKey = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** How many contents are looked up, and removed, at a time. */
const batchSize = 500

// Nobody can do anything about the particulars but the operator, who has them in the log.
const unavailable = (failure: FileStoreFailure) =>
  Effect.andThen(
    Effect.logError("The store of files failed.", failure.operation, failure.cause),
    new StorageUnavailable({
      detail:
        failure.operation === "read"
          ? "The file cannot be read for the moment. Try again soon."
          : "The file cannot be stored for the moment, and nothing of it was kept. Try again soon."
    })
  )

const make = Effect.gen(function* () {
  const repo = yield* FilesRepo
  const store = yield* FileStore
  const changes = yield* Changes
  const idempotency = yield* Idempotency
  const subjects = yield* Subjects
  const timelines = yield* Timelines
  const cursors = yield* Cursors
  const jobs = yield* Jobs
  const random = yield* SecureRandom.SecureRandom

  const load = (actor: Actor, id: string) => byId("file", id, (uuid) => repo.find(actor.teamId, uuid))

  const happened = (
    change: Change,
    kind: "created" | "deleted",
    of: { readonly uuid: string; readonly subject: FileSubject; readonly name: string }
  ) =>
    change.record({
      change: kind,
      resource: { type: "file", id: of.uuid },
      subjects: [of.subject],
      timeline: {
        event: kind === "created" ? "file.uploaded" : "file.deleted",
        details: { kind: "audit", message: of.name }
      }
    })

  const partitionKey = (key: string) => Effect.map(repo.space, (space) => ({ space, key }))

  /** Removes contents that no file names. Fails when the store does: then the sweep tries again. */
  const removeContents = Effect.fn("Files.removeContents")(function* (contents: ReadonlyArray<string>) {
    const space = yield* repo.space
    yield* Effect.forEach(contents, (key) => store.remove({ space, key }), { concurrency: 4, discard: true })
  })

  /** A page of the files on a subject, in the order of their upload. */
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

  /** One file. Those of a subject that was deleted are there until they are removed with it. */
  const get = Effect.fn("Files.get")(function* (id: string) {
    const actor = yield* authorize("broker")
    return (yield* load(actor, id)).file
  })

  /** A file's content, which is read when it is asked for. */
  const content = Effect.fn("Files.content")(function* (id: string) {
    const actor = yield* authorize("broker")
    const { content, file } = yield* load(actor, id)
    const read = (range: ByteRange | undefined) =>
      Stream.unwrap(Effect.map(partitionKey(content), (place) => store.read(place, range))).pipe(
        Stream.catch((failure) => Stream.fromEffect(unavailable(failure)))
      )
    return { file, etag: contentTag(file.sha256), read }
  })

  /**
   * Adds a file to a subject. Its content is stored first, under a new key, and then the row that names it: whatever
   * happens in between leaves a content without a row, which the sweep removes, and never a row without its content.
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
    const [, key, name] = yield* all(request.query, request.idempotencyKey, orReject(nameOf(sent.filename)))
    const { contentType } = sent
    const content = yield* random.uuidV7()
    const place = yield* partitionKey(content)
    const { sha256, size } = yield* Effect.catchTag(store.put(place, sent.content), "FileStoreFailure", unavailable)
    // What cannot be removed now, the sweep will find.
    const forget = Effect.ignore(store.remove(place))
    const once = yield* changes
      .commit(actor, (change) =>
        idempotency.once(
          { actor, operation: request.operation, key, body: { name, contentType, size, sha256 }, now: change.at },
          Effect.gen(function* () {
            yield* timelines.hold([subject.id])
            yield* subjects[type].authorizeWrite({ id })
            const uuid = yield* change.newId
            const file = yield* repo.insert(change, uuid, { subject, content, name, contentType, size, sha256 })
            happened(change, "created", { uuid, subject, name })
            return file
          })
        )
      )
      .pipe(
        // A refusal wrote nothing. Of a defect nobody knows: the commit may have been made all the same.
        Effect.tapError(() => forget)
      )
    if (once.replayed || (yield* DryRun) !== undefined) yield* forget
    return once
  }, Effect.scoped)

  /** Deletes a file for good; its content goes soon after. */
  const deleteFile = Effect.fn("Files.delete")(function* (
    id: string,
    request: Pick<UseCaseRequest, "ifMatch" | "query">
  ) {
    const actor = yield* authorize("broker")
    return yield* conditionally({
      request,
      load: load(actor, id),
      etagOf: ({ file }) => file.etag,
      body: Effect.void,
      change: Effect.fnUntraced(function* (stored: StoredFile) {
        yield* request.query
        return yield* changes.commit(actor, (change) =>
          Effect.gen(function* () {
            yield* timelines.hold([stored.subject.id])
            yield* repo.remove(change, stored)
            happened(change, "deleted", { uuid: stored.uuid, subject: stored.subject, name: stored.file.name })
            yield* jobs.enqueue(discard, { contents: [stored.content] })
          })
        )
      })
    })
  })

  /**
   * Within a running change, puts the files of the subjects `from` (UUIDs) on `to`. UseCaseRequest it after `Timelines.move`,
   * which waits for the uploads that run.
   */
  const move = (change: Change, type: FileSubject["type"], from: ReadonlyArray<string>, to: string) =>
    repo.move(change, type, from, to)

  /** Removes contents of files that are no more: the work of `files/discard`. Dies when the store fails. */
  const discardContents = Effect.fn("Files.discardContents")(function* (contents: ReadonlyArray<string>) {
    const named = new Set(yield* repo.named(contents))
    yield* Effect.orDie(removeContents(contents.filter((key) => !named.has(key))))
  })

  /** Removes the files of subjects that were deleted 30 days ago, at most `limit`; answers how many there were. */
  const purge = Effect.fn("Files.purge")(function* (limit: number) {
    const contents = yield* repo.purge(yield* daysAgo(daysAfterSubject), limit)
    yield* Effect.catchTag(removeContents(contents), "FileStoreFailure", (failure) =>
      Effect.logWarning("Contents of removed files are left to the sweep.", failure.cause)
    )
    return contents.length
  })

  /**
   * Removes from the store what no file names: what was left by uploads that a crash cut off, and contents that could
   * not be removed with their files. Dies when the store fails.
   */
  const sweep = Effect.fn("Files.sweep")(function* () {
    const before = new Date((yield* Clock.currentTimeMillis) - hoursUnnamed * 3_600_000)
    const space = yield* repo.space
    yield* store.list(space, before).pipe(
      // What else somebody put there is theirs.
      Stream.filter((key) => isKey.test(key)),
      Stream.grouped(batchSize),
      Stream.runForEach((keys) =>
        Effect.gen(function* () {
          const named = new Set(yield* repo.named(keys))
          yield* removeContents(keys.filter((key) => !named.has(key)))
        })
      ),
      Effect.orDie
    )
    // Not every service can say what was begun: some remove it themselves.
    yield* Effect.catchTag(store.removeUnfinished(space, before), "FileStoreFailure", (failure) =>
      Effect.logWarning("Unfinished uploads are left in the store.", failure.cause)
    )
  })

  return { list, get, content, upload, delete: deleteFile, move, discardContents, purge, sweep }
})

/**
 * What can be done with files. Every use-case needs the `broker` capability; `move` is for merges, `discardContents`,
 * `purge` and `sweep` are the service's own.
 */
export class Files extends Context.Service<Files, Effect.Success<typeof make>>()("files/Files") {
  static readonly layer = Layer.effect(Files, make)
}
