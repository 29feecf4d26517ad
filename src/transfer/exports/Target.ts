/**
 * The output of an export. It is written to `FILE.part`, which is renamed to `FILE` when it is complete. `FILE.export.json`
 * holds the position, from which an interrupted export continues.
 */
import { Effect, Predicate, type Scope } from "effect"
import { once } from "node:events"
import { open as openFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { attempt, FileRefused, ifExists, isGzip, standard } from "../imports/Source.ts"

/** A position in an export. */
export interface Position {
  /** The cursor of the next page; null after the last. */
  readonly cursor: string | null
  readonly rows: number
}

/** An open output. */
export interface Target {
  /** The position that an interrupted run reached. */
  readonly before: Position | undefined
  /** Appends a page, and stores the position after it. */
  readonly append: (text: string, position: Position) => Effect.Effect<void, FileRefused>
  /** Completes the file and renames it. */
  readonly finish: Effect.Effect<void, FileRefused>
}

interface State extends Position {
  readonly export: 1
  /** The kind of records, team and format, which must be the same to continue. */
  readonly of: string
  /** The length of the file at this position. */
  readonly bytes: number
}

const isState = (value: unknown): value is State =>
  Predicate.isObject(value) &&
  "export" in value &&
  value.export === 1 &&
  "bytes" in value &&
  typeof value.bytes === "number"

/** The state of an interrupted run; undefined if there is none, or if its file is incomplete. */
const readInterrupted = Effect.fnUntraced(function* (state: string, part: string, of: string) {
  const found = yield* attempt(state, async () => {
    const text = await ifExists(() => readFile(state, "utf8"))
    const size = (await ifExists(() => stat(part)))?.size ?? 0
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return isState(value) && size >= value.bytes ? value : undefined
  })
  if (found !== undefined && found.of !== of) {
    return yield* new FileRefused({
      code: "export_refused",
      detail: `${state}: An export with other options was interrupted here. Replace it with --restart.`
    })
  }
  return found
})

const toStandardOutput: Target = {
  before: undefined,
  append: (text) =>
    attempt("Standard output", async () => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    }),
  finish: Effect.void
}

/** Opens the output of an export of `of`; `-` is standard output. Compresses it if the name of the file ends with `.gz`. */
export const open = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly of: string
  readonly restart: boolean
}): Effect.fn.Return<Target, FileRefused, Scope.Scope> {
  const { of, path, restart } = options
  if (path === standard) return toStandardOutput
  const part = `${path}.part`
  const state = `${path}.export.json`
  const found = restart ? undefined : yield* readInterrupted(state, part, of)
  if (found === undefined) yield* attempt(state, () => rm(state, { force: true }))
  const file = yield* Effect.acquireRelease(
    attempt(part, () => openFile(part, found === undefined ? "w" : "a")),
    (handle) => Effect.promise(() => handle.close())
  )
  let bytes = found?.bytes ?? 0
  yield* attempt(part, () => file.truncate(bytes))
  return {
    before: found,
    append: (text, position) =>
      attempt(part, async () => {
        // Concatenated gzip members are a valid gzip file.
        const bytesOfPage = isGzip(path) ? gzipSync(text) : Buffer.from(text)
        await file.appendFile(bytesOfPage)
        bytes += bytesOfPage.length
        const next: State = { export: 1, of, bytes, cursor: position.cursor, rows: position.rows }
        await writeFile(`${state}.new`, JSON.stringify(next))
        await rename(`${state}.new`, state)
      }),
    finish: attempt(path, async () => {
      await file.sync()
      await rename(part, path)
      await rm(state, { force: true })
    })
  }
})
