/**
 * Reads the archive of a team from another installation: docs/operations.md#move-a-team. It is compared with its checksums first, and then
 * written in one transaction, so that nothing of it is there until all of it is.
 */
import * as Id from "../core/Id.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Context, Effect, Layer, Stream } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { onlyOperator } from "../core/auth/CurrentActor.ts"
import { DryRun } from "../core/mutation/ChangeRecord.ts"
import { NewInvestors, Teams } from "../identity/teams/Teams.ts"
import { CurrentCell, inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { tablesOf } from "../platform/db/TeamTables.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import {
  ArchiveConflict,
  type ArchivedFile,
  ArchiveInvalid,
  ArchiveNewer,
  filesOf,
  linesOf,
  type Manifest,
  manifestOf,
  paths,
  TeamExists,
  verify
} from "./Archive.ts"
import { ArchiveRowsRepo } from "./ArchiveRowsRepo.ts"
import { onlyRead } from "./archiveTables.ts"

/** How many rows one statement writes. */
const rowsPerStatement = 500

/** What happens to the users of an archive. */
interface Users {
  /** The lines of those who get an account, or, where they are no members, an id and a name. */
  readonly created: ReadonlyArray<string>
  /** The lines of those who are here without an account, and get one. */
  readonly filled: ReadonlyArray<string>
  /** The ids of both (UUIDs), without those who are no members. */
  readonly accounts: ReadonlyArray<string>
  readonly references: number
  /** Those who have an account here, by the id that they have in the archive and the one here (UUIDs). */
  readonly matched: ReadonlyMap<string, string>
}

const reading = <A>(read: () => Promise<A>): Effect.Effect<A, ArchiveInvalid | ArchiveNewer> =>
  Effect.tryPromise({
    try: read,
    catch: (error) =>
      error instanceof ArchiveInvalid || error instanceof ArchiveNewer
        ? error
        : new ArchiveInvalid({
            detail: `The archive cannot be read: ${error instanceof Error ? error.message : String(error)}`
          })
  })

const streamOf = <A>(iterable: AsyncIterable<A>): Stream.Stream<A, ArchiveInvalid> =>
  Stream.fromAsyncIterable(
    iterable,
    (error) =>
      new ArchiveInvalid({
        detail: `The archive cannot be read: ${error instanceof Error ? error.message : String(error)}`
      })
  )

/** The stream of lines of a file of an archive, some at a time. */
const linesIn = (file: ArchivedFile) =>
  Stream.unwrap(Effect.map(reading(file.open), (stream) => streamOf(linesOf(stream, rowsPerStatement))))

/** Writes other ids where a text has these: rows name users by their UUIDs, and what they hold as JSON by their public ids. */
const renaming = (matched: ReadonlyMap<string, string>): ((line: string) => string) => {
  const names = new Map(
    [...matched].flatMap(([from, to]) =>
      from === to
        ? []
        : [
            [from, to],
            [Id.fromUuid("user", from), Id.fromUuid("user", to)]
          ]
    )
  )
  if (names.size === 0) return (line) => line
  const pattern = new RegExp([...names.keys()].join("|"), "g")
  return (line) => line.replaceAll(pattern, (name) => names.get(name) ?? name)
}

interface ArchivedUser {
  readonly id: string
  readonly email: string | null
  readonly is_bot: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* ArchiveRowsRepo
  const teams = yield* Teams
  const webhooks = yield* Webhooks
  const store = yield* FileStore
  const investors = yield* NewInvestors
  const auditLog = yield* AuditLog

