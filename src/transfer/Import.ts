/** Imports the rows of a file as upserts of a team's records, with a receipt for each row: docs/behaviour/imports-and-exports.md#import. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as Employments from "./Employments.ts"
import * as References from "./References.ts"
import * as Source from "./Source.ts"
import { DryRun, emptyOutcome } from "../core/mutation/ChangeRecord.ts"
import { acquireFileLock } from "./Source.ts"
import {
  countedReceipts,
  type Receipt,
  receiptLinesOf,
  receiptOfRefused,
  receiptOfResult,
  receiptWithLink,
  type Summary,
  summaryWith
} from "./Receipt.ts"
import { openReceipts } from "./ReceiptsFile.ts"
import type { Counts, LinkCounts } from "./ConsoleImport.ts"
import { refreshStatistics } from "../platform/db/SetStatements.ts"
import { Clock, Console, Deferred, Effect, Exit, identity, Result, Schedule, Stream } from "effect"
import { actAs, type Actor, operatorOf } from "../core/auth/CurrentActor.ts"
import { Mandates } from "../market/mandates/Mandates.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { Links as LinksOfTeam } from "../network/links/Links.ts"
import { Properties } from "../market/properties/Properties.ts"
import type { FileRows, OnDuplicate } from "../core/records/UpsertMatching.ts"
import { maxItems } from "../core/records/Batch.ts"
import type { BatchOfRows } from "../core/records/EarlierRows.ts"
import type { RowReceipt } from "../core/records/UpsertRecords.ts"
import { type FileColumn, positionsOf } from "./Columns.ts"
import { type Batch, batchesOf, type ReadOptions, rowsOfBatch } from "./Rows.ts"

/** The options of an import. */
export interface Options extends ReadOptions {
  /** The file; `-` for standard input. */
  readonly path: string
  /** The team's UUID. */
  readonly team: string
  readonly receipts: string
  /** The encoding of the file; it is detected if it is undefined. */
  readonly encoding: string | undefined
  readonly restart: boolean
  /** Roll back every batch. */
  readonly dryRun: boolean
  /** What becomes of rows that look like another record. */
  readonly onDuplicate: OnDuplicate
  /** Whether deleted records that rows name by their ids are restored. */
  readonly restore?: boolean
  /** Runs when the columns are known: before the first row is written, and for NDJSON after the last. */
  readonly onColumns: (columns: ReadonlyArray<FileColumn>) => Effect.Effect<void>
  /** The person who imports; the operator by default. */
  readonly actor?: Actor
  /** A run that nobody watches on a terminal. */
  readonly unattended?: Unattended
}

/** A run of a job: nothing is printed, and whoever runs it sees to it that no other run writes the same receipts. */
export interface Unattended {
  /** The id of the run, from which the idempotency keys of its batches are made: a repeated run with it does nothing twice. */
  readonly run: string
  /** Follows each batch. A failure ends the run. */
  readonly onBatch: (counts: Counts) => Effect.Effect<void, Source.FileRefused>
}

/** The result of an import. */
export interface Outcome {
  readonly counts: Counts
  /** The number of rows with receipts of an earlier, interrupted run. */
  readonly before: number
  readonly seconds: number
  /** Why rows were refused and cells left out, also by the earlier run. */
  readonly summary: Summary
  readonly columns: ReadonlyArray<FileColumn>
  /** What `--link-companies` made in this run. */
  readonly links: LinkCounts
}

// The last batch of a killed run may still be running in the database, which commits it or rolls it back within seconds.
const retryWhileInProgress = <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E, R>) =>
  Effect.retry(self, {
    schedule: Schedule.spaced("200 millis"),
    times: 150,
    while: (error) => error._tag === "IdempotencyInProgress"
  })

/** How many batches are written at the same time, where rows depend on those before them by keys alone. */
const batchesAtATime = 2

/** A batch on its way, and how far it is. */
interface UnderWay {
  readonly rows: BatchOfRows
  /** All that its rows depend on is looked up and locked: the next one can begin. */
  readonly lookedUp: Deferred.Deferred<void>
  /** Its receipts and those of all before it are written; false if one has failed. */
  readonly written: Deferred.Deferred<boolean>
}

// Refreshing the statistics of a large table takes seconds: after 100 new records, 400 and 1,600. What comes later is for autovacuum.
const statisticsRefresh = { first: 100, factor: 4, last: 1600 }

