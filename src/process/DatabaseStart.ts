/** What a process needs of its database before it works: an answer, all migrations, and the same secret key. */
import * as Environment from "./Environment.ts"
import { checkReadiness, type MigrationError, type Readiness } from "../platform/db/Migrations.ts"
import { Clock, Effect, Exit, Layer, Schedule } from "effect"
import { Database } from "../platform/db/Database.ts"
import { DatabaseUnavailable } from "../platform/db/DatabaseUnavailable.ts"
import { certificateFault } from "../platform/db/Tls.ts"
import { onWallClock, runWithin } from "../platform/Time.ts"
import type { SecretKeys } from "../platform/secrets/SecretKeys.ts"
import { SettingRefused } from "../platform/Setting.ts"

type State = Readiness | "unreachable"

const reasons: Readonly<Record<Exclude<State, "ready">, string>> = {
  standby: "The database is a standby, which takes no writes.",
  unmigrated: "The database is not migrated (`npm run migrate`).",
  unreachable: "The database does not answer."
}

const checkInterval = "1 second"

/** The time between two log lines about the same state, in milliseconds. */
const logInterval = 60_000

const stateFor = (keys: SecretKeys): Effect.Effect<State, MigrationError | SettingRefused, Database> =>
  Effect.gen(function* () {
    const readiness = yield* checkReadiness(yield* Database)
    if (readiness !== "ready") return readiness
    yield* Environment.verifyAndTakeOver(keys)
    return "ready" as const
  }).pipe(
    Effect.catchTag("SqlError", (error): Effect.Effect<State, SettingRefused> => {
      // To wait would not help.
      const reason = certificateFault(error)
      return reason === undefined
        ? Effect.succeed("unreachable")
        : Effect.fail(new SettingRefused({ variable: "DATABASE_URL", reason }))
    }),
    Effect.catchDefect((defect) =>
      defect instanceof DatabaseUnavailable ? Effect.succeed("unreachable" as const) : Effect.die(defect)
    )
  )

/**
 * Waits until the database is ready, and says what it waits for at first, when that changes, and once a minute;
 * `consequence` completes the line. Fails if the database belongs to another secret key.
 */
export const wait = Effect.fn("DatabaseStart.wait")(function* (keys: SecretKeys, consequence: string) {
  let logged: { readonly state: State; readonly at: number } | undefined
  for (;;) {
    const state = yield* stateFor(keys)
    if (state === "ready") {
      if (logged !== undefined) yield* Effect.logInfo("The database is ready.")
      return
    }
    const at = yield* Clock.currentTimeMillis
    if (logged?.state !== state || at - logged.at >= logInterval) {
      yield* Effect.logWarning(`${reasons[state]} ${consequence}`)
      logged = { state, at }
    }
    yield* Effect.sleep(checkInterval)
  }
}, onWallClock)

/**
 * Checks the database, then runs `service`, also while the database is away or not migrated. Fails as soon as it turns out
 * to belong to another secret key.
 */
export const guarding = <A, E, R>(keys: SecretKeys, consequence: string, service: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    if ((yield* stateFor(keys)) === "ready") return yield* service
    return yield* Effect.raceFirst(service, Effect.andThen(wait(keys, consequence), Effect.never))
  })

// Logs when the database stops answering, or becomes a standby, and when it answers again.

const watchInterval = "1 second"

/** After how many milliseconds without an answer the database counts as lost. */
const answerTimeout = 2000

/** Watches the database for as long as the layer lives. */
export const layer: Layer.Layer<never, never, Database> = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Database
    let isAnswering = true
    // The query of /readyz, so that both agree.
    const check = Effect.gen(function* () {
      const exit = yield* runWithin(checkReadiness(sql), answerTimeout, () => Exit.die("no answer in time"))
      const isStandby = Exit.isSuccess(exit) && exit.value === "standby"
      const isAnsweringNow = Exit.isSuccess(exit) && !isStandby
      if (isAnsweringNow === isAnswering) return
      isAnswering = isAnsweringNow
      yield* isAnswering
        ? Effect.logInfo("The database answers again.")
        : Effect.logWarning(
            `The database ${isStandby ? "is a standby" : "does not answer"}. Requests get 503, and jobs wait.`
          )
    })
    yield* check.pipe(
      Effect.repeat(Schedule.spaced(watchInterval)),
      Effect.withTracerEnabled(false),
      onWallClock,
      Effect.forkScoped
    )
  })
)
