/**
 * Where an export is written: `FILE.part`, which becomes `FILE` when it is complete. `FILE.export.json` says how far
 * it is, so that an export that was interrupted goes on.
 */
import { Effect, Predicate, type Scope } from "effect"
import { once } from "node:events"
import { open as openFile, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { attempt, FileRefused, ifThere, isPacked, standard } from "../imports/Source.ts"

/** How far an export is. */
export interface Reached {
  /** Where the next page begins; null when there is none. */
  readonly cursor: string | null
  readonly rows: number
}

/** Where an export is written. */
export interface Target {
  /** How far a run before came. */
  readonly before: Reached | undefined
  /** Adds a page, after which the export is so far. */
  readonly append: (text: string, reached: Reached) => Effect.Effect<void, FileRefused>
  /** Gives the file its name. */
  readonly finish: Effect.Effect<void, FileRefused>
}

interface State extends Reached {
  readonly export: 1
  /** What is exported, and how. */
  readonly of: string
  /** How long the file is up to there. */
  readonly bytes: number
}

const isState = (value: unknown): value is State =>
  Predicate.isObject(value) &&
  "export" in value &&
  value.export === 1 &&
  "bytes" in value &&
  typeof value.bytes === "number"

/** The state that a run before left, if its part of the file is there. */
const former = Effect.fnUntraced(function* (state: string, part: string, of: string) {
  const found = yield* attempt(state, async () => {
    const text = await ifThere(() => readFile(state, "utf8"))
    const size = (await ifThere(() => stat(part)))?.size ?? 0
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return isState(value) && size >= value.bytes ? value : undefined
  })
  if (found !== undefined && found.of !== of) {
    return yield* new FileRefused({
      code: "export_refused",
      detail: `${state}: An export of something else, or with other options, was interrupted here. Begin anew with --restart.`
    })
  }
  return found
})

const toStandardOutput: Target = {
  before: undefined,
  append: (text) =>
    attempt("The standard output", async () => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain")
    }),
  finish: Effect.void
}

/** Opens a file to write an export of `of` to; `-` is the standard output. Packed when its name ends with `.gz`. */
export const open = Effect.fnUntraced(function* (options: {
  readonly path: string
  readonly of: string
  readonly restart: boolean
}): Effect.fn.Return<Target, FileRefused, Scope.Scope> {
  const { of, path, restart } = options
  if (path === standard) return toStandardOutput
  const part = `${path}.part`
  const state = `${path}.export.json`
  const found = restart ? undefined : yield* former(state, part, of)
  if (found === undefined) yield* attempt(state, () => rm(state, { force: true }))
  const file = yield* Effect.acquireRelease(
    attempt(part, () => openFile(part, found === undefined ? "w" : "a")),
    (handle) => Effect.promise(() => handle.close())
  )
  let bytes = found?.bytes ?? 0
  yield* attempt(part, () => file.truncate(bytes))
  return {
    before: found,
    append: (text, reached) =>
      attempt(part, async () => {
        // Packed pages one after the other are a packed file.
        const packed = isPacked(path) ? gzipSync(text) : Buffer.from(text)
        await file.appendFile(packed)
        bytes += packed.length
        const next: State = { export: 1, of, bytes, cursor: reached.cursor, rows: reached.rows }
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
