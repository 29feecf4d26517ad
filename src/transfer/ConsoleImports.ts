/**
 * Imports in the console: a file is stored as it arrives, its columns are chosen, a job tries it, and after the person has confirmed what
 * it found, a job imports it (docs/behaviour/imports-and-exports.md#in-the-console).
 */
import type { FaultCode } from "../core/fields/FaultCode.ts"
import * as Id from "../core/Id.ts"
import * as Import from "./Import.ts"
import * as TeamParts from "../core/TeamParts.ts"
import * as Source from "./Source.ts"
import { Clock, Context, Effect, Layer, Result, Semaphore, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { discard } from "../content/files/jobs.ts"
import { FileWrites, unavailable, type UploadRequest } from "../content/files/FileWrites.ts"
import { removeAbandonedCopies, temporaryCopy } from "../content/files/TemporaryCopies.ts"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { type Actor, authorize } from "../core/auth/CurrentActor.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound } from "../core/usecase/Problem.ts"
import { Users } from "../identity/users/Users.ts"
import { Database } from "../platform/db/Database.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { FileStoreFailure } from "../platform/fileStore/FileStore.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { hoursAgo, now, onWallClock } from "../platform/Time.ts"
import { withoutOptions } from "./CauseTexts.ts"
import { columnsWith, firstChoices, formatOf, readingOf } from "./Choices.ts"
import { type Choices, type Header, noChoices, type Report, type State } from "./ConsoleImport.ts"
import { ConsoleImportsRepo, type StoredImport } from "./ConsoleImportsRepo.ts"
import { runImport } from "./jobs.ts"
import type { Kind } from "./Members.ts"
import { listedCauses, noCounts, parseReceipt, receiptLinesOf } from "./Receipt.ts"
import { headerOf } from "./Rows.ts"

/** For how long an import is kept, with its file and its receipts. */
const keptHours = 24

/** How many imports a list has. */
const maxListed = 50

/** How many imports a process runs at once: others wait, so that they leave room for other jobs. */
const permits = Semaphore.makeUnsafe(2)

const fault = (pointer: string, code: FaultCode, detail: string) =>
  InvalidRequest.of([bodyFault(pointer, code, detail)])

const noSuchImport = new NotFound({ detail: "There is no import with this id: it may be older than a day." })

/** Another attempt of the job goes on with the import. */
const superseded = new Source.FileRefused({ code: "superseded", detail: "Another attempt goes on with this import." })

const reportOf = ({ links, summary: { refused, reported } }: Import.Outcome, { linkCompanies }: Choices): Report => ({
  refused: listedCauses(refused),
  reported: listedCauses(reported),
  others: refused.others + reported.others,
  ...(linkCompanies ? { links } : {})
})

const make = Effect.gen(function* () {
  const [repo, writes] = [yield* ConsoleImportsRepo, yield* FileWrites]
  const [jobs, users, auditLog] = [yield* Jobs, yield* Users, yield* AuditLog]
  const random = yield* SecureRandom.SecureRandom
  const sql = yield* Database

  const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(self), Database, sql)

  const load = Effect.fnUntraced(function* (teamId: string, id: string) {
    return (Id.isUuid(id) ? yield* repo.find(teamId, id) : undefined) ?? (yield* noSuchImport)
  })

  /** A folder with a copy of the file of an import, until the scope ends. */
  const copied = Effect.fnUntraced(function* ({ content, fileName }: Pick<StoredImport, "content" | "fileName">) {
    const name = Source.isGzip(fileName) ? "file.gz" : "file"
    const { file, folder } = yield* temporaryCopy(writes.contentOf(content), name)
    return { file, receipts: join(folder, "receipts.ndjson") }
  })

  /** What a refusal says, without the path of the copy. */
  const withoutPath = ({ detail }: { readonly detail: string }, file: string) => detail.replaceAll(`${file}: `, "")

  const readHeader = Effect.fnUntraced(function* (stored: Pick<StoredImport, "content" | "fileName" | "format">) {
    const empty: Header = { names: [], example: [] }
    if (stored.format !== "csv") return { header: empty, detail: null }
    const { file } = yield* copied(stored)
    return yield* Source.open(file, undefined).pipe(
      Effect.flatMap(({ chunks }) => Source.attempt(file, () => headerOf(file, chunks))),
      Effect.map(({ example, header }) => ({
        header: { names: header, example: example.map((cell) => cell.slice(0, 60)) },
        detail: null
      })),
      Effect.catchTag("FileRefused", (refusal) => Effect.succeed({ header: empty, detail: withoutPath(refusal, file) }))
    )
  }, Effect.scoped)

  /** The imports of the last day, the latest first. */
  const list = Effect.fn("ConsoleImports.list")(function* () {
    const { teamId } = yield* authorize("broker")
    return yield* repo.list(teamId, maxListed)
  })

  /** One import, with its columns. */
  const get = Effect.fn("ConsoleImports.get")(function* (id: string) {
    const { teamId } = yield* authorize("broker")
    const found = yield* load(teamId, id)
    // Nobody has chosen yet.
    const choices = found.state === "uploaded" ? firstChoices(found) : found.choices
    return { ...found, choices, ...columnsWith(found, choices) }
  })

  /** Stores a file to be imported, and returns the id of the import (UUID). */
  const upload = Effect.fn("ConsoleImports.upload")(function* (kind: Kind, request: UploadRequest) {
    const actor = yield* authorize("broker")
    const { value } = yield* writes.store(actor, request, (change, { name, objectId, size }) =>
      Effect.gen(function* () {
        const format = formatOf(kind, name)
        if (format === undefined) {
          return yield* fault(
            "/file",
            "unknown_format",
            kind === "contacts"
              ? "The name must end with .csv, .tsv, .txt, .ndjson, .jsonl, .vcf or .vcard, and .gz if it is packed."
              : "The name must end with .csv, .tsv, .txt, .ndjson or .jsonl, and .gz if it is packed."
          )
        }
        const id = yield* change.newId
        const created = { id, kind, format, fileName: name, size, content: objectId, at: change.at }
        yield* repo.insert(actor, { ...created, choices: noChoices, counts: noCounts })
        return id
      })
    )
    const stored = yield* load(actor.teamId, value)
    if (stored.format === "csv" && stored.header.names.length === 0 && stored.detail === null) {
      const { detail, header } = yield* Effect.catchTag(readHeader(stored), "FileStoreFailure", unavailable)
      yield* repo.settle(actor.teamId, value, header, detail)
    }
    return value
  })

  /** Lets a job go on with an import. */
  const begin = Effect.fnUntraced(function* (
    actor: Actor,
    stored: StoredImport,
    to: { readonly from: ReadonlyArray<State>; readonly to: State; readonly choices: Choices }
  ) {
    const at = yield* now
    const begun = yield* inTransaction(
      Effect.gen(function* () {
        const done = yield* repo.begin(actor.teamId, stored.id, { ...to, counts: noCounts, at })
        if (done) yield* jobs.enqueue(runImport, { teamId: actor.teamId, importId: stored.id })
        return done
      })
    )
    if (!begun) {
      return yield* Conflict.of("import_running", "Another import of the team is running. Try again when it has ended.")
    }
  })

  /** Has a job try the file of an import with these choices: nothing is changed. */
  const check = Effect.fn("ConsoleImports.check")(function* (id: string, choices: Choices) {
    const actor = yield* authorize("broker")
    const stored = yield* load(actor.teamId, id)
    const reading = readingOf(stored.kind, stored.format, choices)
    if (Result.isFailure(reading)) return yield* fault("", "invalid_choices", withoutOptions(reading.failure))
    if (stored.format === "csv") {
      const { refusal } = columnsWith(stored, choices)
      if (refusal !== undefined) return yield* fault("", "invalid_columns", withoutOptions(refusal))
    }
    yield* begin(actor, stored, { from: ["uploaded", "checked", "refused"], to: "checking", choices })
  })

  /** Has a job import what was tried; `rows` is the number of rows that the person has seen. */
  const start = Effect.fn("ConsoleImports.start")(function* (id: string, rows: number) {
    const actor = yield* authorize("broker")
    const stored = yield* load(actor.teamId, id)
    if (stored.state !== "checked" || stored.counts.rows !== rows) {
      return yield* fault("", "not_checked", "The import has changed since. Look at what it would do once more.")
    }
    yield* begin(actor, stored, { from: ["checked"], to: "importing", choices: stored.choices })
  })

  /** The receipts of the last run, which are a file. */
  const receipts = Effect.fn("ConsoleImports.receipts")(function* (id: string) {
    const { teamId } = yield* authorize("broker")
    const stored = yield* load(teamId, id)
    if (stored.receipts === null) return yield* noSuchImport
    return { stored, content: Stream.orDie(writes.contentOf(stored.receipts)) }
  })

  /** The ids of the records of the last run, in the order of its rows, in parts of this many rows. */
  const recordsOf = Effect.fn("ConsoleImports.recordsOf")(function* (id: string, rows: number) {
    const { content } = yield* receipts(id)
    return Stream.splitLines(Stream.decodeText(content)).pipe(
      Stream.grouped(rows),
      Stream.map((lines) => receiptLinesOf(lines.flatMap((line) => parseReceipt(line) ?? [])).map((row) => row.id))
    )
  })

  const removeAll = Effect.fnUntraced(function* (teamId: string, ids: ReadonlyArray<string>) {
    const { count, objects: contents } = yield* repo.remove(teamId, ids)
    if (contents.length > 0) yield* jobs.enqueue(discard, { contents, teamId })
    return count
  }, inTransaction)

  /**
   * Deletes an import, with its file and receipts. What it made stays: a job that works on it stops after the batch that it is at.
   */
  const remove = Effect.fn("ConsoleImports.remove")(function* (id: string) {
    const { teamId } = yield* authorize("broker")
    yield* load(teamId, id)
    yield* removeAll(teamId, [id])
  })

  /** Deletes imports after a day; returns how many. */
  const purge = Effect.fn("ConsoleImports.purge")(function* (limit: number) {
    const until = yield* hoursAgo(keptHours)
    // Files have the times of the machine's clock. Those of its other users cannot be removed, and need not be.
    yield* Effect.ignoreCause(Effect.flatMap(onWallClock(hoursAgo(keptHours)), removeAbandonedCopies))
    return yield* TeamParts.runParts("Purging imports", (failed) =>
      Effect.map(repo.findOld(until, { failed, limit }), (found) =>
        TeamParts.byTeam(
          found,
          ({ teamId }) => teamId,
          (teamId, some) =>
            removeAll(
              teamId,
              some.map(({ id }) => id)
            )
        )
      )
    )
  })

  /** Who imports: the person who asked, if they may still. */
  const actorOf = Effect.fnUntraced(function* (teamId: string, userId: string) {
    const actor = yield* users.actorIn(userId, teamId)
    return actor?.broker === "active" && actor.membership === "active" ? actor : undefined
  })

  /** Tries or imports a file, as an attempt of the job. */
  const attempted = Effect.fnUntraced(function* (teamId: string, stored: StoredImport, attempt: string) {
    const { choices, format, id, kind, userId } = stored
    const dryRun = stored.state === "checking"
    const end = (of: Parameters<typeof repo.finish>[3]) => repo.finish(teamId, id, attempt, of)
    const refuse = (detail: string) =>
      Effect.flatMap(now, (at) =>
        end({ state: "refused", at, detail, counts: undefined, report: null, receipts: stored.receipts })
      )
    const actor = yield* actorOf(teamId, userId)
    if (actor === undefined) return yield* refuse("The person who asked for it is no broker of the team any more.")
    const reading = readingOf(kind, format, choices)
    if (Result.isFailure(reading)) return yield* refuse(reading.failure)
    const paths = yield* copied(stored)
    const onBatch = (counts: typeof noCounts) =>
      Effect.flatMap(now, (at) => repo.progress(teamId, id, attempt, counts, at)).pipe(
        Effect.flatMap((isMine) => (isMine ? Effect.void : Effect.fail(superseded)))
      )
    const ran = yield* Import.run({
      ...reading.success,
      path: paths.file,
      team: teamId,
      actor,
      receipts: paths.receipts,
      encoding: undefined,
      restart: true,
      dryRun,
      onDuplicate: choices.onDuplicate,
      onColumns: () => Effect.void,
      unattended: { run: id, onBatch }
    }).pipe(Effect.result)
    if (Result.isFailure(ran)) {
      if (ran.failure === superseded) return undefined
      // Another attempt would meet the same, such as a quota that is used up.
      return yield* refuse(withoutPath(ran.failure, paths.file))
    }
    const { counts } = ran.success
    const lines = Stream.fromAsyncIterable(
      createReadStream(paths.receipts),
      (cause) => new FileStoreFailure({ operation: "write", cause })
    )
    const receipt = yield* writes.keep(lines)
    const at = yield* now
    yield* inTransaction(
      Effect.gen(function* () {
        const isMine = yield* end({
          state: dryRun ? "checked" : "imported",
          at,
          detail: null,
          counts,
          report: reportOf(ran.success, choices),
          receipts: receipt
        })
        if (stored.receipts !== null && isMine) {
          yield* jobs.enqueue(discard, { contents: [stored.receipts], teamId })
        }
        if (dryRun || !isMine) return
        const details = { kind, format, count: counts.rows - counts.failed, failed: counts.failed }
        const target = { type: "team", id: Id.fromUuid("team", teamId) } as const
        yield* auditLog.record({ action: "records.imported", teamId, target, details })
      })
    )
    return undefined
  }, Effect.scoped)

  /**
   * Goes on with an import, for its job. The rows of a batch are written once however often the job is attempted: their idempotency keys
   * are those of the import.
   */
  const perform = Effect.fn("ConsoleImports.perform")(function* ({ importId, teamId }: typeof runImport.payload.Type) {
    const attempt = yield* random.uuidV7()
    const done = yield* permits.withPermitsIfAvailable(1)(
      Effect.gen(function* () {
        const stored = yield* repo.claim(teamId, importId, attempt)
        if (stored !== undefined) yield* attempted(teamId, stored, attempt)
      })
    )
    if (done._tag === "Some") return
    const runAt = new Date((yield* Clock.currentTimeMillis) + 5000)
    yield* jobs.enqueue(runImport, { importId, teamId }, { runAt })
  }, Effect.orDie)

  return { list, get, upload, check, start, receipts, recordsOf, remove, purge, perform }
})

/** Imports in the console. They need the `broker` capability; `purge` and `perform` are for jobs. */
export class ConsoleImports extends Context.Service<ConsoleImports, Effect.Success<typeof make>>()(
  "transfer/ConsoleImports"
) {
  static readonly layer = Layer.effect(ConsoleImports, make).pipe(
    Layer.provide([FileWrites.layer, ConsoleImportsRepo.layer, Users.layer])
  )
}
