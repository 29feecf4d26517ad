/** Writes everything that a team has to an archive, which another installation reads: docs/operations.md#move-a-team. */
import * as Id from "../core/Id.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import yazl from "yazl"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { onlyOperator } from "../core/auth/CurrentActor.ts"
import { NotFound } from "../core/usecase/Problem.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { now } from "../platform/Time.ts"
import { type Manifest, paths } from "./Archive.ts"
import { ArchiveRowsRepo } from "./ArchiveRowsRepo.ts"
import { columnsOfUser, formatVersion, leftOut } from "./archiveTables.ts"

const noSuchTeam = new NotFound({ detail: "There is no team with this id: `admin team list` shows them." })

/** What must be made again where the archive is imported. */
const notes = [
  "Webhooks have another secret and are disabled where the archive is imported: to rotate the secret of each activates it, and its receiver needs the new one.",
  "Clients have another secret: rotate each. Personal tokens, sessions, passwords and grants of apps are not in the archive."
]

const readme = `Everything that a team has, for \`admin team import\`: manifest.json says what there is, with checksums. Rows are lines of JSON as the
database writes them. There are no passwords, tokens, client secrets and webhook secrets in it.
`

type Entry = Manifest["users"]

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* ArchiveRowsRepo
  const teams = yield* Teams
  const store = yield* FileStore
  const auditLog = yield* AuditLog

  /** Makes the archive, in the transaction that sees one moment of the team. It is made while it is read. */
  const open = Effect.fnUntraced(function* (team: { readonly id: string; readonly name: string }) {
    const services = yield* Effect.context<never>()
    const runIn = Effect.runPromiseWith(services)
    const tables = yield* repo.tables
    const users = new Set<string>()
    for (const table of tables) for (const id of yield* repo.usersIn(table, team.id)) users.add(id)
    const teamColumns = yield* repo.columnsOfTeam
    const latest = yield* repo.latestOf(team.id)
    const offersElsewhere = yield* repo.offersElsewhere(team.id)
    const schemaVersion = yield* repo.schemaVersion
    const namespace = yield* repo.namespace
    const createdUtc = (yield* now).toISOString()

    const zip = new yazl.ZipFile()
    const output = zip.outputStream
    if (!(output instanceof Readable)) return yield* Effect.die(new Error("the archive is no stream"))
    zip.on("error", (error: Error) => output.destroy(error))
    const entries = new Map<string, Entry>()
    const files = { count: 0, bytes: 0, missing: [] as Array<string> }
    const contents = createHash("sha256")

    const add = (path: string, content: () => AsyncIterable<Uint8Array | string>, compress = true) =>
      zip.addReadStreamLazy(path, { compress }, (respond) => {
        const stream = Readable.from(content())
        stream.on("error", (error) => output.destroy(error))
        respond(null, stream)
      })

    /** The lines of a query, which are noted for the manifest. */
    async function* rowsOf(
      path: string,
      columns: ReadonlyArray<string>,
      query: string,
      onLine?: (line: string) => void
    ): AsyncGenerator<string> {
      const hash = createHash("sha256")
      let rows = 0
      await runIn(repo.openCursor(query))
      for (;;) {
        const lines: ReadonlyArray<string> = await runIn(repo.fetchLines)
        if (lines.length === 0) break
        if (onLine !== undefined) lines.forEach(onLine)
        rows += lines.length
        const text = `${lines.join("\n")}\n`
        hash.update(text)
        yield text
      }
      await runIn(repo.closeCursor)
      entries.set(path, { rows, columns, sha256: hash.digest("hex") })
    }

    /** The content of a file; of one that the store has no longer, nothing. */
    async function* contentOf(id: string): AsyncGenerator<Uint8Array> {
      const hash = createHash("sha256")
      const chunks = Stream.toAsyncIterableWith(
        Stream.map(Stream.result(store.read({ namespace, id }, undefined)), (chunk) => chunk),
        services
      )
      let isBegun = false
      for await (const chunk of chunks) {
        if (chunk._tag === "Failure") {
          if (isBegun) throw chunk.failure
          files.missing.push(id)
          break
        }
        isBegun = true
        hash.update(chunk.success)
        files.bytes += chunk.success.length
        yield chunk.success
      }
      contents.update(`${id} ${hash.digest("hex")}\n`)
      files.count += 1
    }

    const addFile = (line: string) => {
      const { content } = JSON.parse(line) as { readonly content: string }
      add(`${paths.files}${content}`, () => contentOf(content), false)
    }

    const none: Entry = { rows: 0, columns: [], sha256: "" }
    const entryOf = (path: string) => entries.get(path) ?? none
    const manifest = (): Manifest => ({
      format: "property-network-team",
      formatVersion,
      schemaVersion,
      createdUtc,
      team: { id: Id.fromUuid("team", team.id), name: team.name },
      latestUtc: latest?.toISOString() ?? null,
      users: entryOf(paths.users),
      teams: entryOf(paths.teams),
      tables: Object.fromEntries(tables.map(({ name }) => [name, entryOf(paths.table(name))])),
      files: { ...files, sha256: contents.digest("hex") },
      leftOut: { ...leftOut, offersAtInvestors: offersElsewhere }
    })

    let written: Manifest | undefined
    add(paths.users, () => rowsOf(paths.users, columnsOfUser, repo.queryOfUsers([...users])))
    add(paths.teams, () => rowsOf(paths.teams, teamColumns, repo.queryOfTeam(teamColumns, team.id)))
    for (const table of tables) {
      const path = paths.table(table.name)
      add(path, () =>
        rowsOf(path, table.columns, repo.queryOfTable(table, team.id), table.name === "files" ? addFile : undefined)
      )
    }
    // By then, all files are added whose content follows; the manifest comes after them.
    zip.addReadStreamLazy(paths.readme, (respond) => {
      zip.addReadStreamLazy(paths.manifest, (answer) => {
        written = manifest()
        answer(null, Readable.from([`${JSON.stringify(written, null, 2)}\n`]))
      })
      zip.end()
      respond(null, Readable.from([readme]))
    })
    return { bytes: output, written: () => written }
  })

  /**
   * Writes everything that a team (its public id) has, deleted or not, to `sink`, as it is at one moment, in memory that does not depend on
   * its size. For the operator only.
   */
  const write = Effect.fn("TeamExports.write")(function* <A extends object, E, R>(
    id: string,
    sink: (bytes: Readable) => Effect.Effect<A, E, R>
  ) {
    yield* onlyOperator
    const uuid = Id.toUuid("team", id)
    const team = uuid === undefined ? undefined : yield* teams.find(uuid)
    if (team === undefined) return yield* noSuchTeam
    const written = yield* Effect.gen(function* () {
      yield* repo.beginSnapshot
      const archive = yield* open(team)
      const sunk = yield* sink(archive.bytes)
      const manifest = archive.written()
      return manifest === undefined ? yield* Effect.die(new Error("the archive is not whole")) : { sunk, manifest }
    }).pipe(Transaction.run, Effect.provideService(Database, sql), inTeam(team.id))
    const { manifest, sunk } = written
    const rows = Object.entries(manifest.tables).map(([name, entry]) => [name, entry.rows] as const)
    yield* auditLog.record({
      action: "team.exported",
      target: { type: "team", id },
      teamId: team.id,
      details: { count: rows.reduce((all, [, count]) => all + count, 0) }
    })
    return {
      ...sunk,
      team: manifest.team,
      schemaVersion: manifest.schemaVersion,
      users: manifest.users.rows,
      rows: Object.fromEntries(rows.filter(([, count]) => count > 0)),
      files: { count: manifest.files.count, bytes: manifest.files.bytes, missing: manifest.files.missing },
      leftOut: manifest.leftOut,
      notes
    }
  })

  return { write }
})

/** Exports of whole teams, which only the operator may make. */
export class TeamExports extends Context.Service<TeamExports, Effect.Success<typeof make>>()("tenancy/TeamExports") {
  static readonly layer = Layer.effect(TeamExports, make).pipe(Layer.provide([ArchiveRowsRepo.layer, Teams.layer]))
}
