/** What a backup says of itself: `manifest.json` in its folder, which is written last. */
import { Data, Effect, Schema } from "effect"
import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"

/** A backup, or what is to be done with it, is refused. The message is for the operator. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{
  readonly code:
    | "backup_exists"
    | "backup_incomplete"
    | "backup_damaged"
    | "backup_newer"
    | "backup_failed"
    | "key_mismatch"
    | "not_empty"
    | "not_supported"
    | "in_use"
  readonly detail: string
}> {
  override get message() {
    return this.detail
  }
}

const Table = Schema.Struct({
  schema: Schema.String,
  name: Schema.String,
  columns: Schema.Array(Schema.String),
  /** How many of the columns, the first ones, name transactions. */
  transactionColumns: Schema.Int,
  rows: Schema.Int,
  /** Of its rows in the text format of `COPY`. */
  sha256: Schema.String,
  /** Where they are, compressed, and the checksum of that. */
  file: Schema.String,
  fileSha256: Schema.String
})

/** A table of a backup. */
export type Table = typeof Table.Type

const Sequence = Schema.Struct({
  schema: Schema.String,
  name: Schema.String,
  value: Schema.String,
  isCalled: Schema.Boolean
})

const Content = Schema.Struct({ id: Schema.String, size: Schema.Int, sha256: Schema.String })

/** The content of a file in a backup. */
export type Content = typeof Content.Type

const Manifest = Schema.Struct({
  /** Of the backup. What reads another one refuses it. */
  format: Schema.Literal(1),
  /** Of the service that made it. */
  version: Schema.String,
  createdUtc: Schema.String,
  postgres: Schema.String,
  /** The last migration, and all of them. */
  schemaVersion: Schema.String,
  migrations: Schema.Array(Schema.Struct({ file: Schema.String, checksum: Schema.String })),
  /** The last migration of the queue of jobs. */
  queueVersion: Schema.Int,
  /** Of the secret key that belongs to the database, in hex; null if none does yet. */
  keyFingerprint: Schema.NullOr(Schema.String),
  /** The latest transaction that the rows name, and the earliest that something is still to follow. */
  transactions: Schema.Struct({ latest: Schema.String, earliestPending: Schema.NullOr(Schema.String) }),
  tables: Schema.Array(Table),
  sequences: Schema.Array(Sequence),
  /** The part of the file store that is the database's. */
  fileSpace: Schema.String,
  files: Schema.Array(Content),
  /** The checksum of the list of erasures. */
  erasuresSha256: Schema.String,
  /** Files whose content the store did not have. */
  missingFiles: Schema.Array(Schema.String)
})

/** What a backup says of itself. */
export type Manifest = typeof Manifest.Type

const name = "manifest.json"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))

/** Writes the manifest, whole or not at all: with it, the backup is complete. */
export const write = async (folder: string, manifest: Manifest): Promise<void> => {
  const draft = join(folder, `${name}.part`)
  const file = await open(draft, "wx", 0o600)
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 1)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, join(folder, name))
}

/** Reads the manifest of a backup. */
export const read = Effect.fn("Manifest.read")(function* (folder: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(join(folder, name), "utf8"),
    catch: (cause) =>
      new BackupRefused({
        code: "backup_incomplete",
        detail: `${folder} has no complete backup: ${name} cannot be read (${cause instanceof Error ? cause.message : String(cause)}).`
      })
  })
  return yield* decode(text).pipe(
    Effect.mapError(
      (error) =>
        new BackupRefused({
          code: "backup_damaged",
          detail: `${join(folder, name)} is damaged, or of another version: ${error.message}`
        })
    )
  )
})
