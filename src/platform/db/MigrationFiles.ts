import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { MigrationError } from "./MigrationError.ts"

/** A migration: a file of sql/. */
export interface MigrationFile {
  /** `0001_identity.sql` */
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
