/**
 * What operators ask for in the console that takes long (docs/behaviour/console.md#operation): exports and imports of teams, and restores
 * of what somebody deleted. Each has a row, a job works on it, and its page follows. The archive of an export is kept for a day, for the
 * person who asked; that of an import is tried before anything is written.
 */
import * as Id from "../core/Id.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Cause, Clock, Context, Duration, Effect, Exit, Layer, Schedule, Semaphore, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Readable } from "node:stream"
import { FileWrites, unavailable } from "../content/files/FileWrites.ts"
import { temporaryCopy } from "../content/files/TemporaryCopies.ts"
import { CurrentAuditContext, ofAsker } from "../core/auth/AuditContext.ts"
import { asOperator, onlyOperator } from "../core/auth/CurrentActor.ts"
import { DryRun, emptyOutcome } from "../core/mutation/ChangeRecord.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { Conflict, InvalidRequest, NotFound } from "../core/usecase/Problem.ts"
import type { PendingUpload } from "../core/usecase/UseCaseRequest.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { restorable } from "../network/restores/Restore.ts"
import { Restores } from "../network/restores/Restores.ts"
import { Database } from "../platform/db/Database.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import { FileStoreFailure } from "../platform/fileStore/FileStore.ts"
import { Jobs } from "../platform/jobs/Jobs.ts"
import { hoursAgo, now, onWallClock } from "../platform/Time.ts"
import { TeamExists } from "./Archive.ts"
import { runTeamRun } from "./jobs.ts"
import { TeamExports } from "./TeamExports.ts"
import { TeamImports } from "./TeamImports.ts"
import type { Progress, RestoreOptions, TeamRun } from "./TeamRun.ts"
import { type Ended, type NewRun, TeamRunsRepo } from "./TeamRunsRepo.ts"

/** For how long they are kept, with their archives. */
const keptHours = 24

/** How many a list has. */
const maxListed = 50

/** How many rows of what did not come back a report names. */
const maxNamed = 100

/** How often the row of an export says how many bytes are written. */
const progressInterval = Duration.seconds(2)

/** How many of them a process works on at once: others wait, so that they leave room for other jobs. */
const permits = Semaphore.makeUnsafe(1)

const notFound = new NotFound({ detail: "There is no run with this id: it may be older than a day." })

const notTheName = InvalidRequest.of([bodyFault("/confirm", "different", "This is not the name of the team.")])

const noOperator = "The person who asked for it is no operator any more."

const failed = "The service failed unexpectedly. Its log says why."

/** Why something is refused, as a person reads it; undefined if it failed unexpectedly. */
const detailOf = (cause: Cause.Cause<unknown>): string | undefined => {
  const error = cause.reasons.find(Cause.isFailReason)?.error
  return typeof error === "object" && error !== null && "detail" in error && typeof error.detail === "string"
    ? error.detail
    : undefined
}

const isUnavailable = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof DatabaseUnavailable)