const upsertOf = Effect.fnUntraced(function* (kind: Options["kind"]) {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const links = yield* LinksOfTeam
  const mandates = yield* Mandates
  const properties = yield* Properties
  const { importRows, readAhead } = { contacts, companies, links, mandates, properties }[kind]
  return {
    upsert: (request: UseCaseRequest.UseCaseRequest<object>, rows: FileRows) =>
      Effect.map(importRows(request, rows), ({ value }) => value),
    readAhead
  }
})

const receiptsOf = (batch: Batch, results: ReadonlyArray<RowReceipt>, dryRun: boolean): ReadonlyArray<Receipt> => {
  let sent = 0
  const header = { columns: batch.columns, positions: positionsOf(batch.columns) }
  return batch.rows.flatMap((row) => {
    if (Result.isFailure(row.item)) return [receiptOfRefused(row, row.item.failure, header)]
    const result = results[sent++]
    return result === undefined ? [] : [receiptOfResult(row, result, header, dryRun)]
  })
}

/** The options that determine how rows are read, and what becomes of them. A run may continue another only if they are equal. */
const readingOf = ({
  cells,
  country,
  currency,
  decimal,
  delimiter,
  encoding,
  forceDecimal = false,
  format,
  ignore,
  ignoreUnknown,
  keepRows = false,
  linkCompanies = false,
  map,
  namespace,
  onDuplicate,
  per,
  restore = false,
  scale,
  separator,
  unit
}: Options) =>
  JSON.stringify({
    currency,
    decimal,
    delimiter,
    encoding,
    format,
    ignore,
    ignoreUnknown,
    map,
    namespace,
    onDuplicate,
    separator,
    cells,
    country,
    forceDecimal,
    keepRows,
    linkCompanies,
    per,
    ...(restore ? { restore } : {}),
    scale,
    unit
  })

/**
 * Imports a file. Each batch of rows is one transaction, whose receipts are written after the commit. A batch always
 * contains the same rows and has an idempotency key, so that a run whose last receipts were lost gets the same results
 * again. Two batches are written at the same time if they have nothing to do with each other
 * (docs/adr/0036-import-batches-overlap.md). An interrupted import finishes the running ones.
 */
