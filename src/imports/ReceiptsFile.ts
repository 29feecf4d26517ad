/**
 * The receipts of an import: a file with one JSON document per line. The first line says whose receipts they are, then
 * comes one line for each row in the order of the input, and `{"finished": …}` when all rows have theirs. A run that
 * was interrupted goes on after the last batch whose receipts are all there.
 */
import { Effect, Predicate, Scope } from "effect"
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { open as openFile, stat } from "node:fs/promises"
import { linesOf, textOf } from "./Lines.ts"
import * as Receipt from "./Receipt.ts"
import { attempt, FileRefused, ifThere } from "./Source.ts"

/** Whose receipts they are. */
export interface Heading {
  readonly of: string
  readonly team: string
  readonly dryRun: boolean
  /** The SHA-256 of the input; null when it cannot be read twice. */
  readonly input: string | null
  /** How the input was read, for runs that must read it alike. */
  readonly reading: string
}

/** Receipts that are being written. */
export interface ReceiptsFile {
  /** Names this run, however often it is interrupted. */
  readonly run: string
  /** How many batches have their receipts already. */
  readonly batches: number
  readonly counts: Receipt.Counts
  /** Makes the file ready: nothing is written before, so that an import that is refused leaves it as it was. */
  readonly begin: Effect.Effect<void, FileRefused>
  readonly append: (receipts: ReadonlyArray<Receipt.Receipt>) => Effect.Effect<void, FileRefused>
  readonly finish: (counts: Receipt.Counts) => Effect.Effect<void, FileRefused>
}

interface Found {
  readonly run: string
  readonly heading: Heading
  readonly finished: boolean
  readonly batches: number
  readonly counts: Receipt.Counts
  /** Where the last batch ends that is all there. */
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

/** What is in a file of receipts; undefined when it is another kind of file. */
const read = async (path: string, rowsPerBatch: number): Promise<Found | undefined> => {
  let found: Found | undefined
  let begun: Array<Receipt.Receipt> = []
  for await (const lines of linesOf(createReadStream(path, { highWaterMark: 256 * 1024 }))) {
    for (const { bytes, end, until } of lines) {
      const text = end === "" ? undefined : textOf(bytes)
      if (found === undefined) {
        const first = headingIn(documentOf(text))
        if (first === undefined) return undefined
        found = { ...first, finished: false, batches: 0, counts: Receipt.none, until }
        continue
      }
      const receipt = text === undefined ? undefined : Receipt.parse(text)
      if (receipt === undefined) {
        const value = documentOf(text)
        return { ...found, finished: Predicate.isObject(value) && "finished" in value }
      }
      begun.push(receipt)
      if (begun.length < rowsPerBatch) continue
      found = { ...found, batches: found.batches + 1, counts: Receipt.counted(found.counts, begun), until }
      begun = []
    }
  }
  return found
}

const alike = (a: Heading, b: Heading) =>
  a.of === b.of && a.team === b.team && a.dryRun === b.dryRun && a.input === b.input && a.reading === b.reading

const inTheWay = (path: string, reason: string) =>
  new FileRefused({
    code: "receipts_refused",
    detail: `${path}: ${reason} Go on with that import first, or begin anew with --restart, which replaces these receipts.`
  })

/** What is there to go on with. */
const former = Effect.fnUntraced(function* (path: string, heading: Heading, rowsPerBatch: number) {
  const found = yield* attempt(path, () =>
    ifThere(async () => ((await stat(path)).size > 0 ? { receipts: await read(path, rowsPerBatch) } : undefined))
  )
  if (found === undefined) return undefined
  const { receipts } = found
  if (receipts === undefined) {
    return yield* new FileRefused({
      code: "receipts_refused",
      detail: `${path}: This file has no receipts in it. Name another one with --receipts, or replace it with --restart.`
    })
  }
  // A rehearsal is done again in a moment.
  if (receipts.finished || receipts.heading.dryRun) return undefined
  if (heading.input === null) return yield* inTheWay(path, "These are the receipts of an import that was interrupted.")
  if (!alike(receipts.heading, heading)) {
    return yield* inTheWay(
      path,
      receipts.heading.input === heading.input
        ? "These are the receipts of an interrupted import of this file with other options."
        : "These are the receipts of an interrupted import of another file, or this file has changed since."
    )
  }
  return receipts
})

/**
 * Opens receipts to go on with, or new ones in place of those of a finished import; with `restart` of any.
 */
export const open = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly heading: Heading
  readonly rowsPerBatch: number
  readonly restart: boolean
}): Effect.fn.Return<ReceiptsFile, FileRefused, Scope.Scope> {
  const { heading, path, restart, rowsPerBatch } = options
  const found = restart ? undefined : yield* former(path, heading, rowsPerBatch)
  const run = found?.run ?? randomUUID()
  const textOfLines = (documents: ReadonlyArray<object>) =>
    documents.map((document) => `${JSON.stringify(document)}\n`).join("")
  const file = yield* Effect.acquireRelease(
    attempt(path, () => openFile(path, found === undefined ? "w" : "a")),
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
    counts: found?.counts ?? Receipt.none,
    begin: Effect.asVoid(file),
    append: write,
    finish: (counts) =>
      Effect.andThen(
        write([{ finished: counts }]),
        Effect.flatMap(file, (handle) => attempt(path, () => handle.sync()))
      )
  }
})