  /** Decides about the users of an archive: who is known by id or e-mail address stays as they are. */
  const usersOf = Effect.fnUntraced(function* (path: string) {
    const members = new Set<string>()
    const lines: Array<string> = []
    yield* Stream.runForEach(streamOf(filesOf(path)), (file) =>
      file.path === paths.users
        ? Stream.runForEach(linesIn(file), (some) => Effect.sync(() => void lines.push(...some)))
        : file.path === paths.table("memberships")
          ? Stream.runForEach(linesIn(file), (some) =>
              Effect.sync(() => {
                for (const line of some) members.add((JSON.parse(line) as { readonly user_id: string }).user_id)
              })
            )
          : Effect.void
    )
    const archived = lines.map((line) => JSON.parse(line) as ArchivedUser)
    const emailOf = ({ email, is_bot }: ArchivedUser) => (is_bot ? undefined : email?.toLowerCase())
    const known = yield* repo.known(
      archived.map(({ id }) => id),
      archived.flatMap((user) => emailOf(user) ?? [])
    )
    const byId = new Map(known.map((one) => [one.id, one]))
    const byEmail = new Map(
      known.flatMap(({ email, id, isBot }) => (isBot || email === null ? [] : [[email.toLowerCase(), id]]))
    )
    const matched = new Map<string, string>()
    const created: Array<string> = []
    const filled: Array<string> = []
    const accounts: Array<string> = []
    let references = 0
    for (const user of archived) {
      const same = byId.get(user.id)
      const isMember = members.has(user.id)
      const here = (same?.isReference === false ? same.id : byEmail.get(emailOf(user) ?? "")) ?? same?.id
      if (here !== undefined) {
        matched.set(user.id, here)
        if (same?.isReference === true && here === same.id && isMember) {
          filled.push(JSON.stringify(user))
          accounts.push(user.id)
        }
        continue
      }
      if (isMember) accounts.push(user.id)
      else references += 1
      // Somebody else whom its rows name: no account, so that nobody signs in with it and the address stays free.
      const kept = isMember
        ? user
        : {
            ...user,
            email: null,
            email_confirmed: false,
            phone: null,
            phone_confirmed: false,
            broker: null,
            investor: null
          }
      created.push(JSON.stringify(kept))
    }
    const users: Users = { created, filled, accounts, references, matched }
    return users
  })

  /** Stores the content of a file, and compares it with its row. */
  const storeFile = Effect.fnUntraced(function* (
    file: ArchivedFile,
    {
      missing,
      namespace,
      teamId
    }: { readonly namespace: string; readonly teamId: string; readonly missing: ReadonlySet<string> },
    stored: Array<string>
  ) {
    const id = file.path.slice(paths.files.length)
    if (missing.has(id)) return
    const row = Id.isUuid(id) ? yield* repo.contentOf(teamId, id) : undefined
    if (row === undefined)
      return yield* new ArchiveInvalid({ detail: `No row of the archive has the file ${file.path}.` })
    const stream = yield* reading(file.open)
    stored.push(id)
    const digest = yield* store
      .put({ namespace, id }, streamOf(stream as AsyncIterable<Uint8Array>))
      .pipe(Effect.catchTag("FileStoreFailure", (failure) => Effect.die(failure)))
    if (digest.sha256 !== row.sha256 || digest.size !== row.size) {
      return yield* new ArchiveInvalid({ detail: `${file.path} is not what its row says.` })
    }
  })

  /** Writes all rows and files, in the running transaction. */
  const writeAll = Effect.fnUntraced(function* (
    path: string,
    teamId: string,
    manifest: Manifest,
    users: Users,
    stored: Array<string>
  ) {
    yield* repo.unlimited
    const rename = renaming(users.matched)
    const target = { namespace: yield* repo.namespace, teamId, missing: new Set(manifest.files.missing) }
    yield* repo.insertUsers(users.created)
    yield* repo.fillUsers(users.filled)
    const files = streamOf(filesOf(path))
    yield* Stream.runForEach(
      Stream.filter(files, (file) => file.path === paths.teams),
      (file) =>
        Stream.runForEach(linesIn(file), ([line = ""]) => repo.insertTeam(teamId, manifest.teams.columns, rename(line)))
    )
    const cell = sql.cells === undefined ? undefined : yield* repo.assignCell(teamId)
    const inItsCell = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      cell === undefined ? inTeam(teamId)(self) : Effect.provideService(self, CurrentCell, { cell })
    return yield* Effect.gen(function* () {
      const tables = new Map((yield* tablesOf(sql)).map((table) => [paths.table(table.name), table]))
      yield* Stream.runForEach(streamOf(filesOf(path)), (file) => {
        if (file.path.startsWith(paths.files)) return storeFile(file, target, stored)
        const table = tables.get(file.path)
        if (table === undefined || onlyRead.includes(table.name)) return Effect.void
        const columns = manifest.tables[table.name]?.columns ?? []
        return Stream.runForEach(linesIn(file), (lines) => repo.insertRows(teamId, table, columns, lines.map(rename)))
      })
      yield* repo.continueJournal(teamId)
      if (manifest.latestUtc !== null) yield* repo.setClock(teamId, manifest.latestUtc)
      if (cell !== undefined) yield* repo.rememberOffers(teamId, cell)
      const brokers = yield* repo.unknownBrokers(teamId)
      return { renewedWebhooks: yield* webhooks.renewSecrets(teamId), brokers }
    }).pipe(inItsCell)
  })

