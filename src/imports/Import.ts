/** An import: the rows of a file as upserts of a team's records, with a receipt for each. */
import { Effect, Result, Schedule, Stream } from "effect"
import { CurrentActor } from "../auth/CurrentActor.ts"
import { operatorOf } from "../auth/Operator.ts"
import * as DryRun from "../changes/DryRun.ts"
import * as Statistics from "../db/Statistics.ts"
import * as UseCaseRequest from "../usecase/UseCaseRequest.ts"
import { Companies } from "../network/companies/Companies.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import type { Results } from "../records/Batch.ts"
import * as FileLock from "./FileLock.ts"
import * as Progress from "./Progress.ts"
import * as Receipt from "./Receipt.ts"
import * as ReceiptsFile from "./ReceiptsFile.ts"
import { type Batch, batchesOf, type Reading, rowsPerBatch } from "./Rows.ts"
import * as Source from "./Source.ts"

/** What to import, and how. */
export interface Options extends Reading {
  /** The file; `-` is the standard input. */
  readonly path: string
  /** The team's UUID. */
  readonly team: string
  readonly receipts: string
  readonly restart: boolean
  /** Do everything but commit. */
  readonly dryRun: boolean
}

/** What came of an import. */
export interface Outcome {
  readonly counts: Receipt.Counts
  /** The rows that had their receipts from a run before. */
  readonly before: number
  readonly seconds: number
  /** The first of the receipts of bad rows that this run wrote. */
  readonly bad: ReadonlyArray<Receipt.Receipt>
}

// How many bad rows are told in the end; the receipts tell all.
const maxListed = 10

// A run that was killed leaves its last batch to the database, which finishes or drops it within seconds.
const untilAnswered = <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E, R>) =>
  Effect.retry(self, {
    schedule: Schedule.spaced("200 millis"),
    times: 150,
    while: (error) => error._tag === "IdempotencyInProgress"
  })

// How many new records, and how many times as many after that, make it worth the seconds to look at the tables again.
const growth = { first: 100, factor: 3 }

const upsertOf = Effect.fnUntraced(function* (kind: Options["kind"]) {
  const contacts = yield* Contacts
  const companies = yield* Companies
  const options = { matchByMembers: true }
  return (request: UseCaseRequest.UseCaseRequest<object>) =>
    kind === "contacts"
      ? Effect.map(contacts.batchUpsert(request, options), ({ value }): Results<unknown> => value)
      : Effect.map(companies.batchUpsert(request, options), ({ value }): Results<unknown> => value)
})

const receiptsOf = (batch: Batch, { results }: Results<unknown>, dryRun: boolean): ReadonlyArray<Receipt.Receipt> => {
  let sent = 0
  return batch.rows.flatMap(({ item, line }) => {
    if (Result.isFailure(item)) return [Receipt.ofRefused(line, item.failure)]
    const answer = results[sent++]
    return answer === undefined ? [] : [Receipt.ofAnswer(line, answer, batch.names, dryRun)]
  })
}

/** How the input is read, for runs that must read it alike. */
const readingOf = ({ delimiter, format, ignore, ignoreUnknown, map, namespace, separator }: Reading): string =>
  JSON.stringify({ delimiter, format, ignore, ignoreUnknown, map, namespace, separator })

/**
 * Imports a file. Each batch of rows is one transaction, and its receipts are written when that has committed; the same
 * rows are always the same batch, which has a key of its own, so that a batch whose receipts were lost is answered as it
 * was the first time. Interrupted, it finishes the batch that is running.
 */
export const run = Effect.fn("Import.run")(function* (options: Options) {
  const { dryRun, kind, path } = options
  const upsert = yield* upsertOf(kind)
  const actor = { ...operatorOf(options.team), origin: "import" as const }
  yield* FileLock.acquire(options.receipts)
  const receipts = yield* ReceiptsFile.open({
    path: options.receipts,
    rowsPerBatch,
    restart: options.restart,
    heading: {
      of: kind,
      team: options.team,
      dryRun,
      input: path === Source.standard ? null : yield* Source.fingerprint(path),
      reading: readingOf(options)
    }
  })
  const source = yield* Source.open(path)
  const progress = yield* Progress.make
  let counts = receipts.counts
  let milestone = growth.first
  let partBefore: number | undefined
  const bad: Array<Receipt.Receipt> = []

  const send = Effect.fnUntraced(function* (batch: Batch) {
    const items = batch.rows.flatMap(({ item }) => (Result.isSuccess(item) ? [item.success] : []))
    const request = { operation: `admin import ${kind}`, query: {}, body: { items } }
    // Before the batch: a run that is killed after it must find its key again.
    yield* receipts.begin
    const key = dryRun ? {} : { idempotencyKey: `${receipts.run}/${batch.number}` }
    const answers =
      items.length === 0
        ? { results: [] }
        : yield* untilAnswered(upsert(UseCaseRequest.make({ ...request, ...key }))).pipe(
            // Another version of this program read the rows in another way; they are recognised by what they say.
            Effect.catchTag("IdempotencyKeyReused", () => upsert(UseCaseRequest.make(request)))
          )
    const told = receiptsOf(batch, answers, dryRun)
    yield* receipts.append(told)
    counts = Receipt.counted(counts, told)
    if (!dryRun && counts.created - receipts.counts.created >= milestone) {
      yield* Statistics.refresh([kind, "external_references"])
      milestone *= growth.factor
    }
    bad.push(...told.filter(({ status }) => status === "failed").slice(0, maxListed - bad.length))
  })

  const show = Effect.fnUntraced(function* (batch: Batch) {
    const part = source.partOf(batch.until)
    partBefore ??= receipts.batches === 0 ? 0 : (part ?? 0)
    yield* progress.show({ rows: counts.rows, before: receipts.counts.rows, failed: counts.failed, part, partBefore })
  })

  const goOn = dryRun || path === Source.standard ? "It was not finished." : "The same command goes on from there."
  yield* Stream.fromAsyncIterable(batchesOf(path, options, source.chunks, receipts.batches), (error) =>
    Source.refusalOf(path, error)
  ).pipe(
    // The next rows are read while the database works.
    Stream.buffer({ capacity: 2 }),
    Stream.runForEach((batch) =>
      Effect.uninterruptible(send(batch)).pipe(
        Effect.provideService(CurrentActor, actor),
        Effect.provideService(DryRun.DryRun, dryRun ? DryRun.empty() : undefined),
        Effect.andThen(show(batch))
      )
    ),
    Effect.ensuring(progress.end),
    Source.untilStopped(() =>
      counts.rows === 0
        ? "Nothing was imported."
        : `${counts.rows} rows have their receipts in ${options.receipts}. ${goOn}`
    )
  )
  yield* receipts.finish(counts)
  const outcome: Outcome = { counts, before: receipts.counts.rows, seconds: yield* progress.seconds, bad }
  return outcome
}, Effect.scoped)
