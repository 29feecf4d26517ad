/**
 * Writes files for every module that has some: stores uploads (docs/behaviour/timelines-notes-files.md#uploads), and lets files follow
 * what they belong to, the records and deals that become one.
 */
import * as Mutation from "../../core/mutation/Mutation.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../../core/auth/CurrentActor.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { DryRun } from "../../core/mutation/ChangeRecord.ts"
import { failedForSpace, hasRoom, isOfFullDisk } from "../../platform/StorageSpace.ts"
import { onWallClock } from "../../platform/Time.ts"
import { Quotas } from "../../core/quotas/Quotas.ts"
import { all, orReject } from "../../core/usecase/Input.ts"
import { StorageFull, StorageUnavailable } from "../../core/usecase/Problem.ts"
import type { PendingUpload, UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type FileMove, FilesRepo, type FileSubject, type NewFile } from "./FilesRepo.ts"
import { nameOf } from "./rules.ts"
import { FileStore, type FileStoreFailure } from "../../platform/fileStore/FileStore.ts"

/** How long an answer waits for the removal of an object that it does not need. */
const maxDiscardTime = "2 seconds"

/** A request with a file. */
export interface UploadRequest extends Pick<UseCaseRequest, "query" | "idempotencyKey" | "operation"> {
  readonly file: PendingUpload
}

/** The records whose files the API lists. */
export type FileOwner = "contact" | "company" | "property"

/** The content of a file, which is in the store. */
export type StoredContent = Omit<NewFile, "subject">

// The details concern the operator, who finds them in the log.
export const unavailable = Effect.fnUntraced(function* (failure: FileStoreFailure) {
  yield* Effect.logError("The file store failed.", failure.operation, failure.cause)
  if (failure.operation === "write" && isOfFullDisk(failure)) {
    yield* failedForSpace("files")
    return yield* new StorageFull({
      store: "files",
      detail:
        "The disk of the file store is full, and the file was not stored. Try again once the operator has made room."
    })
  }
  return yield* new StorageUnavailable({
    detail:
      failure.operation === "read"
        ? "The file store is temporarily unavailable. Retry later."
        : "The file store is temporarily unavailable, and the file was not stored. Retry later."
  })
})

const make = Effect.gen(function* () {
  const repo = yield* FilesRepo
  const objects = yield* FileStore
  const mutation = yield* Mutation.make
  const random = yield* SecureRandom.SecureRandom
  const quotas = yield* Quotas

  /**
   * Stores the content of an upload as an object under a new id, and then commits what `write` does with it, once for each idempotency
   * key. A failure in between leaves an object without a row, which the sweep removes, and never a row without its object. The caller
   * has authorized `actor`. The file will belong to `teamId`, whose quota is looked at for the announced size, while the content
   * arrives, and in the transaction.
   */
  const store = Effect.fn("FileWrites.store")(function* <A, E, R>(
    actor: Actor,
    request: UploadRequest,
    write: (change: Change, content: StoredContent) => Effect.Effect<A, E, R>,
    teamId: string = actor.teamId
  ) {
    const sent = yield* request.file
    const [, key, name] = yield* all(request.query, request.idempotencyKey, orReject(nameOf(sent.filename)))
    const { contentType } = sent
    const announced = yield* quotas.allowance(teamId, "file_bytes", actor.teamId)
    const refusal = announced.take(sent.minSize ?? 0)
    if (refusal !== undefined) return yield* refusal
    const arriving = yield* quotas.allowance(teamId, "file_bytes", actor.teamId)
    const content = Stream.tap(sent.content, ({ length }) => {
      const refusal = arriving.take(length)
      return refusal === undefined ? Effect.void : Effect.fail(refusal)
    })
    const object = { namespace: yield* repo.namespace, id: yield* random.uuidV7() }
    const { sha256, size } = yield* Effect.catchTag(objects.put(object, content), "FileStoreFailure", unavailable)
    yield* hasRoom("files")
    // The sweep removes what remains when this fails or takes long: it must change no answer, least of all after the commit.
    const discardObject = Effect.ignoreCause(objects.remove(object)).pipe(
      Effect.timeoutOption(maxDiscardTime),
      onWallClock
    )
    const body = { name, contentType, size, sha256 }
    const once = yield* mutation
      .once({ actor, operation: request.operation, key, body }, (change) =>
        Effect.andThen(
          quotas.require(teamId, "file_bytes", { amount: size, callerTeamId: actor.teamId }),
          write(change, { objectId: object.id, ...body })
        )
      )
      .pipe(
        // Not after a defect: the transaction may have been committed all the same.
        Effect.tapError(() => discardObject)
      )
    if (once.replayed || (yield* DryRun) !== undefined) yield* discardObject
    return once
  }, Effect.scoped)

  /** Within a running change, adds a file with this content to a subject, and returns it. The caller records what happened. */
  const add = Effect.fn("FileWrites.add")(function* (change: Change, subject: FileSubject, content: StoredContent) {
    const uuid = yield* change.newId
    const file = yield* repo.insert(change, uuid, { subject, ...content })
    // Listed by dry runs only: no timeline row and no event.
    change.record({ change: "created", resource: { type: "file", id: uuid }, subjects: [] })
    return file
  })

  /** Within a running change of the team whose files these are, gives the files of prospects or offers (UUIDs) to others. */
  const moveEach = (
    change: Change,
    type: Extract<FileSubject["type"], "offer" | "prospect">,
    moves: ReadonlyArray<FileMove>
  ) => repo.moveEach(change, type, moves)

  /**
   * Within a running change, moves at most `limit` files of the records `from` to the record `to` (UUIDs), and returns how many there
   * were. Call it after `Timelines.move`, which waits for running uploads.
   */
  const moveSome = (change: Change, type: FileOwner, from: ReadonlyArray<string>, to: string, limit: number) =>
    repo.moveSome(change, type, from, to, limit)

  /** The content of an object. */
  const contentOf = (objectId: string): Stream.Stream<Uint8Array, FileStoreFailure> =>
    Stream.unwrap(Effect.map(repo.namespace, (namespace) => objects.read({ namespace, id: objectId }, undefined)))

  /** Stores content that is of no file, and returns the id of its object, which the sweep removes after a day. */
  const keep = Effect.fn("FileWrites.keep")(function* <E, R>(content: Stream.Stream<Uint8Array, E, R>) {
    const object = { namespace: yield* repo.namespace, id: yield* random.uuidV7() }
    yield* objects.put(object, content)
    return object.id
  })

  /** Removes content that `keep` has stored, before the sweep does. */
  const forget = Effect.fn("FileWrites.forget")(function* (objectIds: ReadonlyArray<string>) {
    const namespace = yield* repo.namespace
    yield* Effect.forEach(objectIds, (id) => Effect.ignoreCause(objects.remove({ namespace, id })), { discard: true })
  })

  return { store, add, contentOf, keep, forget, moveEach, moveSome }
})

/** Writes files, for use-cases that have authorized their caller. */
export class FileWrites extends Context.Service<FileWrites, Effect.Success<typeof make>>()("content/files/FileWrites") {
  static readonly layer = Layer.effect(FileWrites, make).pipe(Layer.provide(FilesRepo.layer))
}
