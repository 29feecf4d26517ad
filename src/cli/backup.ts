/** The operator's commands on backups: docs/operations.md#backups-and-restore. */
import * as Backup from "../backup/Backup.ts"
import * as Config from "../platform/Config.ts"
import * as Environment from "../process/Environment.ts"
import * as JobRuns from "../platform/jobs/JobRuns.ts"
import * as Installation from "./Installation.ts"
import * as Manifest from "../backup/Manifest.ts"
import * as Migrations from "../platform/db/Migrations.ts"
import * as Restore from "../backup/Restore.ts"
import * as SystemUser from "../platform/SystemUser.ts"
import * as Verify from "../backup/Verify.ts"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import * as App from "../App.ts"
import * as ErasureList from "../privacy/ErasureList.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { Replays } from "../privacy/Replays.ts"
import { Argument, Command, Flag } from "effect/cli"
import { Database } from "../platform/db/Database.ts"
import { layerFileStore } from "../platform/fileStore/Drivers.ts"
import { fingerprintOf } from "../platform/secrets/SecretKeys.ts"
import { attempt, open } from "../backup/Session.ts"
import { dryRunFlag } from "./Command.ts"
import { AsJson, print } from "./Output.ts"

const folderArgument = Argument.String("folder").pipe(Argument.withDescription("The folder of the backup"))

const progress = Effect.map(AsJson, (asJson): Backup.Progress =>
  asJson ? () => Effect.void : (line) => Console.error(`  ${line}`)
)

const fileStoreOf = Effect.fnUntraced(function* (settings: Config.Settings) {
  const setting = Environment.fileStoreOf(settings)
  if (setting.kind === "folder") yield* SystemUser.refuseOther("FILE_STORE", setting.path)
  return layerFileStore(setting)
})

const seconds = (begun: number) => Math.round((performance.now() - begun) / 100) / 10

const rowsOf = ({ tables }: Manifest.Manifest) => tables.reduce((sum, { rows }) => sum + rows, 0)

const bytesOf = ({ files }: Manifest.Manifest) => files.reduce((sum, { size }) => sum + size, 0)

const missing = (files: ReadonlyArray<string>) =>
  files.length === 0 ? [] : [`${files.length} files have no content in the store: manifest.json names them.`]

const create = Command.make("create", { folder: folderArgument }, ({ folder }) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const settings = yield* Config.load
    const files = yield* fileStoreOf(settings)
    const { embedded, url } = yield* Installation.databaseUrl
    const manifest = yield* Backup.create(url, folder, yield* progress).pipe(
      Effect.tap(() => JobRuns.noteBackup),
      Effect.provide(files),
      Effect.provide(Installation.databaseAt(url, embedded))
    )
    yield* print(
      {
        folder,
        createdUtc: manifest.createdUtc,
        version: manifest.version,
        schemaVersion: manifest.schemaVersion,
        tables: manifest.tables.length,
        rows: rowsOf(manifest),
        files: manifest.files.length,
        fileBytes: bytesOf(manifest),
        missingFiles: manifest.missingFiles,
        keyFingerprint: manifest.keyFingerprint,
        seconds: seconds(begun)
      },
      (answer) => [
        `${answer.tables} tables with ${answer.rows} rows and ${answer.files} files in ${answer.seconds} s, in ${folder}.`,
        ...missing(answer.missingFiles),
        "The secret key is not in it: keep it elsewhere. `backup verify` restores the backup beside, and compares."
      ]
    )
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Back up the database and the files to a folder that is new or empty. The service may run meanwhile. Only this system user can read it; the secret key is not in it"
  ),
  Command.withShortDescription("Back up the database and the files"),
  Command.withExamples([{ command: "backup create /srv/backups/2026-11-20" }])
)

const verify = Command.make("verify", { folder: folderArgument }, ({ folder }) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { databaseUrl } = yield* Config.load
    const verified = yield* Verify.run(folder, databaseUrl, yield* progress)
    yield* print({ folder, ...verified, seconds: seconds(begun) }, (answer) => [
      `The backup of ${answer.createdUtc} (version ${answer.version}, ${answer.schemaVersion}) is whole: ` +
        `${answer.tables} tables with ${answer.rows} rows and ${answer.files} files.`,
      `Restored to ${answer.restoredTo}, compared and removed, in ${answer.seconds} s.`,
      ...(answer.migrations === 0 ? [] : [`A restore by this version adds ${answer.migrations} migrations.`]),
      ...(answer.leftOut.length === 0
        ? []
        : ["Jobs are left out: the queue has another version. They are found again."]),
      ...missing(answer.missingFiles)
    ])
  })
).pipe(
  Command.withDescription(
    "Check all checksums of a backup, restore it to a temporary database, compare that with the backup, and remove it. The installation is left alone"
  ),
  Command.withShortDescription("Check a backup by restoring it beside"),
  Command.withExamples([{ command: "backup verify /srv/backups/2026-11-20" }])
)

/** Fails unless one of the keys is that of the backup. */
const checkKey = Effect.fnUntraced(function* (settings: Config.Settings, { keyFingerprint }: Manifest.Manifest) {
  if (keyFingerprint === null) return
  const keys = yield* Environment.existingKeys(settings)
  const fingerprints = keys.map((key) => Buffer.from(fingerprintOf(key)).toString("hex"))
  if (fingerprints.includes(keyFingerprint)) return
  return yield* new Manifest.BackupRefused({
    code: "key_mismatch",
    detail:
      keys.length === 0
        ? "SECRET_KEY is missing: set the key that the backup was made with, which is not in it."
        : "SECRET_KEY is not the key of this backup: nothing that is sealed in it could be opened. Set the key that it was made with."
  })
})