export const run = Effect.fn("Import.run")(function* (options: Options) {
  const { dryRun, kind, path } = options
  const { readAhead, upsert } = yield* upsertOf(kind)
  const withReferences = yield* References.make
  const linkCompanies = yield* Employments.make
  const links = { created: 0, updated: 0, unchanged: 0, failed: 0, newCompanies: 0 }
  const { unattended } = options
  const actor: Actor = { ...(options.actor ?? operatorOf(options.team)), origin: "import" }
  if (unattended === undefined) yield* acquireFileLock(options.receipts)
  const receipts = yield* openReceipts({
    path: options.receipts,
    rowsPerBatch: rowsOfBatch,
    restart: options.restart,
    ...(unattended === undefined ? {} : { run: unattended.run }),
    heading: {
      of: kind,
      team: options.team,
      dryRun,
      input: path === Source.standard ? null : yield* Source.sha256Of(path),
      reading: readingOf(options)
    }
  })
  const source = yield* Source.open(path, options.encoding)
  const progress = yield* makeProgress
  let { counts, summary } = receipts
  let columns: ReadonlyArray<FileColumn> | undefined
  let milestone = statisticsRefresh.first
  let shareBefore: number | undefined
  // Rows that repeat their records are not decoded.
  let changesNothing = false

  const show = Effect.fnUntraced(function* (batch: Batch) {
    if (unattended !== undefined) return yield* unattended.onBatch(counts)
    const share = source.shareOf(batch.until)
    shareBefore ??= receipts.batches === 0 ? 0 : (share ?? 0)
    yield* progress.show({ rows: counts.rows, before: receipts.counts.rows, failed: counts.failed, share, shareBefore })
  })

  let last: UnderWay | undefined

  /**
   * Upserts the rows of a batch as soon as they do not depend on the one before, and returns their receipts; undefined if that has failed,
   * on which they depend.
   */
  const upsertBatch = Effect.fnUntraced(function* (batch: Batch, own: UnderWay, before: UnderWay | undefined) {
    const sent = batch.rows.flatMap(({ item, line }) => (Result.isSuccess(item) ? [{ item: item.success, line }] : []))
    const rows: FileRows = {
      lines: sent.map(({ line }) => line),
      onDuplicate: options.onDuplicate,
      restore: options.restore === true,
      earlier: own.rows,
      turn: before === undefined ? Effect.void : Deferred.await(before.lookedUp),
      lookedUp: Deferred.succeed(own.lookedUp, undefined)
    }
    const request = { operation: `admin import ${kind}`, items: sent.map(({ item }) => item) }
    // Before the batch, because the next run needs its idempotency key if this one is killed.
    if (batch.rows.length > 0) yield* receipts.begin
    const key = dryRun ? {} : { idempotencyKey: `${receipts.run}/${batch.number}` }
    const upserted =
      sent.length === 0
        ? Effect.succeed({ results: [] })
        : retryWhileInProgress(upsert(UseCaseRequest.ofRows({ ...request, ...key }), rows)).pipe(
            // A run of another version read the rows differently. Without a key, their own ids and references identify them.
            Effect.catchTag("IdempotencyKeyReused", () => upsert(UseCaseRequest.ofRows(request), rows))
          )
    const answer = yield* Effect.catchTag(upserted, "DependentRows", () =>
      Effect.flatMap(before === undefined ? Effect.succeed(true) : Deferred.await(before.written), (isWritten) =>
        isWritten ? upserted : Effect.undefined
      )
    ).pipe(Effect.catchTag("DependentRows", Effect.die))
    if (answer === undefined) return undefined
    const ofRecords = receiptsOf(batch, answer.results, dryRun)
    own.rows.settle(receiptLinesOf(ofRecords))
    return ofRecords
  })

  /** Links the people of a batch with their companies, and writes its receipts. */
  const finish = Effect.fnUntraced(function* (batch: Batch, ofRecords: ReadonlyArray<Receipt>) {
    const employed = ofRecords.flatMap(({ id, line, status }, index) => {
      const employment = batch.rows[index]?.employment
      return employment === undefined || status === "failed" ? [] : [{ line, contactId: id, employment }]
    })
    const linked = new Map<number, Employments.Linked>()
    for (let at = 0; at < employed.length; at += maxItems) {
      for (const [line, one] of yield* linkCompanies(options.team, employed.slice(at, at + maxItems)))
        linked.set(line, one)
    }
    for (const { isNewCompany, status } of linked.values()) {
      links[status]++
      if (isNewCompany && status !== "failed") links.newCompanies++
    }
    const written = ofRecords.map((receipt) => receiptWithLink(receipt, linked.get(receipt.line)))
    changesNothing = written.every(({ status }) => status === "unchanged")
    yield* receipts.append(written)
    counts = countedReceipts(counts, written)
    if (!dryRun && milestone <= statisticsRefresh.last && counts.created - receipts.counts.created >= milestone) {
      yield* refreshStatistics([kind, "external_references"])
      milestone *= statisticsRefresh.factor
    }
    summary = summaryWith(summary, written)
  })

  const tellColumns = (batch: Batch) =>
    Effect.suspend(() => {
      const isFirst = columns === undefined
      columns = batch.columns
      return isFirst && options.format !== "ndjson" ? options.onColumns(columns) : Effect.void
    })

  /** Sends a batch, which comes after the one that this was called with before. */
  const send = (read: Batch) => {
    const before = last
    const own: UnderWay = {
      rows: receipts.earlier.batch(),
      lookedUp: Deferred.makeUnsafe(),
      written: Deferred.makeUnsafe()
    }
    last = own
    return Effect.gen(function* () {
      yield* tellColumns(read)
      const batch = { ...read, rows: yield* withReferences(options.team, read.rows) }
      const ofRecords = yield* upsertBatch(batch, own, before)
      if (ofRecords === undefined) return false
      yield* Deferred.succeed(own.lookedUp, undefined)
      // Receipts are in the order of the file. Those of a batch after one that failed are left to the next run, which has its answer.
      if (before !== undefined && !(yield* Deferred.await(before.written))) return false
      if (ofRecords.length > 0) yield* finish(batch, ofRecords)
      yield* show(batch)
      return true
    }).pipe(
      Effect.onExit((exit) =>
        Effect.andThen(
          Deferred.succeed(own.lookedUp, undefined),
          Deferred.succeed(own.written, Exit.isSuccess(exit) && exit.value)
        )
      ),
      Effect.uninterruptible
    )
  }

  const hint =
    dryRun || path === Source.standard ? "The import is incomplete." : "Run the same command again to continue."
  yield* Stream.fromAsyncIterable(batchesOf(path, options, source.chunks, receipts.batches, rowsOfBatch), (error) =>
    Source.refusalOf(path, error)
  ).pipe(
    // Reads the next rows, and what they say, while the database works.
    Stream.tap(({ rows }) =>
      changesNothing
        ? Effect.void
        : readAhead(rows.flatMap(({ item }) => (Result.isSuccess(item) ? [item.success] : [])))
    ),
    Stream.buffer({ capacity: 2 }),
    Stream.mapEffect(
      (batch) => send(batch).pipe(actAs(actor), Effect.provideService(DryRun, dryRun ? emptyOutcome() : undefined)),
      { concurrency: dryRun || options.restore === true || kind === "links" ? 1 : batchesAtATime }
    ),
    Stream.runDrain,
    Effect.ensuring(progress.end),
    unattended === undefined
      ? Source.reportingStop(() =>
          counts.rows === 0
            ? "Nothing was imported."
            : `${options.receipts} contains the receipts of ${counts.rows} rows. ${hint}`
        )
      : identity,
    Effect.tapError((error) =>
      error instanceof Source.FileRefused && error.columns !== undefined
        ? options.onColumns(error.columns)
        : Effect.void
    )
  )
  yield* receipts.finish(counts)
  if (options.format === "ndjson") yield* options.onColumns(columns ?? [])
  const outcome: Outcome = {
    counts,
    before: receipts.counts.rows,
    seconds: yield* progress.seconds,
    summary,
    columns: columns ?? [],
    links
  }
  return outcome
}, Effect.scoped)

