/** The files of sql/, as migrations, and why they could not be applied. */
import { Data, Effect } from "effect"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"

/**
 * The reason why the schema could not be migrated.
 *
 * - `Misnamed`: a file of sql/ is not named `NNNN_name.sql`, or two have the same number
 * - `Changed`: a file was edited after it was applied
 * - `Missing`: an applied file does not exist (or this code is older than the database)
 * - `OutOfOrder`: a new file has a lower number than one that was applied
 * - `Cells`: a file changed a table of teams, but not those of the cells (which was rolled back)
 * - `Failed`: the database rejected a file (which was rolled back), or one of graphile-worker's own migrations
 * - `Unreachable`: the database did not answer
 */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  readonly reason: "Misnamed" | "Changed" | "Missing" | "OutOfOrder" | "Cells" | "Failed" | "Unreachable"
  /** The file concerned, such as `0003_identity.sql`. */
  readonly file?: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** A migration: a file of sql/. */
export interface MigrationFile {
  /** `0003_identity.sql` */
  readonly name: string
  readonly text: string
  /** SHA-256 of the text, in hex. */
  readonly checksum: string
}

/** The default folder of the migrations. */
export const directory: URL = new URL("../../../sql/", import.meta.url)

const misnamed = (file: string, message: string) => new MigrationError({ reason: "Misnamed", file, message })

// The result of all migrations, for people to read: `npm run schema` writes it.
const dump = "schema.sql"

/** Reads the migrations of a folder, in their order. */
export const read = Effect.fn("MigrationFiles.read")(function* (folder: URL) {
  const entries = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => new MigrationError({ reason: "Missing", message: `The folder ${folder} cannot be read`, cause })
  })
  const names = entries.filter((name) => name.endsWith(".sql") && name !== dump).sort()
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) {
      return yield* misnamed(name, `sql/${name} must be named NNNN_name.sql`)
    }
    const before = names[index - 1]
    if (before?.slice(0, 4) === name.slice(0, 4)) {
      return yield* misnamed(name, `sql/${before} and sql/${name} have the same number`)
    }
  }
  return yield* Effect.forEach(names, (name) =>
    Effect.tryPromise({
      try: async (): Promise<MigrationFile> => {
        // A checkout on Windows may have other line ends, which must not change the checksum.
        const text = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n")
        return { name, text, checksum: createHash("sha256").update(text).digest("hex") }
      },
      catch: (cause) =>
        new MigrationError({ reason: "Missing", file: name, message: `sql/${name} cannot be read`, cause })
    })
  )
})
