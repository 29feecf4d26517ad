/** The archive of a team: a zip file with a manifest, a table in each of its other files, and the content of files. How it is read. */
import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import { createInterface } from "node:readline"
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import yauzl from "yauzl"
import { declare, members } from "../core/usecase/Problem.ts"
import { formatVersion } from "./archiveTables.ts"

/** 400: the file is no archive of a team, or is not whole: a checksum does not match. */
export class ArchiveInvalid extends HttpApiError.Problem<ArchiveInvalid>()(
  "ArchiveInvalid",
  declare("archive_invalid", 400, "The file is no whole archive of a team."),
  members("archive_invalid")
) {}

/** 409: the archive was written by a newer version. */
export class ArchiveNewer extends HttpApiError.Problem<ArchiveNewer>()(
  "ArchiveNewer",
  declare("archive_newer", 409, "The archive was written by a newer version."),
  members("archive_newer")
) {}

/** 409: the installation has a team with this id. */
export class TeamExists extends HttpApiError.Problem<TeamExists>()(
  "TeamExists",
  declare("team_exists", 409, "There is a team with this id."),
  members("team_exists")
) {}

/** 409: the installation has other rows with ids of the archive. */
export class ArchiveConflict extends HttpApiError.Problem<ArchiveConflict>()(
  "ArchiveConflict",
  declare("archive_conflict", 409, "Something with an id of the archive exists already."),
  members("archive_conflict")
) {}

const Entry = Schema.Struct({ rows: Schema.Int, columns: Schema.Array(Schema.String), sha256: Schema.String })

/** What an archive says of itself. */
export const Manifest = Schema.Struct({
  format: Schema.Literal("property-network-team"),
  formatVersion: Schema.Int,
  /** The last migration of the database. */
  schemaVersion: Schema.String,
  createdUtc: Schema.String,
  team: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /** The time of its latest change. */
  latestUtc: Schema.NullOr(Schema.String),
  users: Entry,
  teams: Entry,
  /** By their names, in the order in which they can be written. */
  tables: Schema.Record(Schema.String, Entry),
  files: Schema.Struct({
    count: Schema.Int,
    bytes: Schema.Int,
    /** Of a line for each: its id and the SHA-256 of its content. */
    sha256: Schema.String,
    /** Those whose content the file store had no longer. */
    missing: Schema.Array(Schema.String)
  }),
  /** What is not in it, and how much of it there is elsewhere. */
  leftOut: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Int]))
})
export type Manifest = typeof Manifest.Type

const decodeManifest = Schema.decodeUnknownSync(Manifest)

/** Where an archive has what. */
export const paths = {
  manifest: "manifest.json",
  readme: "README.txt",
  users: "users.ndjson",
  teams: "team.ndjson",
  table: (name: string) => `tables/${name}.ndjson`,
  files: "files/"
}

/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string
  readonly open: () => Promise<Readable>
}

const openZip = (path: string): Promise<yauzl.ZipFile> =>
  new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) =>
      error === null ? resolve(zip) : reject(error)
    )
  })

/** The files of an archive in their order, one at a time. */
export async function* filesOf(path: string): AsyncGenerator<ArchivedFile> {
  const zip = await openZip(path)
  try {
    for (;;) {
      const entry = await new Promise<yauzl.Entry | undefined>((resolve, reject) => {
        zip.once("entry", resolve)
        zip.once("end", () => resolve(undefined))
        zip.once("error", reject)
        zip.readEntry()
      })
      zip.removeAllListeners("entry").removeAllListeners("end").removeAllListeners("error")
      if (entry === undefined) return
      yield {
        path: entry.fileName,
        open: () =>
          new Promise((resolve, reject) => {
            zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)))
          })
      }
    }
  } finally {
    zip.close()
  }
}

/** The lines of a file, as many at a time as `maxLines`, or fewer if they are long. */
export async function* linesOf(stream: Readable, maxLines: number): AsyncGenerator<ReadonlyArray<string>> {
  const maxLength = 4_000_000
  let lines: Array<string> = []
  let length = 0
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    lines.push(line)
    length += line.length
    if (lines.length >= maxLines || length >= maxLength) {
      yield lines
      lines = []
      length = 0
    }
  }
  if (lines.length > 0) yield lines
}

const textOf = async (stream: Readable): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString("utf8")
}

const digestOf = async (stream: Readable) => {
  const hash = createHash("sha256")
  let bytes = 0
  for await (const part of stream) {
    const chunk = part as Buffer
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest("hex"), bytes }
}

const invalid = (detail: string) => new ArchiveInvalid({ detail })

/** The manifest of an archive. Rejects with {@link ArchiveInvalid} or {@link ArchiveNewer}. */
export const manifestOf = async (path: string): Promise<Manifest> => {
  for await (const file of filesOf(path)) {
    if (file.path !== paths.manifest) continue
    const json: unknown = JSON.parse(await textOf(await file.open()))
    if (
      typeof json === "object" &&
      json !== null &&
      "formatVersion" in json &&
      Number(json.formatVersion) > formatVersion
    ) {
      throw new ArchiveNewer({
        detail: `The archive has format ${String(json.formatVersion)}; this version reads ${formatVersion}.`
      })
    }
    return decodeManifest(json)
  }
  throw invalid("The archive has no manifest.json.")
}

/** Reads an archive whole and compares it with its manifest. Rejects with {@link ArchiveInvalid} where they differ. */
export const verify = async (path: string, { files, tables, teams, users }: Manifest): Promise<void> => {
  const expected = new Map([
    [paths.users, users.sha256],
    [paths.teams, teams.sha256],
    ...Object.entries(tables).map(([name, { sha256 }]) => [paths.table(name), sha256] as const)
  ])
  const contents = createHash("sha256")
  let count = 0
  for await (const file of filesOf(path)) {
    if (file.path === paths.manifest || file.path === paths.readme) continue
    const { sha256 } = await digestOf(await file.open())
    if (file.path.startsWith(paths.files)) {
      contents.update(`${file.path.slice(paths.files.length)} ${sha256}\n`)
      count += 1
      continue
    }
    const wanted = expected.get(file.path)
    if (wanted === undefined) throw invalid(`${file.path} is not in the manifest.`)
    if (wanted !== sha256) throw invalid(`The checksum of ${file.path} does not match.`)
    expected.delete(file.path)
  }
  const [missing] = expected.keys()
  if (missing !== undefined) throw invalid(`${missing} is missing.`)
  if (count !== files.count || contents.digest("hex") !== files.sha256) {
    throw invalid("The checksum of the files does not match.")
  }
}
