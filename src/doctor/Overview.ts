/**
 * What operators see of the whole installation in the console, and do about it: how it is, its jobs and workers, and the statements of its
 * database. `admin doctor` says the same of how it is (docs/operations.md#doctor).
 */
import * as CellSchema from "../platform/db/CellSchema.ts"
import * as Doctor from "./Doctor.ts"
import * as JobRuns from "../platform/jobs/JobRuns.ts"
import * as PrivateTables from "../platform/jobs/PrivateTables.ts"
import { Context, Effect, Layer, Option } from "effect"
import { AuditLog } from "../core/audit/AuditLog.ts"
import { onlyOperator } from "../core/auth/CurrentActor.ts"
import { Conflict } from "../core/usecase/Problem.ts"
import { Database } from "../platform/db/Database.ts"
import { FileStore } from "../platform/fileStore/FileStore.ts"
import { now, onWallClock } from "../platform/Time.ts"
import { version } from "../platform/version.ts"
import { Installed } from "../process/Environment.ts"
import { Reencryption } from "../webhooks/Reencryption.ts"
import { WebhookHealth } from "../webhooks/WebhookHealth.ts"
import { type Check, type CheckName, failed, withoutLiterals } from "./rules.ts"
import { ServerRepo } from "./ServerRepo.ts"

/** How long the checks of files, and those of the database, may take for a page, and for how long it shows what they found. */
const maxTime = "10 seconds"
const cacheTtl = "15 seconds"

/** How many failed jobs, and how many statements, are listed. */
const maxListed = 100

const late = failed("It takes long: this page does not wait for it.", "Run `admin doctor`.")

const noneFailed = Conflict.of(
  "no_failed_job",
  "No such job has failed: it runs again already, or somebody else was faster."
)

const make = Effect.gen(function* () {
  const sql = yield* Database
  const repo = yield* ServerRepo
  const store = yield* FileStore
  const health = yield* WebhookHealth
  const reencryption = yield* Reencryption
  const auditLog = yield* AuditLog

  const inTime = <R>(name: CheckName, checks: Effect.Effect<ReadonlyArray<Check>, never, R>) =>
    Effect.timeoutOption(checks, maxTime).pipe(
      Effect.map(Option.getOrElse((): ReadonlyArray<Check> => [{ name, ...late }])),
      onWallClock
    )

  const look = Effect.gen(function* () {
    const installed = yield* Installed
    const settings = installed?.settings
    const [applied, server, isMigrated, key] = yield* Effect.all([
      repo.applied,
      repo.server,
      Doctor.isMigrated,
      reencryption.status
    ])
    const checks =
      installed === undefined
        ? []
        : yield* Effect.all(
            [
              inTime("files", Doctor.ofFiles(installed.settings, false)),
              inTime("database", Doctor.ofDatabase(installed.settings, installed.databaseUrl))
            ],
            { concurrency: 2 }
          )
    return {
      version,
      node: process.version,
      startedUtc: new Date((yield* now).getTime() - process.uptime() * 1000).toISOString(),
      postgres: `${Math.floor(server.version / 10_000)}.${server.version % 10_000}`,
      connections: server.connections,
      maxConnections: server.maxConnections,
      migrations: {
        count: applied.count,
        latest: applied.latest,
        appliedUtc: applied.at?.toISOString() ?? null,
        isPending: !isMigrated
      },
      key,
      checks: checks.flat(),
      standbys: settings === undefined ? [] : yield* Doctor.standbys(settings),
      maxLagSeconds: (settings?.replicas?.maxLagMs ?? 0) / 1000,
      cells: sql.cells === undefined ? [] : yield* CellSchema.list(sql)
    }
  }).pipe(
    Effect.provideService(Database, sql),
    Effect.provideService(ServerRepo, repo),
    Effect.provideService(FileStore, store),
    Effect.provideService(WebhookHealth, health)
  )

  // Many operators who look at once, or a page that is reloaded, take one look.
  const looked = yield* Effect.cachedWithTTL(look, cacheTtl)

  /** How the installation is. For the operator only. */
  const show = Effect.fn("Overview.show")(function* () {
    yield* onlyOperator
    return yield* looked
  })

  /** Seals what is sealed under the previous key under the present one, as a job does every hour. For the operator only. */
  const reencrypt = Effect.fn("Overview.reencrypt")(function* () {
    yield* onlyOperator
    return yield* reencryption.run()
  })

  /** The jobs that wait, those that failed, when recurring ones ran last, and the workers. For the operator only. */
  const queues = Effect.fn("Overview.queues")(
    function* () {
      yield* onlyOperator
      const { backupAt, jobs } = yield* JobRuns.all
      return {
        backlog: yield* PrivateTables.backlog,
        counts: yield* PrivateTables.failed,
        failed: (yield* PrivateTables.listFailed(maxListed)).map(({ createdAt, runAt, ...job }) => ({
          ...job,
          createdUtc: createdAt.toISOString(),
          runUtc: runAt.toISOString(),
          isGivenUp: job.attempts >= job.maxAttempts
        })),
        runs: jobs.map(({ name, ranAt, succeededAt }) => ({
          name,
          ranUtc: ranAt?.toISOString() ?? null,
          succeededUtc: succeededAt?.toISOString() ?? null
        })),
        backupUtc: backupAt?.toISOString() ?? null,
        workers: (yield* repo.workersSeen).map(({ since, ...worker }) => ({
          ...worker,
          sinceUtc: since.toISOString()
        })),
        deliveries: yield* health.queue()
      }
    },
    Effect.provideService(Database, sql)
  )

  /** Has failed jobs run again: one, or those of a name. Returns how many. For the operator only. */
  const retry = Effect.fn("Overview.retry")(
    function* (which: { readonly id: string } | { readonly name: string }) {
      yield* onlyOperator
      if ("id" in which && !/^\d{1,18}$/.test(which.id)) return yield* noneFailed
      const count = yield* PrivateTables.retryFailed(which).pipe(
        auditLog.recording((queued) =>
          queued === 0
            ? undefined
            : {
                action: "jobs.retried",
                teamId: null,
                details: { count: queued, ...("name" in which ? { kind: which.name } : {}) }
              }
        )
      )
      return count === 0 ? yield* noneFailed : count
    },
    Effect.provideService(Database, sql)
  )

  /** The statements that took the most time, if Postgres counts them, and those that run now, without values. For the operator only. */
  const statements = Effect.fn("Overview.statements")(function* () {
    yield* onlyOperator
    const measured = yield* repo.statements(maxListed)
    return {
      measured: measured?.map((one) => ({ ...one, text: withoutLiterals(one.text) })) ?? null,
      running: (yield* repo.running).map((one) => ({ ...one, text: withoutLiterals(one.text) }))
    }
  })

  return { show, reencrypt, queues, retry, statements }
})

/** The installation as a whole, for operators. */
export class Overview extends Context.Service<Overview, Effect.Success<typeof make>>()("doctor/Overview") {
  static readonly layer = Layer.effect(Overview, make).pipe(
    Layer.provide([Reencryption.layer, ServerRepo.layer, WebhookHealth.layer])
  )
}
