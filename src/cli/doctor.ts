/** The operator's command that looks the installation over: docs/operations.md#doctor. */
import * as App from "../App.ts"
import * as CommandRun from "./CommandRun.ts"
import * as Config from "../platform/Config.ts"
import * as Doctor from "../doctor/Doctor.ts"
import * as Environment from "../process/Environment.ts"
import * as Installation from "./Installation.ts"
import { Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { Sending } from "../core/outbound/Outbound.ts"
import { type Check, failed } from "../doctor/rules.ts"
import { Database } from "../platform/db/Database.ts"
import { layerFileStore } from "../platform/fileStore/Drivers.ts"
import { Answered, print, tableOf } from "./Output.ts"

const unreachable = (message: string) =>
  Doctor.named(
    "database",
    Effect.succeed(failed(message, "Start Postgres, or check DATABASE_URL. What needs it was not checked."))
  )

const ofDatabase = Effect.fnUntraced(function* (settings: Config.Settings) {
  const { url } = yield* Installation.databaseUrl
  const store = layerFileStore(Environment.fileStoreOf(settings))
  const database = Database.layer({
    url,
    maxConnections: 3,
    applicationName: "property-network doctor",
    citus: settings.citus
  })
  const services = Layer.mergeAll(App.layerIdentity, Doctor.layer, store).pipe(
    Layer.provide(Layer.succeed(Sending, settings.webhooks)),
    Layer.provideMerge(database)
  )
  return yield* Effect.gen(function* () {
    yield* Doctor.reach
    const record = (yield* Doctor.isMigrated) ? CommandRun.recorded : Layer.empty
    return yield* Effect.provide(Doctor.ofDatabase(settings, url), record)
  }).pipe(Effect.provide(services))
})

const linesOf = ({ checks }: { readonly checks: ReadonlyArray<Check> }) => [
  ...tableOf(checks.map(({ detail, name, status }) => [status.toUpperCase(), name, detail])),
  ...checks.flatMap(({ fix, name }) => (fix === null ? [] : [`${name}: ${fix}`]))
]

/** `doctor` */
export const doctor = Command.make(
  "doctor",
  {
    fix: Flag.Boolean("fix").pipe(
      Flag.withDescription(
        "Heal what can be healed safely: owners and modes of files in DATA_DIR and in the file store (as root), and what killed processes have left"
      ),
      Flag.withDefault(false)
    )
  },
  ({ fix }) =>
    Effect.gen(function* () {
      const settings = yield* Config.load
      // First, because what it heals can be in the way of the others.
      const files = yield* Doctor.ofFiles(settings, fix)
      const database = yield* ofDatabase(settings).pipe(
        Effect.catch((error) => Effect.map(unreachable(Doctor.messageOf(error)), (check) => [check]))
      )
      const checks = [...files, ...database]
      yield* print({ checks }, linesOf)
      if (checks.some(({ status }) => status === "failed")) yield* new Answered()
    }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Look this installation over: files, key, database, TLS, clock, transactions, jobs, workers, receivers, standbys. Exits with 1 if something has failed"
  ),
  Command.withShortDescription("Look this installation over, and heal what is safe"),
  Command.withExamples([{ command: "doctor --json" }, { command: "doctor --fix" }])
)
