/**
 * The receipts of an import: a file with one JSON document per line. The first line identifies the import, one line for
 * each row follows in the order of the input, and `{"finished": …}` ends a complete import. An interrupted import
 * continues after the last complete batch of receipts: docs/behaviour/imports-and-exports.md#receipts-file.
 */
import * as SystemUser from "../platform/SystemUser.ts"
import * as EarlierRows from "../core/records/EarlierRows.ts"
import { Effect, Predicate, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { open as openFile, stat } from "node:fs/promises"
import { linesOf, textOf } from "./CsvRecords.ts"
import {
  countedReceipts,
  emptySummary,
  noCounts,
  parseReceipt,
  type Receipt,
  receiptLinesOf,
  type Summary,
  summaryWith
} from "./Receipt.ts"
import type { Counts } from "./ConsoleImport.ts"
import type { BatchSize } from "./Rows.ts"
import { attempt, FileRefused, ifExists } from "./Source.ts"

/** Identifies an import. */
export interface Heading {
  readonly of: string
  readonly team: string
  readonly dryRun: boolean
  /** The SHA-256 of the input; null for standard input, which cannot be read twice. */
  readonly input: string | null
  /** The options that determine how rows are read. */
  readonly reading: string
}

/** An open file of receipts. */
export interface ReceiptsFile {
  /** The id of the import, the same after each interruption. */
  readonly run: string
  /** The number of batches that have their receipts already. */
  readonly batches: number
  readonly counts: Counts
  readonly summary: Summary
  /** The rows that have their receipts already. */
  readonly earlier: EarlierRows.EarlierRows
  /** Prepares the file. Nothing is written earlier, so that a refused import leaves the file unchanged. */
  readonly begin: Effect.Effect<void, FileRefused>
  readonly append: (receipts: ReadonlyArray<Receipt>) => Effect.Effect<void, FileRefused>
  readonly finish: (counts: Counts) => Effect.Effect<void, FileRefused>
}

interface StoredReceipts {
  readonly run: string
  readonly heading: Heading
  readonly finished: boolean
  readonly batches: number
  readonly counts: Counts
  readonly summary: Summary
  readonly earlier: EarlierRows.EarlierRows
  /** The offset of the end of the last complete batch, in bytes. */
  readonly until: number
}

const version = 1

const headingIn = (value: unknown): { readonly run: string; readonly heading: Heading } | undefined =>
  Predicate.isObject(value) &&
  "receipts" in value &&
  value.receipts === version &&
  "run" in value &&
  typeof value.run === "string"
    ? { run: value.run, heading: value as object as Heading }
    : undefined

const documentOf = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a file of receipts; undefined if it is another kind of file. */
const readStored = async (path: string, sizeOf: BatchSize): Promise<StoredReceipts | undefined> => {
  let found: StoredReceipts | undefined
  let batch: Array<Receipt> = []
  for await (const lines of linesOf(createReadStream(path, { highWaterMark: 256 * 1024 }))) {
    for (const { bytes, end, until } of lines) {
      const text = end === "" ? undefined : textOf(bytes)
      if (found === undefined) {
        const first = headingIn(documentOf(text))
        if (first === undefined) return undefined
        const earlier = EarlierRows.make(first.heading.dryRun)
        found = { ...first, finished: false, batches: 0, counts: noCounts, summary: emptySummary, earlier, until }
        continue
      }
      const receipt = text === undefined ? undefined : parseReceipt(text)
      if (receipt === undefined) {
        const value = documentOf(text)
        return { ...found, finished: Predicate.isObject(value) && "finished" in value }
      }
      batch.push(receipt)
      if (batch.length < sizeOf(found.batches)) continue
      found.earlier.settle(receiptLinesOf(batch))
      found = {
        ...found,
        batches: found.batches + 1,
        counts: countedReceipts(found.counts, batch),
        summary: summaryWith(found.summary, batch),
        until
      }
      batch = []
    }
  }
  return found
}

const isSameImport = (a: Heading, b: Heading) =>
  a.of === b.of && a.team === b.team && a.dryRun === b.dryRun && a.input === b.input && a.reading === b.reading

const unfinished = (path: string, reason: string) =>
  new FileRefused({
    code: "receipts_refused",
    detail: `${path}: ${reason} Finish that import first, or replace its receipts with --restart.`
  })

/** The receipts of the interrupted import that this one continues; undefined if there is none. */
const readInterrupted = Effect.fnUntraced(function* (path: string, heading: Heading, sizeOf: BatchSize) {
  const found = yield* attempt(path, () =>
    ifExists(async () => ((await stat(path)).size > 0 ? { receipts: await readStored(path, sizeOf) } : undefined))
  )
  if (found === undefined) return undefined
  const { receipts } = found
  if (receipts === undefined) {
    return yield* new FileRefused({
      code: "receipts_refused",
      detail: `${path}: This file does not contain receipts. Choose another file with --receipts, or replace it with --restart.`
    })
  }
  // A dry run starts from the beginning.
  if (receipts.finished || receipts.heading.dryRun) return undefined
  if (heading.input === null) return yield* unfinished(path, "These are the receipts of an interrupted import.")
  if (!isSameImport(receipts.heading, heading)) {
    return yield* unfinished(
      path,
      receipts.heading.input === heading.input
        ? "These are the receipts of an interrupted import of this file with other options."
        : "These are the receipts of an interrupted import of another file, or this file has changed since."
    )
  }
  return receipts
})

/**
 * Opens the receipts of an interrupted import to continue it, or new ones, which replace those of a finished import. With
 * `restart`, new ones replace any.
 */
export const openReceipts = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly heading: Heading
  /** The rows of each batch, or of a batch by its number. */
  readonly rowsPerBatch: number | BatchSize
  readonly restart: boolean
  /** The id of a new import; random by default. */
  readonly run?: string
}): Effect.fn.Return<ReceiptsFile, FileRefused, Scope.Scope> {
  const { heading, path, restart, rowsPerBatch } = options
  const found = restart
    ? undefined
    : yield* readInterrupted(path, heading, typeof rowsPerBatch === "number" ? () => rowsPerBatch : rowsPerBatch)
  const run = found?.run ?? options.run ?? randomUUID()
  const textOfLines = (documents: ReadonlyArray<object>) =>
    documents.map((document) => `${JSON.stringify(document)}\n`).join("")
  const file = yield* Effect.acquireRelease(
    attempt(path, async () => {
      const isNew = (await ifExists(() => stat(path))) === undefined
      const handle = await openFile(path, found === undefined ? "w" : "a")
      if (isNew) await SystemUser.handOver(path)
      return handle
    }),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(
    Effect.tap((handle) =>
      attempt(path, () =>
        found === undefined
          ? handle.appendFile(textOfLines([{ receipts: version, run, ...heading }]))
          : handle.truncate(found.until)
      )
    ),
    Scope.provide(yield* Effect.scope),
    Effect.cached
  )
  const write = (documents: ReadonlyArray<object>) =>
    Effect.flatMap(file, (handle) => attempt(path, () => handle.appendFile(textOfLines(documents))))
  return {
    run,
    batches: found?.batches ?? 0,
    counts: found?.counts ?? noCounts,
    summary: found?.summary ?? emptySummary,
    earlier: found?.earlier ?? EarlierRows.make(heading.dryRun),
    begin: Effect.asVoid(file),
    append: write,
    finish: (counts) =>
      Effect.andThen(
        write([{ finished: counts }]),
        Effect.flatMap(file, (handle) => attempt(path, () => handle.sync()))
      )
  }
})