  /**
   * Imports a team from an archive, with all its ids. Refuses one that is here, an archive of a newer version, and one that is not whole;
   * then nothing is written. For the operator only.
   */
  const read = Effect.fn("TeamImports.read")(function* (path: string) {
    yield* onlyOperator
    const manifest = yield* reading(() => manifestOf(path))
    const here = yield* repo.schemaVersion
    if (manifest.schemaVersion > here) {
      return yield* new ArchiveNewer({
        detail: `The archive is of the schema ${manifest.schemaVersion}, and this database has ${here}: upgrade it first.`
      })
    }
    const teamId = Id.toUuid("team", manifest.team.id)
    if (teamId === undefined) return yield* new ArchiveInvalid({ detail: "The manifest has no id of a team." })
    const exists = new TeamExists({ detail: `There is a team ${manifest.team.id} here already.` })
    if ((yield* teams.find(teamId)) !== undefined) return yield* exists
    yield* reading(() => verify(path, manifest))
    const users = yield* usersOf(path)
    const rows = Object.entries(manifest.tables).flatMap(([name, { rows }]) =>
      rows === 0 || onlyRead.includes(name) ? [] : [[name, rows] as const]
    )
    const report = {
      team: manifest.team,
      users: {
        created: users.accounts.length,
        matched: users.matched.size - users.filled.length,
        withoutAccount: users.references
      },
      rows: Object.fromEntries(rows),
      files: { count: manifest.files.count, bytes: manifest.files.bytes, missing: manifest.files.missing }
    }
    if ((yield* DryRun) !== undefined) return report
    const stored: Array<string> = []
    const written = yield* Effect.tap(writeAll(path, teamId, manifest, users, stored), () =>
      auditLog.record({
        action: "team.imported",
        target: { type: "team", id: manifest.team.id },
        teamId,
        details: { count: rows.reduce((all, [, count]) => all + count, 0) }
      })
    ).pipe(
      Transaction.run,
      Effect.provideService(Database, sql),
      Effect.onError(() =>
        Effect.ignoreCause(
          Effect.flatMap(repo.namespace, (namespace) =>
            Effect.forEach(stored, (id) => store.remove({ namespace, id }), { concurrency: 4, discard: true })
          )
        )
      ),
      Effect.catchCauseIf(Transaction.isRejected, (cause) =>
        Effect.andThen(
          Effect.logError("The database rejected rows of the archive", cause),
          new ArchiveConflict({
            detail:
              "Rows with ids of the archive exist here already, or cannot be written. Nothing was imported; the log says which."
          })
        )
      )
    )
    // What was sent to their addresses here before they were here.
    yield* Effect.forEach(users.accounts, investors.arrived, { discard: true })
    return {
      ...report,
      webhooksToRotate: written.renewedWebhooks,
      clientsToRotate: manifest.tables["clients"]?.rows ?? 0,
      offersOfUnknownTeams: written.brokers
    }
  })

  return { read }
})

/** Imports of whole teams, which only the operator may make. */
export class TeamImports extends Context.Service<TeamImports, Effect.Success<typeof make>>()("tenancy/TeamImports") {
  static readonly layer = Layer.effect(TeamImports, make).pipe(
    Layer.provide([ArchiveRowsRepo.layer, Teams.layer, Webhooks.layer])
  )
}