/** Has the restored database record the command, as it does when one has ended. */
const recordRestore = Effect.asVoid(Database)

const target = Effect.fnUntraced(function* (into: Option.Option<string>) {
  if (Option.isNone(into)) return (yield* Installation.databaseUrl).url
  return Redacted.make(into.value)
})

/** The lists of erasures that a restore takes: that of the backup, if it has one, and the one that is given. */
const listsOf = Effect.fnUntraced(function* (folder: string, given: Option.Option<string>) {
  const own = yield* Effect.promise(() => readFile(Backup.erasuresPath(folder), "utf8").catch(() => ""))
  if (Option.isNone(given)) return [own]
  const other = yield* attempt(`${given.value} cannot be read`, () => readFile(given.value, "utf8"))
  return [own, other]
})

/** Erases again what was erased after the backup; null where there is no key to tell by. */
const replay = Effect.fnUntraced(function* (url: Redacted.Redacted<string>) {
  const { databaseUrl, secretKey } = yield* Config.load
  if (databaseUrl !== undefined && secretKey === undefined) return null
  const { app } = yield* Environment.externalOrEmbedded("attach")
  const services = App.layer(app).pipe(
    Layer.provideMerge(Jobs.layer),
    Layer.provideMerge(Installation.databaseAt(url, false))
  )
  const { accounts, contacts } = yield* Effect.flatMap(Replays, ({ catchUp }) => catchUp).pipe(Effect.provide(services))
  return { contacts, accounts }
})

const restore = Command.make(
  "restore",
  {
    folder: folderArgument,
    into: Flag.String("into").pipe(
      Flag.withDescription("The address of an empty database (by default that of the installation)"),
      Flag.optional
    ),
    erasures: Flag.String("erasures").pipe(
      Flag.withDescription(
        "A list of erasures that is newer than the backup, such as erasures.list of another one: they are done again"
      ),
      Flag.optional
    ),
    force: Flag.Boolean("force").pipe(Flag.withDescription("Replace what is in the database"), Flag.withDefault(false)),
    dryRun: dryRunFlag
  },
  ({ dryRun, erasures, folder, force, into }) =>
    Effect.gen(function* () {
      const begun = performance.now()
      const settings = yield* Config.load
      const manifest = yield* Manifest.read(folder)
      const lists = yield* listsOf(folder, erasures)
      yield* Restore.checkProgram(manifest)
      yield* checkKey(settings, manifest)
      yield* Restore.checkFiles(folder, manifest)
      const tell = yield* progress
      const files = yield* fileStoreOf(settings)
      const url = yield* target(into)
      const client = yield* open(url)
      const isUnused = yield* attempt("The database cannot be read", () => Restore.isUnused(client))
      if (!isUnused && !force) {
        return yield* new Manifest.BackupRefused({
          code: "not_empty",
          detail: "The database is not empty. Restore to an empty one, or replace what is there with --force."
        })
      }
      const busy = yield* attempt("The database cannot be read", () => Restore.processesOn(client))
      if (busy.length > 0) {
        return yield* new Manifest.BackupRefused({
          code: "in_use",
          detail: `The service uses this database (${busy.join(", ")}): stop its processes first.`
        })
      }
      const answer = {
        restored: !dryRun,
        createdUtc: manifest.createdUtc,
        version: manifest.version,
        tables: manifest.tables.length,
        rows: rowsOf(manifest),
        files: manifest.files.length,
        missingFiles: manifest.missingFiles,
        replaces: !isUnused
      }
      if (dryRun) {
        return yield* print({ ...answer, leftOut: [], migrations: 0, seconds: seconds(begun) }, () => [
          `The backup of ${answer.createdUtc} would be restored: ${answer.tables} tables with ${answer.rows} rows and ${answer.files} files.`,
          ...(isUnused ? [] : ["Everything that is in the database now would be lost."])
        ])
      }
      yield* Restore.copyContents(folder, manifest).pipe(Effect.provide(files))
      yield* Effect.forEach(lists, (list) => ErasureList.copyIn(manifest.fileSpace, list), { discard: true }).pipe(
        Effect.provide(files)
      )
      yield* attempt("The database cannot be emptied", () => Restore.clear(client))
      const leftOut = yield* Restore.load(client, url, folder, manifest, { ids: "moved", indexes: "all" }, tell)
      const { applied } = yield* Migrations.run(url)
      yield* recordRestore.pipe(Effect.provide(Installation.databaseAt(url, false)))
      const erasedAgain = yield* replay(url)
      yield* print({ ...answer, erasedAgain, leftOut, migrations: applied.length, seconds: seconds(begun) }, (done) => [
        `Restored the backup of ${done.createdUtc}: ${done.tables} tables with ${done.rows} rows and ${done.files} files in ${done.seconds} s.`,
        ...(applied.length === 0 ? [] : [`${applied.length} migrations were added.`]),
        ...(done.erasedAgain === null
          ? ["What was erased since then is erased again when the service starts."]
          : [`${done.erasedAgain.contacts} contacts and ${done.erasedAgain.accounts} accounts were erased again.`]),
        ...missing(done.missingFiles),
        "Have every integration load everything again: what was written after the backup is gone, and nothing tells them so."
      ])
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Restore a backup to an empty database and to the file store. Needs the secret key that it was made with, and a role that owns the database. Stop the service first"
  ),
  Command.withShortDescription("Restore a backup"),
  Command.withExamples([{ command: "backup restore /srv/backups/2026-11-20 --dry-run" }])
)

/** `backup …` */
export const backup = Command.make("backup").pipe(
  Command.withDescription("Backups of the database and the files"),
  Command.withSubcommands([create, verify, restore])
)