// Shows the progress of an import or export on standard error: a bar in a terminal, elsewhere a line every 5 seconds.

/** The state of an import or export. */
export interface State {
  readonly rows: number
  /** The rows of earlier runs, which do not count for the rate. */
  readonly before: number
  readonly failed: number
  /** The completed share of the input, from 0 to 1; undefined when its size is unknown. */
  readonly share: number | undefined
  /** The share that earlier runs completed. */
  readonly shareBefore: number
}

const numberText = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 })

const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  const minutes = Math.floor(whole / 60)
  return minutes === 0
    ? `${whole} s`
    : minutes < 60
      ? `${minutes} min ${whole % 60} s`
      : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const barWidth = 24

const bar = (share: number) => {
  const full = Math.round(share * barWidth)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] `
}

/** The progress line after `seconds`. */
export const lineOfProgress = (state: State, seconds: number, options: { readonly bar: boolean }): string => {
  const { before, failed, rows, share, shareBefore } = state
  const done = share === undefined ? undefined : Math.min(1, share)
  const rate = seconds > 0 ? (rows - before) / seconds : 0
  const gained = (done ?? 0) - shareBefore
  const left = done === undefined || gained <= 0 ? undefined : ((1 - done) * seconds) / gained
  return [
    `${options.bar && done !== undefined ? bar(done) : ""}${done === undefined ? "" : `${Math.floor(done * 100)}%, `}${numberText(rows)} rows`,
    ...(failed > 0 ? [`${numberText(failed)} bad`] : []),
    `${numberText(rate)} rows/s`,
    ...(left === undefined || done === 1 ? [] : [`${duration(left)} left`])
  ].join(", ")
}

/** The duration and the rate of a finished run. */
export const pace = (rows: number, seconds: number): string =>
  `${numberText(rows)} rows in ${duration(seconds)}, ${numberText(seconds > 0 ? rows / seconds : rows)} rows/s`

// The intervals between updates, in milliseconds.
const barInterval = 200
const lineInterval = 5000

/** Shows the progress of one run. */
interface Progress {
  readonly show: (state: State) => Effect.Effect<void>
  /** Removes the bar, so that other output can follow. */
  readonly end: Effect.Effect<void>
  /** The seconds since the run began. */
  readonly seconds: Effect.Effect<number>
}

/** Begins a run. */
export const makeProgress: Effect.Effect<Progress> = Effect.gen(function* () {
  const isTerminal = process.stderr.isTTY === true
  const begun = yield* Clock.currentTimeMillis
  let shown = begun
  let isOnScreen = false
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - begun) / 1000)
  const show = Effect.fnUntraced(function* (state: State) {
    const now = yield* Clock.currentTimeMillis
    if (now - shown < (isTerminal ? barInterval : lineInterval)) return
    shown = now
    const line = lineOfProgress(state, (now - begun) / 1000, { bar: isTerminal })
    if (!isTerminal) return yield* Console.error(line)
    isOnScreen = true
    process.stderr.write(`\r\x1b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`)
  })
  const end = Effect.sync(() => {
    if (isOnScreen) process.stderr.write("\r\x1b[2K")
    isOnScreen = false
  })
  return { show, end, seconds }
})