const make = Effect.gen(function* () {
  const sql = yield* Database
  const [repo, writes, jobs] = [yield* TeamRunsRepo, yield* FileWrites, yield* Jobs]
  const [exports, imports, restores] = [yield* TeamExports, yield* TeamImports, yield* Restores]
  const [teams, users] = [yield* Teams, yield* Users]
  const random = yield* SecureRandom.SecureRandom

  const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.provideService(Transaction.run(self), Database, sql)

  /** The latest ones. For the operator only, as all that follows. */
  const list = Effect.andThen(onlyOperator, repo.list(maxListed)).pipe(Effect.withSpan("TeamRuns.list"))

  const get = Effect.fn("TeamRuns.get")(function* (id: string) {
    yield* onlyOperator
    return (Id.isUuid(id) ? yield* repo.find(id) : undefined) ?? (yield* notFound)
  })

  const none = { team: null, teamName: null, options: {}, fileName: null, size: null, content: null }

  /** Has a job begin; returns the id. */
  const begin = Effect.fnUntraced(function* (run: Omit<NewRun, "at" | "id">) {
    const id = yield* random.uuidV7()
    const at = yield* now
    yield* inTransaction(Effect.andThen(repo.insert({ ...run, id, at }), jobs.enqueue(runTeamRun, { runId: id })))
    return id
  })

  const named = Effect.fnUntraced(function* (team: string) {
    const found = yield* teams.find(yield* teams.resolveAny(team))
    return { team, teamName: found?.name ?? null }
  })

  /** Exports a team (its public id), for a person (UUID). */
  const startExport = Effect.fn("TeamRuns.startExport")(function* (userId: string, team: string) {
    yield* onlyOperator
    return yield* begin({ ...none, ...(yield* named(team)), userId, kind: "export", state: "running" })
  })

  /** Stores the archive of a team, and has it tried: nothing is written. */
  const upload = Effect.fn("TeamRuns.upload")(function* (userId: string, file: PendingUpload) {
    yield* onlyOperator
    const sent = yield* file
    let size = 0
    const counted = Stream.tap(sent.content, ({ length }) => Effect.sync(() => void (size += length)))
    const content = yield* Effect.catchTag(writes.keep(counted), "FileStoreFailure", unavailable)
    return yield* begin({ ...none, userId, kind: "import", state: "checking", fileName: sent.filename, size, content })
  }, Effect.scoped)

  /** Has a job import the archive that was tried; `confirm` is the name of the team. */
  const startImport = Effect.fn("TeamRuns.startImport")(function* (id: string, confirm: string | undefined) {
    const run = yield* get(id)
    if (run.teamName !== null && confirm !== run.teamName.trim()) return yield* notTheName
    const at = yield* now
    const begun = yield* inTransaction(
      Effect.tap(repo.begin(run.id, at), (done) => (done ? jobs.enqueue(runTeamRun, { runId: run.id }) : Effect.void))
    )
    if (!begun) return yield* Conflict.of("begun", "It was begun already, or it is gone.")
  })

  const whatOf = Effect.fnUntraced(function* (team: string, options: RestoreOptions) {
    const { deletedBy, force, sinceUtc, types, untilUtc } = options
    return {
      teamId: yield* teams.resolve(team),
      by: yield* restores.deleterNamed(deletedBy),
      since: new Date(sinceUtc),
      until: new Date(untilUtc),
      types: types.length === 0 ? restorable : types,
      force
    }
  })

  /** How much a restore in a team (its public id) would bring back, by type. */
  const rehearseRestore = Effect.fn("TeamRuns.rehearseRestore")(function* (team: string, options: RestoreOptions) {
    yield* onlyOperator
    return yield* restores.count(yield* whatOf(team, options))
  })

  /** Restores what somebody deleted in a team (its public id), for a person (UUID); `confirm` is the name of the team. */
  const startRestore = Effect.fn("TeamRuns.startRestore")(function* (
    userId: string,
    team: string,
    options: RestoreOptions,
    confirm: string | undefined
  ) {
    yield* onlyOperator
    const { by } = yield* whatOf(team, options)
    const of = yield* named(team)
    if (confirm !== of.teamName?.trim()) return yield* notTheName
    // By an id: an address would stay here after the person is erased.
    const deletedBy = "client" in by ? Id.fromUuid("client", by.client) : Id.fromUuid("user", by.user)
    return yield* begin({
      ...none,
      ...of,
      userId,
      kind: "restore",
      state: "running",
      options: { ...options, deletedBy }
    })
  })

  /** The archive of an export, for the person (UUID) who asked for it. */
  const archive = Effect.fn("TeamRuns.archive")(function* (userId: string, id: string) {
    const run = yield* get(id)
    if (run.kind !== "export" || run.content === null || run.userId !== userId) return yield* notFound
    return { run, content: Stream.orDie(writes.contentOf(run.content)) }
  })

  /** Removes one, with its archive. What it has done stays: a job that works on it goes on. */
  const remove = Effect.fn("TeamRuns.remove")(function* (id: string) {
    const run = yield* get(id)
    const { contents } = yield* repo.remove([run.id])
    yield* writes.forget(contents)
  })

  /** Removes those of a day ago, at most `limit`; returns how many. */
  const purge = Effect.fn("TeamRuns.purge")(function* (limit: number) {
    const until = yield* hoursAgo(keptHours)
    const old = yield* repo.findOld(until, Id.minUuidOf(until), limit)
    const { contents, count } = yield* repo.remove(old)
    yield* writes.forget(contents)
    return count
  })

  // What the job does.

  type Outcome = Omit<Ended, "at">

  const exported = Effect.fnUntraced(function* (run: TeamRun, advance: (progress: Progress) => Effect.Effect<void>) {
    let bytes = 0
    // Beside the transaction that reads the team, which shows what it writes when it ends.
    yield* Effect.forkScoped(
      Effect.repeat(
        Effect.suspend(() => advance({ bytes })),
        Schedule.spaced(progressInterval)
      ).pipe(onWallClock)
    )
    const written = yield* exports.write(run.team ?? "", (archive: Readable) => {
      const content = Stream.fromAsyncIterable<Uint8Array, FileStoreFailure>(
        archive,
        (cause) => new FileStoreFailure({ operation: "read", cause })
      )
      const counted = Stream.tap(content, ({ length }) => Effect.sync(() => void (bytes += length)))
      return Effect.map(Effect.orDie(writes.keep(counted)), (object) => ({ object }))
    })
    const { files, object, rows, users: count } = written
    const outcome: Outcome = { state: "done", size: bytes, content: object, report: { users: count, rows, files } }
    return outcome
  })

  const imported = Effect.fnUntraced(function* (run: TeamRun, isAgain: boolean) {
    const { file: path } = yield* temporaryCopy(writes.contentOf(run.content ?? ""), "team.zip")
    if (run.state === "checking") {
      const { team, ...report } = yield* Effect.provideService(imports.read(path), DryRun, emptyOutcome())
      const outcome: Outcome = { state: "checked", report, team: team.id, teamName: team.name }
      return outcome
    }
    const done: Outcome = { state: "done" }
    return yield* imports.read(path).pipe(
      Effect.map(({ team: _, ...report }): Outcome => ({ state: "done", report })),
      // All of it is written in one transaction: an attempt before, which was stopped afterwards, has done it.
      Effect.catchIf(
        (error) => isAgain && error instanceof TeamExists,
        () => Effect.succeed(done)
      )
    )
  })

  const restored = Effect.fnUntraced(function* (
    run: TeamRun & { readonly kind: "restore" },
    advance: (progress: Progress) => Effect.Effect<void>
  ) {
    const what = yield* whatOf(run.team ?? "", run.options)
    const { notRestored, records } = yield* restores.restoreDeletedBy(what, advance)
    const outcome: Outcome = {
      state: "done",
      report: { records, notRestored: notRestored.slice(0, maxNamed).map(({ code, id, type }) => ({ code, id, type })) }
    }
    return outcome
  })

  /** Works on one, as an attempt of the job. */
  const attempted = Effect.fnUntraced(function* (run: TeamRun, attempt: string, isAgain: boolean) {
    const advance = (progress: Progress) => Effect.flatMap(now, (at) => repo.advance(run.id, attempt, progress, at))
    const end = (outcome: Outcome) => Effect.flatMap(now, (at) => repo.finish(run.id, attempt, { ...outcome, at }))
    const account = yield* Effect.exit(users.show(Id.fromUuid("user", run.userId)))
    const mayAsk = Exit.isSuccess(account) && account.value.isOperator === true && account.value.state === "active"
    if (!mayAsk) return yield* end({ state: "refused", detail: noOperator })
    const work =
      run.kind === "restore"
        ? restored(run, advance)
        : run.kind === "import"
          ? imported(run, isAgain)
          : exported(run, advance)
    const exit = yield* Effect.exit(Effect.scoped(work))
    if (Exit.isSuccess(exit)) return yield* end(exit.value)
    // Another attempt goes on where this one was stopped, or where the database was away.
    if (Cause.hasInterrupts(exit.cause) || isUnavailable(exit.cause)) return yield* Effect.failCause(exit.cause)
    const detail = detailOf(exit.cause)
    if (detail === undefined) yield* Effect.logError("What an operator asked for failed", exit.cause)
    return yield* end({ state: "refused", detail: detail ?? failed })
  })

  /** Goes on with one, for its job, in the name of the person who asked. */
  const perform = Effect.fn("TeamRuns.perform")(function* ({ runId }: typeof runTeamRun.payload.Type) {
    const attempt = yield* random.uuidV7()
    const done = yield* permits.withPermitsIfAvailable(1)(
      Effect.gen(function* () {
        const claimed = yield* repo.claim(runId, attempt)
        if (claimed === undefined) return
        const { isAgain, run } = claimed
        yield* asOperator(attempted(run, attempt, isAgain)).pipe(
          Effect.provideService(CurrentAuditContext, ofAsker(run.userId))
        )
      })
    )
    if (done._tag === "Some") return
    const runAt = new Date((yield* Clock.currentTimeMillis) + 5000)
    yield* jobs.enqueue(runTeamRun, { runId }, { runAt })
  }, Effect.orDie)

  return {
    list,
    get,
    startExport,
    upload,
    startImport,
    rehearseRestore,
    startRestore,
    archive,
    remove,
    purge,
    perform
  }
})

/** Exports and imports of teams, and restores, as operators ask for them in the console; `purge` and `perform` are for jobs. */
export class TeamRuns extends Context.Service<TeamRuns, Effect.Success<typeof make>>()("tenancy/TeamRuns") {
  static readonly layer = Layer.effect(TeamRuns, make).pipe(
    Layer.provide([
      FileWrites.layer,
      Restores.layer,
      TeamExports.layer,
      TeamImports.layer,
      TeamRunsRepo.layer,
      Teams.layer,
      Users.layer
    ])
  )
}
