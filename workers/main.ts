/** A worker process: `npm run worker`, against the Postgres of `DATABASE_URL`. */
import { Effect, Layer } from "effect"
import * as App from "../src/App.ts"
import { Database } from "../src/db/Database.ts"
import { Jobs } from "../src/jobs/Jobs.ts"
import * as GraphileWorker from "../src/jobs/graphile/GraphileWorker.ts"
import * as Metrics from "../src/metrics/Metrics.ts"
import { OrphanGuard } from "../src/OrphanGuard.ts"
import * as Environment from "../src/process/Environment.ts"
import * as Logging from "../src/process/Logging.ts"
import * as Program from "../src/process/Program.ts"
import * as Tracing from "../src/telemetry/Tracing.ts"
import { crontab } from "./schedule.ts"
import { tasks } from "./tasks.ts"

// An attempt may take 10 seconds, and a stop should not cause a repetition. A worker without attempts in flight stops at
// once.
const gracePeriod = "12 seconds"
const stopTimeout = 15_000

const program = Effect.gen(function* () {
  const { app, databaseUrl, settings } = yield* Environment.external
  const announce = Layer.effectDiscard(Effect.logInfo("The worker is ready."))
  const worker = announce.pipe(
    Layer.provideMerge(GraphileWorker.layer(tasks, { url: databaseUrl, crontab, gracePeriod })),
    Layer.provide(Metrics.layer(settings)),
    Layer.provide(App.layer(app)),
    Layer.provide(Jobs.layer),
    Layer.provide(
      Database.layer({
        url: databaseUrl,
        slowQueryMs: settings.slowQueryMs,
        applicationName: "property-network worker"
      })
    ),
    Layer.provide(OrphanGuard.layer),
    Layer.provide(Tracing.layer(settings.telemetry)),
    Layer.provide(Logging.layer(settings.logLevel))
  )
  return yield* Layer.launch(worker)
})

Program.run(Effect.scoped(program), { stopTimeout })
